//! `iteration-set-split`: a loop becomes two, of which the first makes the iterations up to a point that is known in
//! front of it. Runtime unrolling is built on the same edit ([`cut`]).
//!
//! Points come from comparisons in the loop that are the same up to some iteration (`i < n` with an add recurrence `i`):
//! the first loop does not make them, nor does the second if they stay the other. Or they are given
//! (`iteration-set-split<at=N>`), for tests and experiments.
//!
//! Two loops are made where two do: the second is a copy of the loop as it was, so that no third one is needed for
//! iterations that overflow or were not foreseen. A second comparison is a matter of running the pass again.
//!
//! Needs a loop in loop simplify form and LCSSA form, and restores both.

mod apply;
pub(crate) mod check;
pub mod cut;
mod decide;

use crate::counted::{Facts, Unfit, check_form, facts};
use crate::form;
use crate::pass::{LoopPass, Unit};
use crate::size::size_of;
use crate::unroll;
use backedge_ir::entity::Block;
use backedge_scev::ScalarEvolution;
use decide::Choice;
use std::fmt;

/// The pass's name.
pub const NAME: &str = "iteration-set-split";

/// What the pass did to a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Done {
    /// There are two loops.
    Split {
        /// The comparison that the split is made for, if it has a name.
        comparison: Option<String>,
        /// Whether it is gone from the second loop too.
        both: bool,
    },
}

impl Done {
    /// The name of what was done.
    pub fn name(&self) -> &'static str {
        let Self::Split { .. } = self;
        "Split"
    }
}

impl fmt::Display for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Split { comparison, both } = self;
        let loops = if *both { "both loops" } else { "the first loop" };
        match comparison {
            Some(name) => write!(f, "split where '%{name}' changes: it is settled in {loops}"),
            None => f.write_str("split"),
        }
    }
}

/// Why a loop is not split.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Missed {
    /// Its iterations can't be taken apart.
    Unfit(Unfit),
    /// No exit that each iteration passes has a count that is known.
    NotCounted,
    /// No comparison in the loop is the same up to some iteration.
    NoPoint,
    /// Where to split can't be computed in front of the loop, or at too high a cost.
    ExpensiveCount,
}

impl Missed {
    /// The name of the reason.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Unfit(why) => why.name(),
            Self::NotCounted => "NotCounted",
            Self::NoPoint => "NoPoint",
            Self::ExpensiveCount => "ExpensiveCount",
        }
    }
}

impl fmt::Display for Missed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unfit(why) => why.fmt(f),
            Self::NotCounted => f.write_str("no exit that each iteration passes can be counted"),
            Self::NoPoint => f.write_str("no comparison in it is the same up to some iteration"),
            Self::ExpensiveCount => f.write_str("where to split can't be computed cheaply in front of it"),
        }
    }
}

/// The pass.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct IterationSetSplit {
    /// The number of iterations of the first loop, if it is given.
    pub at: Option<u64>,
    /// How many instructions a loop may have to be copied.
    pub most_instructions: usize,
    /// What computing the bounds may cost, in units of an addition.
    pub count_budget: u32,
}

impl Default for IterationSetSplit {
    fn default() -> Self {
        Self { at: None, most_instructions: 200, count_budget: 24 }
    }
}

impl LoopPass for IterationSetSplit {
    fn text(&self) -> String {
        let plain = Self::default();
        let mut params: Vec<String> = self.at.map(|n| format!("at={n}")).into_iter().collect();
        if self.most_instructions != plain.most_instructions {
            params.push(format!("threshold={}", self.most_instructions));
        }
        if params.is_empty() { NAME.to_owned() } else { format!("{NAME}<{}>", params.join(";")) }
    }
    fn run(&self, unit: &mut Unit<'_>, header: Block) -> Option<Block> {
        match self.check_and_decide(unit, header)? {
            Ok((facts, choice)) => {
                let label = unit.label(header);
                let comparison =
                    choice.comparison.and_then(|c| unit.body().value_name(c.inst.into()).map(str::to_owned));
                let both = choice.comparison.is_some_and(|c| c.stays);
                let (env, mut editor) = unit.env_and_editor();
                unroll::apply::prepare(env, &mut editor, &facts);
                apply::apply(&mut editor, &facts, &choice);
                unit.remark_at(NAME, label, Done::Split { comparison, both });
                form::restore(unit);
            }
            Err(missed) => unit.remark(NAME, header, missed),
        }
        Some(header)
    }
}

impl IterationSetSplit {
    fn check_and_decide(
        &self,
        unit: &mut Unit<'_>,
        header: Block,
    ) -> Option<Result<(Facts, Choice), Missed>> {
        let shape = unit.shape();
        let l = shape.loops.with_header(header)?;
        let ring = match check_form(unit, &shape, l) {
            Ok(ring) => ring,
            Err(why) => return Some(Err(Missed::Unfit(why))),
        };
        let size = size_of(unit.env(), unit.body(), &ring.blocks);
        let mut scev = ScalarEvolution::new(unit.at());
        let facts = facts(&mut scev, &shape, l, ring);
        let choice = decide::decide(&mut scev, &shape, (l, &facts), size, self);
        Some(choice.map(|choice| (facts, choice)))
    }
}
