//! Counts must not be poison where the exit is reached.
//!
//! What is compared in the first iteration is the start and the bound: if they are poison, the branch is undefined. The
//! step is not: a loop that is left at once may have a step that is poison. Where that may be, and nothing but this
//! comparison ends the first iteration, the count is the sequential minimum of the way to the bound, which is zero
//! exactly when the loop is left at once, and the count, which is never more. Where something else may end it, no count
//! is known: the way may be long and the step never added.
//!
//! The same is so of what is compared, if it comes out of a loop before this one: what was added in its later iterations
//! is no part of the value where there were none. Where that may be poison, the value is not taken apart.

use crate::ScalarEvolution;
use crate::expr::{Expr, NAry, Node};
use backedge_analysis::LoopId;
use backedge_analysis::poison::{Defined, is_guaranteed_defined};
use backedge_ir::inst::Value;
use rustc_hash::FxHashSet;

impl ScalarEvolution<'_> {
    /// The count that is poison only where the exit is not reached, of `count`, which is at most `way` and zero where that
    /// is, and depends on `step`. See [`super::exit::Condition::controls`] for `controls`; `compared` is what is compared
    /// in the first iteration.
    pub(super) fn unless_left_at_once(
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
    /// `expr`, of what is compared in `l`, as seen from `scope`, if that is poison only where it is.
    pub(super) fn compared_at_scope(&mut self, l: LoopId, expr: Expr, scope: Option<LoopId>) -> Expr {
        let seen = self.at_scope(expr, scope);
        if seen != expr && self.may_come_late(l, expr, scope) { expr } else { seen }
    }
    /// Whether `expr`, as seen from `scope`, may be poison where it is not: by something that is added or comes in by the
    /// backedges of a loop that is left. The value is compared in `l`.
    fn may_come_late(&mut self, l: LoopId, expr: Expr, scope: Option<LoopId>) -> bool {
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
