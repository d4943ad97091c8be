//! Facts about loops and cycles, written by hand from the definitions: `[[loop]]` and `[[irreducible]]`.

use serde::Deserialize;
use std::collections::BTreeSet;

/// Facts about one loop. Blocks are named by their labels.
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct LoopFacts {
    /// The function.
    pub function: String,
    /// The header.
    pub header: String,
    /// The preheader; empty if there is none.
    pub preheader: Option<String>,
    /// The latches.
    pub latches: Option<BTreeSet<String>>,
    /// The blocks outside the loop with an edge to the header.
    pub entering: Option<BTreeSet<String>>,
    /// The exiting blocks.
    pub exiting: Option<BTreeSet<String>>,
    /// The exit blocks.
    pub exits: Option<BTreeSet<String>>,
    /// Whether all predecessors of exit blocks are in the loop.
    pub dedicated_exits: Option<bool>,
    /// The depth; 1 for an outermost loop.
    pub depth: Option<u32>,
    /// Whether the loop has no exiting edge.
    pub infinite: Option<bool>,
}

/// A cycle that is no loop.
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Irreducible {
    /// The function.
    pub function: String,
    /// The entries of the cycle.
    pub cycle: BTreeSet<String>,
}
