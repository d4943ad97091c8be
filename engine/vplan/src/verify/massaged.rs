//! The properties that each massaging establishes for all non-uniform loops and branches. Later transforms preserve
//! them.
//!
//! Shared exits are found by a search from each branch, which is slow: use it only in tests.

use super::Problem;
use crate::massage::{Massaging, Massagings, Uniformity};
use crate::plan::{BlockId, Graph, Recipe, VPValue, VPlan};
use backedge_analysis::LoopId;
use backedge_ir::entity::EntitySet;

/// The violations in `plan` of the properties that the transforms in `done` establish.
pub fn massaged(plan: &VPlan, done: Massagings, uniform: &dyn Uniformity) -> Vec<Problem> {
    let graph = Graph::new(plan);
    let mut problems = Vec::new();
    for massaging in done.iter() {
        let mut wrong = |block: BlockId| problems.push(Problem::NotMassaged(massaging, block));
        for l in graph.loops() {
            let header = graph.header(l);
            if !uniform.is_uniform_loop(plan, header) && !loop_is_massaged(plan, &graph, l, massaging) {
                wrong(header);
            }
        }
        for block in plan.blocks() {
            if !uniform.is_uniform_branch(plan, block) && !block_is_massaged(plan, &graph, block, massaging) {
                wrong(block);
            }
        }
    }
    problems
}

fn loop_is_massaged(plan: &VPlan, graph: &Graph, l: LoopId, massaging: Massaging) -> bool {
    let is_header = |block: BlockId| graph.loops().any(|m| graph.header(m) == block);
    let exiting = graph.exiting_edges(l);
    match massaging {
        Massaging::Preheaders => {
            graph.preheader(l).is_some_and(|block| plan.block(block).preds.len() == 1 && !is_header(block))
        }
        Massaging::MultiExit => exiting.len() == 1,
        Massaging::NonUniform => {
            let Some(latch) = graph.latch(l).filter(|_| graph.forest().parent(l).is_some()) else {
                return graph.forest().parent(l).is_none();
            };
            let bit = plan.condition_bit(latch);
            let is_any =
                matches!(bit, Some(VPValue::Def(r)) if matches!(plan.recipe(r).kind, Recipe::AnyLane { .. }));
            is_any && matches!(exiting[..], [(from, _)] if from == latch)
        }
        Massaging::SingleExit => graph.single_exit(l).is_none_or(|exit| {
            let is_preheader = graph.loops().any(|m| graph.preheader(m) == Some(exit));
            plan.block(exit).succs.len() <= 1 && !is_preheader
        }),
        Massaging::EntryExit | Massaging::SharedExit => true,
    }
}

fn block_is_massaged(plan: &VPlan, graph: &Graph, block: BlockId, massaging: Massaging) -> bool {
    let (preds, succs) = (plan.block(block).preds.len(), plan.block(block).succs.len());
    match massaging {
        Massaging::EntryExit => preds < 2 || succs < 2,
        Massaging::SharedExit => preds != 1 || succs < 2 || !has_shared_exit(plan, graph, block),
        Massaging::Preheaders | Massaging::MultiExit | Massaging::NonUniform | Massaging::SingleExit => true,
    }
}

/// Whether the join of `branch` is in its loop and not dominated by it, although all blocks on the paths to the join
/// are.
fn has_shared_exit(plan: &VPlan, graph: &Graph, branch: BlockId) -> bool {
    let Some(join) = graph.post_dominators_forward(plan).ipdom(branch) else { return false };
    if graph.innermost(branch) != graph.innermost(join) || graph.dominates(branch, join) {
        return false;
    }
    let mut seen: EntitySet<BlockId> = EntitySet::new();
    let mut work = vec![branch];
    while let Some(block) = work.pop() {
        if block == join || !seen.insert(block) {
            continue;
        }
        if !graph.dominates(branch, block) {
            return false;
        }
        work.extend_from_slice(&plan.block(block).succs);
    }
    true
}
