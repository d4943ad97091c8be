//! Vector types and intrinsic declarations for vector code. They are created before any code, because the module may
//! already declare an intrinsic's name with a different meaning.

use super::choose::Choice;
use crate::legality::{Access, HeaderPhi, Op, ReductionKind};
use crate::widen::{Masked, Recipe};
use backedge_analysis::must_execute::called_intrinsic;
use backedge_ir::constant::GlobalRef;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{FuncId, Inst};
use backedge_ir::inst::{CallInfo, FastMath, InstData, InstKind, Value};
use backedge_ir::int::Int;
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::types::{FloatKind, Type, TypeKind};
use backedge_transform::pass::Unit;
use rustc_hash::{FxHashMap, FxHashSet};

/// A declared intrinsic.
#[derive(Copy, Clone, Debug)]
pub(super) struct Declared {
    func: FuncId,
    ty: Type,
    ret: Type,
    address: Type,
}

impl Declared {
    /// A call of it.
    pub(super) fn call(self, editor: &mut Editor<'_>, args: &[Value], fast: FastMath) -> InstData {
        let info = CallInfo { fast, ..CallInfo::plain(self.ty, args.len()) };
        let callee: Value = editor.consts().global(self.address, GlobalRef::Func(self.func)).into();
        let operands = args.iter().copied().chain([callee]);
        InstData::new(InstKind::Call(Box::new(info)), self.ret, operands, [])
    }
}

/// The types and declarations for one loop.
#[derive(Clone, Debug, Default)]
pub(super) struct Tools {
    lanes: u32,
    vectors: FxHashMap<Type, Type>,
    /// The wide vector type of each interleave group, by the instruction at which it executes.
    pub(super) wide: FxHashMap<Inst, Type>,
    /// The vector form of each call.
    pub(super) calls: FxHashMap<Inst, Declared>,
    /// The masked form of each access in a block with a mask.
    pub(super) masks: FxHashMap<Inst, Declared>,
    /// The horizontal reduction for each reduction phi.
    pub(super) reduces: FxHashMap<Inst, Declared>,
    /// The intrinsic that finds the lane of each selection.
    pub(super) finds: FxHashMap<Inst, Declared>,
    /// The intrinsic that combines two vectors, for reductions whose operation is no instruction.
    pub(super) combines: FxHashMap<Inst, Declared>,
    /// The intrinsics that test whether any lane leaves and that find the first such lane.
    pub(super) early: Option<[Declared; 2]>,
}

impl Tools {
    /// The vector type with elements of type `ty`, a type of the loop.
    pub(super) fn vector(&self, ty: Type) -> Type {
        self.vectors.get(&ty).copied().unwrap_or(ty)
    }
    /// `value` in all lanes.
    pub(super) fn splat(&self, editor: &mut Editor<'_>, place: Position, value: Value) -> Value {
        let vector = self.vector(editor.body().ty(value));
        let (poison, zero) = (editor.poison(vector), editor.int(Int::zero(64)));
        let one = InstData::new(InstKind::InsertElement, vector, [poison, value, zero], []);
        let one = editor.insert_new(place, one);
        let mask = vec![Some(0); self.lanes as usize].into_boxed_slice();
        let all = InstData::new(InstKind::ShuffleVector(mask), vector, [one.into(), poison], []);
        editor.insert_new(Position::After(one), all).into()
    }
}

