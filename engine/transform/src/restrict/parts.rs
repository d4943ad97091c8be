//! The comparisons that a branch depends on: its condition, or the parts of a conjunction or disjunction (`and`,
//! `or`, or selects).
//!
//! A conjunction with a false part is false; with a poison part it is false or poison. The dual holds for a
//! disjunction. So the order in which other parts are evaluated does not matter for a part that changes once.

use crate::unswitch::condition::junction;
use backedge_analysis::poison::{Defined, is_guaranteed_defined};
use backedge_ir::entity::Inst;
use backedge_ir::inst::{InstKind, Value};
use backedge_scev::ScalarEvolution;

/// Maximum number of parts of a condition examined: bounds the time for one branch. Further parts stay in the loop.
const MOST_PARTS: usize = 16;

/// A comparison that a branch depends on.
#[derive(Copy, Clone, Debug)]
pub(super) struct Part {
    pub(super) comparison: Inst,
    /// For a part of a condition, the value that each part needs for the branch to be taken.
    pub(super) needed: Option<bool>,
    pub(super) order: Order,
}

/// In which order the comparison and the rest of the condition can be tested.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Order {
    /// The condition has no other part.
    Alone,
    /// The comparison first, frozen if it may be undef, and then the rest.
    First {
        /// The other part, or the whole condition.
        rest: Value,
        freeze: bool,
    },
    /// The rest first, frozen if it may be undef: where it decides, the comparison may be poison.
    Last {
        /// The other part.
        rest: Value,
        freeze: bool,
    },
    /// Neither order: where another part decides, the comparison may be poison.
    Unknown,
}

/// The comparisons that `branch` depends on.
pub(super) fn parts(scev: &ScalarEvolution<'_>, branch: Inst) -> Vec<Part> {
    let body = scev.body();
    let condition = body.inst(branch).operands[0];
    let is_comparison = |i: &Inst| matches!(body.inst(*i).kind, InstKind::ICmp { .. });
    if let Some(comparison) = condition.as_inst().filter(is_comparison) {
        return vec![Part { comparison, needed: None, order: Order::Alone }];
    }
    let Some((decides, ..)) = junction(body, condition) else { return Vec::new() };
    let mut parts = Vec::new();
    // Each value, whether it is evaluated whenever the condition is, and the other part if it is one of two.
    let mut work: Vec<(Value, bool, Option<Value>)> = vec![(condition, true, None)];
    let mut looked_at = 0;
    while let Some((value, always, other)) = work.pop().filter(|_| looked_at < MOST_PARTS) {
        looked_at += 1;
        let Some(inst) = value.as_inst() else { continue };
        if let Some((_, a, b)) = junction(body, value).filter(|(kind, ..)| *kind == decides) {
            let in_order = matches!(body.inst(inst).kind, InstKind::Select(_));
            let sibling = |of: Value| (value == condition).then_some(of);
            work.push((b, always && !in_order, sibling(a)));
            work.push((a, always, sibling(b)));
        } else if is_comparison(&inst) {
            let order = order(scev, branch, value, always, other);
            parts.push(Part { comparison: inst, needed: Some(!decides), order });
        }
    }
    parts
}

/// How to test the part `value` before `branch`.
fn order(
    scev: &ScalarEvolution<'_>,
    branch: Inst,
    value: Value,
    always: bool,
    other: Option<Value>,
) -> Order {
    let is = |value, what| is_guaranteed_defined(scev.at, value, Some(branch), what);
    if always || is(value, Defined::NotPoison) {
        let rest = other.unwrap_or(scev.body().inst(branch).operands[0]);
        return Order::First { rest, freeze: !is(value, Defined::NotUndef) };
    }
    other.map_or(Order::Unknown, |rest| Order::Last { rest, freeze: !is(rest, Defined::NotUndef) })
}
