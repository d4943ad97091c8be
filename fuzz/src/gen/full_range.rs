//! Narrow counters that run through more than half of their values, so that their sign bit is set in some iterations,
//! next to recurrences of a wider type.

use super::counter::Numbers;
use super::knobs::Knob;
use super::recurrence::{Next, Planned};
use super::writer::Writer;
use backedge_ir::inst::{BinaryFlags, BinaryOp, Value};
use backedge_ir::int::Int;
use backedge_ir::types::Type;

impl Writer<'_, '_> {
    /// Whether to use such a counter for a loop. Only the two outermost loops do, since runs must end.
    pub(super) fn wants_full_range(&mut self) -> bool {
        self.loops.len() < 2 && self.wants(Knob::FullRange, 25)
    }
    /// The constants of such a counter.
    pub(super) fn full_range(&mut self) -> Numbers {
        let widths = if self.loops.is_empty() { [4, 5, 8, 3, 6, 7] } else { [3, 4, 3, 4, 3, 4] };
        let width = self.draw.pick(&widths);
        let step = if self.wants(Knob::Steps, 25) { 2 } else { 1 };
        let start = self.draw.below(2);
        let (half, most) = (1 << (width - 1), (1 << width) - 1);
        let last = (most - start) / step;
        let trips = if self.draw.chance(35) { last } else { self.draw.between(half / step + 1, last) };
        Numbers {
            width,
            start: Int::new(width, start as u128),
            step: Int::new(width, step as u128),
            trips: trips as u128,
        }
    }
    /// Plans an affine recurrence of a wider type than `counter`.
    pub(super) fn wider(&mut self, counter: Type) -> Planned {
        self.aside(|this| {
            let narrow = counter.int_bits().unwrap_or(1);
            let ty = Type::int(this.width_above(narrow));
            let start = this.operand(ty);
            (ty, start, Next::Operation(BinaryOp::Add, this.few_steps(ty), BinaryFlags::default()))
        })
    }
    /// A width of the program that is greater than `narrow`; adds one if necessary.
    fn width_above(&mut self, narrow: u32) -> u32 {
        if let Some(width) = self.widths.iter().copied().find(|width| *width > narrow) {
            return width;
        }
        let width = self.draw.pick(&[32, 16, 64]);
        self.widths.push(width);
        width
    }
    /// A small constant.
    pub(super) fn few_steps(&mut self, ty: Type) -> Value {
        let step = self.draw.pick(&[1, 3, -1, 4, 2]);
        self.int(ty.int_bits().unwrap_or(8), step)
    }
}
