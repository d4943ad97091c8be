//! Dependences of variables: from a read or write to the next ones along control-flow paths, up to the next write of
//! the variable. A node reads before it writes.

use super::reach::Walker;
use super::vector::{Component, Vector, merge};
use super::{DepKind, Edge, End, EndPlace, ends_of};
use crate::blob::Temp;
use crate::node::{Hir, Kind, Node};
use crate::symbase::Symbase;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::rc::Rc;

/// A read or write of a variable.
#[derive(Copy, Clone, Debug)]
struct Touch {
    end: End,
    temp: Temp,
    writes: bool,
}

/// The iterations in which one access follows another.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Way {
    /// The number of loops around both.
    common: usize,
    /// The loop that carries the dependence, as the number of loops around it, and whether only to the next
    /// iteration; `None` if the dependence is loop-independent.
    carried: Option<(usize, bool)>,
}

impl Way {
    fn vector(self) -> Vector {
        match self.carried {
            None => Vector::starting(self.common, []),
            Some((level, is_next)) => {
                let rest = std::iter::repeat_n(Component::ALL, self.common - level - 1);
                Vector::starting(level, std::iter::once(Component::later(is_next)).chain(rest))
            }
        }
    }
}

/// The ways of one edge, without duplicates. There are few of them, and many edges have the same ones.
type Ways = SmallVec<[Way; 4]>;

/// The edges so far.
struct ScalarEdges {
    input: bool,
    edges: FxHashMap<(End, End), (DepKind, Ways)>,
}

impl ScalarEdges {
    fn put(&mut self, source: &Touch, sink: &Touch, way: Way) {
        let kind = DepKind::of(source.writes, sink.writes);
        if self.input || kind != DepKind::Input {
            let (_, ways) = self.edges.entry((source.end, sink.end)).or_insert_with(|| (kind, Ways::new()));
            if let Err(place) = ways.binary_search(&way) {
                ways.insert(place, way);
            }
        }
    }
}

/// The merged vectors of these ways.
fn vectors(ways: &Ways) -> Rc<[Vector]> {
    let mut vectors: Vec<Vector> = ways.iter().map(|way| way.vector()).collect();
    vectors.sort_by_cached_key(Vector::to_string);
    merge(&mut vectors);
    vectors.into()
}

/// Limit on the number of edges between variables: bounds the memory of a graph, which is refused beyond it.
const MOST_EDGES: usize = 200_000;

/// The dependences of variables in `root`; `None` if there are too many, or finding them exceeds the limit.
pub(super) fn edges(hir: &Hir, region: Node, root: Node, input: bool) -> Option<Vec<Edge>> {
    let mut of_node: FxHashMap<(Node, Temp), Vec<Touch>> = FxHashMap::default();
    let mut touches = Vec::new();
    for node in hir.nodes_in(root) {
        for touch in touches_of(hir, node) {
            of_node.entry((node, touch.temp)).or_default().push(touch);
            touches.push(touch);
        }
    }
    let written: FxHashSet<Temp> = touches.iter().filter(|t| t.writes).map(|t| t.temp).collect();
    let walker = Walker::new(hir, region);
    let outside = hir.level(root) as usize;
    let mut found = ScalarEdges { input, edges: FxHashMap::default() };
    for touch in &touches {
        if walker.is_over() || found.edges.len() > MOST_EDGES {
            return None;
        }
        if !input && !written.contains(&touch.temp) {
            continue;
        }
        let node = touch.end.node;
        let around: Vec<Node> = loops_around(hir, node);
        let here = &of_node[&(node, touch.temp)];
        if !touch.writes {
            // Within the node: each other read once, then the write.
            for other in here.iter().filter(|o| o.writes || o.end > touch.end) {
                found.put(touch, other, Way { common: around.len(), carried: None });
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
                let carried = if level == common {
                    // No backedge of a loop around both was taken.
                    None
                } else if level < common && arrival.times > 0 {
                    Some((level, arrival.times == 1))
                } else {
                    continue;
                };
                for sink in sinks {
                    found.put(touch, sink, Way { common, carried });
                }
            }
        }
    }
    if walker.is_over() {
        return None;
    }
    let mut known: FxHashMap<Ways, Rc<[Vector]>> = FxHashMap::default();
    let made = found.edges.into_iter().map(|((source, sink), (kind, ways))| {
        let vectors = match known.get(&ways) {
            Some(vectors) => Rc::clone(vectors),
            None => Rc::clone(known.entry(ways).or_insert_with_key(vectors)),
        };
        Edge { source, sink, kind, vectors, assumed: false }
    });
    Some(made.collect())
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
        let EndPlace::Ref(number) = end.place else {
            let EndPlace::Blob(number, blob) = end.place else { return None };
            let temp = refs[number as usize].blob_refs()[blob as usize].temp;
            return Some(Touch { end, temp, writes: false });
        };
        let temp = refs[number as usize].as_temp(&hir.blobs)?;
        Some(Touch { end, temp, writes: written && number == 0 })
    };
    let is_variable = |t: &Touch| hir.blobs.temp(t.temp).symbase != Symbase::CONSTANT;
    ends_of(hir, node).into_iter().filter_map(touch).filter(is_variable).collect()
}
