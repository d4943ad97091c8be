//! Rewrites expressions with the conditions that guard a loop; the results are equal on entry to the loop.
//!
//! `x < 8` permits `(7 umin x)` for `x`, `x != 0` permits `(1 umax x)`, `x % 4 == 0` permits `4 * (x /u 4)`, and `x ==
//! y` permits `y`. The results are equal on entry, and their ranges and divisors reflect the condition. Conditions are
//! applied in the order in which control passed them, each to the result of the earlier ones. A bound is rounded to the
//! closest multiple of the known divisor of the expression. If `a` and `b` differ, `a - b` is at least one.
//!
//! The idea is that of LLVM's loop guards.

use super::known::Less;
use super::walk::Known;
use super::{Comparison, ScalarEvolution};
use crate::expr::{Expr, NAry, Node};
use crate::range::Version;
use backedge_analysis::LoopId;
use backedge_analysis::range::{ConstantRange, exact_icmp_region};
use backedge_ir::int::Int;
use backedge_ir::opcode::IntPredicate as P;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::sync::Arc;

/// Limit on the number of rewritten expressions per loop, those of the innermost conditions first: each query applies
/// all of them.
const MOST_RULES: usize = 64;

/// The rewrite rules that follow from guards.
#[derive(Debug, Default)]
pub(super) struct Rules {
    to: FxHashMap<Expr, Expr>,
    /// Pairs of unequal expressions, in both orders.
    differ: FxHashSet<(Expr, Expr)>,
    /// Whether a rule rewrites a sum.
    has_sums: bool,
}

impl Rules {
    fn is_empty(&self) -> bool {
        self.to.is_empty() && self.differ.is_empty()
    }
    fn current(&self, expr: Expr) -> Expr {
        self.to.get(&expr).copied().unwrap_or(expr)
    }
}

