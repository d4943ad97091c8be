//! Scalar evolution: expressions for the integers and pointers of a function over its loops, backedge-taken counts, and
//! the conclusions that follow from them.
//!
//! | question | module |
//! |---|---|
//! | What is an expression? | [`expr`]: hash-consed nodes; [`fold`]: the canonical form of each operation |
//! | Which facts of an expression are known, and where? | [`facts`]: wrap flags with scopes; [`refine`]: later facts |
//! | Which expression describes a value? | [`recognize`] |
//! | Which values can an expression take? | [`range`], [`guards`]: predicates, and conditions that guard loops |
//! | How often does a loop run? | [`count`], per exiting edge |
//! | What is its value at another place? | [`query`]: values at a scope, exit values, dispositions, iterations |
//! | How is it computed? | [`expand`]: instructions for an expression |
//! | What does the analysis claim? | [`claims`]: all claims as data; [`print`]: as text |
//!
//! The guarantees are P1 to P10 of docs/semantics.md, for executions without UB. Expressions never change; facts are
//! only added. A [`ScalarEvolution`] borrows its body: its lifetime ends before the next edit.

pub mod claims;
pub mod count;
pub mod expand;
pub mod expr;
pub mod facts;
pub mod fold;
pub mod guards;
mod kept;
pub mod limits;
pub mod print;
pub mod query;
pub mod range;
pub mod recognize;
pub mod refine;

pub use count::{ExitCount, LoopCounts};
pub use expr::{Arena, Cast, Expr, ExprType, NAry, Node};
pub use facts::{Facts, Flags, Scope};
pub use kept::Kept;
pub use limits::Limits;

use backedge_analysis::cache::{At, Fresh};
use backedge_analysis::conditions::Conditions;
use backedge_analysis::order::Order;
use backedge_analysis::{Cfg, Dominators, LoopForest, LoopId};
use backedge_ir::body::Body;
use backedge_ir::entity::Block;
use backedge_ir::inst::Value;
use backedge_ir::int::Int;
use backedge_ir::types::{Type, TypeKind};

/// The scalar evolution of one function.
pub struct ScalarEvolution<'a> {
    /// The body and its analyses.
    pub at: At<'a>,
    pub(crate) cfg: Fresh<'a, Cfg>,
    pub(crate) dominators: Fresh<'a, Dominators>,
    pub(crate) loops: Fresh<'a, LoopForest>,
    pub(crate) conditions: Fresh<'a, Conditions>,
    pub(crate) order: Fresh<'a, Order>,
    pub(crate) arena: Arena,
    pub(crate) facts: Facts,
    pub(crate) limits: Limits,
    /// The block at whose start facts must hold; see [`ScalarEvolution::within`].
    context: Option<Block>,
    pub(crate) folds: fold::FoldCache,
    pub(crate) values: recognize::ValueMap,
    pub(crate) ranges: range::RangeCache,
    pub(crate) guards: guards::GuardCache,
    pub(crate) counts: count::CountCache,
    pub(crate) queries: query::QueryCache,
    pub(crate) refinement: refine::Refinement,
    pub(crate) existing: expand::Existing,
}

impl<'a> ScalarEvolution<'a> {
    /// The scalar evolution of the body of `at`, with nothing computed yet.
    pub fn new(at: At<'a>) -> Self {
        Self::with_limits(at, Limits::default())
    }
    /// Like [`Self::new`], with other limits on depth, size and work.
    pub fn with_limits(at: At<'a>, limits: Limits) -> Self {
        Self {
            at,
            cfg: at.cfg(),
            dominators: at.dominators(),
            loops: at.loops(),
            conditions: at.get(),
            order: at.get(),
            arena: Arena::default(),
            facts: Facts::default(),
            limits,
            context: None,
            folds: fold::FoldCache::default(),
            values: recognize::ValueMap::default(),
            ranges: range::RangeCache::default(),
            guards: guards::GuardCache::default(),
            counts: count::CountCache::default(),
            queries: query::QueryCache::default(),
            refinement: refine::Refinement::default(),
            existing: expand::Existing::default(),
        }
    }

