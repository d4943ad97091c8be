//! `loop-idiom`: loops whose stores together are one `memset`, `memcpy` or `memmove`.
//!
//! | what is so | what is made |
//! |---|---|
//! | stores of one byte value that together fill the stride of their pointers | `llvm.memset` in front of the loop |
//! | the same by calls of `llvm.memset`, which loops within have become | one call for the nest |
//! | a store of what a load with the same stride reads, of other memory | `llvm.memcpy` |
//! | the same in one object, where no iteration reads what one before it has written | `llvm.memmove` |
//!
//! The stores are gone then; the loop stays, for `loop-deletion` to see. What must be so: ScalarEvolution knows how often
//! the backedge is taken; each iteration executes the stores, the last one too; nothing else in the loop touches the
//! memory; nothing in the loop can keep it from coming to its end (a call that may not return, a loop within that may
//! not end) or be observed before it does (a call that may write, a volatile access): what is written early would be
//! seen, and undefined behaviour of a late iteration would come early.
//!
//! The length is the backedge-taken count plus one times the stride, in the width of an index. That does not wrap: the
//! stores would be more bytes than there are addresses, and undefined behaviour. A count wider than an index is left
//! alone.
//!
//! Not done: loops that are left before the stores (`loop-rotate` turns them round); atomic stores; patterns of more
//! than one byte; counting bits and the like.

mod apply;
mod check;
mod copy;
mod fill;
mod splat;

use crate::pass::{LoopPass, Unit};
use backedge_ir::entity::Block;
use std::fmt;

/// LLVM's name.
pub const NAME: &str = "loop-idiom";

/// What the pass did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Done {
    /// Stores became a `memset`.
    Memset {
        /// How many stores.
        stores: usize,
        /// The bytes that an iteration writes.
        stride: u64,
    },
    /// A load and a store became a `memcpy`.
    Memcpy {
        /// The bytes that an iteration copies.
        stride: u64,
    },
    /// A load and a store became a `memmove`.
    Memmove {
        /// The bytes that an iteration copies.
        stride: u64,
    },
}

impl Done {
    /// The name of what was done.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Memset { .. } => "ProcessLoopStridedStore",
            Self::Memcpy { .. } | Self::Memmove { .. } => "ProcessLoopStoreOfLoopLoad",
        }
    }
}

impl fmt::Display for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memset { stores, stride } => {
                write!(f, "{stores} store(s) that write {stride} byte(s) an iteration became a memset")
            }
            Self::Memcpy { stride } => write!(f, "copying {stride} byte(s) an iteration became a memcpy"),
            Self::Memmove { stride } => write!(f, "copying {stride} byte(s) an iteration became a memmove"),
        }
    }
}

/// Why a store stayed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Missed {
    /// The loop has no preheader or several latches.
    NotSimplified,
    /// The function is one of those that would be called, or must not make such calls.
    Library,
    /// How often the backedge is taken is not known.
    CountUnknown,
    /// Control may not come to the end of the loop, or something in it can be observed before that.
    Observable {
        /// The mnemonic of the instruction, or what else it is.
        what: &'static str,
    },
    /// Not every iteration executes the store.
    Conditional,
    /// Something else in the loop may touch the memory that is stored to, or write what is loaded.
    Touched {
        /// Whether it is the memory that is loaded from.
        load: bool,
    },
    /// The stores of an iteration leave a gap to those of the next, or overlap them.
    Gaps,
    /// The value is neither one byte again and again nor what a load of the same stride reads.
    NoPattern,
    /// The addresses or the length can't be computed in front of the loop.
    NotComputable(backedge_scev::expand::Obstacle),
}

impl Missed {
    /// The name of the reason.
    pub fn name(&self) -> &'static str {
        match self {
            Self::NotSimplified => "NotSimplified",
            Self::Library => "Library",
            Self::CountUnknown => "CountUnknown",
            Self::Observable { .. } => "Observable",
            Self::Conditional => "Conditional",
            Self::Touched { load: false } => "LoopMayAccessStore",
            Self::Touched { load: true } => "LoopMayAccessLoad",
            Self::Gaps => "Gaps",
            Self::NoPattern => "NoPattern",
            Self::NotComputable(_) => "NotComputable",
        }
    }
}

impl fmt::Display for Missed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSimplified => f.write_str("the loop is not in loop simplify form"),
            Self::Library => f.write_str("the function must not call memset and the like"),
            Self::CountUnknown => f.write_str("it is not known how often the loop runs"),
            Self::Observable { what } => write!(f, "the loop may be seen before it ends, or not end: {what}"),
            Self::Conditional => f.write_str("not every iteration executes the store"),
            Self::Touched { load: false } => f.write_str("something else in the loop may touch the memory"),
            Self::Touched { load: true } => f.write_str("the loop may write the memory that it copies"),
            Self::Gaps => f.write_str("the stores do not fill the stride of their pointers"),
            Self::NoPattern => {
                f.write_str("what is stored is neither one byte repeated nor what is loaded beside it")
            }
            Self::NotComputable(obstacle) => write!(f, "the arguments can't be computed: {obstacle}"),
        }
    }
}

/// The pass and its options.
#[derive(Clone, Copy, Debug)]
pub struct LoopIdiom {
    /// Whether `memset`s are made.
    pub memset: bool,
    /// Whether `memcpy`s and `memmove`s are made.
    pub memcpy: bool,
}

impl Default for LoopIdiom {
    fn default() -> Self {
        Self { memset: true, memcpy: true }
    }
}

impl LoopPass for LoopIdiom {
    fn text(&self) -> String {
        let off = [(self.memset, "no-memset"), (self.memcpy, "no-memcpy")];
        let off: Vec<&str> = off.iter().filter(|(on, _)| !on).map(|(_, name)| *name).collect();
        if off.is_empty() { NAME.to_owned() } else { format!("{NAME}<{}>", off.join(";")) }
    }
    fn run(&self, unit: &mut Unit<'_>, header: Block) -> Option<Block> {
        let shape = unit.shape();
        let l = shape.loops.with_header(header)?;
        let (jobs, missed) = check::check(unit, &shape, l, *self);
        for reason in missed {
            unit.remark(NAME, header, reason);
        }
        for done in apply::apply(unit, jobs) {
            unit.remark(NAME, header, done);
        }
        Some(header)
    }
}
