//! SCEV expressions: fixed-width integers and pointers, as functions of the values of one body and of the iterations of
//! its loops.
//!
//! [`Exprs`] is an interning arena: equal nodes of equal type share one [`ExprId`]. It neither folds nor reorders; an
//! expression is kept as it was stated, including its flags. Operands are created before their users, so ascending ids
//! are an evaluation order and no walk needs recursion.
//!
//! Meaning of the nodes:
//! - Arithmetic is modulo 2^width. A pointer operand contributes its address. An addition or recurrence with a pointer
//!   operand is a pointer, and its other operands have the index width of the pointer's address space.
//! - [`Node::AddRec`] `{s,+,x,+,y}<L>` at the i-th arrival at the header of `L` (counted from 0 for each entry of `L`)
//!   is s + x·i + y·i·(i-1)/2, with the binomials taken in ℤ. Operands may vary in loops around `L`. After the loop,
//!   the expression keeps the value of the last arrival.
//! - `umin_seq` is the minimum of its operands up to the first one that is 0; poison in operands after that one does
//!   not propagate.
//! - Flags on [`NaryOp::Add`], [`NaryOp::Mul`] and addrecs are additional claims P1 and P2 of docs/semantics.md (see
//!   [`crate::derive`]); a violated flag does not make the value of the expression poison.

use backedge_ir::constant::GlobalRef;
use backedge_ir::entity::{Block, EntityId, EntitySet};
use backedge_ir::inst::Value;
use backedge_ir::int::Int;
use backedge_ir::types::Type;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

backedge_ir::entity_ids! {
    /// An expression of an [`Exprs`].
    ExprId, "expr";
}

/// Operands of one node.
pub type Operands = SmallVec<[ExprId; 3]>;

/// No-wrap flags of a sum, product or recurrence.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Flags {
    /// No unsigned wrap.
    pub nuw: bool,
    /// No signed wrap.
    pub nsw: bool,
    /// No self-wrap; recurrences only. LLVM prints it only if neither `nuw` nor `nsw` is set, because each implies it.
    pub nw: bool,
}

impl Flags {
    /// No flag.
    pub const NONE: Self = Self { nuw: false, nsw: false, nw: false };
    /// `<nuw>`.
    pub const NUW: Self = Self { nuw: true, nsw: false, nw: false };
    /// `<nsw>`.
    pub const NSW: Self = Self { nuw: false, nsw: true, nw: false };
    /// `<nw>`.
    pub const NW: Self = Self { nuw: false, nsw: false, nw: true };

    /// The flags that are set.
    pub fn iter(self) -> impl Iterator<Item = Flag> {
        [(self.nuw, Flag::Nuw), (self.nsw, Flag::Nsw), (self.nw, Flag::Nw)]
            .into_iter()
            .filter(|f| f.0)
            .map(|f| f.1)
    }
    /// Whether no flag is set.
    pub fn is_none(self) -> bool {
        self == Self::NONE
    }
    /// The union of both sets of flags.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self { nuw: self.nuw || other.nuw, nsw: self.nsw || other.nsw, nw: self.nw || other.nw }
    }
}

/// One no-wrap flag.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Flag {
    /// No unsigned wrap.
    Nuw,
    /// No signed wrap.
    Nsw,
    /// No self-wrap.
    Nw,
}

impl Flag {
    /// LLVM's spelling.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nuw => "nuw",
            Self::Nsw => "nsw",
            Self::Nw => "nw",
        }
    }
}

/// An operation on two or more operands.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum NaryOp {
    /// The sum.
    Add,
    /// The product.
    Mul,
    /// The unsigned maximum.
    UMax,
    /// The signed maximum.
    SMax,
    /// The unsigned minimum.
    UMin,
    /// The signed minimum.
    SMin,
    /// The sequential unsigned minimum: evaluation stops at the first 0 (`umin_seq`).
    UMinSeq,
}

