//! The vector form of each instruction of a loop: a lane-wise operation, a memory access, control flow, or nothing.
//!
//! Lane-wise operations keep their flags, because a lane computes the same as the source does in that iteration. In
//! lanes that the source does not execute, because a block is not entered or an exit was taken before, the result is
//! not used; instructions that could have UB there are classified separately.
//!
//! Calls without a vector form execute lane by lane if the time and number of calls do not matter: they do not access
//! memory, and they return. In lanes that the source does not execute, only `speculatable` functions may be called.

use super::{Form, LegalityMissed};
use backedge_analysis::effects::effects_of_call;
use backedge_analysis::must_execute::{call_ends, call_has, called_intrinsic};
use backedge_ir::attr::FlagAttr;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{CallView, InstKind, Value};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::types::{FloatKind, Type, TypeKind};
use backedge_scev::ScalarEvolution;
use rustc_hash::FxHashMap;

/// The vector form of an instruction.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Op {
    /// A header phi.
    Carried,
    /// A phi inside the loop: a choice by the masks of the edges.
    Blend,
    /// A phi inside a loop nest, which all lanes reach by the same path; it stays a phi.
    Joined,
    /// A lane-wise operation.
    Widen,
    /// A division; the divisor must not be zero, nor the result overflow, in inactive lanes.
    Divide,
    /// An intrinsic with vector operands, except for those in the bit set, which are scalar.
    Call(Intrinsic, u32),
    /// A call that executes once per lane.
    Replicate,
    /// A load.
    Load,
    /// A store.
    Store,
    /// A branch: contributes to masks, or ends an iteration.
    Branch,
    /// An annotation for optimizers or debuggers, which is dropped.
    Dropped,
}

pub(super) fn check(
    scev: &ScalarEvolution<'_>,
    form: &Form,
    fold_tail: bool,
) -> Result<FxHashMap<Inst, Op>, LegalityMissed> {
    let mut ops = FxHashMap::default();
    for &inst in form.insts() {
        ops.insert(inst, op_of(scev, form, fold_tail, inst)?);
    }
    Ok(ops)
}

fn op_of(scev: &ScalarEvolution<'_>, form: &Form, fold_tail: bool, inst: Inst) -> Result<Op, LegalityMissed> {
    let body = scev.body();
    let data = body.inst(inst);
    let op = match &data.kind {
        InstKind::DebugRecord(_) => return Ok(Op::Dropped),
        InstKind::Br | InstKind::CondBr => return Ok(Op::Branch),
        InstKind::Phi(_) if form.is_header_phi(body, inst) => Op::Carried,
        InstKind::Phi(_) => Op::Blend,
        InstKind::Binary(op, _) if op.is_division() => Op::Divide,
        InstKind::FNeg(_)
        | InstKind::Binary(..)
        | InstKind::FloatBinary(..)
        | InstKind::Cast(..)
        | InstKind::ICmp { .. }
        | InstKind::FCmp(..)
        | InstKind::Select(_)
        | InstKind::Freeze
        | InstKind::Gep { .. } => Op::Widen,
        InstKind::Load(access) | InstKind::Store(access) => {
            if access.volatile || access.ordering.is_some() {
                return Err(LegalityMissed::Ordered);
            }
            if matches!(data.kind, InstKind::Load(_)) { Op::Load } else { Op::Store }
        }
        InstKind::Call(_) => data
            .call()
            .and_then(|call| call_of(scev, form, fold_tail, inst, call))
            .ok_or(LegalityMissed::Call)?,
        other => return Err(LegalityMissed::instruction(other)),
    };
    let of_lanes = data.operands.iter().map(|v| body.ty(*v)).chain([data.ty]);
    let are_vectors = |ty: Type| ty == Type::VOID || is_lane(ty);
    match op {
        Op::Dropped | Op::Call(..) | Op::Replicate => {}
        _ if of_lanes.into_iter().all(are_vectors) => {}
        _ => return Err(LegalityMissed::Type),
    }
    Ok(op)
}

/// Whether `ty` is a valid vector element type.
pub(super) fn is_lane(ty: Type) -> bool {
    match ty.kind() {
        TypeKind::Int(bits) => bits <= Type::MAX_INT_BITS,
        TypeKind::Ptr(_) => true,
        TypeKind::Float(kind) => matches!(
            kind,
            FloatKind::Half | FloatKind::BFloat | FloatKind::Float | FloatKind::Double | FloatKind::Fp128
        ),
        _ => false,
    }
}

