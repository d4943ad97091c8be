//! `loop-idiom`: replaces the stores of a loop by one `memset`, `memcpy` or `memmove`.
//!
//! | pattern | replacement |
//! |---|---|
//! | stores of one byte value that together fill the stride of their pointers | `llvm.memset` before the loop |
//! | the same with calls of `llvm.memset`, which replaced nested loops | one call for the nest |
//! | a store of the value of a load with the same stride, from other memory | `llvm.memcpy` |
//! | the same within one object, if no iteration reads what an earlier one has written | `llvm.memmove` |
//!
//! The stores are removed; the loop stays, for `loop-deletion`. Requirements: ScalarEvolution knows the
//! backedge-taken count; each iteration, including the last one, executes the stores; nothing else in the loop
//! accesses the memory; and nothing in the loop can prevent its termination (a call that may not return, a nested
//! loop that may not terminate) or be observed before it (a call that may write, a volatile access). Otherwise the
//! early writes would be visible, and UB of a late iteration would happen early.
//!
//! The length is the backedge-taken count plus one, times the stride, in the index width. If it wrapped, the stores
//! would write more bytes than there are addresses, which is UB. A count wider than the index is not handled.
//!
//! Not done: loops that exit before the stores (`loop-rotate` rotates them); atomic stores; patterns of more than one
//! byte; population counts and similar idioms.

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
        /// The number of stores.
        stores: usize,
        /// Bytes written per iteration.
        stride: u64,
    },
    /// A load and a store became a `memcpy`.
    Memcpy {
        /// Bytes copied per iteration.
        stride: u64,
    },
    /// A load and a store became a `memmove`.
    Memmove {
        /// Bytes copied per iteration.
        stride: u64,
    },
}

impl Done {
    /// The name of the outcome.
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
    /// The function is one of the library functions that would be called, or must not call them.
    Library,
    /// The backedge-taken count is unknown.
    CountUnknown,
    /// The loop may not terminate, or an instruction in it can be observed before it does.
    Observable {
        /// The mnemonic of the instruction, or another description.
        what: &'static str,
    },
    /// Not every iteration executes the store.
    Conditional,
    /// Another instruction in the loop may access the stored memory, or write the loaded memory.
    Touched {
        /// Whether the conflict is about the loaded memory.
        load: bool,
    },
    /// The stores of one iteration leave a gap to those of the next, or overlap them.
    Gaps,
    /// The value is neither a repeated byte nor the result of a load with the same stride.
    NoPattern,
    /// The addresses or the length can't be computed before the loop.
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
            Self::Observable { what } => {
                write!(f, "the loop may be observed before it ends, or not terminate: {what}")
            }
            Self::Conditional => f.write_str("not every iteration executes the store"),
            Self::Touched { load: false } => f.write_str("something else in the loop may touch the memory"),
            Self::Touched { load: true } => f.write_str("the loop may write the memory that it copies"),
            Self::Gaps => f.write_str("the stores do not fill the stride of their pointers"),
            Self::NoPattern => {
                f.write_str("the stored value is neither a repeated byte nor the result of a matching load")
            }
            Self::NotComputable(obstacle) => write!(f, "the arguments can't be computed: {obstacle}"),
        }
    }
}

/// The pass and its options.
#[derive(Clone, Copy, Debug)]
pub struct LoopIdiom {
    /// Whether to create `memset`s.
    pub memset: bool,
    /// Whether to create `memcpy`s and `memmove`s.
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
