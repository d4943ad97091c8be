//! Arithmetic of closed forms. Each result equals the operation on the values, for all values of induction variables
//! and temps for which the operands are defined. A result that has no closed form is `None`.
//!
//! Numerators are added and multiplied modulo 2^w, which commutes with truncation. It does not commute with
//! extension: `zext(a) + zext(b)` is not `zext(a + b)` if the inner sum wraps. Nor does it commute with division.
//! With [`NoWrap`] a caller states that the inner operation does not wrap.

use super::{CanonExpr, Extension, IvCoeff, Level};
use crate::blob::{Blobs, Cast, Linear, ScalarType};
use backedge_ir::int::Int;

/// The caller's knowledge about an operation on the numerators of two extended forms.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum NoWrap {
    /// No knowledge.
    Unknown,
    /// The exact result is in the range of the source type: as unsigned if the forms are zero-extended, as signed if
    /// they are sign-extended.
    Known,
}

impl CanonExpr {
    /// Whether the sum and the difference of both can be expressed in one form of their types: `mergeable()`.
    pub fn mergeable(&self, other: &Self, no_wrap: NoWrap) -> bool {
        let types = self.src == other.src && self.dest == other.dest && self.src.is_int();
        let divided = !self.denominator.is_one() || !other.denominator.is_one();
        let extended = self.extension().is_some();
        types && !divided && (!extended || (self.extension == other.extension && no_wrap == NoWrap::Known))
    }
    /// The sum.
    pub fn add(&self, other: &Self, no_wrap: NoWrap, blobs: &mut Blobs) -> Option<Self> {
        if self.dest == other.dest {
            for (zero, sum) in [(self, other), (other, self)] {
                if zero.as_constant().is_some_and(Int::is_zero) {
                    return Some(sum.clone());
                }
            }
        }
        self.combined(other, Int::one(self.src.width), no_wrap, blobs)
    }
    /// `self - other`.
    pub fn sub(&self, other: &Self, no_wrap: NoWrap, blobs: &mut Blobs) -> Option<Self> {
        if self.same_as(other) && self.dest.is_int() {
            return Some(Self::zero(self.dest));
        }
        if self.dest == other.dest && other.as_constant().is_some_and(Int::is_zero) {
            return Some(self.clone());
        }
        self.combined(other, Int::all_ones(self.src.width), no_wrap, blobs)
    }
    /// `self + by * other`, if the forms are mergeable.
    fn combined(&self, other: &Self, by: Int, no_wrap: NoWrap, blobs: &mut Blobs) -> Option<Self> {
        if !self.mergeable(other, no_wrap) {
            return None;
        }
        let mut sum = self.clone();
        sum.add_numerator(other, by, blobs);
        Some(sum)
    }
    /// Adds `by` times the numerator of `other`, which has the same source width.
    fn add_numerator(&mut self, other: &Self, by: Int, blobs: &mut Blobs) {
        for (level, coeff) in &other.ivs {
            let scaled = IvCoeff { constant: coeff.constant.mul(by), blob: coeff.blob };
            self.add_iv(blobs, *level, scaled);
        }
        for (blob, coeff) in &other.blobs {
            self.add_blob(blobs, *blob, coeff.mul(by));
        }
        self.add_constant_term(other.constant.mul(by));
        self.defined_at_level = self.defined_at_level.max(other.defined_at_level);
    }
    /// The sum of the form and a constant of the destination type.
    pub fn add_constant(&self, value: Int, no_wrap: NoWrap, blobs: &mut Blobs) -> Option<Self> {
        let other = self.constant_like(value)?;
        self.add(&other, no_wrap, blobs)
    }
    /// The product of the form and a constant of the destination type.
    pub fn mul_constant(&self, value: Int, no_wrap: NoWrap, blobs: &mut Blobs) -> Option<Self> {
        let other = self.constant_like(value)?;
        self.mul(&other, no_wrap, blobs)
    }
    /// `0 - self`.
    pub fn negated(&self, no_wrap: NoWrap, blobs: &mut Blobs) -> Option<Self> {
        self.constant_like(Int::zero(self.dest.width))?.sub(self, no_wrap, blobs)
    }
    /// A constant of the destination type as a form with the same types as this one, if possible.
    fn constant_like(&self, value: Int) -> Option<Self> {
        if value.width() != self.dest.width || !self.src.is_int() {
            return None;
        }
        let width = self.src.width;
        let inner = if width >= value.width() { value.zext(width) } else { value.trunc(width) };
        let form =
            Self { constant: inner, ..Self::create_ext_canon_expr(self.src, self.dest, self.extension) };
        (form.as_constant() == Some(value)).then_some(form)
    }
    /// The product, if at most one operand has induction variables: forms are linear in them.
    pub fn mul(&self, other: &Self, no_wrap: NoWrap, blobs: &mut Blobs) -> Option<Self> {
        if self.dest == other.dest {
            for (one, product) in [(self, other), (other, self)] {
                if one.as_constant().is_some_and(Int::is_one) {
                    return Some(product.clone());
                }
            }
        }
        if !self.mergeable(other, no_wrap) {
            return None;
        }
        let (linear, scalar) = match (self.has_any_iv(), other.has_any_iv()) {
            (_, false) => (self, other),
            (false, true) => (other, self),
            (true, true) => return None,
        };
        let width = linear.src.width;
        let mut product = Self::create_ext_canon_expr(linear.src, linear.dest, linear.extension);
        product.defined_at_level = linear.defined_at_level.max(scalar.defined_at_level);
        let factor = blobs.of_linear(&scalar.scalar_part());
        for (level, coeff) in &linear.ivs {
            let blob = match coeff.blob {
                Some(blob) => blobs.mul(width, &[blob, factor]),
                None => factor,
            };
            let coeff = IvCoeff::new(blobs, coeff.constant, Some(blob));
            product.add_iv(blobs, *level, coeff);
        }
        for (blob, by) in &linear.blobs {
            let term = blobs.mul(width, &[*blob, factor]);
            product.add_blob(blobs, term, *by);
        }
        product.add_blob(blobs, factor, linear.constant);
        Some(product)
    }
    /// The numerator without its induction variables.
    fn scalar_part(&self) -> Linear {
        Linear { constant: self.constant, terms: self.blobs.iter().copied().collect() }
    }
    /// The form with `i + by` substituted for the induction variable `i` of `level`.
    pub fn shift_iv(&self, level: Level, by: &Self, blobs: &mut Blobs) -> Option<Self> {
        let iv = Self::of_iv(by.dest.width, level);
        let shifted = iv.add(&by.without_cast(blobs)?, NoWrap::Unknown, blobs)?;
        self.replace_iv(level, &shifted, blobs)
    }
    /// The form with `by` substituted for the induction variable of `level`. Only the iteration number modulo 2^w
    /// matters, so `by` must not be narrower than the source type, unless it is a constant; constants are unsigned.
    pub fn replace_iv(&self, level: Level, by: &Self, blobs: &mut Blobs) -> Option<Self> {
        let Some(coeff) = self.iv_coeff(level) else { return Some(self.clone()) };
        let width = self.src.width;
        let by = match by.as_constant() {
            Some(value) => {
                Self::of_constant(if value.width() < width { value.zext(width) } else { value.trunc(width) })
            }
            None => by.low_bits(width, blobs)?,
        };
        let factor = match coeff.blob {
            Some(blob) => Self::of_blob(blobs, blob),
            None => Self::of_constant(Int::one(width)),
        };
        let term = by.mul(&factor, NoWrap::Unknown, blobs)?;
        let mut result = self.clone();
        result.ivs.retain(|(l, _)| *l != level);
        result.add_numerator(&term, coeff.constant, blobs);
        Some(result)
    }
    /// The same value in a form without an outermost cast and without a denominator, if possible.
    pub fn without_cast(&self, blobs: &mut Blobs) -> Option<Self> {
        self.low_bits(self.dest.width, blobs)
    }
    /// The low `width` bits of the value in a form without an outermost cast and without a denominator, if possible:
    /// truncation commutes with sums and products, and cancels an extension to at least `width` bits.
    pub fn low_bits(&self, width: u32, blobs: &mut Blobs) -> Option<Self> {
        if !self.src.is_int() || !self.dest.is_int() || self.dest.width < width {
            return None;
        }
        if !self.has_any_iv() {
            let whole = self.as_blob(blobs)?;
            let low = blobs.cast(Cast::Trunc, whole, width);
            return Some(Self { defined_at_level: self.defined_at_level, ..Self::of_blob(blobs, low) });
        }
        if !self.denominator.is_one() || self.src.width < width {
            return None;
        }
        let mut result = Self::zero(ScalarType::int(width));
        result.defined_at_level = self.defined_at_level;
        for (level, coeff) in &self.ivs {
            let blob = coeff.blob.map(|blob| blobs.cast(Cast::Trunc, blob, width));
            let coeff = IvCoeff::new(blobs, coeff.constant.trunc(width), blob);
            result.add_iv(blobs, *level, coeff);
        }
        for (blob, by) in &self.blobs {
            let blob = blobs.cast(Cast::Trunc, *blob, width);
            result.add_blob(blobs, blob, by.trunc(width));
        }
        result.add_constant_term(self.constant.trunc(width));
        Some(result)
    }
    /// The value converted to `width` bits: extended as `extension` states, or truncated. `None` if the form has
    /// induction variables and a cast that does not combine with the new one.
    pub fn cast_to(&self, width: u32, extension: Extension, blobs: &mut Blobs) -> Option<Self> {
        if !self.dest.is_int() || !self.src.is_int() {
            return None;
        }
        let dest = ScalarType::int(width);
        let again = match self.extension() {
            _ if width == self.dest.width => return Some(self.clone()),
            // Truncates to the operand, or to part of the extension.
            Some(inner) => (width < self.dest.width || inner == extension).then_some(inner),
            None => (self.cast().is_none() || width < self.dest.width).then_some(extension),
        };
        match again {
            Some(extension) => Some(Self {
                dest,
                extension: Self::create_ext_canon_expr(self.src, dest, extension).extension,
                ..self.clone()
            }),
            None => {
                let form = self.without_cast(blobs)?;
                Some(Self { dest, extension, ..form })
            }
        }
    }
    /// The unsigned quotient by a nonzero constant. `None` if the form has a cast and induction variables.
    pub fn udiv(&self, by: Int, blobs: &mut Blobs) -> Option<Self> {
        if by.is_zero() || by.width() != self.dest.width {
            return None;
        }
        let plain =
            if self.cast().is_none() && self.src.is_int() { self.clone() } else { self.without_cast(blobs)? };
        if plain.denominator.mul_overflows_unsigned(by) {
            // The divisor exceeds every value of the numerator.
            return Some(Self::zero(plain.dest));
        }
        Some(Self { denominator: plain.denominator.mul(by), ..plain })
    }
    /// The form whose product with `by` is this form, if all coefficients are multiples of `by`, as signed.
    pub fn divided_exactly(&self, by: Int, blobs: &mut Blobs) -> Option<Self> {
        let plain = self.cast().is_none() && self.denominator.is_one() && self.src.is_int();
        if !plain || by.is_zero() || by.width() != self.src.width {
            return None;
        }
        let of = |value: Int| value.srem(by).filter(|rest| rest.is_zero()).and_then(|_| value.sdiv(by));
        let mut quotient = Self { constant: of(self.constant)?, ..self.clone() };
        for (_, coeff) in &mut quotient.ivs {
            match of(coeff.constant) {
                Some(constant) => coeff.constant = constant,
                // A sum of blobs has no coefficient of its own, but its terms may all be multiples.
                None => {
                    let blob = coeff.blob.filter(|_| coeff.constant.is_one())?;
                    let mut linear = Linear::zero(by.width());
                    linear.add(blobs, blob, Int::one(by.width()));
                    linear.constant = of(linear.constant)?;
                    for by in linear.terms.values_mut() {
                        *by = of(*by)?;
                    }
                    *coeff = IvCoeff::of_linear(&linear, blobs);
                }
            }
        }
        for (_, coeff) in &mut quotient.blobs {
            *coeff = of(*coeff)?;
        }
        Some(quotient)
    }
    /// The form as a blob, if it has no induction variable.
    pub fn as_blob(&self, blobs: &mut Blobs) -> Option<crate::Blob> {
        if self.has_any_iv() {
            return None;
        }
        if !self.src.is_int() {
            return self.blobs.first().map(|(blob, _)| *blob);
        }
        let mut blob = blobs.of_linear(&self.scalar_part());
        if !self.denominator.is_one() {
            let divisor = blobs.constant(self.denominator);
            blob = blobs.udiv(blob, divisor);
        }
        Some(match self.cast() {
            Some(cast) => blobs.cast(cast, blob, self.dest.width),
            None => blob,
        })
    }
}
