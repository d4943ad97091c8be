//! Reachability of writes and reads along control-flow paths, variable by variable, and liveness.
//!
//! A walk begins after the line of a node, or after the entry of a loop, and ends where the variable is written. It
//! counts how often the backedge of one loop around the node is taken. It takes no backedge of the loops around that
//! loop, and all backedges of the loops inside it. So every node reached is in the same iterations of the outer
//! loops, and in an iteration of the counted loop that is later by the count.

use crate::blob::Temp;
use crate::node::{END, Hir, HlGoto, Kind, List, LoopKind, Node, Point, Target, Ways};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;
use std::rc::Rc;

/// A region, prepared for walks.
pub(super) struct Walker<'h> {
    pub(super) hir: &'h Hir,
    ways: Ways,
    /// The node whose line or entry each point is.
    node_at: FxHashMap<Point, Node>,
    /// The loop that each backedge belongs to.
    backedges: FxHashMap<(Point, Point), Node>,
    /// The number of points that walks may still visit.
    left: Cell<u32>,
}

/// Limit on the points visited by all walks of one region together, because the number of walks grows with that of
/// references. Walks stop at the limit, and the graph is refused.
const MOST_POINTS: u32 = 30_000_000;

/// A node reached by a walk, with the number of times the counted backedge was taken; 2 means twice or more.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Arrival {
    pub(super) node: Node,
    pub(super) times: u8,
}

impl<'h> Walker<'h> {
    pub(super) fn new(hir: &'h Hir, region: Node) -> Self {
        let ways = Ways::new(hir, region);
        let (mut node_at, mut backedges) = (FxHashMap::default(), FxHashMap::default());
        for node in hir.nodes_in(region) {
            let points = ways.points[&node];
            match hir.kind(node) {
                Kind::Loop(l) => {
                    // The references of a loop are read at its entry, before or after its preheader.
                    node_at.insert(points.entry, node);
                    if hir.first(node, List::Preheader).is_some() {
                        node_at.insert(points.line, node);
                    }
                    if let LoopKind::Do { .. } = l.kind {
                        backedges.insert((points.latch, points.line), node);
                    }
                }
                Kind::Goto(HlGoto { target: Target::Label(label) }) => {
                    if let Some(l) = hir.begun_at(*label).filter(|l| hir.is_in_body(*l, node)) {
                        backedges.insert((points.line, ways.points[label].entry), l);
                    }
                }
                _ => {
                    node_at.insert(points.line, node);
                }
            }
        }
        Self { hir, ways, node_at, backedges, left: Cell::new(MOST_POINTS) }
    }
    /// Whether walks were stopped by the limit.
    pub(super) fn is_over(&self) -> bool {
        self.left.get() == 0
    }
    /// The nodes reached from after the line of `node` without a write of `temp` on the way. `around` are the loops
    /// around `node`, outermost first. Backedges of the first `level` loops are not taken; those of the next loop, if
    /// any, are counted.
    pub(super) fn from(&self, node: Node, temp: Temp, around: &[Node], level: usize) -> Vec<Arrival> {
        let forbidden = &around[..level.min(around.len())];
        let counted = around.get(level);
        let mut arrivals = Vec::new();
        // A backedge is taken 0, 1, or 2 and more times.
        let mut seen = vec![[false; 3]; self.ways.len()];
        let mut work = vec![(self.ways.points[&node].entry, 0u8)];
        while let Some((point, times)) = work.pop().filter(|_| !self.is_over()) {
            self.left.set(self.left.get() - 1);
            for to in self.ways.after(point) {
                let backedge = self.backedges.get(&(point, *to));
                if backedge.is_some_and(|l| forbidden.contains(l)) {
                    continue;
                }
                let times = times + u8::from(backedge.is_some() && backedge == counted);
                let times = times.min(2);
                if std::mem::replace(&mut seen[*to as usize][usize::from(times)], true) {
                    continue;
                }
                let node = self.node_at.get(to).copied();
                arrivals.extend(node.map(|node| Arrival { node, times }));
                if node.is_none_or(|node| self.hir.written(node) != Some(temp)) {
                    work.push((*to, times));
                }
            }
        }
        arrivals
    }
    /// Whether `root`, a loop or region, may read the value that the variable has on entry.
    fn is_read_first(&self, root: Node, temp: Temp, reads: &dyn Fn(Node) -> bool) -> bool {
        let start = self.ways.points[&root].entry;
        let mut seen = vec![false; self.ways.len()];
        let mut work = vec![start];
        while let Some(point) = work.pop() {
            if std::mem::replace(&mut seen[point as usize], true) {
                continue;
            }
            if let Some(node) = self.node_at.get(&point) {
                if !self.hir.is_in(root, *node) {
                    continue;
                }
                if reads(*node) {
                    return true;
                }
                if self.hir.written(*node) == Some(temp) {
                    continue;
                }
            }
            work.extend(self.ways.after(point));
        }
        false
    }
    /// The points at which control is in `root`. The entry of a loop is outside of it.
    fn inside(&self, root: Node) -> FxHashSet<Point> {
        let points = |n: &Node| {
            let p = self.ways.points[n];
            [if *n == root { p.line } else { p.entry }, p.line, p.latch]
        };
        self.hir.nodes_in(root).iter().flat_map(points).collect()
    }
    /// Whether the value written by `node`, which is in the part with the points `inside`, may be read after control
    /// leaves that part.
    fn is_read_after(
        &self,
        inside: &FxHashSet<Point>,
        node: Node,
        temp: Temp,
        is_live_out: bool,
        reads: &dyn Fn(Node) -> bool,
    ) -> bool {
        let mut seen: FxHashSet<(Point, bool)> = FxHashSet::default();
        let mut work = vec![(self.ways.points[&node].line, false)];
        while let Some((point, was_out)) = work.pop() {
            for to in self.ways.after(point) {
                let out = was_out || !inside.contains(to);
                if *to == END && is_live_out {
                    return true;
                }
                if !seen.insert((*to, out)) {
                    continue;
                }
                let at = self.node_at.get(to);
                if out && at.is_some_and(|n| reads(*n)) {
                    return true;
                }
                if at.is_none_or(|n| self.hir.written(*n) != Some(temp)) {
                    work.push((*to, out));
                }
            }
        }
        false
    }
}

