//! Chains, nests and other large graphs of 10^5 blocks: no analysis recurses or takes quadratic time.

#[path = "it/common/mod.rs"]
mod common;

use backedge_analysis::frontier::{Frontiers, IteratedFrontier};
use backedge_analysis::print::{Detail, cfg_to_dot, cfg_to_string};
use backedge_analysis::{PostDominators, irreducible};
use backedge_ir::module::Module;
use backedge_testkit::Graph;
use common::{analyse, block, module::module_of};
use std::time::{Duration, Instant};

/// Blocks of a graph: so many that recursion per block overflows the stack and a quadratic algorithm takes minutes.
const BLOCKS: usize = 100_000;

struct Shape {
    loops: usize,
    depth: u32,
    irreducible: usize,
}

/// Analyzes the graph and checks its shape. A quadratic algorithm takes minutes at this size, a linear one a second.
fn check(graph: Graph, expected: &Shape) {
    let module: Module = module_of(&[graph]);
    let start = Instant::now();
    for (func, body) in module.bodies() {
        let (cfg, dominators, loops) = analyse(body);
        assert_eq!(loops.len(), expected.loops);
        assert_eq!(loops.ids().map(|l| loops.depth(l)).max().unwrap_or(0), expected.depth);
        assert_eq!(irreducible::cycles(&cfg, &loops).len(), expected.irreducible);
        let post = PostDominators::new(&cfg);
        assert!(body.blocks().all(|b| post.post_dominates(b, b)));
        let deepest = body.blocks().max_by_key(|b| loops.depth_of_block(*b)).expect("a block");
        IteratedFrontier::new(&cfg, &dominators).of(&[deepest]);
        IteratedFrontier::new(&cfg, &post).of(&[deepest]);
        assert_eq!(loops.in_pass_order().len(), loops.len());
        for l in loops.ids() {
            assert!(loops.entering_blocks(&cfg, l).len() + loops.latches(&cfg, l).len() >= 2);
            assert!(loops.has_invariant_operands(
                body,
                l,
                body.terminator(loops.header(l)).expect("a terminator")
            ));
        }
        if let Some(&outer) = loops.top_level().first() {
            loops.exiting_edges(&cfg, outer);
            assert!(loops.is_recursively_lcssa(body, &cfg, outer));
        }
        cfg_to_string(&module.env, func, body);
        cfg_to_dot(&module.env, func, body, Detail::Names);
    }
    assert!(start.elapsed() < Duration::from_secs(60), "took {:?}", start.elapsed());
}

#[test]
fn a_chain() {
    let graph: Graph = (1..=BLOCKS).map(|i| if i < BLOCKS { vec![i] } else { vec![] }).collect();
    let (cfg, dominators, _) = analyse(&common::body_of(&graph));
    assert!(Frontiers::new(&cfg, &dominators).of(block(BLOCKS / 2)).is_empty());
    check(graph, &Shape { loops: 0, depth: 0, irreducible: 0 });
}

#[test]
fn loops_in_a_row() {
    let mut graph: Graph = vec![vec![1]];
    graph.extend((1..BLOCKS).map(|i| vec![i, i + 1]));
    graph.push(vec![]);
    check(graph, &Shape { loops: BLOCKS - 1, depth: 1, irreducible: 0 });
}

/// Headers from outside to inside, then latches from inside to outside, one per level.
fn rotated_nest(depth: usize, core: &[Vec<usize>]) -> Graph {
    let mut graph: Graph = vec![vec![1]];
    graph.extend((1..=depth).map(|i| vec![i + 1]));
    graph.extend(core.iter().map(|succs| succs.iter().map(|s| s + depth + 1).collect()));
    let first = graph.len();
    graph.extend((0..depth).map(|i| vec![depth - i, first + i + 1]));
    graph.push(vec![]);
    graph
}

#[test]
fn a_nest_of_rotated_loops() {
    let graph = rotated_nest(BLOCKS / 2, &[vec![1]]);
    check(graph, &Shape { loops: BLOCKS / 2, depth: (BLOCKS / 2) as u32, irreducible: 0 });
}

#[test]
fn a_nest_around_an_irreducible_cycle() {
    let graph = rotated_nest(BLOCKS / 2, &[vec![1, 2], vec![2], vec![1, 3]]);
    check(graph, &Shape { loops: BLOCKS / 2, depth: (BLOCKS / 2) as u32, irreducible: 1 });
}

#[test]
fn a_nest_of_top_tested_loops_that_all_may_return() {
    let depth = BLOCKS / 2;
    // Headers 1..=depth enter the next loop or leave to the latch of the enclosing loop; the innermost latch also
    // returns.
    let (latch, exit) = (|i: usize| depth + i, 2 * depth + 1);
    let mut graph: Graph = vec![vec![1]];
    for i in 1..=depth {
        let out = if i == 1 { exit } else { latch(i - 1) };
        graph.push(vec![if i < depth { i + 1 } else { latch(i) }, out, exit]);
    }
    graph.extend((1..=depth).map(|i| vec![i]));
    graph.push(vec![]);
    check(graph, &Shape { loops: depth, depth: depth as u32, irreducible: 0 });
}

#[test]
fn an_endless_nest() {
    let depth = BLOCKS / 2;
    let mut graph = rotated_nest(depth, &[vec![1]]);
    let last = graph.len() - 2;
    graph[last] = vec![1];
    graph[last + 1] = vec![];
    check(graph, &Shape { loops: depth, depth: depth as u32, irreducible: 0 });
}

#[test]
fn a_ladder_that_is_one_irreducible_cycle() {
    let n = BLOCKS;
    let mut graph: Graph = vec![vec![1, n / 2]];
    graph.extend((1..n).map(|i| vec![if i + 1 < n { i + 1 } else { 1 }, n]));
    graph.push(vec![]);
    check(graph, &Shape { loops: 0, depth: 0, irreducible: 1 });
}

#[test]
fn one_switch_to_all() {
    let mut graph: Graph = vec![(1..BLOCKS).collect()];
    graph.extend((1..BLOCKS).map(|_| vec![BLOCKS]));
    graph.push(vec![]);
    check(graph, &Shape { loops: 0, depth: 0, irreducible: 0 });
}
