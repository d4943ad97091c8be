//! The cost of a scalar iteration, and of each recipe of a plan.

use super::vectors::Vectors;
use crate::legality::{Access, Legality, Op, Pattern};
use crate::widen::{Recipe, WidePlan};
use backedge_analysis::values::evaluate::width_of;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{BinaryOp, CastOp, FloatBinaryOp, InstKind};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::types::{FloatKind, Type, TypeKind};
use backedge_scev::ScalarEvolution;
use backedge_transform::cost::Machine;
use backedge_transform::size::weight_of;

/// The cost of a scalar iteration.
pub(super) fn of_scalar(scev: &ScalarEvolution<'_>, of: &Legality, machine: &Machine) -> u32 {
    let (env, body, vectors) = (scev.at.env, scev.body(), Vectors::of(machine));
    let mut sum = 0u32;
    for &inst in of.form.insts() {
        let data = body.inst(inst);
        let more = match data.kind {
            InstKind::Binary(op, _) if op.is_division() => vectors.divide - 10,
            InstKind::FloatBinary(FloatBinaryOp::FDiv | FloatBinaryOp::FRem, _) => vectors.float_divide - 10,
            InstKind::CondBr => machine.branch,
            _ => 0,
        };
        let each = weight_of(env, body, inst).saturating_mul(10).saturating_add(more);
        sum = sum.saturating_add(each.saturating_mul(times(scev, of, inst)));
    }
    sum
}

/// The number of executions of `inst` per iteration.
fn times(scev: &ScalarEvolution<'_>, of: &Legality, inst: Inst) -> u32 {
    let Some(nest) = &of.nest else { return 1 };
    let times = scev.body().block_of(inst).and_then(|block| nest.frequency.get(&block));
    times.map_or(1, |times| u32::try_from(*times).unwrap_or(u32::MAX))
}

/// The cost of an instruction that executes once for all lanes.
fn of_one(scev: &ScalarEvolution<'_>, machine: &Machine, inst: Inst) -> u32 {
    let data = scev.body().inst(inst);
    let vectors = Vectors::of(machine);
    let more = match data.kind {
        InstKind::Binary(op, _) if op.is_division() => vectors.divide - 10,
        InstKind::FloatBinary(FloatBinaryOp::FDiv | FloatBinaryOp::FRem, _) => vectors.float_divide - 10,
        InstKind::CondBr => machine.branch,
        // The loaded value is splatted.
        InstKind::Load(_) => vectors.shuffle,
        _ => 0,
    };
    weight_of(scev.at.env, scev.body(), inst).saturating_mul(10).saturating_add(more)
}

/// The cost of a vector iteration, without counting.
pub(super) fn of_plan(scev: &ScalarEvolution<'_>, of: &Legality, machine: &Machine, plan: &WidePlan) -> u32 {
    let cost = |recipe: &Recipe| {
        let times = recipe.inst().map_or(1, |inst| times(scev, of, inst));
        of_recipe(scev, of, machine, recipe, plan.lanes).saturating_mul(times)
    };
    plan.recipes().map(cost).fold(0, u32::saturating_add)
}

/// The cost of one execution of a recipe, for one part with that many lanes, in tenths of an instruction.
pub fn of_recipe(
    scev: &ScalarEvolution<'_>,
    of: &Legality,
    machine: &Machine,
    recipe: &Recipe,
    lanes: u32,
) -> u32 {
    let (vectors, body) = (Vectors::of(machine), scev.body());
    let registers = |inst: Inst| vectors.parts(lanes, bits_of(scev, body.inst(inst).ty));
    let lane_by_lane = |each: u32| lanes.saturating_mul(each + 3 * vectors.lane);
    match recipe {
        // Induction starts, phis and constants are free. Deferred stores execute only once, after the loop.
        Recipe::HeaderPhi(_)
        | Recipe::ScalarSteps(_)
        | Recipe::WidenPhi(_)
        | Recipe::Fixed(..)
        | Recipe::Defer(_) => 0,
        Recipe::WidenInduction(phi) => registers(*phi) * 10,
        Recipe::Splice(phi) => registers(*phi) * vectors.shuffle,
        Recipe::Mask(_) => 20,
        Recipe::Blend(phi) => {
            let ways = u32::try_from(body.inst(*phi).operands.len()).unwrap_or(1);
            registers(*phi).saturating_mul(10 * ways.saturating_sub(1))
        }
        Recipe::Widen(inst) | Recipe::Pick(inst) | Recipe::Reduce(inst) => {
            of_operation(scev, vectors, *inst, lanes)
        }
        Recipe::WidenCall(inst) => match of.ops.get(inst) {
            Some(Op::Call(intrinsic, _)) => {
                of_intrinsic(*intrinsic).map_or(lane_by_lane(50), |each| registers(*inst) * each)
            }
            _ => lane_by_lane(50),
        },
        Recipe::Divide(_) => lane_by_lane(vectors.divide),
        Recipe::Replicate(_) => lane_by_lane(50),
        Recipe::Memory(inst) => of.access(*inst).map_or(0, |a| of_access(scev, vectors, a, lanes)),
        Recipe::Interleave(inst) => {
            of.group(*inst).map_or(0, |g| of_group(scev, of, vectors, g.at, lanes, &g.members))
        }
        Recipe::First(inst) => weight_of(scev.at.env, body, *inst).saturating_mul(10),
        Recipe::Clone(inst) | Recipe::Once(inst) => of_one(scev, machine, *inst),
        // For each exit, combining the lanes of the condition, and a branch.
        Recipe::AnyExit => {
            let tests = u32::try_from(of.exits.uncounted().count()).unwrap_or(u32::MAX);
            tests.saturating_mul(vectors.shuffle + 10 + machine.branch)
        }
        Recipe::Branch(inst) => match of.exits.of_branch(body, *inst) {
            Some(_) => 0,
            None if matches!(body.inst(*inst).kind, InstKind::Br) => 0,
            None => of_one(scev, machine, *inst),
        },
    }
}

