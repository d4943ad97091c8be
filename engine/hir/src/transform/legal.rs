//! What several transforms ask of a loop or nest before they change it.

use super::Missed;
use crate::canon::Level;
use crate::ddg::{Ddg, DepKind, Edge, End, Place, Vector};
use crate::node::{Hir, HlLoop, Kind, List, LoopKind, Node, Operation, Target};
use crate::{CanonExpr, Temp};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// A loop that is counted.
pub(super) struct Counted<'h> {
    pub(super) of: &'h HlLoop,
    /// How often its backedge is taken.
    pub(super) upper: &'h CanonExpr,
}

/// The loop, if it is counted from 0 by 1.
pub(super) fn counted(hir: &Hir, l: Node) -> Result<Counted<'_>, Missed> {
    let Kind::Loop(of) = hir.kind(l) else { return Err(Missed::NotCounted) };
    let LoopKind::Do { upper, .. } = &of.kind else { return Err(Missed::NotCounted) };
    let upper = upper.as_terminal().filter(|_| of.is_normalized()).ok_or(Missed::NotCounted)?;
    Ok(Counted { of, upper })
}

/// The same, if it always runs.
pub(super) fn counted_always(hir: &Hir, l: Node) -> Result<Counted<'_>, Missed> {
    let counted = counted(hir, l)?;
    if counted.of.ztt.is_empty() { Ok(counted) } else { Err(Missed::Guarded) }
}

/// The variables that are written in `root`.
pub(super) fn written_in(hir: &Hir, root: Node) -> FxHashSet<Temp> {
    hir.nodes_in(root).into_iter().filter_map(|node| hir.written(node)).collect()
}

/// The variables that are read in `root`.
pub(super) fn read_in(hir: &Hir, root: Node) -> FxHashSet<Temp> {
    hir.nodes_in(root).into_iter().flat_map(|node| hir.read(node)).collect()
}

pub(super) fn is_loop(hir: &Hir, node: Node) -> bool {
    matches!(hir.kind(node), Kind::Loop(_))
}

/// The loops in `root`, in lexical order.
pub(super) fn loops_in(hir: &Hir, root: Node) -> Vec<Node> {
    hir.nodes_in(root).into_iter().filter(|node| is_loop(hir, *node)).collect()
}

/// Those of them that have no loop in them.
pub(super) fn innermost(hir: &Hir, root: Node) -> Vec<Node> {
    loops_in(hir, root).into_iter().filter(|l| loops_in(hir, *l).len() == 1).collect()
}

/// `l`, the loop that alone is its body, the one that alone is that one's body, and so on.
pub(super) fn chain(hir: &Hir, l: Node) -> Vec<Node> {
    let inner = |l: &Node| {
        let mut body = hir.children(*l, List::Body);
        body.next().filter(|child| body.next().is_none() && is_loop(hir, *child))
    };
    std::iter::successors(Some(l), inner).collect()
}

/// All of `l` is executed whenever it is, in each of its iterations, and nobody sees in which order: it is left by its end
/// alone, all loops in it end, and its instructions may be reordered.
pub(super) fn is_orderly(hir: &Hir, l: Node) -> Result<(), Missed> {
    for node in hir.nodes_in(l) {
        match hir.kind(node) {
            Kind::Goto(goto) => {
                let in_body = |n: Node| hir.loops_around(n).any(|around| around == l);
                let stays = match goto.target {
                    Target::Label(label) => in_body(label) && in_body(node),
                    Target::Exit(_) => false,
                };
                if !stays {
                    return Err(Missed::SeveralExits);
                }
            }
            Kind::Loop(of) if matches!(of.kind, LoopKind::Unknown(_)) => {
                return Err(if node == l { Missed::NotCounted } else { Missed::MayNotEnd });
            }
            Kind::Inst(inst) if !inst.reorderable => return Err(Missed::Order),
            _ => {}
        }
    }
    Ok(())
}

/// Whether each goto in the body of `l` goes to a label in that node of the body's list in which it is itself.
pub(super) fn has_closed_parts(hir: &Hir, l: Node) -> bool {
    hir.children(l, List::Body).all(|part| {
        hir.nodes_in(part).into_iter().all(|node| match hir.kind(node) {
            Kind::Goto(goto) => goto.label().is_some_and(|label| label != part && hir.is_in(part, label)),
            _ => true,
        })
    })
}

/// The graph of dependences of a loop.
pub(super) fn graph(hir: &Hir, l: Node) -> Result<Rc<Ddg>, Missed> {
    hir.ddg(l).map_err(|_| Missed::NoGraph)
}

/// A perfect nest of counted loops, all iterations of which are executed, whatever their order.
#[derive(Clone, Debug)]
pub(super) struct Band {
    /// The outermost first.
    pub(super) loops: Vec<Node>,
    /// The level of the outermost.
    pub(super) level: Level,
    pub(super) graph: Rc<Ddg>,
}

