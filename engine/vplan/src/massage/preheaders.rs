//! Loops' preheaders: one that several blocks lead to, or that is the header of another loop, keeps what it computes, and an
//! empty block behind it becomes the preheader. The plan's outermost loop is no exception, though its preheader is dummy.

use super::Uniformity;
use crate::plan::{Graph, VPlan};

/// Does it to all loops that have a preheader.
pub(super) fn run(plan: &mut VPlan, uniform: &dyn Uniformity) -> bool {
    let graph = Graph::new(plan);
    let mut changed = false;
    for l in graph.loops() {
        let header = graph.header(l);
        // Each loop's preheader has one edge, to its header, so that what is done for one loop is nothing to another.
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
