//! Zero-trip tests: finds ifs around a loop that are the loop's own test, executed before the first iteration.
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
//! Requirements: a tidied tree, and the code that it was built from. The if contains only instructions beside the
//! loop, which become its preheader and its postexit. It has no else-list, except for copies to variables that are
//! written otherwise after the loop; these move before the if. So the tree has the same meaning whatever the
//! condition is. The if is *the* test of the loop if the comparison at the loop's latch, applied to its operands one
//! iteration before the first, is known to hold after the if and not before. This definition comes from loop
//! rotation, which creates such ifs (LLVM Loop Terminology, "Rotated Loops"). If the loop is the outer one of a
//! perfect nest, the test may belong to an inner loop, since transforms produce such nests.
//!
//! An if whose condition is known where it executes, from guards around it or from ranges, decides nothing: for the
//! inner loop of a square nest, the outer loop's test already covers it. The list that executes replaces it. (If the
//! condition is undef or poison, executing it is UB.) An if with a goto out of it, in whichever list, remains.

use super::shape::Places;
use super::tidy::decide;
use crate::node::{Compare, Hir, HlInst, Kind, List, Node, Operation, Predicate};
use crate::transform::chain;
use crate::{CanonExpr, RegDdRef};
use backedge_analysis::LoopId;
use backedge_ir::entity::Block;
use backedge_ir::inst::{InstKind, IntPredicate};
use backedge_ir::int::Int;
use backedge_scev::expr::{Cast, Node as ScevNode};
use backedge_scev::{Expr, ScalarEvolution};

/// Limit on the tests of a loop, which transforms evaluate one after the other. A further if stays around the loop.
const MOST_TESTS: usize = 8;

/// Turns the ifs around loops of a region into zero-trip tests.
pub(super) fn form(scev: &mut ScalarEvolution<'_>, hir: &mut Hir, region: Node, places: &Places) {
    let mut changed = false;
    // Innermost first.
    for node in hir.nodes_in(region).into_iter().rev() {
        let Some(block) = places.ifs.get(&node) else { continue };
        if let Some(list) = known_case(scev, hir, node, *block) {
            changed |= decide(hir, node, list);
            continue;
        }
        let Some(l) = only_loop(hir, node) else { continue };
        let nest: Vec<LoopId> =
            chain(hir, l).into_iter().filter_map(|l| places.loops.get(&l)).copied().collect();
        if nest.into_iter().any(|of| is_test(scev, of, *block)) {
            put(hir, node, l);
            changed = true;
        }
    }
    if changed {
        hir.refresh_all(region);
    }
}

/// The list of an if at the end of `block` that always executes, if the if compares two integers with a known result.
fn known_case(scev: &mut ScalarEvolution<'_>, hir: &Hir, node: Node, block: Block) -> Option<List> {
    let Kind::If(branch) = hir.kind(node) else { return None };
    let ([Predicate { compare: Compare::Int(pred), refs, .. }], body) = (&branch.conditions[..], scev.body())
    else {
        return None;
    };
    let end = body.inst(body.terminator(block)?);
    let InstKind::CondBr = end.kind else { return None };
    let asked = body.inst(end.operands[0].as_inst()?);
    let InstKind::ICmp { pred: of_code, .. } = asked.kind else { return None };
    let of_bool = |refs: &[RegDdRef; 2]| {
        let is_bool = refs[0].as_terminal().is_some_and(|form| form.dest_type().width == 1);
        is_bool && refs[1].as_terminal().and_then(CanonExpr::as_constant).is_some_and(Int::is_zero)
    };
    // A comparison computed outside of the nest is read as a variable in the nest.
    let of_tree = match pred {
        _ if scev.body().ty(asked.operands[0]).int_bits() == Some(1) => return None,
        IntPredicate::Ne if of_bool(refs) => of_code,
        IntPredicate::Eq if of_bool(refs) => of_code.inverse(),
        _ => *pred,
    };
    let is_turned = of_tree == of_code.inverse();
    if !is_turned && of_tree != of_code {
        return None;
    }
    let [left, right] = [0, 1].map(|i| scev.expr(asked.operands[i]));
    let holds = scev.evaluate_in(of_code, left?, right?, block)?;
    Some(if holds == is_turned { List::Else } else { List::Then })
}

/// The loop in the if, if there are only instructions beside it, and nothing at all if the loop already has a test:
/// instructions would otherwise have to execute when one test holds and the other does not.
fn only_loop(hir: &Hir, node: Node) -> Option<Node> {
    if !has_free_else(hir, node) {
        return None;
    }
    let mut others = hir.children(node, List::Then).filter(|n| !matches!(hir.kind(*n), Kind::Inst(_)));
    let (l, other) = (others.next()?, others.next());
    let Kind::Loop(of) = hir.kind(l) else { return None };
    let is_alone = hir.first(node, List::Else).is_none() && hir.children(node, List::Then).count() == 1;
    let has_room = of.ztt.is_empty() || is_alone && of.ztt.len() < MOST_TESTS;
    (has_room && other.is_none()).then_some(l)
}

/// Whether everything in the else-list can execute before the if: copies to variables that the then-list writes too
/// and that nothing in the if reads, and no goto leaves the if.
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

/// Whether the latch comparison of `l`, applied one iteration before the first, is known to hold from the end of
/// `block` on, and not before.
fn is_test(scev: &mut ScalarEvolution<'_>, l: LoopId, block: Block) -> bool {
    asked_before(scev, l).is_some_and(|(pred, left, right)| {
        scev.is_entry_guarded(l, pred, left, right) && !scev.is_known_at(pred, left, right, block)
    })
}

/// The comparison that continues `l` at its latch, with its operands one iteration before the first.
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
    let pred = if goes_on { pred } else { pred.inverse() };
    Some(narrowed(scev, pred, [left?, right?]))
}

/// A comparison of all ones, the iteration number before the first, with a zero-extended last number, as lowering
/// emits it, is narrowed to the operand of the extension. In the wide type the operands would always differ.
fn narrowed(
    scev: &mut ScalarEvolution<'_>,
    pred: IntPredicate,
    [left, right]: [Expr; 2],
) -> (IntPredicate, Expr, Expr) {
    let is_before = scev.as_constant(left).is_some_and(Int::is_all_ones);
    match *scev.arena().node(right) {
        ScevNode::Cast(Cast::ZExt, last) if is_before && pred == IntPredicate::Ne => {
            let ones = scev.constant(Int::all_ones(scev.width(last)));
            (pred, last, ones)
        }
        _ => (pred, left, right),
    }
}

/// The value of an expression one iteration before the first of `l`.
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

/// Turns an if into a zero-trip test of the loop in it, evaluated before the tests that the loop has.
fn put(hir: &mut Hir, node: Node, l: Node) {
    let Kind::If(branch) = hir.kind(node).clone() else { return };
    hir.edit_loop(l, |of| drop(of.ztt.splice(..0, branch.conditions)));
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
