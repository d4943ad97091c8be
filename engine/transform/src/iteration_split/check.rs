//! Where the iterations of a loop can be split: comparisons that first change at a known iteration.

use crate::shape::Shape;
use backedge_analysis::LoopId;
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{BinaryOp, InstKind, Value};
use backedge_ir::opcode::IntPredicate;
use backedge_ir::types::Type;
use backedge_scev::guards::Monotonic;
use backedge_scev::{Expr, Node, ScalarEvolution};

/// Maximum number of comparisons of a loop examined: each is solved for its iteration and weighed.
const MOST_COMPARISONS: usize = 64;
/// Maximum nesting of conjunctions and disjunctions around a comparison: bounds the recursion.
const MOST_PARTS: usize = 3;

/// A comparison that is constant in the first iterations.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    /// The comparison.
    pub(crate) comparison: Inst,
    /// Its value in the first iterations.
    pub(crate) at_first: bool,
    /// The number of the first iteration with the other value.
    pub(crate) iteration: Expr,
    /// Whether it keeps the other value from then on.
    pub(crate) stays: bool,
    /// Whether it has the other value in that iteration only.
    pub(crate) once: bool,
}

/// The comparisons of `l` itself (not of nested loops) that control a branch or select in the loop and at which it
/// can be split.
pub(crate) fn points(scev: &mut ScalarEvolution<'_>, shape: &Shape, l: LoopId) -> Vec<Point> {
    let body = scev.body();
    let comparisons: Vec<Inst> = shape
        .loops
        .own_blocks(l)
        .flat_map(|b| body.insts(b))
        .copied()
        .filter(|i| {
            matches!(body.inst(*i).kind, InstKind::ICmp { .. }) && decides(body, shape, l, *i, MOST_PARTS)
        })
        .take(MOST_COMPARISONS)
        .collect();
    comparisons.into_iter().filter_map(|i| point(scev, l, i)).collect()
}

/// Whether a branch within the loop or a select depends on `condition`, perhaps through conjunctions: `lo <= i && i <
/// hi`.
fn decides(body: &Body, shape: &Shape, l: LoopId, condition: Inst, depth: usize) -> bool {
    body.uses(condition.into()).iter().any(|u| match body.inst(u.user).kind {
        InstKind::CondBr => stays_inside(body, shape, l, body.block_of(u.user)),
        InstKind::Select(_) if u.index == 0 => true,
        InstKind::Binary(BinaryOp::And | BinaryOp::Or, _) | InstKind::Select(_) => {
            depth > 0
                && body.inst(u.user).ty == Type::I1
                && shape.loops.contains_inst(body, l, u.user)
                && decides(body, shape, l, u.user, depth - 1)
        }
        _ => false,
    })
}

fn stays_inside(body: &Body, shape: &Shape, l: LoopId, block: Option<Block>) -> bool {
    block.is_some_and(|b| body.successors(b).iter().all(|to| shape.loops.contains(l, *to)))
}

/// `comparison` as a comparison of an add recurrence of `l`, on the left, with an invariant. Pointers are compared as
/// integers, unless they are non-integral.
pub(crate) fn recurrence_and_bound(
    scev: &mut ScalarEvolution<'_>,
    l: LoopId,
    comparison: Inst,
) -> Option<(IntPredicate, Expr, Expr)> {
    let data = scev.body().inst(comparison);
    let InstKind::ICmp { pred, .. } = data.kind else { return None };
    let (a, b) = (data.operands[0], data.operands[1]);
    let (left, right) = (compared(scev, a)?, compared(scev, b)?);
    let (pred, rec, bound) = if scev.is_invariant(right, l) {
        (pred, left, right)
    } else if scev.is_invariant(left, l) {
        (pred.swapped(), right, left)
    } else {
        return None;
    };
    is_recurrence(scev, rec, l).then_some((pred, rec, bound))
}

/// Whether `expr` is an add recurrence of `l`.
pub(crate) fn is_recurrence(scev: &ScalarEvolution<'_>, expr: Expr, l: LoopId) -> bool {
    matches!(scev.node(expr), Node::AddRec(of, _) if of == l)
}

/// The number of the first iteration of `l` in which `rec holds bound` is false, if it is true in the first iteration
/// and stays false after its change.
pub(crate) fn first_change(
    scev: &mut ScalarEvolution<'_>,
    l: LoopId,
    holds: IntPredicate,
    rec: Expr,
    bound: Expr,
) -> Option<Expr> {
    if scev.monotonicity(rec, holds) != Some(Monotonic::Decreasing) {
        return None;
    }
    let iteration = scev.first_failure(l, holds, rec, bound)?;
    (!scev.as_constant(iteration).is_some_and(|n| n.is_zero())).then_some(iteration)
}

/// The expression that a comparison of `value` compares; an address for a pointer.
pub(crate) fn compared(scev: &mut ScalarEvolution<'_>, value: Value) -> Option<Expr> {
    let expr = scev.expr(value)?;
    let address = if scev.ty(expr).is_pointer() { scev.address(expr) } else { None };
    Some(address.unwrap_or(expr))
}

fn point(scev: &mut ScalarEvolution<'_>, l: LoopId, comparison: Inst) -> Option<Point> {
    let (pred, rec, bound) = recurrence_and_bound(scev, l, comparison)?;
    if scev.ty(rec).is_pointer() {
        return None;
    }
    [true, false].into_iter().find_map(|at_first| {
        let holds = if at_first { pred } else { pred.inverse() };
        let iteration = scev.first_failure(l, holds, rec, bound)?;
        let splits = !scev.as_constant(iteration).is_some_and(|n| n.is_zero());
        let stays = stays_other(scev, l, rec, bound, holds);
        // An equality that becomes true later holds in at most one iteration: the caller could split off nothing.
        let splits = splits && (stays || holds != IntPredicate::Eq);
        let once = holds == IntPredicate::Ne && is_never_twice(scev, l, rec);
        splits.then_some(Point { comparison, at_first, iteration, stays, once })
    })
}

/// Whether `rec holds …` stays false once it is false.
fn stays_other(
    scev: &mut ScalarEvolution<'_>,
    l: LoopId,
    rec: Expr,
    bound: Expr,
    holds: IntPredicate,
) -> bool {
    scev.monotonicity(rec, holds) == Some(Monotonic::Decreasing)
        || holds == IntPredicate::Eq && begins_with_only(scev, l, rec, bound)
}

/// Whether `rec` equals `bound` in the first iteration only, since all its values differ; then equality stays false.
fn begins_with_only(scev: &mut ScalarEvolution<'_>, l: LoopId, rec: Expr, bound: Expr) -> bool {
    let starts = scev.arena().as_add_rec(rec).is_some_and(|(_, o)| o.first() == Some(&bound));
    starts && is_never_twice(scev, l, rec)
}

/// Whether all values of `rec` differ.
fn is_never_twice(scev: &mut ScalarEvolution<'_>, l: LoopId, rec: Expr) -> bool {
    let header = scev.header(l);
    let flags = scev.flags_at(rec, header);
    let step = scev.arena().as_add_rec(rec).filter(|(_, o)| o.len() == 2).map(|(_, o)| o[1]);
    let moves = step.and_then(|s| scev.as_constant(s)).is_some_and(|s| !s.is_zero());
    moves && (flags.nw() || flags.nuw() || flags.nsw())
}
