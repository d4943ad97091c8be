//! Refinement: propagates facts that were learned after their expressions to the values that depend on them.
//!
//! Expressions are canonicalized when they are created; a fact that is learned later (most often that an add recurrence
//! does not wrap, once the count of its loop is known) could have led to a better one. Nothing is changed in place: a
//! value may have several expressions, best first. After new facts, the values whose expressions contain their subjects
//! are rebuilt in program order. If the result differs it is put first, and the users of the value follow. Expressions
//! handed out before stay valid: each equals the value, with less precision.
//!
//! The walk follows the uses of *values*, for which the IR keeps use lists; expressions have none.
//!
//! The [`Mode`] decides when facts are propagated. [`ScalarEvolution::settle`] builds everything in one fixed order and
//! propagates all facts until a fixed point, within a limit. Output and claims come from there, so they do not depend
//! on the order of queries.

mod induction;

use crate::ScalarEvolution;
use crate::count::CountCache;
use crate::expand::Existing;
use crate::expr::Expr;
use crate::facts::{Facts, Flags, Scope};
use crate::fold::FoldCache;
use crate::guards::GuardCache;
use crate::query::QueryCache;
use crate::range::RangeCache;
use crate::recognize::ValueMap;
use backedge_analysis::LoopId;
use backedge_ir::entity::{EntityId, Inst};
use backedge_ir::inst::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Limit on the average number of rebuilds per value. Above it, only values that contain a new fact's subject are
/// rebuilt; otherwise each fact would rebuild all recurrences of a loop with many recurrences that may wrap.
const MOST_REBUILT: u64 = 8;

/// The time at which values that depend on a new fact are rebuilt.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// Immediately: the expression of a value is always the best that the facts permit.
    Eager,
    /// When the expression of a value is next queried: all facts since then are propagated together. With few
    /// exceptions the answers are those of [`Mode::Eager`]: they are equally true, but which facts are found may depend
    /// on the order.
    #[default]
    OnDemand,
    /// Never: existing expressions stay as they are, and only later ones profit.
    Never,
}

/// Facts that have been learned but not propagated.
#[derive(Debug, Default)]
pub(crate) struct Refinement {
    pub(crate) mode: Mode,
    /// Expressions with new facts.
    pending: Vec<Expr>,
    /// Statistics of the work done.
    effort: Effort,
    /// Propagation is in progress.
    busy: bool,
}

/// Cost and benefit of propagation.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// Facts learned after their expressions were created.
    pub facts: u64,
    /// Values rebuilt.
    pub rebuilt: u64,
    /// Values that got a better expression.
    pub improved: u64,
}

