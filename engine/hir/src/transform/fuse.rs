//! Fusion: merges two consecutive loops with the same trip count.
//!
//! Iteration `j` of the second loop then executes before iteration `i` of the first wherever `j < i`. So fusion is
//! illegal if the body of the second loop, appended to that of the first, would have a dependence from the second
//! body to the first. The dependence graph of the fused loop shows this: in it such pairs execute in that order, and
//! the absence of an edge proves that they never touch a common byte, whatever values they hold. Source: Kennedy and
//! McKinley, "Maximizing Loop Parallelism and Improving Data Locality via Loop Fusion and Distribution" (1993).
//!
//! The zero-trip tests must be equal, so that both loops run or neither does. No variable may be written in one of
//! the loops and read or written in the other. Only instructions may be between the loops, in the same list, and each
//! must be movable before the first loop or after the second. The same holds for the first loop's postexit and the
//! second loop's preheader, which execute under the test and move to the preheader or postexit of the fused loop.
//!
//! Profitable if both loops touch the same cache line in one iteration: it is then read once.

use super::legal::{are_equal_tests, counted, graph, is_orderly, loops_in, read_in, written_in};
use super::locality::{LINE, accesses, distance};
use super::rewrite::{declares_scopes, forget_scopes};
use super::{Gain, Outcome, Profit, TransformDone, TransformMissed};
use crate::barrier::Barrier;
use crate::ddg::Edge;
use crate::node::{Hir, Kind, List, Node};
use rustc_hash::FxHashSet;

/// Limit on the nodes of the fused loop: its dependences are recomputed for each loop that joins it, and a larger one
/// exceeds the caches.
const MOST_NODES: usize = 100;

/// Two loops that can be fused.
#[derive(Clone, Debug)]
pub struct Legal {
    first: Node,
    second: Node,
    /// Instructions between the loops that move before or after both; under the test of the loops if `under_test`.
    before: Vec<Node>,
    after: Vec<Node>,
    under_test: bool,
}

/// Checks whether `first` and the next loop can be fused.
pub fn check(hir: &Hir, first: Node) -> Result<Legal, TransformMissed> {
    let (second, between) = next_loop(hir, first)?;
    let [a, b] = [counted(hir, first)?, counted(hir, second)?];
    if !are_equal_tests(&a.of.ztt, &b.of.ztt) {
        return Err(TransformMissed::OtherCount);
    }
    let (a, b) = (a.upper, b.upper);
    let known = a.as_constant().zip(b.as_constant());
    if !a.same_as(b) && known.is_none_or(|(a, b)| a.bits() != b.bits()) {
        return Err(TransformMissed::OtherCount);
    }
    let parts = parts(hir, first, second)?;
    let under_test = !parts.is_empty();
    if under_test && !between.is_empty() {
        return Err(TransformMissed::Parts);
    }
    let between = if under_test { parts } else { between };
    if hir.nodes_in(first).len() + hir.nodes_in(second).len() > MOST_NODES {
        return Err(TransformMissed::TooLarge);
    }
    is_orderly(hir, first)?;
    is_orderly(hir, second)?;
    let [written, also_written] = [first, second].map(|l| written_in(hir, l));
    let [read, also_read] = [first, second].map(|l| read_in(hir, l));
    let is_shared = |temp| also_read.contains(temp) || also_written.contains(temp);
    if written.iter().any(is_shared) || also_written.iter().any(|temp| read.contains(temp)) {
        return Err(TransformMissed::Scalar);
    }
    let (before, after) = moved(hir, [first, second], between, under_test)?;
    let moved: FxHashSet<Node> = before.iter().chain(&after).copied().collect();
    let legal = Legal { first, second, before, after, under_test };
    // The tree after fusion.
    let mut then = hir.clone();
    let of_second: FxHashSet<Node> =
        hir.nodes_in(second).into_iter().filter(|node| !moved.contains(node)).collect();
    apply(&mut then, legal.clone());
    for edge in graph(&then, first)?.edges() {
        // Moved instructions were checked separately.
        let stays = ![edge.source.node, edge.sink.node].iter().any(|node| moved.contains(node));
        let is_back = stays && of_second.contains(&edge.source.node) && !of_second.contains(&edge.sink.node);
        if is_back {
            return Err(if edge.assumed { TransformMissed::Assumed } else { TransformMissed::Dependence });
        }
    }
    Ok(legal)
}

/// The loop after `first` and the instructions between them, if there is nothing else.
fn next_loop(hir: &Hir, first: Node) -> Result<(Node, Vec<Node>), TransformMissed> {
    let (mut between, mut barrier) = (Vec::new(), None);
    let mut next = hir.next(first);
    while let Some(node) = next {
        if matches!(hir.kind(node), Kind::Loop(_)) {
            return barrier.map_or(Ok((node, between)), |barrier| Err(TransformMissed::Between(barrier)));
        }
        if !may_be_moved(hir, node) {
            barrier = barrier.or_else(|| Some(Barrier::of_node(hir, node)));
        } else if between.len() < MOST_NODES {
            between.push(node);
        } else {
            barrier = barrier.or(Some(Barrier::TooMuch));
        }
        next = hir.next(node);
    }
    Err(TransformMissed::NoNeighbour)
}