impl NaryOp {
    /// All operations with LLVM's spelling between operands.
    pub const ALL: [(Self, &'static str); 7] = [
        (Self::Add, "+"),
        (Self::Mul, "*"),
        (Self::UMax, "umax"),
        (Self::SMax, "smax"),
        (Self::UMin, "umin"),
        (Self::SMin, "smin"),
        (Self::UMinSeq, "umin_seq"),
    ];
    /// LLVM's spelling between operands.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

/// A conversion.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CastOp {
    /// Truncation.
    Trunc,
    /// Zero extension.
    ZExt,
    /// Sign extension.
    SExt,
    /// A pointer as an integer of the pointer's width.
    PtrToInt,
    /// The address bits of a pointer.
    PtrToAddr,
}

impl CastOp {
    /// All conversions with LLVM's spelling.
    pub const ALL: [(Self, &'static str); 5] = [
        (Self::Trunc, "trunc"),
        (Self::ZExt, "zext"),
        (Self::SExt, "sext"),
        (Self::PtrToInt, "ptrtoint"),
        (Self::PtrToAddr, "ptrtoaddr"),
    ];
    /// LLVM's spelling.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

/// A constant that an expression names although the constant pool of the body lacks it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Foreign {
    /// `undef`: an arbitrary value, chosen anew at each use.
    Undef,
    /// `poison`.
    Poison,
    /// `null`.
    Null,
    /// The address of a global.
    Global(GlobalRef),
    /// Any other constant, as LLVM spells it without its type.
    Text(Box<str>),
}

/// A node of an expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// An integer constant.
    Int(Int),
    /// An opaque value of the body: an argument, an instruction's result, a constant of its pool.
    Unknown(Value),
    /// A constant that the body's pool lacks.
    Foreign(Foreign),
    /// A conversion of the operand to the expression's type.
    Cast(CastOp, ExprId),
    /// An operation on two or more operands.
    Nary(NaryOp, Operands, Flags),
    /// Unsigned division, rounding towards zero.
    UDiv(ExprId, ExprId),
    /// A recurrence: start, step, step of the step, and so on; at least two operands.
    AddRec {
        /// Start, step, step of the step, and so on.
        operands: Operands,
        /// The header of the loop.
        header: Block,
        /// The recurrence's flags.
        flags: Flags,
    },
    /// `vscale`, the unknown runtime constant that scalable vector lengths are multiples of.
    VScale,
    /// No statement; its type is void.
    CouldNotCompute,
}

impl Node {
    /// The operands in order.
    pub fn operands(&self) -> Operands {
        match self {
            Self::Int(_) | Self::Unknown(_) | Self::Foreign(_) | Self::VScale | Self::CouldNotCompute => {
                Operands::new()
            }
            Self::Cast(_, operand) => Operands::from_slice(&[*operand]),
            Self::UDiv(lhs, rhs) => Operands::from_slice(&[*lhs, *rhs]),
            Self::Nary(_, operands, _) | Self::AddRec { operands, .. } => operands.clone(),
        }
    }
    /// The flags of a sum, product or recurrence.
    pub fn flags(&self) -> Flags {
        match self {
            Self::Nary(_, _, flags) | Self::AddRec { flags, .. } => *flags,
            Self::Int(_)
            | Self::Unknown(_)
            | Self::Foreign(_)
            | Self::Cast(..)
            | Self::UDiv(..)
            | Self::VScale
            | Self::CouldNotCompute => Flags::NONE,
        }
    }
}

/// An arena of expressions over one body.
#[derive(Clone, Debug, Default)]
pub struct Exprs {
    nodes: Vec<(Node, Type)>,
    interned: FxHashMap<(Node, Type), ExprId>,
}

/// Making expressions.
impl Exprs {
    /// An empty arena.
    pub fn new() -> Self {
        Self::default()
    }
    /// Interns `node` with type `ty`: an integer type, a pointer type, or void for [`Node::CouldNotCompute`]. Operands
    /// must belong to this arena.
    pub fn intern(&mut self, node: Node, ty: Type) -> ExprId {
        debug_assert!(node.operands().iter().all(|o| o.index() < self.nodes.len()));
        let key = (node, ty);
        if let Some(&id) = self.interned.get(&key) {
            return id;
        }
        let id = ExprId::from_index(self.nodes.len());
        self.nodes.push(key.clone());
        self.interned.insert(key, id);
        id
    }
    /// The integer constant `value`.
    pub fn int(&mut self, value: Int) -> ExprId {
        self.intern(Node::Int(value), Type::int(value.width()))
    }
    /// The value `value` of type `ty`.
    pub fn unknown(&mut self, value: Value, ty: Type) -> ExprId {
        self.intern(Node::Unknown(value), ty)
    }
    /// A constant of type `ty` that the body's pool lacks.
    pub fn foreign(&mut self, constant: Foreign, ty: Type) -> ExprId {
        self.intern(Node::Foreign(constant), ty)
    }
    /// `operand` converted to `ty`.
    pub fn cast(&mut self, op: CastOp, operand: ExprId, ty: Type) -> ExprId {
        self.intern(Node::Cast(op, operand), ty)
    }
    /// `op` applied to `operands`, at least one. The type is that of the pointer operand if there is one, else that of
    /// the first operand. Only sums and products keep their flags, `nuw` and `nsw`.
    pub fn nary(&mut self, op: NaryOp, operands: impl IntoIterator<Item = ExprId>, flags: Flags) -> ExprId {
        let operands: Operands = operands.into_iter().collect();
        let ty = self.common_type(&operands);
        let flags =
            if matches!(op, NaryOp::Add | NaryOp::Mul) { Flags { nw: false, ..flags } } else { Flags::NONE };
        self.intern(Node::Nary(op, operands, flags), ty)
    }
    /// `lhs` divided by `rhs`, both unsigned.
    pub fn udiv(&mut self, lhs: ExprId, rhs: ExprId) -> ExprId {
        self.intern(Node::UDiv(lhs, rhs), self.ty(lhs))
    }
    /// The recurrence with these operands (start, step, …) in the loop of `header`. Keeps `nw` only if neither `nuw`
    /// nor `nsw` is set, because each implies it.
    pub fn addrec(
        &mut self,
        operands: impl IntoIterator<Item = ExprId>,
        header: Block,
        flags: Flags,
    ) -> ExprId {
        let operands: Operands = operands.into_iter().collect();
        let ty = self.common_type(&operands);
        let flags = Flags { nw: flags.nw && !flags.nuw && !flags.nsw, ..flags };
        self.intern(Node::AddRec { operands, header, flags }, ty)
    }
    /// `vscale` with an integer type.
    pub fn vscale(&mut self, ty: Type) -> ExprId {
        self.intern(Node::VScale, ty)
    }
    /// The expression that states nothing.
    pub fn could_not_compute(&mut self) -> ExprId {
        self.intern(Node::CouldNotCompute, Type::VOID)
    }
    fn common_type(&self, operands: &[ExprId]) -> Type {
        let types = || operands.iter().map(|o| self.ty(*o));
        types().find(|t| t.is_ptr()).or_else(|| types().next()).unwrap_or(Type::VOID)
    }
}

/// Reading expressions.
impl Exprs {
    /// The node of `id`.
    #[inline]
    pub fn node(&self, id: ExprId) -> &Node {
        &self.nodes[id.index()].0
    }
    /// The type of `id`.
    #[inline]
    pub fn ty(&self, id: ExprId) -> Type {
        self.nodes[id.index()].1
    }
    /// The value of `id` if it is an integer constant.
    pub fn as_int(&self, id: ExprId) -> Option<Int> {
        if let Node::Int(value) = self.node(id) { Some(*value) } else { None }
    }
    /// Whether `id` is [`Node::CouldNotCompute`].
    pub fn is_could_not_compute(&self, id: ExprId) -> bool {
        matches!(self.node(id), Node::CouldNotCompute)
    }
    /// The number of expressions.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }
    /// Whether the arena is empty.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
    /// All expressions in evaluation order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (ExprId, &Node)> + ExactSizeIterator {
        self.nodes.iter().enumerate().map(|(i, n)| (ExprId::from_index(i), &n.0))
    }
    /// All subexpressions of `roots`, including the roots, each once, operands before users.
    pub fn evaluation_order(&self, roots: &[ExprId]) -> Vec<ExprId> {
        let mut seen: EntitySet<ExprId> = EntitySet::new();
        let mut stack: Vec<ExprId> = roots.to_vec();
        let mut order = Vec::new();
        while let Some(id) = stack.pop() {
            if seen.insert(id) {
                order.push(id);
                stack.extend(self.node(id).operands());
            }
        }
        order.sort_unstable();
        order
    }
    /// All subexpressions of `root`, including itself, each once, operands before users.
    pub fn subexpressions(&self, root: ExprId) -> Vec<ExprId> {
        self.evaluation_order(&[root])
    }
    /// The values that are leaves of `root`, each once.
    pub fn leaves(&self, root: ExprId) -> Vec<Value> {
        let unknown = |id| if let Node::Unknown(value) = self.node(id) { Some(*value) } else { None };
        self.subexpressions(root).into_iter().filter_map(unknown).collect()
    }
    /// The headers of the loops of the addrecs in `root`, each once.
    pub fn headers(&self, root: ExprId) -> Vec<Block> {
        let header = |id| if let Node::AddRec { header, .. } = self.node(id) { Some(*header) } else { None };
        let mut headers: Vec<Block> = self.subexpressions(root).into_iter().filter_map(header).collect();
        headers.sort_unstable();
        headers.dedup();
        headers
    }
    /// Whether `root` contains [`Node::CouldNotCompute`].
    pub fn has_could_not_compute(&self, root: ExprId) -> bool {
        self.subexpressions(root).into_iter().any(|id| self.is_could_not_compute(id))
    }
}
