//! Substitution in closed forms: sums for induction variables, temps for temps. Every substitution is exact and
//! always succeeds. The caller must update the levels of the result.

use super::{CanonExpr, IvCoeff, Level};
use crate::blob::{Blob, Blobs, Cast, Temp};
use backedge_ir::int::Int;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A natural number that replaces an induction variable: `Σ by * iv(level) + base + constant`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct IvSum {
    /// Levels with the coefficients of their induction variables.
    pub terms: SmallVec<[(Level, u128); 2]>,
    /// An unsigned integer addend.
    pub base: Option<Blob>,
    /// The constant addend.
    pub constant: u128,
}

impl IvSum {
    /// The induction variable of another level.
    pub fn of_level(level: Level) -> Self {
        Self { terms: SmallVec::from_slice(&[(level, 1)]), ..Self::default() }
    }
}

impl CanonExpr {
    /// The form with `of(l)` substituted for the induction variable of each level `l`.
    #[must_use]
    pub fn with_ivs(&self, of: &dyn Fn(Level) -> IvSum, blobs: &mut Blobs) -> Self {
        let width = self.src.width;
        let mut result = Self { ivs: SmallVec::new(), ..self.clone() };
        for (level, coeff) in &self.ivs {
            let IvSum { terms, base, constant } = of(*level);
            let times = |by: u128| coeff.constant.mul(Int::new(width, by));
            for (to, by) in terms {
                result.add_iv(blobs, to, IvCoeff { constant: times(by), blob: coeff.blob });
            }
            match coeff.blob {
                Some(blob) => result.add_blob(blobs, blob, times(constant)),
                None => result.add_constant_term(times(constant)),
            }
            if let Some(base) = base {
                let cast = if blobs.width(base) < width { Cast::ZExt } else { Cast::Trunc };
                let base = blobs.cast(cast, base, width);
                let term = coeff.blob.map_or(base, |blob| blobs.mul(width, &[blob, base]));
                result.add_blob(blobs, term, coeff.constant);
            }
        }
        result
    }
    /// The form minus `by` times the induction variable of `level`. The form must have no cast and no denominator.
    #[must_use]
    pub(crate) fn minus_iv(&self, level: Level, by: Int) -> Self {
        let coeff = IvCoeff { constant: Int::zero(by.width()).sub(by), blob: None };
        let mut result = self.clone();
        debug_assert!(!self.has_iv(level) && self.cast().is_none() && self.denominator.is_one());
        let at = result.ivs.partition_point(|(l, _)| *l < level);
        result.ivs.insert(at, (level, coeff));
        result
    }
    /// The form with the variables replaced that `of` maps.
    #[must_use]
    pub fn with_temps(&self, of: &FxHashMap<Temp, Temp>, blobs: &mut Blobs) -> Self {
        if !self.collect_temp_blobs(blobs).iter().any(|temp| of.contains_key(temp)) {
            return self.clone();
        }
        let mut result = Self { ivs: SmallVec::new(), blobs: SmallVec::new(), ..self.clone() };
        for (level, coeff) in &self.ivs {
            let blob = coeff.blob.map(|blob| blobs.with_temps(blob, of));
            let coeff = IvCoeff::new(blobs, coeff.constant, blob);
            result.add_iv(blobs, *level, coeff);
        }
        for (blob, by) in &self.blobs {
            let blob = blobs.with_temps(*blob, of);
            if self.src.is_int() {
                result.add_blob(blobs, blob, *by);
            } else {
                result.blobs.push((blob, *by));
            }
        }
        result
    }
}
