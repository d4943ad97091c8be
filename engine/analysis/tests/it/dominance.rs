//! Dominators, post-dominators and frontiers against their definitions: dominance by removal of a node, frontiers by
//! enumeration of all pairs, iterated frontiers as the least fixed point.

use crate::common::{Nodes, analyse, block, body_of, dominates, members, nodes_of, reach};
use backedge_analysis::frontier::{DominanceTree, Frontiers, IteratedFrontier};
use backedge_analysis::{Cfg, PostDominators};
use backedge_ir::entity::EntityId;
use backedge_testkit::{Graph, graphs};
use proptest::prelude::*;

/// The frontier of `b` for the dominance relation `dom`: nodes not strictly dominated, with a dominated predecessor.
fn frontier_by_definition(edges: &[(usize, usize)], b: usize, dom: impl Fn(usize, usize) -> bool) -> Nodes {
    let ends = edges.iter().filter(|(from, to)| dom(b, *from) && (b == *to || !dom(b, *to)));
    ends.fold(0, |set, (_, to)| set | 1 << to)
}

fn check_frontiers<T: DominanceTree>(
    cfg: &Cfg,
    tree: &T,
    edges: &[(usize, usize)],
    dom: impl Fn(usize, usize) -> bool,
    start: Nodes,
) {
    let frontiers = Frontiers::new(cfg, tree);
    let reachable = nodes_of(cfg.rpo());
    let mut by_definition = [0; 32];
    for b in members(reachable) {
        by_definition[b] = frontier_by_definition(edges, b, &dom);
        assert_eq!(nodes_of(frontiers.of(block(b))), by_definition[b], "frontier of {b}");
        assert_eq!(frontiers.of(block(b)).len(), by_definition[b].count_ones() as usize);
    }
    let start = start & reachable;
    let mut least: Nodes = 0;
    loop {
        let next = members(start | least).fold(0, |set, b| set | by_definition[b]);
        if next == least {
            break;
        }
        least = next;
    }
    let blocks: Vec<_> = members(start).map(block).collect();
    let iterated = IteratedFrontier::new(cfg, tree).of(&blocks);
    assert_eq!(nodes_of(&iterated), least, "iterated frontier of {blocks:?}");
    assert_eq!(iterated.len(), least.count_ones() as usize);
}

fn reachable_edges(graph: &Graph, reachable: Nodes) -> Vec<(usize, usize)> {
    members(reachable).flat_map(|from| graph[from].iter().map(move |to| (from, *to))).collect()
}

#[test]
fn an_endless_loop_ends_at_its_last_latch() {
    let exits =
        |graph: Graph| PostDominators::new(&Cfg::new(&body_of(&graph))).exits().iter().collect::<Vec<_>>();
    assert_eq!(exits(vec![vec![1], vec![2, 3], vec![4], vec![4], vec![1]]), [block(4)]);
    // Two latches: the exit is at the last one in reverse post-order, where the first successor comes last.
    assert_eq!(exits(vec![vec![1], vec![2, 3], vec![1], vec![1]]), [block(2)]);
    // A nested loop with an exit edge; its latch is no latch of the outer loop.
    assert_eq!(exits(vec![vec![1], vec![2], vec![2, 3], vec![1]]), [block(3)]);
    assert_eq!(exits(vec![vec![1, 2], vec![1], vec![2]]), [block(1), block(2)]);
}

proptest! {
    #![proptest_config(backedge_testkit::kept(1000))]

    #[test]
    fn dominators_by_removal(graph in graphs(2..=12), start in any::<Nodes>()) {
        let body = body_of(&graph);
        let (cfg, tree, _) = analyse(&body);
        let reachable = reach(&graph, 0, 0);
        prop_assert_eq!(nodes_of(cfg.rpo()), reachable);
        for b in members(reachable) {
            for a in members(reachable) {
                prop_assert_eq!(tree.dominates(block(a), block(b)), dominates(&graph, a, b), "{} dom {}", a, b);
            }
            // The immediate dominator is the strict dominator that all other strict dominators dominate.
            let strict: Vec<_> = members(reachable).filter(|a| *a != b && dominates(&graph, *a, b)).collect();
            let nearest = strict.iter().find(|a| strict.iter().all(|o| dominates(&graph, *o, **a)));
            prop_assert_eq!(tree.idom(block(b)).map(EntityId::index), nearest.copied());
        }
        let edges = reachable_edges(&graph, reachable);
        check_frontiers(&cfg, &tree, &edges, |a, b| dominates(&graph, a, b), start);
    }

    #[test]
    fn post_dominators_by_removal(graph in graphs(2..=12), start in any::<Nodes>()) {
        let body = body_of(&graph);
        let cfg = Cfg::new(&body);
        let tree = PostDominators::new(&cfg);
        let reachable = reach(&graph, 0, 0);

        // Each region that control cannot leave has one exit; a block without successors is such a region.
        let exits: Nodes = tree.exits().iter().fold(0, |set, b| set | 1 << b.index());
        prop_assert_eq!(exits & !reachable, 0);
        for b in members(reachable) {
            let from_b = reach(&graph, b, 0);
            prop_assert!(from_b & exits != 0, "no exit reachable from {}", b);
            let is_trap = members(from_b).all(|x| reach(&graph, x, 0) >> b & 1 != 0);
            if is_trap {
                prop_assert_eq!((from_b & exits).count_ones(), 1, "exits of the trap of {}", b);
            }
            prop_assert!(is_trap || exits >> b & 1 == 0, "an exit at {}, which is in no trap", b);
        }

        // Without `a`, `b` reaches no exit.
        let post_dominates = |a: usize, b: usize| a == b || reach(&graph, b, 1 << a) & exits == 0;
        for b in members(reachable) {
            for a in members(reachable) {
                prop_assert_eq!(tree.post_dominates(block(a), block(b)), post_dominates(a, b), "{} pdom {}", a, b);
            }
            let strict: Vec<_> = members(reachable).filter(|a| *a != b && post_dominates(*a, b)).collect();
            let nearest = strict.iter().find(|a| strict.iter().all(|o| post_dominates(*o, **a)));
            prop_assert_eq!(tree.ipdom(block(b)).map(EntityId::index), nearest.copied());
        }
        let edges: Vec<_> = reachable_edges(&graph, reachable).iter().map(|(a, b)| (*b, *a)).collect();
        check_frontiers(&cfg, &tree, &edges, post_dominates, start);
    }

    #[test]
    fn unreachable_blocks_take_no_part(graph in graphs(2..=10)) {
        let body = body_of(&graph);
        let (cfg, dominators, loops) = analyse(&body);
        let post = PostDominators::new(&cfg);
        let reachable = reach(&graph, 0, 0);
        for b in (0..graph.len()).filter(|b| reachable >> b & 1 == 0) {
            prop_assert_eq!(loops.innermost(block(b)), None);
            prop_assert_eq!(dominators.idom(block(b)), None);
            prop_assert_eq!(post.ipdom(block(b)), None);
            for a in members(reachable) {
                prop_assert!(dominators.dominates(block(a), block(b)));
                prop_assert!(!dominators.dominates(block(b), block(a)));
                prop_assert!(!post.post_dominates(block(a), block(b)) && !post.post_dominates(block(b), block(a)));
            }
        }
    }
}
