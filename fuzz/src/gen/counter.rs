//! The counter that a loop tests: start, step, bound, and trip count.
//!
//! Constants are derived from the trip count: `bound = start + step * trips`, so that interesting trip counts occur
//! for any start and step, including counters that wrap. The test holds for exactly the trip count: an ordered test
//! if nothing wraps, or `!=`, which also works if the counter wraps. With [`Knob::Predicates`] narrow counters use
//! arbitrary predicates.

use super::knobs::Knob;
use super::writer::Writer;
use backedge_ir::inst::{BinaryFlags, BinaryOp, CastOp, IntPredicate, Value};
use backedge_ir::int::Int;
use backedge_ir::types::Type;

/// Maximum width in bits of counters whose loops may run through all values: a run with more iterations would not end
/// within its fuel.
const NARROW: u32 = 8;

/// Where the counter is tested.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Tested {
    /// In the header.
    Top,
    /// At the latch, on the value of the next iteration.
    Stepped,
    /// At the latch, on the value of this iteration.
    Pre,
}

/// A loop counter.
#[derive(Clone, Debug)]
pub(super) struct Counter {
    pub(super) ty: Type,
    pub(super) start: Value,
    op: BinaryOp,
    step: Value,
    flags: BinaryFlags,
    pub(super) tested: Tested,
    /// The loop continues while this predicate holds for the counter and the bound.
    pred: IntPredicate,
    bound: Value,
    swapped: bool,
    /// The maximum unsigned value of the counter, if known.
    pub(super) top: Option<u64>,
    /// Whether it runs through more than half of its values.
    pub(super) full_range: bool,
}

impl Counter {
    /// The operation and operands that step the counter from `value`.
    pub(super) fn stepping_of(&self, value: Value) -> (BinaryOp, Value, Value) {
        (self.op, value, self.step)
    }
    /// The predicate of its test, if it is an order.
    pub(super) fn order(&self) -> Option<IntPredicate> {
        (!matches!(self.pred, IntPredicate::Eq | IntPredicate::Ne)).then_some(self.pred)
    }
}

/// The constants of a counter.
pub(super) struct Numbers {
    pub(super) width: u32,
    pub(super) start: Int,
    pub(super) step: Int,
    /// The maximum intended trip count.
    pub(super) trips: u128,
}

impl Numbers {
    fn bound(&self, trips: u128) -> Int {
        self.start.add(self.step.mul(Int::new(self.width, trips)))
    }
    fn signed_step(&self) -> i128 {
        self.step.signed()
    }
    /// Whether the counter stays in the unsigned or signed range for `steps` steps from its start.
    fn stays(&self, steps: u128, signed: bool) -> bool {
        let (from, low, high) = if signed {
            let min = Int::signed_min(self.width).signed();
            (self.start.signed(), min, -1 - min)
        } else {
            (self.start.bits() as i128, 0, Int::unsigned_max(self.width).bits() as i128)
        };
        let Some(to) = (steps as i128).checked_mul(self.signed_step()).and_then(|d| d.checked_add(from))
        else {
            return false;
        };
        (low..=high).contains(&to)
    }
}

