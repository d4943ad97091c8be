//! The loop-invariant part of a condition: all of it, or parts that may decide it.
//!
//! A condition is decomposed as a conjunction (`and`, `select a, b, false`) or a disjunction (`or`, `select a, true,
//! b`) of conditions; the two kinds are not mixed.

use backedge_analysis::{LoopForest, LoopId};
use backedge_ir::body::Body;
use backedge_ir::inst::{BinaryOp, InstKind, Value};
use backedge_ir::types::Type;

/// Maximum number of parts of a condition examined: bounds the time for one branch.
const MAX_PARTS: usize = 32;

/// The loop-invariant part of a condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Invariant {
    /// The condition is this value.
    Whole(Value),
    /// One or more conditions; if one of them is `decides`, so is the whole condition.
    Parts {
        /// The parts, each once, in order of occurrence.
        parts: Vec<Value>,
        /// False in a conjunction, true in a disjunction.
        decides: bool,
    },
}

/// The invariant part of `condition` in `l`; `None` if there is none, or if it is a constant.
pub(super) fn of_condition(
    body: &Body,
    loops: &LoopForest,
    l: LoopId,
    condition: Value,
) -> Option<Invariant> {
    let condition = strip_identity_selects(body, condition);
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
        let value = strip_identity_selects(body, value);
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
fn strip_identity_selects(body: &Body, mut value: Value) -> Value {
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

/// The operands of a conjunction (with `false`) or disjunction (with `true`).
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
