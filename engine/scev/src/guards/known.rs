//! Predicates that hold wherever both sides are defined: from ranges, shape and facts.
//!
//! Greater-than is less-than with exchanged operands, which leaves six predicates. The rules for an order, unsigned or
//! signed, work on exact integers. Two sums that do not wrap compare as their rests without the common operands. A
//! minimum is at most each operand. Casts preserve an order. Add recurrences that do not wrap and have equal steps
//! compare as their starts.

use super::{Comparison, ScalarEvolution};
use crate::expr::{Cast, Expr, NAry, Node};
use backedge_ir::int::Int;
use backedge_ir::opcode::IntPredicate as P;
use smallvec::SmallVec;

/// An order of integers, strict or not.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Less {
    pub(super) signed: bool,
    pub(super) strict: bool,
}

impl Less {
    pub(super) fn predicate(self) -> P {
        match (self.signed, self.strict) {
            (false, true) => P::Ult,
            (false, false) => P::Ule,
            (true, true) => P::Slt,
            (true, false) => P::Sle,
        }
    }
    /// `pred` as an order, and whether its operands must be exchanged; `None` for equalities.
    pub(super) fn of(pred: P) -> Option<(Self, bool)> {
        let less = |signed, strict, exchanged| Some((Self { signed, strict }, exchanged));
        match pred {
            P::Ult => less(false, true, false),
            P::Ule => less(false, false, false),
            P::Slt => less(true, true, false),
            P::Sle => less(true, false, false),
            P::Ugt => less(false, true, true),
            P::Uge => less(false, false, true),
            P::Sgt => less(true, true, true),
            P::Sge => less(true, false, true),
            P::Eq | P::Ne => None,
        }
    }
    pub(super) fn or_equal(self) -> Self {
        Self { strict: false, ..self }
    }
}

/// The fact or goal that `low` precedes `high`.
#[derive(Copy, Clone, Debug)]
pub(super) struct Ordered {
    pub(super) by: Less,
    pub(super) low: Expr,
    pub(super) high: Expr,
}

impl Ordered {
    /// A comparison as an order; `None` for equalities.
    pub(super) fn of(Comparison { pred, left, right }: Comparison) -> Option<Self> {
        let (by, exchanged) = Less::of(pred)?;
        let (low, high) = if exchanged { (right, left) } else { (left, right) };
        Some(Self { by, low, high })
    }
}

