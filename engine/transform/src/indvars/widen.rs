//! Widens counters that the loop extends.
//!
//! If the extension of `{s,+,c}` is itself a recurrence, because the narrow one does not wrap, it gets a phi of its
//! own. Extensions of values derived from the same counter become sums with it (after some steps, or plus an
//! invariant) or products (times an invariant). The narrow counter becomes a truncation, so nothing needs the narrow
//! recurrence.
//!
//! Never wider than the index type of pointers.

use super::check::{Counter, Facts, counters, go_together};
use super::compare::{self, Widened};
use super::edits::{Edit, Edits, New};
use crate::leaves::all_spread;
use crate::shape::Shape;
use backedge_analysis::LoopId;
use backedge_ir::body::Body;
use backedge_ir::entity::{EntitySet, Inst};
use backedge_ir::inst::{BinaryFlags, BinaryOp, CastFlags, CastOp, InstKind, Value};
use backedge_scev::expand::{self, Options};
use backedge_scev::{Expr, ScalarEvolution};
use smallvec::smallvec;

/// Quick check whether the loop may contain a counter to widen.
pub(super) fn may_widen(body: &Body, shape: &Shape, l: LoopId) -> bool {
    let header = shape.loops.header(l);
    let has_counter = body.phis(header).any(|phi| body.inst(phi).ty.int_bits().is_some_and(|w| w < 64));
    has_counter && shape.loops.own_blocks(l).any(|b| body.insts(b).iter().any(|i| is_extension(body, *i)))
}

fn is_extension(body: &Body, inst: Inst) -> bool {
    matches!(body.inst(inst).kind, InstKind::Cast(CastOp::SExt | CastOp::ZExt, _))
        && body.inst(inst).ty.is_int()
        && body.inst(inst).operands[0].as_inst().is_some()
}

/// An extension that is a recurrence of the loop.
struct Extension {
    inst: Inst,
    op: CastOp,
    start: Expr,
    step: Expr,
}

/// Collects the edits; returns the number of widened counters. The caller must analyze the code anew afterwards.
pub(super) fn find(
    scev: &mut ScalarEvolution<'_>,
    shape: &Shape,
    facts: &Facts,
    budget: u32,
    edits: &mut Edits,
) -> usize {
    let body = scev.body();
    let extensions = extensions(scev, shape, facts);
    let mut taken: Vec<Inst> = Vec::new();
    let (mut done, mut widened): (usize, Vec<Widened>) = (0, Vec::new());
    let mut wide_ones: Vec<Expr> = Vec::new();
    for Counter { phi, .. } in counters(scev, body, facts) {
        // Another counter may already be widened to this one.
        if scev.expr(phi.into()).is_some_and(|e| wide_ones.contains(&e)) {
            continue;
        }
        let left = extensions.iter().filter(|e| !taken.contains(&e.inst));
        let Some(wide) = left.into_iter().find_map(|e| wide_counter(scev, facts, phi, e)) else { continue };
        let width = scev.width(wide.start);
        let mut members = Vec::new();
        let unit = scev.int(width, 1);
        for e in extensions.iter().filter(|e| !taken.contains(&e.inst)) {
            if scev.width(e.start) != width {
                continue;
            }
            if e.step == wide.step {
                let ahead = scev.sub(e.start, wide.start);
                members.push(Member { inst: e.inst, times: None, ahead });
            } else if wide.step == unit && is_product(body, facts, phi, e.inst) {
                let start = scev.mul(&[e.step, wide.start]);
                let ahead = scev.sub(e.start, start);
                members.push(Member { inst: e.inst, times: Some(e.step), ahead });
            }
        }
        if let Some((used, counter)) = widen(scev, facts, &wide, &members, budget, edits) {
            done += 1;
            wide_ones.push(counter.expr);
            if only_compared(body, shape, facts, phi, &used) {
                widened.push(counter);
            }
            taken.extend(used);
        }
    }
    compare::find(scev, shape, facts, &widened, budget, edits);
    done
}

