//! Questions in which products occur, asked without them.
//!
//! The solver multiplies bit by bit, which is hopeless for products of 32 bits and more; what is to be shown of a
//! recurrence is mostly an identity of polynomials, for which no bit has to be looked at. Sums of products are brought
//! into a normal form, and each product of two or more numbers that is left in one becomes a variable.
//!
//! # Sums
//! A [`Sum`] is one of multiples of products of *integers*, modulo `2^width`: of the numbers that the bits of terms are, with
//! a sign or without. So a product of extended numbers is the same one at any width, and what is cut off a sum is a sum.
//! Modulo `2^k` an integer of at least `k` bits may be replaced by the sum that its bits are; `2^j·x` modulo `2^k` looks at
//! `k - j` bits of `x` only. What is shifted right is less what was shifted out if it is multiplied by that power of two,
//! and equations may be: `x = 0` modulo `2^k` says the same as `2·x = 0` modulo `2^(k + 1)`.
//!
//! # Equations
//! One is a sum that is zero. Sums that are given to be zero are subtracted from others such that these get shorter; so
//! the induction step of an invariant mostly becomes `0 = 0`.
//!
//! # Why an answer of "no" counts
//! Each variable that is put for a product can be given the product's value, and what is said of it besides
//! ([`Products::introduce`]) holds of products. So each model of the assertions is one of what is asked, and if that has
//! none, neither have they. What is found out on the way follows from what is asked too: that `zext(x + 1)` is `zext(x) + 1`
//! because nothing wraps there ([`Guess::Spreads`]), or that two numbers are equal ([`Guess::Equal`]). Where something may
//! wrap, what is carried out is an integer of its own in the sum. An answer of "yes" counts if the model is one of the
//! assertions, which is evaluated.

use crate::proof::decide::unify::conjuncts;
use crate::proof::lang::number::{inverse, mask, signed};
use crate::term::{Assignment, Bits, Evaluator, Op, Sort, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};
use std::collections::{BTreeMap, BTreeSet};

/// An integer: the number that the bits of a term are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Factor {
    term: Term,
    signed: bool,
}

/// A product of integers, in order; of none it is 1.
type Monomial = SmallVec<[Factor; 4]>;

/// A sum of multiples of products, modulo `2^width`.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Sum {
    width: u32,
    parts: BTreeMap<Monomial, u128>,
}

/// The widest sum in bits: coefficients are stored in a `u128`.
const WIDEST: u32 = 128;
/// Limit on the products of a sum: products of sums multiply their number. A larger sum is opaque.
const MANY_PARTS: usize = 64;
/// Limit on the factors of a product. A larger product is opaque.
const MANY_FACTORS: usize = 8;
/// Limit on the replacements of factors in one sum: bounds the time, since each may add products.
const MANY_OPENED: usize = 2_000;
/// Limit on the products that are compared pair by pair.
const MANY_COMPARED: usize = 6;
/// Number of low bits of a product that are defined by the low bits of its factors: enough for parity and alignment,
/// and cheap to multiply.
const LOW_BITS: u32 = 3;
/// Limit on the constant by which two numbers may differ in a model for their difference to be guessed.
const NEAR: u128 = 16;
/// Limit on the numbers that are compared pair by pair.
const MANY_BASES: usize = 12;
/// Limit on the subtractions from one equation: each makes it shorter, unless products replace others.
const MANY_SUBTRACTED: usize = 32;
/// Limit on the choices in an equation that are told apart: each doubles the number of equations.
const MANY_CHOICES: u32 = 3;