impl Band {
    /// The nest of these loops, each of which alone is the body of the one before it.
    pub(super) fn new(hir: &Hir, loops: &[Node]) -> Result<Self, Missed> {
        let outermost = *loops.first().ok_or(Missed::NoNest)?;
        let level = hir.loop_level(outermost);
        let written = written_in(hir, outermost);
        for l in loops {
            let upper = counted_always(hir, *l)?.upper;
            let own = setup(hir, *l, level, &written)?;
            let varies = |temp: &Temp| written.contains(temp) && !own.contains(temp);
            if upper.ivs().iter().any(|(of, _)| *of >= level) || upper.temps(&hir.blobs).iter().any(varies) {
                return Err(Missed::Bounds);
            }
            let others =
                hir.nodes_in(outermost).into_iter().filter(|node| node != l && !is_setup(hir, *node, *l));
            if others.flat_map(|node| hir.read(node)).any(|temp| own.contains(&temp)) {
                return Err(Missed::NotPerfect);
            }
        }
        is_orderly(hir, outermost)?;
        let band = Self { loops: loops.to_vec(), level, graph: graph(hir, outermost)? };
        band.has_private_variables(hir)?;
        Ok(band)
    }
    /// Whether the values of all variables that the body writes stay in one iteration of all loops.
    fn has_private_variables(&self, hir: &Hir) -> Result<(), Missed> {
        if !hir.live_out(self.loops[0]).is_empty() {
            return Err(Missed::LiveOut);
        }
        let levels = self.level..self.level + self.loops.len() as Level;
        stay_in_iteration(hir, &self.graph, &|vector| levels.clone().all(|level| is_equal(vector, level)))
    }
    /// Whether no dependence of memory has a vector that `breaks`.
    pub(super) fn keeps(&self, hir: &Hir, breaks: &dyn Fn(&Vector) -> bool) -> Result<(), Missed> {
        keeps(hir, &self.graph, &|_, vector| breaks(vector))
    }
}

fn is_equal(vector: &Vector, level: Level) -> bool {
    // What is read in a loop's bounds is of no iteration of that loop.
    let at = vector.0.get(level as usize - 1);
    at.is_none_or(|c| !c.directions.less && !c.directions.greater)
}

/// Whether each value of a variable is read in those iterations alone that `stays` says of.
pub(super) fn stay_in_iteration(
    hir: &Hir,
    graph: &Ddg,
    stays: &dyn Fn(&Vector) -> bool,
) -> Result<(), Missed> {
    let mut flows = graph.edges().iter().filter(|e| e.kind == DepKind::Flow && is_of_variable(hir, e));
    if flows.all(|e| e.vectors.iter().all(stays)) { Ok(()) } else { Err(Missed::Scalar) }
}

/// Whether no dependence of memory has a vector that `breaks`, or is assumed.
pub(super) fn keeps(hir: &Hir, graph: &Ddg, breaks: &dyn Fn(&Edge, &Vector) -> bool) -> Result<(), Missed> {
    for edge in graph.edges().iter().filter(|e| !is_of_variable(hir, e)) {
        if edge.assumed {
            return Err(Missed::Assumed);
        }
        if edge.vectors.iter().any(|vector| breaks(edge, vector)) {
            return Err(Missed::Dependence);
        }
    }
    Ok(())
}

/// Whether it is a dependence of a variable, not of memory.
pub(super) fn is_of_variable(hir: &Hir, edge: &Edge) -> bool {
    let is_variable = |end: End| match end.place {
        Place::Ref(_) => end.reference(hir).is_some_and(|of| of.as_memory().is_none()),
        Place::Blob(..) => true,
        Place::Memory => false,
    };
    is_variable(edge.source) && is_variable(edge.sink)
}

/// Whether `node` is in the preheader of `l`.
fn is_setup(hir: &Hir, node: Node, l: Node) -> bool {
    hir.parent(node) == Some(l) && hir.list_of(node) == Some(List::Preheader)
}

/// The variables that are written in the preheader of `l`, if that goes wherever the loop goes in a nest from `level` on:
/// it only writes variables, which are made of nothing that `written` has, the variables that the nest writes, but of each
/// other.
fn setup(hir: &Hir, l: Node, level: Level, written: &FxHashSet<Temp>) -> Result<FxHashSet<Temp>, Missed> {
    let mut own = FxHashSet::default();
    if hir.first(l, List::Postexit).is_some() {
        return Err(Missed::NotPerfect);
    }
    for node in hir.children(l, List::Preheader) {
        let Kind::Inst(inst) = hir.kind(node) else { return Err(Missed::NotPerfect) };
        let is_copy = matches!(inst.operation, Operation::Copy) && inst.reorderable;
        let target = hir.written(node).filter(|_| is_copy).ok_or(Missed::NotPerfect)?;
        let has_ivs =
            inst.rvals.iter().flat_map(|of| of.forms()).any(|f| f.ivs().iter().any(|(of, _)| *of >= level));
        let varies = |temp: &Temp| written.contains(temp) && !own.contains(temp);
        if has_ivs || hir.read(node).iter().any(varies) {
            return Err(Missed::Bounds);
        }
        own.insert(target);
    }
    Ok(own)
}
