//! The hierarchical CFG: loop regions and other regions over the plain CFG. The terms are those of docs/vplan-terms.md.
//!
//! Requires a plan with the Top Region alone, massaged or not; where the criteria are not met, no region is created.
//! Guarantees the properties that [`crate::verify::hierarchy`] checks.
//!
//! A *loop region* is created for a loop that has a single latch, a preheader with one predecessor that is no header,
//! and a single exit block with one successor that is no preheader. It extends from the preheader, its entry, to the
//! exit block.
//!
//! A *non-loop region* is created for an entry block with one predecessor and several successors. Its exit is the
//! immediate post-dominator of the entry and must have several predecessors and one successor. The entry must dominate
//! the exit. Both must be directly in the same region and in the same loop, and neither may be that region's entry or
//! exit.
//!
//! # Acyclic without a search
//!
//! A region directly in a loop region must not contain a cycle: no path from its entry to its exit may take the loop's
//! backedge. The immediate post-dominator is taken from the forward graph, in which each path passes through a loop
//! once ([`Graph::post_dominators_forward`]). There, a path that takes the backedge of the entry's loop leaves the
//! loop, so it does not reach an exit inside. So no path from an entry to its post-dominating exit in the same loop
//! takes the loop's backedge. Loops without a region of their own (skipped because they are uniform) may only be in a
//! region that is in no loop region.
//!
//! # A single walk
//!
//! One preorder walk of the dominator tree creates the regions from outside in. It passes down the region that contains
//! the current block: for blocks dominated by a region's entry that region, and for blocks dominated by its exit the
//! parent.

use crate::plan::{BlockId, ForwardPostDominators, Graph, RegionId, RegionKind, VPLoopRegion, VPlan};
use backedge_analysis::LoopId;
use backedge_ir::entity::{EntitySet, SecondaryMap};

/// Builds the regions of `plan`.
pub fn build(plan: &mut VPlan) {
    let graph = Graph::new(plan);
    let post = graph.post_dominators_forward(plan);
    let shapes = loop_regions(plan, &graph);
    let mut builder = Builder::new(plan, &graph, &post, &shapes);
    builder.walk();
}

/// The future region of a loop.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Shape {
    pub(crate) l: LoopId,
    pub(crate) entry: BlockId,
    pub(crate) exit: BlockId,
    pub(crate) inside: VPLoopRegion,
}

/// The loops that meet the criteria, outer loops first.
pub(crate) fn loop_regions(plan: &VPlan, graph: &Graph) -> Vec<Shape> {
    // A block may be the entry or exit of only one region.
    let mut claimed: EntitySet<BlockId> = EntitySet::new();
    let mut shapes = Vec::new();
    for l in graph.loops() {
        let Some(shape) = shape(plan, graph, l) else { continue };
        if claimed.contains(shape.entry) || claimed.contains(shape.exit) {
            continue;
        }
        claimed.insert(shape.entry);
        claimed.insert(shape.exit);
        shapes.push(shape);
    }
    shapes
}

fn shape(plan: &VPlan, graph: &Graph, l: LoopId) -> Option<Shape> {
    let (header, latch) = (graph.header(l), graph.latch(l)?);
    let (entry, exit) = (graph.preheader(l)?, graph.single_exit(l)?);
    let around = graph.forest().parent(l);
    let is_header = |block: BlockId| graph.innermost(block).is_some_and(|m| graph.header(m) == block);
    let is_preheader = |block: BlockId| {
        let succs = &plan.block(block).succs;
        succs.len() == 1 && is_header(succs[0]) && !graph.is_in_loop_of(succs[0], block)
    };
    let fits = plan.block(entry).preds.len() == 1
        && !is_header(entry)
        && graph.innermost(entry) == around
        && plan.block(exit).succs.len() == 1
        && !is_preheader(exit)
        && graph.innermost(exit) == around
        && plan.block(exit).preds.iter().all(|pred| graph.is_in(l, *pred));
    fits.then_some(Shape { l, entry, exit, inside: VPLoopRegion { header, latch } })
}

struct Builder<'b> {
    plan: &'b mut VPlan,
    graph: &'b Graph,
    post: &'b ForwardPostDominators,
    shapes: &'b [Shape],
    /// The loop region whose entry is the block, as an index into `shapes`.
    begins: SecondaryMap<BlockId, Option<usize>>,
    /// The innermost loop whose region contains the block, as an index into `shapes`.
    owner: SecondaryMap<BlockId, Option<usize>>,
    /// The loops with regions.
    formed: EntitySet<LoopId>,
    /// Prefix sums over the preorder of the dominator tree: the number of headers of loops without regions.
    bare: Vec<u32>,
}