impl Sum {
    fn new(width: u32) -> Self {
        Self { width, parts: BTreeMap::new() }
    }
    fn of(width: u32, factor: Factor) -> Self {
        Self { width, parts: BTreeMap::from([(smallvec![factor], 1)]) }
    }
    fn number(width: u32, number: u128) -> Self {
        let mut sum = Self::new(width);
        sum.add(Monomial::new(), number);
        sum
    }
    fn add(&mut self, monomial: Monomial, factor: u128) {
        let m = mask(self.width);
        let entry = self.parts.entry(monomial);
        let slot = entry.or_insert(0);
        *slot = slot.wrapping_add(factor) & m;
    }
    /// Drops what is nothing.
    fn clean(mut self) -> Self {
        self.parts.retain(|_, factor| *factor != 0);
        self
    }
    fn plus(mut self, other: &Self, times: u128) -> Self {
        for (monomial, factor) in &other.parts {
            self.add(monomial.clone(), factor.wrapping_mul(times));
        }
        self.clean()
    }
    fn scaled(&self, times: u128) -> Self {
        Self::new(self.width).plus(self, times)
    }
    /// Modulo a smaller power of two.
    fn narrowed(&self, width: u32) -> Self {
        Self::new(width).plus(self, 1)
    }
    fn times(&self, other: &Self) -> Option<Self> {
        if self.parts.len() * other.parts.len() > MANY_PARTS {
            return None;
        }
        let mut sum = Self::new(self.width);
        for (a, x) in &self.parts {
            for (b, y) in &other.parts {
                sum.add(product(a, b)?, x.wrapping_mul(*y));
            }
        }
        Some(sum.clean())
    }
    fn has_products(&self) -> bool {
        self.parts.keys().any(|monomial| monomial.len() > 1)
    }
}

fn product(a: &[Factor], b: &[Factor]) -> Option<Monomial> {
    let mut all: Monomial = a.iter().chain(b).copied().collect();
    all.sort_unstable();
    (all.len() <= MANY_FACTORS).then_some(all)
}

/// Whether there is a product of two terms of which none is a number.
pub(in crate::proof) fn occur(terms: &Terms, assertions: &[Term]) -> bool {
    terms.cone(assertions).into_iter().any(|term| is_product(terms, term))
}
fn is_product(terms: &Terms, term: Term) -> bool {
    matches!(terms.op(term), Op::Mul) && terms.args(term).iter().all(|a| !terms.is_constant(*a))
}

/// Something that may follow from assertions.
#[derive(Clone, Debug)]
pub(in crate::proof) enum Guess {
    /// The integer is this sum.
    Spreads(Spread),
    /// The first term is the second one.
    Equal(Term, Term),
}

/// That an integer is a sum, modulo a power of two; or else a sum with what is carried out of its bits.
#[derive(Clone, Debug)]
pub(in crate::proof) struct Spread {
    factor: Factor,
    sum: Sum,
    carried: Sum,
}

/// Variables for products, and what is known of products.
#[derive(Default)]
pub(in crate::proof) struct Products {
    /// The value of a product modulo `2^width` of the variable.
    variables: FxHashMap<Monomial, Term>,
    /// Products in the order in which they came up.
    order: Vec<Monomial>,
    /// What holds of the variables.
    axioms: Vec<Term>,
    /// What was shown to be a sum.
    spread: FxHashMap<Factor, Sum>,
    /// For what is not looked into: the operation, and the arguments as they are asked about.
    opaque: FxHashMap<(Op, Term, Term), Term>,
}

/// Assertions without products.
pub(in crate::proof) struct Asked {
    /// What is asked.
    pub(in crate::proof) assertions: Vec<Term>,
    /// What may help to see more.
    pub(in crate::proof) guesses: Vec<(Guess, Term)>,
    /// Numbers that products are made of, as the assertions have them.
    bases: Vec<Term>,
}

/// What is left of a term when its low bits are shifted out.
#[derive(Clone, Copy, Debug)]
struct Shifted {
    by: u32,
    /// The bits that it is made of, and those that were shifted out.
    whole: Term,
    low: Term,
}

/// A sum that is zero, and the product by which it is subtracted from others.
struct Zero {
    pivot: Monomial,
    sum: Sum,
}

/// One pass over assertions.
struct Pass<'a> {
    terms: &'a mut Terms,
    products: &'a mut Products,
    /// The sums that terms without products are.
    sums: FxHashMap<Term, Sum>,
    /// Terms that are what is left of others behind a shift.
    shifted: FxHashMap<Term, Shifted>,
    /// Choices in which there are products.
    choices: FxHashSet<Term>,
    /// Equations that are given.
    zeros: Vec<Zero>,
    /// Integers in sums with products that are sums themselves, but were not replaced, and at which width.
    stuck: BTreeMap<Factor, u32>,
    bases: BTreeSet<Term>,
}

