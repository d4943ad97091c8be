//! Two conditions on the counter of a loop that change in different iterations, so that the loop has several parts.

use super::counter::Counter;
use super::knobs::Knob;
use super::writer::Writer;
use backedge_ir::inst::{BinaryFlags, BinaryOp, IntPredicate, Value};
use backedge_ir::types::Type;

impl Writer<'_, '_> {
    /// Emits two conditions on the counter of the loop at `level`, each with code under it.
    pub(super) fn two_tests(&mut self, level: usize) {
        let Some(counter) = self.loops[level].counter.clone() else { return };
        let phi = Value::from(self.loops[level].phis[0].phi);
        let first = self.draw.below(3);
        let second = first + self.draw.between(1, 3);
        let from_start = self.steps_after_start(&counter, first);
        let from_end = if self.draw.chance(60) {
            self.steps_after_start(&counter, second)
        } else {
            let back = self.draw.between(1, 3);
            self.steps_before_bound(&counter, back)
        };
        for mark in [from_start, from_end] {
            let pred = self.changing(&counter);
            let condition = self.icmp(pred, phi, mark);
            self.under(condition);
        }
    }
    /// A predicate whose result changes when the counter reaches a value.
    fn changing(&mut self, counter: &Counter) -> IntPredicate {
        if self.draw.chance(20) {
            return self.draw.pick(&[IntPredicate::Eq, IntPredicate::Ne]);
        }
        let order = counter.order().unwrap_or(IntPredicate::Ult);
        if self.draw.chance(30) { order.inverse() } else { order }
    }
    /// Emits code that depends on `condition`.
    fn under(&mut self, condition: Value) {
        let ty = self.int_type();
        let other = self.operand(ty);
        if self.draw.chance(20) {
            let value = self.compute_of(ty);
            let value = self.at().select(condition, value, other, "");
            return self.push(value);
        }
        let (from, mark) = (self.block, self.mark());
        let (then, join) = (self.new_block("then"), self.new_block("join"));
        let ways = if self.draw.chance(70) { (then, join) } else { (join, then) };
        self.at().cond_br(condition, ways.0, ways.1);
        self.block = then;
        if !self.bases.is_empty() && self.wants(Knob::Memory, 60) {
            self.memory_access();
        } else {
            self.statement();
        }
        let value = self.compute_of(ty);
        self.at().br(join);
        self.cut(mark);
        self.join(join, &[ty], &[(from, vec![other]), (then, vec![value])]);
    }
    /// A new value of that type.
    fn compute_of(&mut self, ty: Type) -> Value {
        let (left, right) = (self.operand(ty), self.operand(ty));
        let op = self.draw.pick(&[BinaryOp::Add, BinaryOp::Xor]);
        self.binary(op, left, right, BinaryFlags::default())
    }
}
