//! The extent of a plan: its blocks, and the blocks that control reaches after it.

use super::{BuildMissed, Landing, MOST_EXITS, can_be_taken};
use backedge_analysis::LoopId;
use backedge_analysis::cache::{At, IrreducibleCycles};
use backedge_analysis::loops::use_block;
use backedge_ir::entity::{Block, EntitySet};

/// Limit for the number of blocks between a loop's exits and their common post-dominator, which a plan would have to
/// include; with more, a landing pad is used.
const MAX_BLOCKS_AFTER_LOOP: usize = 256;

/// See the module's documentation.
#[derive(Clone, Debug)]
pub(super) struct Extent {
    /// Its blocks, in reverse post-order.
    pub(super) blocks: Vec<Block>,
    /// The successors of these blocks outside the extent: one, or several that a landing pad chooses among.
    pub(super) exits: Vec<Block>,
    pub(super) set: EntitySet<Block>,
}

impl Extent {
    /// The extent of a loop that passed the form checks.
    pub(super) fn new(at: At<'_>, l: LoopId, landing: Landing) -> Result<Self, BuildMissed> {
        let (cfg, loops) = (at.cfg(), at.loops());
        let exits = loops.distinct_exit_blocks(&cfg, l);
        if let Landing::PostDominator = landing
            && exits.len() > 1
            && let Some(all) = Self::up_to_post_dominator(at, l, &exits)
        {
            return Ok(all);
        }
        if exits.len() > MOST_EXITS {
            return Err(BuildMissed::TooManyExits);
        }
        let blocks = loops.blocks(l).to_vec();
        Ok(Self { set: blocks.iter().copied().collect(), blocks, exits })
    }

    /// The loop and all blocks up to the common post-dominator of its exits.
    fn up_to_post_dominator(at: At<'_>, l: LoopId, exits: &[Block]) -> Option<Self> {
        let (cfg, loops, post) = (at.cfg(), at.loops(), at.post_dominators());
        let common = exits.iter().skip(1).try_fold(exits[0], |a, b| post.common(a, *b))?;
        let mut after: Vec<Block> = Vec::new();
        let mut set: EntitySet<Block> = loops.blocks(l).iter().copied().collect();
        let mut work = exits.to_vec();
        while let Some(block) = work.pop() {
            if block == common || !set.insert(block) {
                continue;
            }
            // Reject further loops: they get plans of their own.
            if loops.innermost(block) != loops.parent(l) || can_be_taken(at, block).is_err() {
                return None;
            }
            after.push(block);
            if after.len() > MAX_BLOCKS_AFTER_LOOP {
                return None;
            }
            work.extend_from_slice(cfg.succs(block));
        }
        // Every predecessor must be in the extent, and the extent must not contain the common post-dominator. It would
        // contain it if that were the header of a surrounding loop.
        let has_only_inner_preds = |block: &Block| cfg.preds(*block).iter().all(|pred| set.contains(*pred));
        if set.contains(common) || !after.iter().all(has_only_inner_preds) {
            return None;
        }
        let irreducible = at.get::<IrreducibleCycles>();
        if irreducible.0.iter().any(|cycle| cycle.blocks.iter().any(|b| set.contains(*b))) {
            return None;
        }
        let this = {
            let mut blocks: Vec<Block> = set.iter().collect();
            blocks.sort_unstable_by_key(|b| cfg.position(*b));
            Self { blocks, exits: vec![common], set }
        };
        after.iter().all(|block| this.is_closed(at, *block)).then_some(this)
    }

    /// Whether the values that a block defines are used only in the extent, or by phis on the edges out of it.
    fn is_closed(&self, at: At<'_>, block: Block) -> bool {
        let (body, cfg) = (at.body, at.cfg());
        let counts = |block: Block| cfg.is_reachable(block) && !self.set.contains(block);
        body.insts(block)
            .iter()
            .all(|inst| body.code_uses((*inst).into()).all(|use_| !use_block(body, use_).is_some_and(counts)))
    }
}
