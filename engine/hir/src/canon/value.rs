//! Evaluation of a closed form for given iterations and variable values, by its definition.

use super::CanonExpr;
use super::Level;
use crate::blob::{Blobs, Temp};
use backedge_ir::int::Int;

impl CanonExpr {
    /// The value in iteration `iv(l)` of the loop of each level `l`, where `temp` gives the values of variables;
    /// `None` if a variable that affects the result has no value (it is poison).
    pub fn value(
        &self,
        blobs: &Blobs,
        iv: &dyn Fn(Level) -> u128,
        temp: &dyn Fn(Temp) -> Option<Int>,
    ) -> Option<Int> {
        let width = self.src.width;
        let mut numerator = self.constant;
        for (level, coeff) in &self.ivs {
            let factor = match coeff.blob {
                Some(blob) => blobs.value(blob, temp)?.mul(coeff.constant),
                None => coeff.constant,
            };
            numerator = numerator.add(Int::new(width, iv(*level)).mul(factor));
        }
        for (blob, coeff) in &self.blobs {
            numerator = numerator.add(blobs.value(*blob, temp)?.mul(*coeff));
        }
        numerator.udiv(self.denominator).map(|quotient| self.converted(quotient))
    }
}
