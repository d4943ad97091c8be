//! The loop tree, loop forms and irreducible cycles against the definitions of LLVM's loop terminology, by enumeration
//! of all sets of blocks of small graphs.

use crate::common::{
    Nodes, analyse, block, body_of, dominates, members, nodes_of, reach, strongly_connected,
};
use backedge_analysis::irreducible::{self, IrreducibleCycle};
use backedge_analysis::{Cfg, LoopForest, LoopId};
use backedge_ir::entity::{Block, EntityId};
use backedge_testkit::{Graph, graphs};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::collections::{BTreeMap, BTreeSet};

/// All nonempty, strongly connected sets of reachable nodes.
fn connected_sets(graph: &Graph) -> Vec<Nodes> {
    let reachable = reach(graph, 0, 0);
    let all: Nodes = (1 << graph.len()) - 1;
    (1..=all).filter(|set| set & !reachable == 0 && strongly_connected(graph, *set)).collect()
}

/// The nodes of `set` that are targets of edges from reachable nodes outside.
fn entries(graph: &Graph, set: Nodes) -> Nodes {
    let outside = reach(graph, 0, 0) & !set;
    members(outside).flat_map(|from| &graph[from]).fold(0, |e, to| e | 1 << to) & set
}

/// The loops by header: the largest of the sets with that node as the only entry.
fn loops_by_definition(graph: &Graph, connected: &[Nodes]) -> BTreeMap<usize, Nodes> {
    let mut loops: BTreeMap<usize, Vec<Nodes>> = BTreeMap::new();
    for &set in connected {
        let entered = entries(graph, set);
        if entered.count_ones() == 1 {
            loops.entry(entered.trailing_zeros() as usize).or_default().push(set);
        }
    }
    let largest = |sets: Vec<Nodes>| {
        let union = sets.iter().fold(0, |u, s| u | s);
        assert!(sets.contains(&union), "a largest one exists");
        union
    };
    loops.into_iter().map(|(header, sets)| (header, largest(sets))).collect()
}

fn set_of(loops: &LoopForest, l: LoopId) -> Nodes {
    nodes_of(loops.blocks(l))
}

fn check_tree(graph: &Graph, cfg: &Cfg, loops: &LoopForest, expected: &BTreeMap<usize, Nodes>) {
    let found: BTreeMap<usize, Nodes> =
        loops.ids().map(|l| (loops.header(l).index(), set_of(loops, l))).collect();
    assert_eq!(&found, expected);
    assert_eq!(found.len(), loops.len());
    for l in loops.ids() {
        let set = set_of(loops, l);
        assert_eq!(loops.block_count(l), set.count_ones() as usize);
        assert_eq!(nodes_of(loops.blocks_unordered(l)), set);
        assert_eq!((loops.blocks(l)[0], loops.blocks_unordered(l)[0]), (loops.header(l), loops.header(l)));
        assert!(loops.blocks(l).is_sorted_by_key(|b| cfg.rpo().iter().position(|r| r == b)));
        assert!(members(set).all(|b| dominates(graph, loops.header(l).index(), b)));
        let around: Vec<_> = loops.ids().filter(|o| *o != l && set & !set_of(loops, *o) == 0).collect();
        assert_eq!(loops.depth(l) as usize, around.len() + 1);
        let parent = around.iter().copied().min_by_key(|o| loops.block_count(*o));
        assert_eq!(loops.parent(l), parent);
        assert!(loops.ids().all(|o| loops.contains_loop(o, l) == (o == l || around.contains(&o))));
        assert_eq!(
            loops.nest(l).collect::<BTreeSet<_>>(),
            loops.ids().filter(|o| loops.contains_loop(l, *o)).collect()
        );
        let children: Vec<_> = loops.ids().filter(|o| loops.parent(*o) == Some(l)).collect();
        assert_eq!(loops.children(l), children);
        let pass_order = loops.in_pass_order();
        let at = |x| pass_order.iter().position(|p| *p == x);
        assert!(children.iter().all(|c| at(*c) < at(l)));
        assert!(children.is_sorted_by_key(|c| at(*c)));
    }
    for b in 0..graph.len() {
        let inside: Vec<_> = loops.ids().filter(|l| set_of(loops, *l) >> b & 1 != 0).collect();
        assert_eq!(loops.innermost(block(b)), inside.iter().copied().min_by_key(|l| loops.block_count(*l)));
        assert_eq!(loops.depth_of_block(block(b)) as usize, inside.len());
        assert!(loops.ids().all(|l| loops.contains(l, block(b)) == inside.contains(&l)));
        assert_eq!(loops.with_header(block(b)), loops.ids().find(|l| loops.header(*l) == block(b)));
    }
}

