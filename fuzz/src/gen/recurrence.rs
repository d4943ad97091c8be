//! Header phis besides the counter: their start values and next values.

use super::knobs::Knob;
use super::memory::Base;
use super::writer::Writer;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{BinaryFlags, BinaryOp, Value};
use backedge_ir::types::Type;

/// A header phi.
#[derive(Clone, Debug)]
pub(super) struct HeaderPhi {
    pub(super) phi: Inst,
    pub(super) ty: Type,
    pub(super) next: Next,
}

/// How the next value is computed.
#[derive(Copy, Clone, Debug)]
pub(super) enum Next {
    /// The step of the loop's counter.
    Counter,
    /// `p op x` with a loop-invariant `x`.
    Operation(BinaryOp, Value, BinaryFlags),
    /// `p + x`, where `x` is a phi.
    Sum(Value),
    /// `x - p`.
    Reversed(Value),
    /// The minimum or maximum of `p` and `x`, by one of the four intrinsics.
    MinMax(Value),
    /// The current value of another phi.
    Other(Value),
    /// The counter's value in the next iteration times a constant.
    Lagging(Value),
    /// `p op v` with a value `v` of this iteration.
    Reduction(BinaryOp),
    /// The minimum or maximum of `p` and a value of this iteration.
    LeastSoFar,
    /// An arbitrary value.
    Anything,
    /// A pointer increment in bytes.
    Further(i128),
    /// `p + s` with the step `s` that the iteration computes, or with this value if it computes none.
    LoopStep(Value),
}

impl Next {
    /// Whether the phi is an affine recurrence with a constant step.
    fn counts(&self) -> bool {
        match self {
            Self::Counter => true,
            Self::Operation(BinaryOp::Add | BinaryOp::Sub, step, _) => step.as_const().is_some(),
            _ => false,
        }
    }
}

/// The knobs for kinds of integer recurrences.
const KINDS: [Knob; 11] = [
    Knob::Affine,
    Knob::Reductions,
    Knob::Polynomial,
    Knob::Geometric,
    Knob::Shifts,
    Knob::Alternating,
    Knob::Settling,
    Knob::Quotients,
    Knob::Chains,
    Knob::Lagging,
    Knob::Carried,
];

/// A planned phi: type, start, and next value.
pub(super) type Planned = (Type, Value, Next);

