//! `indvars`: what a loop's recurrences make known is used, and they themselves become fewer and simpler.
//!
//! | what | file |
//! |---|---|
//! | values used behind the loop are computed in front of it, edge by edge | `values` |
//! | exits that are never taken, or at once; tests that are the same in each iteration | `exits` |
//! | exit tests become `!=` on a counter | `test` |
//! | decided comparisons, divisions, values that are there already, unsigned operations | `simplify` |
//! | `nuw`, `nsw` | `flags` |
//! | poison that comes in some iterations only | [`crate::leaves`] |
//! | counters that are extended become wider, and what they are compared with | `widen`, `compare`, before all others |
//!
//! Everything is found on the code as it is, and then done at once ([`edits`]).
//!
//! Needs a loop in loop simplify form and LCSSA form, and keeps both: no block and no edge changes. Branches that are
//! decided get constants, which `loop-simplifycfg` takes away.
//!
//! Source: the questions are those of LLVM's `IndVarSimplify`.

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
    /// So many values behind the loop are known in front of it.
    ExitValues(usize),
    /// So many exits are known to be taken at once, or never.
    DecidedExits(usize),
    /// So many exits are tested in front of the loop.
    InvariantTests(usize),
    /// So many exits are tested by a counter that is compared for equality.
    CanonicalTests(usize),
    /// So many comparisons have a known result.
    DecidedCompares(usize),
    /// So many instructions are replaced by simpler ones or by values that are there.
    Simplified(usize),
    /// So many instructions got flags.
    Flagged(usize),
    /// So many counters became wider.
    Widened(usize),
    /// So many instructions that nothing needs are gone.
    Removed(usize),
}

impl Done {
    /// The name of what was done.
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
            Self::ExitValues(n) => write!(f, "computed {n} value(s) behind the loop without it"),
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
    /// The loop is not in loop simplify form.
    NotSimplified,
    /// A value used behind the loop costs too much to compute without it.
    ExpensiveExitValue,
    /// What a counter is in the last iteration costs too much to compute, so an exit test stays as it is.
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
            Self::ExpensiveExitValue => "a value used behind the loop costs too much to compute without it",
            Self::ExpensiveLimit => "an exit test is not made on a counter, as what that is in the last iteration costs too much to compute",
        })
    }
}

/// The pass.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct IndVarSimplify {
    /// Whether values used behind the loop are computed without it.
    pub exit_values: bool,
    /// Whether exit tests are made on counters.
    pub exit_tests: bool,
    /// Whether counters that are extended become wider.
    pub widening: bool,
    /// What computing a value may cost, in units of an addition.
    pub budget: u32,
    /// The same where the loop has no other effect, and may go with its values.
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
            // Counters that have got their flags only now could be widened by them.
            self.simplify(unit, &shape, l, false);
        }
        Some(header)
    }
}

/// What is to be done to a loop.
struct Found {
    done: Vec<Done>,
    edits: Edits,
    /// The blocks that may have instructions to remove then.
    blocks: Vec<Block>,
}

impl IndVarSimplify {
    /// Widens counters that are extended; whether there were any.
    fn widen(&self, unit: &mut Unit<'_>, shape: &Shape, l: LoopId) -> bool {
        if !self.widening || !widen::may_widen(unit.body(), shape, l) {
            return false;
        }
        // Of two counters that are the same, one would stay as narrow as it is.
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
    /// Does everything else, and says what it missed if that is to be told; whether instructions have got flags by it.
    fn simplify(&self, unit: &mut Unit<'_>, shape: &Shape, l: LoopId, tells_missed: bool) -> bool {
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
        // What goes with what was done is not told.
        done.push(Done::Removed(if changed { 0 } else { removed }));
        let flagged = done.iter().any(|d| matches!(d, Done::Flagged(1..)));
        for outcome in done.into_iter().filter(|d| !d.is_nothing()) {
            unit.remark(NAME, header, outcome);
        }
        for why in missed.into_iter().filter(|_| tells_missed) {
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

/// Makes the edits that `find` collects of a loop that is in order; what it says they are about.
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
