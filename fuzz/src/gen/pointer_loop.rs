//! Loops that end when a pointer reaches the end of memory.
//!
//! ```text
//! loop:  p = phi [base, entry], [next, loop]
//!        …
//!        next = p + 4
//!        br next != end, loop, after
//! ```

use super::knobs::Knob;
use super::memory::Base;
use super::writer::Writer;
use backedge_ir::entity::Block;
use backedge_ir::inst::{BinaryFlags, BinaryOp, CastOp, GepFlags, IntPredicate, Value};
use backedge_ir::types::Type;

impl Writer<'_, '_> {
    /// Emits the loop; continues after it.
    pub(super) fn pointer_loop(&mut self) {
        let still: Vec<Base> = self.bases.iter().copied().filter(|base| !base.moves).collect();
        let base = self.draw.pick(&still);
        self.loop_count += 1;
        let ty = self.memory_type();
        let size = u64::from(ty.int_bits().unwrap_or(8)) / 8;
        let most = (base.bytes / size).clamp(1, 16);
        let down = self.draw.chance(25);
        let inbounds = self.wants(Knob::Flags, 60);
        let flags = GepFlags { inbounds, nusw: inbounds, nuw: inbounds && !down && self.draw.bool() };
        let count = self.pointer_count(most);
        let far = self.at().gep(ty, base.pointer, &[count], flags, "");
        let (first, end) = if down { (far, base.pointer) } else { (base.pointer, far) };
        let top = self.wants(Knob::TopTested, 35);
        let start = self.constant(ty);
        let before = self.block;
        let (header, after) = (self.new_block("loop"), self.new_block("after"));
        self.at().br(header);
        self.block = header;
        let pointer = self.at().phi(Type::PTR, &[(first, before)], "");
        let sum = self.at().phi(ty, &[(start, before)], "");
        // The downward loop moves its pointer before the access.
        let flags = if down { GepFlags { nuw: false, ..flags } } else { flags };
        let step = self.int(64, if down { -1 } else { 1 });
        if top {
            let body = self.new_block("body");
            self.end_at(pointer, end, down, [body, after]);
            self.block = body;
        }
        let mark = self.mark();
        let next = self.at().gep(ty, pointer, &[step], flags, "");
        let place = if down { next } else { pointer };
        let seen = self.load(ty, place, Some(1));
        let op = self.draw.pick(&[BinaryOp::Add, BinaryOp::Xor, BinaryOp::Mul]);
        let summed = self.at().binary(op, sum, seen, BinaryFlags::default(), "");
        self.push(summed);
        if self.draw.chance(60) {
            let stored = self.operand(ty);
            self.at().store(stored, place, Some(1));
        }
        self.cut(mark);
        let latch = self.block;
        if top {
            self.at().br(header);
        } else {
            self.end_at(next, end, down, [header, after]);
        }
        for (phi, value) in [(pointer, next), (sum, summed)] {
            if let Some(phi) = phi.as_inst() {
                self.editor.add_incoming(phi, value, latch);
            }
        }
        self.block = after;
        self.push(if top { sum } else { summed });
    }
    /// The number of elements between the first pointer and the end: at least one.
    fn pointer_count(&mut self, most: u64) -> Value {
        if !self.wants(Knob::SymbolicBounds, 40) {
            let count = self.draw.between(1, most as usize) as i128;
            return self.int(64, count);
        }
        let value = self.operand(Type::int(self.widths[0]));
        let value = self.resized(value, Type::I64, CastOp::ZExt);
        let mask = (1i128 << most.ilog2()) - 1;
        let (mask, one) = (self.int(64, mask), self.int(64, 1));
        let value = self.at().binary(BinaryOp::And, value, mask, BinaryFlags::default(), "");
        self.at().binary(BinaryOp::Or, value, one, BinaryFlags::default(), "")
    }
    /// Branches to the first block while `pointer` has not reached `end`.
    fn end_at(&mut self, pointer: Value, end: Value, down: bool, [on, out]: [Block; 2]) {
        let ordered = if down { IntPredicate::Ugt } else { IntPredicate::Ult };
        let pred = self.draw.pick(&[IntPredicate::Ne, IntPredicate::Ne, ordered]);
        let goes_on = self.at().icmp(pred, pointer, end, "");
        if self.wants(Knob::ExitFirst, 30) {
            let stops = self.negated(goes_on);
            self.at().cond_br(stops, out, on);
        } else {
            self.at().cond_br(goes_on, on, out);
        }
    }
}
