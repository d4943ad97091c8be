//! Merges a block into its only predecessor.

use super::work::Work;
use crate::reduce::edit::merge;
use backedge_ir::entity::Block;

pub(super) fn run(work: &mut Work<'_, '_, '_>) -> Option<()> {
    let graph = work.graph.clone();
    let body = work.body();
    let only = |b: &Block| matches!(graph.cfg.preds(*b), [pred] if body.successors(*pred).len() == 1);
    let blocks: Vec<Block> = graph.cfg.rpo().iter().copied().filter(only).collect();
    let block = work.one_of(&blocks)?;
    merge(&mut work.editor, block).then_some(())
}
