//! What of a condition is known in front of the loop: all of it, or parts that may decide it.
//!
//! A condition is taken apart as far as it is a conjunction (`and`, `select a, b, false`) or a disjunction (`or`,
//! `select a, true, b`) of conditions, one kind at a time.

use backedge_analysis::{LoopForest, LoopId};
use backedge_ir::body::Body;
use backedge_ir::inst::{BinaryOp, InstKind, Value};
use backedge_ir::types::Type;

/// How many parts of a condition are looked at.
const MAX_PARTS: usize = 32;

/// What of a condition is known in front of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Invariant {
    /// The condition is this value.
    Whole(Value),
    /// These values, one or more, are conditions that decide the whole one if one of them is `decides`.
    Parts {
        /// The parts, each once, in the order in which they stand.
        parts: Vec<Value>,
        /// False in a conjunction, true in a disjunction.
        decides: bool,
    },
}

/// What of `condition` is known in front of `l`; `None` if nothing is, or if it is a constant.
pub(super) fn of_condition(
    body: &Body,
    loops: &LoopForest,
    l: LoopId,
    condition: Value,
) -> Option<Invariant> {
    let condition = behind_identity(body, condition);
    let invariant = |v: Value| v.as_const().is_none() && loops.is_invariant(body, l, v);
    if invariant(condition) {
        return Some(Invariant::Whole(condition));
    }
    let (decides, a, b) = junction(body, condition)?;
    let mut parts = Vec::new();
    let mut work = vec![b, a];
    let mut looked_at = 0;
    while let Some(value) = work.pop() {
        looked_at += 1;
        let value = behind_identity(body, value);
        if looked_at > MAX_PARTS || value.as_const().is_some() {
            continue;
        }
        if invariant(value) {
            if !parts.contains(&value) {
                parts.push(value);
            }
        } else if let Some((kind, a, b)) = junction(body, value)
            && kind == decides
        {
            work.extend([b, a]);
        }
    }
    (!parts.is_empty()).then_some(Invariant::Parts { parts, decides })
}

/// `x` for `select x, true, false`.
fn behind_identity(body: &Body, mut value: Value) -> Value {
    while let Some(data) = value.as_inst().map(|i| body.inst(i))
        && matches!(data.kind, InstKind::Select(_))
        && data.ty == Type::I1
        && is_bool(body, data.operands[1], true)
        && is_bool(body, data.operands[2], false)
    {
        value = data.operands[0];
    }
    value
}

fn is_bool(body: &Body, value: Value, wanted: bool) -> bool {
    body.as_int(value).is_some_and(|v| v.is_zero() != wanted)
}

/// The two sides of a conjunction (with false) or disjunction (with true).
pub(crate) fn junction(body: &Body, value: Value) -> Option<(bool, Value, Value)> {
    let data = body.inst(value.as_inst()?);
    if data.ty != Type::I1 {
        return None;
    }
    match (&data.kind, &*data.operands) {
        (InstKind::Binary(BinaryOp::And, _), &[a, b]) => Some((false, a, b)),
        (InstKind::Binary(BinaryOp::Or, _), &[a, b]) => Some((true, a, b)),
        (InstKind::Select(_), &[c, a, b]) if body.ty(c) == Type::I1 => {
            if is_bool(body, b, false) {
                Some((false, c, a))
            } else {
                is_bool(body, a, true).then_some((true, c, b))
            }
        }
        _ => None,
    }
}
