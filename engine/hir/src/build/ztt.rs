//! Zero-trip tests: an if around a loop that is that loop's own test, asked before the first iteration.
//!
//! ```text
//! if (0 < %n)                       %t = …;
//! {                               + DO i1 = 0, %n + -1, 1   <ZTT: 0 < %n>
//!     %t = …;                     |   …
//!     + DO i1 = 0, %n + -1, 1     + END LOOP
//!     |   …                           %r = …;
//!     + END LOOP
//!     %r = …;
//! }
//! ```
//!
//! Needs a tidied tree, and the code that it was made of. The if has nothing but instructions beside the loop, which become
//! its preheader and its postexit; and no else, but for what variables are that are written behind the loop otherwise, which
//! goes before the if. So the tree means the same whatever the condition is. It is *the* test of
//! the loop if, from the if on and not before, the comparison that goes on with the loop at its latch is known to hold of
//! what it compares one iteration before the first. Source of that definition: the rotation of loops, which makes such ifs
//! (LLVM Loop Terminology, "Rotated Loops").

use super::shape::Places;
use crate::node::{Hir, HlInst, Kind, List, Node, Operation};
use backedge_analysis::LoopId;
use backedge_ir::entity::Block;
use backedge_ir::inst::{InstKind, IntPredicate};
use backedge_scev::expr::Node as ScevNode;
use backedge_scev::{Expr, ScalarEvolution};

/// Gives the loops of a region the tests that stand around them.
pub(super) fn form(scev: &mut ScalarEvolution<'_>, hir: &mut Hir, region: Node, places: &Places) {
    let mut changed = false;
    // From inside to outside.
    for node in hir.nodes_in(region).into_iter().rev() {
        let Some(block) = places.ifs.get(&node) else { continue };
        let Some(l) = only_loop(hir, node) else { continue };
        if places.loops.get(&l).is_some_and(|of| is_test(scev, *of, *block)) {
            put(hir, node, l);
            changed = true;
        }
    }
    if changed {
        hir.refresh_all(region);
    }
}

/// The loop in the if, if there are only instructions beside it, and it has no test yet.
fn only_loop(hir: &Hir, node: Node) -> Option<Node> {
    if !has_free_else(hir, node) {
        return None;
    }
    let mut others = hir.children(node, List::Then).filter(|n| !matches!(hir.kind(*n), Kind::Inst(_)));
    let (l, other) = (others.next()?, others.next());
    matches!(hir.kind(l), Kind::Loop(of) if of.ztt.is_empty() && other.is_none()).then_some(l)
}

/// Whether all that is done where the condition does not hold could be done before it is asked: copies to variables that are
/// written otherwise too, and that nothing reads before; the if is left by its end alone.
fn has_free_else(hir: &Hir, node: Node) -> bool {
    let then: Vec<Node> = hir.children(node, List::Then).collect();
    let inside: Vec<Node> = then.iter().flat_map(|n| hir.nodes_in(*n)).chain([node]).collect();
    let is_free = |copy: Node| {
        let Kind::Inst(HlInst { operation: Operation::Copy, .. }) = hir.kind(copy) else { return false };
        hir.written(copy).is_some_and(|temp| {
            then.iter().any(|n| hir.written(*n) == Some(temp))
                && inside.iter().all(|n| !hir.read(*n).contains(&temp))
        })
    };
    let leaves = |n: &Node| match hir.kind(*n) {
        Kind::Goto(goto) => goto.label().is_none_or(|label| !hir.is_in(node, label)),
        _ => false,
    };
    hir.first(node, List::Else).is_none()
        || hir.children(node, List::Else).all(is_free) && !inside.iter().any(leaves)
}

/// Whether what `l` asks at its latch holds of what would be asked one iteration before the first, from the end of `block`
/// on, and is not known to before.
fn is_test(scev: &mut ScalarEvolution<'_>, l: LoopId, block: Block) -> bool {
    asked_before(scev, l).is_some_and(|(pred, left, right)| {
        scev.is_entry_guarded(l, pred, left, right) && !scev.is_known_at(pred, left, right, block)
    })
}

/// The comparison with which `l` goes on at its latch, with the values that it would have one iteration before the first.
fn asked_before(scev: &mut ScalarEvolution<'_>, l: LoopId) -> Option<(IntPredicate, Expr, Expr)> {
    let (body, loops) = (scev.body(), scev.loops());
    let latch = loops.single_latch(&scev.cfg(), l)?;
    let end = body.inst(body.terminator(latch)?);
    let InstKind::CondBr = end.kind else { return None };
    let asked = body.inst(end.operands[0].as_inst()?);
    let InstKind::ICmp { pred, .. } = asked.kind else { return None };
    let goes_on = end.blocks[0] == loops.header(l);
    let [left, right] = [0, 1].map(|i| scev.expr(asked.operands[i]));
    let [left, right] = [left?, right?].map(|of| one_before(scev, l, of));
    Some((if goes_on { pred } else { pred.inverse() }, left?, right?))
}

/// What an expression would be one iteration before the first of `l`.
fn one_before(scev: &mut ScalarEvolution<'_>, l: LoopId, of: Expr) -> Option<Expr> {
    match scev.arena().node(of) {
        ScevNode::AddRec(around, parts) if *around == l => {
            let (start, step) = (parts[0], *parts.get(1).filter(|_| parts.len() == 2)?);
            let back = scev.neg(step);
            Some(scev.add(&[start, back]))
        }
        _ => scev.is_invariant(of, l).then_some(of),
    }
}

/// Makes an if the zero-trip test of the loop in it.
fn put(hir: &mut Hir, node: Node, l: Node) {
    let Kind::If(branch) = hir.kind(node).clone() else { return };
    hir.edit_loop(l, |of| of.ztt = branch.conditions);
    for copy in hir.children(node, List::Else).collect::<Vec<_>>() {
        hir.move_before(node, copy);
    }
    let mut list = List::Preheader;
    for inside in hir.children(node, List::Then).collect::<Vec<_>>() {
        hir.remove(inside);
        if inside == l {
            hir.insert_before(node, l);
            list = List::Postexit;
        } else {
            hir.insert_last(l, list, inside);
        }
    }
    hir.remove(node);
}
