//! Fusion: of two loops, one behind the other, that run equally often, one is made.
//!
//! Iteration `j` of the second loop is then executed before iteration `i` of the first wherever `j < i`. So what is asked is
//! whether the body of the second loop, put behind that of the first, would have a dependence from it to that: the graph of
//! the loop as it would be says so (there such pairs are executed in that order, and that they have no edge says that they
//! never touch a byte in common, whatever they hold). Source: Kennedy and McKinley, "Maximizing Loop Parallelism and Improving
//! Data Locality via Loop Fusion and Distribution" (1993).
//!
//! Their zero-trip tests are the same, so that both run or none does. No variable may be written in one of the loops and
//! read or written in the other. Between the loops, in one list, only instructions may stand of which each can go before the
//! first loop, or else behind the second.
//!
//! It is done if both touch the same memory: something is read in the cache then.

use super::legal::{ask_the_same, counted, graph, is_orderly, loops_in, read_in, written_in};
use super::rewrite::{declares_scopes, forget_scopes};
use super::{Done, Missed, Outcome};
use crate::Symbase;
use crate::ddg::Edge;
use crate::node::{Hir, Kind, List, Node};
use rustc_hash::FxHashSet;

/// A loop of more nodes is not made: each loop that joins it has its dependences found anew, and it fits no cache.
const MOST_NODES: usize = 100;

/// Two loops that may be made one.
#[derive(Clone, Debug)]
pub struct Legal {
    first: Node,
    second: Node,
    /// What stands between them and goes before or behind both.
    before: Vec<Node>,
    behind: Vec<Node>,
}

/// Whether `first` and the loop behind it can be made one.
pub fn check(hir: &Hir, first: Node) -> Result<Legal, Missed> {
    let (second, between) = next_loop(hir, first).ok_or(Missed::NoNeighbour)?;
    let [a, b] = [counted(hir, first)?, counted(hir, second)?];
    if !ask_the_same(&a.of.ztt, &b.of.ztt) {
        return Err(Missed::OtherCount);
    }
    let (a, b) = (a.upper, b.upper);
    let known = a.as_constant().zip(b.as_constant());
    if !a.same_as(b) && known.is_none_or(|(a, b)| a.bits() != b.bits()) {
        return Err(Missed::OtherCount);
    }
    let parts = [(first, List::Postexit), (second, List::Preheader)];
    if parts.iter().any(|(l, list)| hir.first(*l, *list).is_some()) {
        return Err(Missed::Parts);
    }
    if hir.nodes_in(first).len() + hir.nodes_in(second).len() > MOST_NODES {
        return Err(Missed::TooLarge);
    }
    is_orderly(hir, first)?;
    is_orderly(hir, second)?;
    let [written, also_written] = [first, second].map(|l| written_in(hir, l));
    let [read, also_read] = [first, second].map(|l| read_in(hir, l));
    let is_shared = |temp| also_read.contains(temp) || also_written.contains(temp);
    if written.iter().any(is_shared) || also_written.iter().any(|temp| read.contains(temp)) {
        return Err(Missed::Scalar);
    }
    let (before, behind) = moved(hir, first, second, between)?;
    let legal = Legal { first, second, before, behind };
    // What there would be.
    let mut then = hir.clone();
    let of_second: FxHashSet<Node> = hir.nodes_in(second).into_iter().collect();
    apply(&mut then, legal.clone());
    for edge in graph(&then, first)?.edges() {
        let is_back = of_second.contains(&edge.source.node) && !of_second.contains(&edge.sink.node);
        if is_back {
            return Err(if edge.assumed { Missed::Assumed } else { Missed::Dependence });
        }
    }
    Ok(legal)
}

/// The next loop behind `first` and the instructions between them, if there is nothing else.
fn next_loop(hir: &Hir, first: Node) -> Option<(Node, Vec<Node>)> {
    let mut between = Vec::new();
    let mut next = hir.next(first);
    while let Some(node) = next {
        match hir.kind(node) {
            Kind::Loop(_) => return Some((node, between)),
            // What is before a declaration of scopes and what is behind it must not meet.
            Kind::Inst(_) if declares_scopes(hir, node) => return None,
            Kind::Inst(inst) if inst.reorderable && between.len() < MOST_NODES => between.push(node),
            _ => return None,
        }
        next = hir.next(node);
    }
    None
}

/// Which of the instructions between two loops go before the first, as nothing there must come before them, and which go
/// behind the second.
fn moved(hir: &Hir, first: Node, second: Node, between: Vec<Node>) -> Result<(Vec<Node>, Vec<Node>), Missed> {
    let (mut before, mut behind) = (Vec::new(), Vec::new());
    if between.is_empty() {
        return Ok((before, behind));
    }
    let around = hir.parent_loop(first).or_else(|| hir.region(first)).ok_or(Missed::NoGraph)?;
    let graph = graph(hir, around)?;
    let depends = |of: Node, on: &dyn Fn(Node) -> bool| {
        graph.edges().iter().any(|edge| edge.sink.node == of && on(edge.source.node))
    };
    for node in between {
        let comes_first = |n: Node| hir.is_in(first, n) || behind.contains(&n);
        if depends(node, &comes_first) { behind.push(node) } else { before.push(node) }
    }
    let is_used = |edge: &Edge| behind.contains(&edge.source.node) && hir.is_in(second, edge.sink.node);
    if graph.edges().iter().any(is_used) { Err(Missed::Dependence) } else { Ok((before, behind)) }
}

/// Whether they should be.
pub fn decide(hir: &Hir, legal: &Legal) -> Result<(), Missed> {
    let [a, b] = [legal.first, legal.second].map(|l| touched(hir, l));
    if a.is_disjoint(&b) { Err(Missed::NotWorthIt) } else { Ok(()) }
}

/// The alias sets that are read or written in `l`.
fn touched(hir: &Hir, l: Node) -> FxHashSet<Symbase> {
    let mut sets = FxHashSet::default();
    for node in hir.nodes_in(l) {
        let refs = hir.kind(node).refs();
        sets.extend(
            refs.iter().filter(|r| r.as_memory().is_some_and(|m| m.is_access())).map(|r| r.symbase()),
        );
    }
    sets
}

/// Does it; the first loop has all then.
pub fn apply(hir: &mut Hir, legal: Legal) {
    let Legal { first, second, before, behind } = legal;
    let region = hir.region(first);
    before.iter().for_each(|node| hir.move_before(first, *node));
    behind.iter().rev().for_each(|node| hir.move_after(second, *node));
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

/// Fuses the loops of a region that stand one behind the other.
pub fn run(hir: &mut Hir, region: Node) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    for first in loops_in(hir, region) {
        // It may have become part of another.
        if hir.region(first) != Some(region) {
            continue;
        }
        loop {
            let legal = check(hir, first).and_then(|legal| decide(hir, &legal).map(|()| legal));
            let outcome = Outcome::attempt(hir, first, legal, |_| Done::Fused, apply);
            let is_done = outcome.result.is_ok();
            if outcome.result != Err(Missed::NoNeighbour) {
                outcomes.push(outcome);
            }
            if !is_done {
                break;
            }
        }
    }
    outcomes
}
