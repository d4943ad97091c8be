//! CFG cleanup: folds decided branches, removes unreachable blocks, merges blocks.
//!
//! Guarantees: phis keep one entry per edge, and blocks whose address is taken stay. Merging, and forwarding if
//! requested, keep loop-simplify and LCSSA form. The other edits may remove edges that preheaders or dedicated exits
//! need; the caller restores the forms ([`crate::form::restore`]).

mod decided;
mod forward;
mod merge;
mod select;
mod thread;
mod unreachable;

pub use decided::{fold_terminators, fold_terminators_by_facts};
pub use forward::{forward_empty_blocks, open_phis};
pub use merge::merge_blocks;
pub use select::branches_to_selects;
pub use thread::thread_known_edges;
pub use unreachable::{cut_before_unreachable, remove_unreachable};

use backedge_ir::editor::Editor;
use backedge_ir::entity::Block;
use backedge_ir::inst::{InstData, InstKind};
use backedge_ir::metadata::MdKind;
use backedge_ir::types::Type;
use smallvec::SmallVec;

/// Ends `block` in `unreachable`, removing its outgoing edges.
pub(crate) fn end_unreachable(editor: &mut Editor<'_>, block: Block) {
    let targets: SmallVec<[Block; 4]> = editor.body().successors(block).into();
    for target in targets {
        editor.remove_edge_from_phis(target, block);
    }
    editor.set_terminator(block, InstData::new(InstKind::Unreachable, Type::VOID, [], []));
}

/// Removes cases from the switch that ends `block`; `cases` are indices of its edges, in ascending order.
pub(crate) fn drop_cases(editor: &mut Editor<'_>, block: Block, cases: &[usize]) {
    let Some(switch) = editor.body().terminator(block) else { return };
    let mut data = editor.body().inst(switch).clone();
    for &index in cases.iter().rev() {
        editor.remove_edge_from_phis(data.blocks[index], block);
        data.operands.remove(index);
        data.blocks.remove(index);
    }
    // Weights are per edge.
    data.metadata.retain(|(kind, _)| *kind != MdKind::Prof);
    editor.set_terminator(block, data);
}
