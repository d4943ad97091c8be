//! Ranges: the values that an expression can take.
//!
//! Requires only the expression. Ranges follow from the shape of expressions, from their facts in defining scopes, from
//! the facts of values of the body, and from already known maximum counts of loops; no count is computed and no
//! expression is created. Guarantee: every value of the expression at a point of its defining scope, with leaves that
//! are not poison and without division by zero, lies in its ranges.
//!
//! Each expression has two ranges, one narrow as unsigned and one narrow as signed; each sharpens the other. They are
//! cached with the [version](Version) of their inputs. When more is known, the queried expression and its operands down
//! to [`RENEWED`] levels are derived again; below that level older ranges are reused. They are correct but may be
//! wider, which keeps an analysis that learns incrementally linear.
//!
//! `recurrence` handles add recurrences, `unknown` values of the body, `multiple` common divisors of all values. The
//! rules are those of interval arithmetic on [`ConstantRange`]s.

mod multiple;
mod recurrence;
mod unknown;

use crate::ScalarEvolution;
use crate::expr::{Cast, Expr, NAry, Node};
use crate::facts::Flags;
use backedge_analysis::known_bits::KnownBits;
use backedge_analysis::range::{ConstantRange, Prefer};
use backedge_ir::inst::Value;
use backedge_ir::int::Int;
use rustc_hash::{FxHashMap, FxHashSet};

/// The number of operand levels that are derived again after a new fact: deeper operands keep their earlier ranges,
/// which are correct but may be wider.
const RENEWED: u32 = 4;
/// Expression depth above which operands are processed iteratively, operands before users: bounds the recursion.
const DEEP: u32 = 24;

/// The version of the inputs of ranges.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Version {
    facts: u64,
    counts: u64,
    forgotten: u64,
}

/// The two ranges of an expression.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Ranges {
    pub(crate) unsigned: ConstantRange,
    pub(crate) signed: ConstantRange,
}

impl Ranges {
    fn full(width: u32) -> Self {
        Self::both(ConstantRange::full(width))
    }
    fn both(range: ConstantRange) -> Self {
        Self { unsigned: range, signed: range }
    }
    /// The intersection, with the preferred form for each range.
    fn meet(self, other: Self) -> Self {
        Self {
            unsigned: self.unsigned.intersect_with(other.unsigned, Prefer::Unsigned),
            signed: self.signed.intersect_with(other.signed, Prefer::Signed),
        }
    }
    fn meet_range(self, range: ConstantRange) -> Self {
        self.meet(Self::both(range))
    }
    /// Sharpens each range with the other.
    fn sharpened(self) -> Self {
        if self.unsigned == self.signed {
            return self;
        }
        self.meet(Self { unsigned: self.signed, signed: self.unsigned })
    }
    /// Replaces empty ranges by full ones: nothing is claimed about a value that is always poison.
    fn or_full(self) -> Self {
        if self.unsigned.is_empty() || self.signed.is_empty() {
            Self::full(self.unsigned.width())
        } else {
            self
        }
    }
    fn map(self, change: impl Fn(ConstantRange) -> ConstantRange) -> Self {
        Self { unsigned: change(self.unsigned), signed: change(self.signed) }
    }
    fn with(self, other: Self, op: impl Fn(ConstantRange, ConstantRange) -> ConstantRange) -> Self {
        Self { unsigned: op(self.unsigned, other.unsigned), signed: op(self.signed, other.signed) }
    }
}

/// Cached ranges.
#[derive(Copy, Clone, Debug)]
struct Entry {
    version: Version,
    ranges: Ranges,
    /// If ranges were derived without the incoming values of pending phis, the number of the phi query during which
    /// they are good enough.
    during: Option<u64>,
}