impl<'b> Builder<'b> {
    fn new(
        plan: &'b mut VPlan,
        graph: &'b Graph,
        post: &'b ForwardPostDominators,
        shapes: &'b [Shape],
    ) -> Self {
        let mut begins = SecondaryMap::new();
        let mut formed: EntitySet<LoopId> = EntitySet::new();
        let mut region_of: SecondaryMap<LoopId, Option<usize>> = SecondaryMap::new();
        for (index, shape) in shapes.iter().enumerate() {
            begins[shape.entry] = Some(index);
            formed.insert(shape.l);
            region_of[shape.l] = Some(index);
        }
        // The iterator yields a loop after its parent.
        for l in graph.loops() {
            if region_of[l].is_none() {
                region_of[l] = graph.forest().parent(l).and_then(|around| region_of[around]);
            }
        }
        let mut owner = SecondaryMap::new();
        for &block in graph.rpo() {
            owner[block] = graph.innermost(block).and_then(|l| region_of[l]);
        }
        for (index, shape) in shapes.iter().enumerate() {
            owner[shape.entry] = Some(index);
            owner[shape.exit] = Some(index);
        }
        let mut this = Self { plan, graph, post, shapes, begins, owner, formed, bare: Vec::new() };
        this.count_bare_loops();
        this
    }
    fn count_bare_loops(&mut self) {
        let mut bare = vec![0; self.graph.rpo().len() + 1];
        for l in self.graph.loops().filter(|l| !self.formed.contains(*l)) {
            if let Some((at, _)) = self.graph.interval(self.graph.header(l)) {
                bare[at as usize + 1] += 1;
            }
        }
        for at in 1..bare.len() {
            bare[at] += bare[at - 1];
        }
        self.bare = bare;
    }
    /// Whether a loop without a region has its header in a block that `entry` dominates and `exit` does not dominate
    /// strictly.
    fn has_bare_loop(&self, entry: BlockId, exit: BlockId) -> bool {
        let count = |block: BlockId, itself: u32| {
            let (from, to) = self.graph.interval(block)?;
            Some(self.bare[to as usize + 1] - self.bare[(from + itself) as usize])
        };
        match (count(entry, 0), count(exit, 1)) {
            (Some(all), Some(after)) => all > after,
            _ => true,
        }
    }

    fn walk(&mut self) {
        let mut stack = vec![(self.plan.entry(), self.plan.top())];
        while let Some((block, around)) = stack.pop() {
            let region = self.region_of(block, around);
            self.plan.blocks[block].parent = region;
            let ends = self.plan.region(region).exit == block;
            let after = if ends { self.plan.region(region).parent.unwrap_or(region) } else { region };
            stack.extend(self.graph.dominated(block).rev().map(|next| (next, after)));
        }
    }
    /// The region that contains `block`, given the region `around` of its dominator: a new region if `block` is an
    /// entry.
    fn region_of(&mut self, block: BlockId, around: RegionId) -> RegionId {
        if let Some(index) = self.begins[block] {
            let Shape { entry, exit, inside, .. } = self.shapes[index];
            return self.plan.add_region(RegionKind::Loop(inside), around, [entry, exit]);
        }
        match self.exit_for(block) {
            Some(exit) => self.plan.add_region(RegionKind::NonLoop, around, [block, exit]),
            None => around,
        }
    }
    /// The exit of the non-loop region with entry `entry`, if there is one.
    fn exit_for(&self, entry: BlockId) -> Option<BlockId> {
        let block = self.plan.block(entry);
        if block.succs.len() < 2 || block.preds.len() != 1 {
            return None;
        }
        let exit = self.post.ipdom(entry)?;
        let end = self.plan.block(exit);
        // An entry that dominates its exit is the immediate dominator of the exit, so each exit has one entry. A block
        // with several successors is no region's exit. So neither block is an end of the parent region.
        let fits = end.preds.len() > 1
            && end.succs.len() == 1
            && self.graph.dominates(entry, exit)
            && self.graph.innermost(entry) == self.graph.innermost(exit)
            && self.is_not_loop_region_end(exit);
        let is_in_loop_region = self.owner[entry].is_some();
        (fits && !(is_in_loop_region && self.has_bare_loop(entry, exit))).then_some(exit)
    }
    /// Whether `block` is neither the entry nor the exit of a loop region.
    fn is_not_loop_region_end(&self, block: BlockId) -> bool {
        let of = self.owner[block].map(|index| self.shapes[index]);
        of.is_none_or(|shape| shape.entry != block && shape.exit != block)
    }
}
