//! Terms translated to Z3.

use super::super::arrays::Reads;
use crate::term::Term;
use rustc_hash::FxHashMap;
use z3::ast::{Array, BV, Bool, Dynamic};

/// A term translated to Z3.
#[derive(Clone)]
pub(super) enum Translated {
    Bool(Bool),
    Bits(BV),
    Array(Array),
}

/// All terms of a query, translated to Z3.
pub(super) struct Translation {
    pub(super) done: FxHashMap<Term, Translated>,
    /// The free variables in order of creation, without those that `reads` replaces.
    pub(super) variables: Vec<Term>,
    pub(super) reads: Reads,
}

pub(super) fn as_bits(value: Dynamic) -> BV {
    value.as_bv().expect("a bit vector")
}
