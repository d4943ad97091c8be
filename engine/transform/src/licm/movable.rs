//! Which instructions can move at all, and which annotations a moved instruction loses.
//!
//! A movable instruction has the same result wherever its operands and the memory that it reads are the same:
//! arithmetic, casts, comparisons, pointer arithmetic, `freeze`, parts of aggregates and vectors, unordered loads,
//! and calls that do not write and always return. Not movable are phis, terminators, allocas, tokens, volatile or
//! ordered accesses, calls that are `convergent` or have operand bundles, and everything with a side effect.

use backedge_analysis::cache::At;
use backedge_analysis::effects::{called_function, effects_of_call, may_change_at_suspension};
use backedge_analysis::must_execute::{call_ends, call_has, called_intrinsic};
use backedge_ir::attr::{Attr, AttrList, FlagAttr, MemoryEffects};
use backedge_ir::editor::Editor;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{CallView, InstKind, MemAccess};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::metadata::MdKind;
use backedge_ir::opcode::{AtomicOrdering, FastMath, TailKind};
use backedge_ir::types::Type;

/// Kinds of movable instructions.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Movable {
    /// Depends only on its operands and can be executed anywhere.
    Pure,
    /// An integer division or remainder: its divisor must be neither zero nor poison.
    Division,
    /// An unordered load.
    Load,
    /// A call that returns and does not access memory.
    Call,
    /// A call that returns and only reads memory.
    ReadingCall(MemoryEffects),
}

/// Why an instruction that could otherwise be hoisted or sunk has to stay.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Fixed {
    /// A phi, a terminator, or an instruction with a side effect.
    ByNature,
    /// A volatile load, or an atomic one with ordering constraints.
    Ordered,
    /// A call that is `convergent`.
    Convergent,
    /// A call that does not write but may not return.
    MayNotReturn,
    /// A call in a coroutine that may be resumed in another thread.
    InCoroutine,
}

/// Whether a load or store is neither volatile nor orders other accesses.
pub(super) fn is_unordered(access: &MemAccess) -> bool {
    !access.volatile && matches!(access.ordering, None | Some(AtomicOrdering::Unordered))
}

/// The kind of `inst`, if it can be moved.
pub(super) fn movable(at: At<'_>, inst: Inst) -> Result<Movable, Fixed> {
    let data = at.body.inst(inst);
    if data.ty == Type::VOID || data.ty == Type::TOKEN {
        return Err(Fixed::ByNature);
    }
    match &data.kind {
        InstKind::Binary(op, _) if op.is_division() => Ok(Movable::Division),
        kind if kind.is_pure() => Ok(Movable::Pure),
        InstKind::Load(access) if is_unordered(access) => Ok(Movable::Load),
        InstKind::Load(_) => Err(Fixed::Ordered),
        InstKind::Call(_) => data.call().map_or(Err(Fixed::ByNature), |call| movable_call(at, call)),
        _ => Err(Fixed::ByNature),
    }
}

fn movable_call(at: At<'_>, call: CallView<'_>) -> Result<Movable, Fixed> {
    let At { env, body, .. } = at;
    let effects = effects_of_call(env, body, call);
    let any = effects.any();
    if any.writes || !call.info.bundles.is_empty() || call.info.tail == TailKind::MustTail {
        return Err(Fixed::ByNature);
    }
    let intrinsic = called_intrinsic(env, body, call);
    if call_has(env, body, call, FlagAttr::Convergent) || intrinsic == Some(Intrinsic::IsConstant) {
        return Err(Fixed::Convergent);
    }
    if call_ends(env, body, call) != (true, true) {
        return Err(Fixed::MayNotReturn);
    }
    if !any.reads && may_change_at_suspension(at, call) {
        return Err(Fixed::InCoroutine);
    }
    Ok(if any.reads { Movable::ReadingCall(effects) } else { Movable::Call })
}

/// Whether a call that is [`Movable::Call`] is free of UB for all arguments, once the attributes of the call itself
/// are dropped.
pub(super) fn is_speculatable_call(at: At<'_>, call: CallView<'_>) -> bool {
    let At { env, body, .. } = at;
    if called_intrinsic(env, body, call).is_some() {
        return true;
    }
    called_function(body, call).is_some_and(|f| {
        let func = &env.funcs[f];
        env.has_attr(&func.attrs, FlagAttr::Speculatable)
            && !env.demands_defined(&func.ret_attrs)
            && !func.param_attrs.iter().any(|list| env.demands_defined(list))
    })
}

