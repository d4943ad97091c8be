//! The edits that delete a loop, or break its backedge.

use super::check::{Decide, Plan, Skip};
use super::remarks::DeletionDone;
use crate::cleanup::flow::{cut_before_unreachable, end_unreachable, remove_unreachable};
use crate::cleanup::simplify_blocks;
use crate::edges::{cut_backedges, go_to_all};
use crate::pass::Unit;
use crate::shape::Shape;
use crate::{debug_records, form};
use backedge_analysis::LoopId;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::inst::{InstData, InstKind, Value};
use backedge_ir::types::Type;

/// Executes the plan, and restores the forms of the other loops.
pub(super) fn apply(unit: &mut Unit<'_>, shape: &Shape, l: LoopId, plan: Plan) -> DeletionDone {
    let preheader = shape.loops.preheader(&shape.cfg, l);
    let done = match (plan, preheader) {
        (Plan::NeverEntered(guards), _) => {
            go_to_all(&mut unit.editor(), &guards);
            remove_unreachable(unit);
            DeletionDone::NeverEntered
        }
        (Plan::Endless, Some(preheader)) => {
            end_unreachable(&mut unit.editor(), preheader);
            remove_unreachable(unit);
            DeletionDone::Endless
        }
        (Plan::Skip(skip), Some(preheader)) => {
            let hoisted = skip.hoisted.len();
            pass_by(unit, shape, l, preheader, skip);
            DeletionDone::Deleted { hoisted }
        }
        (Plan::Decide(decide), Some(preheader)) => {
            let exits = decide.which.ways.len();
            pass_by_to_one(unit, shape, l, preheader, decide);
            DeletionDone::Decided { exits }
        }
        (Plan::BreakBackedge | Plan::Endless | Plan::Skip(_) | Plan::Decide(_), _) => {
            break_backedge(unit, shape, l);
            DeletionDone::BackedgeBroken
        }
    };
    form::restore(unit);
    done
}

/// Redirects the preheader to the exit block.
fn pass_by(unit: &mut Unit<'_>, shape: &Shape, l: LoopId, preheader: Block, skip: Skip) {
    let Some(exit) = skip.exit else { return };
    let header = shape.loops.header(l);
    let mut editor = unit.editor();
    hoist(&mut editor, &skip.hoisted, preheader);
    debug_records::forget(&mut editor, shape.loops.blocks(l), exit, skip.several);
    add_values(&mut editor, skip.values, preheader);
    editor.remove_edge_from_phis(header, preheader);
    editor.redirect_edges(preheader, header, exit);
    remove_unreachable(unit);
}

/// Redirects the preheader to the exit block determined by the counts.
fn pass_by_to_one(unit: &mut Unit<'_>, shape: &Shape, l: LoopId, preheader: Block, decide: Decide) {
    let mut editor = unit.editor();
    hoist(&mut editor, &decide.hoisted, preheader);
    let exits: EntitySet<Block> = decide.which.ways.iter().map(|way| way.to).collect();
    for exit in exits.iter() {
        debug_records::forget(&mut editor, shape.loops.blocks(l), exit, false);
    }
    let tests = decide.which.tests(&mut editor);
    editor.remove_edge_from_phis(shape.loops.header(l), preheader);
    if let Some(old) = editor.body().terminator(preheader) {
        editor.remove(old);
    }
    let from = decide.which.lead(&mut editor, preheader, &tests);
    for (values, from) in decide.values.into_iter().zip(from) {
        add_values(&mut editor, values, from);
    }
    remove_unreachable(unit);
}

fn hoist(editor: &mut Editor<'_>, insts: &[Inst], preheader: Block) {
    for &inst in insts {
        editor.move_to(inst, Position::BeforeTerminator(preheader));
    }
}

/// Adds the phi entries for an edge from `block`.
fn add_values(editor: &mut Editor<'_>, values: Vec<(Inst, Option<Value>)>, block: Block) {
    for (phi, value) in values {
        let value = match value {
            Some(value) => value,
            None => editor.poison(editor.body().inst(phi).ty),
        };
        editor.add_incoming(phi, value, block);
    }
}

/// Breaks the backedge of the loop with that header, which is known not to be taken, and restores the forms of the
/// others.
pub(crate) fn leave_in_first(unit: &mut Unit<'_>, header: Block) {
    let shape = unit.shape();
    if let Some(l) = shape.loops.with_header(header) {
        break_backedge(unit, &shape, l);
        form::restore(unit);
    }
}

/// Redirects the backedges to an `unreachable` block, and removes the branches to it where possible.
fn break_backedge(unit: &mut Unit<'_>, shape: &Shape, l: LoopId) {
    let header = shape.loops.header(l);
    let latches = shape.loops.latches(&shape.cfg, l);
    let (env, mut editor) = unit.env_and_editor();
    let dead = editor.add_block(None);
    editor.set_terminator(dead, InstData::new(InstKind::Unreachable, Type::VOID, [], []));
    cut_backedges(&mut editor, header, &latches, dead);
    let around: Vec<Block> = latches.into_iter().chain([dead]).collect();
    cut_before_unreachable(env, &mut editor, &around);
    remove_unreachable(unit);
    // The header phis now have one entry.
    if unit.body().has_block(header) && unit.body().phis(header).next().is_some() {
        simplify_blocks(unit, &[header]);
    }
}
