//! Variables for products, and the axioms about them.

use super::sum::{Factor, Monomial, Sum};
use crate::term::{Assignment, Evaluator, Op, Sort, Term, Terms};
use rustc_hash::FxHashMap;

/// Maximum number of products that are compared pairwise.
const MANY_COMPARED: usize = 6;
/// Number of low bits of a product that an axiom derives from the low bits of its factors.
const LOW_BITS: u32 = 3;

/// A fact that may follow from the assertions.
#[derive(Clone, Debug)]
pub(in crate::proof) enum Guess {
    /// The integer equals this sum.
    Spreads(Spread),
    /// Both terms are equal.
    Equal(Term, Term),
}

/// An integer and a sum that may equal it modulo a power of two; `carried` is the sum plus the carry out of its bits,
/// which always equals it.
#[derive(Clone, Debug)]
pub(in crate::proof) struct Spread {
    pub(super) factor: Factor,
    pub(super) sum: Sum,
    pub(super) carried: Sum,
}

/// Variables for products, and facts about products.
#[derive(Default)]
pub(in crate::proof) struct Products {
    /// For each product, the variable for its value modulo `2^width` of the variable.
    variables: FxHashMap<Monomial, Term>,
    /// Products in order of introduction.
    order: Vec<Monomial>,
    /// Axioms about the variables.
    pub(super) axioms: Vec<Term>,
    /// Integers that are known to equal a sum.
    pub(super) spread: FxHashMap<Factor, Sum>,
    /// Variables for operations that are not interpreted, by operation and rewritten arguments.
    pub(super) opaque: FxHashMap<(Op, Term, Term), Term>,
}

impl Products {
    /// Records the sum that an integer equals: the plain sum if `shown` (nothing is carried out), else the sum with its
    /// carry.
    pub(in crate::proof) fn learn(&mut self, guess: &Guess, shown: bool) {
        if let Guess::Spreads(spread) = guess {
            let sum = if shown { &spread.sum } else { &spread.carried };
            self.spread.insert(spread.factor, sum.clone());
        }
    }
    /// Adds axioms: products of equal factors are equal.
    pub(super) fn compare(&mut self, terms: &mut Terms) {
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
    /// The variable for a product of two or more integers, with at least `width` bits, and its axioms.
    pub(super) fn introduce(&mut self, terms: &mut Terms, monomial: &Monomial, width: u32) -> Term {
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
        // The product is its first factor times the rest; the rest is a single factor or has a variable too.
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
    pub(super) fn value(&mut self, terms: &mut Terms, monomial: &Monomial, width: u32) -> Term {
        match monomial[..] {
            [] => terms.number(width, 1),
            [factor] => number(terms, factor, width),
            _ => {
                let variable = self.introduce(terms, monomial, width);
                terms.truncate(variable, width)
            }
        }
    }
    /// A sum as a term.
    pub(super) fn sum(&mut self, terms: &mut Terms, sum: &Sum) -> Term {
        let mut found = terms.number(sum.width, 0);
        for (monomial, factor) in &sum.parts {
            let (value, factor) = (self.value(terms, monomial, sum.width), terms.number(sum.width, *factor));
            let part = terms.mul(value, factor);
            found = terms.add(found, part);
        }
        found
    }
    /// For each product whose variable has a wrong value in the model, adds the axiom that the product is correct if
    /// one of its factors has its value from the model. Returns whether there was such a product.
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
pub(super) fn number(terms: &mut Terms, factor: Factor, width: u32) -> Term {
    let Factor { term, signed } = factor;
    if width <= terms.width(term) {
        terms.truncate(term, width)
    } else if signed {
        terms.sext(term, width)
    } else {
        terms.zext(term, width)
    }
}
