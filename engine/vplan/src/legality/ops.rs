//! What each instruction of a loop is in vectors: a lane-wise operation, an access, a decision, or nothing.
//!
//! Lane-wise operations keep their flags: a lane computes what the source does in that iteration. In lanes that the source
//! does not execute, because a block is not entered or an exit was taken before, the result is not used; what could have
//! undefined behaviour there is told apart.

use super::{Form, Missed};
use backedge_analysis::must_execute::called_intrinsic;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{CallView, InstKind};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::types::{FloatKind, Type, TypeKind};
use backedge_scev::ScalarEvolution;
use rustc_hash::FxHashMap;

/// What an instruction is in vectors.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Op {
    /// A phi of the header.
    Carried,
    /// A phi inside of the loop: a choice by the masks of the edges.
    Blend,
    /// The operation on vectors.
    Widen,
    /// A division, whose divisor must not be zero in lanes that are not executed, nor overflow.
    Divide,
    /// An intrinsic, whose operands are vectors, but for those in the set of bits.
    Call(Intrinsic, u32),
    /// A load.
    Load,
    /// A store.
    Store,
    /// A branch: masks, or the end of an iteration.
    Branch,
    /// It says something to optimizers and debuggers, and has no counterpart.
    Dropped,
}

pub(super) fn check(scev: &ScalarEvolution<'_>, form: &Form) -> Result<FxHashMap<Inst, Op>, Missed> {
    let mut ops = FxHashMap::default();
    for &inst in form.insts() {
        ops.insert(inst, op_of(scev, form, inst)?);
    }
    Ok(ops)
}

fn op_of(scev: &ScalarEvolution<'_>, form: &Form, inst: Inst) -> Result<Op, Missed> {
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
                return Err(Missed::Ordered);
            }
            if matches!(data.kind, InstKind::Load(_)) { Op::Load } else { Op::Store }
        }
        InstKind::Call(_) => data.call().and_then(|call| call_of(scev, call)).ok_or(Missed::Call)?,
        other => return Err(Missed::instruction(other)),
    };
    let of_lanes = data.operands.iter().map(|v| body.ty(*v)).chain([data.ty]);
    let are_vectors = |ty: Type| ty == Type::VOID || is_lane(ty);
    match op {
        Op::Dropped | Op::Call(..) => {}
        _ if of_lanes.into_iter().all(are_vectors) => {}
        _ => return Err(Missed::Type),
    }
    Ok(op)
}

/// Whether there are vectors of `ty`.
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

/// What a call is.
fn call_of(scev: &ScalarEvolution<'_>, call: CallView<'_>) -> Option<Op> {
    let (env, body) = (scev.at.env, scev.body());
    let intrinsic = called_intrinsic(env, body, call)?;
    if is_dropped(intrinsic) {
        return Some(Op::Dropped);
    }
    if call.bundles().next().is_some() {
        return None;
    }
    let scalars = scalar_operands(intrinsic)?;
    let args = call.args().iter().enumerate();
    let are_lanes = args.clone().filter(|(at, _)| scalars & 1 << at == 0).all(|(_, v)| is_lane(body.ty(*v)));
    // What is no vector must be the same in all lanes.
    let are_constant =
        args.clone().filter(|(at, _)| scalars & 1 << at != 0).all(|(_, v)| v.as_const().is_some());
    let (ret, ..) = env.types.signature(call.info.fn_ty)?;
    (are_lanes && are_constant && is_lane(ret)).then_some(Op::Call(intrinsic, scalars))
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

/// Which operands of an intrinsic that works lane by lane are no vectors, as a set of bits; `None` of other intrinsics.
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
        | I::FpToSiSat => 0,
        I::Abs | I::Ctlz | I::Cttz | I::IsFpClass => 1 << 1,
        I::SMulFix | I::UMulFix | I::SMulFixSat | I::UMulFixSat => 1 << 2,
        _ => return None,
    })
}