    /// The analyzed body.
    pub fn body(&self) -> &'a Body {
        self.at.body
    }
    /// The loops of the body.
    pub fn loops(&self) -> Fresh<'a, LoopForest> {
        self.loops.clone()
    }
    /// The control-flow graph of the body.
    pub fn cfg(&self) -> Fresh<'a, Cfg> {
        self.cfg.clone()
    }
    /// The dominator tree of the body.
    pub fn dominators(&self) -> Fresh<'a, Dominators> {
        self.dominators.clone()
    }
    /// The arena of all expressions.
    pub fn arena(&self) -> &Arena {
        &self.arena
    }
    /// The known facts of expressions.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }
    /// The node of `expr`. Cheap: operands are shared.
    pub fn node(&self, expr: Expr) -> Node {
        self.arena.node(expr).clone()
    }
    /// The type of `expr`.
    pub fn ty(&self, expr: Expr) -> ExprType {
        self.arena.ty(expr)
    }
    /// The width of `expr` in bits.
    pub fn width(&self, expr: Expr) -> u32 {
        self.arena.ty(expr).width
    }
    /// The integer value of `expr`, if it is a constant.
    pub fn as_constant(&self, expr: Expr) -> Option<Int> {
        self.arena.as_constant(expr)
    }

    /// The expression type of values of type `ty`, if there is one: for integers of up to 128 bits, and for pointers.
    pub fn expr_type(&self, ty: Type) -> Option<ExprType> {
        match ty.kind() {
            TypeKind::Int(width) if width <= 128 => Some(ExprType::int(width)),
            TypeKind::Ptr(space) => {
                Some(ExprType { width: self.at.env.layout.index_bits(space), space: Some(space) })
            }
            _ => None,
        }
    }

    /// The constant `value`.
    pub fn constant(&mut self, value: Int) -> Expr {
        self.arena.intern(Node::Constant(value), ExprType::int(value.width()))
    }
    /// The constant `value` modulo 2^width.
    pub fn int(&mut self, width: u32, value: i128) -> Expr {
        self.constant(Int::from_i128(width, value))
    }
    /// `value` as a leaf, regardless of its definition. Its type must have expressions.
    pub fn unknown(&mut self, value: Value) -> Expr {
        if let Some(value) = self.at.body.as_int(value) {
            return self.constant(value);
        }
        let ty = self.expr_type(self.at.body.ty(value)).expect("a value of integer or pointer type");
        let place = value.as_inst().and_then(|inst| self.order.in_text(self.at.body, inst));
        self.arena.intern_unknown(value, ty, place)
    }
    /// The result of a query without an answer.
    pub fn could_not_compute(&mut self) -> Expr {
        self.arena.intern(Node::CouldNotCompute, ExprType::int(1))
    }
    /// Whether `expr` is [`Node::CouldNotCompute`].
    pub fn is_could_not_compute(&self, expr: Expr) -> bool {
        matches!(self.arena.node(expr), Node::CouldNotCompute)
    }

    /// The flags of `expr` that hold wherever its leaves are defined.
    pub fn flags(&self, expr: Expr) -> Flags {
        self.facts.of(expr)
    }
    /// The flags of `expr` that hold at the points that `block` dominates.
    pub fn flags_at(&self, expr: Expr, block: Block) -> Flags {
        let scoped =
            self.facts.scoped(expr).iter().filter(|(from, _)| self.dominators.dominates(*from, block));
        scoped.fold(self.facts.of(expr), |known, (_, flags)| known.with(*flags))
    }
    /// The flags of `expr` in the current context: those of its defining scope and of the block of [`Self::within`].
    pub fn flags_here(&self, expr: Expr) -> Flags {
        match self.context {
            Some(block) => self.flags_at(expr, block),
            None => self.flags(expr),
        }
    }
    /// Whether [`Self::flags_here`] may be stronger than [`Self::flags`] for any expression. If so, results must not be
    /// cached for other places.
    pub fn has_context(&self) -> bool {
        self.context.is_some()
    }
    /// Runs `work` with facts that hold at the points that `block` dominates. Expressions built by `work` equal their
    /// values at such points only; a use of an instruction of `block` is such a point.
    pub fn within<T>(&mut self, block: Option<Block>, work: impl FnOnce(&mut Self) -> T) -> T {
        // Without facts of narrower scopes all places are equivalent, and results may be cached.
        let context =
            block.filter(|b| self.facts.scope_blocks().any(|from| self.dominators.dominates(from, *b)));
        let outer = std::mem::replace(&mut self.context, context);
        let result = work(self);
        self.context = outer;
        result
    }
    /// The header of `l`.
    pub fn header(&self, l: LoopId) -> Block {
        self.loops.header(l)
    }
}
