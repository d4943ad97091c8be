//! Generates nests of counted loops over memory at affine addresses, as input for nest transforms: perfect and
//! imperfect nests of depth 2 and 3. Also generates single loops with many iterations for the vectorizer (`long`).
//!
//! The generator decides everything before it writes code: the trip count of each loop, and the stride of each loop
//! in each array (`a[i * c1 + j * c2 + c0]`), so that addresses are in bounds if the bounds have their intended
//! values. Accesses to one array mostly differ by a few iterations, because dependences and their distances determine
//! which transforms are legal.

use super::knobs::Knob;
use super::long::Carried;
use super::memory::Base;
use super::writer::Writer;
use backedge_ir::entity::Block;
use backedge_ir::inst::{BinaryFlags, BinaryOp, CastOp, GepFlags, IntPredicate, Value};
use backedge_ir::types::Type;

/// Trip counts that keep a run short enough, by depth.
const EXTENTS: [&[i128]; 3] = [&[9, 12, 17, 24, 5, 31, 8], &[3, 2, 4, 5, 1], &[2, 3, 2, 4]];

/// The range of a loop's counter.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Bound {
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
struct Level {
    width: u32,
    start: i128,
    step: i128,
    /// The maximum intended trip count.
    trips: i128,
    bound: Bound,
    pred: IntPredicate,
    flags: BinaryFlags,
    /// Whether the loop is top-tested.
    top: bool,
}

/// Memory that a nest accesses.
#[derive(Clone, Debug)]
struct Array {
    base: Base,
    ty: Type,
    align: Option<u64>,
    /// Number of elements.
    count: i128,
    /// Stride of each loop in elements, outermost first.
    by: Vec<i128>,
}

/// A planned nest.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    levels: Vec<Level>,
    arrays: Vec<Array>,
    /// A distance that is 0 or 1 at run time.
    unknown: Option<Value>,
}

impl Level {
    /// The value of the counter when the loop ends.
    fn end(&self) -> i128 {
        self.start + self.step * self.trips
    }
    /// The minimum and maximum of the counter over all iterations.
    fn range(&self) -> (i128, i128) {
        let last = self.start + self.step * (self.trips - 1);
        (self.start.min(last), self.start.max(last))
    }
    /// Whether all values of the counter are nonnegative as signed numbers.
    fn is_small(&self) -> bool {
        self.range().1.max(self.end()) < 1 << (self.width - 1)
    }
}

