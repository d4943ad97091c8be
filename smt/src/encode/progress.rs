//! Finds cycles that must make progress (LangRef, `mustprogress` and `llvm.loop.mustprogress`): a run that stays in one
//! forever without observable effects is UB.

use crate::encode::unroll::Schedule;
use crate::refinement::FunctionRef;
use backedge_ir::body::Body;
use backedge_ir::dominators::Dominators;
use backedge_ir::entity::{Block, EntitySet};
use backedge_ir::loop_options::{function_must_progress, has_mustprogress};

/// Headers of cycles that must make progress: all, if the function has the attribute; otherwise those inside natural
/// loops of which every backedge has the metadata. A run that stays in a cycle forever also stays in the enclosing
/// loops.
pub(crate) fn must_progress(
    function: FunctionRef<'_>,
    body: &Body,
    schedule: &Schedule,
    dominators: &Dominators,
) -> EntitySet<Block> {
    let env = &function.module.env;
    let everywhere = function_must_progress(env, function.func);
    let says_so = |block: Block| has_mustprogress(env, body, block);
    let headers = || body.blocks().filter(|b| schedule.is_header(*b));
    let own: Vec<Block> = headers()
        .filter(|header| {
            let is_backedge =
                |b: &Block| body.successors(*b).contains(header) && schedule.is_inside(*b, *header);
            let mut backedges = body.blocks().filter(is_backedge);
            backedges.all(|b| dominators.dominates(*header, b) && says_so(b))
        })
        .collect();
    headers().filter(|header| everywhere || own.iter().any(|o| schedule.is_inside(*header, *o))).collect()
}
