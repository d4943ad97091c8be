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
mod simplify;
mod test;
mod values;
mod widen;

use crate::cleanup::dead::remove_dead;
use crate::pass::{LoopPass, Shape, Unit};
use backedge_analysis::LoopId;
use backedge_ir::entity::Block;
use backedge_scev::{Kept, ScalarEvolution};
use check::Facts;
use edits::Edits;
use std::fmt;

/// The pass's name.
pub const NAME: &str = "indvars";

/// What the pass did to a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Done {
    /// This many values used after the loop are computed before it.
    ExitValues(usize),
    /// This many exits are known to be taken at once, or never.
    DecidedExits(usize),
    /// This many exit tests are computed before the loop.
    InvariantTests(usize),
    /// This many exit tests compare a counter for equality.
    CanonicalTests(usize),
    /// This many comparisons have a known result.
    DecidedCompares(usize),
    /// This many instructions were replaced by simpler ones or by existing values.
    Simplified(usize),
    /// This many instructions got flags.
    Flagged(usize),
    /// This many counters were widened.
    Widened(usize),
    /// This many dead instructions were removed.
    Removed(usize),
}

impl Done {
    /// The name of the outcome.
    pub fn name(&self) -> &'static str {
        match self {
            Self::ExitValues(_) => "ExitValues",
            Self::DecidedExits(_) => "DecidedExits",
            Self::InvariantTests(_) => "InvariantTests",
            Self::CanonicalTests(_) => "CanonicalTests",
            Self::DecidedCompares(_) => "DecidedCompares",
            Self::Simplified(_) => "Simplified",
            Self::Flagged(_) => "Flagged",
            Self::Widened(_) => "Widened",
            Self::Removed(_) => "Removed",
        }
    }
}

impl fmt::Display for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ExitValues(n) => write!(f, "computed {n} value(s) used after the loop before it"),
            Self::DecidedExits(n) => write!(f, "decided {n} exit(s)"),
            Self::InvariantTests(n) => write!(f, "moved {n} exit test(s) in front of the loop"),
            Self::CanonicalTests(n) => write!(f, "made {n} exit test(s) on a counter"),
            Self::DecidedCompares(n) => write!(f, "decided {n} comparison(s)"),
            Self::Simplified(n) => write!(f, "simplified {n} instruction(s)"),
            Self::Flagged(n) => write!(f, "gave flags to {n} instruction(s)"),
            Self::Widened(n) => write!(f, "widened {n} counter(s)"),
            Self::Removed(n) => write!(f, "removed {n} instruction(s) that nothing needs"),
        }
    }
}

/// Why something was not done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Missed {
    /// The loop is not in loop-simplify form.
    NotSimplified,
    /// A value used after the loop is too expensive to compute before it.
    ExpensiveExitValue,
    /// The counter's value in the last iteration is too expensive to compute, so an exit test is unchanged.
    ExpensiveLimit,
}

impl Missed {
    /// The name of the reason.
    pub fn name(&self) -> &'static str {
        match self {
            Self::NotSimplified => "NotSimplified",
            Self::ExpensiveExitValue => "ExpensiveExitValue",
            Self::ExpensiveLimit => "ExpensiveLimit",
        }
    }
}

impl fmt::Display for Missed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotSimplified => "the loop is not in loop simplify form",
            Self::ExpensiveExitValue => "a value used after the loop is too expensive to compute before it",
            Self::ExpensiveLimit => {
                "an exit test is unchanged: the counter's last value is too expensive to compute"
            }
        })
    }
}

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
struct Found {
    done: Vec<Done>,
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
        for outcome in [Done::Simplified(merged), Done::Widened(widened)] {
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
        let Found { mut done, mut edits, blocks } = match found {
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
        done.push(Done::Removed(if changed { 0 } else { removed }));
        let flagged = done.iter().any(|d| matches!(d, Done::Flagged(1..)));
        for outcome in done.into_iter().filter(|d| !d.is_nothing()) {
            unit.remark(NAME, header, outcome);
        }
        for why in missed.into_iter().filter(|_| reports_missed) {
            unit.remark(NAME, header, why);
        }
        flagged
    }
    fn find(&self, scev: &mut ScalarEvolution<'_>, shape: &Shape, facts: Facts) -> Found {
        let mut edits = Edits::default();
        let exits = exits::find(scev, shape, &facts, &mut edits);
        let mut done = vec![Done::DecidedExits(exits.decided), Done::InvariantTests(exits.invariant)];
        if self.exit_values {
            done.push(Done::ExitValues(values::find(scev, shape, &facts, self, &mut edits)));
        }
        if self.exit_tests {
            done.push(Done::CanonicalTests(test::find(scev, shape, &facts, self.budget, &mut edits)));
        }
        let found = simplify::find(scev, shape, &facts, &mut edits);
        done.push(Done::DecidedCompares(found.decided));
        done.push(Done::Simplified(found.replaced));
        done.push(Done::Flagged(found.flagged));
        let mut blocks = facts.ring.blocks;
        blocks.push(facts.ring.preheader);
        Found { done, edits, blocks }
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

impl Done {
    fn is_nothing(&self) -> bool {
        let (Self::ExitValues(n)
        | Self::DecidedExits(n)
        | Self::InvariantTests(n)
        | Self::CanonicalTests(n)
        | Self::DecidedCompares(n)
        | Self::Simplified(n)
        | Self::Flagged(n)
        | Self::Widened(n)
        | Self::Removed(n)) = self;
        *n == 0
    }
}
