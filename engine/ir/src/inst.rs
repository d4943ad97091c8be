//! Instructions: an operation with its flags and types ([`InstKind`]), a list of value operands, and a list of block
//! operands. All operations keep values and blocks in the same two lists, so use lists and rewriting need no case per
//! opcode. [`InstKind`] documents the meaning of the list entries.

use crate::attr::AttrList;
use crate::entity::{Arg, Block, Const, Inst};
use crate::metadata::{MdKind, MdRef};
use crate::types::Type;
use smallvec::SmallVec;

pub use crate::flags::{BinaryFlags, CastFlags, GepFlags};
pub use crate::opcode::{
    AtomicOrdering, BinaryOp, CastOp, FastMath, FloatPredicate, IntPredicate, RmwOp, TailKind,
};

/// A value: anything that an operand can refer to.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    /// The result of an instruction.
    Inst(Inst),
    /// A formal argument.
    Arg(Arg),
    /// A constant of the body's pool.
    Const(Const),
}

impl Value {
    /// The instruction that defines this value, if one does.
    pub fn as_inst(self) -> Option<Inst> {
        match self {
            Self::Inst(inst) => Some(inst),
            Self::Arg(_) | Self::Const(_) => None,
        }
    }
    /// The constant that this value is, if it is one.
    pub fn as_const(self) -> Option<Const> {
        match self {
            Self::Const(c) => Some(c),
            Self::Arg(_) | Self::Inst(_) => None,
        }
    }
}

impl From<Inst> for Value {
    fn from(inst: Inst) -> Self {
        Self::Inst(inst)
    }
}

impl From<Arg> for Value {
    fn from(arg: Arg) -> Self {
        Self::Arg(arg)
    }
}

impl From<Const> for Value {
    fn from(c: Const) -> Self {
        Self::Const(c)
    }
}

/// A use: one operand of one instruction, and an entry of a use list.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Use {
    /// The user.
    pub user: Inst,
    /// The operand index.
    pub index: u32,
}

/// The properties of a memory access.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct MemAccess {
    /// Alignment in bytes; `None` if not spelled, which means the ABI alignment of the type.
    pub align: Option<u64>,
    /// `volatile`.
    pub volatile: bool,
    /// `atomic` with its ordering.
    pub ordering: Option<AtomicOrdering>,
    /// `syncscope("…")`.
    pub syncscope: Option<Box<str>>,
}

/// An operand bundle: `tag(operands)`; the operands are a range of the call's operand list.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Bundle {
    /// The tag.
    pub tag: Box<str>,
    /// The number of operands.
    pub len: u32,
}

/// The properties of a call, invoke or callbr apart from its operands. The operands are the arguments, then those of
/// the bundles in order, then the callee.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CallInfo {
    /// `tail`, `musttail`, `notail`.
    pub tail: TailKind,
    /// Calling convention as spelled; empty for the C convention.
    pub cc: Box<str>,
    /// Attributes of the result.
    pub ret_attrs: AttrList,
    /// The type of the called function.
    pub fn_ty: Type,
    /// Address space of the callee as spelled.
    pub addrspace: Option<u32>,
    /// Attributes of the arguments, one list per argument.
    pub arg_attrs: Vec<AttrList>,
    /// Attributes of the call site.
    pub fn_attrs: AttrList,
    /// Operand bundles.
    pub bundles: Vec<Bundle>,
    /// Fast-math flags.
    pub fast: FastMath,
}

impl CallInfo {
    /// A call of a function of type `fn_ty` with `args` arguments and no other properties.
    pub fn plain(fn_ty: Type, args: usize) -> Self {
        Self {
            tail: TailKind::None,
            cc: "".into(),
            ret_attrs: AttrList::default(),
            fn_ty,
            addrspace: None,
            arg_attrs: vec![AttrList::default(); args],
            fn_attrs: AttrList::default(),
            bundles: Vec::new(),
            fast: FastMath::NONE,
        }
    }
    /// The number of arguments.
    pub fn arg_count(&self) -> usize {
        self.arg_attrs.len()
    }
}