/// Declares the intrinsics needed; `None` if the module declares one of the names with a different meaning.
pub(super) fn prepare(unit: &mut Unit<'_>, choice: &Choice) -> Option<Tools> {
    let of = &choice.legality;
    let count = Type::int(choice.count_bits);
    let mut types = vec![Type::I1, count];
    let (env, body) = unit.env_and_body();
    for &inst in of.form.insts() {
        let data = body.inst(inst);
        types.push(data.ty);
        types.extend(data.operands.iter().map(|v| body.ty(*v)));
        if let Some(space) = data.ty.ptr_space() {
            types.push(Type::int(env.layout.index_bits(space)));
        }
    }
    types.retain(|ty| matches!(ty.kind(), TypeKind::Int(_) | TypeKind::Float(_) | TypeKind::Ptr(_)));
    types.sort_unstable_by_key(|ty| format!("{ty:?}"));
    types.dedup();
    let mut tools = Tools { lanes: choice.lanes, ..Tools::default() };
    for ty in types {
        let vector = env.types.vector(choice.lanes.into(), ty);
        tools.vectors.insert(ty, vector);
    }
    for group in &of.interleaved {
        if let Some(access) = of.access(group.at) {
            let wide = env.types.vector(group.values(choice.lanes as usize) as u64, access.ty);
            tools.wide.insert(group.at, wide);
        }
    }
    let called = |recipe: &Recipe| match recipe {
        Recipe::WidenCall(inst) => Some(*inst),
        _ => None,
    };
    let called: FxHashSet<Inst> = choice.plan.recipes().filter_map(called).collect();
    for &inst in of.form.insts().iter().filter(|inst| called.contains(inst)) {
        if let Some(Op::Call(intrinsic, scalars)) = of.ops.get(&inst).copied() {
            let declared = vector_form(unit, &tools, choice.lanes, inst, intrinsic, scalars)?;
            tools.calls.insert(inst, declared);
        }
    }
    for access in &of.accesses {
        if let Some(how) = choice.addresses.masked.get(&access.inst)
            && choice.plan.demands_all_lanes(access.inst)
        {
            tools.masks.insert(access.inst, masked_form(unit, &tools, choice.lanes, access, how)?);
        }
    }
    for (phi, kind) in &of.phis {
        let ty = unit.body().inst(*phi).ty;
        match kind {
            HeaderPhi::Reduction(r) => {
                let declared = reduce_form(unit, &tools, choice.lanes, (r.kind, ty))?;
                tools.reduces.insert(*phi, declared);
                if let Some(intrinsic) = combining(r.kind) {
                    let vector = tools.vector(ty);
                    let suffix = format!("v{}{}", choice.lanes, suffix(ty)?);
                    let name = format!("llvm.{}.{suffix}", intrinsic.name());
                    tools.combines.insert(*phi, declare(unit, &name, vector, &[vector, vector])?);
                }
            }
            HeaderPhi::Selection(s) if s.any_of.is_none() => {
                let declared = reduce_form(unit, &tools, choice.lanes, (ReductionKind::UMax, count))?;
                tools.reduces.insert(*phi, declared);
                tools.finds.insert(*phi, find_form(unit, &tools, choice.lanes)?);
            }
            HeaderPhi::Selection(_) => {
                let declared = reduce_form(unit, &tools, choice.lanes, (ReductionKind::Or, Type::I1))?;
                tools.reduces.insert(*phi, declared);
            }
            HeaderPhi::Induction(_) | HeaderPhi::FirstOrder(_) => {}
        }
    }
    if of.early.is_some() {
        let any = reduce_form(unit, &tools, choice.lanes, (ReductionKind::Or, Type::I1))?;
        tools.early = Some([any, find_form(unit, &tools, choice.lanes)?]);
    }
    Some(tools)
}

/// The intrinsic that finds the first set lane.
fn find_form(unit: &mut Unit<'_>, tools: &Tools, lanes: u32) -> Option<Declared> {
    let name = format!("llvm.experimental.cttz.elts.i64.v{lanes}i1");
    declare(unit, &name, Type::I64, &[tools.vector(Type::I1), Type::I1])
}

/// The intrinsic for the operation of a reduction, if it is no instruction.
fn combining(kind: ReductionKind) -> Option<Intrinsic> {
    Some(match kind {
        ReductionKind::SMin => Intrinsic::SMin,
        ReductionKind::SMax => Intrinsic::SMax,
        ReductionKind::UMin => Intrinsic::UMin,
        ReductionKind::UMax => Intrinsic::UMax,
        ReductionKind::FMin => Intrinsic::MinNum,
        ReductionKind::FMax => Intrinsic::MaxNum,
        ReductionKind::FMinimum => Intrinsic::Minimum,
        ReductionKind::FMaximum => Intrinsic::Maximum,
        ReductionKind::Add
        | ReductionKind::Mul
        | ReductionKind::And
        | ReductionKind::Or
        | ReductionKind::Xor
        | ReductionKind::FAdd
        | ReductionKind::FMul => return None,
    })
}

