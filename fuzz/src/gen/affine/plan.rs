//! Plans a nest: the trip count, counter and exit test of each loop, and the stride of each loop in each array.
//!
//! Guarantees: addresses are in bounds if the bounds of the loops have their intended values.

use crate::generate::knobs::Knob;
use crate::generate::memory::Base;
use crate::generate::writer::Writer;
use backedge_ir::inst::{BinaryFlags, BinaryOp, CastOp, IntPredicate, Value};
use backedge_ir::types::Type;

/// Trip counts that keep a run short enough, by depth.
pub(super) const EXTENTS: [&[i128]; 3] = [&[9, 12, 17, 24, 5, 31, 8], &[3, 2, 4, 5, 1], &[2, 3, 2, 4]];

/// The range of a loop's counter.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    /// Constant start and bound.
    Constant,
    /// The bound is a value; a bottom-tested loop runs once if the value is 0.
    Value(Value),
    /// The bound is the counter of the enclosing loop.
    UpTo,
    /// From the counter of the enclosing loop to a constant.
    DownFrom,
}

/// A planned loop.
#[derive(Clone, Debug)]
pub(super) struct Level {
    pub(super) width: u32,
    pub(super) start: i128,
    pub(super) step: i128,
    /// The maximum intended trip count.
    trips: i128,
    pub(super) bound: Bound,
    pub(super) pred: IntPredicate,
    pub(super) flags: BinaryFlags,
    /// Whether the loop is top-tested.
    pub(super) top: bool,
    /// Whether the counter runs through more than half of its values.
    pub(super) full_range: bool,
}

/// Memory that a nest accesses.
#[derive(Clone, Debug)]
pub(super) struct Array {
    pub(super) base: Base,
    pub(super) ty: Type,
    pub(super) align: Option<u64>,
    /// Number of elements.
    pub(super) count: i128,
    /// Stride of each loop in elements, outermost first.
    pub(super) by: Vec<i128>,
}

/// A planned nest.
#[derive(Clone, Debug)]
pub(in crate::generate) struct Plan {
    pub(super) levels: Vec<Level>,
    pub(super) arrays: Vec<Array>,
    /// A distance that is 0 or 1 at run time.
    pub(super) unknown: Option<Value>,
    /// Whether most statements store numbers that are not loaded, in neighbouring loops.
    pub(super) overwrites: bool,
    /// Whether the loops carry a sum over all iterations.
    pub(super) sums: bool,
}

impl Level {
    /// The value of the counter when the loop ends.
    pub(super) fn end(&self) -> i128 {
        self.start + self.step * self.trips
    }
    /// The minimum and maximum of the counter over all iterations.
    fn range(&self) -> (i128, i128) {
        let last = self.start + self.step * (self.trips - 1);
        (self.start.min(last), self.start.max(last))
    }
    /// Whether the low bit of the counter is set in exactly every second iteration, and as often as it is clear.
    pub(super) fn alternates(&self) -> bool {
        self.bound == Bound::Constant && self.step % 2 != 0 && self.trips % 2 == 0
    }
    /// Whether all values of the counter are nonnegative as signed numbers.
    pub(super) fn is_small(&self) -> bool {
        self.range().1.max(self.end()) < 1 << (self.width - 1)
    }
}

impl Plan {
    /// Whether this is a single loop with many iterations.
    pub(in crate::generate) fn is_long(&self) -> bool {
        self.levels.len() == 1
    }
    /// The type of the first array's elements.
    pub(in crate::generate) fn element(&self) -> Type {
        self.arrays.first().map_or(Type::I8, |array| array.ty)
    }
    /// The base pointer of the first array.
    pub(in crate::generate) fn first_base(&self) -> Option<Value> {
        self.arrays.first().map(|array| array.base.pointer)
    }
    /// The minimum and maximum of a linear combination of the counters.
    pub(super) fn span(&self, by: &[i128]) -> (i128, i128) {
        let ranges = self.levels.iter().map(Level::range);
        by.iter().zip(ranges).fold((0, 0), |(low, high), (by, (from, to))| {
            (low + (by * from).min(by * to), high + (by * from).max(by * to))
        })
    }
    /// Halves coefficients of `by` until `count` elements suffice.
    pub(super) fn fit(&self, by: &mut [i128], count: i128) {
        loop {
            let (low, high) = self.span(by);
            let Some(largest) = by.iter_mut().max_by_key(|c| c.abs()).filter(|_| high - low >= count) else {
                return;
            };
            *largest /= 2;
        }
    }
}

