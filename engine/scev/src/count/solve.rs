//! Exact solutions for constant recurrences modulo 2^w: the first entry into, or exit from, a range of values.
//!
//! - [`first_within`]: the least `x` with `low <= a * x mod m <= high`, by Euclid's algorithm on `(m, a)`.
//! - [`first_root`]: the least root of a polynomial modulo 2^k, by lifting from the lowest bit upwards. Each residue
//!   class of candidates is represented by a shifted polynomial, divided by the common power of two of its
//!   coefficients. A polynomial that is nonzero modulo 2 has at most as many roots as its degree, counted with
//!   multiplicity, so few classes survive.
//! - [`quadratic_leaves`]: the least `x` at which a quadratic polynomial over ℤ leaves an interval, by bisection where it
//!   is monotone.

use backedge_analysis::range::ConstantRange;
use backedge_ir::int::Int;
use std::cmp::Ordering;

/// The least `x` with `low <= a * x mod m <= high`. Requires `low <= high < m <= 2^64`.
fn first_within(a: u128, m: u128, low: u128, high: u128) -> Option<u128> {
    let a = a % m;
    if low == 0 {
        return Some(0);
    }
    if a == 0 {
        return None;
    }
    if a > m / 2 {
        // Solve the mirrored problem, which counts up.
        return first_within(m - a, m, m - high, m - low);
    }
    let first = low.div_ceil(a);
    if first * a <= high {
        return Some(first);
    }
    // No multiple of `a` lies in the range: `x` wraps `y` times, with `low <= a * x - m * y <= high`.
    let y = first_within((a - m % a) % a, a, low % a, high % a)?;
    Some((low + m * y).div_ceil(a))
}

/// The first `x` at which `start + step * x` modulo 2^w lies outside of `range`; `Ok(None)` if never. Widths of up to
/// 64 bits.
pub(super) fn affine_leaves(start: Int, step: Int, range: ConstantRange) -> Result<Option<Int>, ()> {
    let width = start.width();
    if range.is_full() {
        return Ok(None);
    }
    if !range.contains(start) {
        return Ok(Some(Int::zero(width)));
    }
    if width > 64 {
        return Err(());
    }
    // The outside values relative to the start: from `upper - start` to `lower - 1 - start`. That interval does not
    // wrap, since the start is inside the range.
    let low = range.upper().sub(start);
    let high = range.lower().sub(Int::one(width)).sub(start);
    let count = first_within(step.bits(), 1 << width, low.bits(), high.bits());
    Ok(count.map(|n| Int::new(width, n)))
}

/// `value * 2^-by`, exactly.
fn halved(coefficients: &mut [u128], by: u32) {
    coefficients.iter_mut().for_each(|c| *c >>= by);
}

/// The coefficients, in powers of `x`, of `d!` times the recurrence with these operands, and `d!`.
fn as_polynomial(operands: &[Int]) -> (Vec<u128>, u128) {
    let degree = operands.len() - 1;
    let factorial: u128 = (1..=degree as u128).product();
    // The falling factorial x (x - 1) ... (x - k + 1), times d!/k!.
    let mut falling = vec![1u128];
    let mut result = vec![0u128; degree + 1];
    let mut scale = factorial;
    for (k, operand) in operands.iter().enumerate() {
        for (power, c) in falling.iter().enumerate() {
            let term = c.wrapping_mul(scale).wrapping_mul(operand.signed() as u128);
            result[power] = result[power].wrapping_add(term);
        }
        let mut next = vec![0u128; falling.len() + 1];
        for (power, c) in falling.iter().enumerate() {
            next[power + 1] = next[power + 1].wrapping_add(*c);
            next[power] = next[power].wrapping_sub(c.wrapping_mul(k as u128));
        }
        falling = next;
        scale /= k as u128 + 1;
    }
    (result, factorial)
}

