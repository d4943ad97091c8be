//! Simplifies a loop after unswitching: known values become constants, and their users are folded.
//!
//! Needs values that are invariant in the whole loop. Guarantees phis with one entry per edge; unreachable blocks are
//! kept. Does not fold instructions that were constant before.

use crate::edges::go_to;
use crate::fold::fold;
use backedge_ir::body::Body;
use backedge_ir::editor::Editor;
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::inst::{BinaryOp, InstData, InstKind, Use, Value};
use backedge_ir::int::Int;
use backedge_ir::types::Type;
use smallvec::SmallVec;

/// Replaces the uses of `value` in `blocks` by `constant` and adds the users to `users`.
pub(super) fn replace_in(
    editor: &mut Editor<'_>,
    blocks: &EntitySet<Block>,
    value: Value,
    constant: Value,
    users: &mut Vec<Inst>,
) {
    let inside = |body: &Body, u: &Use| body.block_of(u.user).is_some_and(|b| blocks.contains(b));
    let body = editor.body();
    let mut uses: Vec<Use> = body.uses(value).iter().copied().filter(|u| inside(body, u)).collect();
    uses.sort_unstable();
    for use_ in uses {
        editor.set_operand(use_, constant);
        users.push(use_.user);
    }
}

/// Folds the instructions of `work`, and transitively their users, where possible.
pub(super) fn fold_users(editor: &mut Editor<'_>, mut work: Vec<Inst>) {
    while let Some(inst) = work.pop() {
        let Some(block) = editor.body().block_of(inst) else { continue };
        let data = editor.body().inst(inst);
        if data.kind.is_terminator() {
            if let Some(index) = taken(editor.body(), data) {
                let target = data.blocks[index];
                go_to(editor, block, target);
            }
            continue;
        }
        let data = data.clone();
        let Some(value) = simplified(editor, &data) else { continue };
        // In unreachable code a value may depend on itself.
        if value == inst.into() {
            continue;
        }
        work.extend(editor.body().uses(inst.into()).iter().map(|u| u.user));
        editor.replace_uses(inst.into(), value);
        editor.remove(inst);
    }
}

/// The index of the successor that a branch or switch on a constant takes.
fn taken(body: &Body, data: &InstData) -> Option<usize> {
    let condition = body.as_int(*data.operands.first()?)?;
    match &data.kind {
        InstKind::CondBr => Some(usize::from(condition.is_zero())),
        InstKind::Switch => {
            let mut cases = data.operands[1..].iter();
            Some(cases.position(|c| body.as_int(*c) == Some(condition)).map_or(0, |i| i + 1))
        }
        _ => None,
    }
}

/// Folds an instruction with constant operands, or a conjunction or disjunction with one constant operand.
fn simplified(editor: &mut Editor<'_>, data: &InstData) -> Option<Value> {
    let ints: SmallVec<[Option<Int>; 3]> = data.operands.iter().map(|v| editor.body().as_int(*v)).collect();
    if let (InstKind::Select(_), Some(Some(condition))) = (&data.kind, ints.first()) {
        return Some(data.operands[if condition.is_zero() { 2 } else { 1 }]);
    }
    if let Some(value) = neutral(editor.body(), data, &ints) {
        return Some(value);
    }
    let ints: Option<SmallVec<[Int; 3]>> = ints.into_iter().collect();
    let value = fold(&data.kind, data.ty, &ints?)?;
    Some(editor.int(value))
}

/// `x` for `x & true`, false for `x & false` and so on.
fn neutral(body: &Body, data: &InstData, ints: &[Option<Int>]) -> Option<Value> {
    if data.ty != Type::I1 {
        return None;
    }
    let scalar = |c: Value| (body.ty(c) == Type::I1).then_some(c);
    match (&data.kind, &*data.operands, ints) {
        (InstKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), _), &[a, b], &[x, y]) => {
            let (known, constant, other) = x.map(|x| (x, a, b)).or(y.map(|y| (y, b, a)))?;
            let decides = known.is_zero() == (*op == BinaryOp::And);
            Some(if decides { constant } else { other })
        }
        // `select c, x, x`, in particular `select c, false, false` and `select c, true, true`.
        (InstKind::Select(_), &[_, a, b], _) if a == b => Some(a),
        (InstKind::Select(_), &[c, ..], &[_, Some(a), Some(b)]) if !a.is_zero() && b.is_zero() => scalar(c),
        _ => None,
    }
}
