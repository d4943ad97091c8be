//! Emits the statements of an iteration: loads, stores and updates of array elements, some of them conditional.

use super::plan::{Array, Plan};
use crate::generate::knobs::Knob;
use crate::generate::writer::Writer;
use backedge_ir::entity::Block;
use backedge_ir::inst::{BinaryFlags, BinaryOp, CastOp, GepFlags, IntPredicate, Value};

impl Writer<'_, '_> {
    /// Emits a statement of an iteration.
    pub(super) fn affine_statement(&mut self, plan: &Plan, counters: &[Value]) {
        self.budget = self.budget.saturating_sub(1);
        if self.wants(Knob::Calls, 4) {
            self.call_that_may_not_return();
        }
        // Writes mostly go to the first array and reads to the last, because otherwise few nests could be
        // transformed.
        let array = if self.draw.chance(60) { 0 } else { self.draw.below(plan.arrays.len()) };
        let array = &plan.arrays[array];
        if plan.is_long() && array.by[0] > 1 && self.draw.chance(30) {
            return self.update_neighbours(plan, array, counters);
        }
        if plan.overwrites && self.aside(|this| this.draw.chance(75)) {
            return self.overwrite(plan, counters);
        }
        if self.wants(Knob::DataConditions, 30) {
            return self.aside(|this| this.store_if(plan, array, counters));
        }
        match self.draw.below(8) {
            0..=2 => {
                let (value, (place, align)) =
                    (self.affine_value(plan, array, counters), self.place(plan, array, counters));
                self.at().store(value, place, align);
            }
            3..=5 => {
                let (place, align) = self.place(plan, array, counters);
                let before = self.load(array.ty, place, align);
                let value = self.affine_value(plan, array, counters);
                let op = self.draw.pick(&[BinaryOp::Add, BinaryOp::Xor, BinaryOp::Mul, BinaryOp::Sub]);
                let flags = self.careless_flags(op);
                let value = self.at().binary(op, before, value, flags, "");
                self.at().store(value, place, align);
            }
            6 => {
                let value = self.affine_load(plan, counters);
                self.push(value);
            }
            _ => {
                let (join, mark) = (self.new_block("join"), self.mark());
                let mut divided = None;
                if self.wants(Knob::Divisions, 40) {
                    divided = Some(self.quotient_if_defined(plan, array, counters, join));
                } else if self.wants(Knob::Flags, 25) {
                    self.within_two(counters, join);
                } else {
                    let condition = if self.draw.bool() { self.condition() } else { self.early(counters) };
                    self.enter_if(condition, join);
                }
                let value = divided.unwrap_or_else(|| self.affine_value(plan, array, counters));
                let (place, align) = self.place(plan, array, counters);
                self.at().store(value, place, align);
                self.at().br(join);
                self.cut(mark);
                self.block = join;
            }
        }
    }
    /// Stores a counter or a constant to the first array.
    fn overwrite(&mut self, plan: &Plan, counters: &[Value]) {
        let array = &plan.arrays[0];
        let counter = self.draw.pick(counters);
        let counter = self.resized(counter, array.ty, CastOp::ZExt);
        let constant = self.constant(array.ty);
        let op = self.draw.pick(&[BinaryOp::Add, BinaryOp::Xor, BinaryOp::Mul]);
        let value = self.at().binary(op, counter, constant, BinaryFlags::default(), "");
        let (place, align) = self.place(plan, array, counters);
        self.at().store(value, place, align);
    }
    /// Stores to an array if an element has some value.
    fn store_if(&mut self, plan: &Plan, array: &Array, counters: &[Value]) {
        let (join, mark) = (self.new_block("join"), self.mark());
        let seen = self.affine_load(plan, counters);
        let ty = self.editor.body().ty(seen);
        let few = self.draw.between(0, 4) as i128;
        let few = self.int(ty.int_bits().unwrap_or(8), few);
        let pred = self.draw.pick(&[IntPredicate::Ult, IntPredicate::Eq, IntPredicate::Sgt]);
        let condition = self.icmp(pred, seen, few);
        self.enter_if(condition, join);
        let value = self.affine_value(plan, array, counters);
        let (place, align) = self.place(plan, array, counters);
        self.at().store(value, place, align);
        self.at().br(join);
        self.cut(mark);
        self.block = join;
    }
    /// Loads and stores each element that an iteration steps over, in ascending or descending order.
    fn update_neighbours(&mut self, plan: &Plan, array: &Array, counters: &[Value]) {
        let (low, high) = plan.span(&array.by);
        let between = array.by[0].min(array.count - (high - low));
        let (first, turned) = (i128::midpoint(-low, array.count - between - high), self.draw.bool());
        for at in 0..between {
            let offset = first + if turned { between - 1 - at } else { at };
            let index = self.index(plan, &array.by, counters, offset, None);
            let place = self.at().gep(array.ty, array.base.pointer, &[index], GepFlags::default(), "");
            let stored = match self.draw.below(4) {
                0 => self.operand(array.ty),
                _ => {
                    let before = self.load(array.ty, place, array.align);
                    let other = self.operand(array.ty);
                    self.push(before);
                    let op = self.draw.pick(&[BinaryOp::Add, BinaryOp::Xor, BinaryOp::Mul]);
                    self.at().binary(op, before, other, BinaryFlags::default(), "")
                }
            };
            self.at().store(stored, place, array.align);
        }
    }
    /// Starts a block that executes only if `condition` holds.
    fn enter_if(&mut self, condition: Value, otherwise: Block) {
        let then = self.new_block("then");
        self.at().cond_br(condition, then, otherwise);
        self.block = then;
    }
    /// Emits a division whose block executes only if the divisor, an array element, is nonzero.
    fn quotient_if_defined(
        &mut self,
        plan: &Plan,
        array: &Array,
        counters: &[Value],
        otherwise: Block,
    ) -> Value {
        let [divided, by] = [(); 2].map(|()| {
            let value = self.affine_load(plan, counters);
            self.resized(value, array.ty, CastOp::SExt)
        });
        let zero = self.int(array.ty.int_bits().unwrap_or(8), 0);
        let condition = self.icmp(IntPredicate::Ne, by, zero);
        self.enter_if(condition, otherwise);
        let op = self.draw.pick(&[BinaryOp::UDiv, BinaryOp::URem]);
        self.at().binary(op, divided, by, BinaryFlags::default(), "")
    }
    /// Starts a block that executes only if a counter is 1. Its condition is poison unless the dominating check
    /// (counter less than 2) holds.
    fn within_two(&mut self, counters: &[Value], otherwise: Block) {
        let counter = self.draw.pick(counters);
        let width = self.editor.body().ty(counter).int_bits().unwrap_or(1);
        let [two, all_but_one, zero] = [2, i128::from(width) - 1, 0].map(|n| self.int(width, n));
        let condition = self.icmp(IntPredicate::Ult, counter, two);
        self.enter_if(condition, otherwise);
        let flags = BinaryFlags { nuw: true, ..BinaryFlags::default() };
        let top = self.at().binary(BinaryOp::Shl, counter, all_but_one, flags, "");
        let condition = self.icmp(IntPredicate::Slt, top, zero);
        self.enter_if(condition, otherwise);
    }
    /// Adds alternating positive and negative steps to a sum: the sum does not overflow, but the sum of every other
    /// iteration alone does.
    pub(super) fn swing(&mut self, sum: Value, counter: Value) -> Value {
        let [of_counter, width] = [counter, sum].map(|v| self.editor.body().ty(v).int_bits().unwrap_or(1));
        let [one, zero] = [1, 0].map(|n| self.int(of_counter, n));
        let far = (1i128 << (width - 1)) / 2;
        let [up, down] = [far, -far].map(|n| self.int(width, n));
        let bit = self.at().binary(BinaryOp::And, counter, one, BinaryFlags::default(), "");
        let is_even = self.icmp(IntPredicate::Eq, bit, zero);
        let value = self.at().select(is_even, up, down, "");
        let flags = BinaryFlags { nsw: true, ..BinaryFlags::default() };
        self.at().binary(BinaryOp::Add, sum, value, flags, "")
    }
    /// Whether one of the counters is less than 1 or 2.
    pub(in crate::generate) fn early(&mut self, counters: &[Value]) -> Value {
        let counter = self.draw.pick(counters);
        let width = self.editor.body().ty(counter).int_bits().unwrap_or(1);
        let few = self.draw.pick(&[1, 2]);
        let few = self.int(width, few);
        self.icmp(IntPredicate::Ult, counter, few)
    }
    /// A value to store to an array.
    fn affine_value(&mut self, plan: &Plan, array: &Array, counters: &[Value]) -> Value {
        let left = match self.draw.below(6) {
            0 => self.operand(array.ty),
            1 => {
                let counter = self.draw.pick(counters);
                self.resized(counter, array.ty, CastOp::ZExt)
            }
            _ => {
                let value = self.affine_load(plan, counters);
                self.resized(value, array.ty, CastOp::SExt)
            }
        };
        let right = self.operand(array.ty);
        let op = self.draw.pick(&[BinaryOp::Add, BinaryOp::Xor, BinaryOp::Mul, BinaryOp::Or]);
        let flags = self.careless_flags(op);
        self.at().binary(op, left, right, flags, "")
    }
}