impl Writer<'_, '_> {
    pub(super) fn level(&mut self, extents: &[i128], outer: Option<&Level>) -> Level {
        if self.wants(Knob::FullRange, 20) {
            return self.aside(|this| this.full_range_level(extents));
        }
        let own = self.width();
        let same = outer.filter(|_| self.draw.chance(85)).map(|o| o.width);
        let width = same.unwrap_or_else(|| self.draw.pick(&[64, 64, 32, 8, own]));
        let mut level = Level {
            width,
            start: 0,
            step: 1,
            trips: self.draw.pick(extents).min(1 << width.min(8)),
            bound: Bound::Constant,
            pred: IntPredicate::Ne,
            flags: BinaryFlags::default(),
            top: self.wants(Knob::TopTested, 15),
            full_range: false,
        };
        if width >= 4 {
            let of_outer = outer.filter(|o| o.width == width && o.start == 0 && o.step == 1);
            if let Some(outer) = of_outer.filter(|_| self.wants(Knob::Triangular, 30)) {
                level.trips = outer.trips;
                level.bound = if self.draw.bool() { Bound::UpTo } else { Bound::DownFrom };
            } else if self.wants(Knob::SymbolicBounds, 35) {
                level.bound = Bound::Value(self.affine_bound(&mut level.trips, width));
            } else {
                level.start = if self.wants(Knob::Starts, 25) { self.draw.pick(&[1, 2]) } else { 0 };
                level.step = if self.wants(Knob::Steps, 25) { self.draw.pick(&[2, -1, 3]) } else { 1 };
                if level.step < 0 {
                    level.start = level.trips - 1;
                } else if level.end() >= 1 << (width - 1) {
                    (level.start, level.step) = (0, 1);
                }
            }
        }
        self.affine_test(&mut level);
        level
    }
    /// A loop whose narrow counter runs through more than half of its values.
    fn full_range_level(&mut self, extents: &[i128]) -> Level {
        let is_single = extents.contains(&31);
        let width = self.draw.pick(if is_single { &[5, 4, 5] } else { &[3, 3, 2] });
        let (half, most) = (1 << (width - 1), (1 << width) - 1);
        let (bound, trips) = if self.wants(Knob::SymbolicBounds, 50) {
            let value = self.operand(Type::int(self.widths[0]));
            (Bound::Value(self.resized(value, Type::int(width), CastOp::ZExt)), most)
        } else {
            (Bound::Constant, self.draw.between(half + 1, most))
        };
        let pred = match bound {
            Bound::Value(_) => IntPredicate::Ult,
            _ => self.draw.pick(&[IntPredicate::Ult, IntPredicate::Ne]),
        };
        let nuw = self.wants(Knob::Flags, 50);
        let flags = BinaryFlags { nuw, ..BinaryFlags::default() };
        let top = self.wants(Knob::TopTested, 15);
        Level { width, start: 0, step: 1, trips: trips as i128, bound, pred, flags, top, full_range: true }
    }
    /// A bound that depends on a value in scope, usually restricted to a small range up to `trips`.
    fn affine_bound(&mut self, trips: &mut i128, width: u32) -> Value {
        let ty = Type::int(self.widths[0]);
        let value = self.operand(ty);
        let value = if self.wants(Knob::Freeze, 40) { self.at().freeze(value, "") } else { value };
        let value = self.resized(value, Type::int(width), CastOp::ZExt);
        if self.draw.chance(10) {
            return value;
        }
        *trips = if *trips > 7 { self.draw.pick(&[15, 31, 7]) } else { self.draw.pick(&[3, 3, 1, 7]) };
        let mask = self.int(width, *trips);
        let plain = BinaryFlags::default();
        let value = self.at().binary(BinaryOp::And, value, mask, plain, "");
        let one = self.int(width, 1);
        // Sometimes forces at least one iteration.
        if self.draw.bool() { self.at().binary(BinaryOp::Or, value, one, plain, "") } else { value }
    }
    /// Chooses the predicate of the exit test and the flags of the increment.
    fn affine_test(&mut self, level: &mut Level) {
        use IntPredicate::{Ne, Sgt, Sle, Slt, Ule, Ult};
        let (signed, up) = (level.is_small(), level.step > 0);
        let unsigned = level.end() < 1 << level.width.min(64);
        let may_be = match level.bound {
            Bound::UpTo if level.top => [Ult, Slt, Ult],
            Bound::UpTo => [Ule, Sle, Ule],
            Bound::Value(_) => [Ult, Slt, Ult],
            Bound::Constant | Bound::DownFrom if signed && up => [Ult, Slt, Ne],
            Bound::Constant | Bound::DownFrom if signed => [Ne, Sgt, Ne],
            Bound::Constant | Bound::DownFrom => [Ne; 3],
        };
        level.pred = self.draw.pick(&may_be);
        level.flags = self.careless_flags(BinaryOp::Add);
        if self.wants(Knob::Flags, 70) {
            level.flags.nsw |= signed && self.draw.chance(80);
            level.flags.nuw |= unsigned && up && self.draw.bool();
        }
    }
    pub(super) fn array(&mut self, plan: &Plan) -> Array {
        let still: Vec<Base> = self.bases.iter().copied().filter(|base| !base.moves).collect();
        let before = plan.arrays.first().filter(|_| self.draw.chance(85)).map(|a| a.ty);
        let ty = before.unwrap_or_else(|| self.memory_type());
        let base = self.draw.pick(&still);
        let size = u64::from(ty.int_bits().unwrap_or(8)) / 8;
        let odd = !base.bytes.is_multiple_of(8) || self.draw.chance(20);
        let count = i128::from(base.bytes / size).max(1);
        let by = self.strides(plan, count);
        Array { base, ty, align: odd.then_some(1), count, by }
    }
    /// Chooses the stride of each loop.
    pub(super) fn strides(&mut self, plan: &Plan, count: i128) -> Vec<i128> {
        let depth = plan.levels.len();
        let mut by = vec![1; depth];
        // Interleaved accesses.
        if plan.is_long() && self.draw.chance(35) {
            by[0] = self.draw.pick(&[2, 2, 3]);
            plan.fit(&mut by, count);
            return by;
        }
        match self.draw.below(5) {
            // Row-major.
            0 | 1 => {
                for at in (0..depth - 1).rev() {
                    by[at] = by[at + 1] * (plan.levels[at + 1].range().1 + 1);
                }
            }
            // Column-major.
            2 | 3 => {
                for at in 1..depth {
                    by[at] = by[at - 1] * (plan.levels[at - 1].range().1 + 1);
                }
            }
            _ => by.fill_with(|| self.draw.pick(&[1, 0, 2, -1, 3, 1])),
        }
        if self.draw.chance(45) {
            by[self.draw.below(depth)] = 0;
        }
        plan.fit(&mut by, count);
        by
    }
}
