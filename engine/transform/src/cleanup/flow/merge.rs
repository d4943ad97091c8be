//! Merges a block into its only predecessor, if it is the only successor of that.
//!
//! Both blocks are in the same loops, and the second is not a header, so no preheader, dedicated exit, latch or LCSSA
//! phi is lost.

use crate::pass::Unit;
use crate::undef::pinned;
use backedge_ir::body::Body;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::InstKind;
use rustc_hash::FxHashMap;

/// Merges the blocks of `blocks` that are the only successor of their only predecessor into it; returns their number.
pub fn merge_blocks(unit: &mut Unit<'_>, blocks: &[Block]) -> usize {
    let shape = unit.shape();
    let mut editor = unit.editor();
    let mut merged_into: FxHashMap<Block, Block> = FxHashMap::default();
    for &block in blocks {
        let &[mut pred] = shape.cfg.preds(block) else { continue };
        while let Some(&into) = merged_into.get(&pred) {
            pred = into;
        }
        if shape.cfg.is_reachable(block)
            && editor.body().has_block(block)
            && may_merge(editor.body(), pred, block)
        {
            merge(&mut editor, pred, block);
            merged_into.insert(block, pred);
        }
    }
    merged_into.len()
}

/// Whether `pred` ends in `br block`, and `block`, which has no other predecessor, can be removed.
fn may_merge(body: &Body, pred: Block, block: Block) -> bool {
    let only_way = body.terminator(pred).is_some_and(|t| matches!(body.inst(t).kind, InstKind::Br));
    let stays = body.is_pinned(block) || body.entry() == Some(block);
    only_way && body.successors(pred) == [block] && pred != block && !stays
}

fn merge(editor: &mut Editor<'_>, pred: Block, block: Block) {
    let phis: Vec<Inst> = editor.body().phis(block).collect();
    for phi in phis {
        let Some(&value) = editor.body().inst(phi).operands.first() else { continue };
        let value = pinned(editor, value, Position::BeforeTerminator(pred));
        if !editor.body().uses(phi.into()).is_empty() {
            editor.replace_uses(phi.into(), value);
        }
        editor.remove(phi);
    }
    if let Some(branch) = editor.body().terminator(pred) {
        editor.remove(branch);
    }
    let insts: Vec<Inst> = editor.body().insts(block).to_vec();
    for inst in insts {
        editor.move_to(inst, Position::End(pred));
    }
    let targets: Vec<Block> = editor.body().successors(pred).to_vec();
    for target in targets {
        editor.replace_phi_block(target, block, pred);
    }
    editor.remove_block(block);
}
