//! Closed forms as text, as the document (docs/hir-terms.md) writes them: `i1 + %i + 1`, `2 * sext((3 * %1)) * i3 + 6`,
//! `trunc(2 * i2)`, `(i1 + 3)/u2`. Induction variables come first, then blobs, then the constant.

use super::CanonExpr;
use crate::blob::{Blobs, Cast, cast_name};
use backedge_ir::int::Int;

impl CanonExpr {
    /// The form as text.
    pub fn text(&self, blobs: &Blobs) -> String {
        let text = self.text_as_signed(blobs);
        match self.cast() {
            Some(cast @ Cast::SExt) => format!("{}({text})", cast_name(cast)),
            _ => text,
        }
    }
    /// The form as text, without marking a sign extension: the document's hidden outermost cast.
    pub fn text_as_signed(&self, blobs: &Blobs) -> String {
        let mut terms = Vec::new();
        let scaled = |by: Int, rest: String| {
            if by.is_one() { rest } else { format!("{} * {rest}", by.signed()) }
        };
        if !self.src.is_int() {
            // The coefficient is always one.
            return self.blobs.iter().map(|(blob, _)| blobs.text(*blob)).collect();
        }
        for (level, coeff) in &self.ivs {
            let iv = match coeff.blob {
                Some(blob) => format!("{} * i{level}", blobs.text(blob)),
                None => format!("i{level}"),
            };
            terms.push(scaled(coeff.constant, iv));
        }
        for (blob, coeff) in &self.blobs {
            terms.push(scaled(*coeff, blobs.text(*blob)));
        }
        if !self.constant.is_zero() || terms.is_empty() {
            terms.push(self.constant.signed().to_string());
        }
        let mut text = terms.join(" + ");
        if !self.denominator.is_one() {
            text = format!("({text})/u{}", self.denominator.bits());
        }
        match self.cast() {
            Some(cast @ (Cast::ZExt | Cast::Trunc)) => format!("{}({text})", cast_name(cast)),
            _ => text,
        }
    }
}
