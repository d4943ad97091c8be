//! Instructions that can be removed or delayed without a visible effect.

use backedge_analysis::effects::effects_of_call;
use backedge_analysis::must_execute::{call_has, called_intrinsic, guaranteed_to_transfer};
use backedge_ir::attr::FlagAttr;
use backedge_ir::body::Body;
use backedge_ir::entity::Inst;
use backedge_ir::inst::InstKind;
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::module::Env;

/// Whether `inst`, not a terminator, has no effect besides its result: it does not write, order memory accesses or
/// synchronize with other threads, and control always continues after it.
pub(crate) fn is_unseen(env: &Env, body: &Body, inst: Inst) -> bool {
    let data = body.inst(inst);
    match &data.kind {
        InstKind::Load(access) => !access.volatile && access.ordering.is_none(),
        InstKind::Store(_)
        | InstKind::AtomicRmw(..)
        | InstKind::CmpXchg(_)
        | InstKind::Fence(..)
        | InstKind::VaArg
        | InstKind::LandingPad { .. } => false,
        _ => data.call().is_none_or(|call| match called_intrinsic(env, body, call) {
            // Removing it only removes UB.
            Some(Intrinsic::Assume) => true,
            Some(i) if i.is_debug() => true,
            _ => {
                guaranteed_to_transfer(env, body, inst)
                    && !effects_of_call(env, body, call).any().writes
                    && !call_has(env, body, call, FlagAttr::Convergent)
            }
        }),
    }
}