/// A clause of a `landingpad`; its operand is in the operand list.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum LandingClause {
    /// `catch`.
    Catch,
    /// `filter`.
    Filter,
}

/// The operation of an instruction. Each variant documents its operands and blocks; variants that do not mention blocks
/// have none.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum InstKind {
    /// `ret`: one operand, or none for `ret void`. Terminator.
    Ret,
    /// `br label`: blocks `[target]`. Terminator.
    Br,
    /// `br i1`: operands `[condition]`, blocks `[if true, if false]`. Terminator.
    CondBr,
    /// `switch`: operands `[condition, case constants…]`, blocks `[default, case targets…]`. Terminator.
    Switch,
    /// `indirectbr`: operands `[address]`, blocks `[possible destinations…]`. Terminator.
    IndirectBr,
    /// `unreachable`. Terminator.
    Unreachable,
    /// `invoke`: operands as in [`CallInfo`], blocks `[normal, unwind]`. Terminator.
    Invoke(Box<CallInfo>),
    /// `callbr` of inline asm: operands as in [`CallInfo`], blocks `[fallthrough, indirect destinations…]`. Terminator.
    CallBr(Box<CallInfo>),
    /// `resume`: operands `[exception]`. Terminator.
    Resume,
    /// `fneg`: operands `[x]`.
    FNeg(FastMath),
    /// Integer arithmetic and bitwise operations: operands `[left, right]`.
    Binary(BinaryOp, BinaryFlags),
    /// Floating-point arithmetic: operands `[left, right]`.
    FloatBinary(FloatBinaryOp, FastMath),
    /// Casts: operands `[x]`, to the instruction's type.
    Cast(CastOp, CastFlags),
    /// `icmp`: operands `[left, right]`.
    ICmp {
        /// The predicate.
        pred: IntPredicate,
        /// `samesign`.
        samesign: bool,
    },
    /// `fcmp`: operands `[left, right]`.
    FCmp(FloatPredicate, FastMath),
    /// `select`: operands `[condition, if true, if false]`.
    Select(FastMath),
    /// `phi`: operands `[incoming values…]`, blocks `[incoming blocks…]`, of equal length.
    Phi(FastMath),
    /// `freeze`: operands `[x]`.
    Freeze,
    /// `alloca`: operands `[count]`, or none for one element.
    Alloca(Box<AllocaInfo>),
    /// `load`: operands `[pointer]`, of the instruction's type.
    Load(Box<MemAccess>),
    /// `store`: operands `[value, pointer]`.
    Store(Box<MemAccess>),
    /// `getelementptr`: operands `[base, indices…]`.
    Gep {
        /// The source element type, which the first index scales by.
        source: Type,
        /// Flags.
        flags: GepFlags,
    },
    /// `call`: operands as in [`CallInfo`].
    Call(Box<CallInfo>),
    /// `extractvalue`: operands `[aggregate]`.
    ExtractValue(Box<[u32]>),
    /// `insertvalue`: operands `[aggregate, element]`.
    InsertValue(Box<[u32]>),
    /// `extractelement`: operands `[vector, index]`.
    ExtractElement,
    /// `insertelement`: operands `[vector, element, index]`.
    InsertElement,
    /// `shufflevector`: operands `[left, right]`; `None` is a poison lane.
    ShuffleVector(Box<[Option<u32>]>),
    /// `fence`.
    Fence(AtomicOrdering, Option<Box<str>>),
    /// `atomicrmw`: operands `[pointer, value]`.
    AtomicRmw(RmwOp, Box<MemAccess>),
    /// `cmpxchg`: operands `[pointer, expected, new]`.
    CmpXchg(Box<CmpXchgInfo>),
    /// `va_arg`: operands `[list]`.
    VaArg,
    /// `landingpad`: operands are those of the clauses.
    LandingPad {
        /// Whether it is a `cleanup`.
        cleanup: bool,
        /// The clauses in order.
        clauses: Box<[LandingClause]>,
    },
    /// A debug record (`#dbg_value` and the like): operands are the values it refers to. It has no result and does not
    /// affect execution; a transform may drop it if it can't update it.
    DebugRecord(Box<DebugRecord>),
}

