//! Loops with `undef` operands. Each use of `undef` may have a different value, so no fact about one use holds for
//! another. If such a loop is otherwise vectorizable, each `undef` is replaced by one value: zero for `undef` itself,
//! and a `freeze` before the loop for a choice that is made there.
//!
//! The result refines the original loop.

use crate::legality::is_unsettled;
use backedge_ir::body::Body;
use backedge_ir::builder::Builder;
use backedge_ir::constant::{ConstData, Constant};
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{Use, Value};
use backedge_ir::int::Int;
use rustc_hash::FxHashMap;

/// Replaces each `undef` in the loop with the given blocks by one value.
pub(super) fn settle(editor: &mut Editor<'_>, preheader: Block, blocks: &[Block]) {
    let body = editor.body();
    let uses: Vec<(Use, Value)> =
        blocks.iter().flat_map(|b| body.insts(*b)).flat_map(|inst| unsettled(body, *inst, blocks)).collect();
    let mut settled: FxHashMap<Value, Value> = FxHashMap::default();
    for (use_, value) in uses {
        let one = match settled.get(&value) {
            Some(one) => *one,
            None => {
                let one = settled_value(editor, preheader, value);
                settled.insert(value, one);
                one
            }
        };
        editor.set_operand(use_, one);
    }
}

/// The operands of `inst` to replace; choices inside the loop are handled by replacing their own operands.
fn unsettled(body: &Body, inst: Inst, blocks: &[Block]) -> Vec<(Use, Value)> {
    let data = body.inst(inst);
    let is_phi = data.kind.is_phi();
    let inside = |v: Value| v.as_inst().and_then(|i| body.block_of(i)).is_some_and(|b| blocks.contains(&b));
    let wanted = |v: Value| is_unsettled(body, v) && !inside(v) && (v.as_const().is_some() || !is_phi);
    let operands = data.operands.iter().enumerate().filter(|(_, v)| wanted(**v));
    operands.map(|(at, v)| (Use { user: inst, index: at as u32 }, *v)).collect()
}

fn settled_value(editor: &mut Editor<'_>, preheader: Block, value: Value) -> Value {
    let ty = editor.body().ty(value);
    if value.as_const().is_none() {
        return Builder::new(editor, Position::BeforeTerminator(preheader)).freeze(value, "");
    }
    if let Some(bits) = ty.int_bits() {
        return editor.int(Int::zero(bits));
    }
    let data = if ty.is_float() { ConstData::Float(0) } else { ConstData::Zero };
    editor.constant(Constant { ty, data }).into()
}
