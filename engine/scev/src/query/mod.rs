//! What an expression is elsewhere: at a scope, at an iteration, behind a loop; and how it behaves in a loop.
//!
//! | question | module |
//! |---|---|
//! | does it change in a loop, can it be evaluated before one | `disposition` |
//! | what is it at the n-th iteration | `iteration`; of what is no add recurrence: `leaf` |
//! | what is it as seen from a loop, or from outside of all | `scope` |
//!
//! Walks are over the parts of an expression in the order in which they were made, operands first: no recursion, and
//! time linear in the distinct parts that were not asked about before.

mod disposition;
mod iteration;
mod leaf;
mod scope;

pub use disposition::Disposition;

use crate::ScalarEvolution;
use crate::expr::Expr;
use backedge_analysis::LoopId;
use backedge_ir::entity::Block;
use rustc_hash::FxHashMap;

/// What an expression is seen as from a scope.
#[derive(Copy, Clone, Debug)]
struct View {
    seen: Expr,
    /// With the epoch of the facts, which counts belong to, if more of them may show more. What is not open may still be
    /// made better by facts; it serves until views are forgotten.
    open: Option<u64>,
}

/// Answers computed.
#[derive(Debug, Default)]
pub(crate) struct QueryCache {
    /// With the block within which more may be known than elsewhere.
    at_scope: FxHashMap<(Expr, Option<LoopId>, Option<Block>), View>,
    dispositions: FxHashMap<(Expr, LoopId), Disposition>,
    available: FxHashMap<(Expr, LoopId), bool>,
    runs: leaf::Runs,
}

impl QueryCache {
    fn forget_views(&mut self) {
        self.at_scope.clear();
        self.runs.clear();
    }
}

impl ScalarEvolution<'_> {
    /// The parts of `root` that `known` does not say of, operands before what uses them.
    fn parts_unless(&self, root: Expr, known: impl Fn(&Self, Expr) -> bool) -> Vec<Expr> {
        if known(self, root) {
            return Vec::new();
        }
        let mut parts = vec![root];
        let mut at = 0;
        let mut seen = rustc_hash::FxHashSet::from_iter([root]);
        while let Some(expr) = parts.get(at).copied() {
            at += 1;
            for operand in self.arena.node(expr).operands() {
                if !known(self, *operand) && seen.insert(*operand) {
                    parts.push(*operand);
                }
            }
        }
        parts.sort_unstable();
        parts
    }
}