impl ScalarEvolution<'_> {
    /// Whether `left pred right` is provable without conditions and loops.
    pub(super) fn is_known_locally(&mut self, pred: P, left: Expr, right: Expr) -> bool {
        let depth = self.limits.proof_depth;
        self.known(pred, left, right, depth)
    }
    /// Whether `left pred right` is provable by at most `depth` nested rules.
    pub(super) fn known(&mut self, pred: P, left: Expr, right: Expr, depth: u32) -> bool {
        if self.width(left) != self.width(right)
            || self.is_could_not_compute(left)
            || self.is_could_not_compute(right)
        {
            return false;
        }
        match Less::of(pred) {
            Some((less, true)) => self.less(less, right, left, depth),
            Some((less, false)) => self.less(less, left, right, depth),
            None => self.equal(pred == P::Eq, left, right, depth),
        }
    }
    fn equal(&mut self, truth: bool, left: Expr, right: Expr, depth: u32) -> bool {
        if left == right {
            return truth;
        }
        if self.by_ranges(if truth { P::Eq } else { P::Ne }, left, right) {
            return true;
        }
        if let Some(difference) = self.constant_difference(left, right) {
            return difference.is_zero() == truth;
        }
        if depth == 0 || !self.step() {
            return false;
        }
        // A lossless cast preserves equality and inequality.
        if let (Node::Cast(a @ (Cast::ZExt | Cast::SExt), x), Node::Cast(b, y)) =
            (self.arena.node(left), self.arena.node(right))
            && a == b
            && self.width(*x) == self.width(*y)
        {
            let (x, y) = (*x, *y);
            return self.equal(truth, x, y, depth - 1);
        }
        let strict = |signed| Less { signed, strict: true };
        !truth
            && (self.less(strict(false), left, right, depth - 1)
                || self.less(strict(false), right, left, depth - 1)
                || self.less(strict(true), left, right, depth - 1)
                || self.less(strict(true), right, left, depth - 1))
    }
    pub(super) fn by_ranges(&mut self, pred: P, left: Expr, right: Expr) -> bool {
        let unsigned = |this: &mut Self| {
            let (a, b) = (this.unsigned_range(left), this.unsigned_range(right));
            a.icmp(pred, b) == Some(true)
        };
        let signed = |this: &mut Self| {
            let (a, b) = (this.signed_range(left), this.signed_range(right));
            a.icmp(pred, b) == Some(true)
        };
        match pred {
            P::Eq | P::Ne => unsigned(self) || signed(self),
            _ if pred.is_signed() => signed(self),
            _ => unsigned(self),
        }
    }
    /// Whether `left` precedes `right` in the order.
    pub(super) fn less(&mut self, less: Less, left: Expr, right: Expr, depth: u32) -> bool {
        if left == right {
            return !less.strict;
        }
        if self.by_ranges(less.predicate(), left, right) {
            return true;
        }
        if depth == 0 || !self.step() {
            return false;
        }
        self.less_by_sums(less, left, right, depth)
            || self.less_by_casts(less, left, right, depth)
            || self.less_by_recurrences(less, left, right, depth)
            || self.less_by_parts(less, left, right, depth)
            || self.less_by_sign(less, left, right, depth)
    }
    /// Both orders agree on non-negative numbers.
    fn less_by_sign(&mut self, less: Less, left: Expr, right: Expr, depth: u32) -> bool {
        let other = Less { signed: !less.signed, ..less };
        // Signed `0 <= left < right` implies the unsigned order; unsigned `left < right` with non-negative `right`
        // implies the signed order.
        let side = if less.signed { right } else { left };
        self.is_known_non_negative(side) && self.less(other, left, right, depth - 1)
    }

    /// Whether the sum of all operands of `expr`, and of every subset of them, is in range in the order, as exact
    /// integers. True for any expression other than a sum.
    pub(super) fn sum_fits(&mut self, expr: Expr, signed: bool) -> bool {
        let Some(operands) = self.arena.as_nary(NAry::Add, expr).cloned() else { return true };
        let flags = self.flags_here(expr);
        if if signed { flags.nsw() } else { flags.nuw() } {
            return true;
        }
        let width = self.width(expr);
        if signed {
            let (mut low, mut high) = (0i128, 0i128);
            for operand in operands.iter() {
                let (min, max) = (self.signed_min(*operand), self.signed_max(*operand));
                let sums = low.checked_add(min.signed().min(0)).zip(high.checked_add(max.signed().max(0)));
                let Some(sums) = sums else { return false };
                (low, high) = sums;
            }
            low >= Int::signed_min(width).signed() && high <= Int::signed_max(width).signed()
        } else {
            let mut high = 0u128;
            for operand in operands.iter() {
                let Some(sum) = high.checked_add(self.unsigned_max(*operand).bits()) else { return false };
                high = sum;
            }
            high <= Int::all_ones(width).bits()
        }
    }
    fn summands(&self, expr: Expr) -> SmallVec<[Expr; 4]> {
        match self.arena.as_nary(NAry::Add, expr) {
            Some(operands) => SmallVec::from_slice(operands),
            None => SmallVec::from_slice(&[expr]),
        }
    }
    /// Sums that do not wrap compare as their rests without the common operands.
    fn less_by_sums(&mut self, less: Less, left: Expr, right: Expr, depth: u32) -> bool {
        let is_sum = |e: Expr| self.arena.as_nary(NAry::Add, e).is_some();
        if !is_sum(left) && !is_sum(right) || self.ty(left) != self.ty(right) {
            return false;
        }
        if self.less_by_offset(less, left, right) {
            return true;
        }
        let (mut a, mut b) = (self.summands(left), self.summands(right));
        remove_common(&mut a, &mut b);
        let common = self.summands(left).len() > a.len();
        if a.len() > 2
            || b.len() > 2
            || !self.sum_fits(left, less.signed)
            || !self.sum_fits(right, less.signed)
        {
            return false;
        }
        if !common {
            // Each side is a constant plus a rest: both pairs must be ordered.
            let (&[x, a], &[y, b]) = (a.as_slice(), b.as_slice()) else { return false };
            let constants = self.as_constant(x).is_some() && self.as_constant(y).is_some();
            return constants
                && self.by_ranges(less.or_equal().predicate(), x, y)
                && self.less(less, a, b, depth - 1);
        }
        let (a, b) = (self.part_of_sum(left, &a), self.part_of_sum(right, &b));
        self.less(less, a, b, depth - 1)
    }
    /// The sum of some operands of `whole`; zero for no operands.
    fn part_of_sum(&mut self, whole: Expr, operands: &[Expr]) -> Expr {
        match operands {
            [] => self.int(self.width(whole), 0),
            [one] => *one,
            _ => self.add(operands),
        }
    }
    /// `x + c` against `x + d`, if ranges or flags prove that the constants are added as exact integers.
    fn less_by_offset(&mut self, less: Less, left: Expr, right: Expr) -> bool {
        let (x, c) = self.split_constant(left);
        let (y, d) = self.split_constant(right);
        if x != y {
            return false;
        }
        let (Some(c), Some(d)) =
            (self.exact_offset(left, &x, c, less.signed), self.exact_offset(right, &y, d, less.signed))
        else {
            return false;
        };
        if less.strict { c < d } else { c <= d }
    }
    /// Splits a sum into its non-constant operands and its constant.
    pub(super) fn split_constant(&self, expr: Expr) -> (SmallVec<[Expr; 4]>, Int) {
        let mut operands = self.summands(expr);
        match operands.first().and_then(|e| self.as_constant(*e)) {
            Some(constant) => {
                operands.remove(0);
                (operands, constant)
            }
            None => (operands, Int::zero(self.width(expr))),
        }
    }
    /// The exact integer offset by which the constant `c` moves the sum of `rest` in the order, if the addition does
    /// not wrap.
    pub(super) fn exact_offset(&mut self, whole: Expr, rest: &[Expr], c: Int, signed: bool) -> Option<i128> {
        if c.is_zero() {
            return Some(0);
        }
        let flags = self.flags_here(whole);
        if signed {
            let [rest] = *rest else { return flags.nsw().then(|| c.signed()) };
            let end = if c.is_negative() { self.signed_min(rest) } else { self.signed_max(rest) };
            return (flags.nsw() || !end.add_overflows_signed(c)).then(|| c.signed());
        }
        let up = i128::try_from(c.bits()).ok();
        let [rest] = *rest else { return up.filter(|_| flags.nuw()) };
        if flags.nuw() || !self.unsigned_max(rest).add_overflows_unsigned(c) {
            return up;
        }
        // The addition wraps for all values, so it is an exact subtraction.
        let down = c.neg();
        self.unsigned_min(rest).uge(down).then(|| i128::try_from(down.bits()).ok().map(|d| -d)).flatten()
    }

    fn less_by_casts(&mut self, less: Less, left: Expr, right: Expr, depth: u32) -> bool {
        let node = |this: &Self, e: Expr| match this.arena.node(e) {
            Node::Cast(cast @ (Cast::ZExt | Cast::SExt), of) => Some((*cast, *of)),
            _ => None,
        };
        let (a, b) = (node(self, left), node(self, right));
        if let (Some((cast, x)), Some((other, y))) = (a, b)
            && self.width(x) == self.width(y)
        {
            // Sign extension preserves both orders; after zero extension, both orders equal the unsigned order of the
            // operands.
            match (cast, other) {
                (Cast::ZExt, Cast::ZExt) => {
                    return self.less(Less { signed: false, ..less }, x, y, depth - 1);
                }
                (Cast::SExt, Cast::SExt) => return self.less(less, x, y, depth - 1),
                (Cast::ZExt, Cast::SExt) if x == y && !less.signed && !less.strict => return true,
                (Cast::SExt, Cast::ZExt) if x == y && less.signed && !less.strict => return true,
                _ => {}
            }
        }
        // Against a constant that fits the narrow type.
        if let (Some((cast, x)), Some(c)) = (a, self.as_constant(right))
            && let Some(c) = self.narrowed(cast, c, self.width(x))
        {
            let less = if cast == Cast::ZExt { Less { signed: false, ..less } } else { less };
            return self.less(less, x, c, depth - 1);
        }
        if let (Some(c), Some((cast, x))) = (self.as_constant(left), b)
            && let Some(c) = self.narrowed(cast, c, self.width(x))
        {
            let less = if cast == Cast::ZExt { Less { signed: false, ..less } } else { less };
            return self.less(less, c, x, depth - 1);
        }
        false
    }
    /// The constant of `width` bits that `cast` extends to `c`, if there is one.
    pub(super) fn narrowed(&mut self, cast: Cast, c: Int, width: u32) -> Option<Expr> {
        let lost =
            if cast == Cast::ZExt { c.trunc_loses_unsigned(width) } else { c.trunc_loses_signed(width) };
        (!lost).then(|| self.constant(c.trunc(width)))
    }

    fn less_by_recurrences(&mut self, less: Less, left: Expr, right: Expr, depth: u32) -> bool {
        let a = self.arena.as_add_rec(left).map(|(l, o)| (l, o.clone()));
        let b = self.arena.as_add_rec(right).map(|(l, o)| (l, o.clone()));
        let fits = |this: &Self, e: Expr| {
            let flags = this.flags_here(e);
            if less.signed { flags.nsw() } else { flags.nuw() }
        };
        if let (Some((l, x)), Some((m, y))) = (&a, &b)
            && l == m
            && x[1..] == y[1..]
            && x.len() == 2
        {
            return fits(self, left) && fits(self, right) && self.less(less, x[0], y[0], depth - 1);
        }
        // An increasing recurrence is not below its start; a decreasing one is not above it.
        if let Some((_, y)) = &b
            && y.len() == 2
            && fits(self, right)
            && (!less.signed || self.is_known_non_negative(y[1]))
            && self.less(less, left, y[0], depth - 1)
        {
            return true;
        }
        if let Some((_, x)) = &a
            && x.len() == 2
            && less.signed
            && fits(self, left)
            && !self.signed_max(x[1]).sgt(Int::zero(self.width(left)))
        {
            return self.less(less, x[0], right, depth - 1);
        }
        false
    }

    /// Proves the order from an operand of a minimum, a maximum, a quotient, or a sum whose other terms are
    /// non-negative.
    fn less_by_parts(&mut self, less: Less, left: Expr, right: Expr, depth: u32) -> bool {
        let (min, max) = if less.signed { (NAry::SMin, NAry::SMax) } else { (NAry::UMin, NAry::UMax) };
        let operands = |this: &Self, e: Expr| match this.arena.node(e) {
            Node::NAry(op, operands) if op.is_min_max() => Some((*op, operands.clone())),
            _ => None,
        };
        if let Some((op, of)) = operands(self, left) {
            let is_min = op == min || op == NAry::UMinSeq && !less.signed;
            if is_min && of.iter().any(|e| self.less(less, *e, right, depth - 1)) {
                return true;
            }
            // The result is one of the operands, in whichever order it was selected.
            if !is_min && of.iter().all(|e| self.less(less, *e, right, depth - 1)) {
                return true;
            }
        }
        if let Some((op, of)) = operands(self, right) {
            if op == max && of.iter().any(|e| self.less(less, left, *e, depth - 1)) {
                return true;
            }
            if op != max && of.iter().all(|e| self.less(less, left, *e, depth - 1)) {
                return true;
            }
        }
        if let Node::UDiv([dividend, _]) = *self.arena.node(left)
            && (!less.signed || self.is_known_non_negative(dividend))
            && self.less(less, dividend, right, depth - 1)
        {
            return true;
        }
        self.less_by_subset(less, left, right)
    }
    /// A sum without unsigned wrap is at least each of its parts; a signed sum is if the rest is non-negative.
    fn less_by_subset(&mut self, less: Less, left: Expr, right: Expr) -> bool {
        let (mut a, mut b) = (self.summands(left), self.summands(right));
        if b.len() < 2 && a.len() < 2 || self.ty(left) != self.ty(right) {
            return false;
        }
        remove_common(&mut a, &mut b);
        // The remaining terms on the left must not be positive, and those on the right must not be negative.
        if !less.signed && !a.is_empty()
            || !self.sum_fits(left, less.signed)
            || !self.sum_fits(right, less.signed)
        {
            return false;
        }
        let zero = Int::zero(self.width(left));
        let mut strict = !less.strict;
        for e in &b {
            if less.signed && !self.is_known_non_negative(*e) {
                return false;
            }
            strict |= self.is_known_non_zero(*e);
        }
        for e in &a {
            if self.signed_max(*e).sgt(zero) {
                return false;
            }
            strict |= self.signed_max(*e).is_negative();
        }
        strict
    }

    /// `left - right` modulo 2^width, if it is a constant for all values of the leaves.
    pub fn constant_difference(&mut self, left: Expr, right: Expr) -> Option<Int> {
        if self.ty(left) != self.ty(right) {
            return None;
        }
        let zero = Int::zero(self.width(left));
        let (mut left, mut right, mut difference) = (left, right, zero);
        // Add recurrences with equal steps differ as their starts do.
        for _ in 0..self.limits.fold_depth {
            if left == right {
                return Some(difference);
            }
            let (mut a, mut b) = (self.summands(left), self.summands(right));
            remove_common(&mut a, &mut b);
            let mut take = |list: &mut SmallVec<[Expr; 4]>, negative: bool| {
                list.retain(|e| match self.arena.as_constant(*e) {
                    Some(c) => {
                        difference = if negative { difference.sub(c) } else { difference.add(c) };
                        false
                    }
                    None => true,
                });
            };
            take(&mut a, false);
            take(&mut b, true);
            match (a.as_slice(), b.as_slice()) {
                ([], []) => return Some(difference),
                (&[x], &[y]) => {
                    let ((l, of), (m, other)) = (self.arena.as_add_rec(x)?, self.arena.as_add_rec(y)?);
                    if l != m || of[1..] != other[1..] {
                        return None;
                    }
                    (left, right) = (of[0], other[0]);
                }
                _ => return None,
            }
        }
        None
    }
}

/// Removes the common elements from both lists.
fn remove_common(a: &mut SmallVec<[Expr; 4]>, b: &mut SmallVec<[Expr; 4]>) {
    a.retain(|e| match b.iter().position(|f| f == e) {
        Some(i) => {
            b.remove(i);
            false
        }
        None => true,
    });
}
