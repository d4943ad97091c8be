//! Implications of known conditions for another predicate.
//!
//! A condition against a constant puts an expression into a range; ranges of expressions that contain it are
//! reevaluated with that range. A condition `a < b` between two expressions implies `l < r` if `l - a` is bounded above
//! and `r - b` is bounded below, as exact integers. The bounds are constants (the condition itself excludes some
//! overflow: `a < b` implies that `a + 1` does not wrap), or follow from a predicate that is known or implied by other
//! conditions. Conditions of one signedness are reinterpreted in the other where signs are known. Equalities count as
//! orders in both directions.

use super::known::{Less, Ordered};
use super::walk::{Known, Spot};
use super::{Comparison, ScalarEvolution};
use crate::expr::{Cast, Expr, NAry, Node};
use crate::range::Version;
use backedge_analysis::LoopId;
use backedge_analysis::known_bits::KnownBits;
use backedge_analysis::range::{ConstantRange, exact_icmp_region};
use backedge_ir::entity::Block;
use backedge_ir::opcode::IntPredicate as P;
use smallvec::SmallVec;

/// Conditions that hold, and the number of them that may still be chained.
#[derive(Copy, Clone)]
pub(super) struct Chain<'k> {
    /// The place at which they hold.
    pub(super) spot: Spot,
    /// The conditions from which the first one is taken.
    pub(super) first: &'k [Known],
    pub(super) known: &'k [Known],
    pub(super) left: u32,
}

/// A query: the place, the context block, the number of conditions that may still be chained, and the goal.
pub(super) type Question = (Spot, Option<Block>, u32, Comparison);

/// The cached answer of a query.
#[derive(Copy, Clone, Debug)]
pub(super) struct Answer {
    version: Version,
    answer: bool,
    /// The number of steps available at the start of the query.
    steps: u32,
    /// Whether the query used up all steps.
    used_up: bool,
}

/// Limit on the depth, in operands, at which an expression is evaluated with a given range for a part: shared operands
/// are evaluated once for each path.
const PARTS_DEEP: u32 = 4;
/// Limit on the number of conditions chained after the first: each link multiplies the work by the number of known
/// conditions.
const CHAINED: u32 = 1;

