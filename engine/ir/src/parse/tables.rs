//! Tables that the parser fills while it reads: facts about types, and block addresses.

use super::spans::Span;
use crate::entity::{BlockAddressId, CompoundId, FuncId, PrimaryMap, SecondaryMap};
use crate::module::BlockAddress;
use rustc_hash::FxHashMap;

/// The size of a type's spelling, with identified structs by name.
#[derive(Copy, Clone)]
pub(super) struct Written {
    pub(super) depth: u32,
    pub(super) nodes: u64,
}

/// An unmodelled feature of a type.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Unmodelled {
    Token,
    WideInt(u32),
    WidePointer,
    Scalable,
    Target(CompoundId),
}

#[derive(Copy, Clone)]
pub(super) struct Facts {
    /// The nesting depth, including members of identified structs.
    pub(super) depth: u32,
    /// The number of scalars in a value; at least 1.
    pub(super) scalars: u64,
    pub(super) unmodelled: Option<Unmodelled>,
}

/// The facts of the types known so far.
#[derive(Default)]
pub(super) struct TypeFacts {
    pub(super) written: Vec<Written>,
    pub(super) whole: SecondaryMap<CompoundId, Option<Facts>>,
    /// The number of type nodes that aliases have expanded to.
    pub(super) expanded: u64,
}

/// The block addresses recorded while a module is parsed.
#[derive(Default)]
pub(super) struct BlockAddresses {
    pub(super) ids: FxHashMap<BlockAddress, BlockAddressId>,
    /// The position of the first mention of each address.
    pub(super) spans: PrimaryMap<BlockAddressId, Span>,
    /// The functions that have a `blockaddress` of an unnamed block, and its position.
    pub(super) unnamed: Vec<(FuncId, Span)>,
}
