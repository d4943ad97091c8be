//! Distribution: splits the body of a loop over several consecutive loops.
//!
//! The nodes of the body's list are the nodes of a graph whose edges are the dependences between them, whether
//! carried by the loop or not. Each strongly connected component stays together, and the new loops are in the order
//! of the edges, so that every dependence is preserved. Source: Kennedy and McKinley, "Loop Distribution with
//! Arbitrary Control Flow" (1990), without the control flow: gotos must stay in one node of the list.
//!
//! Each new loop has the zero-trip test of the original loop, which must not read variables that the loop writes.
//!
//! A variable written in one loop and read in another would need one copy per iteration; instead, nodes connected by
//! a variable stay together. So the values read after the loop do not change.
//!
//! Components that could be separate loops are merged again if nothing is gained, as in LLVM's `LoopDistribute`:
//! neighbours are split if the loop carries dependences of one of them and none of the other, or if one is a single
//! loop, which makes it a perfect nest. Nodes that do not touch memory join another part.

use super::legal::{
    asked, counted, graph, has_closed_parts, is_loop, is_of_variable, is_orderly, loops_in, written_in,
};
use super::rewrite::{declares_scopes, forget_scopes};
use super::{Gain, Outcome, Profit, TransformDone, TransformMissed};
use crate::RegDdRef;
use crate::ddg::{Ddg, DepKind, Edge};
use crate::node::{Hir, Kind, List, Node};

/// Limit on the nodes of a body's list: all pairs of them are compared.
const MOST_NODES: usize = 100;

/// A loop whose body can be split.
#[derive(Clone, Debug)]
pub struct Legal {
    l: Node,
    /// The parts of the body's list, in an order in which they may execute.
    pub parts: Vec<Vec<Node>>,
    /// Whether the loop carries a dependence within each part.
    carried: Vec<bool>,
}

/// The parts that the body of `l` can be split into, at least two.
pub fn check(hir: &Hir, l: Node) -> Result<Legal, TransformMissed> {
    let counted = counted(hir, l)?;
    is_orderly(hir, l)?;
    if !has_closed_parts(hir, l) {
        return Err(TransformMissed::Control);
    }
    let written = written_in(hir, l);
    let mut read = counted.upper.collect_temp_blobs(&hir.blobs);
    read.extend(asked(hir, counted.of));
    if read.iter().any(|temp| written.contains(temp)) {
        return Err(TransformMissed::Bounds);
    }
    let nodes: Vec<Node> = hir.children(l, List::Body).collect();
    if nodes.len() > MOST_NODES {
        return Err(TransformMissed::TooLarge);
    }
    let graph = graph(hir, l)?;
    let mut reaches = of_memory(hir, &graph, &nodes);
    if components(&nodes, &reaches).len() < 2 {
        return Err(TransformMissed::Dependence);
    }
    let is_variable = |edge: &&Edge| is_of_variable(hir, edge);
    for [from, to] in graph.edges().iter().filter(is_variable).filter_map(|edge| ends(hir, &nodes, edge)) {
        (reaches[from][to], reaches[to][from]) = (true, true);
    }
    close(&mut reaches);
    let parts = components(&nodes, &reaches);
    if parts.len() < 2 {
        return Err(TransformMissed::Expansion);
    }
    let carried = parts.iter().map(|part| is_carried(hir, &graph, l, part)).collect();
    Ok(Legal { l, parts, carried })
}

/// The index of the list node that contains `node`.
fn place(hir: &Hir, nodes: &[Node], node: Node) -> Option<usize> {
    hir.ancestors(node).find_map(|n| nodes.iter().position(|of| *of == n))
}

/// The list nodes that contain the ends of a dependence.
fn ends(hir: &Hir, nodes: &[Node], edge: &Edge) -> Option<[usize; 2]> {
    Some([place(hir, nodes, edge.source.node)?, place(hir, nodes, edge.sink.node)?])
}

/// The reachability matrix of the list nodes over memory dependences.
fn of_memory(hir: &Hir, graph: &Ddg, nodes: &[Node]) -> Vec<Vec<bool>> {
    let mut reaches = vec![vec![false; nodes.len()]; nodes.len()];
    let is_memory = |edge: &&Edge| !is_of_variable(hir, edge);
    for [from, to] in graph.edges().iter().filter(is_memory).filter_map(|edge| ends(hir, nodes, edge)) {
        reaches[from][to] = true;
    }
    close(&mut reaches);
    reaches
}

/// Computes the transitive closure.
fn close(reaches: &mut [Vec<bool>]) {
    for by in 0..reaches.len() {
        let beyond = reaches[by].clone();
        for from in reaches.iter_mut().filter(|from| from[by]) {
            from.iter_mut().zip(&beyond).for_each(|(to, also)| *to |= also);
        }
    }
}

/// The strongly connected components, each in lexical order, in a topological order; ties are broken by lexical
/// order.
fn components(nodes: &[Node], reaches: &[Vec<bool>]) -> Vec<Vec<Node>> {
    let mut left: Vec<usize> = (0..nodes.len()).collect();
    let mut parts = Vec::new();
    while let Some(next) = left.iter().copied().find(|node| {
        // Every remaining node that reaches it is also reached by it.
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
    /// The part is a single loop.
    is_nest: bool,
}

/// Decides which parts become separate loops; the others are merged with their neighbours.
pub fn decide(hir: &Hir, legal: Legal, profit: Profit) -> Result<Legal, TransformMissed> {
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
        return Err(TransformMissed::NotWorthIt(Gain::Part));
    }
    // Parts without memory accesses have no dependences on other parts: they may execute wherever they do no harm.
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

/// Whether `part` reads or writes memory: a loop without memory accesses does next to nothing.
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

/// Applies the distribution. Returns the loops in order; the last one is the original loop.
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

/// Distributes the loops of a region, innermost first.
pub fn run(hir: &mut Hir, region: Node, profit: Profit) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    for l in loops_in(hir, region).into_iter().rev() {
        if hir.children(l, List::Body).nth(1).is_none() {
            // The body has at most one node.
            continue;
        }
        let legal = check(hir, l).and_then(|legal| decide(hir, legal, profit));
        let done = |legal: &Legal| TransformDone::Distributed(legal.parts.len());
        outcomes.push(Outcome::attempt(hir, l, legal, done, apply));
    }
    outcomes
}
