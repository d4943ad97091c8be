//! One pass over the assertions: sums of products are brought into a normal form, and equations among the premises
//! shorten them.

use super::products::{Guess, Products, Spread, number};
use super::sum::{Factor, MANY_PARTS, Monomial, Sum, is_just, product};
use crate::proof::lang::number::{WIDEST, inverse, mask, signed};
use crate::term::{Bits, Op, Sort, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of factor replacements in one sum.
const MANY_OPENED: usize = 2_000;
/// Maximum number of subtractions from one equation.
const MANY_SUBTRACTED: usize = 32;
/// Maximum nesting of case splits in an equation; also the maximum number of multiplications that remove shifts.
const MANY_CHOICES: u32 = 3;

/// The decomposition of a term that was shifted right.
#[derive(Clone, Copy, Debug)]
struct Shifted {
    by: u32,
    /// The bits before the shift; `low`: the bits that were shifted out.
    whole: Term,
    low: Term,
}

/// A sum that is zero, and its pivot: the product that subtraction eliminates from other sums.
struct Zero {
    pivot: Monomial,
    sum: Sum,
}

/// One pass over the assertions.
pub(super) struct Pass<'a> {
    pub(super) terms: &'a mut Terms,
    products: &'a mut Products,
    /// The sums that rewritten terms equal.
    sums: FxHashMap<Term, Sum>,
    /// Terms that are the result of a right shift.
    shifted: FxHashMap<Term, Shifted>,
    /// `ite` terms that contain products.
    choices: FxHashSet<Term>,
    /// Equations among the premises.
    zeros: Vec<Zero>,
    /// Integers in sums with products that equal sums themselves but could not be replaced, with the width needed.
    stuck: BTreeMap<Factor, u32>,
    pub(super) bases: BTreeSet<Term>,
}

/// Whether a term's operation gives a sum of products of its arguments, or an argument as an integer.
pub(super) fn is_sum(terms: &Terms, term: Term) -> bool {
    let Sort::BitVec(width) = terms.sort(term) else { return false };
    let fits = width <= WIDEST;
    fits && match terms.op(term) {
        Op::Add | Op::Mul | Op::BvNeg | Op::BvNot | Op::ZExt(_) | Op::SExt(_) => true,
        Op::Extract { low: 0, .. } => terms.width(terms.args(term)[0]) <= WIDEST,
        Op::Shl => terms.as_bits(terms.args(term)[1]).is_some(),
        _ => false,
    }
}

pub(super) fn is_product(terms: &Terms, term: Term) -> bool {
    matches!(terms.op(term), Op::Mul) && terms.args(term).iter().all(|a| !terms.is_constant(*a))
}

