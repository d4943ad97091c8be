//! Perfect nests: the requirements of interchange and tiling, and their treatment of zero-trip tests.
//!
//! Requires counted loops, each the whole body of the one before it, whose iterations may execute in any order as far
//! as dependences allow. Everything that an inner loop reads before its first iteration is invariant in the nest: its
//! bound, its zero-trip test, and the values that its preheader computes them from. So it can be evaluated anywhere
//! in the nest.
//!
//! # Zero-trip tests
//!
//! ```text
//! DO i = 0, U   <ZTT: a>            DO i = 0, U   <ZTT: a && b>
//!   DO j = 0, V   <ZTT: b>            DO j = 0, V
//! ```
//!
//! Both are equivalent: `b` is evaluated after `a`, before anything else executes, and if it fails, no iteration has
//! an effect that is visible after the nest. So the tests of a nest are combined into one before it, whatever order
//! its loops get ([`hoist_tests`]). No test is evaluated where it was not evaluated before, which matters because it
//! may be poison.
//!
//! # Variables
//!
//! Values stay in one iteration of all loops, except for reductions (`reduction`), which may also be read after the
//! nest. If only the outermost loop has a test, moving it changes nothing else, and that loop may have a postexit,
//! which reads no other variables of the nest.

use super::TransformMissed;
use super::legal::{
    Counted, asked, counted, graph, is_beside, is_orderly, keeps, stay_in_iteration, written_in,
};
use super::reduction::reductions;
use crate::canon::Level;
use crate::ddg::{Ddg, Edge, Vector};
use crate::node::{Hir, Kind, List, Node, Operation, Predicate};
use crate::{CanonExpr, Temp};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// A perfect nest of counted loops whose iterations all execute, in any order.
#[derive(Clone, Debug)]
pub(super) struct Band {
    /// The loops, outermost first.
    pub(super) loops: Vec<Node>,
    /// The level of the outermost loop.
    pub(super) level: Level,
    pub(super) graph: Rc<Ddg>,
    /// The nodes of the reductions, to be [`super::reduction::reassociate`]d.
    pub(super) reductions: Vec<Node>,
}

impl Band {
    /// The nest of these loops, each of which is the whole body of the one before it.
    pub(super) fn new(hir: &Hir, loops: &[Node]) -> Result<Self, TransformMissed> {
        let outermost = *loops.first().ok_or(TransformMissed::NoNest)?;
        let level = hir.loop_level(outermost);
        let asks_inside =
            loops[1..].iter().any(|l| matches!(hir.kind(*l), Kind::Loop(of) if !of.ztt.is_empty()));
        if asks_inside {
            has_free_preheader(hir, outermost)?;
        }
        let nest = Nest::new(hir, outermost, level);
        for l in loops {
            nest.check(*l)?;
        }
        is_orderly(hir, outermost)?;
        let live_out = hir.live_out(outermost);
        if asks_inside && !live_out.is_empty() {
            return Err(TransformMissed::LiveOut);
        }
        let mut reductions = reductions(hir, outermost, loops[loops.len() - 1]);
        let after = hir.children(outermost, List::Postexit).flat_map(|node| hir.nodes_in(node));
        let after: Vec<Temp> = after.flat_map(|node| hir.read(node)).chain(live_out).collect();
        if after.iter().any(|temp| nest.varying.contains(temp) && !reductions.contains_key(temp)) {
            return Err(TransformMissed::LiveOut);
        }
        let graph = graph(hir, outermost)?;
        let levels = level..level + loops.len() as Level;
        let stays = |vector: &Vector| levels.clone().all(|level| is_equal(vector, level));
        stay_in_iteration(hir, &graph, &|temp| !reductions.contains_key(&temp), &stays)?;
        let mut reductions: Vec<Node> = reductions.drain().map(|(_, node)| node).collect();
        reductions.sort_unstable();
        Ok(Self { loops: loops.to_vec(), level, graph, reductions })
    }
    /// Checks that no memory dependence has a vector that `breaks`.
    pub(super) fn keeps(&self, hir: &Hir, breaks: &dyn Fn(&Vector) -> bool) -> Result<(), TransformMissed> {
        let is_inside = |node: Node| hir.loops_around(node).any(|l| l == self.loops[0]);
        // Code before the nest stays there.
        let moves = |edge: &Edge| is_inside(edge.source.node) && is_inside(edge.sink.node);
        keeps(hir, &self.graph, &|edge| moves(edge), &|_, vector| breaks(vector))
    }
}

/// Context for the checks of each loop of a nest.
struct Nest<'h> {
    hir: &'h Hir,
    outermost: Node,
    level: Level,
    /// The variables that the nest writes; and those written outside the outermost loop's preheader, whose variables
    /// are invariant in the nest, and outside its postexit, which executes after the nest.
    written: FxHashSet<Temp>,
    varying: FxHashSet<Temp>,
}