impl ScalarEvolution<'_> {
    /// Rewrites `expr`, an expression evaluated on entry to `l`, with the conditions that guard the loop. The result
    /// equals `expr` whenever the loop is entered, and often has a narrower range.
    pub fn apply_guards(&mut self, expr: Expr, l: LoopId) -> Expr {
        if !self.arena.has_unknown(expr) && !self.arena.has_add_rec(expr) {
            return expr;
        }
        let rules = self.rules_of(l);
        if rules.is_empty() {
            return expr;
        }
        self.rewrite(expr, &mut |this, e| this.apply_rules(&rules, e)).unwrap_or(expr)
    }
    fn rules_of(&mut self, l: LoopId) -> Arc<Rules> {
        let version = self.range_version();
        if let Some((of, rules)) = self.guards.rules.get(&l)
            && *of == version
        {
            return Arc::clone(rules);
        }
        // Building expressions may request the rules again.
        if self.guards.collecting {
            return Arc::default();
        }
        self.guards.collecting = true;
        let rules = Arc::new(self.collect_rules(l));
        self.guards.collecting = false;
        self.guards.rules.insert(l, (version, Arc::clone(&rules)));
        rules
    }
    fn collect_rules(&mut self, l: LoopId) -> Rules {
        let entries = self.entries(l);
        let spot = match *entries {
            [only] => only,
            _ => super::Spot::Start(self.loops.header(l)),
        };
        let facts = self.facts_holding(spot);
        let mut rules = Rules::default();
        for fact in facts.into_iter().rev() {
            if rules.to.len() >= MOST_RULES {
                break;
            }
            match self.known_of(fact) {
                Some(Known::Compare(Comparison { pred, left, right })) => {
                    self.learn_comparison(&mut rules, pred, left, right);
                }
                Some(Known::Within(of, range)) => self.learn_range(&mut rules, of, range),
                Some(Known::Bits(of, bits)) => {
                    let zeros = bits.min_trailing_zeros().min(bits.width() - 1);
                    let multiple = Int::new(bits.width(), 1 << zeros);
                    self.learn_multiple(&mut rules, of, multiple);
                }
                None => {}
            }
        }
        rules
    }
    fn put(&mut self, rules: &mut Rules, from: Expr, to: Expr) {
        if from != to && self.arena.size(to) <= self.limits.expr_size {
            rules.has_sums |= self.arena.as_nary(NAry::Add, from).is_some();
            rules.to.insert(from, to);
        }
    }
    fn learn_comparison(&mut self, rules: &mut Rules, pred: P, a: Expr, b: Expr) {
        // Truth values as numbers carry no information beyond the conditions themselves.
        if self.width(a) == 1 || self.width(a) != self.width(b) {
            return;
        }
        if self.ty(a).is_pointer() || self.ty(b).is_pointer() {
            if Less::of(pred).is_none_or(|(less, _)| less.strict) && pred != P::Eq {
                rules.differ.extend([(a, b), (b, a)]);
            }
            let (a, b) = (self.ptr_to_int(a), self.ptr_to_int(b));
            let is_none = |e: Expr| self.ty(e).is_pointer() || self.is_could_not_compute(e);
            if is_none(a) || is_none(b) {
                return;
            }
            return self.learn_comparison(rules, pred, a, b);
        }
        let (pred, a, b) = if self.as_constant(a).is_some() { (pred.swapped(), b, a) } else { (pred, a, b) };
        if let Some(c) = self.as_constant(b) {
            if pred == P::Eq && c.is_zero() && self.learn_remainder(rules, a) {
                return;
            }
            self.learn_constant(rules, pred, a, c);
            return;
        }
        if pred != P::Eq && !matches!(pred, P::Ule | P::Uge | P::Sle | P::Sge) {
            rules.differ.extend([(a, b), (b, a)]);
        }
        if pred == P::Eq {
            if !self.arena.has_add_rec(b) {
                let to = rules.current(b);
                self.put(rules, a, to);
            }
            return;
        }
        let written = self.learn_bound(rules, pred, a, b, true);
        self.learn_bound(rules, pred.swapped(), b, a, !written);
    }
    /// From `of == 0` with a remainder `of`, learns that the dividend is a multiple. Returns whether `of` is a
    /// remainder.
    fn learn_remainder(&mut self, rules: &mut Rules, of: Expr) -> bool {
        if let Some((dividend, divisor)) = self.as_remainder(of) {
            match self.as_constant(divisor) {
                Some(divisor) => self.learn_multiple(rules, dividend, divisor),
                None => {
                    let now = rules.current(dividend);
                    let quotient = self.udiv(now, divisor);
                    let to = self.mul(&[quotient, divisor]);
                    self.put(rules, dividend, to);
                }
            }
            return true;
        }
        // Its low bits are zero.
        if let Node::Cast(crate::Cast::ZExt, low) = *self.arena.node(of) {
            return self.learn_remainder(rules, low);
        }
        if let Node::Cast(crate::Cast::Trunc, whole) = *self.arena.node(of) {
            let (width, kept) = (self.width(whole), self.width(of));
            self.learn_multiple(rules, whole, Int::new(width, 1 << kept));
            return true;
        }
        false
    }
    /// The dividend and the divisor, if `expr` is a remainder written as `x - (x /u y) * y`.
    pub(crate) fn as_remainder(&self, expr: Expr) -> Option<(Expr, Expr)> {
        let operands = self.arena.as_nary(NAry::Add, expr)?;
        let &[a, b] = &**operands else { return None };
        [(a, b), (b, a)].into_iter().find_map(|(dividend, product)| {
            let factors = self.arena.as_nary(NAry::Mul, product)?;
            let quotient = |e: &Expr| match *self.arena.node(*e) {
                Node::UDiv([x, y]) if x == dividend => Some(y),
                _ => None,
            };
            match **factors {
                [c, q] => {
                    let divisor = quotient(&q)?;
                    let minus = self.as_constant(c)?.neg();
                    (self.as_constant(divisor) == Some(minus)).then_some((dividend, divisor))
                }
                [c, x, y] if self.as_constant(c).is_some_and(Int::is_all_ones) => {
                    let found = quotient(&x).filter(|d| *d == y).or_else(|| quotient(&y).filter(|d| *d == x));
                    found.map(|divisor| (dividend, divisor))
                }
                _ => None,
            }
        })
    }
    fn learn_multiple(&mut self, rules: &mut Rules, of: Expr, multiple: Int) {
        if multiple.is_zero() || multiple.is_one() || self.as_constant(of).is_some() {
            return;
        }
        let now = rules.current(of);
        if self.constant_multiple(now).udiv_is_exact(multiple) {
            return;
        }
        let divisor = self.constant(multiple);
        let quotient = self.udiv(now, divisor);
        let to = self.mul(&[quotient, divisor]);
        self.put(rules, of, to);
    }
    /// Learns from a comparison with a constant.
    fn learn_constant(&mut self, rules: &mut Rules, pred: P, of: Expr, c: Int) {
        let (rest, constant) = self.split_constant(of);
        if !constant.is_zero() && !rest.is_empty() {
            // `x + k pred c` puts `x` into a range that may wrap.
            let range = exact_icmp_region(pred, c).sub(ConstantRange::constant(constant), false, false);
            let rest = self.sum_of(&rest);
            self.learn_range(rules, rest, range);
            return;
        }
        match Less::of(pred) {
            Some((less, _)) if less.signed => {
                let region = exact_icmp_region(pred, c);
                self.bound_signed(rules, of, region);
            }
            _ if pred == P::Eq => {
                let to = self.constant(c);
                self.put(rules, of, to);
            }
            _ => self.learn_range(rules, of, exact_icmp_region(pred, c)),
        }
        self.learn_parts(rules, pred, of, c);
    }
    /// Learns about the operands of a bounded minimum or maximum.
    fn learn_parts(&mut self, rules: &mut Rules, pred: P, of: Expr, c: Int) {
        let Node::NAry(op, operands) = self.node(of) else { return };
        let all = match op {
            NAry::UMin => matches!(pred, P::Ugt | P::Uge) || pred == P::Ne && c.is_zero(),
            NAry::SMin => matches!(pred, P::Sgt | P::Sge),
            NAry::UMax => matches!(pred, P::Ult | P::Ule),
            NAry::SMax => matches!(pred, P::Slt | P::Sle),
            NAry::Mul => pred == P::Ne && c.is_zero(),
            NAry::UMinSeq | NAry::Add => false,
        };
        if all {
            for operand in operands.iter() {
                if matches!(self.arena.node(*operand), Node::NAry(..)) {
                    continue;
                }
                let range = exact_icmp_region(pred, c);
                if pred.is_signed() {
                    self.bound_signed(rules, *operand, range);
                } else {
                    self.learn_range(rules, *operand, range);
                }
            }
        }
    }
    fn sum_of(&mut self, operands: &[Expr]) -> Expr {
        if let [one] = operands { *one } else { self.add(operands) }
    }
    /// Learns that `of` is in `range`: as unsigned bounds if these express it, otherwise as signed bounds.
    fn learn_range(&mut self, rules: &mut Rules, of: Expr, range: ConstantRange) {
        if self.as_constant(of).is_some() || self.ty(of).is_pointer() {
            return;
        }
        // A range of an extended value bounds the narrow value itself.
        if let Node::Cast(cast @ (crate::Cast::ZExt | crate::Cast::SExt), inner) = *self.arena.node(of) {
            let own = if cast == crate::Cast::ZExt { self.unsigned_range(of) } else { self.signed_range(of) };
            let inside = range.intersect(own).trunc(self.width(inner), false, false);
            return self.learn_range(rules, inner, inside);
        }
        let now = rules.current(of);
        let own = self.unsigned_range(now);
        let both = range.intersect(own);
        if both.is_empty() || both == own {
            return;
        }
        if both.is_wrapped() && !both.is_sign_wrapped() {
            return self.bound_signed(rules, of, both);
        }
        let (Some(min), Some(max)) = (both.unsigned_min(), both.unsigned_max()) else { return };
        let multiple = self.non_zero_multiple(now);
        let mut to = now;
        if let Some(max) = max.urem(multiple).map(|rest| max.sub(rest))
            && max.ult(self.unsigned_max(now))
        {
            let bound = self.constant(max);
            to = self.min_max(NAry::UMin, &[bound, to]);
        }
        if let Some(min) = next_multiple(min, multiple)
            && min.ugt(self.unsigned_min(now))
        {
            let bound = self.constant(min);
            to = self.min_max(NAry::UMax, &[bound, to]);
        }
        self.put(rules, of, to);
    }
    /// Learns that `of` is in `range`, as signed bounds.
    fn bound_signed(&mut self, rules: &mut Rules, of: Expr, range: ConstantRange) {
        if let Node::Cast(crate::Cast::SExt | crate::Cast::ZExt, _) = self.arena.node(of) {
            return self.learn_range(rules, of, range);
        }
        let now = rules.current(of);
        let (Some(min), Some(max)) = (range.signed_min(), range.signed_max()) else { return };
        let zeros = self.trailing_zeros(now).min(min.width() - 1);
        let low = Int::low_ones(min.width(), zeros);
        let mut to = now;
        let max = max.and(low.not());
        if max.slt(self.signed_max(now)) && max.sge(self.signed_min(now)) {
            let bound = self.constant(max);
            to = self.min_max(NAry::SMin, &[bound, to]);
        }
        let up = min.add(low).and(low.not());
        if !min.add_overflows_signed(low) && up.sgt(self.signed_min(now)) && up.sle(self.signed_max(now)) {
            let bound = self.constant(up);
            to = self.min_max(NAry::SMax, &[bound, to]);
        }
        self.put(rules, of, to);
    }
    /// Learns from `of pred bound` without constants: bounds `of` by the range of `bound` and, if `written` permits it,
    /// by `bound` itself. Returns whether it used `bound` itself.
    fn learn_bound(&mut self, rules: &mut Rules, pred: P, of: Expr, bound: Expr, written: bool) -> bool {
        let Some((less, exchanged)) = Less::of(pred) else { return false };
        // Only unknown values and their extensions are rewritten in terms of other values, and not in terms of
        // recurrences.
        let simple = matches!(self.arena.node(of), Node::Unknown(_) | Node::Cast(..));
        let written = written && simple && !self.arena.has_add_rec(bound);
        // The range of the bound also bounds `of`. A full range adds nothing beyond the bound itself.
        let own = if less.signed { self.signed_range(bound) } else { self.unsigned_range(bound) };
        let region = ConstantRange::allowed_region(pred, own);
        if !(written && own.is_full()) {
            if less.signed {
                self.bound_signed(rules, of, region)
            } else {
                self.learn_range(rules, of, region)
            }
        }
        if !written {
            return false;
        }
        // A strict bound is adjusted by one, which does not wrap, since there is a value beyond it.
        let now = rules.current(of);
        let bound = rules.current(bound);
        let bound = if less.strict {
            let one = self.int(self.width(of), if exchanged { 1 } else { -1 });
            self.add(&[one, bound])
        } else {
            bound
        };
        let op = match (less.signed, exchanged) {
            (false, false) => NAry::UMin,
            (false, true) => NAry::UMax,
            (true, false) => NAry::SMin,
            (true, true) => NAry::SMax,
        };
        let to = self.min_max(op, &[bound, now]);
        self.put(rules, of, to);
        true
    }

    fn apply_rules(&mut self, rules: &Rules, expr: Expr) -> Option<Expr> {
        if let Some(to) = rules.to.get(&expr) {
            return Some(*to);
        }
        match self.node(expr) {
            Node::AddRec(..) | Node::Constant(_) => Some(expr),
            Node::NAry(NAry::Add, operands) => {
                if let Some((a, b)) = self.as_difference(&operands)
                    && rules.differ.contains(&(a, b))
                {
                    return Some(self.at_least_one(rules, expr));
                }
                if !rules.has_sums || self.as_constant(operands[0]).is_none() || operands.len() < 3 {
                    return None;
                }
                // A constant and a sum with a known rule.
                let rest = self.add(&operands[1..]);
                let to = *rules.to.get(&rest)?;
                Some(self.add(&[operands[0], to]))
            }
            _ => None,
        }
    }
    /// The two sides of a difference.
    fn as_difference(&self, operands: &[Expr]) -> Option<(Expr, Expr)> {
        let &[a, b] = operands else { return None };
        let negated = |e: Expr| {
            let factors = self.arena.as_nary(NAry::Mul, e)?;
            match **factors {
                [c, x] if self.as_constant(c).is_some_and(Int::is_all_ones) => Some(x),
                _ => None,
            }
        };
        negated(a).map(|x| (b, x)).or_else(|| negated(b).map(|x| (a, x)))
    }
    /// `expr`, which is nonzero, with rewritten operands.
    fn at_least_one(&mut self, rules: &Rules, expr: Expr) -> Expr {
        let operands: SmallVec<[Expr; 4]> = self.arena.node(expr).operands().into();
        let new: SmallVec<[Expr; 4]> = operands
            .iter()
            .map(|e| match self.arena.as_nary(NAry::Mul, *e).cloned() {
                Some(factors) => {
                    let factors: SmallVec<[Expr; 4]> = factors.iter().map(|f| rules.current(*f)).collect();
                    self.mul(&factors)
                }
                None => rules.current(*e),
            })
            .collect();
        let new = self.add(&new);
        let least = self.non_zero_multiple(new);
        let least = self.constant(least);
        self.min_max(NAry::UMax, &[least, new])
    }
}

/// The smallest multiple of `multiple` that is at least `n`.
fn next_multiple(n: Int, multiple: Int) -> Option<Int> {
    let rest = n.urem(multiple)?;
    if rest.is_zero() {
        return Some(n);
    }
    let more = multiple.sub(rest);
    (!n.add_overflows_unsigned(more)).then(|| n.add(more))
}

/// The rules of a loop with the version of their inputs.
pub(super) type RulesOf = FxHashMap<LoopId, (Version, Arc<Rules>)>;
