//! `iteration-set-split`: splits a loop in two; the first loop makes the iterations before a point that is computed
//! before it. Runtime unrolling uses the same edit ([`cut`]).
//!
//! The split point comes from
//!
//! - comparisons in the loop that are constant before some iteration (`i < n` with an add recurrence `i`): the first
//!   loop does not need them, nor does the second if they keep the other value;
//! - a requested divisor (`iteration-set-split<multiple=N>`): the first loop makes a multiple of N iterations;
//! - the user (`iteration-set-split<at=N>`).
//!
//! A machine cost model decides whether a comparison is worth a copy of the loop ([`crate::cost`]). Two loops are
//! created where two suffice: the second is a copy of the original loop, so no third one is needed for overflow or
//! unforeseen iterations. Another worthwhile comparison in one of the two creates a third loop: pre, main and post
//! loop.
//!
//! Needs a loop in loop simplify form and LCSSA form, and restores both.

mod apply;
pub(crate) mod check;
pub mod cut;
pub(crate) mod decide;
mod remarks;

pub use remarks::{IterationSplitDone, IterationSplitMissed};

use crate::cleanup;
use crate::cost::Machine;
use crate::counted::facts_and_weighed;
use crate::form;
use crate::loop_metadata;
use crate::pass::{LoopPass, Unit};
use crate::{unroll, weights};
use apply::Expected;
use backedge_ir::entity::{Block, EntitySet};
use decide::Settled;

/// The pass's name.
pub const NAME: &str = "iteration-set-split";

/// Maximum number of loops created from one: a pre, a main and a post loop.
const MOST_LOOPS: usize = 3;

/// The pass.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct IterationSetSplit {
    /// The number of iterations of the first loop, if requested.
    pub at: Option<u64>,
    /// A divisor of the number of iterations of the first loop, if requested.
    pub multiple: Option<u64>,
    /// The machine of the cost model.
    pub machine: Machine,
    /// Maximum size of a loop to copy, in instructions.
    pub most_instructions: usize,
    /// Cost limit for computing the bounds, in units of an addition.
    pub count_budget: u32,
}

impl Default for IterationSetSplit {
    fn default() -> Self {
        Self {
            at: None,
            multiple: None,
            machine: Machine::default(),
            most_instructions: 200,
            count_budget: 24,
        }
    }
}

impl LoopPass for IterationSetSplit {
    fn text(&self) -> String {
        let plain = Self::default();
        let mut params: Vec<String> = self.at.map(|n| format!("at={n}")).into_iter().collect();
        params.extend(self.multiple.map(|n| format!("multiple={n}")));
        if self.most_instructions != plain.most_instructions {
            params.push(format!("threshold={}", self.most_instructions));
        }
        if self.machine != plain.machine {
            params.push(format!("machine={}", self.machine.name));
        }
        if params.is_empty() { NAME.to_owned() } else { format!("{NAME}<{}>", params.join(";")) }
    }
    fn run(&self, unit: &mut Unit<'_>, header: Block) -> Option<Block> {
        let given = self.at.is_some() || self.multiple.is_some();
        let mut loops = 1;
        let mut work = vec![header];
        while let Some(header) = work.pop() {
            // Report missed splits only for the original loop.
            let quiet = loops > 1;
            let Some(second) = self.split_once(unit, header, quiet) else { continue };
            loops += 1;
            if given || loops == MOST_LOOPS {
                break;
            }
            // The second loop, which remains after the first change, is processed first.
            work.extend([header, second]);
        }
        cleanup::is_header(unit, header).then_some(header)
    }
}

impl IterationSetSplit {
    /// Splits the loop with that header; returns the header of the second loop. If `quiet`, failures are not
    /// reported.
    fn split_once(&self, unit: &mut Unit<'_>, header: Block, quiet: bool) -> Option<Block> {
        let chosen = facts_and_weighed(unit, header, |scev, shape, facts, cost| {
            decide::decide(scev, shape, facts, cost, self)
        });
        let (facts, choice) = match chosen? {
            Ok(chosen) => chosen,
            Err(missed) => {
                if !quiet {
                    unit.remark(NAME, header, missed);
                }
                return None;
            }
        };
        let label = unit.label(header);
        let comparison =
            choice.comparison.and_then(|c| unit.body().value_name(c.inst.into()).map(str::to_owned));
        let both = choice.comparison.is_some_and(Settled::everywhere);
        let between = choice.comparison.is_some_and(|c| c.once);
        let known: EntitySet<Block> = unit.body().blocks().collect();
        let (env, mut editor) = unit.env_and_editor_at(facts.ring.latch);
        unroll::apply::prepare(env, &mut editor, &facts);
        let has_profile = weights::telling(env, editor.body(), &facts.exits).is_some();
        let expected = apply::expected(env, editor.body(), &facts, &choice);
        weights::forget(&mut editor, choice.dropped.iter().map(|i| facts.exits[*i].block));
        let halves = apply::apply(&mut editor, &facts, &choice);
        for ring in [&halves.first, &halves.second] {
            loop_metadata::estimate(unit, ring.latch, |_| None);
        }
        if has_profile {
            weights::set(unit, facts.ring.preheader, &weights::SELDOM);
        }
        if let Some(Expected { exit: (exit, stay_at), first, second }) = expected {
            if let Some(first) = first {
                // The latch of the first loop leaves at its first successor.
                weights::expect(unit, halves.first.latch, 1, first.max(1));
            }
            weights::expect(unit, halves.copies.block(exit), stay_at, second.max(1));
        }
        unit.remark_at(
            NAME,
            label,
            IterationSplitDone::Split { comparison, both, between, table: choice.table },
        );
        form::restore(unit);
        cleanup::clean_copies(unit, &known, &facts.ring.blocks);
        Some(halves.second.header)
    }
}
