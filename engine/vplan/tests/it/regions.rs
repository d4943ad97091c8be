//! Regions by the criteria of the paper (docs/vplan-terms.md) alone: on random graphs, the single walk must build the
//! same regions that a search from every pair of blocks finds.

use crate::common;
use crate::common::{body, in_form, named, plans};
use backedge_testkit::graphs;
use backedge_vplan::build::Landing;
use backedge_vplan::hierarchy;
use backedge_vplan::massage::{Massaging, Massagings, NothingUniform};
use backedge_vplan::plan::{BlockId, Graph, Node, RegionId, RegionKind, VPlan};
use backedge_vplan::print::PlanPrinter;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// The blocks on paths from `entry` before `exit`; `None` if a path leaves the surrounding region, ends, or takes the
/// backedge of that region's loop.
fn between(plan: &VPlan, around: RegionId, [entry, exit]: [BlockId; 2]) -> Option<BTreeSet<BlockId>> {
    let region = plan.region(around);
    let mut seen = BTreeSet::new();
    let mut work = vec![entry];
    let mut meets = false;
    while let Some(block) = work.pop() {
        if block == exit {
            meets = true;
            continue;
        }
        if !seen.insert(block) {
            continue;
        }
        let is_latch = matches!(&region.kind, RegionKind::Loop(l) if l.latch == block);
        if block == region.exit || is_latch || plan.block(block).succs.is_empty() {
            return None;
        }
        work.extend_from_slice(&plan.block(block).succs);
    }
    meets.then_some(seen)
}

/// Whether a path from a block of `inside` returns to it without leaving `inside`, other than by the backedge of a loop
/// with a region of its own.
fn has_cycle(plan: &VPlan, inside: &BTreeSet<BlockId>) -> bool {
    let is_regions = |from: BlockId, to: BlockId| {
        plan.regions().any(|r| plan.region(r).as_loop().is_some_and(|l| l.latch == from && l.header == to))
    };
    inside.iter().any(|start| {
        let mut seen = BTreeSet::new();
        let mut work = vec![*start];
        while let Some(block) = work.pop() {
            for &to in &plan.block(block).succs {
                if is_regions(block, to) || !inside.contains(&to) {
                    continue;
                }
                if to == *start {
                    return true;
                }
                if seen.insert(to) {
                    work.push(to);
                }
            }
        }
        false
    })
}

/// Whether every path from the entry to `block` passes through `by`.
fn is_dominated(plan: &VPlan, by: BlockId, block: BlockId) -> bool {
    let mut seen = BTreeSet::new();
    let mut work = vec![plan.entry()];
    while let Some(at) = work.pop() {
        if at == by || !seen.insert(at) {
            continue;
        }
        if at == block {
            return false;
        }
        work.extend_from_slice(&plan.block(at).succs);
    }
    true
}

/// The innermost loop region, or the Top Region, that contains `block`.
fn loop_region(plan: &VPlan, block: BlockId) -> RegionId {
    let is_loop = |r: &RegionId| !matches!(plan.region(*r).kind, RegionKind::NonLoop);
    plan.regions_around(plan.block(block).parent).find(is_loop).expect("the Top Region")
}

/// Entries and exits of the expected non-loop regions, outer ones first.
fn expected(plan: &VPlan) -> Vec<[BlockId; 2]> {
    let graph = Graph::new(plan);
    let mut found: Vec<([BlockId; 2], BTreeSet<BlockId>)> = Vec::new();
    for &entry in graph.rpo() {
        let around = loop_region(plan, entry);
        let is_end = |block: BlockId| {
            plan.regions().any(|r| {
                let region = plan.region(r);
                region.kind != RegionKind::NonLoop && (region.entry == block || region.exit == block)
            })
        };
        if plan.block(entry).succs.len() < 2 || plan.block(entry).preds.len() != 1 || is_end(entry) {
            continue;
        }
        // The immediate post-dominator.
        let meeting = plan
            .blocks()
            .filter(|exit| *exit != entry)
            .filter_map(|exit| Some((exit, between(plan, around, [entry, exit])?)))
            .min_by_key(|(_, inside)| inside.len());
        let Some((exit, inside)) = meeting else { continue };
        let is_in_loop = matches!(plan.region(around).kind, RegionKind::Loop(_));
        let is_shared = found
            .iter()
            .filter(|(_, inside)| inside.contains(&entry))
            .min_by_key(|(_, inside)| inside.len())
            .is_some_and(|([_, outer], _)| *outer == exit);
        let fits = plan.block(exit).preds.len() >= 2
            && plan.block(exit).succs.len() == 1
            && !is_end(exit)
            && loop_region(plan, exit) == around
            && inside.iter().chain([&exit]).all(|block| is_dominated(plan, entry, *block))
            && !(is_in_loop && has_cycle(plan, &inside))
            && !is_shared;
        if fits {
            found.push(([entry, exit], inside));
        }
    }
    found.into_iter().map(|(ends, _)| ends).collect()
}

proptest! {
    #![proptest_config(backedge_testkit::kept(backedge_testkit::number("BACKEDGE_CASES", 300)))]

    #[test]
    fn regions_are_those_of_the_criteria(graph in graphs(3..=18), seed in any::<u64>(), some in any::<u8>()) {
        let module = in_form(&common::of_graph(&graph, seed));
        let func = named(&module);
        let chosen = Massaging::ALL.into_iter().filter(|m| some >> *m as u8 & 1 != 0 || some > 200);
        let massagings = chosen.fold(Massagings::NONE, Massagings::with);
        for mut plan in plans(&module, func, Landing::default()) {
            massagings.run(&mut plan, &NothingUniform);
            hierarchy::build(&mut plan);
            let built: BTreeSet<[BlockId; 2]> = plan
                .regions()
                .map(|r| plan.region(r))
                .filter(|region| region.kind == RegionKind::NonLoop)
                .map(|region| [region.entry, region.exit])
                .collect();
            let wanted: BTreeSet<[BlockId; 2]> = expected(&plan).into_iter().collect();
            let text = || PlanPrinter::new(&module.env, body(&module, func)).text(&plan);
            prop_assert_eq!(&built, &wanted, "{}", text());
            // The blocks of a region are seen as one node from the parent.
            for region in plan.regions().skip(1) {
                let of = plan.region(region);
                let parent = of.parent.expect("it is not the Top Region");
                prop_assert_eq!(plan.node_of(parent, of.entry), Some(Node::Region(region)));
                prop_assert_eq!(plan.node_of(region, of.exit), Some(Node::Block(of.exit)));
            }
        }
    }
}
