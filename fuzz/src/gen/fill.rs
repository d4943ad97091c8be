//! Loops that fill or copy memory and have one iteration for each value of their counter, or for each but the first
//! few: the trip count is a power of two and wraps in the width of the counter.
//!
//! ```text
//! loop:  i = phi [0, entry], [next, loop]        i = phi [15, entry], [next, loop]
//!        store 0, p + i                          store 0, p + i
//!        next = i + 1                            next = i - 1
//!        br next != 0, loop, after               br i != 0, loop, after
//! ```

use super::knobs::Knob;
use super::memory::Base;
use super::writer::Writer;
use backedge_ir::inst::{BinaryFlags, BinaryOp, CastOp, GepFlags, IntPredicate, Value};
use backedge_ir::int::Int;
use backedge_ir::types::Type;

/// The counter of such a loop.
struct Turns {
    start: Value,
    down: bool,
    /// The loop ends when the next value of the counter, or the current one, is this value.
    end: Value,
    tests_next: bool,
    flags: BinaryFlags,
}

impl Writer<'_, '_> {
    /// Emits the loop; continues after it.
    pub(super) fn wrapping_fill(&mut self) {
        let still: Vec<Base> = self.bases.iter().copied().filter(|base| !base.moves).collect();
        let (to, from) = (self.draw.pick(&still), self.draw.pick(&still));
        let ty = Type::int(self.draw.pick(&[8, 8, 16, 32]));
        let size = u64::from(ty.int_bits().unwrap_or(8)) / 8;
        let fits = (to.bytes.min(from.bytes) / size).max(4).ilog2();
        let width = self.draw.between(2, fits.min(6) as usize) as u32;
        self.loop_count += 1;
        let turns = self.turns(width);
        let copies = self.wants(Knob::Copies, 30);
        let filling = if self.draw.chance(70) {
            let byte = self.draw.pick(&[0, -1, 0x0101_0101]);
            self.int(ty.int_bits().unwrap_or(8), byte)
        } else {
            self.invariant(ty)
        };
        // A pointer that moves in place of an index.
        let moves = !turns.down && self.draw.chance(30);
        let before = self.block;
        let (header, after) = (self.new_block("loop"), self.new_block("after"));
        self.at().br(header);
        self.block = header;
        let counter = self.at().phi(Type::int(width), &[(turns.start, before)], "");
        let pointer = moves.then(|| self.at().phi(Type::PTR, &[(to.pointer, before)], ""));
        let index = self.resized(counter, Type::I64, CastOp::ZExt);
        let place =
            pointer.unwrap_or_else(|| self.at().gep(ty, to.pointer, &[index], GepFlags::default(), ""));
        let stored = if copies {
            let place = self.at().gep(ty, from.pointer, &[index], GepFlags::default(), "");
            self.load(ty, place, Some(1))
        } else {
            filling
        };
        self.at().store(stored, place, Some(1));
        let step = if turns.down { -1 } else { 1 };
        let (step, bytes) = (self.int(width, step), self.int(64, size.into()));
        let next = self.at().binary(BinaryOp::Add, counter, step, turns.flags, "");
        let further = pointer.map(|p| self.at().gep(Type::I8, p, &[bytes], GepFlags::default(), ""));
        let tested = if turns.tests_next { next } else { counter };
        let goes_on = self.at().icmp(IntPredicate::Ne, tested, turns.end, "");
        self.at().cond_br(goes_on, header, after);
        self.close_phi(counter, next);
        if let (Some(pointer), Some(further)) = (pointer, further) {
            self.close_phi(pointer, further);
        }
        self.block = after;
    }
    fn turns(&mut self, width: u32) -> Turns {
        let down = self.draw.chance(30);
        let symbolic = self.wants(Knob::SymbolicBounds, 40);
        let tests_next = symbolic || self.draw.bool();
        let (zero, most) = (self.int(width, 0), self.editor.int(Int::all_ones(width)));
        let (start, last) = if down { (most, zero) } else { (zero, most) };
        let first = if self.draw.chance(80) || symbolic {
            start
        } else {
            let few = self.draw.between(1, 3) as i128;
            self.int(width, if down { -1 - few } else { few })
        };
        let end = if symbolic {
            // All iterations if the value is the start, otherwise fewer.
            let value = self.operand(Type::int(self.widths[0]));
            self.resized(value, Type::int(width), CastOp::ZExt)
        } else if tests_next {
            start
        } else {
            last
        };
        let end = if symbolic && down {
            self.at().binary(BinaryOp::Add, end, most, BinaryFlags::default(), "")
        } else {
            end
        };
        // The step after the last iteration wraps, so its flags are wrong if it has a use.
        let mut flags = BinaryFlags::default();
        if !tests_next && !down && self.wants(Knob::Flags, 50) {
            flags.nuw = true;
        }
        Turns { start: first, down, end, tests_next, flags }
    }
    /// Completes a header phi with the value of the next iteration, from the current block.
    fn close_phi(&mut self, phi: Value, next: Value) {
        if let Some(phi) = phi.as_inst() {
            self.editor.add_incoming(phi, next, self.block);
        }
    }
}