impl<'h> Nest<'h> {
    fn new(hir: &'h Hir, outermost: Node, level: Level) -> Self {
        let nodes = hir.nodes_in(outermost).into_iter();
        let varying = nodes.filter(|node| !is_beside(hir, *node, outermost));
        let varying = varying.filter_map(|node| hir.written(node)).collect();
        Self { hir, outermost, level, written: written_in(hir, outermost), varying }
    }
    /// Checks that everything read before the first iteration of `l` is invariant in the nest.
    fn check(&self, l: Node) -> Result<(), TransformMissed> {
        let hir = self.hir;
        let is_outermost = l == self.outermost;
        let own = if is_outermost { FxHashSet::default() } else { self.setup(l)? };
        let Counted { of, upper } = counted(hir, l)?;
        let varies = |temp: &Temp| self.varying.contains(temp) && !own.contains(temp);
        if self.has_ivs(upper) || upper.collect_temp_blobs(&hir.blobs).iter().any(varies) {
            return Err(TransformMissed::Bounds);
        }
        // The test of the outermost loop stays where it is.
        let mut tests = of.ztt.iter().flat_map(|p| &p.refs).flat_map(|of| of.forms());
        let is_written = |temp: &Temp| self.written.contains(temp);
        if !is_outermost && (tests.any(|form| self.has_ivs(form)) || asked(hir, of).iter().any(is_written)) {
            return Err(TransformMissed::Bounds);
        }
        let others = hir.nodes_in(self.outermost).into_iter();
        let mut others = others.filter(|node| *node != l && !is_setup(hir, *node, l));
        if others.any(|node| hir.read(node).iter().any(|temp| own.contains(temp))) {
            return Err(TransformMissed::NotPerfect);
        }
        Ok(())
    }
    fn has_ivs(&self, form: &CanonExpr) -> bool {
        form.ivs().iter().any(|(of, _)| *of >= self.level)
    }
    /// The variables written in the preheader of `l`, if the preheader can move with the loop: it only writes
    /// variables, computed from values that are invariant in the nest or that it wrote before.
    fn setup(&self, l: Node) -> Result<FxHashSet<Temp>, TransformMissed> {
        let hir = self.hir;
        let mut own = FxHashSet::default();
        if hir.first(l, List::Postexit).is_some() {
            return Err(TransformMissed::NotPerfect);
        }
        for node in hir.children(l, List::Preheader) {
            let Kind::Inst(inst) = hir.kind(node) else { return Err(TransformMissed::NotPerfect) };
            let is_copy = matches!(inst.operation, Operation::Copy) && inst.reorderable;
            let target = hir.written(node).filter(|_| is_copy).ok_or(TransformMissed::NotPerfect)?;
            let varies = |temp: &Temp| self.varying.contains(temp) && !own.contains(temp);
            let has_ivs = inst.rvals.iter().flat_map(|of| of.forms()).any(|form| self.has_ivs(form));
            if has_ivs || hir.read(node).iter().any(varies) {
                return Err(TransformMissed::Bounds);
            }
            own.insert(target);
        }
        Ok(own)
    }
}

/// Moves all zero-trip tests of a nest to its outermost loop.
pub(super) fn hoist_tests(hir: &mut Hir, loops: &[Node]) {
    let mut asked: Vec<Predicate> = Vec::new();
    for l in loops {
        hir.edit_loop(*l, |of| asked.append(&mut of.ztt));
    }
    let Some(outermost) = loops.first() else { return };
    hir.edit_loop(*outermost, |of| of.ztt = asked);
}

/// Checks that the preheader of `l` need not execute if the loop does not run: it only writes variables. A postexit
/// would execute at another time, so there must be none.
fn has_free_preheader(hir: &Hir, l: Node) -> Result<(), TransformMissed> {
    let is_free = |node: Node| match hir.kind(node) {
        Kind::Inst(inst) => hir.written(node).is_some() && !inst.writes_beyond(),
        _ => false,
    };
    let is_all_free = hir.children(l, List::Preheader).all(is_free);
    if is_all_free && hir.first(l, List::Postexit).is_none() {
        Ok(())
    } else {
        Err(TransformMissed::NotPerfect)
    }
}

fn is_equal(vector: &Vector, level: Level) -> bool {
    // A read in a loop's bounds is in no iteration of that loop.
    let at = vector.0.get(level as usize - 1);
    at.is_none_or(|c| !c.directions.less && !c.directions.greater)
}

/// Whether `node` is in the preheader of `l`.
fn is_setup(hir: &Hir, node: Node, l: Node) -> bool {
    hir.parent(node) == Some(l) && hir.list_of(node) == Some(List::Preheader)
}
