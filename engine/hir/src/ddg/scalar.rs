//! Dependences of variables: from a read or write to the next ones along the ways of control, up to where the variable is
//! written again. In one node what is read is read before anything is written.

use super::reach::Walker;
use super::vector::{Component, Vector, merge};
use super::{DepKind, Edge, End, Place, ends_of};
use crate::blob::Temp;
use crate::ddref::Symbase;
use crate::node::{Hir, Kind, Node};
use rustc_hash::FxHashMap;

/// A read or write of a variable.
#[derive(Copy, Clone, Debug)]
struct Touch {
    end: End,
    temp: Temp,
    writes: bool,
}

/// The dependences of variables in `root`.
pub(super) fn edges(hir: &Hir, region: Node, root: Node, input: bool) -> Vec<Edge> {
    let mut of_node: FxHashMap<(Node, Temp), Vec<Touch>> = FxHashMap::default();
    let mut touches = Vec::new();
    for node in hir.nodes_in(root) {
        for touch in touches_of(hir, node) {
            of_node.entry((node, touch.temp)).or_default().push(touch);
            touches.push(touch);
        }
    }
    let is_written = |temp: Temp| touches.iter().any(|t| t.writes && t.temp == temp);
    let mut written: FxHashMap<Temp, bool> = FxHashMap::default();
    for touch in &touches {
        written.entry(touch.temp).or_insert_with(|| is_written(touch.temp));
    }
    let walker = Walker::new(hir, region);
    let outside = hir.level(root) as usize;
    let mut edges: FxHashMap<(End, End), Vec<Vector>> = FxHashMap::default();
    let mut kinds: FxHashMap<(End, End), DepKind> = FxHashMap::default();
    let mut put = |source: &Touch, sink: &Touch, vector: Vector| {
        let kind = DepKind::of(source.writes, sink.writes);
        if input || kind != DepKind::Input {
            kinds.insert((source.end, sink.end), kind);
            edges.entry((source.end, sink.end)).or_default().push(vector);
        }
    };
    for touch in &touches {
        if !input && !written[&touch.temp] {
            continue;
        }
        let node = touch.end.node;
        let around: Vec<Node> = loops_around(hir, node);
        let here = &of_node[&(node, touch.temp)];
        if !touch.writes {
            // In the node itself: other reads once, the write behind them.
            for other in here.iter().filter(|o| o.writes || o.end > touch.end) {
                put(touch, other, Vector::starting(around.len(), []));
            }
            if here.iter().any(|o| o.writes) {
                continue;
            }
        }
        for level in outside..=around.len() {
            for arrival in walker.from(node, touch.temp, &around, level) {
                let Some(sinks) = of_node.get(&(arrival.node, touch.temp)) else { continue };
                let others = loops_around(hir, arrival.node);
                let common = around.iter().zip(&others).take_while(|(a, b)| a == b).count();
                let vector = if level == common {
                    // Backedges of loops around both were not taken.
                    Vector::starting(common, [])
                } else if level < common && arrival.times > 0 {
                    let rest = std::iter::repeat_n(Component::ALL, common - level - 1);
                    Vector::starting(level, std::iter::once(Component::later(arrival.times == 1)).chain(rest))
                } else {
                    continue;
                };
                for sink in sinks {
                    put(touch, sink, vector.clone());
                }
            }
        }
    }
    let made = edges.into_iter().map(|((source, sink), mut vectors)| {
        vectors.sort_by_key(|v| format!("{v}"));
        vectors.dedup();
        merge(&mut vectors);
        Edge { source, sink, kind: kinds[&(source, sink)], vectors, assumed: false }
    });
    made.collect()
}

fn loops_around(hir: &Hir, node: Node) -> Vec<Node> {
    let mut around: Vec<Node> = hir.loops_around(node).collect();
    around.reverse();
    around
}

fn touches_of(hir: &Hir, node: Node) -> Vec<Touch> {
    let refs = hir.kind(node).refs();
    let written = matches!(hir.kind(node), Kind::Inst(inst) if inst.lval.is_some());
    let touch = |end: End| {
        let Place::Ref(number) = end.place else {
            let Place::Blob(number, blob) = end.place else { return None };
            let temp = refs[number as usize].blob_refs()[blob as usize].temp;
            return Some(Touch { end, temp, writes: false });
        };
        let temp = refs[number as usize].as_temp(&hir.blobs)?;
        Some(Touch { end, temp, writes: written && number == 0 })
    };
    let is_variable = |t: &Touch| hir.blobs.temp(t.temp).symbase != Symbase::CONSTANT;
    ends_of(hir, node).into_iter().filter_map(touch).filter(is_variable).collect()
}