/// Floating-point arithmetic.
pub use crate::opcode::FloatBinaryOp;

/// The properties of an `alloca`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct AllocaInfo {
    /// The element type.
    pub ty: Type,
    /// Alignment in bytes if given.
    pub align: Option<u64>,
    /// `inalloca`.
    pub inalloca: bool,
    /// `swifterror`.
    pub swifterror: bool,
}

/// The properties of a `cmpxchg`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CmpXchgInfo {
    /// `weak`.
    pub weak: bool,
    /// Volatility, alignment, sync scope, and the ordering on success.
    pub access: MemAccess,
    /// The ordering on failure.
    pub failure: AtomicOrdering,
}

/// A debug record as text around the values it refers to: `pieces[0] op[0] pieces[1] … op[n-1] pieces[n]`, with the
/// type of an operand printed before it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DebugRecord {
    /// The text between the operands; one more than there are operands.
    pub pieces: Box<[Box<str>]>,
}

/// An instruction as the IR stores it. Read it through [`crate::body::Body`], write it through the editor.
#[derive(Clone, Debug)]
pub struct InstData {
    /// The operation.
    pub kind: InstKind,
    /// The result type; `void` if it has no result.
    pub ty: Type,
    /// Value operands.
    pub operands: SmallVec<[Value; 3]>,
    /// Block operands.
    pub blocks: SmallVec<[Block; 2]>,
    /// Metadata attachments in order.
    pub metadata: Vec<(MdKind, MdRef)>,
}

impl InstData {
    /// An instruction without metadata.
    pub fn new(
        kind: InstKind,
        ty: Type,
        operands: impl IntoIterator<Item = Value>,
        blocks: impl IntoIterator<Item = Block>,
    ) -> Self {
        Self {
            kind,
            ty,
            operands: operands.into_iter().collect(),
            blocks: blocks.into_iter().collect(),
            metadata: Vec::new(),
        }
    }
    /// The attachment of `kind`.
    pub fn metadata_of(&self, kind: &MdKind) -> Option<&MdRef> {
        self.metadata.iter().find(|(k, _)| k == kind).map(|(_, m)| m)
    }
    /// The effective fast-math flags of an evaluation that states `fast`. `!fpmath` permits inexact results, so, as
    /// under `afn`, two evaluations need not agree.
    #[must_use]
    pub fn evaluated(&self, fast: FastMath) -> FastMath {
        let is_inexact = matches!(self.metadata_of(&MdKind::FpMath), Some(MdRef::Node(_)));
        if is_inexact { fast.union(FastMath::AFN) } else { fast }
    }
    /// Whether the instruction has no metadata other than a debug location.
    pub fn has_only_debug_location(&self) -> bool {
        self.metadata.iter().all(|(kind, _)| *kind == MdKind::Dbg)
    }
    /// The call's properties, callee and arguments, if this is a call, invoke or callbr.
    pub fn call(&self) -> Option<CallView<'_>> {
        let (InstKind::Call(info) | InstKind::Invoke(info) | InstKind::CallBr(info)) = &self.kind else {
            return None;
        };
        Some(CallView { info, operands: &self.operands })
    }
    /// The incoming edges if this is a phi.
    pub fn incoming(&self) -> impl ExactSizeIterator<Item = (Value, Block)> + '_ {
        let n = if matches!(self.kind, InstKind::Phi(_)) { self.operands.len() } else { 0 };
        self.operands[..n].iter().copied().zip(self.blocks[..n.min(self.blocks.len())].iter().copied())
    }
    /// The successors if this is a terminator, one entry per edge: a switch may list one block several times.
    pub fn successors(&self) -> &[Block] {
        if self.kind.is_terminator() { &self.blocks } else { &[] }
    }
}