impl Hir {
    /// The variables that a node reads, as operands or through their blobs.
    pub fn read(&self, node: Node) -> Vec<Temp> {
        let refs = self.kind(node).refs();
        let written = usize::from(self.written(node).is_some());
        let mut temps: Vec<Temp> =
            refs.iter().skip(written).flat_map(|r| r.collect_temp_blobs(&self.blobs)).collect();
        temps.sort_unstable();
        temps.dedup();
        temps
    }
    /// The nodes of a loop or region that read each variable.
    fn readers_in(&self, root: Node) -> FxHashMap<Temp, FxHashSet<Node>> {
        let mut readers: FxHashMap<Temp, FxHashSet<Node>> = FxHashMap::default();
        for node in self.nodes_in(root) {
            for temp in self.read(node) {
                readers.entry(temp).or_default().insert(node);
            }
        }
        readers
    }
    /// The variables whose values on entry a loop or region may read, ascending.
    pub fn live_in(&self, root: Node) -> Vec<Temp> {
        let Some(region) = self.region(root) else { return Vec::new() };
        let walker = Walker::new(self, region);
        let readers = self.readers_in(root);
        let mut locals = Locals::new(self, region);
        let is_variable = |temp: &Temp| self.blobs.temp(*temp).symbase != crate::Symbase::CONSTANT;
        let mut live: Vec<Temp> = readers.keys().copied().filter(is_variable).collect();
        live.retain(|temp| !locals.is_within(root, *temp, &readers[temp]));
        live.retain(|temp| walker.is_read_first(root, *temp, &|node| readers[temp].contains(&node)));
        live.sort_unstable();
        live
    }
    /// The variables that a loop or region may write and whose written values may be read after it, ascending. For a
    /// region these are the [`crate::node::HlRegion::live_out`] variables that it writes.
    pub fn live_out(&self, root: Node) -> Vec<Temp> {
        let Some(region) = self.region(root) else { return Vec::new() };
        let Kind::Region(of_region) = self.kind(region) else { return Vec::new() };
        let is_region_live_out: FxHashSet<Temp> = of_region.live_out.iter().copied().collect();
        let walker = Walker::new(self, region);
        let readers = self.readers_in(region);
        let nobody = FxHashSet::default();
        let mut locals = Locals::new(self, region);
        let inside = walker.inside(root);
        let mut live: FxHashSet<Temp> = FxHashSet::default();
        for node in self.nodes_in(root) {
            let Some(temp) = self.written(node).filter(|temp| !live.contains(temp)) else { continue };
            let all = readers.get(&temp).unwrap_or(&nobody);
            let is_live_out = is_region_live_out.contains(&temp);
            if !is_live_out && locals.is_within(root, temp, all) {
                continue;
            }
            if walker.is_read_after(&inside, node, temp, is_live_out, &|node| all.contains(&node)) {
                live.insert(temp);
            }
        }
        let mut live: Vec<Temp> = live.into_iter().collect();
        live.sort_unstable();
        live
    }
}

/// Variables whose values visibly do not leave an iteration of a loop, which is decided without a walk. Most
/// variables of a long body are of this kind.
struct Locals<'h> {
    hir: &'h Hir,
    /// The nodes that write each variable, in lexical order.
    writers: Rc<FxHashMap<Temp, Vec<Node>>>,
    /// Whether control enters the body of a loop only at its beginning.
    is_closed: FxHashMap<Node, bool>,
}

impl<'h> Locals<'h> {
    fn new(hir: &'h Hir, region: Node) -> Self {
        Self { hir, writers: hir.definitions(region), is_closed: FxHashMap::default() }
    }
    /// Whether `temp` is written in each iteration of a loop, which is `root` or inside it, before it is read there,
    /// and is read nowhere else. `readers` are all nodes that read it.
    fn is_within(&mut self, root: Node, temp: Temp, readers: &FxHashSet<Node>) -> bool {
        let hir = self.hir;
        let Some(first) = self.writers.get(&temp).and_then(|all| all.first()).copied() else { return false };
        let is_in_body = |l: Node, node: Node| hir.list_within(l, node) == Some(List::Body);
        let Some(l) = hir.parent(first).filter(|l| hir.is_in(root, *l)) else { return false };
        if !matches!(hir.kind(l), Kind::Loop(_)) || !is_in_body(l, first) {
            return false;
        }
        let is_closed = *self.is_closed.entry(l).or_insert_with(|| is_closed(hir, l));
        is_closed && readers.iter().all(|n| is_in_body(l, *n) && hir.comes_before(first, *n))
    }
}

/// Whether no goto jumps into the middle of the body of `l`.
fn is_closed(hir: &Hir, l: Node) -> bool {
    let is_label = |n: &Node| matches!(hir.kind(*n), Kind::Label(_)) && hir.begun_at(*n) != Some(l);
    !hir.nodes_in(l).iter().any(is_label)
}
