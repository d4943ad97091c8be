//! How a run ends. The instructions' own files detect UB; [`UbKind::rule`] has the rules as text.

use crate::value::Val;
use backedge_ir::entity::{Block, FuncId, Inst};
use serde::{Deserialize, Serialize};

/// A place in the program.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// The function.
    pub func: FuncId,
    /// The instruction; `None` for the entry of the function.
    pub inst: Option<Inst>,
}

macro_rules! ub_kinds {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $rule:literal;)*) => {
        /// Why a run has undefined behavior.
        #[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum UbKind { $(#[doc = $rule] $variant,)* }

        impl UbKind {
            /// All kinds.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];
            /// The name used in expectations and reports.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
            /// The kind with that name.
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($name => Some(Self::$variant),)* _ => None }
            }
            /// The violated rule as text.
            pub fn rule(self) -> &'static str {
                match self { $(Self::$variant => $rule,)* }
            }
        }
    };
}

ub_kinds! {
    BranchOnPoison = "branch-on-poison", "a branch or switch must not depend on poison";
    BranchOnUndef = "branch-on-undef", "a branch or switch must not depend on undef";
    DivisionByZero = "division-by-zero", "the divisor of a division or remainder must not be zero";
    DivisionByPoison = "division-by-poison", "the divisor of a division or remainder must not be poison";
    DivisionOverflow = "division-overflow", "sdiv and srem must not divide the smallest value by -1";
    PoisonPointer = "poison-pointer", "memory must not be accessed through a poison pointer";
    UndefPointer = "undef-pointer", "memory must not be accessed through an undef pointer";
    NullDereference = "null-dereference", "memory must not be accessed at the null pointer";
    OutOfBounds = "out-of-bounds", "an access must lie within the object that its pointer is based on";
    InvalidPointer = "invalid-pointer", "an access needs a pointer based on an object";
    Misaligned = "misaligned", "the address of an access must be a multiple of its alignment";
    UseAfterFree = "use-after-free", "an access needs an object that is still allocated";
    StoreOutsideLifetime = "store-outside-lifetime", "an alloca must not be written outside its lifetime";
    ReadOnlyWrite = "read-only-write", "constant memory must not be written";
    Unreachable = "unreachable", "an unreachable instruction must not be reached";
    NoUndefViolated = "noundef-violated", "a value that is noundef must be neither undef nor poison";
    AssumeViolated = "assume-violated", "the condition of llvm.assume must hold";
    NoProgress = "no-progress", "a mustprogress function or loop must not run forever without side effects";
    BadCallee = "bad-callee", "a call needs a pointer to a function";
    AllocaSize = "alloca-size", "the count of an alloca must be neither poison nor undef, and its size must be less than half of the address space";
    NoAliasViolated = "noalias-violated",
        "memory reached through a noalias argument and written must not be accessed by other pointers meanwhile";
    ReadOnlyArgument = "readonly-argument", "memory must not be written through a readonly argument";
    ReadNoneArgument = "readnone-argument", "memory must not be read through a readnone argument";
    MemoryEffectsViolated = "memory-effects-violated",
        "a function must not access memory that its memory attribute excludes";
    NoReturnReturned = "noreturn-returned", "a noreturn function must not return";
    WillReturnViolated = "willreturn-violated", "a willreturn function must return or unwind";
    NoUnwindViolated = "nounwind-violated", "a nounwind function must not unwind";
    NoRecurseViolated = "norecurse-violated",
        "a norecurse function must not be called while it is running";
    FixedPointOverflow = "fixed-point-overflow",
        "the result of a fixed-point operation must be in the range of its type";
    OverlappingCopy = "overlapping-copy", "the ranges of memcpy must be equal or disjoint";
    PoisonLength = "poison-length", "the length of a memory intrinsic must be neither poison nor undef";
    ElementLength = "element-length", "an element-wise copy or fill must be of whole elements";
    InvalidFree = "invalid-free", "only an allocation that has not been freed can be freed or resized";
    InvalidLifetime = "invalid-lifetime", "a lifetime marker needs a pointer to an alloca";
}

impl UbKind {
    /// The coarse kind used in the corpus's expectations.
    pub fn class(self) -> &'static str {
        match self {
            Self::BranchOnPoison
            | Self::BranchOnUndef
            | Self::DivisionByZero
            | Self::DivisionOverflow
            | Self::OutOfBounds
            | Self::Misaligned
            | Self::NullDereference
            | Self::Unreachable => self.name(),
            Self::UseAfterFree | Self::StoreOutsideLifetime => "dead-object",
            Self::ReadOnlyWrite => "read-only",
            Self::NoUndefViolated => "noundef",
            Self::AssumeViolated => "assume",
            Self::BadCallee | Self::NoReturnReturned => "call",
            Self::DivisionByPoison
            | Self::PoisonPointer
            | Self::UndefPointer
            | Self::InvalidPointer
            | Self::NoProgress
            | Self::AllocaSize
            | Self::NoAliasViolated
            | Self::ReadOnlyArgument
            | Self::ReadNoneArgument
            | Self::MemoryEffectsViolated
            | Self::WillReturnViolated
            | Self::NoUnwindViolated
            | Self::NoRecurseViolated
            | Self::FixedPointOverflow
            | Self::OverlappingCopy
            | Self::PoisonLength
            | Self::ElementLength
            | Self::InvalidFree
            | Self::InvalidLifetime => "other",
        }
    }
}

