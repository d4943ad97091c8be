//! The comparisons that a branch depends on: its condition, or the parts of it if that is a conjunction or disjunction,
//! as `and` and `or` or as selects.
//!
//! A conjunction is false whenever one of its parts is; where the part is poison it is false or poison. A disjunction is
//! the same with true. So of a part that changes for good, it does not matter which of the others decide before.

use crate::unswitch::condition::junction;
use backedge_analysis::poison::{Defined, is_guaranteed_defined};
use backedge_ir::entity::Inst;
use backedge_ir::inst::{InstKind, Value};
use backedge_scev::ScalarEvolution;

/// How many parts of a condition are looked at.
const MOST_PARTS: usize = 16;

/// A comparison that a branch depends on.
#[derive(Copy, Clone, Debug)]
pub(super) struct Part {
    pub(super) comparison: Inst,
    /// Of a part, what each part has to be for the branch to be taken.
    pub(super) needed: Option<bool>,
    pub(super) order: Order,
}

/// In which order a branch on the comparison and one on the rest of the condition can be made.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Order {
    /// There is nothing else in the condition.
    Alone,
    /// The comparison first, frozen if it may be undefined, and then the rest.
    First {
        /// The other part, or the condition as it is.
        rest: Value,
        freeze: bool,
    },
    /// The rest first, frozen if it may be undefined: where it decides, the comparison may be poison.
    Last {
        /// The other part.
        rest: Value,
        freeze: bool,
    },
    /// Neither: where one of the others decides, the comparison may be poison.
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
    // With the values, whether they are looked at whenever the condition is, and the other part where they are one of two.
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
            let order = order(scev, branch, value, (always, other));
            parts.push(Part { comparison: inst, needed: Some(!decides), order });
        }
    }
    parts
}

/// How a branch on the part `value` can be made, in front of `branch`.
fn order(
    scev: &ScalarEvolution<'_>,
    branch: Inst,
    value: Value,
    (always, other): (bool, Option<Value>),
) -> Order {
    let is = |value, what| is_guaranteed_defined(scev.at, value, Some(branch), what);
    if always || is(value, Defined::NotPoison) {
        let rest = other.unwrap_or(scev.body().inst(branch).operands[0]);
        return Order::First { rest, freeze: !is(value, Defined::NotUndef) };
    }
    other.map_or(Order::Unknown, |rest| Order::Last { rest, freeze: !is(rest, Defined::NotUndef) })
}
