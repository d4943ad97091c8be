//! `loop-peel`: peels iterations before or after the loop.
//!
//! | peeled iterations | reason |
//! |---|---|
//! | as many first iterations as needed | header phis become invariant |
//! | one iteration | recurrences settle after one step |
//! | two iterations | xor recurrences, `x - p` and swapped phis alternate: both values and derived ones are known |
//! | as many as needed | comparisons (of pointers too) are settled; minima and maxima equal one of their operands |
//! | as many as needed | lanes are uniform in rounds of iterations only from then on: `i / 8` from a multiple of 8 on |
//! | one iteration | stores of a value to an address that nothing else writes: memory holds the value from then on |
//! | as many as profile data predicts (`<profile>`), if few | most runs end in the peeled iterations |
//! | the last iteration | comparisons change only in it; `loop-peel<last>` does it unconditionally |
//!
//! A machine cost model decides whether this is worth the copies ([`crate::cost`]).
//!
//! Works on any loop in loop-simplify form, whatever its exits; peeled iterations test the exits that they can take.
//! The last iteration is peeled by splitting the iterations: the first loop makes as many iterations as the
//! backedge-taken count of the countable exits, and tests this number instead of these exits.
//!
//! Needs loop-simplify and LCSSA form, and restores both.

mod alternate;
mod causes;
mod decide;
mod remarks;
mod settled;

pub use remarks::{PeelDone, PeelMissed, Reason};

use crate::cleanup;
use crate::clone::Copies;
use crate::clone::chain::prepend;
use crate::cost::Machine;
use crate::counted::{Exit, Facts};
use crate::counted::{MOST_INSTRUCTIONS, facts_and_weighed};
use crate::edges::go_to;
use crate::form;
use crate::iteration_split::cut::{Bounds, Cut, split};
use crate::loop_metadata;
use crate::pass::{LoopPass, Unit};
use crate::unroll::apply;
use crate::weights::{self, Probability};
use alternate::Computed;
use backedge_ir::editor::Editor;
use backedge_ir::entity::{Block, EntitySet};
use backedge_ir::int::Int;
use backedge_ir::metadata::MdRef;
use decide::{Choice, First, Last};

/// The pass's name.
pub const NAME: &str = "loop-peel";

/// Metadata with the number of peeled iterations of a loop.
const PEELED: &str = "llvm.loop.peeled.count";

/// The pass.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct LoopPeel {
    /// The number of iterations to peel, if requested.
    pub count: Option<usize>,
    /// Whether to peel the last iteration, and no other.
    pub last: bool,
    /// Whether to peel iterations to simplify the rest.
    pub simplifying: bool,
    /// Whether to peel as many iterations as profile data predicts, if these are few and there is no other reason to
    /// peel.
    pub profile: bool,
    /// The machine of the cost model.
    pub machine: Machine,
    /// Largest number of peeled iterations, unless requested.
    pub most_iterations: usize,
    /// Size limit of all peeled iterations together, in instructions.
    pub most_instructions: usize,
}

impl Default for LoopPeel {
    fn default() -> Self {
        Self {
            count: None,
            last: false,
            simplifying: true,
            profile: false,
            machine: Machine::default(),
            most_iterations: 7,
            most_instructions: 150,
        }
    }
}

impl LoopPass for LoopPeel {
    fn text(&self) -> String {
        let plain = Self::default();
        let mut params: Vec<String> = self.count.map(|n| format!("count={n}")).into_iter().collect();
        if self.last {
            params.push("last".to_owned());
        }
        if self.profile {
            params.push("profile".to_owned());
        }
        if self.most_instructions != plain.most_instructions {
            params.push(format!("threshold={}", self.most_instructions));
        }
        if self.machine != plain.machine {
            params.push(format!("machine={}", self.machine.name));
        }
        if params.is_empty() { NAME.to_owned() } else { format!("{NAME}<{}>", params.join(";")) }
    }
    fn run(&self, unit: &mut Unit<'_>, header: Block) -> Option<Block> {
        match self.peel_if_worth(unit, header, NAME)? {
            Ok(left) => left,
            Err(missed) => {
                unit.remark(NAME, header, missed);
                Some(header)
            }
        }
    }
}