fn bits_of(scev: &ScalarEvolution<'_>, ty: Type) -> u32 {
    match ty.kind() {
        TypeKind::Float(kind) => kind.bits(),
        _ => width_of(scev.at.env, ty).unwrap_or(64),
    }
}

/// The cost of a vector operation.
fn of_operation(scev: &ScalarEvolution<'_>, vectors: &Vectors, inst: Inst, lanes: u32) -> u32 {
    let body = scev.body();
    let data = body.inst(inst);
    let parts = vectors.parts(lanes, bits_of(scev, data.ty));
    let lane_by_lane = |each: u32| lanes.saturating_mul(each + 3 * vectors.lane);
    match &data.kind {
        InstKind::FloatBinary(FloatBinaryOp::FDiv, _) => parts * vectors.float_divide,
        InstKind::FloatBinary(FloatBinaryOp::FRem, _) => lane_by_lane(200),
        InstKind::FloatBinary(..) if data.ty == Type::float(FloatKind::Fp128) => lane_by_lane(200),
        // 64-bit products are composed of smaller ones.
        InstKind::Binary(BinaryOp::Mul, _) if bits_of(scev, data.ty) > 32 => parts * 30,
        InstKind::Binary(..) if bits_of(scev, data.ty) > 64 => lane_by_lane(20),
        InstKind::Cast(op, _) => of_cast(scev, vectors, inst, *op, lanes),
        InstKind::ICmp { .. } | InstKind::FCmp(..) => {
            vectors.parts(lanes, bits_of(scev, body.ty(data.operands[0]))) * 10
        }
        _ => parts * 10,
    }
}

/// The cost of a cast. Conversions between sizes move lanes between registers.
fn of_cast(scev: &ScalarEvolution<'_>, vectors: &Vectors, inst: Inst, op: CastOp, lanes: u32) -> u32 {
    let data = scev.body().inst(inst);
    let from = vectors.parts(lanes, bits_of(scev, scev.body().ty(data.operands[0])));
    let to = vectors.parts(lanes, bits_of(scev, data.ty));
    match op {
        CastOp::BitCast | CastOp::PtrToInt | CastOp::IntToPtr | CastOp::AddrSpaceCast => 0,
        _ => from.max(to) * 10,
    }
}

/// The cost of a vector intrinsic per register; `None` if it executes lane by lane.
fn of_intrinsic(intrinsic: Intrinsic) -> Option<u32> {
    use Intrinsic as I;
    Some(match intrinsic {
        I::UMin | I::UMax | I::SMin | I::SMax | I::Abs | I::FAbs | I::CopySign => 10,
        I::UAddSat | I::SAddSat | I::USubSat | I::SSubSat => 10,
        I::FMa | I::FMulAdd | I::MinNum | I::MaxNum => 10,
        I::Minimum | I::Maximum | I::MinimumNum | I::MaximumNum => 30,
        I::Floor | I::Ceil | I::FTrunc | I::Rint | I::NearbyInt | I::RoundEven | I::Canonicalize => 10,
        I::FShl | I::FShr | I::UCmp | I::SCmp | I::UShlSat | I::SShlSat | I::BSwap => 30,
        I::Sqrt | I::Round | I::Ctpop | I::Ctlz | I::Cttz | I::BitReverse | I::IsFpClass => 80,
        _ => return None,
    })
}

fn of_access(scev: &ScalarEvolution<'_>, vectors: &Vectors, access: &Access, lanes: u32) -> u32 {
    let parts = vectors.parts(lanes, bits_of(scev, access.ty));
    let one_by_one = {
        let choice = if access.masked { vectors.lane + 20 } else { 0 };
        lanes.saturating_mul(10 + 2 * vectors.lane + choice)
    };
    let whole = match (access.masked, vectors.masked) {
        (false, _) => Some(10),
        (true, more) => more.map(|more| 10 + more),
    };
    match (access.pattern, whole) {
        (Pattern::Uniform, _) if !access.masked => 10 + vectors.shuffle,
        (Pattern::Consecutive, Some(each)) => parts * each,
        (Pattern::Reverse, Some(each)) => parts * (each + vectors.shuffle),
        _ => one_by_one,
    }
}

/// The cost of an interleave group: the wide accesses and the shuffles.
fn of_group(
    scev: &ScalarEvolution<'_>,
    of: &Legality,
    vectors: &Vectors,
    at: Inst,
    lanes: u32,
    members: &[Option<Inst>],
) -> u32 {
    let Some(access) = of.access(at) else { return 0 };
    let factor = u32::try_from(members.len()).unwrap_or(u32::MAX);
    let parts = vectors.parts(lanes.saturating_mul(factor), bits_of(scev, access.ty));
    let taken = u32::try_from(members.iter().flatten().count()).unwrap_or(u32::MAX);
    let shuffles = taken.saturating_mul(parts).saturating_mul(vectors.shuffle);
    parts.saturating_mul(10).saturating_add(shuffles)
}