impl<'a> Pass<'a> {
    /// A pass over nothing yet.
    pub(super) fn new(terms: &'a mut Terms, products: &'a mut Products) -> Self {
        Self {
            terms,
            products,
            sums: FxHashMap::default(),
            shifted: FxHashMap::default(),
            choices: FxHashSet::default(),
            zeros: Vec::new(),
            stuck: BTreeMap::new(),
            bases: BTreeSet::new(),
        }
    }
    /// Builds the replacement for `term`, unless that has been done.
    pub(super) fn build(&mut self, term: Term, new: &mut FxHashMap<Term, Term>, kind: (bool, bool)) {
        if new.contains_key(&term) {
            return;
        }
        let old: SmallVec<[Term; 3]> = self.terms.args(term).into();
        let args: SmallVec<[Term; 3]> = old.iter().map(|a| new[a]).collect();
        let built = self.term(term, &args, kind);
        new.insert(term, built);
    }
    /// `term` rebuilt over the product-free arguments `args`. `with`: whether `term` contains products; `wanted`:
    /// whether it is normalized as a sum.
    fn term(&mut self, term: Term, args: &[Term], (with, wanted): (bool, bool)) -> Term {
        let op = self.terms.op(term);
        if wanted && is_sum(self.terms, term) {
            let width = self.terms.width(term);
            if let Some(sum) = self.combine(op, args, width).and_then(|sum| self.settle(sum)) {
                let built = if with || sum.has_products() {
                    self.note(&sum);
                    self.products.sum(self.terms, &sum)
                } else {
                    self.terms.apply(op, args)
                };
                self.sums.insert(built, sum);
                return built;
            }
        }
        match (op, args) {
            (Op::Eq, &[a, b]) if with => {
                if let Some(found) = self.equation(a, b) {
                    return found;
                }
            }
            (Op::LShr | Op::Extract { .. }, &[a, ..]) if with => {
                let by = match op {
                    Op::Extract { low, .. } => Some(u128::from(low)),
                    _ => self.terms.as_bits(args[1]).and_then(Bits::to_u128),
                };
                let built = self.terms.apply(op, args);
                self.shift(a, by, built);
                return built;
            }
            (Op::Ite, _) if with => {
                let built = self.terms.apply(op, args);
                self.choices.insert(built);
                return built;
            }
            (Op::UMulOverflows | Op::SMulOverflows, &[a, b]) if with || self.is_open(a, b) => {
                return self.overflows(op, a, b);
            }
            _ => {}
        }
        self.terms.apply(op, args)
    }
    fn is_open(&self, a: Term, b: Term) -> bool {
        !self.terms.is_constant(a) && !self.terms.is_constant(b)
    }
    /// The sum that a term equals.
    fn of(&self, term: Term) -> Sum {
        let width = self.terms.width(term);
        if let Some(number) = self.terms.as_bits(term).and_then(Bits::to_u128) {
            return Sum::number(width, number);
        }
        self.sums.get(&term).cloned().unwrap_or_else(|| Sum::of(width, Factor { term, signed: false }))
    }
    fn combine(&self, op: Op, args: &[Term], width: u32) -> Option<Sum> {
        Some(match (op, args) {
            (Op::Add, &[a, b]) => self.of(a).plus(&self.of(b), 1),
            (Op::Mul, &[a, b]) => self.of(a).times(&self.of(b))?,
            (Op::BvNeg, &[a]) => self.of(a).scaled(u128::MAX),
            (Op::BvNot, &[a]) => Sum::number(width, u128::MAX).plus(&self.of(a), u128::MAX),
            (Op::Shl, &[a, by]) => {
                let by = self.terms.as_bits(by)?.to_u128()?;
                self.of(a).scaled(1u128.checked_shl(u32::try_from(by).ok()?).unwrap_or(0))
            }
            (Op::Extract { low: 0, .. }, &[a]) => self.of(a).narrowed(width),
            (Op::ZExt(_) | Op::SExt(_), &[a]) => match self.terms.as_bits(a) {
                Some(_) => return None,
                None => Sum::of(width, Factor { term: a, signed: matches!(op, Op::SExt(_)) }),
            },
            _ => return None,
        })
    }
    /// Records that `built` is the result of a right shift of `a`.
    fn shift(&mut self, a: Term, by: Option<u128>, built: Term) {
        let (width, left) = (self.terms.width(a), self.terms.width(built));
        let Some(by) = by.and_then(|by| u32::try_from(by).ok()).filter(|by| (1..width).contains(by)) else {
            return;
        };
        if width > WIDEST {
            return;
        }
        let whole = self.terms.truncate(a, width.min(left + by));
        let low = self.terms.truncate(a, by);
        if let Some(sum) = self.sums.get(&a) {
            let sum = sum.narrowed(self.terms.width(whole));
            self.sums.entry(whole).or_insert(sum);
        }
        self.shifted.insert(built, Shifted { by, whole, low });
    }
    /// Replaces integers by the sums that they are known to equal.
    fn settle(&self, sum: Sum) -> Option<Sum> {
        let mut found = Sum::new(sum.width);
        let mut work: Vec<(Monomial, u128)> = sum.parts.into_iter().collect();
        let mut steps = 0;
        while let Some((monomial, factor)) = work.pop() {
            let factor = factor & mask(sum.width);
            if factor == 0 {
                continue;
            }
            steps += 1;
            if steps > MANY_OPENED || work.len() > MANY_OPENED {
                return None;
            }
            let bits = sum.width - factor.trailing_zeros();
            let without = |i: usize| {
                let mut rest = monomial.clone();
                rest.remove(i);
                rest
            };
            let open = monomial.iter().enumerate().find_map(|(i, f)| Some((i, self.opened(*f, bits)?)));
            if let Some((i, inner)) = open {
                let rest = without(i);
                for (other, times) in &inner.parts {
                    work.push((product(&rest, other)?, factor.wrapping_mul(*times)));
                }
                continue;
            }
            // 2^by times the shifted number is the original number minus the bits that were shifted out. That
            // difference is a multiple of 2^by, so any representative of the factor modulo 2^width gives the same
            // result.
            let shifted = monomial.iter().enumerate().find_map(|(i, f)| {
                let shifted =
                    self.shifted.get(&f.term).filter(|s| !f.signed && s.by <= factor.trailing_zeros());
                Some((i, *shifted?))
            });
            if let Some((i, Shifted { by, whole, low })) = shifted {
                let rest = without(i);
                for (term, times) in [(whole, factor >> by), (low, (factor >> by).wrapping_neg())] {
                    work.push((product(&rest, &[Factor { term, signed: false }])?, times));
                }
                continue;
            }
            found.add(monomial, factor);
        }
        let found = found.clean();
        (found.parts.len() <= MANY_PARTS).then_some(found)
    }
    /// The sum that an integer equals modulo `2^bits`, if that is not just the integer itself.
    fn opened(&self, factor: Factor, bits: u32) -> Option<Sum> {
        let Factor { term, signed } = factor;
        let plain = Factor { term, signed: false };
        if bits <= self.terms.width(term) {
            let own = self.sums.get(&term).filter(|sum| !is_just(sum, plain));
            return match own {
                Some(sum) => Some(sum.clone()),
                None => signed.then(|| Sum::of(bits, plain)),
            };
        }
        self.products.spread.get(&factor).filter(|sum| bits <= sum.width && !is_just(sum, factor)).cloned()
    }
    /// Records the factors of a sum with products: sums that could not be replaced, and bases of products.
    fn note(&mut self, sum: &Sum) {
        for (monomial, number) in &sum.parts {
            let bits = sum.width - number.trailing_zeros().min(sum.width);
            for &factor in monomial {
                let inner = self.sums.get(&factor.term);
                if inner.is_some_and(|inner| !is_just(inner, Factor { signed: false, ..factor })) {
                    let width = self.stuck.entry(factor).or_insert(bits);
                    *width = bits.max(*width);
                } else if monomial.len() > 1 {
                    self.bases.insert(factor.term);
                }
            }
        }
    }
    /// `a - b`, where one of them has products, multiplied by a power of two that removes right shifts.
    fn difference(&self, a: Term, b: Term) -> Option<Sum> {
        let Sort::BitVec(width) = self.terms.sort(a) else { return None };
        if width > WIDEST {
            return None;
        }
        self.unshifted(self.of(a).plus(&self.of(b), u128::MAX))
    }
    /// A settled sum that is zero exactly where `sum` is, without right shifts as far as possible.
    fn unshifted(&self, sum: Sum) -> Option<Sum> {
        let mut sum = self.settle(sum)?;
        for _ in 0..MANY_CHOICES {
            let by = |(monomial, number): (&Monomial, &u128)| {
                let shifts = monomial.iter().filter(|f| !f.signed).filter_map(|f| self.shifted.get(&f.term));
                shifts.map(|s| s.by.saturating_sub(number.trailing_zeros())).max()
            };
            let by = sum.parts.iter().filter_map(by).max().unwrap_or(0);
            if by == 0 || sum.width + by > WIDEST {
                break;
            }
            let mut larger = Sum::new(sum.width + by);
            for (monomial, number) in sum.parts {
                larger.add(monomial, number << by);
            }
            sum = self.settle(larger)?;
        }
        Some(sum)
    }
    /// Records the premise `a == b`.
    pub(super) fn give(&mut self, a: Term, b: Term) {
        let Some(sum) = self.difference(a, b) else { return };
        let sum = self.subtract(sum);
        let Some(pivot) = sum.parts.iter().min_by_key(|(m, n)| (n.trailing_zeros(), m.len())) else { return };
        let zero = Zero { pivot: pivot.0.clone(), sum };
        for i in 0..self.zeros.len() {
            let shorter =
                subtracted(&self.zeros[i].sum, &zero).filter(|s| s.parts.contains_key(&self.zeros[i].pivot));
            if let Some(sum) = shorter {
                self.zeros[i].sum = sum;
            }
        }
        self.zeros.push(zero);
    }
    /// Shortens `sum` by subtracting known zeros.
    fn subtract(&self, mut sum: Sum) -> Sum {
        for _ in 0..MANY_SUBTRACTED {
            match self.zeros.iter().find_map(|zero| subtracted(&sum, zero)) {
                Some(other) if other.parts.len() <= MANY_PARTS => sum = other,
                _ => break,
            }
        }
        sum
    }
    /// `a == b`, where one of them has products, as the condition that a sum is zero.
    fn equation(&mut self, a: Term, b: Term) -> Option<Term> {
        let sum = self.difference(a, b)?;
        self.is_zero(sum, 0)
    }
    /// The condition that a sum is zero. Divides the sum by its common power of two, and splits cases at `ite` terms.
    fn is_zero(&mut self, sum: Sum, depth: u32) -> Option<Term> {
        let sum = self.subtract(sum);
        let Some(twos) = sum.parts.values().map(|n| n.trailing_zeros()).min() else {
            return Some(self.terms.bool(true));
        };
        let mut odd = Sum::new(sum.width - twos);
        for (monomial, number) in sum.parts {
            odd.add(monomial, number >> twos);
        }
        let sum = self.settle(odd)?;
        let choice = sum.parts.keys().flatten().find(|f| self.choices.contains(&f.term)).copied();
        if let Some(choice) = choice.filter(|_| depth < MANY_CHOICES) {
            let args: SmallVec<[Term; 3]> = self.terms.args(choice.term).into();
            // The term builder may have simplified the `ite`.
            if let (Op::Ite, &[condition, then, other]) = (self.terms.op(choice.term), &args[..]) {
                let mut cases = [condition; 2];
                for (case, term) in cases.iter_mut().zip([then, other]) {
                    let mut chosen = Sum::new(sum.width);
                    for (monomial, number) in &sum.parts {
                        let mut parts = Sum::number(sum.width, *number);
                        for factor in monomial {
                            let term = if *factor == choice { term } else { factor.term };
                            parts = parts.times(&self.integer(Factor { term, ..*factor }, sum.width))?;
                        }
                        chosen = chosen.plus(&parts, 1);
                    }
                    let chosen = self.unshifted(chosen)?;
                    *case = self.is_zero(chosen, depth + 1)?;
                }
                return Some(self.terms.ite(condition, cases[0], cases[1]));
            }
        }
        self.note(&sum);
        let (value, zero) = (self.products.sum(self.terms, &sum), self.terms.number(sum.width, 0));
        Some(self.terms.eq(value, zero))
    }
    /// An integer modulo `2^width`.
    fn integer(&self, factor: Factor, width: u32) -> Sum {
        match self.terms.as_bits(factor.term) {
            Some(bits) => {
                let number = bits.to_u128().unwrap_or_default();
                let own = bits.width();
                Sum::number(width, if factor.signed { signed(number, own) as u128 } else { number })
            }
            None => Sum::of(width, factor),
        }
    }
    /// Whether a product overflows: tests its high bits if the double width is supported, else is an uninterpreted
    /// variable.
    fn overflows(&mut self, op: Op, a: Term, b: Term) -> Term {
        let (a, b) = (a.min(b), a.max(b));
        let width = self.terms.width(a);
        let signed = matches!(op, Op::SMulOverflows);
        let whole = |term: Term| self.integer(Factor { term, signed }, 2 * width);
        if 2 * width <= WIDEST
            && let Some(sum) = whole(a).times(&whole(b)).and_then(|sum| self.settle(sum))
        {
            self.note(&sum);
            let whole = self.products.sum(self.terms, &sum);
            let low = self.terms.truncate(whole, width);
            let back = if signed { self.terms.sext(low, 2 * width) } else { self.terms.zext(low, 2 * width) };
            return self.terms.ne(whole, back);
        }
        let entry = self.products.opaque.entry((op, a, b));
        *entry.or_insert_with(|| self.terms.variable("overflows", Sort::Bool))
    }
    /// Guesses that integers equal sums, each with the equation to prove.
    pub(super) fn guesses(&mut self) -> Vec<(Guess, Term)> {
        let mut found = Vec::new();
        for (factor, width) in std::mem::take(&mut self.stuck) {
            let Some(sum) = self.lifted(factor, width).filter(|_| width > self.terms.width(factor.term))
            else {
                continue;
            };
            let (own, other) = (number(self.terms, factor, width), self.products.sum(self.terms, &sum));
            let same = self.terms.eq(own, other);
            // Both are equal modulo 2^bits, so their difference is a multiple of 2^bits: the carry.
            let bits = self.terms.width(factor.term);
            let between = self.terms.sub(own, other);
            let carry = self.terms.extract(between, width - 1, bits);
            let carry = self.integer(Factor { term: carry, signed: false }, width);
            let carried = sum.clone().plus(&carry, 1 << bits);
            found.push((Guess::Spreads(Spread { factor, sum, carried }), same));
        }
        found
    }
    /// The sum that an integer equals if the sum of its bits does not wrap; narrower factors keep their own signedness.
    fn lifted(&self, factor: Factor, width: u32) -> Option<Sum> {
        let inner = self.sums.get(&factor.term)?;
        let own = inner.width;
        let mut sum = Sum::new(width);
        for (monomial, number) in &inner.parts {
            let with_sign = |f: &Factor| match self.terms.width(f.term) < own {
                true => *f,
                false => Factor { term: f.term, signed: factor.signed },
            };
            let mut monomial: Monomial = monomial.iter().map(with_sign).collect();
            monomial.sort_unstable();
            sum.add(monomial, signed(*number, own) as u128);
        }
        Some(sum.clean())
    }
}

/// `sum` with the pivot of `zero` eliminated, if a multiple of `zero` has the required factor.
fn subtracted(sum: &Sum, zero: &Zero) -> Option<Sum> {
    let own = *sum.parts.get(&zero.pivot)?;
    // A sum that is zero modulo a smaller power of two is zero modulo the larger one after multiplication by their
    // quotient.
    let up = sum.width.saturating_sub(zero.sum.width);
    let theirs = zero.sum.parts.get(&zero.pivot)? << up & mask(sum.width);
    if theirs == 0 || own.trailing_zeros() < theirs.trailing_zeros() {
        return None;
    }
    let down = theirs.trailing_zeros();
    let times = (own >> down).wrapping_mul(inverse(theirs >> down, sum.width));
    let mut shorter = sum.clone();
    for (monomial, number) in &zero.sum.parts {
        shorter.add(monomial.clone(), (number << up).wrapping_mul(times).wrapping_neg());
    }
    Some(shorter.clean())
}
