//! Why a loop is not vectorized: one reason for each thing that is asked, under LLVM's names where it has one.

use backedge_ir::inst::InstKind;
use std::fmt;

/// Why a loop can't be vectorized.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Missed {
    /// A branch in it, of an inner loop or around a block, may go another way in each iteration.
    NotUniform,
    /// A loop in it may not end.
    InnerEndless,
    /// A data-dependent exit leaves it, and loops are in it.
    EarlyExitOfNest,
    /// It is not in loop simplify form, or can't be reached.
    NotSimplified,
    /// It is not in LCSSA form.
    NotClosed,
    /// A cycle in it has no header.
    Irreducible,
    /// The function must not use vector registers.
    NoImplicitFloat,
    /// It has too many instructions or accesses for that to be found out in reasonable time.
    TooLarge,
    /// Something in it is made of `undef`, which may be another value at each use.
    Undef,
    /// A block ends in something else than a branch.
    Terminator(&'static str),
    /// An exit is not passed in each iteration.
    ConditionalExit,
    /// No exit is counted.
    CountUnknown,
    /// Of an instruction of the loop: there is no vector form of it.
    Instruction(&'static str),
    /// The same of a call.
    Call,
    /// Of a type: there are no vectors of it.
    Type,
    /// A phi of the header is neither an induction, nor a reduction, nor a recurrence of the first order, nor a selection.
    Phi,
    /// A floating-point reduction whose operations must be done in order.
    FloatOrder,
    /// A recurrence of the first order whose users can't be moved behind the value that it hands on.
    RecurrenceOrder,
    /// An access is volatile or atomic.
    Ordered,
    /// The value of an access has padding in memory.
    Padding,
    /// A load before a data-dependent exit may not be readable in iterations that are not made.
    NotReadable,
    /// A load before a data-dependent exit may read what the same iteration stores before it; or what a reduction comes to is
    /// stored in each iteration.
    EarlyExitStore,
    /// Another instruction that can't be executed in iterations that a data-dependent exit leaves out.
    EarlyExitUnsafe(&'static str),
    /// What a data-dependent exit tests depends on the iteration before.
    RecurrenceInEarlyExit,
    /// The number of iterations may be poison where a data-dependent exit is taken first, and memory is read before that is known;
    /// or it takes a division.
    EarlyExitCount,
    /// The iterations that make no whole vector can't be made of vectors too: the loop is left by another exit than that of its
    /// latch, or what is used behind it is in no lane.
    TailNotFolded,
    /// An access may depend on one of an earlier iteration, at any distance.
    UnsafeDependence,
    /// The same where a check at run time would help, but its bounds can't be computed.
    NoBounds,
    /// More checks at run time are needed than are worth it.
    TooManyChecks {
        /// How many.
        needed: usize,
        /// How many are allowed.
        limit: usize,
    },
}

impl Missed {
    /// The instruction `kind` has no vector form.
    pub(super) fn instruction(kind: &InstKind) -> Self {
        Self::Instruction(kind.mnemonic())
    }
    /// The name of the reason, in LLVM's manner.
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

impl fmt::Display for Missed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotUniform => "control flow in it is not uniform: a branch may go another way in each iteration",
            Self::InnerEndless => "a loop in it may not end",
            Self::EarlyExitOfNest => "a data-dependent exit leaves a loop with loops in it",
            Self::NotSimplified => "the loop is not in loop simplify form",
            Self::NotClosed => "the loop is not in LCSSA form",
            Self::Irreducible => "the loop control flow is not understood: a cycle in it has no header",
            Self::NoImplicitFloat => "the function has the attribute noimplicitfloat",
            Self::TooLarge => "the loop has too many instructions, accesses or loops in it",
            Self::Undef => "something in it is made of `undef`",
            Self::Terminator(what) => {
                return write!(f, "the loop control flow is not understood: a block ends in `{what}`");
            }
            Self::ConditionalExit => "an exit is not passed in each iteration",
            Self::CountUnknown => "the number of iterations can't be determined",
            Self::Instruction(what) => return write!(f, "instruction `{what}` can't be vectorized"),
            Self::Call => "a call can't be vectorized",
            Self::Type => "a value is of a type that there are no vectors of",
            Self::Phi => "a value is carried from iteration to iteration in a way that is not understood",
            Self::FloatOrder => "floating-point operations can't be reordered",
            Self::RecurrenceOrder => "users of a recurrence can't be moved behind what it hands on",
            Self::Ordered => "an access is volatile or atomic",
            Self::Padding => "a value has padding in memory",
            Self::NotReadable => {
                "a load may be of memory that is not there, in an iteration that is left out by a data-dependent exit"
            }
            Self::EarlyExitStore => "memory is written before a data-dependent exit",
            Self::RecurrenceInEarlyExit => "a data-dependent exit tests what depends on the iteration before",
            Self::EarlyExitUnsafe(what) => {
                return write!(f, "`{what}` can't be executed in iterations that a data-dependent exit leaves out");
            }
            Self::EarlyExitCount => "the number of iterations may be poison where a data-dependent exit is taken first",
            Self::TailNotFolded => {
                "the tail can't be folded: there are other exits than the latch's, or what is used behind the loop is in no lane"
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