impl Plan {
    /// Whether this is a single loop with many iterations.
    pub(super) fn is_long(&self) -> bool {
        self.levels.len() == 1
    }
    /// The type of the first array's elements.
    pub(super) fn element(&self) -> Type {
        self.arrays.first().map_or(Type::I8, |array| array.ty)
    }
    /// The base pointer of the first array.
    pub(super) fn first_base(&self) -> Option<Value> {
        self.arrays.first().map(|array| array.base.pointer)
    }
    /// The minimum and maximum of a linear combination of the counters.
    fn span(&self, by: &[i128]) -> (i128, i128) {
        let ranges = self.levels.iter().map(Level::range);
        by.iter().zip(ranges).fold((0, 0), |(low, high), (by, (from, to))| {
            (low + (by * from).min(by * to), high + (by * from).max(by * to))
        })
    }
    /// Halves coefficients of `by` until `count` elements suffice.
    fn fit(&self, by: &mut [i128], count: i128) {
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
    /// Whether the scope has memory that a nest can access.
    pub(super) fn has_arrays(&self) -> bool {
        self.bases.iter().any(|base| !base.moves)
    }
    /// Generates an affine nest.
    pub(super) fn affine_nest(&mut self) {
        let mark = self.mark();
        let depth = match self.wants_mostly(Knob::LongLoops, 45) {
            true => 1,
            false if self.draw.chance(35) => 3,
            false => 2,
        };
        let mut plan = Plan { levels: Vec::new(), arrays: Vec::new(), unknown: None };
        for level in 0..depth {
            let next = self.level(EXTENTS[depth - 1], level.checked_sub(1).map(|at| &plan.levels[at]));
            plan.levels.push(next);
        }
        for _ in 0..self.draw.between(1, 2) {
            let array = self.array(&plan);
            plan.arrays.push(array);
        }
        if self.wants(Knob::SymbolicBounds, 12) {
            let (ty, one) = (Type::int(self.widths[0]), self.int(64, 1));
            let value = self.operand(ty);
            let value = self.resized(value, Type::I64, CastOp::ZExt);
            plan.unknown = Some(self.at().binary(BinaryOp::And, value, one, BinaryFlags::default(), ""));
        }
        let mut counters = Vec::new();
        self.affine_loop(&plan, &mut counters);
        self.cut(mark);
    }

    // Planning.

    fn level(&mut self, extents: &[i128], outer: Option<&Level>) -> Level {
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
    fn array(&mut self, plan: &Plan) -> Array {
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
    fn strides(&mut self, plan: &Plan, count: i128) -> Vec<i128> {
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

    // Emission.

    /// Emits the loop inside the loops of `counters`, with all its inner loops.
    fn affine_loop(&mut self, plan: &Plan, counters: &mut Vec<Value>) {
        self.loop_count += 1;
        let level = &plan.levels[counters.len()];
        let ty = Type::int(level.width);
        let outer = counters.last().copied();
        let (mut start, mut bound) = (self.int(level.width, level.start), self.int(level.width, level.end()));
        match (level.bound, outer) {
            (Bound::Value(value), _) => bound = value,
            (Bound::UpTo, Some(outer)) => bound = outer,
            (Bound::DownFrom, Some(outer)) => start = outer,
            _ => {}
        }
        let innermost = counters.len() + 1 == plan.levels.len();
        let often = if plan.is_long() { 50 } else { 20 };
        let sum = (innermost && self.wants(Knob::Reductions, often)).then(|| plan.arrays[0].ty);
        let from = self.block;
        let (header, after) = (self.new_block("loop"), self.new_block("after"));
        self.at().br(header);
        self.block = header;
        let counter = self.at().phi(ty, &[(start, from)], "");
        let sum = sum.map(|ty| {
            let start = self.constant(ty);
            self.at().phi(ty, &[(start, from)], "")
        });
        let mut carried = if plan.is_long() { self.begin_carried(plan, from) } else { Carried::default() };
        counters.push(counter);
        if level.top {
            let body = self.new_block("body");
            self.exit_or_body(level, counter, bound, (body, after));
            self.block = body;
        }
        let mark = self.mark();
        carried.handed.into_iter().for_each(|phi| self.push(phi));
        let leaves = plan.is_long() && self.data_exit(plan, counters, after);
        self.load_early(plan, counters, &mut carried);
        if innermost {
            let often: &[usize] = if plan.is_long() { &[1, 2, 3, 5] } else { &[1, 1, 2, 3] };
            for _ in 0..self.draw.pick(often) {
                self.affine_statement(plan, counters);
            }
        } else {
            self.inside(plan, counters);
        }
        let summed = sum.map(|sum| {
            let value = self.affine_load(plan, counters);
            let value = self.resized(value, plan.arrays[0].ty, CastOp::SExt);
            if self.wants(Knob::Flags, 40) {
                return self.swing(sum, counter);
            }
            let op = self.draw.pick(&[BinaryOp::Add, BinaryOp::Xor, BinaryOp::Mul]);
            self.at().binary(op, sum, value, BinaryFlags::default(), "")
        });
        let carries = self.end_carried(plan, counters, carried);
        self.cut(mark);
        let step = self.int(level.width, level.step);
        let next = self.at().binary(BinaryOp::Add, counter, step, level.flags, "");
        if level.top {
            self.at().br(header);
        } else {
            self.exit_or_body(level, next, bound, (header, after));
        }
        let carries = carries.map(|(phi, value)| (Some(phi), Some(value)));
        for (phi, value) in [(Some(counter), Some(next)), (sum, summed)].into_iter().chain(carries) {
            if let (Some(phi), Some(value)) = (phi.and_then(Value::as_inst), value) {
                self.editor.add_incoming(phi, value, self.block);
            }
        }
        counters.pop();
        self.block = after;
        let end = if level.top || leaves { sum } else { summed };
        if plan.is_long() {
            self.store_results(plan, [end, carried.handed, carried.selected]);
        } else if let Some(value) = end {
            let (place, align) = self.place(plan, &plan.arrays[0], counters);
            self.at().store(value, place, align);
        }
        if self.wants(Knob::DirectUses, 6) {
            self.push(counter);
        }
    }
    fn exit_or_body(&mut self, level: &Level, value: Value, bound: Value, (on, out): (Block, Block)) {
        let goes_on = self.at().icmp(level.pred, value, bound, "");
        self.at().cond_br(goes_on, on, out);
    }
    /// Emits the body of a loop that contains loops.
    fn inside(&mut self, plan: &Plan, counters: &mut Vec<Value>) {
        if self.wants(Knob::BesideLoops, 20) {
            self.affine_statement(plan, counters);
        }
        self.affine_loop(plan, counters);
        if self.wants(Knob::Neighbours, 60) {
            self.affine_loop(plan, counters);
        }
        if self.wants(Knob::BesideLoops, 20) {
            self.affine_statement(plan, counters);
        }
    }
    /// Emits a statement of an iteration.
    fn affine_statement(&mut self, plan: &Plan, counters: &[Value]) {
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
        match self.draw.below(8) {
            0..=2 => {
                let (value, (place, align)) =
                    (self.affine_value(plan, array, counters), self.place(plan, array, counters));
                self.at().store(value, place, align);
            }
            3..=5 => {
                let (place, align) = self.place(plan, array, counters);
                let before = self.at().load(array.ty, place, align, "");
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
                    let before = self.at().load(array.ty, place, array.align, "");
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
    fn swing(&mut self, sum: Value, counter: Value) -> Value {
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
    pub(super) fn early(&mut self, counters: &[Value]) -> Value {
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
    pub(super) fn affine_load(&mut self, plan: &Plan, counters: &[Value]) -> Value {
        let any = self.draw.below(plan.arrays.len());
        let array = &plan.arrays[if self.draw.chance(60) { plan.arrays.len() - 1 } else { any }];
        let (place, align) = self.place(plan, array, counters);
        self.at().load(array.ty, place, align, "")
    }
    /// An address in an array and its alignment, in bounds if the counters have their intended ranges.
    fn place(&mut self, plan: &Plan, array: &Array, counters: &[Value]) -> (Value, Option<u64>) {
        let mut by = match self.draw.below(10) {
            0 => array.by.iter().rev().copied().collect(),
            1 => self.strides(plan, array.count),
            _ => array.by.clone(),
        };
        plan.fit(&mut by, array.count);
        by.truncate(counters.len());
        let (low, high) = plan.span(&by);
        let unknown = plan.unknown.filter(|_| high - low + 1 < array.count && self.draw.chance(30));
        let (low, high) = (-low, array.count - 1 - high - i128::from(unknown.is_some()));
        let offset = if self.draw.chance(15) {
            low + self.draw.below((high - low + 1) as usize) as i128
        } else {
            let apart: i128 = by.iter().map(|by| by * self.draw.pick(&[0, 0, 1, -1])).sum();
            // Or one of the elements in between.
            let between = if plan.is_long() && by[0] > 1 { self.draw.pick(&[0, 0, 1, -1]) } else { 0 };
            i128::midpoint(low, high) + apart + between
        };
        let offset = offset.clamp(low, high);
        // Rows of an array of arrays, if all coefficients are nonnegative.
        let rows = by[0] > 1 && offset >= 0 && by.iter().all(|c| *c >= 0) && self.draw.chance(35);
        let inbounds = self.wants(Knob::Flags, 50);
        let flags = GepFlags { inbounds, nusw: inbounds, nuw: inbounds && self.draw.bool() };
        let place = if rows {
            let row = self.env.types.array(by[0] as u64, array.ty);
            let first = self.resized(counters[0], Type::I64, CastOp::ZExt);
            by[0] = 0;
            let rest = self.index(plan, &by, counters, offset, unknown);
            self.at().gep(row, array.base.pointer, &[first, rest], flags, "")
        } else {
            let index = self.index(plan, &by, counters, offset, unknown);
            self.at().gep(array.ty, array.base.pointer, &[index], flags, "")
        };
        (place, array.align)
    }
    /// A linear combination of counters in 64 bits, possibly computed in a narrower type and then extended.
    fn index(
        &mut self,
        plan: &Plan,
        by: &[i128],
        counters: &[Value],
        offset: i128,
        unknown: Option<Value>,
    ) -> Value {
        let width = self.draw.pick(&[64, 64, 64, 32, 8]);
        let ty = Type::int(width);
        // All partial sums are small, and nonnegative if all terms are.
        let is_up = offset >= 0 && by.iter().all(|c| *c >= 0);
        let right = width > 8 && self.wants(Knob::Flags, 50);
        let holds = BinaryFlags { nsw: right, nuw: right && is_up, ..BinaryFlags::default() };
        let mut sum = None;
        for ((by, counter), level) in by.iter().zip(counters).zip(&plan.levels) {
            if *by == 0 {
                continue;
            }
            let up = if level.is_small() && self.draw.bool() { CastOp::SExt } else { CastOp::ZExt };
            let mut term = self.resized(*counter, ty, up);
            let careless = self.careless_flags(BinaryOp::Add);
            let flags = BinaryFlags { nsw: holds.nsw | careless.nsw, nuw: holds.nuw | careless.nuw, ..holds };
            if *by != 1 {
                let by = self.int(width, *by);
                term = self.at().binary(BinaryOp::Mul, term, by, flags, "");
            }
            sum = Some(match sum {
                Some(sum) => self.at().binary(BinaryOp::Add, sum, term, flags, ""),
                None => term,
            });
        }
        let offset = self.int(width, offset);
        let index = match sum {
            Some(sum) => self.at().binary(BinaryOp::Add, sum, offset, holds, ""),
            None => offset,
        };
        let up = if self.draw.bool() { CastOp::SExt } else { CastOp::ZExt };
        let index = self.resized(index, Type::I64, up);
        match unknown {
            Some(unknown) => self.at().binary(BinaryOp::Add, index, unknown, BinaryFlags::default(), ""),
            None => index,
        }
    }
}