/// A multiple of the wide counter plus an offset: `times` and `ahead`.
struct Member {
    inst: Inst,
    times: Option<Expr>,
    ahead: Expr,
}

/// Maximum depth, in operations, to which derived values of a counter are followed: bounds the time for one counter.
const MOST_FOLLOWED: usize = 4;

/// Whether the narrow counter `phi` and its derived values are used in the loop only by `extensions` and comparisons;
/// then facts about the narrow value are no longer needed.
fn only_compared(body: &Body, shape: &Shape, facts: &Facts, phi: Inst, extensions: &[Inst]) -> bool {
    let carried = body.incoming_from(phi, facts.ring.latch).and_then(Value::as_inst);
    let ends = |user: Inst| {
        let data = body.inst(user);
        user == phi
            || Some(user) == carried
            || extensions.contains(&user)
            || matches!(data.kind, InstKind::ICmp { .. })
            || data.kind.is_phi() && !shape.loops.contains_inst(body, facts.l, user)
    };
    let mut work: Vec<(Inst, usize)> = [Some(phi), carried].into_iter().flatten().map(|i| (i, 0)).collect();
    let mut seen: EntitySet<Inst> = work.iter().map(|(inst, _)| *inst).collect();
    while let Some((inst, depth)) = work.pop() {
        for user in body.code_uses(inst.into()).map(|u| u.user).filter(|u| !ends(*u)) {
            if depth == MOST_FOLLOWED || !matches!(body.inst(user).kind, InstKind::Binary(..)) {
                return false;
            }
            if seen.insert(user) {
                work.push((user, depth + 1));
            }
        }
    }
    true
}

/// Whether `extension` extends a multiple of the counter `phi`, perhaps plus an offset, that has no other use.
fn is_product(body: &Body, facts: &Facts, phi: Inst, extension: Inst) -> bool {
    let carried = body.incoming_from(phi, facts.ring.latch);
    let mut inst = extension;
    for _ in 0..MOST_FOLLOWED {
        let operands = &body.inst(inst).operands;
        let mut inner = operands.iter().filter_map(|v| v.as_inst()).filter(|i| {
            let own = body.block_of(*i).is_some_and(|b| facts.ring.blocks.contains(&b));
            own && matches!(
                body.inst(*i).kind,
                InstKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, _)
            )
        });
        let (Some(next), None) = (inner.next(), inner.next()) else { return false };
        if body.code_uses(next.into()).count() != 1 {
            return false;
        }
        let data = body.inst(next);
        let of_counter = data.operands.iter().any(|v| *v == phi.into() || Some(*v) == carried);
        if of_counter {
            return matches!(data.kind, InstKind::Binary(BinaryOp::Mul, _));
        }
        inst = next;
    }
    false
}

fn extensions(scev: &mut ScalarEvolution<'_>, shape: &Shape, facts: &Facts) -> Vec<Extension> {
    let body = scev.body();
    let widest = scev.at.env.layout.index_bits(0);
    let insts = shape.loops.own_blocks(facts.l).flat_map(|b| body.insts(b)).copied();
    let insts: Vec<Inst> = insts.filter(|i| is_extension(body, *i)).collect();
    let mut found = Vec::new();
    for inst in insts {
        let InstKind::Cast(op, _) = body.inst(inst).kind else { continue };
        let Some(expr) = scev.expr(inst.into()) else { continue };
        if let Some((l, operands)) = scev.arena().as_add_rec(expr)
            && l == facts.l
            && let &[start, step] = &operands[..]
            && scev.width(expr) <= widest
        {
            found.push(Extension { inst, op, start, step });
        }
    }
    found
}

