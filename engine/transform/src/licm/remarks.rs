//! The remarks of `licm`: the edits that it made, and the reasons why it made none.

use backedge_ir::body::Body;
use backedge_ir::entity::Inst;
use backedge_ir::metadata::{MdKind, MdRef};
use std::fmt;

/// What the pass did to a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LicmDone {
    /// An instruction moved to the preheader.
    Hoisted {
        /// The instruction.
        inst: Moved,
        /// Whether it is now speculative.
        speculated: bool,
    },
    /// Expressions were reassociated, and a part of each is computed in the preheader.
    Reassociated {
        /// The number of expressions.
        count: usize,
    },
    /// An instruction moved to exit blocks.
    Sunk {
        /// The instruction.
        inst: Moved,
        /// The number of exit blocks; zero if it was unused.
        copies: usize,
    },
    /// A memory location became an SSA value while the loop runs.
    Promoted {
        /// Whether its stores moved to the exits; otherwise they stay, and only its loads are removed.
        stores: bool,
        /// The number of exit blocks of the loop.
        exits: usize,
    },
}

/// An instruction that was moved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Moved {
    /// Its mnemonic.
    pub mnemonic: &'static str,
    /// The name of its result, if it has one.
    pub name: Option<String>,
}

impl Moved {
    /// `inst` as shown in a remark, and its debug location.
    pub(super) fn of(body: &Body, inst: Inst) -> (Self, Option<MdRef>) {
        let name = body.value_name(inst.into()).map(str::to_owned);
        let data = body.inst(inst);
        (Self { mnemonic: data.kind.mnemonic(), name }, data.metadata_of(&MdKind::Dbg).copied())
    }
}

impl fmt::Display for Moved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.mnemonic)?;
        self.name.as_ref().map_or(Ok(()), |name| write!(f, " %{name}"))
    }
}

impl LicmDone {
    /// The name of the outcome.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Hoisted { .. } => "Hoisted",
            Self::Reassociated { .. } => "Reassociated",
            Self::Sunk { .. } => "InstSunk",
            Self::Promoted { .. } => "PromoteLoopAccessesToScalar",
        }
    }
}

impl fmt::Display for LicmDone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hoisted { inst, speculated: false } => write!(f, "hoisted {inst}"),
            Self::Hoisted { inst, speculated: true } => write!(f, "hoisted {inst}, speculated"),
            Self::Reassociated { count } => {
                write!(f, "computed a part of {count} expression(s) in front of the loop")
            }
            Self::Sunk { inst, copies: 0 } => write!(f, "removed {inst}, which nothing uses"),
            Self::Sunk { inst, copies } => write!(f, "sank {inst} to {copies} exit block(s)"),
            Self::Promoted { stores: true, exits: 0 } => f.write_str(
                "kept a memory location in a value, and removed its stores: the loop is never left",
            ),
            Self::Promoted { stores: true, .. } => {
                f.write_str("kept a memory location in a value, stored at the exits")
            }
            Self::Promoted { stores: false, .. } => {
                f.write_str("promoted the loads of a memory location to a value, kept its stores")
            }
        }
    }
}

/// Why an invariant instruction or memory location stays in the loop.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum LicmMissed {
    /// The loop's metadata disables the pass.
    Disabled,
    /// The loop has no preheader.
    NoPreheader,
    /// A load may not be executed in the first iteration, and can't be speculated.
    ConditionalLoad {
        /// Whether the loop's latch is exiting. If not, rotation may put a guard before the load.
        rotated: bool,
    },
    /// A division may not be executed in the first iteration, and its divisor may be zero.
    ConditionalDivision,
    /// A call may not be executed in the first iteration.
    ConditionalCall,
    /// The loop may write the memory that is loaded.
    MemoryWritten,
    /// The loop may write the memory that a call reads.
    ReadByCallWritten,
    /// The loop has too many memory accesses to compare.
    TooManyAccesses,
    /// A load is volatile, or orders other accesses.
    OrderedLoad,
    /// A call is `convergent`.
    ConvergentCall,
    /// A call may not return.
    CallMayNotReturn,
    /// A call in a coroutine that may be resumed in another thread.
    CallInCoroutine,
    /// Memory at one address is accessed with different types or orderings.
    DifferentTypes,
    /// Other accesses of the loop may touch the promoted location.
    LocationTouched,
    /// The location may not be accessed in the first iteration, and may not be dereferenceable.
    ConditionalAccess,
    /// The loop may be left without having executed a store to the location.
    ConditionalStore,
    /// The loop may end without reaching an exit, and its stores may be visible then.
    MayNotReachExit,
}

impl LicmMissed {
    /// The name of the reason.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Disabled => "Disabled",
            Self::NoPreheader => "NoPreheader",
            Self::ConditionalLoad { .. } => "LoadWithLoopInvariantAddressCondExecuted",
            Self::ConditionalDivision => "ConditionalDivision",
            Self::ConditionalCall => "ConditionalCall",
            Self::MemoryWritten => "LoadWithLoopInvariantAddressInvalidated",
            Self::ReadByCallWritten => "ReadByCallWritten",
            Self::TooManyAccesses => "TooManyAccesses",
            Self::OrderedLoad => "OrderedLoad",
            Self::ConvergentCall => "ConvergentCall",
            Self::CallMayNotReturn => "CallMayNotReturn",
            Self::CallInCoroutine => "CallInCoroutine",
            Self::DifferentTypes => "DifferentTypes",
            Self::LocationTouched => "LocationTouched",
            Self::ConditionalAccess => "ConditionalAccess",
            Self::ConditionalStore => "ConditionalStore",
            Self::MayNotReachExit => "MayNotReachExit",
        }
    }
}

impl fmt::Display for LicmMissed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Disabled => "the loop's metadata says 'llvm.licm.disable'",
            Self::NoPreheader => "the loop has no preheader",
            Self::ConditionalLoad { rotated: true } => {
                "an invariant load is not certainly executed, and its memory may not be there"
            }
            Self::ConditionalLoad { rotated: false } => {
                "an invariant load is not certainly executed, and its memory may not be there; the loop is not \
                 rotated, so no guard keeps it from being executed where the body is not"
            }
            Self::ConditionalDivision => {
                "an invariant division is not certainly executed, and may be undefined"
            }
            Self::ConditionalCall => "an invariant call is not certainly executed, and may not be speculated",
            Self::MemoryWritten => "memory at an invariant address may be written in the loop",
            Self::ReadByCallWritten => "memory that an invariant call reads may be written in the loop",
            Self::TooManyAccesses => "the loop has too many memory accesses to compare",
            Self::OrderedLoad => "a load from an invariant address is volatile or orders other accesses",
            Self::ConvergentCall => "an invariant call is convergent",
            Self::CallMayNotReturn => "an invariant call may not return",
            Self::CallInCoroutine => "an invariant call may be in another thread when the coroutine is resumed",
            Self::DifferentTypes => {
                "memory at an invariant address is accessed with different types or orderings"
            }
            Self::LocationTouched => {
                "memory at an invariant address may be touched by other accesses of the loop"
            }
            Self::ConditionalAccess => {
                "memory at an invariant address is not certainly accessed, and may not be there"
            }
            Self::ConditionalStore => {
                "the loop may be left without having stored to an invariant address, which others may see"
            }
            Self::MayNotReachExit => {
                "the loop may end without coming to an exit, and others may see its stores then"
            }
        })
    }
}
