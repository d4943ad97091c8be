//! Dominance of nodes, on the control-flow graph of a region.
//!
//! Every node is a point of the graph, its line. A loop has two more points: its entry, before the zero-trip test,
//! and, for a loop with bounds, the end of an iteration. `a` dominates `b` if every path to `b` passes through `a`;
//! `a` post-dominates `b` if every path from `b` to the end of the region passes through `a`. Dominance is undefined
//! for unreachable points, and post-dominance for points that cannot reach the end. Conditions are not evaluated;
//! calls that do not return are not considered.

use super::{Hir, HlRegion, Kind, List, LoopKind, Node};
use backedge_ir::idom::{FlowGraph, immediate_dominators};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A point of the graph.
pub(crate) type Point = u32;

/// The point where a region begins, and the point where it has ended.
const BEGIN: Point = 0;
pub(crate) const END: Point = 1;

/// A graph of points, with its edges in both directions.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    pub(crate) succs: Vec<Vec<Point>>,
    pub(crate) preds: Vec<Vec<Point>>,
}

impl Graph {
    /// A graph of `count` points without edges.
    pub(crate) fn of_points(count: usize) -> Self {
        Self { succs: vec![Vec::new(); count], preds: vec![Vec::new(); count] }
    }
    /// Adds an edge.
    pub(crate) fn edge(&mut self, from: Point, to: Point) {
        self.succs[from as usize].push(to);
        self.preds[to as usize].push(from);
    }
}

impl FlowGraph for Graph {
    fn len(&self) -> usize {
        self.succs.len()
    }
    fn succ(&self, node: u32, index: usize) -> Option<u32> {
        self.succs[node as usize].get(index).copied()
    }
    fn preds(&self, node: u32) -> impl Iterator<Item = u32> {
        self.preds[node as usize].iter().copied()
    }
}

/// Dominators and post-dominators of one region.
#[derive(Debug)]
pub(crate) struct Flow {
    lines: FxHashMap<Node, Point>,
    dominators: Vec<Option<Point>>,
    post_dominators: Vec<Option<Point>>,
}

/// The points of one node.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Points {
    pub(crate) entry: Point,
    pub(crate) line: Point,
    /// For a loop with bounds: the end of an iteration.
    pub(crate) latch: Point,
}

/// The control-flow graph of a region.
#[derive(Debug)]
pub(crate) struct Ways {
    pub(crate) points: FxHashMap<Node, Points>,
    graph: Graph,
}

impl Ways {
    pub(crate) fn new(hir: &Hir, region: Node) -> Self {
        let mut builder = Builder { hir, points: FxHashMap::default(), graph: Graph::default() };
        let (begin, end) = (builder.point(), builder.point());
        debug_assert_eq!([begin, end], [BEGIN, END]);
        let nodes = hir.nodes_in(region);
        for node in &nodes {
            let line = builder.point();
            let is_loop = matches!(hir.kind(*node), Kind::Loop(_));
            let [entry, latch] = [0, 1].map(|_| if is_loop { builder.point() } else { line });
            builder.points.insert(*node, Points { entry, line, latch });
        }
        builder.edge(BEGIN, builder.points[&region].entry);
        nodes.iter().for_each(|node| builder.edges(*node));
        let Builder { points, graph, .. } = builder;
        Self { points, graph }
    }
    /// The number of points.
    pub(crate) fn len(&self) -> usize {
        self.graph.succs.len()
    }
    /// The reachable points.
    pub(crate) fn reached(&self) -> Vec<bool> {
        let mut reached = vec![false; self.len()];
        let mut work = vec![BEGIN];
        while let Some(point) = work.pop() {
            if !std::mem::replace(&mut reached[point as usize], true) {
                work.extend(self.after(point));
            }
        }
        reached
    }
    /// The successors of `point`.
    pub(crate) fn after(&self, point: Point) -> &[Point] {
        &self.graph.succs[point as usize]
    }
}

struct Builder<'h> {
    hir: &'h Hir,
    points: FxHashMap<Node, Points>,
    graph: Graph,
}

