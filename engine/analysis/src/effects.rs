//! Whether an instruction may access memory at all, from its kind, attributes, and what LLVM declares of intrinsics.

use backedge_ir::body::Body;
use backedge_ir::constant::{ConstData, GlobalRef};
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

/// The function that `call` calls by its name.
pub fn called_function(body: &Body, call: CallView<'_>) -> Option<FuncId> {
    match body.constant(call.callee().as_const()?).data {
        ConstData::Global(GlobalRef::Func(func)) => Some(func),
        _ => None,
    }
}

fn call_may_access_memory(env: &Env, body: &Body, call: CallView<'_>) -> bool {
    let at_call = env.memory_effects(&call.info.fn_attrs);
    let effects = match called_function(body, call) {
        // What a bundle refers to may be accessed whatever the callee does.
        Some(func) if call.info.bundles.is_empty() => {
            if env.funcs[func].intrinsic.is_some_and(|i| !intrinsic_may_access_memory(i)) {
                return false;
            }
            let of_callee = env.memory_effects(&env.funcs[func].attrs);
            match (at_call, of_callee) {
                (Some(a), Some(b)) => Some(a.intersect(b)),
                (a, b) => a.or(b),
            }
        }
        _ => at_call,
    };
    effects.is_none_or(|e| e.any().reads || e.any().writes)
}

/// Whether LLVM declares `intrinsic` other than `memory(none)`.
fn intrinsic_may_access_memory(intrinsic: Intrinsic) -> bool {
    use Intrinsic as I;
    matches!(
        intrinsic,
        I::Assume
            | I::Trap
            | I::DebugTrap
            | I::UbsanTrap
            | I::SideEffect
            | I::PseudoProbe
            | I::NoAliasScopeDecl
            | I::Annotation
            | I::PtrAnnotation
            | I::VarAnnotation
            | I::LaunderInvariantGroup
            | I::InvariantStart
            | I::InvariantEnd
            | I::LifetimeStart
            | I::LifetimeEnd
            | I::Memcpy
            | I::MemcpyInline
            | I::Memmove
            | I::Memset
            | I::MemsetInline
            | I::MemcpyElementAtomic
            | I::MemmoveElementAtomic
            | I::MemsetElementAtomic
            | I::MaskedLoad
            | I::MaskedStore
            | I::MaskedGather
            | I::MaskedScatter
            | I::MaskedExpandLoad
            | I::MaskedCompressStore
            | I::ReadVolatileRegister
            | I::AllowRuntimeCheck
            | I::AllowUbsanCheck
            | I::StackSave
            | I::StackRestore
            | I::ExperimentalGuard
            | I::ExperimentalDeoptimize
            | I::ExperimentalWidenableCondition
            | I::LoadRelative
            | I::ReadCycleCounter
            | I::Prefetch
    )
}
