//! `simple-loop-unswitch`: moves loop-invariant decisions out of the loop.
//!
//! *Trivial*: an exit that is taken in the first iteration, before any effect, or never, is decided before the loop.
//!
//! ```text
//! preheader → header: br c, exit, body        preheader: br c, exit, header' → header → body
//! ```
//! *By copies*: a branch, switch or select in the loop depends on an invariant condition. Each outcome gets its own
//! copy of the loop, and a branch before them chooses the copy.
//!
//! ```text
//! preheader → loop { … br c, a, b … }         preheader: br freeze c, loop { … a … }, loop.us { … b … }
//! ```
//! A header branch on a loaded value may keep its outcome as long as the loop takes one successor: see `one_way.rs`.
//! A conjunction or disjunction has a fixed outcome in the copy where an invariant part decides it; in the other copy
//! the invariant parts are known not to decide it.
//!
//! Needs a loop in loop-simplify form and LCSSA form, and restores both. The hoisted condition is frozen if it may be
//! poison or undef, unless the first iteration branches on it before any visible effect: then the source has UB
//! already. Replacing the value by its frozen copy in the whole loop is a refinement, since poison may become any
//! value, and undef any one value.
//!
//! The copies keep the loop's metadata, `mustprogress` included: each copy runs as the original loop would have, and
//! a copy runs forever only if the loop would have. Loops with convergent or `noduplicate` calls, with tokens, or
//! with blocks whose address is taken are not copied; nor are loops of functions that must not grow ([`Tight`]).
//!
//! LLVM's pass also injects invariant conditions (`-simple-loop-unswitch-inject-invariant-conditions`); this pass
//! does not.

mod apply;
mod branch;
mod candidates;
mod check;
pub(crate) mod condition;
mod copies;
mod dead;
mod decide;
pub(crate) mod effects;
mod known;
mod one_way;
mod remarks;

pub use remarks::{By, UnswitchDone, UnswitchMissed};

use crate::cost::Tight;
use crate::debug_records;
use crate::form;
use crate::pass::{LoopPass, Unit};
use crate::weights;
use backedge_ir::entity::{Block, EntitySet};
use candidates::Decides;
use check::{BranchExit, Exits, Facts};
use condition::Invariant;
use std::fmt;

pub use crate::rotate::FormPart;

/// The pass's name.
pub const NAME: &str = "simple-loop-unswitch";

/// Maximum number of branches and switches hoisted out of one loop: facts about the loop are recomputed after each.
const MAX_TRIVIAL: usize = 64;
/// Maximum number of times that one loop and its copies are unswitched by copying: each time may double the code.
const MAX_COPIED: usize = 64;
/// Maximum amount of duplicated code, in instructions (LLVM's `-unswitch-threshold`).
pub const DEFAULT_THRESHOLD: usize = 50;

impl fmt::Display for By {
    /// The difference between the loops, in words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Branch => "one for each way that a branch goes in all iterations",
            Self::Parts => "one in which parts decide a branch in all iterations, one in which they do not",
            Self::Select => "one for each value that a select takes in all iterations",
            Self::Switch => "one for each way that a switch goes in all iterations",
            Self::Guard => "one in which a guard holds in all iterations, one in which it does not",
            Self::OneWay => "one in which a branch goes the way that it stays on, one for before",
        })
    }
}

impl From<&Decides> for By {
    fn from(decides: &Decides) -> Self {
        match decides {
            Decides::Branch(Invariant::Whole(_)) => Self::Branch,
            Decides::Branch(Invariant::Parts { .. }) => Self::Parts,
            Decides::Select(_) => Self::Select,
            Decides::Switch { .. } => Self::Switch,
            Decides::Guard(_) => Self::Guard,
            Decides::OneWay(way) if way.forever => Self::Branch,
            Decides::OneWay(_) => Self::OneWay,
        }
    }
}

/// The pass.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct SimpleLoopUnswitch {
    /// Whether to move exits before loops.
    pub trivial: bool,
    /// Whether to copy loops.
    pub nontrivial: bool,
    /// The cost of a copy must be less than this.
    pub threshold: usize,
}

impl Default for SimpleLoopUnswitch {
    fn default() -> Self {
        Self { trivial: true, nontrivial: false, threshold: DEFAULT_THRESHOLD }
    }
}

impl LoopPass for SimpleLoopUnswitch {
    fn text(&self) -> String {
        let word = |on: bool, word: &str| if on { word.to_owned() } else { format!("no-{word}") };
        let mut params = vec![word(self.nontrivial, "nontrivial"), word(self.trivial, "trivial")];
        if self.threshold != DEFAULT_THRESHOLD {
            params.push(format!("threshold={}", self.threshold));
        }
        if *self == Self::default() { NAME.to_owned() } else { format!("{NAME}<{}>", params.join(";")) }
    }
    fn run(&self, unit: &mut Unit<'_>, header: Block) -> Option<Block> {
        let mut work = vec![header];
        let mut copied = 0;
        while let Some(next) = work.pop() {
            let trivial = self.trivial(unit, next);
            let copies = match &trivial {
                Ok(_) if self.nontrivial => self.by_copies(unit, next, &mut copied),
                Ok(_) | Err(_) => Ok(Vec::new()),
            };
            match (trivial, copies) {
                (Err(missed), _) => unit.remark(NAME, next, missed),
                (Ok(_), Ok(copies)) if !copies.is_empty() => {
                    work.push(next);
                    work.extend(copies);
                }
                // Report this only for the original loop: its copies have been unswitched.
                (Ok(false), Ok(_)) if copied == 0 && self.trivial && !self.nontrivial => {
                    unit.remark(NAME, next, UnswitchMissed::NoTrivialExit);
                }
                (Ok(false), Err(missed))
                    if copied == 0 || matches!(missed, UnswitchMissed::TooMany { .. }) =>
                {
                    unit.remark(NAME, next, missed);
                }
                (Ok(_), _) => {}
            }
        }
        unit.shape().loops.with_header(header).map(|_| header)
    }
}

