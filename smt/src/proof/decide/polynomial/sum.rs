//! Sums of multiples of products of integers, modulo a power of two.

use crate::proof::lang::number::mask;
use crate::term::Term;
use smallvec::{SmallVec, smallvec};
use std::collections::BTreeMap;

/// An integer: the signed or unsigned value of a term's bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Factor {
    pub(super) term: Term,
    pub(super) signed: bool,
}

/// A sorted product of integers; the empty product is 1.
pub(super) type Monomial = SmallVec<[Factor; 4]>;

/// A sum of multiples of products, modulo `2^width`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Sum {
    pub(super) width: u32,
    pub(super) parts: BTreeMap<Monomial, u128>,
}

/// Maximum number of products in a normalized sum.
pub(super) const MANY_PARTS: usize = 64;
/// Maximum number of factors in a normalized product.
pub(super) const MANY_FACTORS: usize = 8;

impl Sum {
    pub(super) fn new(width: u32) -> Self {
        Self { width, parts: BTreeMap::new() }
    }
    pub(super) fn of(width: u32, factor: Factor) -> Self {
        Self { width, parts: BTreeMap::from([(smallvec![factor], 1)]) }
    }
    pub(super) fn number(width: u32, number: u128) -> Self {
        let mut sum = Self::new(width);
        sum.add(Monomial::new(), number);
        sum
    }
    pub(super) fn add(&mut self, monomial: Monomial, factor: u128) {
        let m = mask(self.width);
        let entry = self.parts.entry(monomial);
        let slot = entry.or_insert(0);
        *slot = slot.wrapping_add(factor) & m;
    }
    /// Drops products with factor 0.
    pub(super) fn clean(mut self) -> Self {
        self.parts.retain(|_, factor| *factor != 0);
        self
    }
    pub(super) fn plus(mut self, other: &Self, times: u128) -> Self {
        for (monomial, factor) in &other.parts {
            self.add(monomial.clone(), factor.wrapping_mul(times));
        }
        self.clean()
    }
    pub(super) fn scaled(&self, times: u128) -> Self {
        Self::new(self.width).plus(self, times)
    }
    /// The sum modulo a smaller power of two.
    pub(super) fn narrowed(&self, width: u32) -> Self {
        Self::new(width).plus(self, 1)
    }
    pub(super) fn times(&self, other: &Self) -> Option<Self> {
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
    pub(super) fn has_products(&self) -> bool {
        self.parts.keys().any(|monomial| monomial.len() > 1)
    }
}

pub(super) fn product(a: &[Factor], b: &[Factor]) -> Option<Monomial> {
    let mut all: Monomial = a.iter().chain(b).copied().collect();
    all.sort_unstable();
    (all.len() <= MANY_FACTORS).then_some(all)
}

/// Whether a sum is exactly this integer.
pub(super) fn is_just(sum: &Sum, factor: Factor) -> bool {
    sum.parts.len() == 1 && sum.parts.get(&[factor][..]) == Some(&1)
}
