//! Distribution: the body of a loop is divided among several loops, one behind the other.
//!
//! The nodes of the body's list are nodes of a graph, with the dependences between them, carried by the loop or not, for
//! edges. Those of one strongly connected component stay together, and loops are in the order of the edges: so whatever
//! must be executed before something else still is. Source: Kennedy and McKinley, "Loop Distribution with Arbitrary Control
//! Flow" (1990), without the control flow: gotos must stay in one node of the list.
//!
//! Each of the loops has the zero-trip test of the one that there was; nothing that the loop writes is asked.
//!
//! A variable that is written in one loop and read in another would need a place for each iteration; nodes that a variable
//! connects stay together instead. So values that are read behind the loop are what they were.
//!
//! Components that could be loops of their own are put together again where nothing is gained by it, as in LLVM's
//! `LoopDistribute`: neighbours are divided if the loop carries dependences of one of them and none of the other, or if one
//! is nothing but a loop, which makes a perfect nest of it. What touches no memory goes with another part.

use super::legal::{
    asked, counted, graph, has_closed_parts, is_loop, is_of_variable, is_orderly, loops_in, written_in,
};
use super::rewrite::{declares_scopes, forget_scopes};
use super::{Done, Gain, Missed, Outcome, Profit};
use crate::RegDdRef;
use crate::ddg::{Ddg, DepKind, Edge};
use crate::node::{Hir, Kind, List, Node};

/// Nodes of a body's list beyond which it is left.
const MOST_NODES: usize = 100;

/// A loop whose body may be divided.
#[derive(Clone, Debug)]
pub struct Legal {
    l: Node,
    /// The nodes of the body's list that stay together, in an order in which they may be executed.
    pub parts: Vec<Vec<Node>>,
    /// Which of them have a dependence in them that the loop carries.
    carried: Vec<bool>,
}

/// The parts that the body of `l` can be divided into, two at least.
pub fn check(hir: &Hir, l: Node) -> Result<Legal, Missed> {
    let counted = counted(hir, l)?;
    is_orderly(hir, l)?;
    if !has_closed_parts(hir, l) {
        return Err(Missed::Control);
    }
    let written = written_in(hir, l);
    let mut read = counted.upper.collect_temp_blobs(&hir.blobs);
    read.extend(asked(hir, counted.of));
    if read.iter().any(|temp| written.contains(temp)) {
        return Err(Missed::Bounds);
    }
    let nodes: Vec<Node> = hir.children(l, List::Body).collect();
    if nodes.len() > MOST_NODES {
        return Err(Missed::TooLarge);
    }
    let graph = graph(hir, l)?;
    let mut reaches = of_memory(hir, &graph, &nodes);
    if components(&nodes, &reaches).len() < 2 {
        return Err(Missed::Dependence);
    }
    let is_variable = |edge: &&Edge| is_of_variable(hir, edge);
    for [from, to] in graph.edges().iter().filter(is_variable).filter_map(|edge| ends(hir, &nodes, edge)) {
        (reaches[from][to], reaches[to][from]) = (true, true);
    }
    close(&mut reaches);
    let parts = components(&nodes, &reaches);
    if parts.len() < 2 {
        return Err(Missed::Expansion);
    }
    let carried = parts.iter().map(|part| is_carried(hir, &graph, l, part)).collect();
    Ok(Legal { l, parts, carried })
}

/// Which node of the list `node` is in.
fn place(hir: &Hir, nodes: &[Node], node: Node) -> Option<usize> {
    hir.ancestors(node).find_map(|n| nodes.iter().position(|of| *of == n))
}

/// The nodes of the list that the ends of a dependence are in.
fn ends(hir: &Hir, nodes: &[Node], edge: &Edge) -> Option<[usize; 2]> {
    Some([place(hir, nodes, edge.source.node)?, place(hir, nodes, edge.sink.node)?])
}

/// From which nodes of the list which are come to by dependences of memory.
fn of_memory(hir: &Hir, graph: &Ddg, nodes: &[Node]) -> Vec<Vec<bool>> {
    let mut reaches = vec![vec![false; nodes.len()]; nodes.len()];
    let is_memory = |edge: &&Edge| !is_of_variable(hir, edge);
    for [from, to] in graph.edges().iter().filter(is_memory).filter_map(|edge| ends(hir, nodes, edge)) {
        reaches[from][to] = true;
    }
    close(&mut reaches);
    reaches
}

/// Adds what is come to by way of others.
fn close(reaches: &mut [Vec<bool>]) {
    for by in 0..reaches.len() {
        let beyond = reaches[by].clone();
        for from in reaches.iter_mut().filter(|from| from[by]) {
            from.iter_mut().zip(&beyond).for_each(|(to, also)| *to |= also);
        }
    }
}