impl ScalarEvolution<'_> {
    /// Sets the propagation mode.
    pub fn set_refinement(&mut self, mode: Mode) {
        self.refinement.mode = mode;
    }
    /// Cost and benefit of propagation so far.
    pub fn refinement_effort(&self) -> Effort {
        self.refinement.effort
    }

    /// Adds a true fact and returns whether it is new. Values that depend on `expr` are rebuilt at the time given by
    /// the [`Mode`].
    pub(crate) fn learn(&mut self, expr: Expr, flags: Flags, scope: Scope) -> bool {
        let new = self.facts.add(expr, flags, scope);
        // An expression to which no value leads yet is built with the fact from the start.
        if new && self.refinement.mode != Mode::Never && !self.values.of.is_empty() {
            self.refinement.pending.push(expr);
            self.refinement.effort.facts += 1;
            if self.refinement.mode == Mode::Eager {
                self.propagate_facts_if_due();
            }
        }
        new
    }

    /// Propagates pending facts before the expression of a value is read, if that is possible now.
    pub(crate) fn propagate_facts_if_due(&mut self) {
        let due = !self.refinement.pending.is_empty() && !self.refinement.busy;
        // Not while a phi is open, nor in a context with additional facts.
        if due && !self.has_context() && !self.values.is_searching() {
            self.propagate_facts();
        }
    }

    /// Rebuilds the values that depend on new facts. Returns whether any of them got a better expression.
    pub fn propagate_facts(&mut self) -> bool {
        let outer = std::mem::replace(&mut self.refinement.busy, true);
        let before = self.refinement.effort.improved;
        for _ in 0..self.limits.refinement_rounds {
            let pending = std::mem::take(&mut self.refinement.pending);
            if pending.is_empty() {
                break;
            }
            self.rebuild_values(&pending);
        }
        self.refinement.pending.clear();
        self.refinement.busy = outer;
        self.refinement.effort.improved > before
    }

    /// The instructions to rebuild after new facts about `pending`: those whose expression contains one of them, and
    /// the users of those whose expression is one of them. Intermediate operands are not part of an instruction's
    /// expression, so the result also contains recurrences of the same loop that may wrap.
    fn depending_on(&self, pending: &[Expr]) -> Vec<Inst> {
        let pending: FxHashSet<Expr> = pending.iter().copied().collect();
        let loops: FxHashSet<LoopId> =
            pending.iter().filter_map(|e| self.arena.as_add_rec(*e)).map(|(l, _)| l).collect();
        // Operands precede their users.
        let mut touched = vec![false; self.arena.len()];
        let first = pending.iter().map(|e| e.index()).min().unwrap_or(0);
        for expr in (first..self.arena.len()).map(Expr::from_index) {
            let operands = self.arena.node(expr).operands();
            touched[expr.index()] = pending.contains(&expr) || operands.iter().any(|o| touched[o.index()]);
        }
        let lacks =
            |e: Expr| !self.flags(e).contains(if self.ty(e).is_pointer() { Flags::NUW } else { Flags::BOTH });
        let over_budget =
            self.refinement.effort.rebuilt > MOST_REBUILT.saturating_mul(self.values.of.len() as u64);
        let may_profit = |best: Expr| {
            if over_budget {
                return false;
            }
            // For a recurrence whose start is a recurrence of an outer loop, also check that one.
            let mut at = best;
            while let Some((l, operands)) = self.arena.as_add_rec(at) {
                if loops.contains(&l) && lacks(at) {
                    return true;
                }
                at = operands[0];
            }
            false
        };
        let mut found = Vec::new();
        // Only values queried so far: a query about one loop must not cost time for all.
        for (value, exprs) in &self.values.of {
            let (Some(inst), Some(best)) = (value.as_inst(), exprs.first()) else { continue };
            if touched[best.index()] || may_profit(*best) {
                found.push(inst);
            }
            if pending.contains(best) {
                found.extend(self.at.body.uses(inst.into()).iter().map(|u| u.user));
            }
        }
        found
    }

    fn rebuild_values(&mut self, pending: &[Expr]) {
        let body = self.at.body;
        let mut times: FxHashMap<Inst, u32> = FxHashMap::default();
        let order = self.order.clone();
        // By position in the program: operands precede users, except around loops.
        let place = |inst: Inst| Some((order.in_text(body, inst)?, inst));
        let mut work: BTreeSet<_> = self.depending_on(pending).into_iter().filter_map(place).collect();
        while let Some((_, inst)) = work.pop_first() {
            let value = Value::Inst(inst);
            let Some(best) = self.exprs(value).first().copied() else { continue };
            let times = times.entry(inst).or_default();
            if *times >= self.limits.refinement_rounds || self.is_header_phi(inst) {
                continue;
            }
            *times += 1;
            self.refinement.effort.rebuilt += 1;
            let anew = self.create(value);
            if anew != best {
                self.refinement.effort.improved += 1;
                work.extend(body.uses(value).iter().filter_map(|u| place(u.user)));
            }
        }
    }

    /// Whether `inst` is a header phi. Its expression was found from the whole cycle, so facts about that expression do
    /// not improve it.
    fn is_header_phi(&self, inst: Inst) -> bool {
        self.at.body.inst(inst).kind.is_phi()
            && self.at.body.block_of(inst).is_some_and(|b| self.loops.with_header(b).is_some())
    }

    /// Adds the parts of the values' expressions, operands before users.
    fn add_parts_of_values(&self, exprs: &mut Vec<Expr>) {
        let mut seen = vec![false; self.arena.len()];
        exprs.iter().for_each(|e| seen[e.index()] = true);
        let mut work: Vec<Expr> = self.values.of.values().flatten().copied().collect();
        while let Some(expr) = work.pop() {
            if !std::mem::replace(&mut seen[expr.index()], true) {
                exprs.push(expr);
                work.extend_from_slice(self.arena.node(expr).operands());
            }
        }
        exprs.sort_unstable();
    }

    /// Forgets all results. Expressions handed out before remain readable.
    fn reset(&mut self) {
        self.arena.reset_interning();
        self.facts = Facts::default();
        self.folds = FoldCache::default();
        self.values = ValueMap::default();
        self.ranges = RangeCache::default();
        self.guards = GuardCache::default();
        self.counts = CountCache::default();
        self.queries = QueryCache::default();
        self.existing = Existing::default();
        self.refinement.pending.clear();
    }

    /// Learns the flags of recurrences that follow from the counts known by now. Returns whether any of them is new.
    pub fn learn_from_counts(&mut self) -> bool {
        // Proofs may create further expressions; the next round handles those.
        let all: Vec<Expr> = self.arena.iter().collect();
        self.learn_by_induction(&all)
    }

    /// Builds the expressions of all values, the counts of all loops, and all flags that follow from them, and
    /// propagates the facts until a fixed point, within [`crate::Limits::refinement_rounds`]. Afterwards no query
    /// changes the known facts, and earlier queries have no influence on them.
    pub fn settle(&mut self) {
        self.reset();
        let body = self.at.body;
        let insts: Vec<Inst> = self.cfg.rpo().iter().flat_map(|b| body.insts(*b)).copied().collect();
        for inst in &insts {
            self.expr((*inst).into());
        }
        // Counting creates many more expressions, which are not part of any value's expression.
        let mut of_values: Vec<Expr> = self.arena.iter().collect();
        for round in 0..self.limits.refinement_rounds {
            self.forget_ranges();
            self.forget_views();
            let loops: Vec<_> = self.loops.ids().collect();
            // Loop ids are in preorder, so this visits inner loops first. The counts of other loops from the previous
            // round stay known: the count of an outer loop bounds the start values of an inner one.
            for l in loops.into_iter().rev() {
                self.forget_counts(l);
                self.counts(l);
            }
            let new = self.learn_by_induction(&of_values);
            let before = self.arena.len();
            let improved = self.refinement.mode != Mode::Never && self.propagate_facts();
            of_values.extend((before..self.arena.len()).map(Expr::from_index));
            if improved {
                // Include parts that counting created earlier.
                self.add_parts_of_values(&mut of_values);
            }
            if !new && !improved && round > 0 {
                break;
            }
        }
        self.forget_views();
        self.forget_ranges();
    }
}
