//! Counts must not be poison where the exit is reached.
//!
//! What is compared in the first iteration is the start and the bound: if they are poison, the branch is undefined. The
//! step is not: a loop that is left at once may have a step that is poison. Where that may be, the count is the
//! sequential minimum of the way to the bound, which is zero exactly then, and the count, which is never more.

use crate::ScalarEvolution;
use crate::expr::{Expr, NAry, Node};
use backedge_analysis::LoopId;
use backedge_analysis::poison::{Defined, is_guaranteed_defined};
use backedge_ir::inst::Value;
use rustc_hash::FxHashSet;

impl ScalarEvolution<'_> {
    /// `count`, which is at most `way` and zero where that is, and depends on `step`; `compared` is what is compared in
    /// the first iteration.
    pub(super) fn unless_left_at_once(
        &mut self,
        l: LoopId,
        way: Expr,
        count: Expr,
        step: Expr,
        compared: [Expr; 2],
    ) -> Expr {
        if self.is_poison_harmful(l, step, compared) {
            self.min_max(NAry::UMinSeq, &[way, count])
        } else {
            count
        }
    }
    /// Whether `step` may be poison in a loop that is left in the first iteration, by a branch on `compared`.
    pub(super) fn is_poison_harmful(&mut self, l: LoopId, step: Expr, compared: [Expr; 2]) -> bool {
        if !self.arena.has_unknown(step) {
            return false;
        }
        let mut harmless: FxHashSet<Value> = FxHashSet::default();
        for expr in compared {
            self.arena.all_parts(expr, |_, node| {
                if let Node::Unknown(value) = node {
                    harmless.insert(*value);
                }
                true
            });
        }
        let context = self.body().terminator(self.header(l));
        !self.arena.all_parts(step, |_, node| match node {
            Node::Unknown(value) => {
                harmless.contains(value)
                    || is_guaranteed_defined(self.at, *value, context, Defined::NotPoison)
            }
            _ => true,
        })
    }
}