/// The computed ranges.
#[derive(Debug, Default)]
pub(crate) struct RangeCache {
    ranges: FxHashMap<Expr, Entry>,
    multiples: FxHashMap<Expr, (Version, Int)>,
    /// The number of calls of `forget_ranges`.
    forgotten: u64,
    /// Phis whose operands are under evaluation.
    pending: FxHashSet<Value>,
    /// The number of times that incoming values of a phi were excluded.
    left_out: u64,
    /// The number of top-level phi evaluations.
    looked: u64,
}

impl ScalarEvolution<'_> {
    /// Forgets all ranges, so that later queries derive them from all facts known by then, independent of earlier
    /// queries.
    pub fn forget_ranges(&mut self) {
        self.ranges.ranges.clear();
        self.ranges.multiples.clear();
        self.ranges.forgotten += 1;
    }
}

impl ScalarEvolution<'_> {
    /// A range of all values of `expr` in its defining scope, chosen to be narrow as unsigned. Never empty.
    pub fn unsigned_range(&mut self, expr: Expr) -> ConstantRange {
        self.ranges_here(expr).unsigned
    }
    /// A range of all values of `expr` in its defining scope, chosen to be narrow as signed. Never empty.
    pub fn signed_range(&mut self, expr: Expr) -> ConstantRange {
        self.ranges_here(expr).signed
    }
    /// A lower bound of `expr` as unsigned.
    pub fn unsigned_min(&mut self, expr: Expr) -> Int {
        self.unsigned_range(expr).unsigned_min().unwrap_or(Int::zero(self.width(expr)))
    }
    /// An upper bound of `expr` as unsigned.
    pub fn unsigned_max(&mut self, expr: Expr) -> Int {
        self.unsigned_range(expr).unsigned_max().unwrap_or(Int::all_ones(self.width(expr)))
    }
    /// A lower bound of `expr` as signed.
    pub fn signed_min(&mut self, expr: Expr) -> Int {
        self.signed_range(expr).signed_min().unwrap_or(Int::signed_min(self.width(expr)))
    }
    /// An upper bound of `expr` as signed.
    pub fn signed_max(&mut self, expr: Expr) -> Int {
        self.signed_range(expr).signed_max().unwrap_or(Int::signed_max(self.width(expr)))
    }
    /// Whether `expr` is never negative.
    pub fn is_known_non_negative(&mut self, expr: Expr) -> bool {
        !self.signed_min(expr).is_negative()
    }
    /// Whether `expr` is never zero.
    pub fn is_known_non_zero(&mut self, expr: Expr) -> bool {
        let zero = Int::zero(self.width(expr));
        let ranges = self.ranges_here(expr);
        !ranges.unsigned.contains(zero) || !ranges.signed.contains(zero)
    }

    pub(crate) fn range_version(&self) -> Version {
        Version {
            facts: self.facts.epoch(),
            counts: self.counts.of.len() as u64,
            forgotten: self.ranges.forgotten,
        }
    }
    /// The ranges of `expr`, including facts of the current context.
    fn ranges_here(&mut self, expr: Expr) -> Ranges {
        let ranges = self.ranges(expr, 0);
        if self.has_context() && self.flags_here(expr) != self.flags(expr) {
            let flags = self.flags_here(expr);
            let node = self.node(expr);
            return ranges.meet(self.derive(expr, &node, flags, RENEWED).or_full()).or_full();
        }
        ranges
    }
    /// The ranges of `expr`, which is `level` levels below the queried expression.
    fn ranges(&mut self, expr: Expr, level: u32) -> Ranges {
        if let Some(value) = self.as_constant(expr) {
            return Ranges::both(ConstantRange::constant(value));
        }
        let version = self.range_version();
        let serves = |during: Option<u64>| match during {
            Some(n) => !self.ranges.pending.is_empty() && n == self.ranges.looked,
            None => true,
        };
        match self.ranges.ranges.get(&expr) {
            Some(kept) if serves(kept.during) && (kept.version == version || level >= RENEWED) => {
                return kept.ranges;
            }
            Some(_) => {}
            None if self.arena.depth(expr) > DEEP => self.derive_parts(expr),
            None => {}
        }
        let (node, flags, left_out) = (self.node(expr), self.flags(expr), self.ranges.left_out);
        let mut ranges = self.derive(expr, &node, flags, level);
        if let Some(before) = self.ranges.ranges.get(&expr) {
            ranges = ranges.meet(before.ranges);
        }
        let ranges = ranges.or_full();
        let partial = self.ranges.left_out != left_out && !self.ranges.pending.is_empty();
        let during = partial.then_some(self.ranges.looked);
        self.ranges.ranges.insert(expr, Entry { version, ranges, during });
        ranges
    }
    /// Derives the ranges of all parts of `expr` without ranges, in an order that needs no recursion.
    fn derive_parts(&mut self, root: Expr) {
        let mut parts = Vec::new();
        let mut seen = FxHashSet::default();
        let mut work = vec![root];
        while let Some(expr) = work.pop() {
            if !self.ranges.ranges.contains_key(&expr) && seen.insert(expr) {
                parts.push(expr);
                work.extend_from_slice(self.arena.node(expr).operands());
            }
        }
        // Operands were created before their users.
        parts.sort_unstable();
        parts.pop();
        for part in parts {
            self.ranges(part, RENEWED);
        }
    }
    fn derive(&mut self, expr: Expr, node: &Node, flags: Flags, level: u32) -> Ranges {
        let width = self.width(expr);
        let ranges = match node {
            Node::Constant(value) => Ranges::both(ConstantRange::constant(*value)),
            Node::Unknown(value) => self.ranges_of_value(*value, width),
            Node::Cast(cast, of) => self.ranges_of_cast(*cast, *of, width, level),
            Node::NAry(NAry::Add, operands) => self.ranges_of_sum(operands, flags, level),
            Node::NAry(op, operands) => self.ranges_of_nary(*op, operands, flags, level),
            Node::UDiv([left, right]) => {
                self.ranges(*left, level + 1).with(self.ranges(*right, level + 1), ConstantRange::udiv)
            }
            Node::AddRec(l, operands) => self.ranges_of_add_rec(*l, operands, flags, level),
            Node::CouldNotCompute => Ranges::full(width),
        };
        let ranges = ranges.sharpened();
        self.rounded(expr, ranges, level).sharpened()
    }
    fn ranges_of_cast(&mut self, cast: Cast, of: Expr, width: u32, level: u32) -> Ranges {
        let ranges = self.ranges(of, level + 1);
        match cast {
            Cast::Trunc => ranges.map(|r| r.trunc(width, false, false)),
            Cast::ZExt => Ranges::both(ranges.unsigned.zext(width, false)),
            Cast::SExt => Ranges::both(ranges.signed.sext(width)),
            Cast::PtrToInt => ranges,
        }
    }
    fn ranges_of_nary(&mut self, op: NAry, operands: &[Expr], flags: Flags, level: u32) -> Ranges {
        let step = |a: ConstantRange, b: ConstantRange| match op {
            NAry::Add => a.add(b, flags.nuw(), flags.nsw()),
            NAry::Mul => a.mul(b, flags.nuw(), flags.nsw()),
            NAry::UMax => a.umax(b),
            NAry::SMax => a.smax(b),
            NAry::UMin | NAry::UMinSeq => a.umin(b),
            NAry::SMin => a.smin(b),
        };
        let mut ranges = self.ranges(operands[0], level + 1);
        for operand in &operands[1..] {
            ranges = ranges.with(self.ranges(*operand, level + 1), step).sharpened();
        }
        ranges
    }
    fn ranges_of_sum(&mut self, operands: &[Expr], flags: Flags, level: u32) -> Ranges {
        let mut ranges = self.ranges_of_nary(NAry::Add, operands, flags, level);
        if let [a, b] = operands {
            for (whole, negated) in [(*a, *b), (*b, *a)] {
                if let Some(range) = self.range_of_rest(whole, negated, level) {
                    ranges = ranges.meet_range(range);
                }
            }
        }
        ranges
    }
    /// The range of `whole + negated`, if `negated` subtracts a part of `whole`, so that the difference does not wrap:
    /// remainders and saturating subtraction have that form.
    fn range_of_rest(&mut self, whole: Expr, negated: Expr, level: u32) -> Option<ConstantRange> {
        let factors = self.arena.as_nary(NAry::Mul, negated)?.clone();
        if let [factor, quotient] = *factors
            && let Node::UDiv([dividend, divisor]) = *self.arena.node(quotient)
            && dividend == whole
            && let (Some(factor), Some(divisor)) = (self.as_constant(factor), self.as_constant(divisor))
            && factor.neg() == divisor
        {
            let divisor = ConstantRange::constant(divisor);
            return Some(self.ranges(whole, level + 1).unsigned.urem(divisor));
        }
        if let [factor, first, second] = *factors
            && self.as_constant(factor).is_some_and(Int::is_all_ones)
        {
            for (quotient, divisor) in [(first, second), (second, first)] {
                if *self.arena.node(quotient) == Node::UDiv([whole, divisor]) {
                    let divisor = self.ranges(divisor, level + 1).unsigned;
                    return Some(self.ranges(whole, level + 1).unsigned.urem(divisor));
                }
            }
        }
        let [factor, part] = *factors else { return None };
        if !self.as_constant(factor)?.is_all_ones() {
            return None;
        }
        let has = |op: NAry, of: Expr, operand: Expr| {
            self.arena.as_nary(op, of).is_some_and(|operands| operands.contains(&operand))
        };
        let unsigned = has(NAry::UMin, part, whole) || has(NAry::UMax, whole, part);
        let signed = has(NAry::SMin, part, whole) || has(NAry::SMax, whole, part);
        if unsigned {
            let (whole, part) = (self.ranges(whole, level + 1), self.ranges(part, level + 1));
            return Some(whole.unsigned.sub(part.unsigned, true, false));
        }
        if signed {
            // As an integer the difference is at least 0 and below 2^width, so it is an unsigned number.
            let (whole, part) = (self.ranges(whole, level + 1).signed, self.ranges(part, level + 1).signed);
            let most = whole.signed_max()?.sub(part.signed_min()?);
            return Some(ConstantRange::inclusive(Int::zero(most.width()), most));
        }
        None
    }
    /// Moves the ends of `ranges` to multiples of the known divisor of `expr`.
    fn rounded(&mut self, expr: Expr, ranges: Ranges, level: u32) -> Ranges {
        let multiple = self.multiple(expr, level);
        if multiple.is_zero() || multiple.is_one() {
            return ranges;
        }
        let width = multiple.width();
        let zeros = KnownBits::with_trailing_zeros(width, multiple.trailing_zeros());
        let mut ranges = ranges.map(|r| r.meet_known_bits(zeros));
        // Rounding to the extremes of the order gives a narrower range than an arc that wraps past them.
        if ranges.signed.is_sign_wrapped() {
            ranges.signed = ConstantRange::from_known_bits(zeros, true);
        }
        if ranges.unsigned.is_wrapped() {
            ranges.unsigned = ConstantRange::from_known_bits(zeros, false);
        }
        let (Some(min), Some(max)) = (ranges.unsigned.unsigned_min(), ranges.unsigned.unsigned_max()) else {
            return ranges;
        };
        let (Some(below), Some(above)) = (min.urem(multiple), max.urem(multiple)) else { return ranges };
        let first = if below.is_zero() {
            min
        } else if min.add_overflows_unsigned(multiple.sub(below)) {
            return ranges;
        } else {
            min.add(multiple.sub(below))
        };
        let last = max.sub(above);
        if first.ugt(last) { ranges } else { ranges.meet_range(ConstantRange::inclusive(first, last)) }
    }
}
