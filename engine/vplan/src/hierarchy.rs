//! The hierarchical CFG: regions over the plain one, loops' and others.
//!
//! Needs a plan with the Top Region alone; massaged or not: where the criteria are not met there is no region. Guarantees what
//! [`crate::verify::hierarchy`] checks.
//!
//! A *loop region* is made of a loop with a preheader that has one predecessor and is no header, a single exit that has one
//! successor and is no preheader, and a single latch: from the preheader, its entry, to the exit.
//!
//! A region that is *no loop* is made of a block with several successors and one predecessor, its entry, and the block where
//! all ways from there meet first, its exit, if that has several predecessors and one successor; the entry dominates the exit;
//! both lie directly in one region and in the same loop, and neither is that region's entry or exit.
//!
//! # No cycle, without a search
//!
//! A region directly in a loop region must not contain a cycle: no way from its entry to its exit may go round the loop. "Where
//! all ways meet" is asked of the graph in which loops are gone through once ([`Graph::post_dominators_forward`]): there, a way
//! round the loop that the entry is in leaves it, and so does not come to an exit in it. So an exit that post-dominates the
//! entry, in the same loop, is never come to from there by way of the loop's backedge. Loops that have no region of their own
//! (left alone for being uniform) may lie in a region that is in no loop region, and in no other.
//!
//! # One walk
//!
//! Regions come out from outside to inside in one walk down the dominator tree, which takes with it the region that a block
//! lies in: of a region's entry it is that region, and for what the exit dominates it is the region around again.

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

/// What the region of a loop is to be.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Shape {
    pub(crate) l: LoopId,
    pub(crate) entry: BlockId,
    pub(crate) exit: BlockId,
    pub(crate) inside: VPLoopRegion,
}

/// The loops that meet the criteria, those around others first.
pub(crate) fn loop_regions(plan: &VPlan, graph: &Graph) -> Vec<Shape> {
    // A block is the entry or exit of one region.
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
    /// The loop region that begins at a block, by its place among the shapes.
    begins: SecondaryMap<BlockId, Option<usize>>,
    /// The innermost loop with a region that a block lies in the region of, by its place among the shapes.
    owner: SecondaryMap<BlockId, Option<usize>>,
    /// The loops that have regions.
    formed: EntitySet<LoopId>,
    /// How many headers of loops without regions stand in preorder of the dominator tree up to each place.
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
        // Loops come after those around them.
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
    /// Whether a loop without a region begins at a block that `entry` dominates and `exit` does not dominate strictly.
    fn has_bare_loop(&self, entry: BlockId, exit: BlockId) -> bool {
        let count = |block: BlockId, itself: u32| {
            let (from, to) = self.graph.interval(block)?;
            Some(self.bare[to as usize + 1] - self.bare[(from + itself) as usize])
        };
        match (count(entry, 0), count(exit, 1)) {
            (Some(all), Some(behind)) => all > behind,
            _ => true,
        }
    }

    fn walk(&mut self) {
        let mut stack = vec![(self.plan.entry(), self.plan.top())];
        while let Some((block, around)) = stack.pop() {
            let region = self.region_of(block, around);
            self.plan.blocks[block].parent = region;
            let ends = self.plan.region(region).exit == block;
            let behind = if ends { self.plan.region(region).parent.unwrap_or(region) } else { region };
            stack.extend(self.graph.dominated(block).rev().map(|next| (next, behind)));
        }
    }
    /// The region that `block` lies in, where what dominates it lies in `around`: a new one if it is an entry.
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
    /// The exit of the region that is no loop and begins at `entry`, if there is one.
    fn exit_for(&self, entry: BlockId) -> Option<BlockId> {
        let block = self.plan.block(entry);
        if block.succs.len() < 2 || block.preds.len() != 1 {
            return None;
        }
        let exit = self.post.ipdom(entry)?;
        let end = self.plan.block(exit);
        // Of an entry that dominates its exit, the exit's immediate dominator, there is one for each exit; and a block with
        // several successors is no region's exit. So neither is one of the region around.
        let fits = end.preds.len() > 1
            && end.succs.len() == 1
            && self.graph.dominates(entry, exit)
            && self.graph.innermost(entry) == self.graph.innermost(exit)
            && self.is_no_end(exit);
        let is_in_loop_region = self.owner[entry].is_some();
        (fits && !(is_in_loop_region && self.has_bare_loop(entry, exit))).then_some(exit)
    }
    /// Whether `block` is neither entry nor exit of a loop region.
    fn is_no_end(&self, block: BlockId) -> bool {
        let of = self.owner[block].map(|index| self.shapes[index]);
        of.is_none_or(|shape| shape.entry != block && shape.exit != block)
    }
}
