//! Peeling by two for recurrences that alternate.
//!
//! A phi that is carried on by `p ^ x` or `x - p` has two values, in turn. Both are computed in two iterations in front of
//! the loop, and nothing of it is left in the loop: two phis take each other's value.

use crate::clone::Copies;
use crate::clone::chain::{prepend, replace_incoming};
use crate::counted::Facts;
use crate::split::{inherit_name, new_phi};
use crate::unroll::apply::decide_tests_in_order;
use backedge_ir::body::Body;
use backedge_ir::editor::Editor;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{BinaryOp, InstKind, Value};

/// Puts two iterations in front of the loop, and lets phis that alternate do so without computing.
pub(super) fn peel(editor: &mut Editor<'_>, facts: &Facts) -> Vec<Copies> {
    let ring = &facts.ring;
    let phis: Vec<Inst> = editor.body().phis(ring.header).collect();
    let alternating: Vec<(Inst, Value)> =
        phis.iter().filter_map(|phi| Some((*phi, carried_on(editor.body(), facts, *phi)?))).collect();
    let copies = prepend(editor, ring, 2, "peel");
    decide_tests_in_order(editor, &facts.exits, &copies);
    let [first, second] = &copies[..] else { return copies };
    let entry = second.block(ring.latch);
    for (phi, carried) in alternating {
        // In iteration 2 it is what it was in iteration 0, and in iteration 3 what it was in iteration 1.
        let (even, odd) = (first.value(phi.into()), second.value(phi.into()));
        let ty = editor.body().inst(phi).ty;
        // One entry per edge, as `phi` has them.
        let blocks = editor.body().inst(phi).blocks.clone();
        let values: Vec<Value> = blocks.iter().map(|b| if *b == entry { odd } else { phi.into() }).collect();
        let other = new_phi(editor, ring.header, ty, &values, &blocks);
        inherit_name(editor, other, phi, "other");
        replace_incoming(editor, phi, ring.latch, ring.latch, other.into());
        replace_incoming(editor, phi, entry, entry, even);
        // What was computed to carry it on is the other value.
        editor.replace_uses_if(carried, other.into(), |body, u| {
            body.block_of(u.user).is_some_and(|b| ring.blocks.contains(&b)) || body.inst(u.user).kind.is_phi()
        });
    }
    copies
}

/// What `phi` is carried on by, if that is an xor with, or a difference from, something invariant.
fn carried_on(body: &Body, facts: &Facts, phi: Inst) -> Option<Value> {
    let carried = body.incoming_from(phi, facts.ring.latch)?;
    let inst = carried.as_inst()?;
    let data = body.inst(inst);
    let InstKind::Binary(op, flags) = data.kind else { return None };
    let invariant =
        |v: Value| v.as_inst().and_then(|i| body.block_of(i)).is_none_or(|b| !facts.ring.blocks.contains(&b));
    let p = Value::from(phi);
    let (a, b) = (data.operands[0], data.operands[1]);
    let wraps = !flags.nuw && !flags.nsw;
    let alternates = match op {
        BinaryOp::Xor => a == p && invariant(b) || b == p && invariant(a),
        BinaryOp::Sub => b == p && invariant(a) && wraps,
        _ => false,
    };
    alternates.then_some(carried)
}
