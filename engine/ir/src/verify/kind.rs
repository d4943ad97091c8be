//! The kinds of errors that the verifier reports. The kinds are data; their messages state the error and a remedy.
//! [`super::Finding`] records the instruction that a finding is about.

use crate::entity::{AliasId, Block, Const, GlobalId, Inst, MdId};
use crate::inst::Value;
use crate::metadata::MdKind;
use crate::types::Type;
use std::fmt;
use thiserror::Error;

/// A type with its spelling, because a [`Type`] alone does not describe an aggregate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypeName {
    /// The type.
    pub ty: Type,
    /// Its spelling.
    pub text: Box<str>,
}

impl fmt::Display for TypeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.text)
    }
}

/// The expected type or class of types of an operand or result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// Exactly this type.
    Exactly(TypeName),
    /// A class of types, in words.
    Class(&'static str),
    /// The first, in the shape of the second: a scalar for a scalar, a vector of the same length for a vector.
    Shaped(&'static str, TypeName),
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exactly(ty) => ty.fmt(f),
            Self::Class(words) => f.write_str(words),
            Self::Shaped(words, like) => write!(f, "{words} in the shape of {like}"),
        }
    }
}

/// How the name table and a named entity disagree.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum NameFault {
    /// The entity's name is missing from the table or maps to another entity.
    NotInTable,
    /// The table has a name that no entity has.
    NoSuchEntity,
}

