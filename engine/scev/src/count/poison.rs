//! Poison in counts: a count must not be poison if the exit is reached.
//!
//! The first iteration compares the start and the bound: if one of them is poison, the branch is UB. The step is not
//! compared there: a loop that leaves in the first iteration may have a poison step. If the step may be poison and only
//! this comparison ends the first iteration, the count is the sequential minimum of two numbers: the distance to the
//! bound, which is zero exactly if the loop leaves in the first iteration, and the plain count, which never exceeds the
//! distance. If something else may end the first iteration, no count is known: the distance may be long although the
//! step is never added.
//!
//! The same applies to a compared value that an earlier loop computes: the addends of that loop's later iterations are
//! not part of the value if these iterations did not happen. If such an addend may be poison, the value is not
//! decomposed.

use crate::ScalarEvolution;
use crate::expr::{Expr, NAry, Node};
use backedge_analysis::LoopId;
use backedge_analysis::poison::{Defined, is_guaranteed_defined};
use backedge_ir::inst::Value;
use rustc_hash::FxHashSet;

impl ScalarEvolution<'_> {
    /// A form of `count` that is poison only if the exit is not reached; `None` if there is none. `count` must be at
    /// most `way`, be zero if `way` is, and may depend on `step`. See [`super::exit::Condition::controls`] for
    /// `controls`; `compared` are the values compared in the first iteration.
    pub(super) fn guarded_against_poison_step(
        &mut self,
        l: LoopId,
        [way, count]: [Expr; 2],
        step: Expr,
        compared: [Expr; 2],
        controls: bool,
    ) -> Option<Expr> {
        if self.as_constant(count).is_some() || !self.is_poison_harmful(l, step, compared) {
            return Some(count);
        }
        let is_added = controls && self.progress(l).leaves_by_exits;
        is_added.then(|| self.min_max(NAry::UMinSeq, &[way, count]))
    }
    /// Whether `step` may be poison in a loop that leaves in the first iteration by a branch on `compared`.
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
    /// `expr`, a value compared in `l`, evaluated at `scope` if the result is poison only if `expr` is; otherwise
    /// `expr` itself.
    pub(super) fn compared_at_scope(&mut self, l: LoopId, expr: Expr, scope: Option<LoopId>) -> Expr {
        let seen = self.at_scope(expr, scope);
        if seen != expr && self.may_add_poison_at_scope(l, expr, scope) { expr } else { seen }
    }
    /// Whether `expr`, evaluated at `scope`, may be poison although `expr` itself is not: because of addends or
    /// backedge values of a loop that is exited. The value is compared in `l`.
    fn may_add_poison_at_scope(&mut self, l: LoopId, expr: Expr, scope: Option<LoopId>) -> bool {
        let is_left = |s: &Self, of: LoopId| !scope.is_some_and(|scope| s.loops.contains_loop(of, scope));
        let (mut first, mut late): (FxHashSet<Value>, FxHashSet<Value>) = Default::default();
        let mut seen = FxHashSet::default();
        let mut work = vec![(expr, false)];
        while let Some((expr, is_late)) = work.pop() {
            if !seen.insert((expr, is_late)) {
                continue;
            }
            match self.node(expr) {
                Node::AddRec(of, operands) if is_left(self, of) => {
                    work.push((operands[0], is_late));
                    work.extend(operands[1..].iter().map(|step| (*step, true)));
                }
                Node::Unknown(value) => {
                    if is_late { &mut late } else { &mut first }.insert(value);
                    let block = value.as_inst().and_then(|inst| self.at.body.block_of(inst));
                    let of = block.and_then(|b| self.loops.innermost(b)).filter(|of| is_left(self, *of));
                    if let Some((start, others)) = of.and_then(|of| self.sources(value, of)) {
                        work.push((start, is_late));
                        work.extend(others.into_iter().map(|other| (other, true)));
                    }
                }
                node => work.extend(node.operands().iter().map(|operand| (*operand, is_late))),
            }
        }
        let context = self.body().terminator(self.header(l));
        late.difference(&first)
            .any(|value| !is_guaranteed_defined(self.at, *value, context, Defined::NotPoison))
    }
}
