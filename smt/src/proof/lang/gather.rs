//! Operations that loops gather values with: associative and commutative ones other than addition, whose sums are linear
//! facts.
//!
//! A vectorized reduction gathers in each lane of each interleaved part the values of some iterations; the scalar source
//! gathers all of them in one number. Two numbers are equal if they are gathered from the same operands in any order,
//! which is decided on terms, without the solver.

use crate::proof::lang::number::{mask, signed};
use crate::term::{Op, Term, Terms};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

/// An associative and commutative operation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(in crate::proof) enum Gather {
    And,
    Or,
    Xor,
    Mul,
    UMin,
    UMax,
    SMin,
    SMax,
}

/// All of them.
pub(in crate::proof) const ALL: [Gather; 8] = [
    Gather::And,
    Gather::Or,
    Gather::Xor,
    Gather::Mul,
    Gather::UMin,
    Gather::UMax,
    Gather::SMin,
    Gather::SMax,
];
/// Limit on the operands of one gathered value: bounds the time of a comparison, which asks the solver beyond it.
const MANY_LEAVES: usize = 512;

impl Gather {
    /// What two numbers give.
    pub(in crate::proof) fn join(self, terms: &mut Terms, a: Term, b: Term) -> Term {
        let signed = matches!(self, Self::SMin | Self::SMax);
        match self {
            Self::And => terms.bv_and(a, b),
            Self::Or => terms.bv_or(a, b),
            Self::Xor => terms.bv_xor(a, b),
            Self::Mul => terms.mul(a, b),
            Self::UMin | Self::SMin | Self::UMax | Self::SMax => {
                let less = if signed { terms.slt(a, b) } else { terms.ult(a, b) };
                let (x, y) = if matches!(self, Self::UMin | Self::SMin) { (a, b) } else { (b, a) };
                terms.ite(less, x, y)
            }
        }
    }
    /// The same on numbers.
    pub(in crate::proof) fn number(self, a: u128, b: u128, width: u32) -> u128 {
        let less = |a: u128, b: u128| signed(a, width) < signed(b, width);
        match self {
            Self::And => a & b,
            Self::Or => a | b,
            Self::Xor => a ^ b,
            Self::Mul => a.wrapping_mul(b) & mask(width),
            Self::UMin => a.min(b),
            Self::UMax => a.max(b),
            Self::SMin if less(a, b) => a,
            Self::SMax if less(b, a) => a,
            Self::SMin | Self::SMax => b,
        }
    }
    /// How it is written.
    pub(in crate::proof) fn name(self) -> &'static str {
        match self {
            Self::And => "and",
            Self::Or => "or",
            Self::Xor => "xor",
            Self::Mul => "mul",
            Self::UMin => "umin",
            Self::UMax => "umax",
            Self::SMin => "smin",
            Self::SMax => "smax",
        }
    }
    /// Whether a number that is gathered twice counts once.
    fn is_idempotent(self) -> bool {
        !matches!(self, Self::Xor | Self::Mul)
    }
    /// The two that a term joins.
    pub(in crate::proof) fn split(self, terms: &Terms, term: Term) -> Option<(Term, Term)> {
        let two = |op: Op| (terms.op(term) == op).then(|| (terms.args(term)[0], terms.args(term)[1]));
        let (order, least) = match self {
            Self::And => return two(Op::BvAnd),
            Self::Or => return two(Op::BvOr),
            Self::Xor => return two(Op::BvXor),
            Self::Mul => return two(Op::Mul),
            Self::UMin => (Op::Ult, true),
            Self::UMax => (Op::Ult, false),
            Self::SMin => (Op::Slt, true),
            Self::SMax => (Op::Slt, false),
        };
        if terms.op(term) != Op::Ite {
            return None;
        }
        let [test, yes, no] = *terms.args(term) else { return None };
        if terms.op(test) != order {
            return None;
        }
        let [a, b] = *terms.args(test) else { return None };
        let expected = if least { (a, b) } else { (b, a) };
        ((yes, no) == expected).then_some((a, b))
    }
    /// What the numbers are gathered from, sorted, if that is not too much.
    pub(in crate::proof) fn leaves(self, terms: &Terms, roots: &[Term]) -> Option<Vec<Term>> {
        let (mut found, mut work) = (Vec::new(), roots.to_vec());
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        while let Some(term) = work.pop() {
            if self.is_idempotent() && !seen.insert(term) {
                continue;
            }
            match self.split(terms, term) {
                Some((a, b)) => work.extend([a, b]),
                None => found.push(term),
            }
            if found.len() + work.len() > MANY_LEAVES {
                return None;
            }
        }
        found.sort_unstable();
        Some(found)
    }
    /// That `whole` is what `parts` give.
    pub(in crate::proof) fn equation(self, terms: &mut Terms, whole: Term, parts: &[Term]) -> Option<Term> {
        let own = self.leaves(terms, &[whole]);
        if own.is_some() && own == self.leaves(terms, parts) {
            return Some(terms.bool(true));
        }
        let joined = self.joined(terms, parts)?;
        Some(terms.eq(whole, joined))
    }
    /// What `parts` give, one after the other.
    fn joined(self, terms: &mut Terms, parts: &[Term]) -> Option<Term> {
        let (first, rest) = parts.split_first()?;
        Some(rest.iter().fold(*first, |sum, part| self.join(terms, sum, *part)))
    }
}
