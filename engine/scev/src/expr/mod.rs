//! Expressions: hash-consed, without flags. Equal expressions are one [`Expr`]; an expression never changes.
//!
//! Facts of an expression beyond its shape (a sum that does not wrap, the range of a product) are not part of it: see
//! [`crate::facts`]. This module does not fold: only [`crate::fold`] calls [`Arena::intern`], after it has made the
//! node canonical.

mod order;
mod print;

pub use order::sort_operands;
pub use print::ExprPrinter;

use backedge_analysis::LoopId;
use backedge_ir::entity::{EntityId, PrimaryMap};
use backedge_ir::inst::Value;
use backedge_ir::int::Int;
use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Size in nodes up to which the parts of an expression are deduplicated by pairwise comparison, which is faster than a
/// bit set then.
const FEW_PARTS: usize = 32;

backedge_ir::entity_ids! {
    /// An expression of an [`Arena`].
    Expr, "expr";
}

/// The type of an expression: an integer of some width, or a pointer, whose arithmetic is that of its index type.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ExprType {
    /// Bits of the integer, or of the pointer's index type.
    pub width: u32,
    /// The address space of a pointer; `None` for an integer.
    pub space: Option<u32>,
}

impl ExprType {
    /// The integer type of `width` bits.
    pub fn int(width: u32) -> Self {
        Self { width, space: None }
    }
    /// Whether this is a pointer type.
    pub fn is_pointer(self) -> bool {
        self.space.is_some()
    }
}

/// A conversion of one operand.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cast {
    /// The low bits.
    Trunc,
    /// Zero extension.
    ZExt,
    /// Sign extension.
    SExt,
    /// The address of a pointer, as an integer of its index type's width.
    PtrToInt,
}

/// An operation on any number of operands of one type.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum NAry {
    /// The sum, modulo 2^width. At most one operand is a pointer; then the sum is a pointer.
    Add,
    /// The product, modulo 2^width.
    Mul,
    /// The unsigned maximum.
    UMax,
    /// The signed maximum.
    SMax,
    /// The unsigned minimum.
    UMin,
    /// The signed minimum.
    SMin,
    /// The sequential unsigned minimum: poison in an operand matters only if no earlier operand is zero.
    UMinSeq,
}

impl NAry {
    /// Whether the operation is a minimum or maximum, including [`NAry::UMinSeq`].
    pub fn is_min_max(self) -> bool {
        !matches!(self, Self::Add | Self::Mul)
    }
    /// The printed infix operator.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Add => " + ",
            Self::Mul => " * ",
            Self::UMax => " umax ",
            Self::SMax => " smax ",
            Self::UMin => " umin ",
            Self::SMin => " smin ",
            Self::UMinSeq => " umin_seq ",
        }
    }
}

/// The shape of an expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A constant.
    Constant(Int),
    /// An opaque value of the body: an argument, an instruction, an address, a constant expression.
    Unknown(Value),
    /// A conversion to the type of the expression.
    Cast(Cast, Expr),
    /// An operation on two or more operands, in canonical order, except for [`NAry::UMinSeq`], whose order is
    /// significant.
    NAry(NAry, Arc<[Expr]>),
    /// The unsigned quotient.
    UDiv([Expr; 2]),
    /// `{a0,+,a1,+,…}<l>`: at header arrival `i` (from 0) of the loop, the value is the sum of `ak * binomial(i, k)`.
    /// Has two or more operands, all invariant in the loop; the first may be a pointer.
    AddRec(LoopId, Arc<[Expr]>),
    /// Unknown, and no value of the body either: the result of a query without an answer.
    CouldNotCompute,
}

/// The size of an expression, in nodes of its tree, above which folding gives up: shared operands make trees
/// exponentially larger than their data.
pub const HUGE: u32 = 10_000;

#[derive(Clone, Debug)]
struct Entry {
    node: Node,
    ty: ExprType,
    /// The number of nodes as a tree, saturating.
    size: u32,
    depth: u16,
    /// A hash of the content, independent of the order in which expressions were created.
    content: u64,
    has_add_rec: bool,
    has_unknown: bool,
    /// The position of an unknown instruction in the text.
    place: Option<(u32, u32)>,
}

/// The expressions of one function.
#[derive(Debug, Default)]
pub struct Arena {
    entries: PrimaryMap<Expr, Entry>,
    ids: FxHashMap<(Node, ExprType), Expr>,
    /// The number of expressions created before the last [`Arena::reset_interning`].
    former: usize,
}

