//! The edits of a loop that is deleted, or whose backedge is.

use super::Done;
use super::check::{Plan, Skip};
use crate::cleanup::flow::{cut_before_unreachable, end_unreachable, remove_unreachable};
use crate::cleanup::simplify_blocks;
use crate::debug_records;
use crate::edges::go_to_all;
use crate::form;
use crate::loop_metadata;
use crate::pass::{Shape, Unit};
use backedge_analysis::LoopId;
use backedge_ir::editor::Position;
use backedge_ir::entity::Block;
use backedge_ir::inst::{InstData, InstKind};
use backedge_ir::types::Type;

/// Carries the plan out, and restores the forms of the other loops.
pub(super) fn apply(unit: &mut Unit<'_>, shape: &Shape, l: LoopId, plan: Plan) -> Done {
    let preheader = shape.loops.preheader(&shape.cfg, l);
    let done = match (plan, preheader) {
        (Plan::NeverEntered(guards), _) => {
            go_to_all(&mut unit.editor(), &guards);
            remove_unreachable(unit);
            Done::NeverEntered
        }
        (Plan::Endless, Some(preheader)) => {
            end_unreachable(&mut unit.editor(), preheader);
            remove_unreachable(unit);
            Done::Endless
        }
        (Plan::Skip(skip), Some(preheader)) => {
            let hoisted = skip.hoisted.len();
            pass_by(unit, shape, l, preheader, skip);
            Done::Deleted { hoisted }
        }
        (Plan::BreakBackedge | Plan::Endless | Plan::Skip(_), _) => {
            break_backedge(unit, shape, l);
            Done::BackedgeBroken
        }
    };
    form::restore(unit);
    done
}

/// Control goes from the preheader to the exit block.
fn pass_by(unit: &mut Unit<'_>, shape: &Shape, l: LoopId, preheader: Block, skip: Skip) {
    let Some(exit) = skip.exit else { return };
    let header = shape.loops.header(l);
    let mut editor = unit.editor();
    for &inst in &skip.hoisted {
        editor.move_to(inst, Position::BeforeTerminator(preheader));
    }
    debug_records::forget(&mut editor, shape.loops.blocks(l), (exit, skip.several));
    for (phi, value) in skip.values {
        let value = match value {
            Some(value) => value,
            None => editor.poison(editor.body().inst(phi).ty),
        };
        editor.add_incoming(phi, value, preheader);
    }
    editor.remove_edge_from_phis(header, preheader);
    editor.redirect_edges(preheader, header, exit);
    remove_unreachable(unit);
}

/// Breaks the backedge of the loop with that header, which is known not to be taken, and restores the forms of the others.
pub(crate) fn leave_in_first(unit: &mut Unit<'_>, header: Block) {
    let shape = unit.shape();
    if let Some(l) = shape.loops.with_header(header) {
        break_backedge(unit, &shape, l);
        form::restore(unit);
    }
}

/// What went over the backedge comes to an `unreachable`, which is cut off where that can be.
fn break_backedge(unit: &mut Unit<'_>, shape: &Shape, l: LoopId) {
    let header = shape.loops.header(l);
    let latches = shape.loops.latches(&shape.cfg, l);
    let (env, mut editor) = unit.env_and_editor();
    let dead = editor.add_block(None);
    editor.set_terminator(dead, InstData::new(InstKind::Unreachable, Type::VOID, [], []));
    for &latch in &latches {
        let edges = editor.body().successors(latch).iter().filter(|b| **b == header).count();
        for _ in 0..edges {
            editor.remove_edge_from_phis(header, latch);
        }
        editor.redirect_edges(latch, header, dead);
    }
    loop_metadata::take(&mut editor, &latches);
    let around: Vec<Block> = latches.into_iter().chain([dead]).collect();
    cut_before_unreachable(env, &mut editor, &around);
    remove_unreachable(unit);
    // Phis with one entry.
    if unit.body().has_block(header) && unit.body().phis(header).next().is_some() {
        simplify_blocks(unit, &[header]);
    }
}