impl Writer<'_, '_> {
    /// Chooses a counter and computes its bound in the current block. `several` means that several exits test the
    /// counter.
    pub(super) fn counter(&mut self, several: bool) -> Counter {
        let bulk = self.wants(Knob::Fills, 40) || self.wants(Knob::Copies, 40);
        let tested = if self.wants(Knob::TopTested, 50) {
            Tested::Top
        } else if self.wants(Knob::PreTested, 65) {
            Tested::Pre
        } else {
            Tested::Stepped
        };
        let full_range = !bulk && self.wants_full_range();
        let mut numbers = if full_range { self.aside(Self::full_range) } else { self.numbers(bulk, tested) };
        let symbolic = self.wants(Knob::SymbolicBounds, if several { 80 } else { 55 });
        let raw = symbolic && (self.draw.chance(60) || full_range);
        if symbolic && !full_range {
            let mask: u128 = self.draw.pick(&[3, 7, 1, 15]);
            numbers.trips = mask.min(Int::unsigned_max(numbers.width).bits());
        }
        let ty = Type::int(numbers.width);
        // A pre-tested counter is not tested after its last step, so that step's flags may be wrong.
        let last = tested == Tested::Pre && !self.wants(Knob::WrongFlags, 85);
        let steps = numbers.trips + u128::from(last);
        let (unsigned, signed) = (numbers.stays(steps, false), numbers.stays(steps, true));
        let pred = self.counter_test(&numbers, unsigned, signed);
        let bound = if symbolic {
            self.symbolic_bound(&numbers, raw, tested)
        } else {
            let bound = self.constant_bound(&numbers, pred);
            self.editor.int(bound)
        };
        // With an unrestricted argument as bound, flags are known to hold only for a step of 1 to an upper bound.
        let known = |fits| if raw { numbers.signed_step() == 1 && pred != IntPredicate::Ne } else { fits };
        let (op, step, flags) = self.stepping(&numbers, known(unsigned), known(signed));
        let start = self.editor.int(numbers.start);
        let top = numbers.start.bits().max(numbers.bound(steps).bits());
        let is_known = unsigned && !raw && numbers.trips > 0;
        let top = u64::try_from(top).ok().filter(|_| is_known);
        let swapped = self.draw.chance(20);
        Counter { ty, start, op, step, flags, tested, pred, bound, swapped, top, full_range }
    }
    fn numbers(&mut self, bulk: bool, tested: Tested) -> Numbers {
        if bulk {
            let width = self.draw.pick(&[64, 32]);
            let trips = self.draw.pick(&[4, 8, 7, 9, 16, 1]);
            if self.wants(Knob::Steps, 30) {
                let start = Int::new(width, trips - 1);
                return Numbers { width, start, step: Int::all_ones(width), trips };
            }
            return Numbers { width, start: Int::zero(width), step: Int::one(width), trips };
        }
        let width = self.width();
        let max = Int::unsigned_max(width).bits();
        let step = if self.wants(Knob::Steps, 70) { self.draw.pick(&[1, 2, 3, 64, -1, -2, 5]) } else { 1 };
        let k: u128 = self.draw.pick(&[2, 4, 3, 8]);
        let trips = match self.draw.below(9) {
            0 => 1,
            1 => k - 1,
            2 => k,
            3 => k + 1,
            4 => 2 * k,
            5 => 2 * k + 1,
            6 => 0,
            7 if width <= NARROW && self.loops.is_empty() && self.wants(Knob::LongTrips, 70) => max,
            8 if width <= NARROW && self.loops.is_empty() && self.wants(Knob::LongTrips, 70) => max - 1,
            _ => k,
        };
        let trips = trips.min(max);
        let near = self.draw.below(5) as i128 - 2;
        let start = if self.wants(Knob::Starts, 60) {
            // The last three reach the maximum value of the type.
            let way = (trips as i128).wrapping_mul(step);
            match self.draw.below(6) {
                // The untested last step wraps.
                _ if tested == Tested::Pre && self.draw.bool() => -way.wrapping_add(1),
                0 => near,
                1 => Int::signed_min(width).signed() + near,
                2 => -3 + near,
                3 | 4 => -way.wrapping_add(1),
                _ => (-1 - Int::signed_min(width).signed()).wrapping_sub(way),
            }
        } else {
            self.draw.below(3) as i128
        };
        Numbers { width, start: Int::from_i128(width, start), step: Int::from_i128(width, step), trips }
    }
    /// A predicate that holds until the counter reaches its bound.
    fn counter_test(&mut self, numbers: &Numbers, unsigned: bool, signed: bool) -> IntPredicate {
        use IntPredicate::{Ne, Sgt, Slt, Ugt, Ult};
        if numbers.width <= NARROW && self.wants(Knob::Predicates, 25) {
            return self.draw.pick(IntPredicate::ALL);
        }
        let up = numbers.signed_step() >= 0;
        let (of_unsigned, of_signed) = if up { (Ult, Slt) } else { (Ugt, Sgt) };
        match self.draw.below(3) {
            1 if unsigned => of_unsigned,
            1 | 2 if signed => of_signed,
            2 if unsigned => of_unsigned,
            _ => Ne,
        }
    }
    /// The bound for exactly `trips` iterations; for an ordered test it may be a value that the counter steps over.
    fn constant_bound(&mut self, numbers: &Numbers, pred: IntPredicate) -> Int {
        let bound = numbers.bound(numbers.trips);
        let over = numbers.signed_step();
        if pred != IntPredicate::Ne && over > 1 && numbers.trips > 0 && self.draw.bool() {
            let short = self.draw.below(over as usize) as i128;
            return bound.sub(Int::from_i128(numbers.width, short));
        }
        bound
    }
    /// A bound that depends on an argument, either unrestricted or with few iterations.
    fn symbolic_bound(&mut self, numbers: &Numbers, raw: bool, tested: Tested) -> Value {
        let (width, ty) = (numbers.width, Type::int(numbers.width));
        let mark = self.mark();
        let value = self.operand_before(ty, mark);
        let value = if value.as_const().is_some() {
            let any = self.operand(Type::int(self.widths[0]));
            self.resized(any, ty, CastOp::ZExt)
        } else {
            value
        };
        if raw && width <= NARROW {
            return value;
        }
        let mask = self.int(width, numbers.trips as i128);
        let plain = BinaryFlags::default();
        let mut trips = self.at().binary(BinaryOp::And, value, mask, plain, "");
        if tested == Tested::Stepped && width > NARROW {
            // At least one iteration, because otherwise the counter wraps around to its bound.
            let one = self.int(width, 1);
            trips = self.at().binary(BinaryOp::Or, trips, one, plain, "");
        }
        if !numbers.step.is_one() {
            let step = self.editor.int(numbers.step);
            trips = self.at().binary(BinaryOp::Mul, trips, step, plain, "");
        }
        if !numbers.start.is_zero() {
            let start = self.editor.int(numbers.start);
            trips = self.at().binary(BinaryOp::Add, trips, start, plain, "");
        }
        self.push(trips);
        trips
    }
    /// The operation that steps the counter, with valid flags on request.
    fn stepping(
        &mut self,
        numbers: &Numbers,
        unsigned: bool,
        signed: bool,
    ) -> (BinaryOp, Value, BinaryFlags) {
        let down = numbers.signed_step() < 0 && !numbers.step.is_smin();
        let as_sub = down && self.draw.chance(40);
        let op = if as_sub { BinaryOp::Sub } else { BinaryOp::Add };
        let step = if as_sub { numbers.step.neg() } else { numbers.step };
        let step = self.editor.int(step);
        let mut flags = self.careless_flags(op);
        if self.wants(Knob::Flags, 75) {
            // Adding a negative number wraps unsigned where the subtraction does not.
            flags.nuw |= unsigned && (as_sub || !down) && self.draw.chance(75);
            flags.nsw |= signed && self.draw.chance(70);
        }
        (op, step, flags)
    }
    /// Emits the step of the counter to the next iteration's value, in the current block.
    pub(super) fn step(&mut self, counter: &Counter, value: Value) -> Value {
        self.binary(counter.op, value, counter.step, counter.flags)
    }
    /// The value of the counter `steps` steps after its start.
    pub(super) fn steps_after_start(&mut self, counter: &Counter, steps: usize) -> Value {
        let body = self.editor.body();
        let (Some(start), Some(step)) = (body.as_int(counter.start), body.as_int(counter.step)) else {
            return counter.start;
        };
        let apply = if counter.op == BinaryOp::Sub { Int::sub } else { Int::add };
        let value = (0..steps).fold(start, |value, _| apply(value, step));
        self.editor.int(value)
    }
    /// The value of the counter `steps` steps before the bound.
    pub(super) fn steps_before_bound(&mut self, counter: &Counter, steps: usize) -> Value {
        let (op, undo) = match counter.op {
            BinaryOp::Sub => (BinaryOp::Add, Int::add as fn(Int, Int) -> Int),
            _ => (BinaryOp::Sub, Int::sub as fn(Int, Int) -> Int),
        };
        (0..steps).fold(counter.bound, |value, _| {
            let body = self.editor.body();
            match (body.as_int(value), body.as_int(counter.step)) {
                (Some(value), Some(step)) => self.editor.int(undo(value, step)),
                _ => self.binary(op, value, counter.step, BinaryFlags::default()),
            }
        })
    }
    /// Emits the test that continues the loop for a value of the counter.
    pub(super) fn goes_on(&mut self, counter: &Counter, value: Value) -> Value {
        // If the step has no test yet, a test of a derived value may be replaced by a test of the stepped value.
        let share = if counter.tested == Tested::Pre { 75 } else { 40 };
        let (value, bound) = if self.wants(Knob::DerivedTests, share) {
            self.derived(counter, value)
        } else {
            (value, counter.bound)
        };
        if counter.swapped {
            self.icmp(counter.pred.swapped(), bound, value)
        } else {
            self.icmp(counter.pred, value, bound)
        }
    }
    /// Values derived in the same way from the counter's `value` and from its bound, so that they compare like the
    /// originals.
    fn derived(&mut self, counter: &Counter, value: Value) -> (Value, Value) {
        let width = counter.ty.int_bits().unwrap_or(1);
        let is_ordered = !matches!(counter.pred, IntPredicate::Eq | IntPredicate::Ne);
        if is_ordered || self.draw.bool() {
            // A zero extension preserves only the unsigned order.
            let keep = counter.pred.is_signed() || self.draw.bool();
            let (op, ty) = (if keep { CastOp::SExt } else { CastOp::ZExt }, Type::int((2 * width).min(64)));
            return (self.resized(value, ty, op), self.resized(counter.bound, ty, op));
        }
        let (op, by) = self.draw.pick(&[
            (BinaryOp::Add, 1),
            (BinaryOp::Sub, 3),
            (BinaryOp::Mul, 3),
            (BinaryOp::Xor, -1),
            (BinaryOp::Xor, 1),
        ]);
        let by = self.int(width, by);
        let mut of = |x: Value| self.at().binary(op, x, by, BinaryFlags::default(), "");
        (of(value), of(counter.bound))
    }
}