impl Builder<'_> {
    fn point(&mut self) -> Point {
        self.graph.succs.push(Vec::new());
        self.graph.preds.push(Vec::new());
        self.graph.succs.len() as Point - 1
    }
    fn edge(&mut self, from: Point, to: Point) {
        self.graph.edge(from, to);
    }
    /// The point where control enters a list: its first node, or `else_to` if the list is empty.
    fn first_of(&self, node: Node, list: List, else_to: Point) -> Point {
        self.hir.first(node, list).map_or(else_to, |first| self.points[&first].entry)
    }
    /// The point where control continues after `node`.
    fn following(&self, mut node: Node) -> Point {
        let hir = self.hir;
        loop {
            if let Some(next) = hir.next(node) {
                return self.points[&next].entry;
            }
            let (Some(parent), Some(list)) = (hir.parent(node), hir.list_of(node)) else { return END };
            match (hir.kind(parent), list) {
                (Kind::Loop(_), List::Preheader) => return self.points[&parent].line,
                (Kind::Loop(l), List::Body) => match (&l.kind, hir.first(parent, List::Postexit)) {
                    (LoopKind::Do { .. }, _) => return self.points[&parent].latch,
                    (LoopKind::Unknown(_), Some(first)) => return self.points[&first].entry,
                    (LoopKind::Unknown(_), None) => {}
                },
                _ => {}
            }
            node = parent;
        }
    }
    fn postexit(&self, l: Node) -> Point {
        match self.hir.first(l, List::Postexit) {
            Some(first) => self.points[&first].entry,
            None => self.following(l),
        }
    }
    fn edges(&mut self, node: Node) {
        let hir = self.hir;
        let Points { entry, line, latch } = self.points[&node];
        match hir.kind(node) {
            Kind::Region(HlRegion { .. }) => {
                let to = self.first_of(node, List::Body, END);
                self.edge(line, to);
            }
            Kind::Label(_) | Kind::Inst(_) => {
                let to = self.following(node);
                self.edge(line, to);
            }
            Kind::Goto(goto) => {
                let to = goto.label().and_then(|label| self.points.get(&label)).map_or(END, |p| p.entry);
                self.edge(line, to);
            }
            Kind::If(_) | Kind::Switch(_) => {
                let following = self.following(node);
                for list in hir.lists(node) {
                    let to = self.first_of(node, list, following);
                    self.edge(line, to);
                }
            }
            Kind::Loop(l) => {
                let to = self.first_of(node, List::Preheader, line);
                self.edge(entry, to);
                if !l.ztt.is_empty() {
                    let past = self.following(node);
                    self.edge(entry, past);
                }
                let end = self.postexit(node);
                let is_counted = matches!(l.kind, LoopKind::Do { .. });
                let to = self.first_of(node, List::Body, if is_counted { latch } else { end });
                self.edge(line, to);
                if is_counted {
                    self.edge(latch, line);
                    self.edge(latch, end);
                }
            }
        }
    }
}

impl Flow {
    fn new(hir: &Hir, region: Node) -> Self {
        let Ways { points, graph } = Ways::new(hir, region);
        let dominators = immediate_dominators(&graph, BEGIN);
        let reversed = Graph { succs: graph.preds, preds: graph.succs };
        let post_dominators = immediate_dominators(&reversed, END);
        let lines = points.into_iter().map(|(node, points)| (node, points.line)).collect();
        Self { lines, dominators, post_dominators }
    }
    fn is_above(&self, tree: &[Option<Point>], root: Point, a: Node, b: Node) -> bool {
        let (Some(a), Some(b)) = (self.lines.get(&a), self.lines.get(&b)) else { return false };
        let mut up = std::iter::successors(Some(*b), |p| tree[*p as usize]);
        // A point without an immediate dominator is unreachable from the root, unless it is the root.
        let reached = tree[*b as usize].is_some() || *b == root;
        reached && up.any(|p| p == *a)
    }
}

impl Hir {
    fn flow(&self, node: Node) -> Option<Rc<Flow>> {
        let region = self.region(node)?;
        let known = self.found().borrow().flow.get(&region).cloned();
        Some(known.unwrap_or_else(|| {
            let flow = Rc::new(Flow::new(self, region));
            self.found().borrow_mut().flow.insert(region, Rc::clone(&flow));
            flow
        }))
    }
    /// Whether every path to the line of `b` passes through that of `a`. Both must be in one region, and `b` must be
    /// reachable.
    pub fn dominates(&self, a: Node, b: Node) -> bool {
        self.flow(b).is_some_and(|flow| flow.is_above(&flow.dominators, BEGIN, a, b))
    }
    /// Whether every path from the line of `b` to the end of the region passes through that of `a`. Both must be in
    /// one region, and the end must be reachable from `b`.
    pub fn post_dominates(&self, a: Node, b: Node) -> bool {
        self.flow(b).is_some_and(|flow| flow.is_above(&flow.post_dominators, END, a, b))
    }
}
