//! Evaluation of an expression elsewhere: at a scope, in an iteration, after a loop; and its behavior in a loop.
//!
//! | query | module |
//! |---|---|
//! | Does it change in a loop? Can it be evaluated before the loop? | `disposition` |
//! | Its value in the n-th iteration | `iteration`; for values without an add recurrence: `leaf` |
//! | Its value at the scope of a loop, or outside of all loops | `scope` |
//!
//! Walks visit the parts of an expression in order of creation, operands first: without recursion, in time linear in
//! the distinct parts that no earlier query has visited.

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

/// The value of an expression at a scope.
#[derive(Copy, Clone, Debug)]
struct View {
    seen: Expr,
    /// For a result that may improve: the epoch of the facts (which includes counts) at which it was computed. Facts
    /// may improve other results too, but these are used until all views are forgotten.
    open: Option<u64>,
}

/// Cached answers.
#[derive(Debug, Default)]
pub(crate) struct QueryCache {
    /// The last key component is the context block, which may permit stronger facts.
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
    /// The parts of `root` for which `known` is false, operands before users.
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
