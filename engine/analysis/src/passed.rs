//! The branches that control has certainly passed when it comes to a block, and which way it took.
//!
//! A way is passed for certain where an edge dominates the block: every path from the entry goes over it, and since it
//! went over it last, the condition has not been computed anew. This holds of a loop's header too: the way into the loop
//! is passed, its backedges come later. [`Conditions`](crate::conditions::Conditions) has what these ways, taken apart,
//! say of single values; here they are whole, for those who reason about the conditions themselves.

use crate::cache::At;
use crate::conditions::edge_dominates;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::int::Int;

/// A branch or switch that was passed, and how.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct PassedBranch {
    /// The branch.
    pub branch: Inst,
    /// Its block.
    pub from: Block,
    /// Where control went.
    pub to: Block,
    /// What it branches on: neither poison nor undef, or there is undefined behaviour.
    pub condition: Value,
    /// What the condition was.
    pub way: Way,
}

/// Which way control went.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Way {
    /// The condition of a branch was true or false.
    Truth(bool),
    /// The condition of a switch was the number.
    Case(Int),
    /// The condition of a switch was none of its cases.
    Default,
}

/// The ways that control has certainly passed when it comes to `block`, the latest first. Each step goes one up in the
/// dominator tree.
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

/// The ways that control has certainly passed when it goes over an edge, the latest first: that edge's own, and those of
/// its block.
pub fn passed_on_edge<'a>(
    at: At<'a>,
    from: Block,
    to: Block,
) -> impl Iterator<Item = PassedBranch> + use<'a> {
    let reachable = at.cfg().is_reachable(from);
    let own = if reachable { way_of(at, from, to) } else { None };
    own.into_iter().chain(passed_branches(at, from))
}

/// What going from `from` to `to` says of the condition, if there is only one edge that does.
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
