//! The canonical order of operands. It depends on the content of expressions, not on their order of creation.
//!
//! Constants come first, so that folding finds them in front; then the order is by kind and content, with instructions
//! in text order. Expressions that differ only below [`DEEPEST`] levels are ordered by a hash of their content.

use super::{Arena, Cast, Expr, NAry, Node};
use backedge_ir::inst::Value;
use std::cmp::Ordering;

/// Limit on the depth of a comparison in operands: shared operands would be compared once for each path to them. Beyond
/// it content hashes are compared.
const DEEPEST: u32 = 8;

/// Sorts `operands` into canonical order; equal operands become adjacent.
pub fn sort_operands(arena: &Arena, operands: &mut [Expr]) {
    operands.sort_by(|a, b| compare(arena, *a, *b, 0));
}

fn rank(node: &Node) -> u8 {
    match node {
        Node::Constant(_) => 0,
        Node::Cast(Cast::Trunc, _) => 1,
        Node::Cast(Cast::ZExt, _) => 2,
        Node::Cast(Cast::SExt, _) => 3,
        Node::Cast(Cast::PtrToInt, _) => 4,
        Node::NAry(NAry::Add, _) => 5,
        Node::NAry(NAry::Mul, _) => 6,
        Node::UDiv(_) => 7,
        Node::AddRec(..) => 8,
        Node::NAry(NAry::UMax, _) => 9,
        Node::NAry(NAry::SMax, _) => 10,
        Node::NAry(NAry::UMin, _) => 11,
        Node::NAry(NAry::SMin, _) => 12,
        Node::NAry(NAry::UMinSeq, _) => 13,
        Node::Unknown(_) => 14,
        Node::CouldNotCompute => 15,
    }
}

/// The sort key of an opaque `value`. The position in the text orders instructions.
fn value_key(arena: &Arena, unknown: Expr, value: Value) -> (u8, Option<(u32, u32)>, Value) {
    let rank = match value {
        Value::Const(_) => 0,
        Value::Arg(_) => 1,
        Value::Inst(_) => 2,
    };
    (rank, arena.entries[unknown].place, value)
}

fn compare(arena: &Arena, a: Expr, b: Expr, depth: u32) -> Ordering {
    if a == b {
        return Ordering::Equal;
    }
    let (x, y) = (arena.node(a), arena.node(b));
    let by_kind = rank(x).cmp(&rank(y)).then(arena.ty(a).cmp(&arena.ty(b)));
    by_kind.then_with(|| match (x, y) {
        (Node::Constant(v), Node::Constant(w)) => v.ucmp(*w),
        (Node::Unknown(v), Node::Unknown(w)) => value_key(arena, a, *v).cmp(&value_key(arena, b, *w)),
        (Node::AddRec(l, _), Node::AddRec(m, _)) if l != m => l.cmp(m),
        _ if depth == DEEPEST => arena.entries[a].content.cmp(&arena.entries[b].content).then(a.cmp(&b)),
        _ => {
            let (v, w) = (x.operands(), y.operands());
            let differing =
                v.iter().zip(w).map(|(v, w)| compare(arena, *v, *w, depth + 1)).find(|o| o.is_ne());
            v.len().cmp(&w.len()).then(differing.unwrap_or(Ordering::Equal))
        }
    })
}
