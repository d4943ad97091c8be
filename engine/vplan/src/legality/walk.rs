//! Loads and stores of a loop nest: the progression of their addresses over iterations of the outer loop, which are the
//! lanes, and the distance that inner loops cover.
//!
//! An address is `start + step * i + t1 * k1 + t2 * k2 …` with the outer iteration `i`, inner iterations `k`, and
//! `start` and all `t` available before the outer loop; or the same with an unknown uniform value in place of the last
//! terms. Inner loops execute the same iterations in all lanes, so the addresses of lanes are `step` apart in both
//! cases. All arithmetic is modulo the size of the address space and holds where the address is not poison.

use super::access::{Access, Pattern, Reach, Term, in_order, sized};
use super::ops::Op;
use super::{Form, LegalityMissed, Nest};
use backedge_ir::entity::Inst;
use backedge_scev::{Expr, NAry, Node, ScalarEvolution};
use rustc_hash::FxHashMap;

/// Limit for the number of terms of an address: bounds the time for one address. The progression of an address with
/// more terms is unknown.
const MOST_TERMS: usize = 8;

pub(super) fn find(
    scev: &mut ScalarEvolution<'_>,
    form: &Form,
    ops: &FxHashMap<Inst, Op>,
    nest: &Nest,
) -> Result<Vec<Access>, LegalityMissed> {
    in_order(form, ops)?.into_iter().map(|inst| access(scev, form, nest, inst)).collect()
}

fn access(
    scev: &mut ScalarEvolution<'_>,
    form: &Form,
    nest: &Nest,
    inst: Inst,
) -> Result<Access, LegalityMissed> {
    let mut access = sized(scev, inst)?;
    let (step, reach) = match scev.expr(access.pointer).and_then(|expr| walked(scev, form, nest, expr)) {
        Some((step, reach)) => (Some(step), reach),
        None => (None, None),
    };
    let size = i64::try_from(access.bytes).map_err(|_| LegalityMissed::Type)?;
    access.pattern = match step {
        _ if nest.is_uniform(form, access.pointer) => Pattern::Uniform,
        Some(step) => Pattern::of_step(step, size),
        None => Pattern::Scattered,
    };
    access.reach = reach;
    Ok(access)
}

/// The constant step of `expr` in the outer loop, if it has one; and its full form, if known.
fn walked(
    scev: &mut ScalarEvolution<'_>,
    form: &Form,
    nest: &Nest,
    expr: Expr,
) -> Option<(i64, Option<Reach>)> {
    let (mut rest, mut step, mut terms, mut is_known) = (expr, 0i64, Vec::new(), true);
    for _ in 0..MOST_TERMS {
        if scev.is_available_at_entry(rest, form.l) {
            return Some((step, is_known.then_some(Reach { start: rest, step, terms })));
        }
        if is_uniform(scev, form, nest, rest) && scev.arena().as_add_rec(rest).is_none() {
            return Some((step, None));
        }
        match scev.node(rest) {
            Node::AddRec(of, operands) => {
                let &[start, by] = &operands[..] else { return None };
                if of == form.l {
                    step = step.checked_add(scev.as_constant(by)?.to_i64()?)?;
                } else if !scev.loops().contains_loop(form.l, of) {
                    return None;
                } else if scev.is_available_at_entry(by, form.l) {
                    terms.push(Term { l: of, step: by });
                } else if is_uniform(scev, form, nest, by) {
                    is_known = false;
                } else {
                    return None;
                }
                rest = start;
            }
            Node::NAry(NAry::Add, operands) => {
                let varies = |o: &&Expr| !is_uniform(scev, form, nest, **o);
                let mut varying = operands.iter().filter(varies);
                let (Some(one), None) = (varying.next(), varying.next()) else { return None };
                is_known = false;
                rest = *one;
            }
            Node::Constant(_) | Node::Unknown(_) | Node::Cast(..) | Node::NAry(..) | Node::UDiv(_) => {
                return None;
            }
            Node::CouldNotCompute => return None,
        }
    }
    None
}

/// Whether an expression has the same value in all lanes.
fn is_uniform(scev: &ScalarEvolution<'_>, form: &Form, nest: &Nest, expr: Expr) -> bool {
    let loops = scev.loops();
    scev.arena().all_parts(expr, |_, node| match node {
        Node::CouldNotCompute => false,
        Node::Unknown(value) => nest.is_uniform(form, *value),
        Node::AddRec(of, _) => {
            *of != form.l && (loops.contains_loop(form.l, *of) || loops.contains_loop(*of, form.l))
        }
        Node::Constant(_) | Node::Cast(..) | Node::NAry(..) | Node::UDiv(_) => true,
    })
}
