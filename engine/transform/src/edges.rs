//! Deciding where a block goes on.

use backedge_ir::editor::Editor;
use backedge_ir::entity::Block;
use backedge_ir::inst::{InstData, InstKind};
use backedge_ir::metadata::MdKind;
use backedge_ir::types::Type;

/// Lets `block` end in a branch to `target`, one of its successors. The phis of successors lose their entries for the
/// edges that go; the metadata of the loop that the block closes stays.
pub(crate) fn go_to(editor: &mut Editor<'_>, block: Block, target: Block) {
    let mut kept = false;
    for successor in editor.body().successors(block).to_vec() {
        if successor == target && !kept {
            kept = true;
        } else {
            editor.remove_edge_from_phis(successor, block);
        }
    }
    let old = editor.body().terminator(block);
    let loop_md = old.and_then(|t| editor.body().inst(t).metadata_of(&MdKind::Loop).copied());
    let branch = editor.set_terminator(block, InstData::new(InstKind::Br, Type::VOID, [], [target]));
    if let Some(metadata) = loop_md {
        editor.set_metadata(branch, MdKind::Loop, metadata);
    }
}
