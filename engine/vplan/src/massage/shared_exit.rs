//! Exits that several regions would share: if the join of a branch has predecessors that are not on paths from the
//! branch, the paths from the branch get a join of their own before it, and the phis are split in two.
//!
//! ```text
//! a:  br %c, b, x              x = phi [1, a], [2, b], [3, d]
//! b:  br %e, d, x        to    x.join = phi [2, b], [3, d]        the exit of the region of b
//! d:  br x                     x = phi [1, a], [x.join, x.join]   the exit of the region of a
//! ```
//!
//! The transform applies to a branch that could be a region's entry if all joins on the paths from it to its immediate
//! post-dominator are dominated by the branch. The first join with other paths is found for all blocks in one pass: in
//! reverse post-order, each join walks up the dominator tree from its predecessors to its immediate dominator and skips
//! blocks that an earlier join marked. Later branches are processed first, so that their new joins are on the paths of
//! earlier branches.

use super::{Uniformity, joined};
use crate::plan::{BlockId, Graph, Recipe, RecipeId, VPValue, VPlan};
use backedge_ir::entity::{EntitySet, SecondaryMap};

/// Applies the transform to all eligible branches.
pub(super) fn run(plan: &mut VPlan, uniform: &dyn Uniformity) -> bool {
    let graph = Graph::new(plan);
    let post = graph.post_dominators_forward(plan);
    let first_join = first_joins(plan, &graph);
    let mut branches: SecondaryMap<BlockId, Vec<BlockId>> = SecondaryMap::new();
    for &branch in graph.rpo() {
        let block = plan.block(branch);
        if block.succs.len() < 2 || block.preds.len() != 1 || uniform.is_uniform_branch(plan, branch) {
            continue;
        }
        let Some(join) = post.ipdom(branch) else { continue };
        if first_join[branch] == Some(join) && graph.innermost(branch) == graph.innermost(join) {
            branches[join].push(branch);
        }
    }
    let mut changed = false;
    for &join in graph.rpo() {
        changed |= split(plan, &graph, join, std::mem::take(&mut branches[join]));
    }
    changed
}

/// For each block, the first join in reverse post-order that is reachable from it and that it does not dominate
/// strictly.
fn first_joins(plan: &VPlan, graph: &Graph) -> SecondaryMap<BlockId, Option<BlockId>> {
    let mut first: SecondaryMap<BlockId, Option<BlockId>> = SecondaryMap::new();
    // For a marked block, one of its ancestors in the dominator tree; all blocks between the two are marked.
    let mut up: SecondaryMap<BlockId, Option<BlockId>> = SecondaryMap::new();
    let mut path = Vec::new();
    for &join in graph.rpo() {
        let Some(top) = graph.idom(join) else { continue };
        for pred in graph.forward_preds(plan, join) {
            let mut at = pred;
            loop {
                while let Some(next) = up[at] {
                    path.push(at);
                    at = next;
                }
                for below in path.drain(..) {
                    up[below] = Some(at);
                }
                let Some(above) = graph.idom(at).filter(|_| graph.level(at) > graph.level(top)) else {
                    break;
                };
                first[at] = Some(join);
                up[at] = Some(above);
                at = above;
            }
        }
    }
    first
}

/// Creates a separate join before `join` for the paths from each of `branches`.
fn split(plan: &mut VPlan, graph: &Graph, join: BlockId, mut branches: Vec<BlockId>) -> bool {
    if branches.is_empty() {
        return false;
    }
    let number = |block: BlockId| graph.interval(block).unwrap_or_default();
    branches.sort_by_key(|branch| std::cmp::Reverse(number(*branch).0));
    let mut preds: Vec<(u32, BlockId)> =
        plan.block(join).preds.iter().map(|pred| (number(*pred).0, *pred)).collect();
    preds.sort_unstable();
    let mut changed = false;
    for branch in branches {
        let (from, to) = number(branch);
        let start = preds.partition_point(|(at, _)| *at < from);
        let end = preds.partition_point(|(at, _)| *at <= to);
        if end - start < 2 || end - start == preds.len() {
            continue;
        }
        let moved: Vec<BlockId> = preds[start..end].iter().map(|(_, pred)| *pred).collect();
        let new = insert_join_before(plan, join, &moved);
        preds.splice(start..end, [(from, new)]);
        changed = true;
    }
    changed
}

/// Redirects the edges from `moved` to `join` to a new block before it.
fn insert_join_before(plan: &mut VPlan, join: BlockId, moved: &[BlockId]) -> BlockId {
    let label = format!("{}.join", plan.block(join).label);
    let new = plan.add_block(&label, plan.block(join).parent);
    for &pred in moved {
        plan.redirect(pred, join, new);
    }
    let moved: EntitySet<BlockId> = moved.iter().copied().collect();
    let phis: Vec<RecipeId> = plan.phis(join).collect();
    for phi in phis {
        let Recipe::Phi { incoming, .. } = &mut plan.recipes[phi].kind else { continue };
        let (there, rest): (Vec<_>, Vec<_>) =
            std::mem::take(incoming).into_iter().partition(|(from, _)| moved.contains(*from));
        *incoming = rest;
        let value: VPValue = joined(plan, new, phi, there, "join", &|_, _| true);
        plan.add_incoming(phi, new, value);
    }
    plan.add_edge(new, join);
    new
}