/// The counter `phi` widened to the type of `extension`, if that extends a value with the same step.
fn wide_counter(
    scev: &mut ScalarEvolution<'_>,
    facts: &Facts,
    phi: Inst,
    extension: &Extension,
) -> Option<Extension> {
    let narrow = scev.expr(phi.into())?;
    let of = scev.expr(scev.body().inst(extension.inst).operands[0])?;
    let step = |scev: &ScalarEvolution<'_>, e| scev.arena().as_add_rec(e).map(|(l, o)| (l, o[1..].to_vec()));
    if scev.width(of) != scev.width(narrow) || step(scev, of) != step(scev, narrow) {
        return None;
    }
    let width = scev.width(extension.start);
    let wide = scev.within(Some(facts.ring.header), |scev| match extension.op {
        CastOp::SExt => scev.sext(narrow, width),
        _ => scev.zext(narrow, width),
    });
    let (l, operands) = scev.arena().as_add_rec(wide)?;
    let &[start, by] = &operands[..] else { return None };
    (l == facts.l && by == extension.step).then_some(Extension {
        inst: phi,
        op: extension.op,
        start,
        step: by,
    })
}

/// Replaces `members` by the wide counter and their offsets; returns the replaced ones, and the counter.
fn widen(
    scev: &mut ScalarEvolution<'_>,
    facts: &Facts,
    wide: &Extension,
    members: &[Member],
    budget: u32,
    edits: &mut Edits,
) -> Option<(Vec<Inst>, Widened)> {
    let anchor = scev.body().first_non_phi(facts.ring.header)?;
    let expr = scev.add_rec(facts.l, &[wide.start, wide.step]);
    if !all_spread(scev, expr, None, facts.entry) {
        return None;
    }
    let mut plan = expand::plan(scev, expr, anchor, Options::default()).ok()?;
    // An existing phi may be reused, but not as an operand: it may itself become a truncation.
    if !plan.is_empty() {
        plan = expand::plan(scev, expr, anchor, Options { reuse: false, ..Options::default() }).ok()?;
    }
    // The narrow counter has the addition of the step too.
    if plan.cost() > budget + 1 {
        return None;
    }
    let mut ahead = Vec::new();
    for &Member { inst, times, ahead: by } in members {
        let parts: Vec<Expr> = [expr, by].into_iter().chain(times).collect();
        if !go_together(scev, &parts, facts.entry) {
            continue;
        }
        let Some(by) = difference(scev, facts, by, budget, edits) else { continue };
        let times = match times {
            Some(times) => match difference(scev, facts, times, budget, edits) {
                Some(times) => Some(times),
                None => continue,
            },
            None => None,
        };
        ahead.push((inst, times, by));
    }
    if ahead.is_empty() {
        return None;
    }
    let counter = edits.plan(expr, anchor, plan);
    for &(inst, times, by) in &ahead {
        let counter = times.map_or(counter, |times| edits.product([counter, times], inst));
        edits.list.push(match by {
            New::Int(zero) if zero.is_zero() => Edit::Replace(inst, counter),
            _ => Edit::Instead {
                inst,
                kind: InstKind::Binary(BinaryOp::Add, BinaryFlags::default()),
                operands: smallvec![counter, by],
                before: inst,
            },
        });
    }
    let kind = InstKind::Cast(CastOp::Trunc, CastFlags::default());
    edits.list.push(Edit::Instead { inst: wide.inst, kind, operands: smallvec![counter], before: anchor });
    Some((ahead.into_iter().map(|(inst, _, _)| inst).collect(), Widened { expr, value: counter }))
}

/// An invariant offset or factor, as a value before the loop.
fn difference(
    scev: &mut ScalarEvolution<'_>,
    facts: &Facts,
    by: Expr,
    budget: u32,
    edits: &mut Edits,
) -> Option<New> {
    if let Some(constant) = scev.as_constant(by) {
        return Some(New::Int(constant));
    }
    if let Some(known) = edits.planned(by, facts.entry) {
        return Some(known);
    }
    if !scev.is_available_at_entry(by, facts.l) || !all_spread(scev, by, None, facts.entry) {
        return None;
    }
    let plan = expand::plan(scev, by, facts.entry, Options::default()).ok()?;
    (plan.cost() <= budget).then(|| edits.plan(by, facts.entry, plan))
}
