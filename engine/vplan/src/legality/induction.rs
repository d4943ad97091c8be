//! Inductions: integer and pointer phis with the value `start + i * step` in iteration `i`.
//!
//! A phi is known to equal its add recurrence only where it is not poison. The value `start + i * step` is poison if
//! the start or the step is. If the start is poison, the phi is also poison in all iterations, because its next value
//! is required to be computed from it by arithmetic. The step is different: the first iteration does not use it. So a
//! non-constant step is frozen where it is computed; in iterations in which the source uses a poison step, the phi is
//! poison as well.
//!
//! The flags of the source's addition hold for lanes, which compute the same sums in the same iterations. They do not
//! hold for `i * step`, nor for a step over several iterations.

use super::Form;
use super::form::ends;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{BinaryOp, InstKind, Value};
use backedge_scev::{Expr, ScalarEvolution};

/// Limit for the number of operations between a phi and its next value: bounds the time for one phi.
const MOST_STEPS: usize = 8;

/// A phi with a constant or loop-invariant step.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Induction {
    /// Its value in the first iteration.
    pub start: Value,
    /// The increment per iteration, in bytes and in the index width for a pointer. It is available before the loop, and
    /// must be frozen unless it is constant.
    pub step: Expr,
    /// The phi's value for the next iteration.
    pub next: Value,
}

pub(super) fn find(scev: &mut ScalarEvolution<'_>, form: &Form, phi: Inst) -> Option<Induction> {
    let (start, next) = ends(scev, form, phi)?;
    let ty = scev.body().inst(phi).ty;
    scev.expr_type(ty)?;
    let expr = scev.expr(phi.into())?;
    let (of, operands) = scev.arena().as_add_rec(expr)?;
    let &[_, step] = &operands[..] else { return None };
    let is_one = of == form.l
        && scev.is_available_at_entry(step, form.l)
        && is_incremented_from(scev, form, next, phi);
    is_one.then_some(Induction { start, step, next })
}

/// Whether `value` is `phi` plus loop-invariant values, so that poison of `phi` makes `value` poison.
fn is_incremented_from(scev: &mut ScalarEvolution<'_>, form: &Form, value: Value, phi: Inst) -> bool {
    let mut value = value;
    for _ in 0..MOST_STEPS {
        let Some(inst) = value.as_inst().filter(|i| form.contains(*i)) else { return false };
        if inst == phi {
            return true;
        }
        let data = scev.body().inst(inst);
        let adds = |at: usize| match data.kind {
            InstKind::Binary(BinaryOp::Add | BinaryOp::Or, _) => true,
            InstKind::Binary(BinaryOp::Sub, _) | InstKind::Gep { .. } => at == 0,
            // A phi with a single entry has the value of that entry.
            InstKind::Phi(_) => data.operands.len() == 1,
            _ => false,
        };
        let mut changing = None;
        for (at, operand) in data.operands.iter().enumerate() {
            if changes(scev, form, *operand) {
                if changing.is_some() || !adds(at) {
                    return false;
                }
                changing = Some(*operand);
            }
        }
        let Some(next) = changing else { return false };
        value = next;
    }
    false
}

/// Whether `value` is defined in the loop and may differ between iterations.
fn changes(scev: &mut ScalarEvolution<'_>, form: &Form, value: Value) -> bool {
    if value.as_inst().is_none_or(|i| !form.contains(i)) {
        return false;
    }
    scev.expr(value).is_none_or(|expr| !scev.is_available_at_entry(expr, form.l))
}