/// An error found by the verifier.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum FindingKind {
    // Ids.
    /// An id that does not belong to the body or module.
    #[error("{what} is not of this module: intern it in the tables of the body that it is used in")]
    ForeignId {
        /// The id.
        what: String,
    },
    /// A struct that contains itself.
    #[error("{0} contains itself: break the cycle with a pointer")]
    RecursiveStruct(TypeName),
    /// An alias of itself.
    #[error("@{name} is an alias of itself: aliases can't form a cycle, so give it a variable or a function")]
    AliasCycle {
        /// The alias.
        alias: AliasId,
        /// Its name.
        name: Box<str>,
    },

    // Tables that only the editor may write.
    /// A use list that disagrees with the operands.
    #[error(
        "the use list of {value:?} has {listed} entries for {actual} uses, or one that is no use: edit operands only through the editor"
    )]
    UseList {
        /// The used value.
        value: Value,
        /// The number of entries in its list.
        listed: usize,
        /// The number of operands that refer to the value.
        actual: usize,
    },
    /// An operand with a wrong index into the use list.
    #[error(
        "operand {index} has a wrong index into the use list of {value:?}: edit operands only through the editor"
    )]
    UseSlot {
        /// The operand index.
        index: usize,
        /// The used value.
        value: Value,
    },
    /// The name table is inconsistent.
    #[error("the name `{name}` and the name table disagree ({fault:?}): set names only through the editor")]
    Name {
        /// The name.
        name: Box<str>,
        /// The disagreement.
        fault: NameFault,
    },
    /// A result of type `void` has a name.
    #[error("an instruction without a result has the name `{0}`: take the name away")]
    NamedVoid(Box<str>),
    /// The lists of blocks and instructions disagree on the position of an entity.
    #[error("{what} is not where the lists of the body say: move it only through the editor")]
    Placement {
        /// The block or instruction.
        what: String,
    },

    // Blocks and edges.
    /// A body without blocks.
    #[error("a definition without a block: add an entry block")]
    NoBlocks,
    /// A block without instructions.
    #[error("the block is empty: end it in a terminator")]
    EmptyBlock,
    /// A block that does not end in a terminator.
    #[error("the block ends in no terminator: end it in `br`, `switch`, `ret`, `unreachable` or the like")]
    NoTerminator,
    /// A terminator followed by instructions.
    #[error("a terminator is not at the end of its block: split the block after it")]
    TerminatorInside,
    /// A phi after a non-phi instruction.
    #[error("a phi follows a non-phi instruction: move it to the start of its block")]
    PhiNotFirst,
    /// The entry block is the target of an edge.
    #[error("the entry block has a predecessor, {pred:?}: put a block before it that branches to it")]
    EntryHasPredecessor {
        /// One of the predecessors.
        pred: Block,
    },
    /// An edge or phi entry that refers to a block outside the body.
    #[error("{block:?} was removed from the body: redirect the edge or drop the entry")]
    RemovedBlock {
        /// The block.
        block: Block,
    },
    /// A phi whose numbers of values and blocks differ.
    #[error("the phi has {values} values for {blocks} blocks: give each incoming edge both")]
    PhiArity {
        /// The number of values.
        values: usize,
        /// The number of blocks.
        blocks: usize,
    },
    /// A phi whose number of entries for a block differs from the number of edges from it.
    #[error(
        "the phi has {entries} entries for {pred:?}, from which {edges} edges come: make the numbers equal"
    )]
    PhiEntries {
        /// The predecessor, or a block that is not one.
        pred: Block,
        /// The number of phi entries for it.
        entries: usize,
        /// The number of edges from it.
        edges: usize,
    },
    /// A phi with different values for one predecessor.
    #[error("the phi has two values for {pred:?}: edges from one block must bring the same value")]
    PhiConflict {
        /// The predecessor.
        pred: Block,
    },

    // Definitions and uses.
    /// An operand that is an unlinked instruction.
    #[error("operand {index} is an unlinked instruction: insert it again or replace its uses")]
    RemovedOperand {
        /// The operand index.
        index: usize,
    },
    /// A use that its definition does not dominate.
    #[error(
        "operand {index} does not dominate this use: move the definition up, or add a phi where paths meet"
    )]
    NotDominated {
        /// The operand index.
        index: usize,
        /// The definition.
        def: Inst,
    },

    // Shape and types of instructions.
    /// A wrong number of operands.
    #[error("{found} operands where {expected} are wanted")]
    OperandCount {
        /// The expected number.
        expected: usize,
        /// The actual number.
        found: usize,
    },
    /// A wrong number of block operands.
    #[error("{found} blocks where {expected} are wanted")]
    BlockCount {
        /// The expected number.
        expected: usize,
        /// The actual number.
        found: usize,
    },
    /// An operand of a wrong type.
    #[error("operand {index} has type {found}, but should be {wanted}")]
    OperandType {
        /// The operand index.
        index: usize,
        /// The expected type.
        wanted: Wanted,
        /// The actual type.
        found: TypeName,
    },
    /// A result of a wrong type.
    #[error("the result has type {found}, but should be {wanted}")]
    ResultType {
        /// The expected type.
        wanted: Wanted,
        /// The actual type.
        found: TypeName,
    },
    /// A wrong type in an instruction, other than an operand or result type.
    #[error("{what} is {found}, but should be {wanted}")]
    InnerType {
        /// A description of the type.
        what: &'static str,
        /// The expected type.
        wanted: Wanted,
        /// The actual type.
        found: TypeName,
    },
    /// A flag that the operation does not support.
    #[error("the operation can't have `{flag}`: drop the flag")]
    Flag {
        /// The flag.
        flag: &'static str,
    },
    /// An invalid cast.
    #[error("there is no `{op}` from {from} to {to}: {why}")]
    Cast {
        /// The cast.
        op: &'static str,
        /// The operand's type.
        from: TypeName,
        /// The result's type.
        to: TypeName,
        /// The rule.
        why: &'static str,
    },
    /// A `switch` case that is not an integer constant.
    #[error("case {case} is no integer constant: compare with a branch instead")]
    CaseNotConstant {
        /// The index of the case.
        case: usize,
    },
    /// A duplicate `switch` case.
    #[error("cases {first} and {second} are the same integer: drop one of them")]
    DuplicateCase {
        /// The index of the first case.
        first: usize,
        /// The index of the second case.
        second: usize,
    },
    /// An aggregate index out of range.
    #[error("index {at} of the path leads into no member: stay within the aggregate {aggregate}")]
    AggregateIndex {
        /// The position in the index path; its length if the path is empty.
        at: usize,
        /// The aggregate.
        aggregate: TypeName,
    },
    /// A `getelementptr` whose indices do not match the type.
    #[error("index operand {index} can't step into {into}: {why}")]
    GepIndex {
        /// The operand index.
        index: usize,
        /// The type stepped into.
        into: TypeName,
        /// The rule.
        why: &'static str,
    },
    /// A shuffle mask element out of range.
    #[error("lane {lane} asks for element {element} of two vectors of {len}: ask for one below {limit}", limit = len.saturating_mul(2))]
    ShuffleLane {
        /// The lane of the result.
        lane: usize,
        /// The mask element.
        element: u32,
        /// The length of each operand.
        len: u64,
    },
    /// An invalid alignment.
    #[error("{align} is no alignment: it must be a power of two up to 2^32")]
    Alignment {
        /// The alignment.
        align: u64,
    },
    /// An invalid atomic access.
    #[error("{0}")]
    Atomic(AtomicFault),

    // Calls.
    /// A call with a wrong number of arguments.
    #[error("the call passes {found} arguments to a function of {expected}")]
    ArgumentCount {
        /// The expected number.
        expected: usize,
        /// The actual number.
        found: usize,
    },
    /// A call through a type that is not a function type.
    #[error("the call is through {0}, which is no function type")]
    NotCallable(TypeName),
    /// An intrinsic called through a type other than its own.
    #[error("an intrinsic is called through another type than it is declared with: use the declared type")]
    IntrinsicCallType,
    /// An intrinsic used other than as a callee.
    #[error("the address of an intrinsic is taken: intrinsics can only be called")]
    IntrinsicAddress,
    /// A non-constant argument where an immediate is required.
    #[error(
        "argument {index} must be an immediate constant: the intrinsic is not defined for values computed at run time"
    )]
    ImmediateArgument {
        /// The argument index.
        index: usize,
    },
    /// A call of `llvm.experimental.deoptimize` whose result is not returned immediately.
    #[error("a call of `llvm.experimental.deoptimize` must be followed by a `ret` of its result")]
    DeoptimizeNotReturned,
    /// An invalid `musttail` call.
    #[error("the call can't be `musttail`: {0}")]
    MustTail(&'static str),
    /// Inconsistent exception handling.
    #[error("{0}")]
    Exception(ExceptionFault),
    /// A debug record whose number of text pieces does not match its operands.
    #[error(
        "the debug record has {pieces} pieces of text around {operands} operands: one more than operands is wanted"
    )]
    DebugRecord {
        /// The number of text pieces.
        pieces: usize,
        /// The number of operands.
        operands: usize,
    },

    // Functions, globals, constants, attributes, metadata.
    /// The body's arguments differ from the function's parameters.
    #[error(
        "the body's arguments are not the parameters of {0}: add an argument of its type for each parameter"
    )]
    Parameters(TypeName),
    /// A function whose type is not a function type, or has an invalid parameter or result type.
    #[error("{0} can't be the type of a function")]
    FunctionType(TypeName),
    /// A definition with a linkage for declarations, or vice versa.
    #[error("{0}")]
    Linkage(&'static str),
    /// An intrinsic declared with a wrong type.
    #[error("`{name}` can't have type {found}: {signature}")]
    IntrinsicSignature {
        /// The intrinsic's name.
        name: Box<str>,
        /// The declared type.
        found: TypeName,
        /// The expected signature.
        signature: &'static str,
    },
    /// A constant that does not match its type.
    #[error("{constant:?} of type {ty} is malformed: {why}")]
    Constant {
        /// The constant.
        constant: Const,
        /// Its type.
        ty: TypeName,
        /// The rule.
        why: &'static str,
    },
    /// A `blockaddress` of a missing block, or of a block whose address can't be taken.
    #[error("the address of block `%{label}` of `@{func}` can't be taken: {why}")]
    BlockAddress {
        /// The function.
        func: Box<str>,
        /// The block.
        label: Box<str>,
        /// The rule.
        why: &'static str,
    },
    /// An initializer whose type differs from its global's.
    #[error("the initializer of {global:?} has type {found}, but the global holds {wanted}")]
    Initializer {
        /// The global.
        global: GlobalId,
        /// The global's type.
        wanted: TypeName,
        /// The initializer's type.
        found: TypeName,
    },
    /// A global with an unsized type.
    #[error("{global:?} holds {found}, which has no size")]
    UnsizedGlobal {
        /// The global.
        global: GlobalId,
        /// Its type.
        found: TypeName,
    },
    /// An attribute on a type that does not support it.
    #[error("`{attr}` at {found}: {fault}")]
    Attribute {
        /// The attribute.
        attr: &'static str,
        /// The type.
        found: TypeName,
        /// Why not.
        fault: AttrFault,
    },
    /// A reference to a metadata node that is not defined.
    #[error("metadata node {node:?} is referred to but not defined: define it or drop the reference")]
    UndefinedMetadata {
        /// The node.
        node: MdId,
    },
    /// A metadata attachment that does not fit the instruction.
    #[error("`!{}` is malformed: {why}", kind.name())]
    Metadata {
        /// The kind of attachment.
        kind: MdKind,
        /// The rule.
        why: &'static str,
    },
}