/// The vector form of a call.
fn call_of(
    scev: &ScalarEvolution<'_>,
    form: &Form,
    fold_tail: bool,
    inst: Inst,
    call: CallView<'_>,
) -> Option<Op> {
    let (env, body) = (scev.at.env, scev.body());
    let intrinsic = called_intrinsic(env, body, call);
    if intrinsic.is_some_and(is_dropped) {
        return Some(Op::Dropped);
    }
    if call.bundles().next().is_some() {
        return None;
    }
    let (ret, ..) = env.types.signature(call.info.fn_ty)?;
    if !is_lane(ret) {
        return None;
    }
    let widened = intrinsic.and_then(|intrinsic| Some((intrinsic, scalar_operands(intrinsic)?)));
    if let Some((intrinsic, scalars)) = widened {
        // Scalar operands must be the same in all lanes.
        let fits = |(at, v): (usize, &Value)| match scalars & 1 << at {
            0 => is_lane(body.ty(*v)),
            _ => scev.loops().is_invariant(body, form.l, *v),
        };
        if call.args().iter().enumerate().all(fits) {
            return Some(Op::Call(intrinsic, scalars));
        }
    }
    is_replicable(scev, form, fold_tail, inst, call).then_some(Op::Replicate)
}

/// Whether a call may execute once per lane, in lane order, before any later instruction.
fn is_replicable(
    scev: &ScalarEvolution<'_>,
    form: &Form,
    fold_tail: bool,
    inst: Inst,
    call: CallView<'_>,
) -> bool {
    let (env, body) = (scev.at.env, scev.body());
    let has = |flag| call_has(env, body, call, flag);
    let effects = effects_of_call(env, body, call).any();
    let is_silent = !effects.reads && !effects.writes && call_ends(env, body, call).1;
    let are_lanes = call.args().iter().all(|v| is_lane(body.ty(*v)));
    let is_known = body.called_function(call.callee()).is_some();
    let in_each =
        !fold_tail && body.block_of(inst).is_some_and(|b| scev.dominators().dominates(b, form.latch));
    is_silent
        && are_lanes
        && is_known
        && !has(FlagAttr::Convergent)
        && !has(FlagAttr::NoDuplicate)
        && (in_each || is_speculatable(scev, call))
}

/// Whether a call has no UB for any arguments; attributes of arguments and result must not demand defined values
/// either.
pub(super) fn is_speculatable(scev: &ScalarEvolution<'_>, call: CallView<'_>) -> bool {
    let (env, body) = (scev.at.env, scev.body());
    let Some(func) = body.called_function(call.callee()).map(|f| &env.funcs[f]) else { return false };
    let at_call = call.info.arg_attrs.iter().chain([&call.info.ret_attrs]);
    let mut lists = func.param_attrs.iter().chain([&func.ret_attrs]).chain(at_call);
    call_has(env, body, call, FlagAttr::Speculatable) && !lists.any(|list| env.demands_defined(list))
}

fn is_dropped(intrinsic: Intrinsic) -> bool {
    intrinsic.is_debug()
        || matches!(
            intrinsic,
            Intrinsic::Assume
                | Intrinsic::SideEffect
                | Intrinsic::DoNothing
                | Intrinsic::PseudoProbe
                | Intrinsic::NoAliasScopeDecl
        )
}

/// The scalar operands of a lane-wise intrinsic, as a bit set; `None` for other intrinsics.
fn scalar_operands(intrinsic: Intrinsic) -> Option<u32> {
    use Intrinsic as I;
    Some(match intrinsic {
        I::UMin
        | I::UMax
        | I::SMin
        | I::SMax
        | I::UAddSat
        | I::SAddSat
        | I::USubSat
        | I::SSubSat
        | I::UShlSat
        | I::SShlSat
        | I::Ctpop
        | I::BSwap
        | I::BitReverse
        | I::FShl
        | I::FShr
        | I::UCmp
        | I::SCmp
        | I::FAbs
        | I::FMa
        | I::FMulAdd
        | I::Sqrt
        | I::Floor
        | I::Ceil
        | I::FTrunc
        | I::Rint
        | I::NearbyInt
        | I::Round
        | I::RoundEven
        | I::CopySign
        | I::MinNum
        | I::MaxNum
        | I::Minimum
        | I::Maximum
        | I::MinimumNum
        | I::MaximumNum
        | I::Canonicalize
        | I::FpToUiSat
        | I::FpToSiSat
        | I::Sin
        | I::Cos
        | I::Tan
        | I::ASin
        | I::ACos
        | I::ATan
        | I::ATan2
        | I::SinH
        | I::CosH
        | I::TanH
        | I::Exp
        | I::Exp2
        | I::Exp10
        | I::Log
        | I::Log2
        | I::Log10
        | I::Pow
        | I::LdExp
        | I::LRint
        | I::LLRint
        | I::LRound
        | I::LLRound => 0,
        I::Abs | I::Ctlz | I::Cttz | I::IsFpClass | I::PowI => 1 << 1,
        I::SMulFix | I::UMulFix | I::SMulFixSat | I::UMulFixSat => 1 << 2,
        _ => return None,
    })
}
