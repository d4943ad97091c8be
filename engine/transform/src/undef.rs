//! Constants that may be `undef`, where each use may see another value. A pass that replaces a phi with such a
//! constant, or copies its uses, must freeze it first.

use backedge_ir::body::Body;
use backedge_ir::constant::ConstData;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::Const;
use backedge_ir::inst::{InstData, InstKind, Value};

/// Whether `value` is a constant that contains `undef`, or has too many parts to check cheaply.
pub(crate) fn has_undef(body: &Body, value: Value) -> bool {
    /// Maximum number of parts of a constant examined; a larger one may contain `undef`.
    const MAX_PARTS: usize = 256;
    let mut parts: Vec<Const> = value.as_const().into_iter().collect();
    let mut looked_at = 0;
    while let Some(part) = parts.pop() {
        looked_at += 1;
        match &body.constant(part).data {
            ConstData::Int(_)
            | ConstData::Float(_)
            | ConstData::Zero
            | ConstData::Poison
            | ConstData::Bytes(_)
            | ConstData::Global(_)
            | ConstData::BlockAddress(_)
            | ConstData::Metadata(_) => {}
            ConstData::Undef => return true,
            ConstData::Splat(element) => parts.push(*element),
            ConstData::Aggregate(elements) => parts.extend(elements.iter().take(MAX_PARTS)),
            ConstData::Expr(expr) => parts.extend(expr.operands.iter()),
        }
        if looked_at + parts.len() >= MAX_PARTS {
            return true;
        }
    }
    false
}

/// `value`, or a `freeze` of it at `position` if it may be `undef`.
pub(crate) fn pinned(editor: &mut Editor<'_>, value: Value, position: Position) -> Value {
    if !has_undef(editor.body(), value) {
        return value;
    }
    let ty = editor.body().ty(value);
    editor.insert_new(position, InstData::new(InstKind::Freeze, ty, [value], [])).into()
}
