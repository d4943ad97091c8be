//! The edits of `loop-simplify`. Each is a split of predecessors, except cutting edges and folding phis.

use super::check::Repair;
use crate::loop_metadata;
use crate::shape::Shape;
use crate::split::{BlockPosition, NewPhis, Split, split_predecessors};
use crate::undef::has_undef;
use backedge_analysis::LoopId;
use backedge_ir::editor::Editor;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{InstData, InstKind, Value};
use backedge_ir::types::Type;
use smallvec::SmallVec;

/// Applies `repair` to `l`; returns the header of the outer loop if one was separated. `exit_phis` says when new exit
/// blocks get phis.
pub(crate) fn apply(
    editor: &mut Editor<'_>,
    shape: &Shape,
    l: LoopId,
    repair: &Repair,
    exit_phis: NewPhis,
) -> Option<Block> {
    match repair {
        Repair::Cut(blocks) => blocks.iter().for_each(|b| cut(editor, *b)),
        Repair::Preheader(preds) => insert_preheader(editor, shape, l, preds),
        Repair::Exits(exits) => {
            for (exit, preds) in exits {
                dedicate_exit(editor, shape, *exit, preds, exit_phis);
            }
        }
        Repair::FoldPhis(phis) => fold_phis(editor, phis),
        Repair::Separate(preds) => return Some(separate(editor, shape, l, preds)),
        Repair::Unify(_) => unify_backedges(editor, shape, l),
    }
    None
}

/// Replaces each phi by its value and removes it.
pub(crate) fn fold_phis(editor: &mut Editor<'_>, phis: &[(Inst, Value)]) {
    for &(phi, value) in phis {
        editor.replace_uses(phi.into(), value);
        editor.remove(phi);
    }
}

/// Ends the unreachable `block` in `unreachable`. Phis that are left with one entry are replaced by its value, as in
/// LLVM, which exposes further simplifications.
fn cut(editor: &mut Editor<'_>, block: Block) {
    let successors: SmallVec<[Block; 4]> = editor.body().successors(block).into();
    for successor in successors {
        let phis: SmallVec<[Inst; 8]> = editor.body().phis(successor).collect();
        editor.remove_edge_from_phis(successor, block);
        for phi in phis {
            if let [value] = *editor.body().inst(phi).operands
                && value != phi.into()
                && !has_undef(editor.body(), value)
            {
                editor.replace_uses(phi.into(), value);
                editor.remove(phi);
            }
        }
    }
    editor.set_terminator(block, InstData::new(InstKind::Unreachable, Type::VOID, [], []));
}

fn insert_preheader(editor: &mut Editor<'_>, shape: &Shape, l: LoopId, preds: &[Block]) {
    let header = shape.loops.header(l);
    let split = Split {
        preds,
        suffix: "preheader",
        phi_suffix: "ph",
        phis: NewPhis::WhereNeeded,
        place: BlockPosition::Before(header),
    };
    split_predecessors(editor, header, shape.cfg.preds(header), split);
}

/// Splits `preds`, the predecessors of `exit` in a loop, off into a new block. If `exit` is the header of a
/// surrounding loop, the new block replaces them as its latch and takes over their loop metadata, if it belongs to
/// that loop.
fn dedicate_exit(editor: &mut Editor<'_>, shape: &Shape, exit: Block, preds: &[Block], phis: NewPhis) {
    let closes_another = |pred: &&Block| {
        let to = editor.body().successors(**pred).iter();
        to.filter(|to| **to != exit)
            .any(|to| shape.loops.with_header(*to).is_some_and(|l| shape.loops.contains(l, **pred)))
    };
    let closing: Vec<Block> = preds.iter().filter(|pred| !closes_another(pred)).copied().collect();
    let metadata = loop_metadata::common(editor.body(), &closing).filter(|_| closing.len() == preds.len());
    loop_metadata::take(editor, &closing);
    let split =
        Split { preds, suffix: "loopexit", phi_suffix: "ph", phis, place: BlockPosition::Before(exit) };
    // The exits of two loops may be split in sequence; the graph has the predecessors from before.
    let block = split_predecessors(editor, exit, shape.cfg.preds(exit), split);
    if let Some(metadata) = metadata {
        loop_metadata::set(editor, block, metadata);
    }
}

/// The last block of `preds` in block order.
fn last_in_text(editor: &Editor<'_>, preds: &[Block]) -> Option<Block> {
    editor.body().blocks().rev().find(|b| preds.contains(b))
}

fn unify_backedges(editor: &mut Editor<'_>, shape: &Shape, l: LoopId) {
    let header = shape.loops.header(l);
    let latches = shape.loops.latches(&shape.cfg, l);
    let metadata = loop_metadata::common(editor.body(), &latches);
    loop_metadata::take(editor, &latches);
    let place = last_in_text(editor, &latches).map_or(BlockPosition::Before(header), BlockPosition::After);
    let split =
        Split { preds: &latches, suffix: "backedge", phi_suffix: "be", phis: NewPhis::WhereNeeded, place };
    let latch = split_predecessors(editor, header, shape.cfg.preds(header), split);
    if let Some(metadata) = metadata {
        loop_metadata::set(editor, latch, metadata);
    }
}

/// Inserts the header of an outer loop before `l`'s header, entered by `preds`. The old loop's metadata stays with
/// the inner loop: statements about any two iterations hold for the inner loop's iterations too, which are a subset.
/// Metadata that not all latches had belonged to no loop.
fn separate(editor: &mut Editor<'_>, shape: &Shape, l: LoopId, preds: &[Block]) -> Block {
    let header = shape.loops.header(l);
    let latches = shape.loops.latches(&shape.cfg, l);
    if loop_metadata::common(editor.body(), &latches).is_none() {
        loop_metadata::take(editor, &latches);
    }
    let outer: Vec<Block> = latches.into_iter().filter(|b| preds.contains(b)).collect();
    loop_metadata::take(editor, &outer);
    let split = Split {
        preds,
        suffix: "outer",
        phi_suffix: "ph",
        phis: NewPhis::WhereNeeded,
        place: BlockPosition::Before(header),
    };
    split_predecessors(editor, header, shape.cfg.preds(header), split)
}