impl Writer<'_, '_> {
    /// Plans phis for a loop that is about to be entered from the current block.
    pub(super) fn recurrences(&mut self) -> Vec<Planned> {
        let mut planned = Vec::new();
        for _ in 0..self.draw.below(4) {
            let ty = self.int_type();
            if let Some(next) = self.next_of(ty) {
                let start = if let Next::Lagging(_) = next {
                    self.int(ty.int_bits().unwrap_or(8), 0)
                } else if self.wants(Knob::Undef, 12) {
                    self.editor.consts().undef(ty).into()
                } else {
                    self.operand(ty)
                };
                planned.push((ty, start, next));
            }
        }
        if self.wants(Knob::Lanes, 60) {
            let dividend = self.dividend();
            planned.push(dividend);
        }
        if !self.bases.is_empty() && self.wants(Knob::Pointers, 40) {
            let base = self.base();
            let step = self.draw.pick(&[1, 2, 4, -1]);
            planned.push((Type::PTR, base.pointer, Next::Further(step)));
        }
        if self.wants(Knob::LoopSteps, 35) {
            planned.push(self.aside(Self::stepped_in_loop));
        }
        planned
    }
    /// Draws an enabled kind of recurrence. Operands are values from before the loop.
    fn next_of(&mut self, ty: Type) -> Option<Next> {
        let on: Vec<Knob> = KINDS.into_iter().filter(|k| self.knobs.has(*k)).collect();
        if on.is_empty() {
            return None;
        }
        let kind = self.draw.pick(&on);
        let next = self.next_of_kind(kind, ty)?;
        self.used = self.used.with(kind);
        Some(next)
    }
    fn next_of_kind(&mut self, kind: Knob, ty: Type) -> Option<Next> {
        use BinaryOp::{AShr, Add, And, LShr, Mul, Or, Shl, Sub, UDiv, Xor};
        let plain = BinaryFlags::default();
        let width = ty.int_bits().unwrap_or(8);
        Some(match kind {
            Knob::Affine => {
                let op = self.draw.pick(&[Add, Sub]);
                Next::Operation(op, self.operand(ty), self.careless_flags(op))
            }
            // `tie` replaces the constant with a phi.
            Knob::Polynomial => Next::Sum(self.constant(ty)),
            Knob::Geometric => Next::Operation(Mul, self.operand(ty), self.careless_flags(Mul)),
            Knob::Shifts => {
                let op = self.draw.pick(&[Shl, LShr, AShr]);
                Next::Operation(op, self.amount(ty), self.careless_flags(op))
            }
            Knob::Alternating if self.draw.bool() => Next::Reversed(self.operand(ty)),
            Knob::Alternating => Next::Operation(Xor, self.operand(ty), plain),
            Knob::Settling => match self.draw.below(3) {
                0 => Next::MinMax(self.operand(ty)),
                1 => Next::Operation(And, self.operand(ty), plain),
                _ => Next::Operation(Or, self.operand(ty), plain),
            },
            Knob::Quotients if width > 2 => {
                let by = self.draw.between(2, 3) as i128;
                Next::Operation(UDiv, self.int(width, by), plain)
            }
            Knob::Chains => Next::Other(self.operand(ty)),
            Knob::Lagging => {
                let by = self.draw.between(1, 3) as i128;
                Next::Lagging(self.int(width, by))
            }
            Knob::Reductions if self.draw.chance(20) => Next::LeastSoFar,
            Knob::Reductions => Next::Reduction(self.draw.pick(&[Add, Add, Xor, Mul, Or, And])),
            Knob::Carried => Next::Anything,
            _ => return None,
        })
    }
    /// A phi for divisions by constants: it steps by a constant, from an arbitrary start or to a wrap after few
    /// steps.
    fn dividend(&mut self) -> Planned {
        let ty = self.int_type();
        let width = ty.int_bits().unwrap_or(8);
        let step = self.draw.pick(&[1, 1, 2, 3]);
        let start = if self.draw.chance(60) {
            let back = self.draw.between(2, 7) as i128;
            self.int(width, -back)
        } else {
            self.operand(ty)
        };
        let flags = self.careless_flags(BinaryOp::Add);
        (ty, start, Next::Operation(BinaryOp::Add, self.int(width, step), flags))
    }
    /// The last phi of type `ty` in the innermost loop's header that steps by a constant.
    pub(super) fn counting(&self, ty: Type) -> Option<Value> {
        let phis = &self.loops.last()?.phis;
        phis.iter().rev().find(|p| p.ty == ty && p.next.counts()).map(|p| p.phi.into())
    }
    /// Replaces operands with header phis for the kinds that need them, now that the phis exist.
    pub(super) fn tie(&mut self, phis: &mut [HeaderPhi]) {
        for at in 0..phis.len() {
            let ty = phis[at].ty;
            let others: Vec<Value> = phis.iter().filter(|p| p.ty == ty).map(|p| p.phi.into()).collect();
            let other = self.draw.pick(&others);
            // A phi with a loop-invariant next value is a chain too.
            let tied = self.draw.chance(70);
            match &mut phis[at].next {
                Next::Sum(value) => *value = other,
                Next::Other(value) if tied => *value = other,
                _ => {}
            }
        }
    }
    /// The next values of the phis of the loop at `level`, computed in the current block.
    pub(super) fn advance(&mut self, level: usize) -> Vec<Value> {
        if let Some(next) = &self.loops[level].next {
            return next.clone();
        }
        let phis = self.loops[level].phis.clone();
        let mut values: Vec<Value> = Vec::new();
        for HeaderPhi { phi, ty, next } in phis {
            let p = Value::from(phi);
            let value = match next {
                Next::Counter => match self.loops[level].counter.clone() {
                    Some(counter) => self.step(&counter, p),
                    None => p,
                },
                Next::Operation(op, x, flags) => self.binary(op, p, x, flags),
                Next::Sum(x) => self.binary(BinaryOp::Add, p, x, BinaryFlags::default()),
                Next::Reversed(x) => self.binary(BinaryOp::Sub, x, p, BinaryFlags::default()),
                Next::MinMax(x) => self.min_max(p, x),
                Next::Other(x) => x,
                Next::Lagging(by) => {
                    let counter = values.first().copied().unwrap_or(p);
                    let counter = self.resized(counter, ty, backedge_ir::inst::CastOp::ZExt);
                    self.binary(BinaryOp::Mul, counter, by, BinaryFlags::default())
                }
                Next::Reduction(op) => {
                    let x = self.operand(ty);
                    let flags = self.careless_flags(op);
                    self.binary(op, p, x, flags)
                }
                Next::LeastSoFar => {
                    let x = self.operand(ty);
                    self.min_max(p, x)
                }
                Next::Anything => self.operand(ty),
                Next::LoopStep(x) => {
                    let by = self.loops[level].step.unwrap_or(x);
                    self.binary(BinaryOp::Add, p, by, BinaryFlags::default())
                }
                Next::Further(bytes) => {
                    let step = self.int(64, bytes);
                    self.element(Type::I8, p, step)
                }
            };
            values.push(value);
        }
        values
    }
    /// Registers a pointer phi as a base for memory accesses.
    pub(super) fn note_pointer(&mut self, pointer: Value) {
        self.bases.push(Base { pointer, bytes: 8, moves: true });
    }
}
