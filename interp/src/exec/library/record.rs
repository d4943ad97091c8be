//! The record of the library functions that a run called.

use crate::value::Val;
use backedge_ir::meaning::library::{Family, Library};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// Library functions that a run called.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct LibraryUse {
    /// A known function that is not modelled.
    pub unmodelled: Option<Arc<str>>,
    /// Functions that were run as library functions.
    pub known: Vec<Arc<str>>,
    /// Library functions that were run as unknown ones, because a call or its caller demands it.
    pub unknown: Vec<Arc<str>>,
    /// Whether an allocation failed.
    pub failed: bool,
    /// Allocations by number, with the family of their allocator.
    pub(super) families: Vec<(u32, Family)>,
    /// Mathematical functions with unspecified accuracy, each with the bits of its operands.
    pub(super) inexact: BTreeSet<(&'static str, Vec<u128>)>,
    /// Whether there were more of them than are kept.
    pub(super) many_inexact: bool,
    /// Results chosen so far, by the function and everything they depend on: equal calls have equal results.
    pub(super) answers: HashMap<Question, u32>,
}

/// Everything that a result left open by C depends on: the function, its arguments, and how the first differing bytes
/// compare.
pub(super) type Question = (Library, Vec<Val>, i16);

/// Maximum number of recorded evaluations of inexact functions: bounds the memory of a run. With more, every difference
/// may be due to them.
pub(super) const MAX_INEXACT: usize = 256;

impl LibraryUse {
    pub(crate) fn clear(&mut self) {
        self.unmodelled = None;
        self.known.clear();
        self.unknown.clear();
        self.failed = false;
        self.families.clear();
        self.inexact.clear();
        self.many_inexact = false;
        self.answers.clear();
    }
    /// Records an evaluation of a mathematical function with unspecified accuracy.
    pub(crate) fn note_inexact(&mut self, name: &'static str, operands: &[u128]) {
        self.many_inexact |= self.inexact.len() >= MAX_INEXACT;
        if !self.many_inexact {
            self.inexact.insert((name, operands.to_vec()));
        }
    }
    /// A mathematical function that only one of two runs evaluated on some operands. Its last bits are unspecified,
    /// so a difference between the runs may be one of accuracy.
    pub(crate) fn inexact<'a>(&'a self, other: &'a Self) -> Option<&'static str> {
        let many = [self, other].into_iter().find(|run| run.many_inexact);
        let first = |run: &Self| run.inexact.first().map(|(name, _)| *name);
        let differs = || self.inexact.symmetric_difference(&other.inexact).next().map(|(name, _)| *name);
        many.and_then(first).or_else(differs)
    }
    /// A function that makes a difference between the two runs inconclusive.
    pub(crate) fn open<'a>(&'a self, other: &'a Self) -> Option<&'a Arc<str>> {
        let mixed = |a: &'a Self, b: &'a Self| a.known.iter().find(|name| b.unknown.contains(name));
        let unmodelled = self.unmodelled.as_ref().or(other.unmodelled.as_ref());
        unmodelled.or_else(|| mixed(self, other)).or_else(|| mixed(other, self))
    }
}