/// The least `x >= 0` at which the recurrence is zero modulo 2^w; `Ok(None)` if there is none. An error if the search
/// gives up, or the root does not fit the width.
pub(super) fn first_root(operands: &[Int]) -> Result<Option<Int>, ()> {
    let width = operands[0].width();
    let (mut polynomial, factorial) = as_polynomial(operands);
    let bits = width + factorial.trailing_zeros();
    if bits > 128 {
        return Err(());
    }
    let mask = u128::MAX >> (128 - bits);
    polynomial.iter_mut().for_each(|c| *c &= mask);
    let mut best: Option<u128> = None;
    let mut work = vec![Class { polynomial, bits, root: 0, known: 0 }];
    let mut steps = 0;
    while let Some(class) = work.pop() {
        steps += 1;
        if steps > 4096 {
            return Err(());
        }
        if best.is_some_and(|b| b <= class.root) {
            continue;
        }
        let root = class.root;
        match class.reduced() {
            None => best = Some(root),
            Some(class) if class.known < 128 => {
                work.extend([true, false].map(|bit| class.with(bit)).into_iter().flatten())
            }
            Some(_) => return Err(()),
        }
    }
    match best {
        None => Ok(None),
        Some(x) if x >> (width - 1) <= 1 => Ok(Some(Int::new(width, x))),
        Some(_) => Err(()),
    }
}

/// The candidates `root + 2^known * t`; each is a root if `polynomial(t)` is zero modulo 2^bits.
struct Class {
    polynomial: Vec<u128>,
    bits: u32,
    root: u128,
    known: u32,
}

impl Class {
    /// Divides by the common power of two of all coefficients; `None` if all `t` are roots then.
    fn reduced(mut self) -> Option<Self> {
        let common = self.polynomial.iter().map(|c| c.trailing_zeros()).min().unwrap_or(128);
        if common >= self.bits {
            return None;
        }
        halved(&mut self.polynomial, common);
        self.bits -= common;
        Some(self)
    }
    /// The candidates whose next bit is `bit`, if any can be roots: `t = bit + 2 u`.
    fn with(&self, bit: bool) -> Option<Self> {
        let mut shifted = self.polynomial.clone();
        if bit {
            // Horner's scheme for the shift by one.
            for from in 0..shifted.len() {
                for power in (from..shifted.len() - 1).rev() {
                    shifted[power] = shifted[power].wrapping_add(shifted[power + 1]);
                }
            }
        }
        if shifted[0] & 1 != 0 {
            return None;
        }
        let mask = u128::MAX >> (128 - self.bits);
        for (power, c) in shifted.iter_mut().enumerate() {
            *c = c.checked_shl(power as u32).unwrap_or(0) & mask;
        }
        let root = if bit { self.root | 1 << self.known } else { self.root };
        Some(Self { polynomial: shifted, bits: self.bits, root, known: self.known + 1 })
    }
}

/// The value of the recurrence at `x`, modulo 2^w. Requires `x` below 2^32 and few operands.
pub(super) fn value_at(operands: &[Int], x: u128) -> Int {
    let width = operands[0].width();
    // binomial(x, k) exactly: the product of k factors below 2^32, divided by k!, for k of up to 3.
    let mut sum = Int::zero(width);
    let mut binomial = 1u128;
    for (k, operand) in operands.iter().enumerate() {
        let k = k as u128;
        if k > 0 {
            binomial = if x < k { 0 } else { binomial * (x - (k - 1)) / k };
        }
        sum = sum.add(operand.mul(Int::new(width, binomial)));
    }
    sum
}

