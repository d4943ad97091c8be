//! Edits of branches and switches that keep one phi entry per edge.

use backedge_ir::editor::Editor;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{InstData, InstKind, Value};
use backedge_ir::metadata::MdKind;
use backedge_ir::types::Type;
use smallvec::SmallVec;

/// Makes `block`, which ends in a branch or switch, go to its successor at `index` only.
pub(super) fn go_only_to(editor: &mut Editor<'_>, block: Block, index: usize) {
    let Some(terminator) = editor.body().terminator(block) else { return };
    let successors: SmallVec<[Block; 4]> = editor.body().successors(block).into();
    for (i, &successor) in successors.iter().enumerate() {
        if i != index {
            editor.remove_edge_from_phis(successor, block);
        }
    }
    set_kept(editor, block, terminator, InstData::new(InstKind::Br, Type::VOID, [], [successors[index]]));
}

/// Ends `block` in `data` instead of `old`, with what the metadata of `old` says of the loop and of the source.
pub(super) fn set_kept(editor: &mut Editor<'_>, block: Block, old: Inst, mut data: InstData) {
    let kept = |k: &MdKind| matches!(k, MdKind::Loop | MdKind::Dbg);
    data.metadata = editor.body().inst(old).metadata.iter().filter(|(k, _)| kept(k)).cloned().collect();
    editor.set_terminator(block, data);
}

/// Adds an entry for an edge from `from` to each phi of `to`: what `value` says that the phi takes there.
pub(super) fn add_edge(
    editor: &mut Editor<'_>,
    to: Block,
    from: Block,
    value: impl Fn(&Editor<'_>, Inst) -> Option<Value>,
) {
    let phis: SmallVec<[Inst; 8]> = editor.body().phis(to).collect();
    for phi in phis {
        if let Some(value) = value(editor, phi) {
            editor.add_incoming(phi, value, from);
        }
    }
}

/// Adds an entry for one more edge from `from` to each phi of `to`, which has one already.
pub(super) fn add_same_edge(editor: &mut Editor<'_>, to: Block, from: Block) {
    add_edge(editor, to, from, |editor, phi| editor.body().incoming_from(phi, from));
}
