//! What the verifier can find. The kinds are data; their messages say what is wrong and what to do about it. Which
//! instruction a finding speaks of stands in [`super::Finding`].

use crate::entity::{Block, Const, GlobalId, Inst, MdId};
use crate::inst::Value;
use crate::metadata::MdKind;
use crate::types::Type;
use std::fmt;
use thiserror::Error;

/// A type with its spelling, which alone says what an aggregate is.
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

/// A class of types that an operand or result may have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// That type.
    Exactly(TypeName),
    /// A class of types, in words.
    Class(&'static str),
    /// The first in the shape of the second: a scalar for a scalar, a vector as long for a vector.
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

/// What the name table and the named thing disagree on.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum NameFault {
    /// The name is not in the table, or stands for something else there.
    NotInTable,
    /// The table has a name that nothing bears.
    NobodyHasIt,
}

/// What is wrong.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum FindingKind {
    // Ids.
    /// An id that the body or module does not have.
    #[error("{what} is not of this module: intern it in the tables of the body that it is used in")]
    ForeignId {
        /// The id.
        what: String,
    },
    /// A struct that contains itself.
    #[error("{0} contains itself: break the cycle with a pointer")]
    RecursiveStruct(TypeName),

    // Tables behind the editor.
    /// A use list is not what the operands say.
    #[error(
        "the use list of {value:?} has {listed} entries for {actual} uses, or one that is no use: edit operands only through the editor"
    )]
    UseList {
        /// The value used.
        value: Value,
        /// Entries of its list.
        listed: usize,
        /// Operands that are the value.
        actual: usize,
    },
    /// An operand does not know its place in the use list.
    #[error(
        "operand {index} does not know its place in the use list of {value:?}: edit operands only through the editor"
    )]
    UseSlot {
        /// The operand.
        index: usize,
        /// The value used.
        value: Value,
    },
    /// The table of names is wrong.
    #[error(
        "the name `{name}` and the table of names disagree ({fault:?}): name things only through the editor"
    )]
    Name {
        /// The name.
        name: Box<str>,
        /// What they disagree on.
        fault: NameFault,
    },
    /// A result of type `void` has a name.
    #[error("an instruction without a result has the name `{0}`: take the name away")]
    NamedVoid(Box<str>),
    /// The lists of blocks and instructions disagree on where something stands.
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
    /// A block that ends in no terminator.
    #[error("the block ends in no terminator: end it in `br`, `switch`, `ret`, `unreachable` or the like")]
    NoTerminator,
    /// A terminator with instructions behind it.
    #[error("a terminator stands before the end of its block: split the block behind it")]
    TerminatorInside,
    /// A phi behind something that is no phi.
    #[error("a phi stands behind an instruction that is no phi: move it to the head of its block")]
    PhiNotFirst,
    /// The entry block is the target of an edge.
    #[error("the entry block has a predecessor, {pred:?}: put a block before it that branches to it")]
    EntryHasPredecessor {
        /// One of the predecessors.
        pred: Block,
    },
    /// An edge or phi entry that leads to a block which does not stand in the body.
    #[error("{block:?} was removed from the body: redirect the edge or drop the entry")]
    RemovedBlock {
        /// The block.
        block: Block,
    },
    /// A phi with other than one block for each value.
    #[error("the phi has {values} values for {blocks} blocks: give each incoming edge both")]
    PhiArity {
        /// Its values.
        values: usize,
        /// Its blocks.
        blocks: usize,
    },
    /// A phi with too few or too many entries for a predecessor.
    #[error(
        "the phi has {entries} entries for {pred:?}, from which {edges} edges come: make the numbers equal"
    )]
    PhiEntries {
        /// The predecessor, or a block that is none.
        pred: Block,
        /// Entries of the phi for it.
        entries: usize,
        /// Edges from it.
        edges: usize,
    },
    /// A phi with two values for one predecessor.
    #[error("the phi has two values for {pred:?}: edges from one block must bring the same value")]
    PhiConflict {
        /// The predecessor.
        pred: Block,
    },

    // Definitions and uses.
    /// An operand that was removed.
    #[error("operand {index} is an instruction that stands in no block: put it back or replace its uses")]
    RemovedOperand {
        /// The operand.
        index: usize,
    },
    /// A use that its definition does not dominate.
    #[error(
        "operand {index} does not dominate this use: move the definition up, or add a phi where paths meet"
    )]
    NotDominated {
        /// The operand.
        index: usize,
        /// The definition.
        def: Inst,
    },

    // Shape and types of instructions.
    /// A wrong number of operands.
    #[error("{found} operands where {expected} are wanted")]
    OperandCount {
        /// How many are wanted.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A wrong number of block operands.
    #[error("{found} blocks where {expected} are wanted")]
    BlockCount {
        /// How many are wanted.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// An operand of a wrong type.
    #[error("operand {index} has type {found}, but should be {wanted}")]
    OperandType {
        /// The operand.
        index: usize,
        /// What is wanted.
        wanted: Wanted,
        /// What it has.
        found: TypeName,
    },
    /// A result of a wrong type.
    #[error("the result has type {found}, but should be {wanted}")]
    ResultType {
        /// What is wanted.
        wanted: Wanted,
        /// What it has.
        found: TypeName,
    },
    /// A type of the instruction other than operands and result.
    #[error("{what} is {found}, but should be {wanted}")]
    InnerType {
        /// Which type.
        what: &'static str,
        /// What is wanted.
        wanted: Wanted,
        /// What it is.
        found: TypeName,
    },
    /// A flag that the operation does not have.
    #[error("the operation can't have `{flag}`: drop the flag")]
    Flag {
        /// The flag.
        flag: &'static str,
    },
    /// A cast that does not exist.
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
    /// A `switch` with a case that is no integer constant.
    #[error("case {case} is no integer constant: compare with a branch instead")]
    CaseNotConstant {
        /// The case, counted from 0.
        case: usize,
    },
    /// A `switch` with a case twice.
    #[error("cases {first} and {second} are the same integer: drop one of them")]
    DuplicateCase {
        /// The first, counted from 0.
        first: usize,
        /// The second.
        second: usize,
    },
    /// An index path into an aggregate that leads nowhere.
    #[error("index {at} of the path leads into no member: stay within the aggregate {aggregate}")]
    AggregateIndex {
        /// Which index of the path; its length if the path is empty.
        at: usize,
        /// The aggregate.
        aggregate: TypeName,
    },
    /// A `getelementptr` whose indices do not fit the type.
    #[error("index operand {index} can't step into {into}: {why}")]
    GepIndex {
        /// The operand.
        index: usize,
        /// The type stepped into.
        into: TypeName,
        /// The rule.
        why: &'static str,
    },
    /// A lane of a shuffle that neither operand has.
    #[error("lane {lane} asks for element {element} of two vectors of {len}: ask for one below {limit}", limit = len.saturating_mul(2))]
    ShuffleLane {
        /// The lane.
        lane: usize,
        /// The element asked for.
        element: u32,
        /// The length of each operand.
        len: u64,
    },
    /// An alignment that is none.
    #[error("{align} is no alignment: it must be a power of two up to 2^32")]
    Alignment {
        /// The alignment.
        align: u64,
    },
    /// An atomic access that can't be.
    #[error("{0}")]
    Atomic(AtomicFault),

    // Calls.
    /// A call with a wrong number of arguments.
    #[error("the call passes {found} arguments to a function of {expected}")]
    ArgumentCount {
        /// How many are wanted.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A call through a type that is no function type.
    #[error("the call is through {0}, which is no function type")]
    NotCallable(TypeName),
    /// An intrinsic called through another type than its own.
    #[error("an intrinsic is called through another type than it is declared with: use the declared type")]
    IntrinsicCallType,
    /// An intrinsic used otherwise than by calling it.
    #[error("the address of an intrinsic is taken: intrinsics can only be called")]
    IntrinsicAddress,
    /// An argument that must be a constant and is not.
    #[error(
        "argument {index} must be an immediate constant: the intrinsic is not defined for values computed at run time"
    )]
    ImmediateArgument {
        /// The argument.
        index: usize,
    },
    /// A call of `llvm.experimental.deoptimize` whose result is not returned at once.
    #[error("a call of `llvm.experimental.deoptimize` must be followed by a `ret` of its result")]
    DeoptimizeNotReturned,
    /// A `musttail` call that can't be one.
    #[error("the call can't be `musttail`: {0}")]
    MustTail(&'static str),
    /// Exception handling that does not fit together.
    #[error("{0}")]
    Exception(ExceptionFault),
    /// A debug record with other than one piece of text around each operand.
    #[error(
        "the debug record has {pieces} pieces of text around {operands} operands: one more than operands is wanted"
    )]
    DebugRecord {
        /// Pieces of text.
        pieces: usize,
        /// Operands.
        operands: usize,
    },

    // Functions, globals, constants, attributes, metadata.
    /// The body's arguments are not the function's parameters.
    #[error(
        "the body's arguments are not the parameters of {0}: add an argument of its type for each parameter"
    )]
    Parameters(TypeName),
    /// A function whose type is none, or has parameters or a result that can't be.
    #[error("{0} can't be the type of a function")]
    FunctionType(TypeName),
    /// A definition with a linkage for declarations or the other way about.
    #[error("{0}")]
    Linkage(&'static str),
    /// An intrinsic declared with a type that it does not have.
    #[error("`{name}` can't have type {found}: {signature}")]
    IntrinsicSignature {
        /// The intrinsic's name.
        name: Box<str>,
        /// The type declared.
        found: TypeName,
        /// What it should be.
        signature: &'static str,
    },
    /// A constant that contradicts its type.
    #[error("{constant:?} of type {ty} is malformed: {why}")]
    Constant {
        /// The constant.
        constant: Const,
        /// Its type.
        ty: TypeName,
        /// The rule.
        why: &'static str,
    },
    /// The address of a block that is not there, or that may not have it taken.
    #[error("the address of block `%{label}` of `@{func}` can't be taken: {why}")]
    BlockAddress {
        /// The function.
        func: Box<str>,
        /// The block.
        label: Box<str>,
        /// The rule.
        why: &'static str,
    },
    /// An initializer of another type than its global.
    #[error("the initializer of {global:?} has type {found}, but the global holds {wanted}")]
    Initializer {
        /// The global.
        global: GlobalId,
        /// The global's type.
        wanted: TypeName,
        /// The initializer's type.
        found: TypeName,
    },
    /// A global of a type that memory can't hold.
    #[error("{global:?} holds {found}, which has no size")]
    UnsizedGlobal {
        /// The global.
        global: GlobalId,
        /// Its type.
        found: TypeName,
    },
    /// An attribute at a type that can't have it.
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
    /// An attachment that does not fit the instruction.
    #[error("`!{}` is malformed: {why}", kind.name())]
    Metadata {
        /// The kind of attachment.
        kind: MdKind,
        /// The rule.
        why: &'static str,
    },
}

/// Why an atomic access can't be.
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

/// How exception handling does not fit together.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Error)]
#[allow(missing_docs, reason = "each variant is its message")]
pub enum ExceptionFault {
    #[error("the unwind destination of an `invoke` must start with a `landingpad`")]
    UnwindWithoutPad,
    #[error("a `landingpad` must be the first instruction behind the phis of its block")]
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

/// Why an attribute does not fit a type.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Error)]
#[allow(missing_docs, reason = "each variant is its message")]
pub enum AttrFault {
    #[error("it is for pointers alone: drop it")]
    NotPointer,
    #[error("it is for integers alone: drop it")]
    NotInteger,
    #[error("it is for functions alone: drop it")]
    OfFunction,
    #[error("there is no value that it could speak of: drop it")]
    NoValue,
    #[error("an alignment must be a power of two up to 2^32")]
    Alignment,
    #[error("the bounds must be as wide as the integer that it stands at")]
    RangeWidth,
}
