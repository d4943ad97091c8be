//! Debug records after a loop that refer to its values without a phi: LCSSA form covers executed code only.
//!
//! If a loop is copied or makes fewer iterations, the value may differ from the one the loop is left with, or may not
//! dominate the record. The record's value then becomes unknown, unless the copy that leaves the loop is known.

use crate::clone::Copies;
use backedge_ir::body::Body;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::inst::{InstData, InstKind, Use, Value};

/// The operands of debug records outside `blocks` that refer to values of `blocks`, with these values.
pub fn after(body: &Body, blocks: &[Block]) -> Vec<(Use, Value)> {
    let inside: EntitySet<Block> = blocks.iter().copied().collect();
    let refers = |u: &Use| {
        matches!(body.inst(u.user).kind, InstKind::DebugRecord(_))
            && body.block_of(u.user).is_some_and(|b| !inside.contains(b))
    };
    let insts = blocks.iter().flat_map(|b| body.insts(*b)).copied();
    let values = insts.map(Value::from);
    values.flat_map(|v| body.uses(v).iter().filter(|u| refers(u)).map(move |u| (*u, v))).collect()
}

/// Makes the values of those records unknown.
pub fn detach(editor: &mut Editor<'_>, places: &[(Use, Value)]) {
    for &(place, value) in places {
        let poison = editor.poison(editor.body().ty(value));
        editor.set_operand(place, poison);
    }
}

/// Makes those records refer to the copies of their values.
pub(crate) fn follow(editor: &mut Editor<'_>, places: &[(Use, Value)], copies: &Copies) {
    for &(place, value) in places {
        editor.set_operand(place, copies.value(value));
    }
}

/// Updates debug records when control reaches `exit` without the loop of `blocks`. Variables that the loop assigned
/// get an unknown value at the start of `exit`. If `several` edges led out of the loop, the values in `exit`'s own
/// records become unknown too.
pub(crate) fn forget(editor: &mut Editor<'_>, blocks: &[Block], exit: Block, several: bool) {
    if several {
        for record in value_records(editor.body(), &[exit]) {
            make_unknown(editor, record);
        }
    }
    let mut told: Vec<InstData> = Vec::new();
    for record in value_records(editor.body(), blocks) {
        let data = editor.body().inst(record).clone();
        if !told.iter().any(|other| other.kind == data.kind) {
            told.push(data);
        }
    }
    let is_head = |kind: &InstKind| !matches!(kind, InstKind::Phi(_) | InstKind::LandingPad { .. });
    let body = editor.body();
    let Some(head) = body.insts(exit).iter().copied().find(|i| is_head(&body.inst(*i).kind)) else { return };
    for data in told {
        let record = editor.insert(Position::Before(head), data);
        make_unknown(editor, record);
    }
}

/// Moves `record` to the end of `block` and makes its value unknown, since the variable may have that value or
/// another one there. Removes the record if it gives no value.
pub(crate) fn make_unknown_at(editor: &mut Editor<'_>, record: Inst, block: Block) {
    if gives_value(editor.body(), record) {
        editor.move_to(record, Position::BeforeTerminator(block));
        make_unknown(editor, record);
    } else {
        editor.remove(record);
    }
}

/// The records in `blocks` that give a variable a value.
fn value_records(body: &Body, blocks: &[Block]) -> Vec<Inst> {
    blocks.iter().flat_map(|b| body.insts(*b)).copied().filter(|i| gives_value(body, *i)).collect()
}

fn gives_value(body: &Body, inst: Inst) -> bool {
    matches!(&body.inst(inst).kind, InstKind::DebugRecord(record) if record.pieces[0].starts_with("#dbg_value("))
}

/// Makes the value of a record unknown.
fn make_unknown(editor: &mut Editor<'_>, record: Inst) {
    let operands = editor.body().inst(record).operands.clone();
    for (index, operand) in operands.into_iter().enumerate() {
        let poison = editor.poison(editor.body().ty(operand));
        editor.set_operand(Use { user: record, index: index as u32 }, poison);
    }
}
