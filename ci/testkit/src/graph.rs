//! Random control-flow graphs for tests.

use proptest::prelude::*;
use std::ops::RangeInclusive;

/// A graph: the successors of each node. Node 0 is the entry and has no predecessors, as in LLVM.
pub type Graph = Vec<Vec<usize>>;

/// Random graphs with a number of nodes in `nodes` (at least 2) and up to three edges from each: most nodes branch,
/// some return, some switch. Includes unreachable nodes and double edges.
pub fn graphs(nodes: RangeInclusive<usize>) -> impl Strategy<Value = Graph> {
    nodes.prop_flat_map(|n| {
        let node = prop_oneof![
            1 => prop::collection::vec(1..n, 0..=0),
            4 => prop::collection::vec(1..n, 1..=1),
            6 => prop::collection::vec(1..n, 2..=2),
            1 => prop::collection::vec(1..n, 3..=3),
        ];
        prop::collection::vec(node, n..=n)
    })
}