impl Products {
    /// The assertions without products.
    pub(in crate::proof) fn ask(&mut self, terms: &mut Terms, assertions: &[Term]) -> Asked {
        let cone = terms.cone(assertions);
        let (mut with, mut wanted) = (FxHashSet::default(), FxHashSet::default());
        for &term in &cone {
            if is_product(terms, term) || terms.args(term).iter().any(|a| with.contains(a)) {
                with.insert(term);
            }
        }
        // Sums are looked at where products are in them, and in what these are made of.
        for &term in cone.iter().rev() {
            let sum = (with.contains(&term) || wanted.contains(&term)) && is_sum(terms, term);
            if sum {
                wanted.insert(term);
            }
            let of_sums = match terms.op(term) {
                Op::Eq => with.contains(&term),
                Op::UMulOverflows | Op::SMulOverflows => true,
                _ => sum,
            };
            if of_sums {
                wanted.extend(terms.args(term));
            }
        }
        let mut pass = Pass {
            terms,
            products: self,
            sums: FxHashMap::default(),
            shifted: FxHashMap::default(),
            choices: FxHashSet::default(),
            zeros: Vec::new(),
            stuck: BTreeMap::new(),
            bases: BTreeSet::new(),
        };
        let mut new: FxHashMap<Term, Term> = FxHashMap::default();
        // What is given to be equal comes first: what else is equal is seen in its light.
        let mut given = conjuncts(pass.terms, assertions);
        given.retain(|g| matches!(pass.terms.op(*g), Op::Eq) && with.contains(g));
        for term in pass.terms.cone(&given) {
            pass.build(term, &mut new, (with.contains(&term), wanted.contains(&term)));
        }
        for term in given {
            let old: SmallVec<[Term; 3]> = pass.terms.args(term).into();
            pass.give(new[&old[0]], new[&old[1]]);
        }
        for term in cone {
            pass.build(term, &mut new, (with.contains(&term), wanted.contains(&term)));
        }
        let mut asked: Vec<Term> = assertions.iter().map(|a| new[a]).collect();
        let guesses = pass.guesses();
        let bases = pass.bases.iter().copied().filter(|b| new.get(b) == Some(b)).take(MANY_BASES).collect();
        self.compare(terms);
        asked.extend(&self.axioms);
        Asked { assertions: asked, guesses, bases }
    }
    /// Takes an integer for the sum that it is: whether it was shown that nothing is carried out tells which.
    pub(in crate::proof) fn learn(&mut self, guess: &Guess, shown: bool) {
        if let Guess::Spreads(spread) = guess {
            let sum = if shown { &spread.sum } else { &spread.carried };
            self.spread.insert(spread.factor, sum.clone());
        }
    }
    /// That products of equal numbers are equal.
    fn compare(&mut self, terms: &mut Terms) {
        if self.order.len() > MANY_COMPARED {
            return;
        }
        for (i, a) in self.order.iter().enumerate() {
            for b in &self.order[..i] {
                let widths = |x: &Factor, y: &Factor| terms.width(x.term) == terms.width(y.term);
                let alike =
                    a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x.signed == y.signed && widths(x, y));
                if !alike {
                    continue;
                }
                let mut differ = Vec::new();
                for (x, y) in a.iter().zip(b) {
                    differ.push(terms.ne(x.term, y.term));
                }
                let (x, y) = (self.variables[a], self.variables[b]);
                let width = terms.width(x).min(terms.width(y));
                let (x, y) = (terms.truncate(x, width), terms.truncate(y, width));
                differ.push(terms.eq(x, y));
                let axiom = terms.or_all(differ);
                if !self.axioms.contains(&axiom) {
                    self.axioms.push(axiom);
                }
            }
        }
    }
    /// The variable for a product of two integers or more, of `width` bits or more, with what holds of it.
    fn introduce(&mut self, terms: &mut Terms, monomial: &Monomial, width: u32) -> Term {
        if let Some(&old) = self.variables.get(monomial) {
            if terms.width(old) >= width {
                return old;
            }
        } else {
            self.order.push(monomial.clone());
        }
        let new = terms.variable("product", Sort::BitVec(width));
        if let Some(old) = self.variables.insert(monomial.clone(), new) {
            let low = terms.truncate(new, terms.width(old));
            self.axioms.push(terms.eq(low, old));
        }
        // One integer times the others: their product is one of these, or has a variable too.
        let (first, rest) = (monomial[0], Monomial::from_slice(&monomial[1..]));
        let (one, others) = (number(terms, first, width), self.value(terms, &rest, width));
        let zero = terms.number(width, 0);
        let unit = terms.number(width, 1);
        for (a, b) in [(one, others), (others, one)] {
            let (none, nothing) = (terms.eq(a, zero), terms.eq(new, zero));
            self.axioms.push(terms.implies(none, nothing));
            let (once, same) = (terms.eq(a, unit), terms.eq(new, b));
            self.axioms.push(terms.implies(once, same));
        }
        let low = LOW_BITS.min(width);
        let (a, b) = (terms.truncate(one, low), terms.truncate(others, low));
        let (bits, product) = (terms.truncate(new, low), terms.mul(a, b));
        self.axioms.push(terms.eq(bits, product));
        let most: u32 = monomial.iter().map(|f| terms.width(f.term)).sum();
        if most < width && monomial.iter().all(|f| !f.signed) {
            let high = terms.extract(new, width - 1, most);
            let zero = terms.number(width - most, 0);
            self.axioms.push(terms.eq(high, zero));
        }
        new
    }
    /// The value of a product modulo `2^width`.
    fn value(&mut self, terms: &mut Terms, monomial: &Monomial, width: u32) -> Term {
        match monomial[..] {
            [] => terms.number(width, 1),
            [factor] => number(terms, factor, width),
            _ => {
                let variable = self.introduce(terms, monomial, width);
                terms.truncate(variable, width)
            }
        }
    }
    /// What is known to be a sum, in terms.
    fn sum(&mut self, terms: &mut Terms, sum: &Sum) -> Term {
        let mut found = terms.number(sum.width, 0);
        for (monomial, factor) in &sum.parts {
            let (value, factor) = (self.value(terms, monomial, sum.width), terms.number(sum.width, *factor));
            let part = terms.mul(value, factor);
            found = terms.add(found, part);
        }
        found
    }
    /// What holds of a product where one of its factors has the value that it has in the model, if the model has another
    /// value for the product than there would be.
    pub(in crate::proof) fn instances(&mut self, terms: &mut Terms, model: &Assignment) -> bool {
        let mut found = false;
        for monomial in self.order.clone() {
            let variable = self.variables[&monomial];
            let width = terms.width(variable);
            let rest = Monomial::from_slice(&monomial[1..]);
            let (first, others) = (number(terms, monomial[0], width), self.value(terms, &rest, width));
            let mut evaluator = Evaluator::new(terms, model);
            let mut bits = |term: Term| evaluator.value(term).as_bits().cloned();
            let (Some(a), Some(b), Some(c)) = (bits(first), bits(others), bits(variable)) else { continue };
            if a.mul(&b) == c {
                continue;
            }
            found = true;
            for (one, value, other) in [(first, a, others), (others, b, first)] {
                let value = terms.constant(value);
                let (here, times) = (terms.eq(one, value), terms.mul(other, value));
                let so = terms.eq(variable, times);
                self.axioms.push(terms.implies(here, so));
            }
        }
        found
    }
}

