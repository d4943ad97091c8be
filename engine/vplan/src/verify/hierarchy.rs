//! The hierarchy: entries, exits and contents of regions, and the criteria for their creation.

use super::Problem;
use crate::plan::{BlockId, Graph, RegionId, RegionKind, VPLoopRegion, VPlan};
use backedge_analysis::LoopId;

/// The problems of the regions of `plan`, whose plain CFG must be valid.
pub fn hierarchy(plan: &VPlan) -> Vec<Problem> {
    let mut problems = Vec::new();
    let is_known = |region: RegionId| region < plan.regions.next_key();
    for region in plan.regions() {
        let parent = plan.region(region).parent;
        if parent.is_none() != (region == plan.top()) || parent.is_some_and(|p| p >= region) {
            problems.push(Problem::Parent(region));
        }
    }
    problems.extend(plan.blocks().filter(|b| !is_known(plan.block(*b).parent)).map(Problem::Region));
    // The further checks require that regions form a tree.
    if !problems.is_empty() {
        return problems;
    }
    let checker = Checker { plan, graph: Graph::new(plan) };
    checker.borders(&mut problems);
    plan.regions().for_each(|region| checker.region(region, &mut problems));
    checker.insides(&mut problems);
    checker.cycles(&mut problems);
    problems
}

struct Checker<'p> {
    plan: &'p VPlan,
    graph: Graph,
}

impl Checker<'_> {
    /// Checks that every edge stays in its region, leaves one at its exit, enters one at its entry, or leaves and
    /// enters.
    fn borders(&self, problems: &mut Vec<Problem>) {
        let plan = self.plan;
        for from in plan.blocks() {
            for &to in &plan.block(from).succs {
                let (a, b) = (plan.block(from).parent, plan.block(to).parent);
                let around_a = plan.region(a).parent.filter(|_| plan.region(a).exit == from);
                let around_b = plan.region(b).parent.filter(|_| plan.region(b).entry == to);
                let meet = a == b
                    || around_a == Some(b)
                    || around_b == Some(a)
                    || around_a.is_some() && around_a == around_b;
                // An edge from a region's exit to its entry would be a cycle outside any loop region.
                if !meet || a == b && plan.region(a).exit == from {
                    problems.push(Problem::Crosses(from, to));
                }
            }
        }
    }

    fn region(&self, region: RegionId, problems: &mut Vec<Problem>) {
        let plan = self.plan;
        let of = plan.region(region);
        let (entry, exit) = (plan.block(of.entry), plan.block(of.exit));
        let edges = [entry.preds.len(), entry.succs.len(), exit.preds.len(), exit.succs.len()];
        let fits = match &of.kind {
            RegionKind::Top => matches!(edges, [0, 1, _, 0]),
            RegionKind::Loop(l) => matches!(edges, [1, 1, _, 1]) && entry.succs[0] == l.header,
            RegionKind::NonLoop => matches!(edges, [1, 2, into, 1] if into > 1),
        };
        if entry.parent != region || exit.parent != region || of.entry == of.exit || !fits {
            problems.push(Problem::Ends(region));
        }
        match &of.kind {
            RegionKind::Top => {}
            RegionKind::Loop(l) => self.loop_region(region, *l, problems),
            RegionKind::NonLoop => {}
        }
    }

    /// Checks the contents of regions: a loop region contains its entry, its exit and blocks of the loop; any other
    /// region contains blocks that its entry dominates.
    fn insides(&self, problems: &mut Vec<Problem>) {
        let plan = self.plan;
        for block in plan.blocks() {
            for region in plan.regions_around(plan.block(block).parent) {
                let of = plan.region(region);
                match &of.kind {
                    RegionKind::Top => {}
                    RegionKind::Loop(l) => {
                        let is_in =
                            self.loop_with_header(l.header).is_some_and(|l| self.graph.is_in(l, block));
                        if !is_in && block != of.entry && block != of.exit {
                            problems.push(Problem::Body(region, block));
                        }
                    }
                    RegionKind::NonLoop => {
                        if !self.graph.dominates(of.entry, block) {
                            problems.push(Problem::Side(region, block));
                        }
                    }
                }
            }
        }
    }

    /// Checks that a loop region has the latch and the exit of its loop, and contains all its blocks.
    fn loop_region(&self, region: RegionId, l: VPLoopRegion, problems: &mut Vec<Problem>) {
        let plan = self.plan;
        let Some(id) = self.loop_with_header(l.header) else {
            problems.push(Problem::Ends(region));
            return;
        };
        if self.graph.latch(id) != Some(l.latch)
            || self.graph.single_exit(id) != Some(plan.region(region).exit)
        {
            problems.push(Problem::Ends(region));
        }
        let outside = self.graph.blocks_of(id).filter(|b| !plan.is_in(region, plan.block(*b).parent));
        problems.extend(outside.map(|block| Problem::Body(region, block)));
    }
    fn loop_with_header(&self, header: BlockId) -> Option<LoopId> {
        self.graph.innermost(header).filter(|l| self.graph.header(*l) == header)
    }

    /// Checks that a non-loop region in a loop region contains no cycle, except in nested loop regions.
    fn cycles(&self, problems: &mut Vec<Problem>) {
        let plan = self.plan;
        for l in self.graph.loops() {
            let header = self.graph.header(l);
            for region in plan.regions_around(plan.block(header).parent) {
                match &plan.region(region).kind {
                    RegionKind::Loop(of) if of.header == header => break,
                    RegionKind::Top | RegionKind::Loop(_) => {}
                    RegionKind::NonLoop => {
                        let goes_round = self
                            .graph
                            .latch(l)
                            .is_none_or(|latch| plan.is_in(region, plan.block(latch).parent));
                        let is_loop = |r: RegionId| matches!(plan.region(r).kind, RegionKind::Loop(_));
                        if goes_round && plan.regions_around(region).any(is_loop) {
                            problems.push(Problem::Cycle(region));
                        }
                    }
                }
            }
        }
    }
}