/// The first iteration in which the quadratic recurrence lies outside of `range`, if that is its first crossing of a
/// bound of the range in ℤ, and below 2^31. Widths of up to 64 bits.
pub(super) fn quadratic_leaves(operands: &[Int], range: ConstantRange) -> Option<Int> {
    let [start, first, second] = *operands else { return None };
    let width = start.width();
    if width > 64 || range.is_full() {
        return None;
    }
    if !range.contains(start) {
        return Some(Int::zero(width));
    }
    // The range as an interval of ℤ relative to the start.
    let above = i128::try_from(range.upper().sub(start).bits()).ok()?;
    let below = -i128::try_from(start.sub(range.lower()).bits()).ok()?;
    let (first, second) = (first.signed(), second.signed());
    let value = |x: i128| first * x + second * (x * (x - 1) / 2);
    let outside = |x: i128| !(below..above).contains(&value(x));
    let end = 1i128 << 31;
    // The differences `first + second * x` change sign at most once: the recurrence is monotone before and after that
    // point.
    let zero = match second.cmp(&0) {
        Ordering::Less => first.div_euclid(-second),
        Ordering::Equal => end,
        Ordering::Greater => (-first).div_euclid(second),
    };
    let turn = zero.clamp(0, end) + 1;
    for (from, to) in [(0, turn.min(end)), (turn.min(end), end)] {
        if outside(to) {
            // The value at the start of this monotone part is inside.
            let (mut inside, mut out) = (from, to);
            while out - inside > 1 {
                let middle = i128::midpoint(inside, out);
                if outside(middle) { out = middle } else { inside = middle }
            }
            let count = Int::new(width, out as u128);
            let lands = !range.contains(value_at(operands, out as u128));
            return (lands && (width > 31 || out >> width == 0)).then_some(count);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ints(width: u32) -> impl Iterator<Item = Int> {
        (0..1u128 << width).map(move |v| Int::new(width, v))
    }
    fn iterate(operands: &[Int], stop: impl Fn(Int) -> bool, most: u128) -> Option<u128> {
        let mut state = operands.to_vec();
        for x in 0..most {
            if stop(state[0]) {
                return Some(x);
            }
            for k in 0..state.len() - 1 {
                state[k] = state[k].add(state[k + 1]);
            }
        }
        None
    }

    #[test]
    fn affine_recurrences_leave_ranges_when_they_do() {
        for width in [1, 3, 4] {
            for start in ints(width) {
                for step in ints(width) {
                    for (lower, upper) in ints(width).flat_map(|l| ints(width).map(move |u| (l, u))) {
                        let Some(range) = ConstantRange::new(lower, upper) else { continue };
                        let expected = iterate(&[start, step], |v| !range.contains(v), 1 << width);
                        let found = affine_leaves(start, step, range).map(|n| n.map(|n| n.bits()));
                        assert_eq!(found, Ok(expected), "{{{start},+,{step}}} leaves {range}");
                    }
                }
            }
        }
    }
    #[test]
    fn affine_recurrences_at_the_widest() {
        let int = |v: u64| Int::new(64, u128::from(v));
        let range = ConstantRange::constant(int(7)).inverse();
        for (start, step) in [(0, 3), (5, u64::MAX), (1 << 63, 5), (u64::MAX, 0x1234_5677)] {
            let count = affine_leaves(int(start), int(step), range).expect("64 bits").expect("an odd step");
            assert_eq!(int(start).add(int(step).mul(count)), int(7));
        }
    }
    #[test]
    fn polynomials_have_the_roots_that_they_have() {
        for width in [2, 3, 4] {
            for a in ints(width) {
                for b in ints(width) {
                    for c in ints(width) {
                        check_root(&[a, b, c]);
                        if width == 3 {
                            ints(width).for_each(|d| check_root(&[a, b, c, d]));
                        }
                    }
                }
            }
        }
    }
    fn check_root(operands: &[Int]) {
        let width = operands[0].width();
        let expected = iterate(operands, Int::is_zero, 64 << width);
        let found = first_root(operands).map(|x| x.map(Int::bits));
        let expected = match expected {
            Some(x) if x >> width != 0 => Err(()),
            x => Ok(x),
        };
        assert_eq!(found, expected, "{operands:?}");
    }
    #[test]
    fn quadratic_recurrences_leave_ranges_when_they_do() {
        let width = 4;
        let mut found_some = 0;
        for (a, b) in ints(width).flat_map(|a| ints(width).map(move |b| (a, b))) {
            for (c, upper) in ints(width).flat_map(|a| ints(width).map(move |b| (a, b))) {
                for lower in ints(width) {
                    let Some(range) = ConstantRange::new(lower, upper) else { continue };
                    if let Some(found) = quadratic_leaves(&[a, b, c], range) {
                        let expected = iterate(&[a, b, c], |v| !range.contains(v), 64);
                        assert_eq!(Some(found.bits()), expected, "{a} {b} {c} leaves {range}");
                        found_some += 1;
                    }
                }
            }
        }
        assert!(found_some > 10_000, "{found_some}");
    }
}