/// The operands of a call, invoke or callbr by role.
#[derive(Copy, Clone, Debug)]
pub struct CallView<'a> {
    /// The call's properties.
    pub info: &'a CallInfo,
    operands: &'a [Value],
}

impl<'a> CallView<'a> {
    /// The callee.
    pub fn callee(&self) -> Value {
        self.operands[self.operands.len() - 1]
    }
    /// The arguments.
    pub fn args(&self) -> &'a [Value] {
        &self.operands[..self.info.arg_count()]
    }
    /// The operand bundles with their operands.
    pub fn bundles(&self) -> impl Iterator<Item = (&'a Bundle, &'a [Value])> + use<'a> {
        let (info, operands) = (self.info, self.operands);
        let mut at = info.arg_count();
        info.bundles.iter().map(move |b| {
            let from = at;
            at += b.len as usize;
            (b, &operands[from..at])
        })
    }
}

impl InstKind {
    /// Whether this is a terminator.
    pub fn is_terminator(&self) -> bool {
        matches!(
            self,
            Self::Ret
                | Self::Br
                | Self::CondBr
                | Self::Switch
                | Self::IndirectBr
                | Self::Unreachable
                | Self::Invoke(_)
                | Self::CallBr(_)
                | Self::Resume
        )
    }
    /// Whether this is a phi.
    pub fn is_phi(&self) -> bool {
        matches!(self, Self::Phi(_))
    }
    /// Whether the instruction only computes: no side effects and no memory access. `freeze` is included although two
    /// executions may choose different values.
    pub fn is_pure(&self) -> bool {
        matches!(
            self,
            Self::FNeg(_)
                | Self::Binary(..)
                | Self::FloatBinary(..)
                | Self::Cast(..)
                | Self::ICmp { .. }
                | Self::FCmp(..)
                | Self::Select(_)
                | Self::Freeze
                | Self::Gep { .. }
                | Self::ExtractValue(_)
                | Self::InsertValue(_)
                | Self::ExtractElement
                | Self::InsertElement
                | Self::ShuffleVector(_)
        )
    }
    /// LLVM's mnemonic.
    pub fn mnemonic(&self) -> &'static str {
        match self {
            Self::Ret => "ret",
            Self::Br | Self::CondBr => "br",
            Self::Switch => "switch",
            Self::Unreachable => "unreachable",
            Self::IndirectBr => "indirectbr",
            Self::Invoke(_) => "invoke",
            Self::CallBr(_) => "callbr",
            Self::Resume => "resume",
            Self::FNeg(_) => "fneg",
            Self::Binary(op, _) => op.name(),
            Self::FloatBinary(op, _) => op.name(),
            Self::Cast(op, _) => op.name(),
            Self::ICmp { .. } => "icmp",
            Self::FCmp(..) => "fcmp",
            Self::Select(_) => "select",
            Self::Phi(_) => "phi",
            Self::Freeze => "freeze",
            Self::Alloca(_) => "alloca",
            Self::Load(_) => "load",
            Self::Store(_) => "store",
            Self::Gep { .. } => "getelementptr",
            Self::Call(_) => "call",
            Self::ExtractValue(_) => "extractvalue",
            Self::InsertValue(_) => "insertvalue",
            Self::ExtractElement => "extractelement",
            Self::InsertElement => "insertelement",
            Self::ShuffleVector(_) => "shufflevector",
            Self::Fence(..) => "fence",
            Self::AtomicRmw(..) => "atomicrmw",
            Self::CmpXchg(_) => "cmpxchg",
            Self::VaArg => "va_arg",
            Self::LandingPad { .. } => "landingpad",
            Self::DebugRecord(_) => "debug record",
        }
    }
}
