//! Levels of closed forms: where their variables are defined, and in which loops they vary. The terms are those of
//! docs/hir-terms.md.

use super::{CanonExpr, Level};
use crate::blob::{Blobs, Temp};

/// Definition levels of variables, as seen from one place.
pub trait Levels {
    /// The level of the innermost loop around the place that contains a definition of `temp`; 0 if there is none. The
    /// document's `findBlobLevel`.
    fn find_blob_level(&self, temp: Temp) -> Level;
}

impl<F: Fn(Temp) -> Level> Levels for F {
    fn find_blob_level(&self, temp: Temp) -> Level {
        self(temp)
    }
}

impl CanonExpr {
    /// The deepest level at which a variable of the form is defined; 0 if it has none. Valid for the place of the
    /// last update.
    pub fn defined_at_level(&self) -> Level {
        self.defined_at_level
    }
    /// The deepest level at which a variable of the form is defined, according to `levels`: `findMaxBlobLevel`.
    pub fn find_max_blob_level(&self, blobs: &Blobs, levels: &dyn Levels) -> Level {
        self.collect_temp_blobs(blobs).into_iter().map(|t| levels.find_blob_level(t)).max().unwrap_or(0)
    }
    /// Sets [`Self::defined_at_level`] for the place of `levels`.
    pub fn update_defined_at(&mut self, blobs: &Blobs, levels: &dyn Levels) {
        self.defined_at_level = self.find_max_blob_level(blobs, levels);
    }
    /// The same form with the level of `other`, which has the same blobs.
    pub(crate) fn at_level_of(self, other: &Self) -> Self {
        Self { defined_at_level: other.defined_at_level, ..self }
    }
    /// Whether the form is linear in the induction variables at its place, at `level`: its blobs are defined further
    /// outside and do not vary in the innermost loop.
    pub fn is_linear_at_level(&self, level: Level) -> bool {
        self.has_no_varying_blob_at(level)
    }
    /// Whether the form is invariant in the loop at `level`: neither the induction variable of that level nor a blob
    /// defined at that level or deeper occurs in it.
    pub fn is_invariant_at_level(&self, level: Level) -> bool {
        !self.has_iv(level) && self.has_no_varying_blob_at(level)
    }
    fn has_no_varying_blob_at(&self, level: Level) -> bool {
        !self.has_any_blob() || self.defined_at_level < level
    }
}
