//! Exit tests that can be removed or hoisted: those with a known outcome, and those that are equal in every
//! iteration.
//!
//! An exit is not taken before the iteration given by its count. So it is never taken if an exit that each iteration
//! passes earlier is taken in that iteration at the latest, or if one that each iteration passes later is taken in an
//! earlier iteration. An exit that each iteration passes and whose count is zero is taken at once.
//!
//! Exits to `unreachable` are left alone: their tests carry information for other passes.

use super::check::Facts;
use super::edits::{Compare, Edit, Edits, New};
use crate::counted::Exit;
use crate::shape::Shape;
use backedge_ir::body::Body;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{InstKind, Use};
use backedge_ir::int::Int;
use backedge_ir::opcode::IntPredicate as P;
use backedge_scev::expand::{self, Options};
use backedge_scev::guards::Comparison;
use backedge_scev::{Expr, ScalarEvolution};

/// The results.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct ExitTests {
    /// Exits that are never taken, or taken at once.
    pub(super) decided: usize,
    /// Exits whose test is computed before the loop.
    pub(super) invariant: usize,
}

/// Collects the edits.
pub(super) fn find(
    scev: &mut ScalarEvolution<'_>,
    shape: &Shape,
    facts: &Facts,
    edits: &mut Edits,
) -> ExitTests {
    let body = scev.body();
    let mut found = ExitTests::default();
    for (index, exit) in facts.exits.iter().enumerate() {
        let Some(test) = test_of(body, shape, facts, exit) else { continue };
        let use_ = Use { user: test, index: 0 };
        if let Some(leaves) = outcome(scev, shape, facts, index) {
            let data = body.inst(test);
            let leaves_if_true = !shape.loops.contains(facts.l, data.blocks[0]);
            let truth = Int::bool(leaves == leaves_if_true);
            edits.list.push(Edit::Operand(use_, New::Int(truth)));
            found.decided += 1;
        } else if let Some(compare) = invariant_test(scev, facts, test, edits) {
            edits.list.push(Edit::Compared(use_, compare));
            found.invariant += 1;
        } else {
            continue;
        }
        edits.settled.insert(exit.block);
    }
    found
}

/// The conditional branch of the exiting block, if it belongs to the loop itself and its condition is not trivially
/// invariant.
pub(super) fn test_of(body: &Body, shape: &Shape, facts: &Facts, exit: &Exit) -> Option<Inst> {
    let test = body.terminator(exit.block)?;
    let data = body.inst(test);
    let condition = *data.operands.first()?;
    let fits = matches!(data.kind, InstKind::CondBr)
        && exit.stay.is_some()
        && exit.leave.is_some()
        && shape.loops.innermost(exit.block) == Some(facts.l)
        && !shape.loops.is_invariant(body, facts.l, condition);
    let target = exit.leave?;
    let to_nothing =
        body.terminator(target).is_some_and(|t| matches!(body.inst(t).kind, InstKind::Unreachable));
    (fits && !to_nothing).then_some(test)
}

/// Whether the exit is taken whenever its test is executed, or never; `None` if neither is known.
fn outcome(scev: &mut ScalarEvolution<'_>, shape: &Shape, facts: &Facts, index: usize) -> Option<bool> {
    let exit = &facts.exits[index];
    if exit.never {
        return Some(false);
    }
    let count = exit.exact?;
    if exit.passed && exit.constant.is_some_and(|n| n.is_zero()) {
        return Some(true);
    }
    let zero = scev.int(scev.width(count), 0);
    if exit.passed && scev.is_entry_guarded(facts.l, P::Eq, count, zero) {
        return Some(true);
    }
    let others = facts.exits.iter().enumerate().filter(|(i, e)| *i != index && e.passed && !e.never);
    for (_, other) in others {
        let Some(first) = other.exact else { continue };
        let before = shape.dominators.strictly_dominates(other.block, exit.block);
        if is_less(scev, facts, first, count, !before) {
            return Some(false);
        }
    }
    None
}

/// Whether one count is less than (or, unless `strict`, at most) another whenever the loop is entered.
fn is_less(scev: &mut ScalarEvolution<'_>, facts: &Facts, a: Expr, b: Expr, strict: bool) -> bool {
    let width = scev.width(a).max(scev.width(b));
    let (a, b) = (scev.zext(a, width), scev.zext(b, width));
    scev.is_entry_guarded(facts.l, if strict { P::Ult } else { P::Ule }, a, b)
}

/// A comparison before the loop that equals the test in every iteration.
fn invariant_test(
    scev: &mut ScalarEvolution<'_>,
    facts: &Facts,
    test: Inst,
    edits: &mut Edits,
) -> Option<Compare> {
    let body = scev.body();
    let condition = body.inst(test).operands[0].as_inst()?;
    let data = body.inst(condition);
    let InstKind::ICmp { pred, .. } = data.kind else { return None };
    let (left, right) = (scev.expr(data.operands[0])?, scev.expr(data.operands[1])?);
    if !scev.arena().has_add_rec(left) && !scev.arena().has_add_rec(right) || scev.ty(left).is_pointer() {
        return None;
    }
    let comparison = Comparison { pred, left, right };
    let invariant = scev
        .loop_invariant_predicate(facts.l, comparison)
        .or_else(|| in_first_iterations(scev, facts, comparison))?;
    let operand = |scev: &mut ScalarEvolution<'_>, edits: &mut Edits, expr: Expr| {
        if let Some(constant) = scev.as_constant(expr) {
            return Some(New::Int(constant));
        }
        if let Some(known) = edits.planned(expr, facts.entry) {
            return Some(known);
        }
        let plan = expand::plan(scev, expr, facts.entry, Options::default()).ok()?;
        // It must be cheaper than the tests that it replaces.
        (plan.cost() <= 1).then(|| edits.plan(expr, facts.entry, plan))
    };
    let left = operand(scev, edits, invariant.left)?;
    let right = operand(scev, edits, invariant.right)?;
    Some(Compare { pred: invariant.pred, left, right, before: facts.entry, name: "exit.test" })
}

/// The same, using the maximum trip count to bound the recurrence.
fn in_first_iterations(
    scev: &mut ScalarEvolution<'_>,
    facts: &Facts,
    comparison: Comparison,
) -> Option<Comparison> {
    let width = scev.width(comparison.left);
    let most = facts.constant_max.filter(|n| n.width() <= width || !n.trunc_loses_unsigned(width))?;
    let most = if most.width() < width { most.zext(width) } else { most.trunc(width) };
    let last = scev.constant(most);
    scev.invariant_predicate_in_first_iterations(facts.l, comparison, last, facts.ring.preheader)
}