impl LoopPeel {
    /// Peels the loop with that header; returns the new header if it is still a loop. Remarks are made in the name of
    /// `pass`.
    pub(crate) fn peel_if_worth(
        &self,
        unit: &mut Unit<'_>,
        header: Block,
        pass: &'static str,
    ) -> Option<Result<Option<Block>, PeelMissed>> {
        let most_instructions = self.most_instructions.min(MOST_INSTRUCTIONS);
        let options = Self { most_instructions, ..*self };
        let chosen = facts_and_weighed(unit, header, |scev, shape, facts, cost| {
            decide::decide(scev, shape, facts, cost, &options)
        });
        let (facts, choice) = match chosen? {
            Ok(chosen) => chosen,
            Err(missed) => return Some(Err(missed)),
        };
        let label = unit.label(header);
        let known: EntitySet<Block> = unit.body().blocks().collect();
        let (env, mut editor) = unit.env_and_editor_at(facts.ring.latch);
        apply::prepare(env, &mut editor, &facts);
        let telling = weights::telling(env, editor.body(), &facts.exits);
        let telling = telling.map(|(exit, trips)| (exit.block, exit.stay_at, trips));
        let mut expects = Vec::new();
        let mut none_in_front = None;
        let done = match choice {
            Choice::First(First { count, reason, alternates, stored, settled, table }) => {
                let copies = if alternates {
                    let computed = Computed::of(env, editor.body(), &facts).unwrap_or_default();
                    alternate::peel(&mut editor, &facts, &computed.used)
                } else {
                    peel(&mut editor, &facts, count)
                };
                if let Some((block, stay_at, trips)) = telling {
                    let blocks = copies.iter().map(|c| c.block(block)).chain([block]);
                    expects = (0..).zip(blocks).map(|(i, b)| (b, stay_at, trips.saturating_sub(i))).collect();
                }
                settled.iter().for_each(|settled| settled.settle(&mut editor, &copies));
                stored.into_iter().for_each(|store| editor.remove(store));
                note_peeled(unit, facts.ring.latch, count);
                let left = |trips: u64| Some(trips.saturating_sub(count as u64));
                loop_metadata::estimate(unit, facts.ring.latch, left);
                PeelDone::First { count, reason, table }
            }
            Choice::Last(last) => {
                weights::forget(&mut editor, last.counted.iter().map(|i| facts.exits[*i].block));
                let is_counted = |block| last.counted.iter().any(|i| facts.exits[*i].block == block);
                let telling = telling.filter(|(block, ..)| is_counted(*block));
                let closing = peel_last(&mut editor, &facts, &last);
                loop_metadata::estimate(unit, closing, |trips| Some(trips.saturating_sub(1)));
                expects.extend(telling.map(|(.., trips)| (closing, 1, trips.saturating_sub(1))));
                // If the first iteration is the last one, the main loop is skipped.
                none_in_front = telling.map(|(.., trips)| Probability::one_in(trips));
                PeelDone::Last { table: last.table }
            }
        };
        for (block, stay_at, trips) in expects {
            weights::expect(unit, block, stay_at, trips);
        }
        if let Some(none) = none_in_front {
            weights::expect_first(unit, facts.ring.preheader, none);
        }
        unit.remark_at(pass, label, done);
        form::restore(unit);
        cleanup::clean_copies(unit, &known, &facts.ring.blocks);
        Some(Ok(cleanup::is_header(unit, header).then_some(header)))
    }
}

/// Peels the last iteration after the loop, which tests its iteration number instead of the counted exits. Returns
/// the block with this test.
fn peel_last(editor: &mut Editor<'_>, facts: &Facts, last: &Last) -> Block {
    let rounds = last.count.emit(editor);
    let counted = last.counted.iter().map(|i| &facts.exits[*i]);
    let stays = counted.filter_map(|e| Some((e.block, e.stay?))).collect();
    let cut = Cut { ring: facts.ring.clone(), stays, factor: 1, leave: None, tag: "last" };
    let halves = split(editor, &cut, Bounds { rounds, rest: None });
    for &(comparison, before) in &last.settled {
        let [before, then] = [before, !before].map(|truth| editor.int(Int::bool(truth)));
        if let Some(copy) = halves.copies.inst(comparison) {
            editor.replace_uses(copy.into(), then);
        }
        editor.replace_uses(comparison.into(), before);
    }
    // If there is one counted exit, it is taken in the last iteration whenever control reaches it.
    if let [only] = last.counted[..]
        && let Exit { block, leave: Some(leave), .. } = facts.exits[only]
    {
        go_to(editor, halves.copies.block(block), leave);
    }
    apply::cut_backedge(editor, &halves.second);
    halves.first.latch
}

/// Records that `count` more iterations of the loop with latch `latch` are peeled.
fn note_peeled(unit: &mut Unit<'_>, latch: Block, count: usize) {
    let (env, body) = unit.env_and_body();
    let before = loop_metadata::number(env, body, latch, PEELED).map_or(0, |n| n.bits());
    let count = u32::try_from(before + count as u128).unwrap_or(u32::MAX);
    let id = loop_metadata::with_number(env, body, latch, PEELED, count);
    loop_metadata::set(&mut unit.editor(), latch, MdRef::Node(id));
}

/// Peels the first `count` iterations before the loop; exits are tested where they can be taken.
fn peel(editor: &mut Editor<'_>, facts: &Facts, count: usize) -> Vec<Copies> {
    let copies = prepend(editor, &facts.ring, count, "peel");
    apply::decide_tests_in_order(editor, &facts.exits, &copies);
    copies
}
