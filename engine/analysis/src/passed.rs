//! The branches that control has certainly taken before a block is reached, with their directions.
//!
//! A branch direction is certain if its edge dominates the block: every path from the entry takes the edge, and the
//! condition has not been recomputed since the edge was last taken. This holds for a loop header too: the edge into the
//! loop has been taken, and backedges are taken later. [`Conditions`](crate::conditions::Conditions) decomposes these
//! conditions into facts of single values; this module keeps them whole, for clients that reason about the conditions.

use crate::cache::At;
use crate::conditions::edge_dominates;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::int::Int;

/// A branch or switch that control has taken, and its direction.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct PassedBranch {
    /// The branch.
    pub branch: Inst,
    /// Its block.
    pub from: Block,
    /// The successor that control took.
    pub to: Block,
    /// The condition of the branch. It is neither poison nor undef, since branching on those is UB.
    pub condition: Value,
    /// The value of the condition.
    pub way: Way,
}

/// The direction of a branch or switch.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Way {
    /// The condition of a branch was true or false.
    Truth(bool),
    /// The condition of a switch was the number.
    Case(Int),
    /// The condition of a switch was none of its cases.
    Default,
}

/// The directions that control has certainly taken when it reaches `block`, the latest first. Each step moves one level
/// up in the dominator tree.
pub fn passed_branches<'a>(at: At<'a>, block: Block) -> impl Iterator<Item = PassedBranch> + use<'a> {
    let (cfg, dominators) = (at.cfg(), at.dominators());
    let first = Some(block).filter(|b| dominators.is_reachable(*b));
    let up = dominators.clone();
    let chain = std::iter::successors(first, move |b| up.idom(*b));
    chain.filter_map(move |to| {
        let from = dominators.idom(to)?;
        edge_dominates(&cfg, &dominators, from, to, to).then(|| way_of(at, from, to)).flatten()
    })
}

/// The directions that control has certainly taken when it takes the edge, the latest first: the edge's own, then those
/// of its source block.
pub fn passed_on_edge<'a>(
    at: At<'a>,
    from: Block,
    to: Block,
) -> impl Iterator<Item = PassedBranch> + use<'a> {
    let reachable = at.cfg().is_reachable(from);
    let own = if reachable { way_of(at, from, to) } else { None };
    own.into_iter().chain(passed_branches(at, from))
}

/// The value of the condition on the edge from `from` to `to`, if that edge is the only one between the blocks.
fn way_of(at: At<'_>, from: Block, to: Block) -> Option<PassedBranch> {
    let branch = at.body.terminator(from)?;
    let data = at.body.inst(branch);
    let mut edges = (0..data.blocks.len()).filter(|i| data.blocks[*i] == to);
    let (Some(index), None) = (edges.next(), edges.next()) else { return None };
    let way = match &data.kind {
        InstKind::CondBr => Way::Truth(index == 0),
        InstKind::Switch if index == 0 => Way::Default,
        InstKind::Switch => Way::Case(at.body.as_int(data.operands[index])?),
        _ => return None,
    };
    Some(PassedBranch { branch, from, to, condition: data.operands[0], way })
}