impl Arena {
    /// The expression with this node and type.
    pub(crate) fn intern(&mut self, node: Node, ty: ExprType) -> Expr {
        self.intern_at(node, ty, None)
    }
    /// The expression of an opaque `value`, whose position in the text is `place`.
    pub(crate) fn intern_unknown(&mut self, value: Value, ty: ExprType, place: Option<(u32, u32)>) -> Expr {
        self.intern_at(Node::Unknown(value), ty, place)
    }
    fn intern_at(&mut self, node: Node, ty: ExprType, place: Option<(u32, u32)>) -> Expr {
        let key = (node, ty);
        if let Some(id) = self.ids.get(&key) {
            return *id;
        }
        let entry = self.entry(key.0.clone(), ty, place);
        let id = self.entries.push(entry);
        self.ids.insert(key, id);
        id
    }
    /// The expression with this node and type, if it exists.
    pub(crate) fn lookup(&self, node: Node, ty: ExprType) -> Option<Expr> {
        self.ids.get(&(node, ty)).copied()
    }
    /// Forgets the existing expressions for interning. They remain readable, but equal expressions created from now on
    /// are distinct from them, so facts of new expressions do not depend on earlier queries.
    pub(crate) fn reset_interning(&mut self) {
        self.ids.clear();
        self.former = self.entries.len();
    }
    fn entry(&self, node: Node, ty: ExprType, place: Option<(u32, u32)>) -> Entry {
        let mut hasher = FxHasher::default();
        std::mem::discriminant(&node).hash(&mut hasher);
        ty.hash(&mut hasher);
        match &node {
            Node::Constant(value) => value.hash(&mut hasher),
            Node::Unknown(value) => match place {
                Some(place) => place.hash(&mut hasher),
                None => value.hash(&mut hasher),
            },
            Node::Cast(cast, _) => cast.hash(&mut hasher),
            Node::NAry(op, _) => op.hash(&mut hasher),
            Node::AddRec(l, _) => l.hash(&mut hasher),
            Node::UDiv(_) | Node::CouldNotCompute => {}
        }
        let mut entry = Entry {
            ty,
            size: 1,
            depth: 0,
            content: 0,
            has_add_rec: matches!(node, Node::AddRec(..)),
            has_unknown: matches!(node, Node::Unknown(_)),
            place,
            node,
        };
        for operand in entry.node.operands() {
            let of = &self.entries[*operand];
            of.content.hash(&mut hasher);
            entry.size = entry.size.saturating_add(of.size);
            entry.depth = entry.depth.max(of.depth.saturating_add(1));
            entry.has_add_rec |= of.has_add_rec;
            entry.has_unknown |= of.has_unknown;
        }
        entry.content = hasher.finish();
        entry
    }
    /// The node of `expr`.
    #[inline]
    pub fn node(&self, expr: Expr) -> &Node {
        &self.entries[expr].node
    }
    /// The type of `expr`.
    #[inline]
    pub fn ty(&self, expr: Expr) -> ExprType {
        self.entries[expr].ty
    }
    /// The number of nodes of `expr` as a tree, saturating.
    pub fn size(&self, expr: Expr) -> u32 {
        self.entries[expr].size
    }
    /// The length of the longest path from `expr` to a leaf.
    pub fn depth(&self, expr: Expr) -> u32 {
        u32::from(self.entries[expr].depth)
    }
    /// Whether `expr` contains an add recurrence.
    pub fn has_add_rec(&self, expr: Expr) -> bool {
        self.entries[expr].has_add_rec
    }
    /// Whether `expr` has a leaf that is a value of the body.
    pub fn has_unknown(&self, expr: Expr) -> bool {
        self.entries[expr].has_unknown
    }
    /// The integer value of `expr`, if it is a constant.
    pub fn as_constant(&self, expr: Expr) -> Option<Int> {
        if let Node::Constant(value) = self.node(expr) { Some(*value) } else { None }
    }
    /// The operands of `expr` if it is the operation `op`.
    pub fn as_nary(&self, op: NAry, expr: Expr) -> Option<&Arc<[Expr]>> {
        match self.node(expr) {
            Node::NAry(of, operands) if *of == op => Some(operands),
            _ => None,
        }
    }
    /// The loop and the operands of `expr` if it is an add recurrence.
    pub fn as_add_rec(&self, expr: Expr) -> Option<(LoopId, &Arc<[Expr]>)> {
        if let Node::AddRec(l, operands) = self.node(expr) { Some((*l, operands)) } else { None }
    }
    /// The operand of `expr`, if it is a cast of that kind.
    pub fn as_cast(&self, cast: Cast, expr: Expr) -> Option<Expr> {
        match self.node(expr) {
            Node::Cast(of, operand) if *of == cast => Some(*operand),
            _ => None,
        }
    }
    /// The number of expressions.
    pub fn len(&self) -> usize {
        self.entries.len()
    }
    /// Whether there is no expression.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
    /// All expressions, operands before users; excludes those created before the last reset.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Expr> + ExactSizeIterator + use<> {
        (self.former..self.entries.len()).map(Expr::from_index)
    }
    /// Calls `visit` once for each distinct expression in `root`, including `root`, until `visit` returns `false`.
    /// Returns whether it never did. Not recursive.
    pub fn all_parts(&self, root: Expr, mut visit: impl FnMut(Expr, &Node) -> bool) -> bool {
        // Operands precede users in the arena, so a bit set of `root`'s index suffices. For few parts, a linear search
        // is faster.
        let mut few: SmallVec<[Expr; FEW_PARTS]> = SmallVec::new();
        let is_few = self.size(root) as usize <= FEW_PARTS;
        let mut bits = vec![0u64; if is_few { 0 } else { root.index() / 64 + 1 }];
        let mut is_first = |expr: Expr| {
            if is_few {
                let is_first = !few.contains(&expr);
                few.extend(is_first.then_some(expr));
                return is_first;
            }
            let (word, bit) = (&mut bits[expr.index() / 64], 1 << (expr.index() % 64));
            let is_first = *word & bit == 0;
            *word |= bit;
            is_first
        };
        let mut work: SmallVec<[Expr; FEW_PARTS]> = SmallVec::from_slice(&[root]);
        while let Some(expr) = work.pop() {
            if is_first(expr) {
                let node = self.node(expr);
                if !visit(expr, node) {
                    return false;
                }
                work.extend_from_slice(node.operands());
            }
        }
        true
    }
}

impl Node {
    /// The operands in order.
    pub fn operands(&self) -> &[Expr] {
        match self {
            Self::Constant(_) | Self::Unknown(_) | Self::CouldNotCompute => &[],
            Self::Cast(_, operand) => std::slice::from_ref(operand),
            Self::NAry(_, operands) | Self::AddRec(_, operands) => operands,
            Self::UDiv(operands) => operands,
        }
    }
}