/// An integer modulo `2^width`.
fn number(terms: &mut Terms, factor: Factor, width: u32) -> Term {
    let Factor { term, signed } = factor;
    if width <= terms.width(term) {
        terms.truncate(term, width)
    } else if signed {
        terms.sext(term, width)
    } else {
        terms.zext(term, width)
    }
}

/// Whether a term is a sum of products of its arguments, or one of these as an integer.
fn is_sum(terms: &Terms, term: Term) -> bool {
    let Sort::BitVec(width) = terms.sort(term) else { return false };
    let fits = width <= WIDEST;
    fits && match terms.op(term) {
        Op::Add | Op::Mul | Op::BvNeg | Op::BvNot | Op::ZExt(_) | Op::SExt(_) => true,
        Op::Extract { low: 0, .. } => terms.width(terms.args(term)[0]) <= WIDEST,
        Op::Shl => terms.as_bits(terms.args(term)[1]).is_some(),
        _ => false,
    }
}

impl Pass<'_> {
    /// Builds what is asked in place of `term`, unless that has been done.
    fn build(&mut self, term: Term, new: &mut FxHashMap<Term, Term>, kind: (bool, bool)) {
        if new.contains_key(&term) {
            return;
        }
        let old: SmallVec<[Term; 3]> = self.terms.args(term).into();
        let args: SmallVec<[Term; 3]> = old.iter().map(|a| new[a]).collect();
        let built = self.term(term, &args, kind);
        new.insert(term, built);
    }
    /// `term` with `args` for its arguments, which have no products: whether it has some, and whether it is looked at as a
    /// sum.
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
    /// The sum that a term is.
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
    /// Notes that `built` is what is left of `a` behind a shift.
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
    /// Replaces integers by what they are, as far as that is known.
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
            // 2^by times what is left is what it is made of, less what was shifted out. Both are multiples of 2^by apart,
            // so that it does not matter which of the numbers that are equal modulo 2^width the factor is.
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
    /// What an integer is modulo `2^bits`, if it is something else than itself.
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
    /// Remembers what a sum with products is made of.
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
    /// `a - b`, of which one has products, by such a power of two that what is shifted right can be told.
    fn difference(&self, a: Term, b: Term) -> Option<Sum> {
        let Sort::BitVec(width) = self.terms.sort(a) else { return None };
        if width > WIDEST {
            return None;
        }
        self.unshifted(self.of(a).plus(&self.of(b), u128::MAX))
    }
    /// A sum that is zero where `sum` is, settled.
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
    /// Takes `a == b` for given.
    fn give(&mut self, a: Term, b: Term) {
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
    /// Subtracts what is zero.
    fn subtract(&self, mut sum: Sum) -> Sum {
        for _ in 0..MANY_SUBTRACTED {
            match self.zeros.iter().find_map(|zero| subtracted(&sum, zero)) {
                Some(other) if other.parts.len() <= MANY_PARTS => sum = other,
                _ => break,
            }
        }
        sum
    }
    /// `a == b`, of which one has products: as a sum that is zero.
    fn equation(&mut self, a: Term, b: Term) -> Option<Term> {
        let sum = self.difference(a, b)?;
        self.is_zero(sum, 0)
    }
    /// Whether a sum is zero: without a power of two that all of it has, by cases where there are choices.
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
            // A builder may have made something else of it.
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
    /// Whether a product does not fit: what its high bits are says so, if it can be told in so many bits.
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
    /// Guesses of what integers are, and what is to be shown for them.
    fn guesses(&mut self) -> Vec<(Guess, Term)> {
        let mut found = Vec::new();
        for (factor, width) in std::mem::take(&mut self.stuck) {
            let Some(sum) = self.lifted(factor, width).filter(|_| width > self.terms.width(factor.term))
            else {
                continue;
            };
            let (own, other) = (number(self.terms, factor, width), self.products.sum(self.terms, &sum));
            let same = self.terms.eq(own, other);
            // Modulo 2^bits both are the same: what is between them is a multiple of that.
            let bits = self.terms.width(factor.term);
            let between = self.terms.sub(own, other);
            let carry = self.terms.extract(between, width - 1, bits);
            let carry = self.integer(Factor { term: carry, signed: false }, width);
            let carried = sum.clone().plus(&carry, 1 << bits);
            found.push((Guess::Spreads(Spread { factor, sum, carried }), same));
        }
        found
    }
    /// The sum that an integer is if its bits are one that does not wrap: small numbers stand for themselves.
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

/// `sum` without the pivot of what is zero, if that can be subtracted often enough.
fn subtracted(sum: &Sum, zero: &Zero) -> Option<Sum> {
    let own = *sum.parts.get(&zero.pivot)?;
    // What is zero modulo a smaller power of two is so modulo this one if it is multiplied by what is between.
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

/// Whether a sum is this integer and nothing else.
fn is_just(sum: &Sum, factor: Factor) -> bool {
    sum.parts.len() == 1 && sum.parts.get(&[factor][..]) == Some(&1)
}

impl Asked {
    /// Guesses that hold in the model, those among them that numbers are equal, or near each other.
    pub(in crate::proof) fn likely(&self, terms: &mut Terms, model: &Assignment) -> Vec<(Guess, Term)> {
        let mut found: Vec<(Guess, Term)> = Vec::new();
        let mut evaluator = Evaluator::new(terms, model);
        found.extend(self.guesses.iter().filter(|(_, term)| evaluator.truth(*term)).cloned());
        let values: Vec<Option<Bits>> =
            self.bases.iter().map(|b| evaluator.value(*b).as_bits().cloned()).collect();
        let mut equal = |terms: &mut Terms, from: Term, to: Term| {
            let same = terms.eq(from, to);
            if terms.as_bool(same).is_none() {
                found.push((Guess::Equal(from, to), same));
            }
        };
        for (i, &base) in self.bases.iter().enumerate() {
            let Some(value) = &values[i] else { continue };
            let constant = terms.constant(value.clone());
            equal(terms, base, constant);
            for (j, &other) in self.bases[..i].iter().enumerate() {
                let Some(theirs) = values[j].as_ref().filter(|v| v.width() == value.width()) else {
                    continue;
                };
                let by = value.sub(theirs);
                let near =
                    by.to_u128().is_some_and(|n| signed(n, by.width().min(128)).unsigned_abs() <= NEAR);
                if near {
                    let by = terms.constant(by);
                    let to = terms.add(other, by);
                    equal(terms, base, to);
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use crate::proof::decide::ask::Asker;
    use crate::solver::{Answer, Budget, Cost, check};
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};
    use std::time::{Duration, Instant};

    /// Whether `goal` is seen to follow from `given`, without multiplying.
    fn follows(terms: &mut Terms, given: &[Term], goal: Term) -> bool {
        let limits = Limits::new(Instant::now(), Duration::from_secs(600), 3_000_000);
        let cost = Cost::default();
        let mut asker = Asker { units: 3_000_000, memory: 4096, limits, cost, open: 0, hint: None };
        let mut assertions = given.to_vec();
        assertions.push(terms.not(goal));
        let answer = asker.without_products(terms, &assertions, 300_000).expect("a solver");
        if let Answer::Sat(model) = &answer {
            let mut evaluator = Evaluator::new(terms, model);
            assert!(assertions.iter().all(|a| evaluator.truth(*a)), "a model is one");
        }
        answer == Answer::Unsat
    }

    /// `2·s = i·i - i` modulo `2^(width + 1)`.
    fn triangular(terms: &mut Terms, s: Term, i: Term) -> Term {
        let width = terms.width(s) + 1;
        let (s, i) = (terms.zext(s, width), terms.zext(i, width));
        let (twice, square) = (terms.add(s, s), terms.mul(i, i));
        let less = terms.sub(square, i);
        terms.eq(twice, less)
    }

    #[test]
    fn a_sum_of_a_counter_is_followed() {
        for width in [32, 64] {
            let terms = &mut Terms::new();
            let [s, i, n] = ["s", "i", "n"].map(|name| terms.variable(name, Sort::BitVec(width)));
            let one = terms.number(width, 1);
            let (sum, next) = (terms.add(s, i), terms.add(i, one));
            let (before, after) = (triangular(terms, s, i), triangular(terms, sum, next));
            let within = terms.ult(i, n);
            assert!(follows(terms, &[before, within], after));
            // Where the counter wraps, it is not so; nor is it of another sum.
            assert!(!follows(terms, &[before], after));
            assert!(!follows(terms, &[within], after));
            let more = terms.add(sum, one);
            let wrong = triangular(terms, more, next);
            assert!(!follows(terms, &[before, within], wrong));
            let twice = terms.add(next, one);
            let wrong = triangular(terms, sum, twice);
            assert!(!follows(terms, &[before, within], wrong));
        }
    }

    #[test]
    fn a_closed_form_is_one_unless_its_product_wraps() {
        for width in [32, 64] {
            for (wide, right) in [(2 * width, true), (width + 1, true), (width, false)] {
                let terms = &mut Terms::new();
                let [s, i, n] = ["s", "i", "n"].map(|name| terms.variable(name, Sort::BitVec(width)));
                let before = triangular(terms, s, i);
                let (below, above) = (terms.ult(i, n), terms.ult(n, i));
                let (below, above) = (terms.not(below), terms.not(above));
                let (m, one) = (terms.zext(n, wide), terms.number(wide, 1));
                let less = terms.sub(m, one);
                let product = terms.mul(m, less);
                let half = terms.lshr(product, one);
                let half = terms.truncate(half, width);
                let zero = terms.number(width, 0);
                let (none, same) = (terms.eq(n, zero), terms.eq(s, half));
                assert_eq!(follows(terms, &[before, below, above], same), right, "{width} {wide}");
                let chosen = terms.ite(none, zero, half);
                let same = terms.eq(s, chosen);
                assert_eq!(follows(terms, &[before, below, above], same), right, "{width} {wide}");
                // What is carried out where n is 0 makes no difference.
                let one = terms.number(width, 1);
                let less = terms.sub(n, one);
                let less = terms.zext(less, wide);
                let (product, one) = (terms.mul(m, less), terms.number(wide, 1));
                let half = terms.lshr(product, one);
                let half = terms.truncate(half, width);
                let same = terms.eq(s, half);
                // Of 64 bits it takes more than a test should.
                if width == 32 {
                    assert_eq!(follows(terms, &[before, below, above], same), right, "{width} {wide}");
                }
                assert!(!follows(terms, &[before, below], same), "{width} {wide}");
            }
        }
    }

    /// A term of `width` bits over small variables.
    fn any(terms: &mut Terms, dice: &mut Xoshiro256PlusPlus, base: &[Term], width: u32, depth: u32) -> Term {
        let mut below = |n: u64| dice.random_range(0..n);
        if depth == 0 {
            let base = base[below(base.len() as u64) as usize];
            let number = u128::from(below(1 << width));
            return match below(4) {
                0 => terms.number(width, number),
                1 => terms.sext_or_truncate(base, width),
                _ => terms.zext_or_truncate(base, width),
            };
        }
        let kind = below(12);
        let other = 2 + below(4) as u32;
        let by = u128::from(1 + below(u64::from(width)));
        let mut part = |terms: &mut Terms, width| any(terms, dice, base, width, depth - 1);
        let a = part(terms, width);
        match kind {
            0..=3 => {
                let b = part(terms, width);
                terms.mul(a, b)
            }
            4..=5 => {
                let b = part(terms, width);
                terms.add(a, b)
            }
            6 => {
                let b = part(terms, width);
                terms.sub(a, b)
            }
            7 => {
                let by = terms.number(width, by);
                terms.lshr(a, by)
            }
            8 => {
                let c = part(terms, width);
                let (b, c) = (part(terms, width), terms.ult(a, c));
                terms.ite(c, a, b)
            }
            9 => {
                let a = part(terms, other);
                terms.sext_or_truncate(a, width)
            }
            10 => {
                let a = part(terms, other);
                terms.zext_or_truncate(a, width)
            }
            _ => terms.bv_not(a),
        }
    }

    #[test]
    fn what_is_seen_to_follow_does() {
        let mut dice = Xoshiro256PlusPlus::seed_from_u64(7);
        let (mut seen, mut true_ones) = (0, 0);
        for _ in 0..400 {
            let terms = &mut Terms::new();
            let base: Vec<Term> =
                [3, 3, 4].into_iter().map(|width| terms.variable("x", Sort::BitVec(width))).collect();
            let equation = |terms: &mut Terms, dice: &mut Xoshiro256PlusPlus| {
                let width = dice.random_range(2..6);
                let a = any(terms, dice, &base, width, 3);
                // Mostly false if both are any.
                let b = any(terms, dice, &base, width, 1);
                if dice.random_range(0..4) == 0 { terms.ult(a, b) } else { terms.eq(a, b) }
            };
            let given = [equation(terms, &mut dice), equation(terms, &mut dice)];
            let goal = match dice.random_range(0..3) {
                0 => terms.bool(false),
                1 => {
                    let overflow = terms.umul_overflows(base[0], base[1]);
                    let goal = equation(terms, &mut dice);
                    terms.or(goal, overflow)
                }
                _ => equation(terms, &mut dice),
            };
            let mut assertions = given.to_vec();
            assertions.push(terms.not(goal));
            let truth =
                check(terms, &assertions, &Budget::default()).expect("a solver").answer == Answer::Unsat;
            true_ones += u32::from(truth);
            if follows(terms, &given, goal) {
                assert!(truth, "{given:?} {goal:?}");
                seen += 1;
            }
        }
        assert!(seen > 20 && true_ones > seen, "{seen} of {true_ones}");
    }
}
