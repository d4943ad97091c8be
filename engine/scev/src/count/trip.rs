//! Trip counts: the number of iterations, computed from the backedge-taken count, and its known divisors.
//!
//! The trip count is the backedge-taken count plus one. In the width of the count, the sum wraps to zero if the count
//! is the greatest value; [`ScalarEvolution::trip_count`] documents its result for that case.

use crate::ScalarEvolution;
use crate::expr::Expr;
use backedge_analysis::LoopId;
use backedge_ir::int::Int;
use backedge_ir::opcode::IntPredicate;

/// The greatest common divisor; `gcd(0, n)` is `n`.
pub(super) fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The greatest reported multiple, of 32 bits as in LLVM's `getSmallConstantTripMultiple`. A greater multiple is
/// reported as a power of two that divides it.
const MOST: u128 = u32::MAX as u128;

impl ScalarEvolution<'_> {
    /// `count + 1` in `width` bits. In ℤ if `width` exceeds the width of the count; otherwise modulo 2^width, where a
    /// count of 2^width - 1 gives 0. `l` is the loop on whose entry the count is evaluated, if any.
    pub fn trip_count(&mut self, count: Expr, width: u32, l: Option<LoopId>) -> Expr {
        if self.is_could_not_compute(count) {
            return count;
        }
        let own = self.width(count);
        let one = self.int(own, 1);
        if width > own && self.is_below_top(count, l) {
            let sum = self.add(&[count, one]);
            return self.zext(sum, width);
        }
        let count = self.trunc_or_zext(count, width);
        let one = self.int(width, 1);
        self.add(&[count, one])
    }
    /// Whether `count + 1` does not wrap.
    fn is_below_top(&mut self, count: Expr, l: Option<LoopId>) -> bool {
        let top = Int::all_ones(self.width(count));
        if !self.unsigned_range(count).contains(top) {
            return true;
        }
        let Some(l) = l else { return false };
        let top = self.constant(top);
        self.is_entry_guarded(l, IntPredicate::Ne, count, top)
    }
    /// The trip count of `l`, if it is a constant below 2^32.
    pub fn constant_trip_count(&mut self, l: LoopId) -> Option<u32> {
        let exact = self.counts(l).exact;
        self.small_trip_count(exact)
    }
    /// A constant upper bound below 2^32 of the trip count of `l`.
    pub fn constant_max_trip_count(&mut self, l: LoopId) -> Option<u32> {
        let most = self.counts(l).constant_max;
        self.small_trip_count(most)
    }
    fn small_trip_count(&self, count: Expr) -> Option<u32> {
        u32::try_from(self.as_constant(count)?.bits()).ok()?.checked_add(1)
    }

    /// A divisor in ℤ of `count + 1` whenever `l` is entered: at least 1, at most 2^32 - 1.
    pub(super) fn trip_multiple_of(&mut self, count: Expr, l: LoopId) -> u128 {
        let width = self.width(count);
        if let Some(constant) = self.as_constant(count) {
            return constant.bits().checked_add(1).map_or(1 << 31, clamped_divisor);
        }
        if width == Int::MAX_WIDTH {
            // Wrapping modulo 2^128 preserves divisibility by powers of two.
            let trips = self.trip_count(count, width, Some(l));
            return 1 << self.trailing_zeros(trips).min(31);
        }
        let narrowed = self.apply_guards(count, l);
        let both = [count, narrowed].map(|count| {
            let trips = self.trip_count(count, width + 1, Some(l));
            self.constant_multiple(trips).bits()
        });
        clamped_divisor(lcm(both[0], both[1]))
    }
}

/// The least common multiple; `a` if it overflows. `lcm(0, n)` is 0.
fn lcm(a: u128, b: u128) -> u128 {
    if a == 0 || b == 0 {
        return 0;
    }
    (a / gcd(a, b)).checked_mul(b).unwrap_or(a)
}

/// Clamps a divisor of a nonzero trip count to the reported form.
fn clamped_divisor(multiple: u128) -> u128 {
    if multiple <= MOST { multiple.max(1) } else { 1 << multiple.trailing_zeros().min(31) }
}
