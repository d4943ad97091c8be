//! Debug records behind a loop that refer to its values without a phi: LCSSA form is made for what is executed.
//!
//! Where a loop is copied or makes fewer iterations, the value may be another one than the one that the loop is left with, and
//! it may not be defined on each way to the record. Then the record says nothing of the variable any more, unless it is known
//! with which copy the loop is left.

use crate::clone::Copies;
use backedge_ir::body::Body;
use backedge_ir::editor::Editor;
use backedge_ir::entity::{Block, EntitySet};
use backedge_ir::inst::{InstKind, Use, Value};

/// The places outside `blocks` in which debug records refer to values of `blocks`, with these.
pub fn behind(body: &Body, blocks: &[Block]) -> Vec<(Use, Value)> {
    let inside: EntitySet<Block> = blocks.iter().copied().collect();
    let refers = |u: &Use| {
        matches!(body.inst(u.user).kind, InstKind::DebugRecord(_))
            && body.block_of(u.user).is_some_and(|b| !inside.contains(b))
    };
    let insts = blocks.iter().flat_map(|b| body.insts(*b)).copied();
    let values = insts.map(Value::from);
    values.flat_map(|v| body.uses(v).iter().filter(|u| refers(u)).map(move |u| (*u, v))).collect()
}

/// Lets those records say nothing any more.
pub fn detach(editor: &mut Editor<'_>, places: &[(Use, Value)]) {
    for &(place, value) in places {
        let poison = editor.poison(editor.body().ty(value));
        editor.set_operand(place, poison);
    }
}

/// Lets those records refer to what `copies` has for what they refer to.
pub(crate) fn follow(editor: &mut Editor<'_>, places: &[(Use, Value)], copies: &Copies) {
    for &(place, value) in places {
        editor.set_operand(place, copies.value(value));
    }
}