fn sorted(blocks: Vec<Block>) -> Vec<usize> {
    let mut nodes: Vec<usize> = blocks.into_iter().map(EntityId::index).collect();
    nodes.sort_unstable();
    nodes
}

fn distinct(nodes: impl Iterator<Item = usize>) -> Vec<usize> {
    nodes.collect::<BTreeSet<_>>().into_iter().collect()
}

/// Checks entering and exiting edges, and all queries derived from them, against the list of all edges.
fn check_forms(graph: &Graph, cfg: &Cfg, loops: &LoopForest, l: LoopId) {
    let set = set_of(loops, l);
    let header = loops.header(l).index();
    let edges: Vec<(usize, usize)> =
        graph.iter().enumerate().flat_map(|(from, succs)| succs.iter().map(move |to| (from, *to))).collect();
    let inside = |b: usize| set >> b & 1 != 0;

    let entering: Vec<_> = edges.iter().filter(|(from, to)| !inside(*from) && *to == header).collect();
    assert_eq!(sorted(loops.entering_blocks(cfg, l)), distinct(entering.iter().map(|e| e.0)));
    let preheader = (entering.len() == 1 && graph[entering[0].0].len() == 1).then(|| entering[0].0);
    assert_eq!(loops.preheader(cfg, l).map(EntityId::index), preheader);

    let back: Vec<_> = edges.iter().filter(|(from, to)| inside(*from) && *to == header).collect();
    assert!(!back.is_empty());
    assert_eq!(sorted(loops.latches(cfg, l)), distinct(back.iter().map(|e| e.0)));
    assert_eq!(loops.backedges(cfg, l).len(), back.len());
    let latch = (back.len() == 1).then(|| back[0].0);
    assert_eq!(loops.single_latch(cfg, l).map(EntityId::index), latch);

    let mut leaving: Vec<_> = edges.iter().filter(|(from, to)| inside(*from) && !inside(*to)).collect();
    let mut found: Vec<_> =
        loops.exiting_edges(cfg, l).iter().map(|e| (e.from.index(), e.to.index())).collect();
    assert!(loops.exiting_edges(cfg, l).iter().all(|e| cfg.succs(e.from)[e.index] == e.to));
    found.sort_unstable();
    leaving.sort_unstable();
    assert!(found.iter().eq(leaving.iter().copied()), "{found:?} {leaving:?}");
    assert_eq!(sorted(loops.exiting_blocks(cfg, l)), distinct(leaving.iter().map(|e| e.0)));
    let mut exits: Vec<_> = leaving.iter().map(|e| e.1).collect();
    exits.sort_unstable();
    assert_eq!(sorted(loops.exit_blocks(cfg, l)), exits);
    exits.dedup();
    assert_eq!(sorted(loops.distinct_exit_blocks(cfg, l)), exits);
    let unique = (exits.len() == 1).then(|| exits[0]);
    assert_eq!(loops.unique_exit(cfg, l).map(EntityId::index), unique);
    assert_eq!(loops.is_statically_infinite(cfg, l), leaving.is_empty());
    let dedicated = !edges.iter().any(|(from, to)| !inside(*from) && exits.contains(to));
    assert_eq!(loops.has_dedicated_exits(cfg, l), dedicated);
    for b in 0..graph.len() {
        assert_eq!(loops.is_latch(cfg, l, block(b)), back.iter().any(|e| e.0 == b));
        assert_eq!(loops.is_exiting(cfg, l, block(b)), leaving.iter().any(|e| e.0 == b));
    }
    assert_eq!(loops.has_loop_simplify_form(cfg, l), preheader.is_some() && latch.is_some() && dedicated);
    let rotated = latch.is_some_and(|latch| leaving.iter().any(|e| e.0 == latch));
    assert_eq!(loops.is_rotated(cfg, l), rotated);
}

/// Whether no node of `set` dominates all of it.
fn is_headless(graph: &Graph, set: Nodes) -> bool {
    !members(set).any(|h| members(set).all(|b| dominates(graph, h, b)))
}

