//! Normalizes the comparison under which a loop continues into a form with a known count.
//!
//! A loop continues while `left pred right`. The same comparison has several forms (unsigned `x > 0` is `x != 0`, and
//! `x <= n` is `x < n + 1` if that does not wrap). This module tries every form that may have a count and combines the
//! results, since all of them describe the same exit.

use super::condition::{Exit, Test};
use super::{Limit, solve};
use crate::ScalarEvolution;
use crate::expr::{Cast, Expr, Node};
use crate::facts::Flags;
use backedge_analysis::LoopId;
use backedge_analysis::range::{ConstantRange, exact_icmp_region};
use backedge_ir::entity::Inst;
use backedge_ir::int::Int;
use backedge_ir::opcode::IntPredicate as P;
use smallvec::SmallVec;

/// Limit on the number of header phis visited: each is asked for the arrival at which it would wrap. Ignoring further
/// ones gives a weaker bound.
const MOST_PHIS: usize = 16;

impl ScalarEvolution<'_> {
    /// The limit of an exit that leaves when the test first fails.
    pub(super) fn compared(&mut self, exit: &Exit, mut test: Test) -> Limit {
        let l = test.l;
        // If control may bypass the exit, the loop's obligation to end implies nothing about the exit.
        test.controls &= exit.always_passed;
        if self.is_invariant(test.left, l) && !self.is_invariant(test.right, l) {
            let [a, b] = test.flags;
            let pred = test.pred.swapped();
            test = Test { pred, left: test.right, right: test.left, flags: [b, a], ..test };
        }
        test = self.without_extensions(test);
        let Test { pred, left, right, .. } = test;
        match self.evaluate(pred, left, right) {
            Some(true) => return self.never(test, None),
            Some(false) => return self.at_once(self.width(left)),
            None => {}
        }
        if self.is_invariant(left, l) {
            return self.invariant(test);
        }
        if let Some(limit) = self.of_constants(test) {
            return limit;
        }
        let leaves_first = self.start_of(l, left).is_some_and(|start| {
            self.is_invariant(right, l) && self.is_entry_guarded(l, pred.inverse(), start, right)
        });
        if leaves_first {
            return self.at_once(self.width(left));
        }
        self.forms(test)
    }

    /// The start value of a recurrence.
    fn start_of(&self, l: LoopId, expr: Expr) -> Option<Expr> {
        self.arena.as_add_rec(expr).filter(|(of, _)| *of == l).map(|(_, operands)| operands[0])
    }

    /// Replaces a comparison of two extended values by a comparison of the narrow values.
    fn without_extensions(&mut self, test: Test) -> Test {
        let cast = |e: Expr| match self.node(e) {
            Node::Cast(cast @ (Cast::ZExt | Cast::SExt), of) => Some((cast, of)),
            _ => None,
        };
        let (Some((a, left)), b) = (cast(test.left), cast(test.right)) else { return test };
        let width = self.width(left);
        let right = match b {
            Some((b, right)) if a == b && self.width(right) == width => right,
            _ => {
                let Some(constant) = self.as_constant(test.right) else { return test };
                let narrow = constant.trunc(width);
                let back = if a == Cast::ZExt {
                    narrow.zext(constant.width())
                } else {
                    narrow.sext(constant.width())
                };
                if back != constant {
                    return test;
                }
                self.constant(narrow)
            }
        };
        let pred = match test.pred {
            // Zero-extended values are not negative.
            P::Slt if a == Cast::ZExt => P::Ult,
            P::Sle if a == Cast::ZExt => P::Ule,
            P::Sgt if a == Cast::ZExt => P::Ugt,
            P::Sge if a == Cast::ZExt => P::Uge,
            // Sign extension preserves both orders.
            pred => pred,
        };
        Test { pred, left, right, flags: [Flags::NONE; 2], ..test }
    }

    /// Both sides are invariant: the exit leaves in the first iteration or never.
    fn invariant(&mut self, test: Test) -> Limit {
        let Test { l, pred, left, right, controls, .. } = test;
        if self.is_entry_guarded(l, pred, left, right) {
            Limit::NEVER
        } else if self.is_entry_guarded(l, pred.inverse(), left, right) || self.must_fire(l, controls) {
            self.at_once(self.width(left))
        } else {
            Limit::UNKNOWN
        }
    }

    /// The exit never leaves. The count that the comparison implies is correct nevertheless: the loop does not continue
    /// past the iteration in which the exit would leave. Any count beyond the iterations that the recurrence's flags
    /// permit is correct as well. If the loop has no other exit and cannot run forever, any count is correct: the loop
    /// is never entered.
    fn never(&mut self, test: Test, solved: Option<Int>) -> Limit {
        let l = test.l;
        let last = self.last_arrival(l, test.left);
        let natural = self.forms(test);
        let next = last.filter(|last| !last.is_all_ones()).map(|last| last.add(Int::one(last.width())));
        let exact = match (natural.exact, solved.or(next)) {
            (Some(natural), _) => Some(natural),
            (None, Some(next)) => Some(self.constant(next)),
            (None, None) => {
                let progress = self.progress(l);
                let doomed = test.controls && progress.leaves_by_exits && (progress.ends || last.is_some());
                doomed.then(|| self.int(self.width(test.left), 0))
            }
        };
        let most = exact.map(|e| self.entry_umax(e, l)).or(natural.constant_max).or(last);
        Limit { exact, constant_max: most, symbolic_max: exact, ..Limit::NEVER }
    }

    /// An upper bound of the last iteration, from `expr`, a recurrence of `l` whose flags hold in every iteration that
    /// happens.
    pub(super) fn last_arrival(&mut self, l: LoopId, expr: Expr) -> Option<Int> {
        let (of, operands) = self.arena.as_add_rec(expr)?;
        let &[start, step] = &operands[..] else { return None };
        let flags = self.flags_here(expr);
        if of != l || flags.is_empty() || !self.is_entry_nonzero(step, l) {
            return None;
        }
        let width = self.width(expr);
        let mut last: Option<Int> = None;
        let mut add = |way: Int, by: Int| {
            if let Some(n) = way.udiv(by) {
                last = Some(last.map_or(n, |known| known.umin(n)));
            }
        };
        let one = Int::one(width);
        if flags.nuw() {
            let way = Int::all_ones(width).sub(self.entry_bound(start, l, false, false));
            add(way, self.entry_bound(step, l, false, false).umax(one));
        }
        if let Some(negative) = self.entry_sign(step, l) {
            let magnitude = if negative { self.neg(step) } else { step };
            let by = self.entry_bound(magnitude, l, false, false).umax(one);
            add(Int::all_ones(width), by);
            if flags.nsw() {
                let from = self.entry_bound(start, l, true, negative);
                let to = extreme(width, true, !negative);
                add(if negative { from.sub(to) } else { to.sub(from) }, by);
            }
        }
        last
    }
    /// The bound of [`Self::last_arrival`] from any header phi of the loop.
    pub(super) fn last_of_header(&mut self, l: LoopId) -> Option<Int> {
        let phis: SmallVec<[Inst; 8]> = self.body().phis(self.header(l)).take(MOST_PHIS).collect();
        let mut last: Option<Int> = None;
        for phi in phis {
            let Some(expr) = self.expr(phi.into()) else { continue };
            if let Some(n) = self.last_arrival(l, expr) {
                last = Some(last.map_or(n, |known| super::least_constant(known, n)));
            }
        }
        last
    }

    /// A recurrence of constants compared with a constant: solved exactly.
    fn of_constants(&mut self, test: Test) -> Option<Limit> {
        let right = self.as_constant(test.right)?;
        let (of, operands) = self.arena.as_add_rec(test.left)?;
        if of != test.l {
            return None;
        }
        let operands: Vec<Int> =
            operands.iter().map(|e| self.arena.as_constant(*e)).collect::<Option<_>>()?;
        let stay = exact_icmp_region(test.pred, right);
        let count = match operands[..] {
            [start, step] => solve::affine_leaves(start, step, stay).ok()?,
            _ if test.pred == P::Ne => {
                let mut moved = operands;
                moved[0] = moved[0].sub(right);
                solve::first_root(&moved).ok()?
            }
            _ => Some(solve::quadratic_leaves(&operands, stay)?),
        };
        let last = self.last_arrival(test.l, test.left);
        let beyond = |n: Int| last.is_some_and(|last| n.ugt(last));
        let Some(count) = count.filter(|n| !beyond(*n)) else {
            return Some(self.never(test, count));
        };
        Some(Limit::exact(self.constant(count), count))
    }

    /// Combines all forms of the comparison.
    fn forms(&mut self, test: Test) -> Limit {
        let mut limit = Limit::UNKNOWN;
        if let Some(other) = self.as_equality(test) {
            limit = self.equality(other);
        }
        if limit.exact.is_none() {
            limit = limit.or(match test.pred {
                P::Ne | P::Eq => self.equality(test),
                _ => self.order(test),
            });
        }
        limit
    }
    /// Rewrites a comparison with a constant as an equality comparison, if the range of the other side permits it.
    fn as_equality(&mut self, test: Test) -> Option<Test> {
        if matches!(test.pred, P::Ne | P::Eq) {
            return None;
        }
        let right = self.as_constant(test.right)?;
        let stay = exact_icmp_region(test.pred, right);
        let range = self.unsigned_range(test.left).intersect(self.signed_range(test.left));
        let single =
            |region: ConstantRange| region.as_constant().or_else(|| range.intersect(region).as_constant());
        let (pred, constant) = match (single(stay.inverse()), single(stay)) {
            (Some(leave), _) => (P::Ne, leave),
            (None, Some(stay)) => (P::Eq, stay),
            (None, None) => return None,
        };
        Some(Test { pred, right: self.constant(constant), ..test })
    }
    fn equality(&mut self, test: Test) -> Limit {
        let difference = self.sub(test.left, test.right);
        if test.pred == P::Ne {
            // Subtracting an invariant value preserves the no-self-wrap flag.
            let fixed = self.is_invariant(test.right, test.l);
            let no_wrap = fixed && self.flags_here(test.left).with(test.flags[0]).nw();
            self.until_zero(test.l, difference, no_wrap, test.controls)
        } else {
            self.while_zero(test.l, difference)
        }
    }

    /// An order comparison: normalizes it to a strict one, upwards or downwards.
    fn order(&mut self, test: Test) -> Limit {
        let signed = test.pred.is_signed();
        let down = matches!(test.pred, P::Ugt | P::Uge | P::Sgt | P::Sge);
        if matches!(test.pred, P::Ult | P::Slt | P::Ugt | P::Sgt) {
            return self.until_bound(test, signed, down);
        }
        let width = self.width(test.left);
        // `x <= n` is `x < n + 1`, unless `n` is the greatest value; in that case the exit never leaves.
        let step = self.int(width, if down { -1 } else { 1 });
        let invariant = self.is_invariant(test.right, test.l);
        let extreme = extreme(width, signed, !down);
        let possible = if invariant {
            self.entry_may_be(test.right, test.l, extreme)
        } else {
            let ranges = [self.unsigned_range(test.right), self.signed_range(test.right)];
            ranges.iter().all(|r| r.contains(extreme))
        };
        if !possible || invariant && self.must_fire(test.l, test.controls) {
            let right = self.add(&[test.right, step]);
            let strict = Test { right, ..test };
            return self.until_bound(strict, signed, down);
        }
        if width * 2 > Int::MAX_WIDTH {
            return Limit::UNKNOWN;
        }
        let [left, right] = [test.left, test.right]
            .map(|e| if signed { self.sext(e, width * 2) } else { self.zext(e, width * 2) });
        let step = self.int(width * 2, if down { -1 } else { 1 });
        let right = self.add(&[right, step]);
        // Zero-extended values have the same signed order, and one less than zero is less than all of them.
        self.until_bound(Test { left, right, ..test }, signed || down, down)
    }

    /// Whether `expr`, evaluated on entry to `l`, may equal `value`.
    fn entry_may_be(&mut self, expr: Expr, l: LoopId, value: Int) -> bool {
        let guarded = self.apply_guards(expr, l);
        for e in [expr, guarded] {
            if !self.unsigned_range(e).contains(value) || !self.signed_range(e).contains(value) {
                return false;
            }
        }
        let value = self.constant(value);
        !self.is_entry_guarded(l, P::Ne, expr, value)
    }
    /// The greatest unsigned value of `expr`, evaluated on entry to `l`.
    pub(super) fn entry_umax(&mut self, expr: Expr, l: LoopId) -> Int {
        self.entry_bound(expr, l, false, true)
    }
    /// The least or greatest value of `expr`, evaluated on entry to `l`.
    pub(super) fn entry_bound(&mut self, expr: Expr, l: LoopId, signed: bool, greatest: bool) -> Int {
        let own = self.bound(expr, signed, greatest);
        if self.as_constant(expr).is_some() {
            return own;
        }
        let guarded = self.apply_guards(expr, l);
        if guarded == expr {
            return own;
        }
        let other = self.bound(guarded, signed, greatest);
        match (signed, greatest) {
            (false, true) => own.umin(other),
            (false, false) => own.umax(other),
            (true, true) => own.smin(other),
            (true, false) => own.smax(other),
        }
    }
    /// The least or greatest value of `expr`.
    pub(super) fn bound(&mut self, expr: Expr, signed: bool, greatest: bool) -> Int {
        let range = if signed { self.signed_range(expr) } else { self.unsigned_range(expr) };
        let bound = match (signed, greatest) {
            (false, true) => range.unsigned_max(),
            (false, false) => range.unsigned_min(),
            (true, true) => range.signed_max(),
            (true, false) => range.signed_min(),
        };
        bound.unwrap_or(extreme(self.width(expr), signed, greatest))
    }
}

/// The least or greatest value of an integer type.
pub(super) fn extreme(width: u32, signed: bool, greatest: bool) -> Int {
    match (signed, greatest) {
        (false, true) => Int::all_ones(width),
        (false, false) => Int::zero(width),
        (true, true) => Int::signed_max(width),
        (true, false) => Int::signed_min(width),
    }
}
