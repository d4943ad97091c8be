//! Chains of constant additions: `(x + 1) + 1` becomes `x + 2`, so that copies of an iteration do not depend on each
//! other's counters, and counters without other uses become dead.
//!
//! Guarantees: no instruction is added, and LCSSA form is kept: the new operand of an instruction is already used by
//! its old operand, in the same loop or a surrounding one.

use crate::shape::Shape;
use backedge_ir::body::Body;
use backedge_ir::editor::Editor;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{BinaryFlags, BinaryOp, InstKind, Use, Value};
use backedge_ir::int::Int;

/// Shortens the chains that end in `blocks`; returns the number of changed instructions.
pub(super) fn shorten(editor: &mut Editor<'_>, shape: &Shape, blocks: &[Block]) -> usize {
    let insts: Vec<Inst> = blocks.iter().flat_map(|b| editor.body().insts(*b)).copied().collect();
    insts.into_iter().filter(|i| shorten_one(editor, shape, *i)).count()
}

fn shorten_one(editor: &mut Editor<'_>, shape: &Shape, inst: Inst) -> bool {
    let body = editor.body();
    let Some((before, c, outer)) = sum(body, inst) else { return false };
    let Some((base, b, inner)) = before.as_inst().and_then(|i| sum(body, i)) else { return false };
    let together =
        |v: Value| v.as_inst().and_then(|i| body.block_of(i)).and_then(|b| shape.loops.innermost(b));
    if together(inst.into()) != together(before) || base == before {
        return false;
    }
    let total = b.add(c);
    let flags = BinaryFlags {
        nuw: inner.nuw && outer.nuw,
        nsw: inner.nsw && outer.nsw && !b.add_overflows_signed(c),
        ..BinaryFlags::default()
    };
    let total = editor.int(total);
    editor.set_operand(Use { user: inst, index: 0 }, base);
    editor.set_operand(Use { user: inst, index: 1 }, total);
    editor.set_kind(inst, InstKind::Binary(BinaryOp::Add, flags));
    true
}

/// The operand to which `inst` adds a constant, the constant, and the flags.
fn sum(body: &Body, inst: Inst) -> Option<(Value, Int, BinaryFlags)> {
    let data = body.inst(inst);
    let InstKind::Binary(BinaryOp::Add, flags) = data.kind else { return None };
    Some((data.operands[0], body.as_int(data.operands[1])?, flags))
}
