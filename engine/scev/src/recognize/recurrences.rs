//! Recurrences other than addition: header phis whose next value is an operation on the phi and an invariant.
//!
//! Let `p` be the phi, `s` its start, `x` a value that is invariant in the loop, and `n` the header arrival from 0:
//!
//! | next value | kind | closed form |
//! |---|---|---|
//! | `p ^ x` | alternates between `s` and `s ^ x` | by the parity of `n` |
//! | `x - p` | alternates between `s` and `x - s` | by the parity of `n` |
//! | `p & x`, `p \| x`, `min(p, x)`, `max(p, x)` | settles after one step | `s` if `n` is 0, `s op x` if not |
//! | `p * x` | geometric | `s * x^n` |
//! | `p << x`, `p >> x` | shift | `s` shifted by `n * x`, saturating at the width |
//! | `p / x`, unsigned | quotient | `s / x^n` over ℤ |
//!
//! Source of the alternating kinds: *LLVM Loop Opt Ideas*, "Uniform Lanes". In other expressions such a phi is a leaf.
//! The guarantee is that of P3 of docs/semantics.md: where the phi is not poison, it equals the closed form.

use super::operation::{Operation, binary_of};
use crate::ScalarEvolution;
use crate::expr::Expr;
use backedge_analysis::LoopId;
use backedge_ir::entity::Inst;
use backedge_ir::inst::Value;
use backedge_ir::int::Int;
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::opcode::BinaryOp;

/// The operation that computes the next value.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// `p ^ x`.
    Xor,
    /// `x - p`.
    Reflect,
    /// `p & x`.
    And,
    /// `p | x`.
    Or,
    /// The minimum or maximum of `p` and `x`: `llvm.umin`, `llvm.umax`, `llvm.smin`, `llvm.smax`.
    Extreme(Intrinsic),
    /// `p * x`.
    Mul,
    /// `p << x`.
    Shl,
    /// `lshr p, x`.
    LShr,
    /// `ashr p, x`.
    AShr,
    /// `p / x` as unsigned.
    UDiv,
}

/// A header phi that is a recurrence, but not an add recurrence.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Recurrence {
    /// The loop.
    pub l: LoopId,
    /// The value at the first header arrival.
    pub start: Expr,
    /// The operation.
    pub step: Step,
    /// Its other operand, invariant in the loop.
    pub by: Expr,
}

/// The closed form of a recurrence.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ClosedForm {
    /// The first value at even arrivals, the second at odd ones.
    Alternates(Expr, Expr),
    /// The first value at arrival 0, the second at all others.
    Settles(Expr, Expr),
    /// The start times the base to the power of the arrival number.
    Geometric(Expr, Expr),
    /// The start shifted by the amount once per arrival; shifts beyond the width saturate.
    Shifted(Step, Expr, Expr),
    /// The start divided by the divisor once per arrival.
    Divided(Expr, Expr),
}

