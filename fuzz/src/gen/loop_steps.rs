//! Recurrences whose step is computed in the loop, from values before it. The first value of such a recurrence is used
//! before the step exists; where the step is a quotient, an exit before the division is taken if the divisor is zero.

use super::knobs::Knob;
use super::recurrence::{Next, Planned};
use super::writer::Writer;
use backedge_ir::inst::{BinaryFlags, BinaryOp, IntPredicate, Value};
use backedge_ir::types::Type;

impl Writer<'_, '_> {
    /// Plans such a recurrence.
    pub(super) fn stepped_in_loop(&mut self) -> Planned {
        let ty = self.int_type();
        let (start, step) = (self.operand(ty), self.constant(ty));
        (ty, start, Next::LoopStep(step))
    }
    /// Computes the step of the recurrence of the loop at `level`, if the loop has one.
    pub(super) fn compute_step(&mut self, level: usize) {
        let phis = &self.loops[level].phis;
        if let Some(ty) = phis.iter().find(|p| matches!(p.next, Next::LoopStep(_))).map(|p| p.ty) {
            let step = self.aside(|this| this.step_of(level, ty));
            self.loops[level].step = Some(step);
        }
    }
    fn step_of(&mut self, level: usize, ty: Type) -> Value {
        let before = self.before_loop();
        let (left, right) = (self.invariant(ty), self.operand_before(ty, before));
        match self.draw.below(5) {
            0 => self.binary(BinaryOp::Add, left, right, BinaryFlags::default()),
            1 => self.binary(BinaryOp::Mul, left, right, BinaryFlags::default()),
            _ => {
                let right = if self.wants(Knob::Freeze, 30) { self.at().freeze(right, "") } else { right };
                let zero = self.int(ty.int_bits().unwrap_or(1), 0);
                let is_zero = self.icmp(IntPredicate::Eq, right, zero);
                self.exit_if(level, is_zero, true);
                self.binary(BinaryOp::UDiv, left, right, BinaryFlags::default())
            }
        }
    }
}
