//! Evaluates expressions by definition, in integers that are reduced only where an operation requires it.

use backedge_analysis::LoopId;
use backedge_ir::inst::Value;
use backedge_ir::int::Int;
use backedge_scev::{Cast, Expr, Flags, NAry, Node, ScalarEvolution};

/// The leaves of expressions at a point of an execution.
pub(crate) struct Point<'a> {
    /// The bits of a value; `None` if it is poison or not defined.
    pub(crate) value: &'a dyn Fn(Value) -> Option<u128>,
    /// The iteration number (from 0) of a loop.
    pub(crate) iteration: &'a dyn Fn(LoopId) -> u128,
}

pub(crate) fn signed(width: u32, bits: u128) -> i128 {
    Int::new(width, bits).signed()
}

fn modulo(width: u32, value: i128) -> u128 {
    value.rem_euclid(1i128 << width) as u128
}

fn binomial(n: u128, k: u32) -> i128 {
    (0..u128::from(k)).fold(1i128, |acc, i| acc * (n as i128 - i as i128) / (i as i128 + 1))
}

/// The bits of `expr`, of at most 32 bits; `None` if a leaf that matters is poison or a divisor is zero.
pub(crate) fn evaluate(se: &ScalarEvolution<'_>, expr: Expr, at: &Point<'_>) -> Option<u128> {
    let width = se.width(expr);
    assert!(width <= 32, "the evaluator is for small widths");
    let of = |e: &Expr| evaluate(se, *e, at);
    match se.node(expr) {
        Node::Constant(value) => Some(value.bits()),
        Node::Unknown(value) => (at.value)(value),
        Node::Cast(Cast::Trunc, e) => Some(modulo(width, of(&e)? as i128)),
        Node::Cast(Cast::ZExt | Cast::PtrToInt, e) => of(&e),
        Node::Cast(Cast::SExt, e) => Some(modulo(width, signed(se.width(e), of(&e)?))),
        Node::NAry(NAry::UMinSeq, operands) => {
            let mut least = u128::MAX;
            for operand in operands.iter() {
                least = least.min(of(operand)?);
                if least == 0 {
                    break;
                }
            }
            Some(least)
        }
        Node::NAry(op, operands) => {
            let values: Option<Vec<u128>> = operands.iter().map(of).collect();
            let values = values?.into_iter();
            match op {
                NAry::Add => Some(modulo(width, values.map(|v| v as i128).sum())),
                NAry::Mul => Some(values.fold(1, |a, b| modulo(width, a as i128 * b as i128))),
                NAry::UMax => values.max(),
                NAry::UMin | NAry::UMinSeq => values.min(),
                NAry::SMax => values.max_by_key(|v| signed(width, *v)),
                NAry::SMin => values.min_by_key(|v| signed(width, *v)),
            }
        }
        Node::UDiv([a, b]) => of(&a)?.checked_div(of(&b)?),
        Node::AddRec(l, operands) => {
            let n = (at.iteration)(l);
            let mut sum = 0;
            for (k, operand) in (0..).zip(operands.iter()) {
                sum = modulo(width, sum as i128 + binomial(n, k) * of(operand)? as i128);
            }
            Some(sum)
        }
        Node::CouldNotCompute => None,
    }
}

/// Whether `flags` hold for `expr` at the point: for a sum or product, for all subsets of its operands; for an add
/// recurrence, in all iterations up to this one.
pub(crate) fn flags_hold(se: &ScalarEvolution<'_>, expr: Expr, flags: Flags, at: &Point<'_>) -> Option<bool> {
    let width = se.width(expr);
    let (most, low, high) = ((1i128 << width) - 1, -(1i128 << (width - 1)), (1i128 << (width - 1)) - 1);
    let fits = |unsigned: i128, signed: i128| {
        (!flags.nuw() || (0..=most).contains(&unsigned)) && (!flags.nsw() || (low..=high).contains(&signed))
    };
    match se.node(expr) {
        Node::NAry(op @ (NAry::Add | NAry::Mul), operands) => {
            let values: Option<Vec<u128>> = operands.iter().map(|e| evaluate(se, *e, at)).collect();
            let values = values?;
            Some((1u32..1 << values.len()).all(|subset| {
                let chosen = || (0..values.len()).filter(move |i| subset >> i & 1 == 1).map(|i| values[i]);
                let (a, b): (i128, i128) = if op == NAry::Add {
                    (chosen().map(|v| v as i128).sum(), chosen().map(|v| signed(width, v)).sum())
                } else {
                    (chosen().map(|v| v as i128).product(), chosen().map(|v| signed(width, v)).product())
                };
                fits(a, b)
            }))
        }
        Node::AddRec(l, operands) => {
            let values: Option<Vec<u128>> = operands.iter().map(|e| evaluate(se, *e, at)).collect();
            let values = values?;
            Some((0..=(at.iteration)(l)).all(|n| {
                let sum = |of: &dyn Fn(u128) -> i128| -> i128 {
                    (0..).zip(&values).map(|(k, v)| binomial(n, k) * of(*v)).sum()
                };
                fits(sum(&|v| v as i128), sum(&|v| signed(width, v)))
            }))
        }
        _ => Some(true),
    }
}
