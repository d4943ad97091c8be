//! Inductions: phis that are `start + i * step` in iteration `i`, of integers and of pointers.
//!
//! That a phi equals its add recurrence is known where it is no poison. Computed as `start + i * step` a value is poison
//! if the start or the step is; the phi is too, in all iterations, if its start is and what it hands on is made of it by
//! arithmetic, which is demanded. The step is different: the first iteration does not see it. So a step that is no
//! constant is frozen where it is computed: in iterations in which the source has its poison, the phi is poison too.
//!
//! Flags of the source's addition hold of the lanes, which compute the same sums in the same iterations. They do not hold
//! of `i * step`, nor of a step of several iterations at once.

use super::Form;
use super::phis::ends;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{BinaryOp, InstKind, Value};
use backedge_scev::{Expr, ScalarEvolution};

/// How many operations may lie between a phi and what it is handed.
const MOST_STEPS: usize = 8;

/// A phi that goes on by the same step.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Induction {
    /// Its value in the first iteration.
    pub start: Value,
    /// What is added in each, in bytes if it is a pointer, in the width of an index then: available in front of the loop,
    /// and to be frozen unless it is a constant.
    pub step: Expr,
    /// The value that an iteration hands on.
    pub next: Value,
}

pub(super) fn find(scev: &mut ScalarEvolution<'_>, form: &Form, phi: Inst) -> Option<Induction> {
    let (start, next) = ends(scev, form, phi)?;
    let ty = scev.body().inst(phi).ty;
    scev.expr_type(ty)?;
    let expr = scev.expr(phi.into())?;
    let (of, operands) = scev.arena().as_add_rec(expr)?;
    let &[_, step] = &operands[..] else { return None };
    let is_one =
        of == form.l && scev.is_available_at_entry(step, form.l) && is_made_of(scev, form, next, phi);
    is_one.then_some(Induction { start, step, next })
}

/// Whether `value` is made of `phi` by additions of what does not change, so that poison of the one is poison of the other.
fn is_made_of(scev: &mut ScalarEvolution<'_>, form: &Form, value: Value, phi: Inst) -> bool {
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
            // Of a block with one predecessor.
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

/// Whether `value` is computed in the loop, and perhaps is another one in each iteration.
fn changes(scev: &mut ScalarEvolution<'_>, form: &Form, value: Value) -> bool {
    if value.as_inst().is_none_or(|i| !form.contains(i)) {
        return false;
    }
    scev.expr(value).is_none_or(|expr| !scev.is_available_at_entry(expr, form.l))
}
