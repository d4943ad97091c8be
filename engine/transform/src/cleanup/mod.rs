//! Cleanup: simplifies code that other transforms leave, and redundant code of the source.
//!
//! | pass | edits |
//! |---|---|
//! | `instsimplify` | replaces instructions by existing values or constants |
//! | `dce` | removes dead instructions |
//! | `simplifycfg` | folds decided branches, removes unreachable blocks, merges blocks; if-converts little code |
//! | `loop-instsimplify` | `instsimplify` for a loop |
//! | `loop-simplifycfg` | `simplifycfg` for a loop, which may no longer be a loop afterwards |
//!
//! For transforms that copy code: [`clean_loop`] after an edit of a loop, [`clean_blocks`] for a region that may no
//! longer be a loop; [`simplify_inst`] for a single instruction; the parts in [`flow`], [`sweep`](simplify_blocks)
//! and [`dead`].
//!
//! Guarantees: LCSSA and loop-simplify form are kept, except by `simplifycfg<no-keep-loops>`, which is meant for the
//! end of a pipeline without further loop passes.

mod chains;
pub mod dead;
pub mod flow;
mod passes;
mod remarks;
pub mod simplify;
mod sweep;

pub use remarks::{Cleaned, CleanupDone, CleanupMissed, Swept};

pub use passes::{Dce, InstSimplify, LoopInstSimplify, LoopSimplifyCfg, SimplifyCfg};
pub use simplify::{Simple, simplify_inst};
pub use sweep::simplify_blocks;

use crate::cse;
use crate::form;
use crate::pass::Unit;
use backedge_ir::entity::{Block, EntitySet};

/// Maximum number of rounds over a region, each of which may enable another one. Stopping early is correct.
const ROUNDS: usize = 8;

/// Cleans up the loop with that header, and returns the header if it still is a loop. Preserves loop-simplify and
/// LCSSA form of all loops.
pub fn clean_loop(unit: &mut Unit<'_>, header: Block) -> Option<Block> {
    let shape = unit.shape();
    let l = shape.loops.with_header(header)?;
    let blocks = shape.loops.blocks(l).to_vec();
    clean_blocks(unit, &blocks);
    is_header(unit, header).then_some(header)
}

/// Whether `block` still exists and is the header of a loop.
pub(crate) fn is_header(unit: &mut Unit<'_>, block: Block) -> bool {
    unit.body().has_block(block) && unit.shape().loops.with_header(block).is_some()
}

/// Cleans up `blocks`, some of which may have been removed: simplifies instructions, folds branches, removes
/// unreachable blocks, merges blocks. Preserves loop-simplify and LCSSA form of all loops.
pub fn clean_blocks(unit: &mut Unit<'_>, blocks: &[Block]) -> Cleaned {
    let mut cleaned = Cleaned::default();
    let mut blocks: Vec<Block> = blocks.iter().copied().filter(|b| unit.body().has_block(*b)).collect();
    for _ in 0..ROUNDS {
        let swept = simplify_blocks(unit, &blocks);
        let round = clean_graph(unit, &mut blocks, true);
        // Removing an edge may leave a phi with one value, which may decide a condition.
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

/// Cleans up the remaining blocks of `originals` and their copies, which are the blocks not in `known`.
pub(crate) fn clean_copies(unit: &mut Unit<'_>, known: &EntitySet<Block>, originals: &[Block]) -> Cleaned {
    let touched = |b: &Block| !known.contains(*b) || originals.contains(b);
    let blocks: Vec<Block> = unit.body().blocks().filter(touched).collect();
    let mut cleaned = clean_blocks(unit, &blocks);
    // Redundancies between the copies of an iteration appear only now.
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

/// The CFG part of [`clean_blocks`]; does not restore loop forms. If `keep_loops`, keeps the empty blocks that they
/// need.
fn clean_graph(unit: &mut Unit<'_>, blocks: &mut Vec<Block>, keep_loops: bool) -> Cleaned {
    let mut cleaned = Cleaned { folded: flow::fold_terminators_by_facts(unit, blocks), ..Cleaned::default() };
    if cleaned.folded > 0 {
        cleaned.removed = flow::remove_unreachable(unit);
        blocks.retain(|b| unit.body().has_block(*b));
    }
    cleaned.forwarded = flow::forward_empty_blocks(unit, blocks, keep_loops);
    blocks.retain(|b| unit.body().has_block(*b));
    if cleaned.forwarded > 0 {
        // Both successors may be the same block now.
        cleaned.folded += flow::fold_terminators(unit, blocks);
    }
    cleaned.merged = flow::merge_blocks(unit, blocks);
    blocks.retain(|b| unit.body().has_block(*b));
    cleaned
}
