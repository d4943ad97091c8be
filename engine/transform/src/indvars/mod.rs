//! `indvars`: uses facts from a loop's recurrences to simplify it, and reduces and simplifies the recurrences
//! themselves.
//!
//! | transform | file |
//! |---|---|
//! | computes values used after the loop before it, edge by edge | `values` |
//! | decides exits that are never taken, or taken at once; hoists tests that are equal in each iteration | `exits` |
//! | rewrites exit tests to `!=` on a counter | `test` |
//! | simplifies decided comparisons, divisions, redundant values, signed operations that can be unsigned | `simplify` |
//! | infers `nuw`, `nsw` | `flags` |
//! | checks for poison that occurs in some iterations only | [`crate::leaves`] |
//! | widens counters that are extended, and their comparisons | `widen`, `compare`, before all others |
//!
//! All edits are collected on the unchanged code, and then applied together ([`edits`]).
//!
//! Needs a loop in loop-simplify form and LCSSA form, and keeps both: no block and no edge changes. Decided branches
//! get constant conditions, which `loop-simplifycfg` removes.
//!
//! Source: LLVM's `IndVarSimplify` answers the same questions.

mod check;
mod compare;
mod edits;
mod exits;
mod flags;
mod remarks;
mod simplify;
mod test;
mod values;
mod widen;

pub use remarks::{IndVarsDone, IndVarsMissed};

use crate::cleanup::dead::remove_dead;
use crate::pass::{LoopPass, Unit};
use crate::shape::Shape;
use backedge_analysis::LoopId;
use backedge_ir::entity::Block;
use backedge_scev::{Kept, ScalarEvolution};
use check::Facts;
use edits::Edits;

/// The pass's name.
pub const NAME: &str = "indvars";

/// The pass.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct IndVarSimplify {
    /// Whether to compute values used after the loop without it.
    pub exit_values: bool,
    /// Whether to rewrite exit tests.
    pub exit_tests: bool,
    /// Whether to widen counters that are extended.
    pub widening: bool,
    /// Cost limit for computing a value, in units of an addition.
    pub budget: u32,
    /// The same limit for a loop without other effects, which may become dead.
    pub whole_budget: u32,
}

impl Default for IndVarSimplify {
    fn default() -> Self {
        Self { exit_values: true, exit_tests: true, widening: true, budget: 4, whole_budget: 32 }
    }
}

impl LoopPass for IndVarSimplify {
    fn text(&self) -> String {
        let switches = [
            (self.exit_values, "no-exit-values"),
            (self.exit_tests, "no-exit-tests"),
            (self.widening, "no-widening"),
        ];
        let given: Vec<&str> = switches.iter().filter(|(on, _)| !on).map(|(_, name)| *name).collect();
        if given.is_empty() { NAME.to_owned() } else { format!("{NAME}<{}>", given.join(";")) }
    }
    fn run(&self, unit: &mut Unit<'_>, header: Block) -> Option<Block> {
        let shape = unit.shape();
        let l = shape.loops.with_header(header)?;
        self.widen(unit, &shape, l);
        if self.simplify(unit, &shape, l, true) && self.widen(unit, &shape, l) {
            // The new flags may allow widening more counters.
            self.simplify(unit, &shape, l, false);
        }
        Some(header)
    }
}

/// The edits found for a loop.
struct LoopEdits {
    done: Vec<IndVarsDone>,
    edits: Edits,
    /// The blocks that may contain dead instructions afterwards.
    blocks: Vec<Block>,
}

impl IndVarSimplify {
    /// Widens counters that are extended; returns whether there were any.
    fn widen(&self, unit: &mut Unit<'_>, shape: &Shape, l: LoopId) -> bool {
        if !self.widening || !widen::may_widen(unit.body(), shape, l) {
            return false;
        }
        // Of two equal counters, one would stay narrow.
        let merged =
            edit(unit, shape, l, |scev, facts, edits| simplify::merge_phis(scev, shape, facts, edits));
        let widened =
            edit(unit, shape, l, |scev, facts, edits| widen::find(scev, shape, facts, self.budget, edits));
        for outcome in [IndVarsDone::Simplified(merged), IndVarsDone::Widened(widened)] {
            if !outcome.is_nothing() {
                unit.remark(NAME, shape.loops.header(l), outcome);
            }
        }
        widened > 0
    }
    /// Does everything else, and reports missed simplifications if `reports_missed`; returns whether instructions got
    /// flags.
    fn simplify(&self, unit: &mut Unit<'_>, shape: &Shape, l: LoopId, reports_missed: bool) -> bool {
        let header = shape.loops.header(l);
        let found = {
            let mut scev = Kept::new(unit.at());
            check::check(&mut scev, shape, l).map(|facts| self.find(&mut scev, shape, facts))
        };
        let LoopEdits { mut done, mut edits, blocks } = match found {
            Ok(found) => found,
            Err(why) => {
                unit.remark(NAME, header, why);
                return false;
            }
        };
        let missed = std::mem::take(&mut edits.missed);
        let changed = !edits.list.is_empty();
        let (env, mut editor) = unit.env_and_editor();
        edits.apply(&mut editor);
        let removed = remove_dead(env, &mut editor, &blocks);
        // Instructions that died through other edits are not reported.
        done.push(IndVarsDone::Removed(if changed { 0 } else { removed }));
        let flagged = done.iter().any(|d| matches!(d, IndVarsDone::Flagged(1..)));
        for outcome in done.into_iter().filter(|d| !d.is_nothing()) {
            unit.remark(NAME, header, outcome);
        }
        for why in missed.into_iter().filter(|_| reports_missed) {
            unit.remark(NAME, header, why);
        }
        flagged
    }
    fn find(&self, scev: &mut ScalarEvolution<'_>, shape: &Shape, facts: Facts) -> LoopEdits {
        let mut edits = Edits::default();
        let exits = exits::find(scev, shape, &facts, &mut edits);
        let mut done =
            vec![IndVarsDone::DecidedExits(exits.decided), IndVarsDone::InvariantTests(exits.invariant)];
        if self.exit_values {
            done.push(IndVarsDone::ExitValues(values::find(scev, shape, &facts, self, &mut edits)));
        }
        if self.exit_tests {
            done.push(IndVarsDone::CanonicalTests(test::find(scev, shape, &facts, self.budget, &mut edits)));
        }
        let found = simplify::find(scev, shape, &facts, &mut edits);
        done.push(IndVarsDone::DecidedCompares(found.decided));
        done.push(IndVarsDone::Simplified(found.replaced));
        done.push(IndVarsDone::Flagged(found.flagged));
        let mut blocks = facts.ring.blocks;
        blocks.push(facts.ring.preheader);
        LoopEdits { done, edits, blocks }
    }
}

/// Applies the edits that `find` collects for a well-formed loop; returns the count that `find` returns.
fn edit(
    unit: &mut Unit<'_>,
    shape: &Shape,
    l: LoopId,
    find: impl FnOnce(&mut ScalarEvolution<'_>, &Facts, &mut Edits) -> usize,
) -> usize {
    let mut edits = Edits::default();
    let found = {
        let mut scev = Kept::new(unit.at());
        check::check(&mut scev, shape, l).map_or(0, |facts| find(&mut scev, &facts, &mut edits))
    };
    if found > 0 {
        let (env, mut editor) = unit.env_and_editor();
        edits.apply(&mut editor);
        remove_dead(env, &mut editor, shape.loops.blocks(l));
    }
    found
}
