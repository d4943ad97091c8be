//! Whether an instruction may access memory at all, from its kind, attributes, and LLVM's declarations of intrinsics.

use crate::cache::At;
use backedge_ir::attr::{FlagAttr, MemoryEffects, ModRef};
use backedge_ir::body::Body;
use backedge_ir::entity::{FuncId, Inst};
use backedge_ir::inst::{CallView, InstKind};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::module::Env;

/// Whether `inst` may read or write memory. False is a proof.
pub fn may_access_memory(env: &Env, body: &Body, inst: Inst) -> bool {
    let data = body.inst(inst);
    match &data.kind {
        InstKind::Load(_)
        | InstKind::Store(_)
        | InstKind::Fence(..)
        | InstKind::AtomicRmw(..)
        | InstKind::CmpXchg(_)
        | InstKind::VaArg => true,
        _ => data.call().is_some_and(|call| call_may_access_memory(env, body, call)),
    }
}

/// The function that `call` calls directly.
pub fn called_function(body: &Body, call: CallView<'_>) -> Option<FuncId> {
    body.called_function(call.callee())
}

fn call_may_access_memory(env: &Env, body: &Body, call: CallView<'_>) -> bool {
    let effects = effects_of_call(env, body, call).any();
    effects.reads || effects.writes
}

/// The memory effects of `call`: the intersection of the effects that the call's and the callee's attributes allow.
pub fn effects_of_call(env: &Env, body: &Body, call: CallView<'_>) -> MemoryEffects {
    let all = MemoryEffects::all(ModRef::READ_WRITE);
    let at_call = env.memory_effects(&call.info.fn_attrs).unwrap_or(all);
    match called_function(body, call) {
        // An operand bundle may access memory whatever the callee does.
        Some(func) if call.info.bundles.is_empty() => {
            let none = MemoryEffects::all(ModRef::NONE);
            let declares_none = env.funcs[func].intrinsic.is_some_and(|i| i.facts().memory == none);
            let of_intrinsic = if declares_none { none } else { all };
            let of_callee = env.memory_effects(&env.funcs[func].attrs).unwrap_or(all);
            at_call.intersect(of_callee).intersect(of_intrinsic)
        }
        _ => at_call,
    }
}

/// Whether `call`, which accesses no memory, may return another result for the same arguments later in the same
/// activation of its function. A presplit coroutine may resume on another thread after each suspension point, and
/// reading the identity of the thread does not count as a memory access.
pub fn may_change_at_suspension(at: At<'_>, call: CallView<'_>) -> bool {
    let asks_the_thread = match called_function(at.body, call).and_then(|f| at.env.funcs[f].intrinsic) {
        Some(intrinsic) => intrinsic == Intrinsic::ThreadlocalAddress,
        None => true,
    };
    let attrs = at.func.map(|f| &at.env.funcs[f].attrs);
    asks_the_thread && attrs.is_none_or(|a| at.env.has_attr(a, FlagAttr::PresplitCoroutine))
}
