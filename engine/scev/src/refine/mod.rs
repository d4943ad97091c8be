//! Facts that come after the expressions they are about, carried on to the values that depend on them.
//!
//! Expressions are made canonical when they are made; a fact that is learned later (most often that an add recurrence
//! does not wrap, once it is known how often its loop runs) could have led to a better one. Nothing is changed in place:
//! a value may have several expressions, best first. When facts have come, the values whose expressions contain what
//! they are about are built anew, in program order; where that gives something else it is put in front, and the users of
//! the value follow. Expressions handed out before stay valid: each equals the value, only less is said by it.
//!
//! The walk is along the uses of the *values*, of which the IR keeps lists; expressions have none.
//!
//! When that happens is the [`Mode`]. [`ScalarEvolution::settle`] builds everything in one fixed order and carries all
//! facts on until there are no new ones, within a limit: what is printed and claimed is from there, so that it does not
//! depend on what was asked first.

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

/// How often values are built anew, taken together and for each of them, before only those are that contain what is new:
/// a loop with many recurrences that may wrap would take all of them up with each fact.
const MOST_REBUILT: u64 = 8;

/// When the values that depend on a new fact are built anew.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// At once: the expression of a value is always the best that the facts allow.
    Eager,
    /// When the expression of a value is next asked for: facts that came since are carried on together. With few
    /// exceptions the answers are those of [`Mode::Eager`]: the same is true, but what is found may hang on the order.
    #[default]
    OnDemand,
    /// Never: what was built stays as it is, and only what is built later profits.
    Never,
}

/// What has been learned and not been carried on.
#[derive(Debug, Default)]
pub(crate) struct Refinement {
    pub(crate) mode: Mode,
    /// Expressions of which something new is known.
    pending: Vec<Expr>,
    /// How much work was done, for measuring.
    effort: Effort,
    /// Facts are being carried on now.
    busy: bool,
}

/// What carrying facts on has cost and gained.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// Facts learned after their expressions.
    pub facts: u64,
    /// Values built anew.
    pub rebuilt: u64,
    /// Values that got a better expression by it.
    pub improved: u64,
}

impl ScalarEvolution<'_> {
    /// Sets when facts are carried on.
    pub fn set_refinement(&mut self, mode: Mode) {
        self.refinement.mode = mode;
    }
    /// What carrying facts on has cost and gained so far.
    pub fn refinement_effort(&self) -> Effort {
        self.refinement.effort
    }

    /// Adds a fact that is true; whether it is new. Values that depend on `expr` are built anew when the [`Mode`] says.
    pub(crate) fn learn(&mut self, expr: Expr, flags: Flags, scope: Scope) -> bool {
        let new = self.facts.add(expr, flags, scope);
        // An expression that no value leads to as yet is built with the fact in the first place.
        if new && self.refinement.mode != Mode::Never && !self.values.of.is_empty() {
            self.refinement.pending.push(expr);
            self.refinement.effort.facts += 1;
            if self.refinement.mode == Mode::Eager {
                self.carry_on_if_due();
            }
        }
        new
    }

    /// Whether facts wait to be carried on before the expression of a value is read.
    pub(crate) fn carry_on_if_due(&mut self) {
        let due = !self.refinement.pending.is_empty() && !self.refinement.busy;
        // Not in the midst of finding a phi, nor where more is known than elsewhere.
        if due && !self.has_context() && !self.values.is_searching() {
            self.carry_on();
        }
    }

    /// Builds the values anew that depend on what was learned; whether any of them got a better expression.
    pub fn carry_on(&mut self) -> bool {
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

    /// The instructions to build anew when something is known of `pending`: those whose expression contains one of
    /// them, and the users of those whose expression is one of them. What an instruction was built from on the way is
    /// not in its expression: so also those that are a recurrence of the same loop and may wrap for all that is known.
    fn depending_on(&self, pending: &[Expr]) -> Vec<Inst> {
        let pending: FxHashSet<Expr> = pending.iter().copied().collect();
        let loops: FxHashSet<LoopId> =
            pending.iter().filter_map(|e| self.arena.as_add_rec(*e)).map(|(l, _)| l).collect();
        // Operands come before what uses them.
        let mut touched = vec![false; self.arena.len()];
        let first = pending.iter().map(|e| e.index()).min().unwrap_or(0);
        for expr in (first..self.arena.len()).map(Expr::from_index) {
            let operands = self.arena.node(expr).operands();
            touched[expr.index()] = pending.contains(&expr) || operands.iter().any(|o| touched[o.index()]);
        }
        let lacks =
            |e: Expr| !self.flags(e).contains(if self.ty(e).is_pointer() { Flags::NUW } else { Flags::BOTH });
        let tired = self.refinement.effort.rebuilt > MOST_REBUILT.saturating_mul(self.values.of.len() as u64);
        let may_profit = |best: Expr| {
            if tired {
                return false;
            }
            // Of a recurrence that starts from one of a loop around it, that one too.
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
        // Only what has been asked for: a question about one loop must not take the time of all.
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
        // By position in the program, so that operands come before what uses them but around loops.
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

    /// Whether `inst` is a phi of a loop's header. What it is was found from its cycle as a whole; facts about its
    /// expression change nothing there.
    fn is_header_phi(&self, inst: Inst) -> bool {
        self.at.body.inst(inst).kind.is_phi()
            && self.at.body.block_of(inst).is_some_and(|b| self.loops.with_header(b).is_some())
    }

    /// Adds what the expressions of values are made of, operands before what uses them.
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

    /// Forgets all that was found out. The expressions handed out can still be read.
    fn reset(&mut self) {
        self.arena.start_anew();
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

    /// Learns the flags of recurrences that follow from the counts known by now; whether any of them is new.
    pub fn learn_from_counts(&mut self) -> bool {
        // Proofs may make further expressions; those are asked about in the next round.
        let all: Vec<Expr> = self.arena.iter().collect();
        self.learn_by_induction(&all)
    }

    /// Builds the expressions of all values, the counts of all loops, and all flags that follow from them, and carries
    /// the facts on until there are none, within [`crate::Limits::refinement_rounds`]. Afterwards no question changes
    /// what is known, and what was asked before has no influence on it.
    pub fn settle(&mut self) {
        self.reset();
        let body = self.at.body;
        let insts: Vec<Inst> = self.cfg.rpo().iter().flat_map(|b| body.insts(*b)).copied().collect();
        for inst in &insts {
            self.expr((*inst).into());
        }
        // Counting makes many more expressions on its way, which no value is made of.
        let mut of_values: Vec<Expr> = self.arena.iter().collect();
        for round in 0..self.limits.refinement_rounds {
            self.forget_ranges();
            self.forget_views();
            let loops: Vec<_> = self.loops.ids().collect();
            // A loop comes before those nested in it: inner ones first. What the round before found of the others stays
            // known: the count of an outer loop bounds what an inner one starts from.
            for l in loops.into_iter().rev() {
                self.forget_counts(l);
                self.counts(l);
            }
            let new = self.learn_by_induction(&of_values);
            let before = self.arena.len();
            let improved = self.refinement.mode != Mode::Never && self.carry_on();
            of_values.extend((before..self.arena.len()).map(Expr::from_index));
            if improved {
                // Also of what was made for counting before.
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