impl SimpleLoopUnswitch {
    /// Moves exits before the loop; returns whether there were any.
    fn trivial(&self, unit: &mut Unit<'_>, header: Block) -> Result<bool, UnswitchMissed> {
        let (mut branches, mut exits) = (0, 0);
        while branches < MAX_TRIVIAL && self.trivial {
            let Some(facts) = facts_of(unit, header)? else { break };
            let taken = take_exits(unit, facts, MAX_TRIVIAL - branches);
            if taken.branches == 0 {
                break;
            }
            branches += taken.branches;
            exits += taken.exits;
            // Blocks that left the loop may expose more trivial exits.
            form::restore(unit);
        }
        if exits > 0 {
            unit.remark(NAME, header, UnswitchDone::Trivial { exits });
        }
        Ok(exits > 0)
    }
    /// Copies the loop once if profitable; returns the headers of the copies.
    fn by_copies(
        &self,
        unit: &mut Unit<'_>,
        header: Block,
        copied: &mut usize,
    ) -> Result<Vec<Block>, UnswitchMissed> {
        let Some(facts) = facts_of(unit, header)? else { return Ok(Vec::new()) };
        let shape = unit.shape();
        let candidates = candidates::candidates(unit.at(), &shape, &facts)?;
        if let Some(tight) = Tight::of(unit.env(), unit.func) {
            return Err(UnswitchMissed::Tight(tight));
        }
        let choice = decide::decide(unit.at(), &shape, &facts, &candidates, *self)?;
        if *copied >= MAX_COPIED {
            return Err(UnswitchMissed::TooMany { limit: MAX_COPIED });
        }
        *copied += 1;
        let freeze = candidates::to_freeze(unit.at(), &shape, &facts, &choice.candidate);
        let copies = copies::unswitch(&mut unit.editor(), &shape, &facts, &choice.candidate, &freeze);
        let by = By::from(&choice.candidate.decides);
        unit.remark(NAME, header, UnswitchDone::Copied { by, loops: copies.len() + 1, cost: choice.cost });
        form::restore(unit);
        if let Decides::OneWay(way) = &choice.candidate.decides
            && !way.forever
        {
            // If the one-way value is true, the loop in which the condition may still change is the second one.
            let other = if way.value { copies.first().copied() } else { Some(header) };
            if let Some(other) = other {
                unit.add_loop_property(other, one_way::DISABLED);
            }
        }
        Ok(copies)
    }
}

/// Facts about the loop with that header, if there is one.
fn facts_of(unit: &mut Unit<'_>, header: Block) -> Result<Option<Facts>, UnswitchMissed> {
    let shape = unit.shape();
    let Some(l) = shape.loops.with_header(header) else { return Ok(None) };
    check::check(unit.body(), &shape, l).map(Some)
}

/// What was moved before a loop.
#[derive(Copy, Clone, Default)]
struct Taken {
    /// The number of branches and switches.
    branches: usize,
    /// The number of their exits.
    exits: usize,
}

/// Moves exits of up to `most` branches and switches before the loop. The loop forest stays usable meanwhile: blocks
/// may leave the loop, but none enters it.
fn take_exits(unit: &mut Unit<'_>, mut facts: Facts, most: usize) -> Taken {
    let shape = unit.shape();
    let blocks: EntitySet<Block> = facts.blocks.iter().copied().collect();
    let mut taken = Taken::default();
    while taken.branches < most {
        let Some(trivial) = check::trivial(unit.at(), &shape, &facts) else { break };
        if taken.branches == 0 {
            let records = debug_records::after(unit.body(), &facts.blocks);
            debug_records::detach(&mut unit.editor(), &records);
        } else {
            facts.preheader = apply::next_preheader(&mut unit.editor(), &facts);
        }
        let freeze = match &trivial.exits {
            Exits::Branch(BranchExit { invariant: Invariant::Parts { parts, .. }, .. }) => {
                check::maybe_undefined(unit.at(), &facts, parts)
            }
            Exits::Branch(_) | Exits::Switch(_) => Vec::new(),
        };
        taken.branches += 1;
        taken.exits += match &trivial.exits {
            Exits::Branch(_) => 1,
            Exits::Switch(leaves) => {
                let ways = unit.body().successors(trivial.block).iter().zip(leaves);
                let targets: EntitySet<Block> =
                    ways.filter(|(_, leaves)| **leaves).map(|(to, _)| *to).collect();
                targets.len()
            }
        };
        let branch = unit.body().terminator(trivial.block);
        let weights = branch.and_then(|b| weights::of(unit.env(), unit.body(), b));
        apply::take_exit(&mut unit.editor(), &shape, &facts, &blocks, &trivial, &freeze);
        if let (Exits::Switch(leaves), Some(weights)) = (&trivial.exits, weights) {
            let [in_front, in_loop] = apply::weights_of_parts(&weights, leaves);
            weights::set(unit, facts.preheader, &in_front);
            weights::set(unit, trivial.block, &in_loop);
        }
    }
    taken
}