/// Whether executing `inst` has an observable effect, or may not transfer control to its successor: possible UB after
/// it must not move before it.
pub(super) fn is_observable(at: At<'_>, inst: Inst) -> bool {
    let At { env, body, .. } = at;
    let data = body.inst(inst);
    match &data.kind {
        InstKind::Load(access) | InstKind::Store(access) | InstKind::AtomicRmw(_, access) => access.volatile,
        InstKind::CmpXchg(info) => info.access.volatile,
        InstKind::Call(_) | InstKind::Invoke(_) | InstKind::CallBr(_) => data.call().is_some_and(|call| {
            let quiet = match called_intrinsic(env, body, call) {
                Some(i) => is_quiet(i) && !is_volatile_transfer(at, call),
                None => !effects_of_call(env, body, call).any().writes,
            };
            !quiet || call_ends(env, body, call) != (true, true)
        }),
        _ => false,
    }
}

/// Intrinsics that count as writing memory, but have no observable effect.
fn is_quiet(intrinsic: Intrinsic) -> bool {
    !matches!(
        intrinsic,
        Intrinsic::ReadVolatileRegister
            | Intrinsic::ReadCycleCounter
            | Intrinsic::SideEffect
            | Intrinsic::Trap
            | Intrinsic::DebugTrap
            | Intrinsic::UbsanTrap
            | Intrinsic::ExperimentalGuard
            | Intrinsic::ExperimentalDeoptimize
    )
}

fn is_volatile_transfer(at: At<'_>, call: CallView<'_>) -> bool {
    let transfers = matches!(
        called_intrinsic(at.env, at.body, call),
        Some(
            Intrinsic::Memcpy
                | Intrinsic::MemcpyInline
                | Intrinsic::Memmove
                | Intrinsic::Memset
                | Intrinsic::MemsetInline
        )
    );
    transfers && call.args().last().and_then(|v| at.body.as_int(*v)).is_none_or(|v| !v.is_zero())
}

/// Drops the annotations of a speculated instruction: poison-generating flags, and UB-implying attributes and
/// metadata.
pub(super) fn drop_poison_flags_and_metadata(editor: &mut Editor<'_>, inst: Inst) {
    let kept = |k: &MdKind| matches!(k, MdKind::Dbg | MdKind::FpMath | MdKind::Srcloc);
    editor.retain_metadata(inst, kept);
    let kind = match &editor.body().inst(inst).kind {
        InstKind::Binary(op, _) => InstKind::Binary(*op, Default::default()),
        InstKind::FloatBinary(op, fast) => InstKind::FloatBinary(*op, without_poison(*fast)),
        InstKind::FNeg(fast) => InstKind::FNeg(without_poison(*fast)),
        InstKind::FCmp(pred, fast) => InstKind::FCmp(*pred, without_poison(*fast)),
        InstKind::Select(fast) => InstKind::Select(without_poison(*fast)),
        InstKind::Cast(op, flags) => {
            let fast = without_poison(flags.fast);
            InstKind::Cast(*op, backedge_ir::inst::CastFlags { fast, ..Default::default() })
        }
        InstKind::ICmp { pred, .. } => InstKind::ICmp { pred: *pred, samesign: false },
        InstKind::Gep { source, .. } => InstKind::Gep { source: *source, flags: Default::default() },
        InstKind::Call(info) => {
            let mut info = info.clone();
            info.fast = without_poison(info.fast);
            info.ret_attrs = AttrList::default();
            info.arg_attrs.iter_mut().for_each(|a| *a = of_arguments(a));
            InstKind::Call(info)
        }
        _ => return,
    };
    editor.set_kind(inst, kind);
}

fn without_poison(fast: FastMath) -> FastMath {
    fast.without(FastMath::NNAN.union(FastMath::NINF))
}

/// The attributes of a call's argument that define how it is passed, or require a constant.
fn of_arguments(list: &AttrList) -> AttrList {
    let how = |a: &Attr| {
        matches!(
            a,
            Attr::Flag(
                FlagAttr::ImmArg | FlagAttr::ZExt | FlagAttr::SExt | FlagAttr::InReg | FlagAttr::NoExt
            ) | Attr::Type(..)
        )
    };
    AttrList { own: list.own.iter().filter(|a| how(a)).cloned().collect(), groups: Default::default() }
}

/// Drops the metadata of an instruction that leaves the loop: metadata about the loop's iterations and, if `scopes`
/// are declared in the loop, alias scopes.
pub(super) fn leave_loop(editor: &mut Editor<'_>, inst: Inst, scopes: bool) {
    editor.retain_metadata(inst, |k| match k {
        MdKind::MemParallelLoopAccess | MdKind::AccessGroup => false,
        MdKind::AliasScope | MdKind::NoAlias => !scopes,
        _ => true,
    });
}
