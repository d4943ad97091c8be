//! How a memory reference advances in a loop: `getStrideAtLevel` of docs/hir-terms.md.
//!
//! Multiplies the coefficients of the loop's induction variable in all subscripts by the strides of the dimensions,
//! and adds the products: `A[0][2*i][b*i]` on `int A[10][10]` advances by `4 * b + 80` bytes. There is no stride if a
//! part of the address varies in the loop in another way, or if a subscript is extended, which may wrap in the loop.

use super::{MemRef, RegDdRef};
use crate::blob::Blobs;
use crate::canon::{CanonExpr, Level, NoWrap};
use std::fmt;

/// Why a reference has no stride at a level.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum NoStride {
    /// The reference is not a memory reference.
    NotMemory,
    /// The base varies in the loop.
    Base,
    /// A blob in the subscript of this dimension, or the dimension's stride, varies in the loop.
    Varies(usize),
    /// The subscript of this dimension has the induction variable under a cast or a division.
    NotLinear(usize),
}

impl fmt::Display for NoStride {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotMemory => f.write_str("it is not a memory reference"),
            Self::Base => f.write_str("the base changes in the loop"),
            Self::Varies(dim) => write!(f, "a variable in dimension {dim} changes in the loop"),
            Self::NotLinear(dim) => {
                write!(f, "the subscript of dimension {dim} is under a cast or a division")
            }
        }
    }
}

impl RegDdRef {
    /// The bytes by which the address advances from one iteration of the loop at `level` to the next, with all inner
    /// loops at the same iterations.
    pub fn stride_at_level(&self, level: Level, blobs: &mut Blobs) -> Result<CanonExpr, NoStride> {
        self.as_memory().ok_or(NoStride::NotMemory)?.stride_at_level(level, blobs)
    }
}

impl MemRef {
    /// See [`RegDdRef::stride_at_level`].
    pub fn stride_at_level(&self, level: Level, blobs: &mut Blobs) -> Result<CanonExpr, NoStride> {
        if !self.base.is_invariant_at_level(level) {
            return Err(NoStride::Base);
        }
        let width = self.base.dest_type().width;
        let mut sum = CanonExpr::zero(crate::ScalarType::int(width));
        for (number, dim) in (1..).zip(&self.dims) {
            let form = &dim.subscript;
            let varies = form.has_any_blob() && form.defined_at_level() >= level;
            if varies || !dim.stride.is_invariant_at_level(level) {
                return Err(NoStride::Varies(number));
            }
            if !form.has_iv(level) {
                continue;
            }
            let advance = advance(form, level, width, blobs).ok_or(NoStride::NotLinear(number))?;
            let bytes =
                advance.mul(&dim.stride, NoWrap::Unknown, blobs).ok_or(NoStride::NotLinear(number))?;
            sum = sum.add(&bytes, NoWrap::Unknown, blobs).ok_or(NoStride::NotLinear(number))?;
        }
        Ok(sum)
    }
}

/// The advance of a subscript per iteration, in the width of addresses.
fn advance(form: &CanonExpr, level: Level, width: u32, blobs: &mut Blobs) -> Option<CanonExpr> {
    let plain = form.low_bits(width, blobs)?;
    let coeff = plain.iv_coeff(level)?;
    let by = CanonExpr::of_constant(coeff.constant);
    match coeff.blob {
        Some(blob) => {
            let of_blob = CanonExpr::of_blob(blobs, blob).at_level_of(form);
            by.mul(&of_blob, NoWrap::Unknown, blobs)
        }
        None => Some(by),
    }
}
