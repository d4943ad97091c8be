//! Reasons why a loop is not vectorized, one for each requirement, with LLVM's name where LLVM has one.

use backedge_ir::inst::InstKind;
use std::fmt;

/// The reason why a loop cannot be vectorized.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LegalityMissed {
    /// A branch inside, of an inner loop or around a block, may go different ways in different iterations.
    NotUniform,
    /// An inner loop may not terminate.
    InnerEndless,
    /// A loop nest has a data-dependent exit.
    EarlyExitOfNest,
    /// The loop is not in loop-simplify form, or is unreachable.
    NotSimplified,
    /// The loop is not in LCSSA form.
    NotClosed,
    /// The loop contains an irreducible cycle.
    Irreducible,
    /// The function must not use vector registers (`noimplicitfloat`).
    NoImplicitFloat,
    /// The loop has too many instructions or accesses to analyze in reasonable time.
    TooLarge,
    /// A value depends on `undef`, which may differ at each use.
    Undef,
    /// A block ends in a terminator other than a branch.
    Terminator(&'static str),
    /// An exit is not reached in each iteration.
    ConditionalExit,
    /// The loop has no counted exit.
    CountUnknown,
    /// The loop contains an instruction without a vector form.
    Instruction(&'static str),
    /// The loop contains a call without a vector form.
    Call,
    /// The loop uses a type that is not a valid vector element.
    Type,
    /// A header phi is neither an induction, a reduction, a first-order recurrence nor a selection.
    Phi,
    /// A floating-point reduction whose operations must be done in order.
    FloatOrder,
    /// A first-order recurrence with a user that cannot be moved after the recurrence's next value.
    RecurrenceOrder,
    /// An access is volatile or atomic.
    Ordered,
    /// The accessed type has padding in memory.
    Padding,
    /// A load before a data-dependent exit may not be dereferenceable in iterations that the source does not execute.
    NotReadable,
    /// A load before a data-dependent exit may read bytes stored earlier in its iteration, or each iteration stores the
    /// result of a reduction.
    EarlyExitStore,
    /// Another instruction that is unsafe in iterations that a data-dependent exit skips.
    EarlyExitUnsafe(&'static str),
    /// The condition of a data-dependent exit depends on the previous iteration.
    RecurrenceInEarlyExit,
    /// The trip count may be poison if a data-dependent exit is taken first, and loads execute before that is known; or
    /// its computation needs a division.
    EarlyExitCount,
    /// The tail cannot be folded: the loop has another exiting block than the latch, or a live-out is in no lane.
    TailNotFolded,
    /// An access may depend on an access of an earlier iteration at any distance.
    UnsafeDependence,
    /// The same, and the bounds for a run-time check cannot be computed.
    NoBounds,
    /// The number of run-time checks exceeds the limit.
    TooManyChecks {
        /// The number of checks needed.
        needed: usize,
        /// The number of checks allowed.
        limit: usize,
    },
}

impl LegalityMissed {
    /// The instruction `kind` has no vector form.
    pub(super) fn instruction(kind: &InstKind) -> Self {
        Self::Instruction(kind.mnemonic())
    }
    /// The name of the reason in LLVM's style.
    pub fn name(&self) -> &'static str {
        match self {
            Self::NotUniform => "InnerControlFlowNotUniform",
            Self::InnerEndless => "InnerLoopMayNotEnd",
            Self::EarlyExitOfNest => "EarlyExitOfNest",
            Self::NotSimplified | Self::NotClosed | Self::Irreducible | Self::Terminator(_) => {
                "CFGNotUnderstood"
            }
            Self::NoImplicitFloat => "NoImplicitFloat",
            Self::TooLarge => "TooLarge",
            Self::Undef => "UndefinedOperand",
            Self::ConditionalExit => "ConditionalExit",
            Self::CountUnknown => "CantComputeNumberOfIterations",
            Self::Instruction(_) => "CantVectorizeInstruction",
            Self::Call => "CantVectorizeCall",
            Self::Type => "CantVectorizeInstructionReturnType",
            Self::Phi => "NonReductionValueUsedOutsideLoop",
            Self::FloatOrder => "CantReorderFPOps",
            Self::RecurrenceOrder => "RecurrenceOrder",
            Self::Ordered => "NonSimpleAccess",
            Self::Padding => "IrregularType",
            Self::NotReadable => "EarlyExitNotReadable",
            Self::EarlyExitStore => "EarlyExitStore",
            Self::EarlyExitUnsafe(_) => "EarlyExitUnsafe",
            Self::RecurrenceInEarlyExit => "RecurrencesInEarlyExitLoop",
            Self::EarlyExitCount => "EarlyExitCount",
            Self::TailNotFolded => "CantFoldTail",
            Self::UnsafeDependence => "UnsafeDep",
            Self::NoBounds => "CantIdentifyArrayBounds",
            Self::TooManyChecks { .. } => "TooManyMemoryRuntimeChecks",
        }
    }
}

impl fmt::Display for LegalityMissed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotUniform => "control flow in it is not uniform: a branch may go another way in each iteration",
            Self::InnerEndless => "an inner loop may not terminate",
            Self::EarlyExitOfNest => "a data-dependent exit leaves a loop with loops in it",
            Self::NotSimplified => "the loop is not in loop simplify form",
            Self::NotClosed => "the loop is not in LCSSA form",
            Self::Irreducible => "the loop control flow is not understood: a cycle in it has no header",
            Self::NoImplicitFloat => "the function has the attribute noimplicitfloat",
            Self::TooLarge => "the loop has too many instructions, accesses or loops in it",
            Self::Undef => "a value in the loop depends on `undef`",
            Self::Terminator(what) => {
                return write!(f, "the loop control flow is not understood: a block ends in `{what}`");
            }
            Self::ConditionalExit => "an exit is not passed in each iteration",
            Self::CountUnknown => "the number of iterations can't be determined",
            Self::Instruction(what) => return write!(f, "instruction `{what}` can't be vectorized"),
            Self::Call => "a call can't be vectorized",
            Self::Type => "the type of a value is not a valid vector element",
            Self::Phi => "a header phi is neither an induction, a reduction, a recurrence nor a selection",
            Self::FloatOrder => "floating-point operations can't be reordered",
            Self::RecurrenceOrder => "users of a recurrence can't be moved after its next value",
            Self::Ordered => "an access is volatile or atomic",
            Self::Padding => "a value has padding in memory",
            Self::NotReadable => {
                "a load may not be dereferenceable in an iteration that a data-dependent exit skips"
            }
            Self::EarlyExitStore => "memory is written before a data-dependent exit",
            Self::RecurrenceInEarlyExit => "the condition of a data-dependent exit depends on the previous iteration",
            Self::EarlyExitUnsafe(what) => {
                return write!(f, "`{what}` can't be executed in iterations that a data-dependent exit leaves out");
            }
            Self::EarlyExitCount => "the number of iterations may be poison where a data-dependent exit is taken first",
            Self::TailNotFolded => {
                "the tail can't be folded: the loop has another exiting block than the latch, or a live-out is in no lane"
            }
            Self::UnsafeDependence => {
                "unsafe dependent memory operations in loop: one may depend on an earlier iteration"
            }
            Self::NoBounds => "the bounds of an array can't be identified, so that overlap can't be checked",
            Self::TooManyChecks { needed, limit } => {
                return write!(f, "{needed} checks at run time are needed, and {limit} are allowed");
            }
        })
    }
}