impl ScalarEvolution<'_> {
    /// The recurrence of `value`, a header phi, if it is one that no expression describes.
    pub fn recurrence(&mut self, value: Value) -> Option<Recurrence> {
        let phi = value.as_inst()?;
        if let Some(known) = self.values.recurrences.get(&phi) {
            return *known;
        }
        let found = self.find_recurrence(phi);
        self.values.recurrences.insert(phi, found);
        found
    }
    fn find_recurrence(&mut self, phi: Inst) -> Option<Recurrence> {
        let body = self.at.body;
        if !body.inst(phi).kind.is_phi() || !body.ty(phi.into()).is_int() {
            return None;
        }
        let incoming = self.incoming(phi)?;
        let (&first, others) = incoming.start.split_first()?;
        let start = self.expr(first)?;
        for other in others {
            if self.expr(*other) != Some(start) {
                return None;
            }
        }
        let (&(next, _), others) = incoming.back.split_first()?;
        if others.iter().any(|(v, _)| *v != next) {
            return None;
        }
        if self.mixes_undef(next.as_inst()?) {
            return None;
        }
        let (step, by) = self.step_to(phi, next, incoming.l)?;
        let by = self.expr(by)?;
        self.is_outside(start, incoming.l).then_some(Recurrence { l: incoming.l, start, step, by })
    }
    /// The operation that computes `next` from `phi`, and its operand from outside of `l`.
    fn step_to(&mut self, phi: Inst, next: Value, l: LoopId) -> Option<(Step, Value)> {
        let (p, loops, body) = (Value::Inst(phi), self.loops.clone(), self.at.body);
        let invariant = |v: Value| loops.is_invariant(body, l, v);
        if let Some((op, _, [a, b])) = binary_of(body, next) {
            let step = match op {
                BinaryOp::Xor => Step::Xor,
                BinaryOp::And => Step::And,
                BinaryOp::Or => Step::Or,
                BinaryOp::Mul => Step::Mul,
                BinaryOp::Shl => Step::Shl,
                BinaryOp::LShr => Step::LShr,
                BinaryOp::AShr => Step::AShr,
                BinaryOp::UDiv => Step::UDiv,
                BinaryOp::Sub if b == p && invariant(a) => return Some((Step::Reflect, a)),
                BinaryOp::Add | BinaryOp::Sub | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem => {
                    return None;
                }
            };
            return match (a == p, b == p) {
                (true, false) if invariant(b) => Some((step, b)),
                (false, true) if op.is_commutative() && invariant(a) => Some((step, a)),
                _ => None,
            };
        }
        let other = |a: Value, b: Value| match (a == p, b == p) {
            (true, false) if invariant(b) => Some(b),
            (false, true) if invariant(a) => Some(a),
            _ => None,
        };
        match self.operation(next) {
            Operation::Intrinsic(
                i @ (Intrinsic::UMin | Intrinsic::UMax | Intrinsic::SMin | Intrinsic::SMax),
                operands,
            ) => {
                let &[a, b] = &operands[..] else { return None };
                other(a, b).map(|by| (Step::Extreme(i), by))
            }
            _ => None,
        }
    }

    /// The closed form of `recurrence`. For a value that settles or alternates, `None` if the second value has no
    /// expression.
    pub fn closed_form(&mut self, recurrence: &Recurrence) -> Option<ClosedForm> {
        let Recurrence { start, step, by, .. } = *recurrence;
        match step {
            Step::Reflect => {
                let other = self.sub(by, start);
                Some(ClosedForm::Alternates(start, other))
            }
            Step::Xor => {
                let [a, b] = [self.as_constant(start), self.as_constant(by)];
                let other = match (a, b) {
                    (Some(a), Some(b)) => self.constant(a.xor(b)),
                    (_, Some(b)) if b.is_all_ones() => self.not(start),
                    (Some(a), _) if a.is_zero() => by,
                    // Inverting the sign bit is adding it.
                    (_, Some(b)) if b.is_smin() => self.add(&[start, by]),
                    _ => return None,
                };
                Some(ClosedForm::Alternates(start, other))
            }
            Step::And | Step::Or => {
                let other = match (self.as_constant(start), self.as_constant(by)) {
                    (Some(a), Some(b)) => self.constant(if step == Step::And { a.and(b) } else { a.or(b) }),
                    _ if start == by => start,
                    (_, Some(mask)) if step == Step::And => self.masked(None, start, mask)?,
                    (_, Some(mask)) => {
                        let rest = self.masked(None, start, mask.not())?;
                        self.add(&[by, rest])
                    }
                    _ => return None,
                };
                Some(ClosedForm::Settles(start, other))
            }
            Step::Extreme(i) => {
                let op = match i {
                    Intrinsic::UMin => crate::NAry::UMin,
                    Intrinsic::UMax => crate::NAry::UMax,
                    Intrinsic::SMin => crate::NAry::SMin,
                    _ => crate::NAry::SMax,
                };
                let other = self.min_max(op, &[start, by]);
                Some(ClosedForm::Settles(start, other))
            }
            Step::Mul => Some(ClosedForm::Geometric(start, by)),
            Step::Shl | Step::LShr | Step::AShr => Some(ClosedForm::Shifted(step, start, by)),
            Step::UDiv => Some(ClosedForm::Divided(start, by)),
        }
    }
    /// The value of `recurrence` at header arrival `n`, where it is not poison, if it has an expression.
    pub fn recurrence_at_iteration(&mut self, recurrence: &Recurrence, n: u64) -> Option<Expr> {
        if n == 0 {
            return Some(recurrence.start);
        }
        match self.closed_form(recurrence)? {
            ClosedForm::Alternates(even, odd) => Some(if n.is_multiple_of(2) { even } else { odd }),
            ClosedForm::Settles(_, then) => Some(then),
            ClosedForm::Geometric(start, base) => {
                let base = self.as_constant(base)?;
                let factor = self.constant(power(base, n));
                Some(self.mul(&[start, factor]))
            }
            ClosedForm::Shifted(step, start, amount) => self.shifted_by(step, start, amount, n),
            ClosedForm::Divided(start, divisor) => {
                let width = self.width(start);
                let divisor = self.as_constant(divisor).filter(|d| !d.is_zero())?;
                let exact = u32::try_from(n).ok().and_then(|n| divisor.bits().checked_pow(n));
                match exact.filter(|d| Int::new(width, *d).bits() == *d) {
                    Some(divisor) => {
                        let divisor = self.constant(Int::new(width, divisor));
                        Some(self.udiv(start, divisor))
                    }
                    // The divisor exceeds all values, unless it is one.
                    None if divisor.is_one() => Some(start),
                    None => Some(self.int(width, 0)),
                }
            }
        }
    }
    /// `start` shifted `n` times by `amount`, without poison.
    fn shifted_by(&mut self, step: Step, start: Expr, amount: Expr, n: u64) -> Option<Expr> {
        let width = self.width(start);
        let amount = self.as_constant(amount).filter(|a| a.bits() < width.into())?;
        let total = amount.bits().saturating_mul(n.into());
        let gone = total >= width.into();
        if step == Step::AShr {
            // The sign bit remains; only for a constant start is the result representable here.
            let by = Int::new(width, total.min(u128::from(width) - 1));
            let shifted = self.as_constant(start)?.ashr(by)?;
            return Some(self.constant(shifted));
        }
        if gone {
            return Some(self.int(width, 0));
        }
        let factor = self.constant(Int::new(width, 1 << total));
        Some(if step == Step::Shl { self.mul(&[start, factor]) } else { self.udiv(start, factor) })
    }
}

/// `base` to the power of `n`, modulo 2^width.
fn power(base: Int, n: u64) -> Int {
    let (mut result, mut square, mut n) = (Int::one(base.width()), base, n);
    while n > 0 {
        if n % 2 == 1 {
            result = result.mul(square);
        }
        square = square.mul(square);
        n /= 2;
    }
    result
}
