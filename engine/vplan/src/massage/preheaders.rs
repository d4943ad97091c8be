//! Loop preheaders: a preheader with several predecessors, or one that is the header of another loop, keeps its
//! recipes, and a new empty block after it becomes the preheader. This includes the plan's outermost loop, although its
//! preheader is a dummy block.

use super::Uniformity;
use crate::plan::{Graph, VPlan};

/// Applies the transform to all loops with a preheader.
pub(super) fn run(plan: &mut VPlan, uniform: &dyn Uniformity) -> bool {
    let graph = Graph::new(plan);
    let mut changed = false;
    for l in graph.loops() {
        let header = graph.header(l);
        // A preheader has one successor, the header of its loop, so changes for one loop do not affect another.
        let Some(preheader) = graph.preheader(l).filter(|_| !uniform.is_uniform_loop(plan, header)) else {
            continue;
        };
        let is_header = graph.innermost(preheader).is_some_and(|m| graph.header(m) == preheader);
        if plan.block(preheader).preds.len() > 1 || is_header {
            let label = format!("{}.ph", plan.block(header).label);
            plan.split_edge(preheader, header, &label);
            changed = true;
        }
    }
    changed
}