fn check_irreducible(graph: &Graph, loops: &LoopForest, cycles: &[IrreducibleCycle], connected: &[Nodes]) {
    let sets: Vec<Nodes> = cycles.iter().map(|c| nodes_of(&c.blocks)).collect();
    for (i, cycle) in cycles.iter().enumerate() {
        let set = sets[i];
        assert!(strongly_connected(graph, set) && is_headless(graph, set));
        assert_eq!(nodes_of(&cycle.entries), entries(graph, set));
        assert_eq!(
            (cycle.blocks.len(), cycle.entries.len()),
            (set.count_ones() as usize, entries(graph, set).count_ones() as usize)
        );
        // Cycles are nested or disjoint, among one another and with loops.
        let loop_sets = loops.ids().map(|l| set_of(loops, l));
        let others = sets.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, s)| *s);
        assert!(others.chain(loop_sets).all(|o| o & set == 0 || (o & set == o) != (o & set == set)));
        let around = loops.ids().filter(|l| set & !set_of(loops, *l) == 0);
        assert_eq!(cycle.in_loop, around.min_by_key(|l| loops.block_count(*l)));
        let outer = (0..sets.len())
            .filter(|j| *j != i && set & !sets[*j] == 0 && cycles[*j].in_loop == cycle.in_loop);
        assert_eq!(cycle.parent, outer.min_by_key(|j| sets[*j].count_ones()));
        assert!(cycle.parent.is_none_or(|p| p < i));
    }
    // Every strongly connected set without a dominating node is part of a reported cycle, and contains an entry of the
    // innermost such cycle.
    for &set in connected.iter().filter(|s| is_headless(graph, **s)) {
        let around = sets.iter().filter(|s| set & !**s == 0).min_by_key(|s| s.count_ones());
        let around = *around.unwrap_or_else(|| panic!("{set:b} is in no reported cycle"));
        assert!(set & entries(graph, around) != 0);
    }
}

proptest! {
    #![proptest_config(backedge_testkit::kept(3000))]

    #[test]
    fn loops_and_cycles(graph in graphs(2..=12)) {
        let body = body_of(&graph);
        let (cfg, _, loops) = analyse(&body);
        let connected = connected_sets(&graph);
        check_tree(&graph, &cfg, &loops, &loops_by_definition(&graph, &connected));
        for l in loops.ids() {
            check_forms(&graph, &cfg, &loops, l);
        }
        let cycles = irreducible::cycles(&cfg, &loops);
        check_irreducible(&graph, &loops, &cycles, &connected);
        prop_assert_eq!(irreducible::is_reducible(&cfg, &loops), cycles.is_empty());
    }
}

/// The graphs of the previous test have all relevant shapes, each many times.
#[test]
fn generated_graphs_reach_every_shape() {
    let mut runner = TestRunner::deterministic();
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for _ in 0..3000 {
        let graph = graphs(2..=12).new_tree(&mut runner).expect("a graph").current();
        let (cfg, _, loops) = analyse(&body_of(&graph));
        let cycles = irreducible::cycles(&cfg, &loops);
        let any = |holds: &dyn Fn(LoopId) -> bool| loops.ids().any(holds);
        let around = |c: &IrreducibleCycle, l: LoopId| c.blocks.contains(&loops.header(l));
        let shapes = [
            ("depth 3", any(&|l| loops.depth(l) == 3)),
            ("several latches", any(&|l| loops.latches(&cfg, l).len() > 1)),
            (
                "two backedges from one latch",
                any(&|l| loops.backedges(&cfg, l).len() > loops.latches(&cfg, l).len()),
            ),
            ("several entering blocks", any(&|l| loops.entering_blocks(&cfg, l).len() > 1)),
            ("loop simplify form", any(&|l| loops.has_loop_simplify_form(&cfg, l))),
            ("rotated", any(&|l| loops.is_rotated(&cfg, l))),
            ("statically infinite", any(&|l| loops.is_statically_infinite(&cfg, l))),
            ("unreachable blocks", cfg.rpo().len() < graph.len()),
            ("cycle at top level", cycles.iter().any(|c| c.in_loop.is_none())),
            ("cycle in a loop", cycles.iter().any(|c| c.in_loop.is_some())),
            ("cycle in a cycle", cycles.iter().any(|c| c.parent.is_some())),
            (
                "loop in a cycle",
                any(&|l| cycles.iter().any(|c| around(c, l) && !loops.contains(l, c.entries[0]))),
            ),
            (
                "loop whose header enters a cycle",
                any(&|l| cycles.iter().any(|c| c.entries.contains(&loops.header(l)))),
            ),
            ("three entries", cycles.iter().any(|c| c.entries.len() > 2)),
        ];
        for (shape, holds) in shapes {
            *seen.entry(shape).or_default() += usize::from(holds);
        }
    }
    assert!(seen.values().all(|count| *count >= 10), "{seen:#?}");
}