/// Whether the node is an instruction that others may be moved past. Code must not move across a declaration of
/// scopes.
fn may_be_moved(hir: &Hir, node: Node) -> bool {
    matches!(hir.kind(node), Kind::Inst(inst) if inst.reorderable) && !declares_scopes(hir, node)
}

/// The first loop's postexit and the second loop's preheader, if they contain only movable instructions.
fn parts(hir: &Hir, first: Node, second: Node) -> Result<Vec<Node>, TransformMissed> {
    let after = hir.children(first, List::Postexit);
    let parts: Vec<Node> = after.chain(hir.children(second, List::Preheader)).collect();
    if parts.len() < MOST_NODES && parts.iter().all(|node| may_be_moved(hir, *node)) {
        Ok(parts)
    } else {
        Err(TransformMissed::Parts)
    }
}

/// Divides the instructions between two loops into those that move before the first loop, because they depend on
/// nothing in it, and those that move after the second.
fn moved(
    hir: &Hir,
    [first, second]: [Node; 2],
    between: Vec<Node>,
    under_test: bool,
) -> Result<(Vec<Node>, Vec<Node>), TransformMissed> {
    let (mut before, mut after) = (Vec::new(), Vec::new());
    if between.is_empty() {
        return Ok((before, after));
    }
    let around = hir.parent_loop(first).or_else(|| hir.region(first)).ok_or(TransformMissed::NoGraph)?;
    let graph = graph(hir, around)?;
    let depends = |of: Node, on: &dyn Fn(Node) -> bool| {
        graph.edges().iter().any(|edge| edge.sink.node == of && on(edge.source.node))
    };
    let all: FxHashSet<Node> = between.iter().copied().collect();
    // For instructions under the test, the first loop's preheader stays before them, and the second loop's postexit
    // after them.
    let is_part = |node: Node, l: Node, beside: List| {
        let stays_beside = under_test && hir.list_within(l, node) == Some(beside);
        hir.is_in(l, node) && !all.contains(&node) && !stays_beside
    };
    for node in between {
        let comes_first = |n: Node| after.contains(&n) || is_part(n, first, List::Preheader);
        if depends(node, &comes_first) { after.push(node) } else { before.push(node) }
    }
    let is_used =
        |edge: &Edge| after.contains(&edge.source.node) && is_part(edge.sink.node, second, List::Postexit);
    if graph.edges().iter().any(is_used) { Err(TransformMissed::Dependence) } else { Ok((before, after)) }
}

/// Decides whether they should be fused.
pub fn decide(hir: &mut Hir, legal: &Legal, profit: Profit) -> Result<(), TransformMissed> {
    profit.asks(|| share_a_line(hir, legal), Gain::Line)
}

/// Whether an access of one loop shares a cache line with one of the other in the same iteration of both; accesses in
/// inner loops count as far as is known.
fn share_a_line(hir: &mut Hir, legal: &Legal) -> bool {
    let level = hir.loop_level(legal.first);
    let [of_first, of_second] = [legal.first, legal.second].map(|l| accesses(hir, l));
    of_first.iter().any(|a| {
        of_second.iter().any(|b| {
            distance(hir, [a, b], level)
                .is_some_and(|apart| apart.within || apart.bytes.unsigned_abs() < LINE)
        })
    })
}

/// Applies the fusion; the first loop then contains both bodies.
pub fn apply(hir: &mut Hir, legal: Legal) {
    let Legal { first, second, before, after, under_test } = legal;
    let region = hir.region(first);
    if under_test {
        let last: Vec<Node> = hir.children(second, List::Postexit).collect();
        for (l, list, nodes) in [
            (first, List::Preheader, &before),
            (second, List::Postexit, &after),
            (second, List::Postexit, &last),
        ] {
            for node in nodes {
                hir.remove(*node);
                hir.insert_last(l, list, *node);
            }
        }
    } else {
        before.iter().for_each(|node| hir.move_before(first, *node));
        after.iter().rev().for_each(|node| hir.move_after(second, *node));
    }
    let most = match hir.kind(second) {
        Kind::Loop(of) => of.most,
        _ => None,
    };
    hir.edit_loop(first, |of| {
        of.most = of.most.into_iter().chain(most).min();
        of.options = None;
    });
    [first, second].into_iter().for_each(|l| forget_scopes(hir, l));
    hir.move_all((second, List::Body), (first, List::Body));
    hir.move_all((second, List::Postexit), (first, List::Postexit));
    hir.remove(second);
    if let Some(region) = region {
        hir.refresh_all(region);
    }
}

/// Fuses consecutive loops of a region.
pub fn run(hir: &mut Hir, region: Node, profit: Profit) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    for first in loops_in(hir, region) {
        // The loop may have been merged into another one.
        if hir.region(first) != Some(region) {
            continue;
        }
        loop {
            let legal = check(hir, first).and_then(|legal| decide(hir, &legal, profit).map(|()| legal));
            let outcome = Outcome::attempt(hir, first, legal, |_| TransformDone::Fused, apply);
            let is_done = outcome.result.is_ok();
            if outcome.result != Err(TransformMissed::NoNeighbour) {
                outcomes.push(outcome);
            }
            if !is_done {
                break;
            }
        }
    }
    outcomes
}
