//! Graphs made at random, as tests of control flow need them.

use proptest::prelude::*;
use std::ops::RangeInclusive;

/// A graph: the successors of each node. Node 0 is the entry, to which nothing leads, as in LLVM.
pub type Graph = Vec<Vec<usize>>;

/// Graphs of as many nodes as `nodes` says (at least 2) with up to three edges from each: most branch, some end, some
/// are switches; unreachable nodes and doubled edges among them.
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