fn declare(unit: &mut Unit<'_>, name: &str, ret: Type, params: &[Type]) -> Option<Declared> {
    let func = unit.declare_intrinsic(name, ret, params)?;
    let env = unit.env();
    let address = env.address_type(GlobalRef::Func(func));
    Some(Declared { func, ty: env.funcs[func].ty, ret, address })
}

fn reduce_form(
    unit: &mut Unit<'_>,
    tools: &Tools,
    lanes: u32,
    of: (ReductionKind, Type),
) -> Option<Declared> {
    let (kind, ty) = of;
    let name = format!("llvm.{}.v{lanes}{}", kind.intrinsic().name(), suffix(ty)?);
    let vector = tools.vector(ty);
    match kind {
        ReductionKind::FAdd | ReductionKind::FMul => declare(unit, &name, ty, &[ty, vector]),
        _ => declare(unit, &name, ty, &[vector]),
    }
}

/// The masked intrinsic for an access.
fn masked_form(
    unit: &mut Unit<'_>,
    tools: &Tools,
    lanes: u32,
    access: &Access,
    how: &Masked,
) -> Option<Declared> {
    let pointer = unit.body().ty(access.pointer);
    let vector = tools.vector(access.ty);
    let bits = tools.vector(Type::I1);
    let (at, of_pointer, what) = match how {
        Masked::Whole(_) => (pointer, suffix(pointer)?, ["load", "store"]),
        Masked::Each => {
            (tools.vector(pointer), format!("v{lanes}{}", suffix(pointer)?), ["gather", "scatter"])
        }
    };
    let what = what[usize::from(access.is_store)];
    let name = format!("llvm.masked.{what}.v{lanes}{}.{of_pointer}", suffix(access.ty)?);
    match access.is_store {
        true => declare(unit, &name, Type::VOID, &[vector, at, Type::I32, bits]),
        false => declare(unit, &name, vector, &[at, Type::I32, bits, vector]),
    }
}

/// The vector form of a call. The suffix of its name has the overloaded types of result and operands.
fn vector_form(
    unit: &mut Unit<'_>,
    tools: &Tools,
    lanes: u32,
    inst: Inst,
    intrinsic: Intrinsic,
    scalars: u32,
) -> Option<Declared> {
    let body = unit.body();
    let data = body.inst(inst);
    let call = data.call()?;
    if called_intrinsic(unit.env(), body, call) != Some(intrinsic) {
        return None;
    }
    let of_arg = |(at, v): (usize, &Value)| {
        let ty = body.ty(*v);
        if scalars & 1 << at != 0 { ty } else { tools.vector(ty) }
    };
    let params: Vec<Type> = call.args().iter().enumerate().map(of_arg).collect();
    let args = call.args();
    let (ret, first) = (data.ty, body.ty(*args.first()?));
    let mut name = format!("llvm.{}", intrinsic.name());
    use Intrinsic as I;
    let of_result = matches!(
        intrinsic,
        I::UCmp | I::SCmp | I::FpToUiSat | I::FpToSiSat | I::LRint | I::LLRint | I::LRound | I::LLRound
    );
    if of_result {
        name += &format!(".v{lanes}{}", suffix(ret)?);
    }
    name += &format!(".v{lanes}{}", suffix(first)?);
    if matches!(intrinsic, I::LdExp | I::PowI) {
        let (second, is_vector) = (body.ty(*args.get(1)?), scalars & 1 << 1 == 0);
        let of_lanes = if is_vector { format!("v{lanes}") } else { String::new() };
        name += &format!(".{of_lanes}{}", suffix(second)?);
    }
    declare(unit, &name, tools.vector(ret), &params)
}

/// LLVM's spelling of a type in the name of an intrinsic.
fn suffix(ty: Type) -> Option<String> {
    Some(match ty.kind() {
        TypeKind::Int(bits) => format!("i{bits}"),
        TypeKind::Ptr(space) => format!("p{space}"),
        TypeKind::Float(FloatKind::Half) => "f16".to_owned(),
        TypeKind::Float(FloatKind::BFloat) => "bf16".to_owned(),
        TypeKind::Float(FloatKind::Float) => "f32".to_owned(),
        TypeKind::Float(FloatKind::Double) => "f64".to_owned(),
        TypeKind::Float(FloatKind::Fp128) => "f128".to_owned(),
        _ => return None,
    })
}