/// A feature that is not modelled.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Feature {
    /// A type whose values are not modelled.
    Type(String),
    /// An instruction.
    Instruction(&'static str),
    /// An intrinsic function.
    Intrinsic(String),
    /// An operand bundle, by its tag.
    Bundle(String),
    /// A constant.
    Constant(&'static str),
    /// A function carried as text; the parser's description of it.
    Opaque(String),
    /// Anything else.
    Other(&'static str),
}

impl std::fmt::Display for Feature {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Type(ty) => write!(f, "type {ty}"),
            Self::Instruction(name) => write!(f, "instruction {name}"),
            Self::Intrinsic(name) => write!(f, "intrinsic {name}"),
            Self::Bundle(tag) => write!(f, "the operand bundle `{tag}`"),
            Self::Constant(what) => write!(f, "constant: {what}"),
            Self::Opaque(feature) => write!(f, "function not modelled: {feature}"),
            Self::Other(what) => f.write_str(what),
        }
    }
}

/// The limit of [`crate::Config`] that was hit.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Limit {
    /// Bytes of memory.
    Memory,
    /// Depth of calls.
    CallDepth,
    /// Number of events.
    Events,
    /// Addresses of the pointer width are exhausted.
    AddressSpace,
    /// No limit: the caller asked the run to stop.
    Stopped,
}

impl std::fmt::Display for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Memory => "it takes more memory than a run may",
            Self::CallDepth => "its calls are nested more deeply than a run's may be",
            Self::Events => "it has more events than a run may",
            Self::AddressSpace => "its memory does not fit in the addresses",
            Self::Stopped => "it was stopped",
        })
    }
}

/// How a run left the program without returning.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Exit {
    /// An external function ended the program.
    Exited,
    /// An exception left the function.
    Threw,
    /// An external function never returned.
    Looped,
    /// `llvm.trap`, or `llvm.ubsantrap` with its kind.
    Trapped(Option<u8>),
    /// Execution continued elsewhere: a failed guard or `llvm.experimental.deoptimize`.
    Deoptimized,
}

impl std::fmt::Display for Exit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Self::Trapped(Some(kind)) = self {
            return write!(f, "a trap of kind {kind}");
        }
        f.write_str(match self {
            Self::Exited => "the program ends",
            Self::Threw => "an exception is thrown",
            Self::Looped => "it runs for ever",
            Self::Trapped(_) => "a trap",
            Self::Deoptimized => "execution goes on elsewhere",
        })
    }
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The function returned; `None` for `void`.
    Returned(Option<Val>),
    /// Undefined behavior.
    Ub {
        /// The violated rule.
        kind: UbKind,
        /// Where it was violated.
        place: Place,
    },
    /// The program was left in an observable way.
    DidNotReturn {
        /// How it was left.
        exit: Exit,
        /// Where it was left.
        place: Place,
    },
    /// The fuel ran out: the run is inconclusive.
    OutOfFuel,
    /// A state occurred again without an event in between: the function runs forever.
    Diverges {
        /// The function of the block.
        func: FuncId,
        /// The block that was reached again.
        block: Block,
    },
    /// The run reached a feature that is not modelled.
    Unsupported {
        /// The feature.
        feature: Feature,
        /// Where it was reached.
        place: Place,
    },
    /// A limit was hit: the run is inconclusive.
    LimitExceeded(Limit),
}

impl Outcome {
    /// The name of the kind of outcome, as used in expectations and reports.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Returned(_) => "returned",
            Self::Ub { .. } => "ub",
            Self::DidNotReturn { exit: Exit::Exited, .. } => "exited",
            Self::DidNotReturn { exit: Exit::Threw, .. } => "threw",
            Self::DidNotReturn { exit: Exit::Looped, .. } => "looped",
            Self::DidNotReturn { exit: Exit::Trapped(_), .. } => "trapped",
            Self::DidNotReturn { exit: Exit::Deoptimized, .. } => "deoptimized",
            Self::OutOfFuel => "out-of-fuel",
            Self::Diverges { .. } => "diverges",
            Self::Unsupported { .. } => "unsupported",
            Self::LimitExceeded(_) => "limit-exceeded",
        }
    }
    /// The kind of UB, if that is the outcome.
    pub fn ub(&self) -> Option<UbKind> {
        if let Self::Ub { kind, .. } = self { Some(*kind) } else { None }
    }
    /// Whether the run is inconclusive: it was cut short or reached an unmodelled feature.
    pub fn shows_nothing(&self) -> bool {
        match self {
            Self::OutOfFuel | Self::Unsupported { .. } | Self::LimitExceeded(_) => true,
            Self::Returned(_) | Self::Ub { .. } | Self::DidNotReturn { .. } | Self::Diverges { .. } => false,
        }
    }
}

/// Why execution stops, before the place is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    Ub(UbKind),
    Unsupported(Box<Feature>),
    Exit(Exit),
    Fuel,
    Limit(Limit),
    Diverges {
        /// The block at which a state occurred again.
        block: Block,
        /// Whether the run made progress without an event since then (LangRef `mustprogress`).
        progress: bool,
    },
    /// A final outcome at a place other than the current instruction.
    Done(Box<Outcome>),
}

impl Stop {
    pub(crate) fn unsupported(feature: Feature) -> Self {
        Self::Unsupported(Box::new(feature))
    }
    pub(crate) fn at(self, place: Place) -> Outcome {
        match self {
            Self::Ub(kind) => Outcome::Ub { kind, place },
            Self::Unsupported(feature) => Outcome::Unsupported { feature: *feature, place },
            Self::Exit(exit) => Outcome::DidNotReturn { exit, place },
            Self::Fuel => Outcome::OutOfFuel,
            Self::Limit(limit) => Outcome::LimitExceeded(limit),
            Self::Diverges { block, .. } => Outcome::Diverges { func: place.func, block },
            Self::Done(outcome) => *outcome,
        }
    }
}

/// The result of one step.
pub(crate) type Step<T> = Result<T, Stop>;
