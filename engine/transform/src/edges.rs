//! Replacing a terminator by an unconditional branch to one of its successors, and cutting backedges.

use crate::loop_metadata;
use backedge_ir::editor::Editor;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{InstData, InstKind};
use backedge_ir::metadata::MdKind;
use backedge_ir::types::Type;
use smallvec::SmallVec;

/// Makes `block` end in a branch to `target`, one of its successors. Phis of the successors lose their entries for
/// the removed edges. If `block` is a latch, the loop metadata is kept.
pub(crate) fn go_to(editor: &mut Editor<'_>, block: Block, target: Block) {
    go_to_all(editor, &[(block, target)]);
}

/// Does the same for several blocks, each with its target, in time linear in the phis of all successors.
pub(crate) fn go_to_all(editor: &mut Editor<'_>, ways: &[(Block, Block)]) {
    let mut gone: Vec<(Block, Block)> = Vec::new();
    for &(block, target) in ways {
        let mut kept = false;
        for &successor in editor.body().successors(block) {
            if successor == target && !kept {
                kept = true;
            } else {
                gone.push((successor, block));
            }
        }
    }
    gone.sort_by_key(|(successor, _)| *successor);
    for edges in gone.chunk_by(|a, b| a.0 == b.0) {
        let from: SmallVec<[Block; 8]> = edges.iter().map(|(_, from)| *from).collect();
        let phis: SmallVec<[Inst; 8]> = editor.body().phis(edges[0].0).collect();
        for phi in phis {
            editor.remove_all_incoming(phi, &from);
        }
    }
    for &(block, target) in ways {
        let old = editor.body().terminator(block);
        let loop_md = old.and_then(|t| editor.body().inst(t).metadata_of(&MdKind::Loop).copied());
        let branch = editor.set_terminator(block, InstData::new(InstKind::Br, Type::VOID, [], [target]));
        if let Some(metadata) = loop_md {
            editor.set_metadata(branch, MdKind::Loop, metadata);
        }
    }
}

/// Redirects the edges from `latches` to `header` to `dead`, which ends in `unreachable`. The phis of the header lose
/// their entries for these edges, and the latches their loop metadata. The backedges must never be taken.
pub(crate) fn cut_backedges(editor: &mut Editor<'_>, header: Block, latches: &[Block], dead: Block) {
    for &latch in latches {
        let edges = editor.body().successors(latch).iter().filter(|b| **b == header).count();
        for _ in 0..edges {
            editor.remove_edge_from_phis(header, latch);
        }
        editor.redirect_edges(latch, header, dead);
    }
    loop_metadata::take(editor, latches);
}
