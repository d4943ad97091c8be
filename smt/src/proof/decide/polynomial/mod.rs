//! Decides queries that contain products, without bit-level multiplication.
//!
//! The solver multiplies bit by bit, which is hopeless for products of 32 bits and more. The obligations of a
//! recurrence are usually polynomial identities, which need no reasoning about bits. Sums of products are brought into
//! a normal form, and each product of two or more numbers that is left becomes a variable.
//!
//! # Sums
//! A [`Sum`] is a sum of multiples of products of *integers*, modulo `2^width`. An integer is the signed or unsigned
//! value of a term's bits. So a product of extended numbers is the same product at any width, and the truncation of a
//! sum is a sum. Modulo `2^k`, an integer of at least `k` bits may be replaced by the sum that its bits equal; `2^j·x`
//! modulo `2^k` depends only on the low `k - j` bits of `x`. A number shifted right, times that power of two, is the
//! number minus the bits that were shifted out. Equations may be multiplied for this purpose: `x = 0` modulo `2^k` is
//! equivalent to `2·x = 0` modulo `2^(k + 1)`.
//!
//! # Equations
//! An equation states that a sum is zero. Sums that are zero by a premise are subtracted from other sums to shorten
//! them, so the induction step of an invariant usually becomes `0 = 0`.
//!
//! # Soundness
//! Each variable for a product can take the product's value, and the axioms about the variable
//! ([`Products::introduce`]) hold for products. So each model of the assertions extends to a model of the query: if the
//! query is unsatisfiable, so are the assertions. Facts that are learned on the way follow from the query: `zext(x +
//! 1)` is `zext(x) + 1` because nothing wraps there ([`Guess::Spreads`]), or two numbers are equal ([`Guess::Equal`]).
//! Where a sum may wrap, its carry is a separate integer in the sum. A satisfiable answer counts only if the model
//! satisfies the original assertions, which is evaluated.

mod pass;
mod products;
mod sum;

pub(in crate::proof) use products::{Guess, Products};

use crate::proof::decide::unify::conjuncts;
use crate::proof::lang::number::signed;
use crate::term::{Assignment, Bits, Evaluator, Op, Term, Terms};
use pass::{Pass, is_product, is_sum};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Largest constant difference at which two numbers are guessed to be related.
const NEAR: u128 = 16;
/// Maximum number of factors that are compared for guesses.
const MANY_BASES: usize = 12;

/// Whether the assertions contain a product of two non-constant terms.
pub(in crate::proof) fn occur(terms: &Terms, assertions: &[Term]) -> bool {
    terms.cone(assertions).into_iter().any(|term| is_product(terms, term))
}

/// A query without products.
pub(in crate::proof) struct Asked {
    /// The assertions to ask.
    pub(in crate::proof) assertions: Vec<Term>,
    /// Guesses that may help, each with the term to prove.
    pub(in crate::proof) guesses: Vec<(Guess, Term)>,
    /// Factors of products that occur unchanged in the assertions.
    bases: Vec<Term>,
}

impl Products {
    /// The query without products for `assertions`.
    pub(in crate::proof) fn ask(&mut self, terms: &mut Terms, assertions: &[Term]) -> Asked {
        let cone = terms.cone(assertions);
        let (mut with, mut wanted) = (FxHashSet::default(), FxHashSet::default());
        for &term in &cone {
            if is_product(terms, term) || terms.args(term).iter().any(|a| with.contains(a)) {
                with.insert(term);
            }
        }
        // Normalize sums that contain products, and the sums that these are built from.
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
        let mut pass = Pass::new(terms, self);
        let mut new: FxHashMap<Term, Term> = FxHashMap::default();
        // Process the given equations first, so that they can shorten the other ones.
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
}

impl Asked {
    /// Guesses that hold in the model, including guesses that bases equal constants or differ by a small constant.
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
mod tests;
