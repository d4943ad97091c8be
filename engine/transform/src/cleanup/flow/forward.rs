//! Blocks that do nothing but branch on: their predecessors may go there directly.
//!
//! Kept are blocks whose address is taken, and those that loop simplify form is made of: preheaders, latches, exit
//! blocks. (What a preheader is to be or an exit block that is not dedicated may go.) Where a predecessor has an edge to
//! the successor already, the successor's phis must agree on both.

use crate::pass::{Shape, Unit};
use backedge_ir::body::Body;
use backedge_ir::editor::Editor;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{InstKind, Value};
use smallvec::SmallVec;

/// Lets the predecessors of those of `blocks` that do nothing but branch go on directly; returns how many blocks went.
pub fn forward_empty_blocks(unit: &mut Unit<'_>, blocks: &[Block]) -> usize {
    let mut forwarded = 0;
    for &block in blocks {
        if !unit.body().has_block(block) || target_of(unit.body(), block).is_none() {
            continue;
        }
        let shape = unit.shape();
        let Some(target) = target_of(unit.body(), block).filter(|t| may_go(unit.body(), &shape, block, *t))
        else {
            continue;
        };
        let mut preds: SmallVec<[Block; 4]> = shape.cfg.preds(block).into();
        preds.dedup();
        redirect(&mut unit.editor(), &preds, shape.cfg.preds(block), block, target);
        forwarded += 1;
    }
    forwarded
}

/// Where `block` branches to, if that is all that it does.
fn target_of(body: &Body, block: Block) -> Option<Block> {
    let [only] = body.insts(block) else { return None };
    let data = body.inst(*only);
    (matches!(data.kind, InstKind::Br) && data.metadata.is_empty()).then(|| data.blocks[0])
}

fn may_go(body: &Body, shape: &Shape, block: Block, target: Block) -> bool {
    let Shape { cfg, loops, .. } = shape;
    let preds = cfg.preds(block);
    let keeps = body.is_pinned(block)
        || body.entry() == Some(block)
        || target == block
        || preds.is_empty()
        || preds.iter().any(|p| !cfg.is_reachable(*p));
    // An edge into a header comes from its preheader or a latch.
    let of_header = loops.with_header(target).is_some();
    // An exit block: a predecessor is in a loop that it is not in.
    let outside = |p: &Block| loops.innermost(*p).is_some_and(|l| !loops.contains(l, block));
    // The target is an exit block of a loop that this block is in: forwarding adds exiting edges from the predecessors,
    // which changes nothing of the form.
    if keeps || of_header || preds.iter().any(outside) {
        return false;
    }
    body.phis(target).all(|phi| agrees(body, phi, block, preds))
}

/// Whether the entries of `phi` for predecessors that it has already are the one for `block`.
fn agrees(body: &Body, phi: Inst, block: Block, preds: &[Block]) -> bool {
    let Some(value) = body.incoming_from(phi, block) else { return false };
    body.inst(phi).incoming().filter(|(_, from)| preds.contains(from)).all(|(v, _)| v == value)
}

/// Every edge from `preds` to `block` goes to `target`; `edges` has a predecessor for each.
fn redirect(editor: &mut Editor<'_>, preds: &[Block], edges: &[Block], block: Block, target: Block) {
    let phis: Vec<Inst> = editor.body().phis(target).collect();
    for phi in phis {
        let Some(value): Option<Value> = editor.body().incoming_from(phi, block) else { continue };
        for &pred in edges {
            editor.add_incoming(phi, value, pred);
        }
    }
    editor.remove_edge_from_phis(target, block);
    for &pred in preds {
        editor.redirect_edges(pred, block, target);
    }
    editor.remove_block(block);
}
