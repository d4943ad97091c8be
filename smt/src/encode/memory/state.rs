//! The state of memory along a path, and the allocas of a function.

use crate::encode::value::Sym;
use crate::term::Term;
use std::collections::BTreeMap;

/// The state that changes along a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Memory {
    /// Memory visible to the caller and to external calls.
    pub(crate) shared: Term,
    /// Contents of non-escaping allocas.
    pub(crate) local: Term,
    /// The values in allocas that are only accessed as whole values at fixed offsets, by block number and offset.
    pub(crate) slots: BTreeMap<(u32, u64), Sym>,
    /// Whether each alloca in the side's list is alive.
    pub(crate) alive: Vec<Term>,
    /// The trace of calls so far.
    pub(crate) trace: Term,
    /// The trace up to the last call that might not have returned.
    pub(crate) firm: Term,
    /// The trace up to the last call that might have freed memory.
    pub(crate) frees: Term,
}

/// An alloca executed in one copy of its block.
#[derive(Clone, Debug)]
pub(crate) struct Alloca {
    /// Block number.
    pub(crate) number: u32,
    /// Size in bytes.
    pub(crate) size: Term,
    /// Alignment in bytes.
    pub(crate) align: u64,
    /// Whether its contents are in [`Memory::slots`].
    pub(crate) slotted: bool,
}