/// The strongly connected components, each in lexical order, in an order in which no edge goes back; of those that could be
/// next the one that stands first.
fn components(nodes: &[Node], reaches: &[Vec<bool>]) -> Vec<Vec<Node>> {
    let mut left: Vec<usize> = (0..nodes.len()).collect();
    let mut parts = Vec::new();
    while let Some(next) = left.iter().copied().find(|node| {
        // Nothing else comes to it that it does not come to.
        left.iter().all(|other| !reaches[*other][*node] || reaches[*node][*other])
    }) {
        let is_together = |other: &usize| *other == next || reaches[*other][next] && reaches[next][*other];
        let (part, rest): (Vec<usize>, Vec<usize>) = left.into_iter().partition(is_together);
        parts.push(part.into_iter().map(|node| nodes[node]).collect());
        left = rest;
    }
    parts
}

/// Whether the loop carries a dependence between nodes of a part.
fn is_carried(hir: &Hir, graph: &Ddg, l: Node, part: &[Node]) -> bool {
    let at = hir.loop_level(l) as usize - 1;
    let is_in_part = |node: Node| place(hir, part, node).is_some();
    let counts = graph.edges().iter().filter(|e| e.kind == DepKind::Flow || !is_of_variable(hir, e));
    let mut inside = counts.filter(|e| is_in_part(e.source.node) && is_in_part(e.sink.node));
    inside.any(|e| e.vectors.iter().any(|v| v.0.get(at).is_none_or(|c| c.directions.less)))
}

/// A part of a body, for [`decide`].
struct Part {
    nodes: Vec<Node>,
    carried: bool,
    /// It is a loop, and nothing else.
    is_nest: bool,
}

/// Which parts should be loops of their own: the others are put together with their neighbours.
pub fn decide(hir: &Hir, legal: Legal, profit: Profit) -> Result<Legal, Missed> {
    let Legal { l, parts, carried } = legal;
    let mut kept: Vec<Part> = Vec::new();
    let mut idle: Vec<Node> = Vec::new();
    for (nodes, carried) in parts.into_iter().zip(carried) {
        if !touches_memory(hir, &nodes) {
            idle.extend(nodes);
            continue;
        }
        let is_nest = matches!(nodes[..], [one] if is_loop(hir, one));
        match kept.last_mut() {
            Some(last)
                if profit == Profit::Asked
                    && (last.carried, last.is_nest) == (carried, is_nest)
                    && !is_nest =>
            {
                last.nodes.extend(nodes);
            }
            _ => kept.push(Part { nodes, carried, is_nest }),
        }
    }
    if kept.len() < 2 {
        return Err(Missed::NotWorthIt(Gain::Part));
    }
    // Nothing depends on what is no part of its own, and that on nothing: it may be executed wherever it is no burden.
    if !idle.is_empty() {
        let at = kept.iter().rposition(|part| !part.is_nest).unwrap_or(kept.len() - 1);
        kept[at].nodes.extend(idle);
    }
    let carried = kept.iter().map(|part| part.carried).collect();
    let parts = kept.into_iter().map(|mut part| {
        part.nodes.sort_by_key(|node| hir.number(*node));
        part.nodes
    });
    Ok(Legal { l, parts: parts.collect(), carried })
}

/// Whether something in `part` reads or writes memory: a loop that does not would do next to nothing.
fn touches_memory(hir: &Hir, part: &[Node]) -> bool {
    part.iter().flat_map(|node| hir.nodes_in(*node)).any(|node| match hir.kind(node) {
        Kind::Inst(inst) => {
            let is_access = |of: &&RegDdRef| of.as_memory().is_some_and(|m| m.is_access());
            !declares_scopes(hir, node)
                && (!inst.reaches.is_empty() || hir.kind(node).refs().iter().any(is_access))
        }
        _ => false,
    })
}

/// Does it; the loops in their order, the last of which is the one that there was.
pub fn apply(hir: &mut Hir, legal: Legal) -> Vec<Node> {
    let Legal { l, mut parts, .. } = legal;
    let region = hir.region(l);
    hir.edit_loop(l, |of| of.options = None);
    forget_scopes(hir, l);
    let Some(last) = parts.pop() else { return vec![l] };
    let mut loops = Vec::new();
    for (number, part) in parts.into_iter().enumerate() {
        let mut kind = hir.kind(l).clone();
        if let Kind::Loop(of) = &mut kind {
            of.name = format!("{}.part{number}", of.name).into();
        }
        let made = hir.create(kind);
        hir.insert_before(l, made);
        for node in part {
            hir.remove(node);
            hir.insert_last(made, List::Body, node);
        }
        if number == 0 {
            hir.move_all((l, List::Preheader), (made, List::Preheader));
        }
        loops.push(made);
    }
    for node in last {
        hir.remove(node);
        hir.insert_last(l, List::Body, node);
    }
    loops.push(l);
    if let Some(region) = region {
        hir.refresh_all(region);
    }
    loops
}

/// Distributes the loops of a region, from inside to outside.
pub fn run(hir: &mut Hir, region: Node, profit: Profit) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    for l in loops_in(hir, region).into_iter().rev() {
        if hir.children(l, List::Body).nth(1).is_none() {
            // There is nothing to divide.
            continue;
        }
        let legal = check(hir, l).and_then(|legal| decide(hir, legal, profit));
        let done = |legal: &Legal| Done::Distributed(legal.parts.len());
        outcomes.push(Outcome::attempt(hir, l, legal, done, apply));
    }
    outcomes
}
