//! Integers as sums of products in ℤ: expands code that computes them by operations that do not wrap.
//!
//! ```text
//! %r = mul nsw %i, %n        (i * n + j) * m + k   =   i * n * m + j * m + k
//! %s = add nsw %r, %j
//! %t = mul nsw %s, %m
//! %f = add nsw %t, %k
//! ```
//!
//! Requirement: the value is not poison. Guarantee: read as signed, it is the sum of the terms in ℤ, where each term
//! is the product of a constant and of values read as signed. Partial products and sums need not fit any type:
//! `(i * n + j) * m` implies nothing about `n * m`.
//!
//! The expansion looks through `nsw` `add`, `sub`, `mul` and `shl`, `disjoint` `or` (no bit of the sum carries, not
//! even into the sign), sign extensions, and zero extensions of nonnegative values. Every other value is a single
//! factor.

use backedge_ir::body::Body;
use backedge_ir::inst::{BinaryOp, CastOp, InstKind, Value};
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// Limit on the operations looked through: shared operands are expanded once for each use. Beyond it there is no
/// polynomial.
const MOST_OPERATIONS: u32 = 64;
/// Limit on the terms: products of sums multiply their number. Beyond it there is no polynomial.
const MOST_TERMS: usize = 16;
/// Limit on the factors of a term. Beyond it there is no polynomial.
const MOST_FACTORS: usize = 6;
/// Limit on the magnitude of constants, so that neither the sum nor the product of two constants overflows an `i128`.
const GREATEST: i128 = 1 << 62;

/// The factors of a term, ascending.
pub(super) type Product = SmallVec<[Value; 3]>;

/// A sum of products, each with a nonzero constant.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Polynomial(pub(super) BTreeMap<Product, i128>);

impl Polynomial {
    /// The polynomial of `value`, if it is within the limits.
    pub(super) fn of(body: &Body, value: Value) -> Option<Self> {
        Self::multiplied_out(body, value, &mut { MOST_OPERATIONS })
    }
    fn constant(value: i128) -> Option<Self> {
        let mut this = Self::default();
        this.add_term(Product::new(), value)?;
        Some(this)
    }
    fn multiplied_out(body: &Body, value: Value, left: &mut u32) -> Option<Self> {
        if let Some(constant) = body.as_int(value) {
            return Self::constant(constant.signed());
        }
        let inst = value.as_inst().map(|inst| body.inst(inst));
        let Some(inst) = inst.filter(|_| *left > 0) else { return Some(Self::of_factor(value)) };
        *left -= 1;
        let of = |number: usize, left: &mut u32| Self::multiplied_out(body, inst.operands[number], left);
        match &inst.kind {
            InstKind::Binary(BinaryOp::Add, flags) if flags.nsw => of(0, left)?.plus(&of(1, left)?, 1),
            InstKind::Binary(BinaryOp::Or, flags) if flags.disjoint => of(0, left)?.plus(&of(1, left)?, 1),
            InstKind::Binary(BinaryOp::Sub, flags) if flags.nsw => of(0, left)?.plus(&of(1, left)?, -1),
            InstKind::Binary(BinaryOp::Mul, flags) if flags.nsw => of(0, left)?.times(&of(1, left)?),
            InstKind::Binary(BinaryOp::Shl, flags) if flags.nsw => {
                let by = body.as_int(inst.operands[1])?.to_u64()?;
                let width = body.ty(value).int_bits()?;
                // With more bits the constant would not be a value of the type.
                let by = u32::try_from(by).ok().filter(|by| *by < 62 && *by + 1 < width)?;
                of(0, left)?.times(&Self::constant(1 << by)?)
            }
            InstKind::Cast(CastOp::SExt, _) => of(0, left),
            InstKind::Cast(CastOp::ZExt, flags) if flags.nneg => of(0, left),
            _ => Some(Self::of_factor(value)),
        }
    }
    fn of_factor(value: Value) -> Self {
        Self([(Product::from_slice(&[value]), 1)].into_iter().collect())
    }
    /// The sum with `by` times another polynomial.
    pub(super) fn plus(mut self, other: &Self, by: i128) -> Option<Self> {
        for (product, constant) in &other.0 {
            self.add_term(product.clone(), constant.checked_mul(by)?)?;
        }
        Some(self)
    }
    fn times(&self, other: &Self) -> Option<Self> {
        let mut product = Self::default();
        for (a, of_a) in &self.0 {
            for (b, of_b) in &other.0 {
                let mut factors: Product = a.iter().chain(b).copied().collect();
                factors.sort_unstable();
                if factors.len() > MOST_FACTORS {
                    return None;
                }
                product.add_term(factors, of_a.checked_mul(*of_b)?)?;
            }
        }
        Some(product)
    }
    fn add_term(&mut self, product: Product, constant: i128) -> Option<()> {
        let sum = self.0.get(&product).copied().unwrap_or(0).checked_add(constant)?;
        if sum == 0 {
            self.0.remove(&product);
        } else {
            self.0.insert(product, sum);
        }
        (sum.abs() < GREATEST && self.0.len() <= MOST_TERMS).then_some(())
    }
    /// The polynomial as `by` times the first result plus the second, which has all terms that are not multiples of
    /// `by`.
    pub(super) fn divided(&self, by: Extent) -> (Self, Self) {
        let (mut quotient, mut rest) = (Self::default(), Self::default());
        for (product, constant) in &self.0 {
            let divided = match by {
                Extent::Constant(by) => (constant % by == 0).then(|| (product.clone(), constant / by)),
                Extent::Value(by) => product.iter().position(|factor| *factor == by).map(|at| {
                    let mut left = product.clone();
                    left.remove(at);
                    (left, *constant)
                }),
            };
            match divided {
                Some((left, constant)) => drop(quotient.0.insert(left, constant)),
                None => drop(rest.0.insert(product.clone(), *constant)),
            }
        }
        (quotient, rest)
    }
}

/// A candidate for the extent of a dimension.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Extent {
    Constant(i128),
    Value(Value),
}
