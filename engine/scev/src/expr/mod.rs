//! Expressions: hash-consed, without flags. Equal expressions are one [`Expr`]; an expression never changes.
//!
//! What is known of an expression beyond its shape (that a sum does not wrap, the range of a product) is no part of it:
//! see [`crate::facts`]. Nothing here folds: nodes are made canonical by [`crate::fold`], which alone calls
//! [`Arena::intern`].

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

/// Parts of an expression of which each is compared with all others.
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
    /// The address space of a pointer; `None` of an integer.
    pub space: Option<u32>,
}

impl ExprType {
    /// The integer type of `width` bits.
    pub fn int(width: u32) -> Self {
        Self { width, space: None }
    }
    /// Whether it is a pointer.
    pub fn is_pointer(self) -> bool {
        self.space.is_some()
    }
}

/// A conversion of one operand.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cast {
    /// The low bits.
    Trunc,
    /// Zeros above.
    ZExt,
    /// Copies of the sign above.
    SExt,
    /// The address of a pointer, as an integer of its index type's width.
    PtrToInt,
}

/// An operation on any number of operands, of one type.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum NAry {
    /// The sum, modulo 2^width. At most one operand is a pointer; the sum is one then.
    Add,
    /// The product, modulo 2^width.
    Mul,
    /// The greatest as unsigned.
    UMax,
    /// The greatest as signed.
    SMax,
    /// The least as unsigned.
    UMin,
    /// The least as signed.
    SMin,
    /// The least as unsigned, where the poison of an operand counts only if no operand before it is zero.
    UMinSeq,
}

impl NAry {
    /// Whether it is one of the minima or maxima, [`NAry::UMinSeq`] included.
    pub fn is_min_max(self) -> bool {
        !matches!(self, Self::Add | Self::Mul)
    }
    /// What stands between its operands where it is printed.
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

/// What an expression is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A known integer.
    Constant(Int),
    /// A value of the body that nothing more is said of: an argument, an instruction, an address, a constant expression.
    Unknown(Value),
    /// A conversion to the type of the expression.
    Cast(Cast, Expr),
    /// An operation on two or more operands, in canonical order but for [`NAry::UMinSeq`], whose order counts.
    NAry(NAry, Arc<[Expr]>),
    /// The quotient as unsigned.
    UDiv([Expr; 2]),
    /// `{a0,+,a1,+,…}<l>`: the value at header arrival `i` (from 0) of the loop is the sum of `ak * binomial(i, k)`.
    /// Operands are two or more, all invariant in the loop; the first may be a pointer.
    AddRec(LoopId, Arc<[Expr]>),
    /// Not known, and no value of the body either: the answer of a query without result.
    CouldNotCompute,
}

/// The size of an expression beyond which folding gives up, as a tree.
pub const HUGE: u32 = 10_000;

#[derive(Clone, Debug)]
struct Entry {
    node: Node,
    ty: ExprType,
    /// Nodes of the expression as a tree, saturating.
    size: u32,
    depth: u16,
    /// A hash of the content, the same whatever the order in which expressions were made.
    content: u64,
    has_add_rec: bool,
    has_unknown: bool,
    /// Where an unknown instruction stands in the text.
    place: Option<(u32, u32)>,
}

/// The expressions of one function.
#[derive(Debug, Default)]
pub struct Arena {
    entries: PrimaryMap<Expr, Entry>,
    ids: FxHashMap<(Node, ExprType), Expr>,
    /// How many expressions were made before the last [`Arena::start_anew`].
    former: usize,
}

impl Arena {
    /// The expression with that node and type.
    pub(crate) fn intern(&mut self, node: Node, ty: ExprType) -> Expr {
        self.intern_at(node, ty, None)
    }
    /// The expression of which no more is known than that it is `value`, which stands at `place` in the text.
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
    /// The expression with that node and type, if it was made before.
    pub(crate) fn lookup(&self, node: Node, ty: ExprType) -> Option<Expr> {
        self.ids.get(&(node, ty)).copied()
    }
    /// Makes every expression anew that is asked for from now on. Those handed out before can still be read, but equal
    /// ones that are made now are others: nothing that is said of these depends on what was made before.
    pub(crate) fn start_anew(&mut self) {
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
    /// What `expr` is.
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
    /// The longest way from `expr` to a leaf.
    pub fn depth(&self, expr: Expr) -> u32 {
        u32::from(self.entries[expr].depth)
    }
    /// Whether an add recurrence is in `expr`.
    pub fn has_add_rec(&self, expr: Expr) -> bool {
        self.entries[expr].has_add_rec
    }
    /// Whether `expr` has a leaf that is a value of the body.
    pub fn has_unknown(&self, expr: Expr) -> bool {
        self.entries[expr].has_unknown
    }
    /// The integer that `expr` is, if it is one.
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
    /// The operand of `expr` if it is that conversion.
    pub fn as_cast(&self, cast: Cast, expr: Expr) -> Option<Expr> {
        match self.node(expr) {
            Node::Cast(of, operand) if *of == cast => Some(*operand),
            _ => None,
        }
    }
    /// How many expressions there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }
    /// Whether there is no expression.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
    /// All expressions, operands before what uses them; without those from before all was settled.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Expr> + ExactSizeIterator + use<> {
        (self.former..self.entries.len()).map(Expr::from_index)
    }
    /// Calls `visit` once for each expression in `root`, itself included, until it says `false` of one; whether it
    /// never did. Not recursive.
    pub fn all_parts(&self, root: Expr, mut visit: impl FnMut(Expr, &Node) -> bool) -> bool {
        // Operands come before what uses them, so that all have their bit; of a few it is quicker to look at each.
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
