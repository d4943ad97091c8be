//! The remarks of `loop-idiom`: the edits that it made, and the reasons why it made none.

use std::fmt;

/// What the pass did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IdiomDone {
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

impl IdiomDone {
    /// The name of the outcome.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Memset { .. } => "ProcessLoopStridedStore",
            Self::Memcpy { .. } | Self::Memmove { .. } => "ProcessLoopStoreOfLoopLoad",
        }
    }
}

impl fmt::Display for IdiomDone {
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
pub enum IdiomMissed {
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

impl IdiomMissed {
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

impl fmt::Display for IdiomMissed {
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
