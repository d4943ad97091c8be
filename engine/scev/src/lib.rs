//! Scalar evolution: what the integers and pointers of a function are, as expressions over its loops, how often its loops
//! run, and what may be concluded from that.
//!
//! | question | module |
//! |---|---|
//! | what is an expression | [`expr`]: hash-consed nodes; [`fold`]: the canonical form of each operation |
//! | what is known of an expression, and where | [`facts`]: wrap flags with scopes; [`refine`]: facts that come later |
//! | which expression is a value | [`recognize`] |
//! | which values can it take | [`range`], [`guards`]: predicates, and conditions that hold around loops |
//! | how often does a loop run | [`count`], per exiting edge |
//! | what is it elsewhere | [`query`]: values at a scope, exit values, dispositions, the n-th iteration |
//! | how is it computed | [`expand`]: instructions for an expression |
//! | what is asserted | [`claims`]: all of it as data; [`print`]: as text |
//!
//! What is claimed is semantics.md's P1 to P9, of runs without undefined behaviour. Expressions never change; facts are
//! only added. A [`ScalarEvolution`] borrows the body that it speaks of: it ends where editing begins.

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
    /// The body and the analyses that hold for it.
    pub at: At<'a>,
    pub(crate) cfg: Fresh<'a, Cfg>,
    pub(crate) dominators: Fresh<'a, Dominators>,
    pub(crate) loops: Fresh<'a, LoopForest>,
    pub(crate) conditions: Fresh<'a, Conditions>,
    pub(crate) order: Fresh<'a, Order>,
    pub(crate) arena: Arena,
    pub(crate) facts: Facts,
    pub(crate) limits: Limits,
    /// The block from whose beginning on facts are wanted; see [`ScalarEvolution::within`].
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
    /// The scalar evolution of the body that `at` shows, with nothing computed yet.
    pub fn new(at: At<'a>) -> Self {
        Self::with_limits(at, Limits::default())
    }
    /// The same with other limits on depth, size and work.
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

    /// The body that this speaks of.
    pub fn body(&self) -> &'a Body {
        self.at.body
    }
    /// Its loops.
    pub fn loops(&self) -> Fresh<'a, LoopForest> {
        self.loops.clone()
    }
    /// Its graph.
    pub fn cfg(&self) -> Fresh<'a, Cfg> {
        self.cfg.clone()
    }
    /// Its dominators.
    pub fn dominators(&self) -> Fresh<'a, Dominators> {
        self.dominators.clone()
    }
    /// Its expressions.
    pub fn arena(&self) -> &Arena {
        &self.arena
    }
    /// The facts known of them.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }
    /// What `expr` is. Cheap: operands are shared.
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
    /// The integer that `expr` is, if it is one.
    pub fn as_constant(&self, expr: Expr) -> Option<Int> {
        self.arena.as_constant(expr)
    }

    /// The type that expressions of values of type `ty` have, if there are any: integers of up to 128 bits, pointers.
    pub fn expr_type(&self, ty: Type) -> Option<ExprType> {
        match ty.kind() {
            TypeKind::Int(width) if width <= 128 => Some(ExprType::int(width)),
            TypeKind::Ptr(space) => {
                Some(ExprType { width: self.at.env.layout.index_bits(space), space: Some(space) })
            }
            _ => None,
        }
    }

    /// The integer `value`.
    pub fn constant(&mut self, value: Int) -> Expr {
        self.arena.intern(Node::Constant(value), ExprType::int(value.width()))
    }
    /// The integer `value` modulo 2^width.
    pub fn int(&mut self, width: u32, value: i128) -> Expr {
        self.constant(Int::from_i128(width, value))
    }
    /// `value` as a leaf, whatever is known of it. Its type must have expressions.
    pub fn unknown(&mut self, value: Value) -> Expr {
        if let Some(value) = self.at.body.as_int(value) {
            return self.constant(value);
        }
        let ty = self.expr_type(self.at.body.ty(value)).expect("a value of integer or pointer type");
        let place = value.as_inst().and_then(|inst| self.order.in_text(self.at.body, inst));
        self.arena.intern_unknown(value, ty, place)
    }
    /// The answer of a query without result.
    pub fn could_not_compute(&mut self) -> Expr {
        self.arena.intern(Node::CouldNotCompute, ExprType::int(1))
    }
    /// Whether `expr` is [`Node::CouldNotCompute`].
    pub fn is_could_not_compute(&self, expr: Expr) -> bool {
        matches!(self.arena.node(expr), Node::CouldNotCompute)
    }

    /// What is known of `expr` wherever its leaves are defined.
    pub fn flags(&self, expr: Expr) -> Flags {
        self.facts.of(expr)
    }
    /// What is known of `expr` at the points that `block` dominates.
    pub fn flags_at(&self, expr: Expr, block: Block) -> Flags {
        let scoped =
            self.facts.scoped(expr).iter().filter(|(from, _)| self.dominators.dominates(*from, block));
        scoped.fold(self.facts.of(expr), |known, (_, flags)| known.with(*flags))
    }
    /// What is known of `expr` where it is being built: in its defining scope, and [within](Self::within) the block.
    pub fn flags_here(&self, expr: Expr) -> Flags {
        match self.context {
            Some(block) => self.flags_at(expr, block),
            None => self.flags(expr),
        }
    }
    /// Whether [`Self::flags_here`] may say more of any expression than [`Self::flags`]: what is built then must not be
    /// cached for other places.
    pub fn has_context(&self) -> bool {
        self.context.is_some()
    }
    /// Runs `work` with facts that hold at the points which `block` dominates. What is built there stands for its
    /// value at such points only; a use of an instruction of that block is one.
    pub fn within<T>(&mut self, block: Option<Block>, work: impl FnOnce(&mut Self) -> T) -> T {
        // Without facts of narrower scopes all places are the same, and what is built may be cached.
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
