//! Edits of branches and switches that keep one phi entry per edge.

use backedge_ir::editor::Editor;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{InstData, Value};
use backedge_ir::metadata::MdKind;
use smallvec::SmallVec;

/// Replaces the terminator `old` of `block` by `data`, keeping the loop metadata and debug location of `old`.
pub(super) fn set_kept(editor: &mut Editor<'_>, block: Block, old: Inst, mut data: InstData) {
    let kept = |k: &MdKind| matches!(k, MdKind::Loop | MdKind::Dbg);
    data.metadata = editor.body().inst(old).metadata.iter().filter(|(k, _)| kept(k)).cloned().collect();
    editor.set_terminator(block, data);
}

/// Adds an entry for an edge from `from` to each phi of `to`; `value` gives the incoming value.
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

/// Adds an entry for a further edge from `from` to each phi of `to`.
pub(super) fn add_same_edge(editor: &mut Editor<'_>, to: Block, from: Block) {
    add_edge(editor, to, from, |editor, phi| editor.body().incoming_from(phi, from));
}
