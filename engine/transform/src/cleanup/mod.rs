//! Cleaning up: what other transforms leave behind, and what was never of use.
//!
//! | pass | what it does |
//! |---|---|
//! | `instsimplify` | replaces instructions by values that are there already, or by constants |
//! | `dce` | removes instructions that nothing needs |
//! | `simplifycfg` | folds decided branches, removes unreachable blocks, merges blocks; makes selects of branches around little code |
//! | `loop-instsimplify` | the first in a loop |
//! | `loop-simplifycfg` | the last in a loop, which may be a loop no more then |
//!
//! For transforms that copy code: [`clean_loop`] after an edit of a loop, [`clean_blocks`] for a region that may be a
//! loop no more; [`simplify_inst`] for a single instruction; the parts in [`flow`], [`sweep`](simplify_blocks) and
//! [`dead`].
//!
//! Guarantees: code that was in LCSSA and loop simplify form is so afterwards, but for `simplifycfg<no-keep-loops>`, which
//! is for when no loop pass follows.

mod chains;
pub mod dead;
pub mod flow;
mod passes;
pub mod simplify;
mod sweep;

pub use passes::{Dce, Done, InstSimplify, LoopInstSimplify, LoopSimplifyCfg, Missed, SimplifyCfg};
pub use simplify::{Simple, simplify_inst};
pub use sweep::{Swept, simplify_blocks};

use crate::cse;
use crate::form;
use crate::pass::Unit;
use backedge_ir::entity::{Block, EntitySet};

/// How often a region is gone over.
const ROUNDS: usize = 8;

/// What cleaning up has done.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Cleaned {
    /// What became of instructions.
    pub swept: Swept,
    /// Branches and switches that were decided.
    pub folded: usize,
    /// Blocks that can't be reached any more, and are gone.
    pub removed: usize,
    /// Blocks merged into their predecessor.
    pub merged: usize,
    /// Empty blocks that are passed by.
    pub forwarded: usize,
    /// Whether there was still something to do after the last round.
    pub stopped: bool,
}

impl Cleaned {
    /// Whether anything was done.
    pub fn changed(self) -> bool {
        self.swept.changed() || self.changed_graph()
    }
    pub(crate) fn add(&mut self, other: Self) {
        self.swept.replaced += other.swept.replaced;
        self.swept.removed += other.swept.removed;
        self.folded += other.folded;
        self.removed += other.removed;
        self.merged += other.merged;
        self.forwarded += other.forwarded;
    }
    /// Whether blocks or edges were changed.
    pub fn changed_graph(self) -> bool {
        self.folded + self.removed + self.merged + self.forwarded > 0
    }
}

/// Cleans up the loop with that header, and returns its header if it still is a loop. All loops are in loop simplify and
/// LCSSA form afterwards if they were before.
pub fn clean_loop(unit: &mut Unit<'_>, header: Block) -> Option<Block> {
    let shape = unit.shape();
    let l = shape.loops.with_header(header)?;
    let blocks = shape.loops.blocks(l).to_vec();
    clean_blocks(unit, &blocks);
    is_header(unit, header).then_some(header)
}

/// Whether `block` still stands and is the header of a loop.
pub(crate) fn is_header(unit: &mut Unit<'_>, block: Block) -> bool {
    unit.body().has_block(block) && unit.shape().loops.with_header(block).is_some()
}

/// Cleans up `blocks`, some of which may be gone: simplifies instructions, folds branches, removes what can't be reached
/// any more, merges. All loops are in loop simplify and LCSSA form afterwards if they were before.
pub fn clean_blocks(unit: &mut Unit<'_>, blocks: &[Block]) -> Cleaned {
    let mut cleaned = Cleaned::default();
    let mut blocks: Vec<Block> = blocks.iter().copied().filter(|b| unit.body().has_block(*b)).collect();
    for _ in 0..ROUNDS {
        let swept = simplify_blocks(unit, &blocks);
        let round = clean_graph(unit, &mut blocks, true);
        // An edge less may leave a phi with one value, and that a condition decided.
        cleaned.stopped = round.folded > 0;
        cleaned.add(Cleaned { swept, ..round });
        if !cleaned.stopped {
            break;
        }
    }
    if cleaned.changed_graph() {
        form::restore(unit);
    }
    cleaned
}

/// Cleans up what is there of `originals` and of their copies, which are the blocks that are not among `known`.
pub(crate) fn clean_copies(unit: &mut Unit<'_>, known: &EntitySet<Block>, originals: &[Block]) -> Cleaned {
    let touched = |b: &Block| !known.contains(*b) || originals.contains(b);
    let blocks: Vec<Block> = unit.body().blocks().filter(touched).collect();
    let mut cleaned = clean_blocks(unit, &blocks);
    // What the copies of an iteration have in common shows only now.
    let blocks: Vec<Block> = blocks.into_iter().filter(|b| unit.body().has_block(*b)).collect();
    let repeated = cse::run_on(unit, Some(&blocks));
    let shape = unit.shape();
    let shortened = chains::shorten(&mut unit.editor(), &shape, &blocks);
    if repeated + shortened > 0 {
        cleaned.swept.removed += repeated;
        cleaned.swept.replaced += shortened;
        cleaned.add(clean_blocks(unit, &blocks));
    }
    cleaned
}

/// The part of [`clean_blocks`] that is about the graph; forms are not restored yet. Empty blocks that they need stay if
/// `keep_loops`.
fn clean_graph(unit: &mut Unit<'_>, blocks: &mut Vec<Block>, keep_loops: bool) -> Cleaned {
    let mut cleaned = Cleaned { folded: flow::fold_terminators_by_facts(unit, blocks), ..Cleaned::default() };
    if cleaned.folded > 0 {
        cleaned.removed = flow::remove_unreachable(unit);
        blocks.retain(|b| unit.body().has_block(*b));
    }
    cleaned.forwarded = flow::forward_empty_blocks(unit, blocks, keep_loops);
    blocks.retain(|b| unit.body().has_block(*b));
    if cleaned.forwarded > 0 {
        // Both ways may lead to the same block now.
        cleaned.folded += flow::fold_terminators(unit, blocks);
    }
    cleaned.merged = flow::merge_blocks(unit, blocks);
    blocks.retain(|b| unit.body().has_block(*b));
    cleaned
}