impl ScalarEvolution<'_> {
    /// Whether the conditions that hold at `spot` imply `left pred right`.
    pub(super) fn is_guarded_at(&mut self, spot: Spot, pred: P, left: Expr, right: Expr) -> bool {
        self.is_guarded_by(spot, None, pred, left, right)
    }
    /// Like [`Self::is_guarded_at`], but the first condition must be inside of the loop `inside`.
    pub(super) fn is_guarded_by(
        &mut self,
        spot: Spot,
        inside: Option<LoopId>,
        pred: P,
        left: Expr,
        right: Expr,
    ) -> bool {
        if self.width(left) != self.width(right) {
            return false;
        }
        let facts = self.facts_holding(spot);
        // The closest conditions come first: those inside of a loop around the place precede all others.
        let own = inside.map_or(facts.len(), |l| {
            facts.iter().position(|f| !self.begins_inside(*f, l)).unwrap_or(facts.len())
        });
        if own == 0 {
            return false;
        }
        let mut known: SmallVec<[Known; 8]> = facts[..own].iter().filter_map(|f| self.known_of(*f)).collect();
        let first = known.len();
        if first == 0 {
            return false;
        }
        known.extend(facts[own..].iter().filter_map(|f| self.known_of(*f)));
        let chain = Chain { spot, first: &known[..first], known: &known, left: CHAINED };
        let goal = Comparison { pred, left, right };
        self.is_implied(chain, goal) || self.is_implied_in_parts(chain, goal)
    }
    /// Splits a strict order into the non-strict order and inequality, and equality into both orders.
    fn is_implied_in_parts(&mut self, chain: Chain<'_>, goal: Comparison) -> bool {
        let parts = match goal.pred {
            P::Ult => [P::Ule, P::Ne],
            P::Ugt => [P::Uge, P::Ne],
            P::Slt => [P::Sle, P::Ne],
            P::Sgt => [P::Sge, P::Ne],
            P::Eq => [P::Ule, P::Uge],
            P::Ne | P::Ule | P::Uge | P::Sle | P::Sge => return false,
        };
        parts.into_iter().all(|pred| {
            self.known(pred, goal.left, goal.right, 1) || self.is_implied(chain, Comparison { pred, ..goal })
        })
    }
    /// Whether one of the conditions, or a chain of them, implies `goal`.
    fn is_implied(&mut self, chain: Chain<'_>, goal: Comparison) -> bool {
        chain.first.iter().any(|k| self.step() && self.implies(*k, chain, goal))
    }
    /// Like [`Self::is_implied`], for the remaining goal after one condition was used. Cached, since the same goal
    /// arises for each recurrence that a condition bounds.
    fn is_implied_next(&mut self, chain: Chain<'_>, goal: Comparison) -> bool {
        let key = (chain.spot, self.context, chain.left, goal);
        let version = self.range_version();
        let steps = self.guards.steps;
        if let Some(known) = self.guards.implied.get(&key).filter(|k| k.version == version) {
            // If an earlier attempt ran out of steps, a larger budget may succeed.
            if known.answer || !known.used_up || steps <= known.steps {
                if known.used_up {
                    self.guards.steps = 0;
                }
                return known.answer;
            }
        }
        let chain = Chain { first: chain.known, left: chain.left - 1, ..chain };
        let answer = self.is_implied(chain, goal);
        let used_up = !answer && self.guards.steps == 0;
        self.guards.implied.insert(key, Answer { version, answer, steps, used_up });
        answer
    }
    fn implies(&mut self, fact: Known, chain: Chain<'_>, goal: Comparison) -> bool {
        match fact {
            Known::Within(of, range) => self.implied_by_range(of, range, goal),
            Known::Bits(of, bits) => self.implied_by_bits(of, bits, goal),
            Known::Compare(fact) => self.implied_by_comparison(fact, chain, goal),
        }
    }
    /// Whether known bits of `of` decide the comparison of `of` with a constant.
    fn implied_by_bits(
        &self,
        of: Expr,
        bits: KnownBits,
        Comparison { pred, left, right }: Comparison,
    ) -> bool {
        let constant = |e| self.as_constant(e).map(KnownBits::constant);
        if of == left
            && let Some(c) = constant(right)
        {
            bits.icmp(pred, c) == Some(true)
        } else if of == right
            && let Some(c) = constant(left)
        {
            c.icmp(pred, bits) == Some(true)
        } else {
            false
        }
    }
    fn implied_by_comparison(&mut self, fact: Comparison, chain: Chain<'_>, goal: Comparison) -> bool {
        for Comparison { pred, left, right } in [fact, fact.swapped()] {
            if let Some(c) = self.as_constant(right)
                && self.implied_by_range(left, exact_icmp_region(pred, c), goal)
            {
                return true;
            }
        }
        if (self.as_constant(goal.left).is_some() || self.as_constant(goal.right).is_some())
            && self.implied_by_bounds(fact, goal)
        {
            return true;
        }
        // A truth value bounds a wider number only by its range.
        let width = self.width(goal.left);
        if self.width(fact.left) == 1 && width > 1 {
            return false;
        }
        let Some(fact) = self.at_width(fact, width) else { return false };
        match Ordered::of(goal) {
            Some(goal) => self.orders(fact, chain, goal),
            None => self.implies_equality(fact, goal),
        }
    }
    /// Converts a comparison to `width`, by removing casts on both sides or by casting both sides.
    fn at_width(&mut self, comparison: Comparison, width: u32) -> Option<Comparison> {
        let Comparison { mut pred, left: mut a, right: mut b } = comparison;
        while self.width(a) > width {
            let cast = |this: &Self, e| match this.arena.node(e) {
                Node::Cast(cast @ (Cast::ZExt | Cast::SExt), of) => Some((*cast, *of)),
                _ => None,
            };
            let (how, x, y) = match (cast(self, a), cast(self, b)) {
                (Some((how, x)), Some((other, y))) if how == other && self.width(x) == self.width(y) => {
                    (how, x, y)
                }
                (Some((how, x)), None) => {
                    let c = self.as_constant(b)?;
                    (how, x, self.narrowed(how, c, self.width(x))?)
                }
                (None, Some((how, y))) => {
                    let c = self.as_constant(a)?;
                    (how, self.narrowed(how, c, self.width(y))?, y)
                }
                _ => return None,
            };
            if how == Cast::ZExt {
                pred = pred.unsigned();
            }
            (a, b) = (x, y);
        }
        if self.width(a) < width {
            if self.ty(a).is_pointer() || self.ty(b).is_pointer() {
                return None;
            }
            (a, b) = if pred.is_signed() {
                (self.sext(a, width), self.sext(b, width))
            } else {
                (self.zext(a, width), self.zext(b, width))
            };
        }
        Some(Comparison { pred, left: a, right: b })
    }

    /// Whether `goal`, a comparison with a constant, follows from the bounds that `fact` implies for one of its operands
    /// alone.
    fn implied_by_bounds(&mut self, fact: Comparison, goal: Comparison) -> bool {
        if self.as_constant(fact.left).is_some()
            || self.as_constant(fact.right).is_some()
            || matches!(fact.pred, P::Eq | P::Ne)
        {
            return false;
        }
        [fact, fact.swapped()].into_iter().any(|Comparison { pred, left: of, right: bound }| {
            let own = if pred.is_signed() { self.signed_range(bound) } else { self.unsigned_range(bound) };
            self.implied_by_range(of, ConstantRange::allowed_region(pred, own), goal)
        })
    }
    /// Whether `of` being in `range` implies `goal` by ranges.
    fn implied_by_range(&mut self, of: Expr, range: ConstantRange, goal: Comparison) -> bool {
        let Comparison { pred, left, right } = goal;
        let a = self.range_given(left, of, range, PARTS_DEEP);
        let b = self.range_given(right, of, range, PARTS_DEEP);
        if a.is_none() && b.is_none() {
            return false;
        }
        let (unsigned_a, signed_a) = (self.unsigned_range(left), self.signed_range(left));
        let (unsigned_b, signed_b) = (self.unsigned_range(right), self.signed_range(right));
        let narrowed = |range: ConstantRange, by: Option<ConstantRange>| match by {
            Some(by) => range.intersect(by),
            None => range,
        };
        let (a, b) = if pred.is_signed() {
            (narrowed(signed_a, a), narrowed(signed_b, b))
        } else {
            (narrowed(unsigned_a, a), narrowed(unsigned_b, b))
        };
        a.icmp(pred, b) == Some(true)
    }
    /// The range of `expr`, evaluated with `of` in `range`; `None` if `expr` does not contain `of`.
    pub(super) fn range_given(
        &mut self,
        expr: Expr,
        of: Expr,
        range: ConstantRange,
        depth: u32,
    ) -> Option<ConstantRange> {
        if expr == of {
            return Some(range);
        }
        if self.width(expr) == self.width(of)
            && let Some(offset) = self.constant_difference(expr, of)
        {
            let own = self.unsigned_range(of);
            return Some(range.intersect(own).add(ConstantRange::constant(offset), false, false));
        }
        if depth == 0 || !self.step() {
            return None;
        }
        let width = self.width(expr);
        match self.node(expr) {
            Node::Cast(cast, inner) => {
                let inner_range = self.range_given(inner, of, range, depth - 1)?;
                let own =
                    if cast == Cast::SExt { self.signed_range(inner) } else { self.unsigned_range(inner) };
                let inner_range = inner_range.intersect(own);
                Some(match cast {
                    Cast::Trunc => inner_range.trunc(width, false, false),
                    Cast::ZExt => inner_range.zext(width, false),
                    Cast::SExt => inner_range.sext(width),
                    Cast::PtrToInt => inner_range,
                })
            }
            Node::UDiv([a, b]) => {
                let (x, y) =
                    (self.range_given(a, of, range, depth - 1), self.range_given(b, of, range, depth - 1));
                if x.is_none() && y.is_none() {
                    return None;
                }
                let x = x.unwrap_or(self.unsigned_range(a));
                Some(x.udiv(y.unwrap_or(self.unsigned_range(b))))
            }
            Node::NAry(op, operands) => {
                let flags = self.flags_here(expr);
                let mut found = false;
                let mut total: Option<ConstantRange> = None;
                for operand in operands.iter() {
                    let given = self.range_given(*operand, of, range, depth - 1);
                    found |= given.is_some();
                    let own = if matches!(op, NAry::SMax | NAry::SMin) {
                        self.signed_range(*operand)
                    } else {
                        self.unsigned_range(*operand)
                    };
                    let next = given.map_or(own, |g| g.intersect(own));
                    total = Some(match (total, op) {
                        (None, _) => next,
                        (Some(t), NAry::Add) => t.add(next, flags.nuw(), flags.nsw()),
                        (Some(t), NAry::Mul) => t.mul(next, flags.nuw(), flags.nsw()),
                        (Some(t), NAry::UMax) => t.umax(next),
                        (Some(t), NAry::SMax) => t.smax(next),
                        (Some(t), NAry::UMin | NAry::UMinSeq) => t.umin(next),
                        (Some(t), NAry::SMin) => t.smin(next),
                    });
                }
                total.filter(|_| found)
            }
            Node::Constant(_) | Node::Unknown(_) | Node::AddRec(..) | Node::CouldNotCompute => None,
        }
    }

    /// Whether `fact` implies `goal`, an equality or inequality.
    fn implies_equality(&mut self, fact: Comparison, goal: Comparison) -> bool {
        let Comparison { pred: by, left: a, right: b } = fact;
        let Comparison { pred, left, right } = goal;
        let strict = |p: P| matches!(p, P::Ult | P::Ugt | P::Slt | P::Sgt | P::Ne);
        if !(by == P::Eq && pred == P::Eq || strict(by) && pred == P::Ne || by == P::Eq && pred == P::Ne) {
            return false;
        }
        for (x, y) in [(left, right), (right, left)] {
            if let (Some(c), Some(d)) = (self.constant_difference(x, a), self.constant_difference(y, b)) {
                // Values with equal differences on both sides are equal if and only if `a` and `b` are.
                return if by == P::Eq { (c == d) == (pred == P::Eq) } else { c == d };
            }
        }
        // Substitute equal values.
        by == P::Eq
            && (left == a && self.known(pred, b, right, 1)
                || left == b && self.known(pred, a, right, 1)
                || right == a && self.known(pred, left, b, 1)
                || right == b && self.known(pred, left, a, 1))
    }

    /// Whether `fact` implies the order `goal`.
    fn orders(&mut self, fact: Comparison, chain: Chain<'_>, goal: Ordered) -> bool {
        let mut facts: SmallVec<[Ordered; 2]> = SmallVec::new();
        let both = [(fact.left, fact.right), (fact.right, fact.left)];
        match Ordered::of(fact) {
            Some(order) => facts.push(order),
            None if fact.pred == P::Eq => {
                facts.extend(both.map(|(low, high)| Ordered { by: goal.by.or_equal(), low, high }));
            }
            None => {
                // Unequal values in non-strict order are in strict order.
                for (low, high) in both {
                    if self.known(goal.by.or_equal().predicate(), low, high, 1) {
                        facts.push(Ordered { by: Less { strict: true, ..goal.by }, low, high });
                    }
                }
            }
        }
        for fact in facts {
            if fact.by.signed == goal.by.signed {
                if self.order_implies(fact, chain, goal) {
                    return true;
                }
                continue;
            }
            // Values of one sign compare the same way in both orders.
            let as_goal = Less { signed: goal.by.signed, ..fact.by };
            if self.same_sign(fact) && self.order_implies(Ordered { by: as_goal, ..fact }, chain, goal) {
                return true;
            }
            let other = Ordered { by: Less { signed: fact.by.signed, ..goal.by }, ..goal };
            if self.same_sign(other) && self.order_implies(fact, chain, other) {
                return true;
            }
        }
        false
    }
    /// Whether two ordered values have the same sign.
    fn same_sign(&mut self, Ordered { by, low, high }: Ordered) -> bool {
        if by.signed {
            self.is_known_non_negative(low) || self.signed_max(high).is_negative()
        } else {
            self.is_known_non_negative(high) || self.signed_max(low).is_negative()
        }
    }
    /// Whether `fact`, `a` before `b`, implies `goal`, `l` before `r`, in the same kind of order.
    fn order_implies(&mut self, fact: Ordered, chain: Chain<'_>, goal: Ordered) -> bool {
        let Ordered { by: order, low: a, high: b } = fact;
        let Ordered { by: less, low: l, high: r } = goal;
        let of_fact = i128::from(order.strict);
        let wanted = i128::from(less.strict);
        let (range_a, range_b) = self.ranges_in_order(fact);
        // An upper bound of `l - a`, and a lower bound of `r - b`.
        let above = self.exact_difference(a, range_a, l, less.signed);
        let beyond = self.exact_difference(b, range_b, r, less.signed);
        if let (Some(above), Some(beyond)) = (above, beyond) {
            return above.saturating_sub(of_fact).saturating_add(wanted) <= beyond;
        }
        if above.is_none() && beyond.is_none() {
            // Prove both by predicates that hold anyway.
            let or_equal = less.or_equal();
            let strict = Less { strict: true, ..less };
            if !self.less(or_equal, l, a, 1) || !self.less(or_equal, b, r, 1) {
                return false;
            }
            return of_fact >= wanted || self.less(strict, l, a, 1) || self.less(strict, b, r, 1);
        }
        // One difference is exact; the other must be proved up to the remaining room. Only differences of at most one
        // can be queried.
        let room = match (above, beyond) {
            (Some(above), None) => (of_fact - wanted).saturating_sub(above),
            (None, Some(beyond)) => (of_fact - wanted).saturating_add(beyond),
            _ => return false,
        };
        let rest = Less { strict: room < 0, ..less };
        if room < -1 {
            return false;
        }
        let (left, right) = if above.is_some() { (b, r) } else { (l, a) };
        self.less(rest, left, right, 1)
            || chain.left > 0
                && self.is_implied_next(chain, Comparison { pred: rest.predicate(), left, right })
    }
    /// The ranges of two values, given that they are ordered.
    fn ranges_in_order(&mut self, Ordered { by, low, high }: Ordered) -> (ConstantRange, ConstantRange) {
        let (x, y) = if by.signed {
            (self.signed_range(low), self.signed_range(high))
        } else {
            (self.unsigned_range(low), self.unsigned_range(high))
        };
        let pred = by.predicate();
        (
            x.intersect(ConstantRange::allowed_region(pred, y)),
            y.intersect(ConstantRange::allowed_region(pred.swapped(), x)),
        )
    }
    /// `to - from` as an exact integer in the given order, if it is constant; `range` contains all values of `from`.
    fn exact_difference(&mut self, from: Expr, range: ConstantRange, to: Expr, signed: bool) -> Option<i128> {
        let offset = self.constant_difference(to, from)?;
        if offset.is_zero() {
            return Some(0);
        }
        if signed {
            let end = if offset.is_negative() { range.signed_min()? } else { range.signed_max()? };
            if !end.add_overflows_signed(offset) {
                return Some(offset.signed());
            }
        } else {
            if !range.unsigned_max()?.add_overflows_unsigned(offset) {
                return i128::try_from(offset.bits()).ok();
            }
            let down = offset.neg();
            if range.unsigned_min()?.uge(down) {
                return i128::try_from(down.bits()).ok().map(|d| -d);
            }
        }
        // Use the no-wrap facts of the sums themselves.
        let (x, y) = (self.offset_of(from, signed)?, self.offset_of(to, signed)?);
        (x.0 == y.0).then(|| y.1.checked_sub(x.1)).flatten()
    }
    /// Splits a sum into the rest and a constant that is added exactly.
    fn offset_of(&mut self, expr: Expr, signed: bool) -> Option<(SmallVec<[Expr; 4]>, i128)> {
        let (rest, constant) = self.split_constant(expr);
        let offset = self.exact_offset(expr, &rest, constant, signed)?;
        Some((rest, offset))
    }
}