/// Reasons why an atomic access is invalid.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Error)]
#[allow(missing_docs, reason = "each variant is its message")]
pub enum AtomicFault {
    #[error("a load can't release: use `unordered`, `monotonic`, `acquire` or `seq_cst`")]
    LoadReleases,
    #[error("a store can't acquire: use `unordered`, `monotonic`, `release` or `seq_cst`")]
    StoreAcquires,
    #[error("a fence must acquire or release: use `acquire`, `release`, `acq_rel` or `seq_cst`")]
    WeakFence,
    #[error(
        "the operation reads and writes at once, so that it can't be `unordered`: use `monotonic` or stronger"
    )]
    Unordered,
    #[error("a failed `cmpxchg` stores nothing, so that its failure ordering can't release")]
    FailureReleases,
    #[error("an atomic operation needs an ordering")]
    NoOrdering,
    #[error("`syncscope` is for atomic accesses alone: drop it or add an ordering")]
    ScopeWithoutOrdering,
    #[error("an atomic access needs an explicit alignment")]
    NoAlignment,
    #[error("an atomic access must be of 8 bits or a larger power of two")]
    Size,
}

/// Reasons why exception handling is inconsistent.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Error)]
#[allow(missing_docs, reason = "each variant is its message")]
pub enum ExceptionFault {
    #[error("the unwind destination of an `invoke` must start with a `landingpad`")]
    UnwindWithoutPad,
    #[error("a `landingpad` must be the first instruction after the phis of its block")]
    PadNotFirst,
    #[error("a block with a `landingpad` may be reached only by unwind edges of `invoke`s")]
    PadReachedNormally,
    #[error("a `landingpad` needs a clause or `cleanup`")]
    NoClause,
    #[error("a `landingpad` needs an operand for each clause")]
    ClauseCount,
    #[error("a `catch` clause names a pointer constant, a `filter` clause an array constant")]
    ClauseType,
    #[error("the function needs a personality for its `landingpad`s")]
    NoPersonality,
    #[error("all `landingpad`s and `resume`s of a function must be of one type")]
    TypesDiffer,
}

/// Reasons why an attribute does not fit a type.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Error)]
#[allow(missing_docs, reason = "each variant is its message")]
pub enum AttrFault {
    #[error("it applies only to pointers: drop it")]
    NotPointer,
    #[error("it applies only to integers: drop it")]
    NotInteger,
    #[error("it applies only to functions: drop it")]
    OfFunction,
    #[error("there is no value it could apply to: drop it")]
    NoValue,
    #[error("an alignment must be a power of two up to 2^32")]
    Alignment,
    #[error("the bounds must have the width of the attributed integer")]
    RangeWidth,
}
