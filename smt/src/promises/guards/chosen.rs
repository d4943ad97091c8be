//! Instructions that choose a result each time they execute: `freeze`, allocations, and floating-point operations whose
//! result LLVM leaves open (LangRef, "Floating-Point Semantics", "Behavior of Floating-Point NaN values", "Fast-Math
//! Flags").
//!
//! In all executions of an instruction, the source may make the choice that the target made in one. A value is
//! therefore the same in both functions if the target executes one such instruction, once for each time that the source
//! executes its own. The bits of a NaN are open too, but few functions observe them ([`observes_bits`]).

use super::memory;
use crate::refinement::FunctionRef;
use backedge_ir::body::Body;
use backedge_ir::entity::{Inst, MdId};
use backedge_ir::inst::{InstData, InstKind, Value};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::meaning::library::called;
use backedge_ir::metadata::{MdKind, MdOperand, MdRef};
use backedge_ir::module::Env;
use backedge_ir::opcode::{CastOp, FastMath};
use backedge_ir::types::{Compound, Type};
use rustc_hash::FxHashSet;

/// The kind of choice of an instruction.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Chosen {
    /// An object. Allocations that look alike are ordered.
    Object,
    /// A value.
    Value,
    /// Bits of a NaN.
    NanBits,
}

/// Maximum number of ancestors of a TBAA type: a malformed graph may have cycles. The types of a longer chain are not
/// compared.
const MANY_ABOVE: usize = 16;

/// The choice that `inst` makes, if any. Functions outside the library may answer differently each time they are
/// called.
pub(super) fn chosen(side: FunctionRef<'_>, body: &Body, inst: Inst) -> Option<Chosen> {
    let env = &side.module.env;
    let data = body.inst(inst);
    match &data.kind {
        InstKind::Alloca(_) => return Some(Chosen::Object),
        InstKind::Freeze => return Some(Chosen::Value),
        _ => {}
    }
    let has_float = has_float(env, data.ty);
    if has_float && !open_flags(data).is_empty() {
        return Some(Chosen::Value);
    }
    match &data.kind {
        InstKind::FloatBinary(..) | InstKind::Cast(CastOp::FpTrunc | CastOp::FpExt, _) => {
            Some(Chosen::NanBits)
        }
        _ => {
            let call = data.call()?;
            let func = body.called_function(call.callee());
            match func.and_then(|func| env.funcs[func].intrinsic) {
                Some(intrinsic) => result(intrinsic).filter(|_| has_float),
                None if called(side.module, side.func, body, inst).is_some() => {
                    has_float.then_some(Chosen::NanBits)
                }
                None => Some(Chosen::Value),
            }
        }
    }
}

/// The choice of an intrinsic with a floating-point result.
fn result(intrinsic: Intrinsic) -> Option<Chosen> {
    match intrinsic {
        // These intrinsics only move values.
        Intrinsic::FAbs
        | Intrinsic::CopySign
        | Intrinsic::ArithmeticFence
        | Intrinsic::MaskedLoad
        | Intrinsic::MaskedGather
        | Intrinsic::MaskedExpandLoad
        | Intrinsic::VectorReverse
        | Intrinsic::VectorInsert
        | Intrinsic::VectorExtract
        | Intrinsic::VectorSplice
        | Intrinsic::VectorSpliceLeft
        | Intrinsic::VectorSpliceRight
        | Intrinsic::SsaCopy
        | Intrinsic::Annotation
        | Intrinsic::Expect => None,
        Intrinsic::FMa
        | Intrinsic::Sqrt
        | Intrinsic::Floor
        | Intrinsic::Ceil
        | Intrinsic::FTrunc
        | Intrinsic::Rint
        | Intrinsic::NearbyInt
        | Intrinsic::Round
        | Intrinsic::RoundEven
        | Intrinsic::Minimum
        | Intrinsic::Maximum
        | Intrinsic::MinimumNum
        | Intrinsic::MaximumNum
        | Intrinsic::VectorReduceFAdd
        | Intrinsic::VectorReduceFMul
        | Intrinsic::VectorReduceFMinimum
        | Intrinsic::VectorReduceFMaximum => Some(Chosen::NanBits),
        // For example, a product may or may not be rounded before the sum, either of two zeros may be the minimum, and
        // a sine may be inexact.
        _ => Some(Chosen::Value),
    }
}

/// Whether the type contains a floating-point type.
fn has_float(env: &Env, ty: Type) -> bool {
    let mut work = vec![ty];
    let mut seen: FxHashSet<Type> = FxHashSet::default();
    while let Some(ty) = work.pop() {
        if env.types.scalar(ty).is_float() {
            return true;
        }
        if !seen.insert(ty) {
            continue;
        }
        match env.types.compound(ty) {
            Some(Compound::Array { elem, .. }) => work.push(*elem),
            Some(_) => work.extend(env.types.struct_fields(ty).map(|(fields, _)| fields).unwrap_or_default()),
            None => {}
        }
    }
    false
}

/// The fast-math flags, including `!fpmath`, that leave results open other than poison.
pub(super) fn open_flags(data: &InstData) -> FastMath {
    let fast = match &data.kind {
        InstKind::FloatBinary(_, fast) => *fast,
        InstKind::FNeg(fast) | InstKind::Select(fast) | InstKind::Phi(fast) => *fast,
        InstKind::Cast(_, flags) => flags.fast,
        _ => match data.call() {
            Some(call) => call.info.fast,
            None => return FastMath::NONE,
        },
    };
    data.evaluated(fast).without(FastMath::NNAN.union(FastMath::NINF))
}

/// Whether a function may observe the bits of a floating-point value that it computes: it casts one, passes one to a
/// function, or loads memory that may contain its bytes as a value of another type.
pub(super) fn observes_bits(side: FunctionRef<'_>, body: &Body) -> bool {
    let env = &side.module.env;
    let is_computed = |value: Value| {
        let inst = value.as_inst().map(|inst| &body.inst(inst).kind);
        has_float(env, body.ty(value)) && inst.is_some_and(|kind| !matches!(kind, InstKind::Load(_)))
    };
    let mut stores: Vec<Inst> = Vec::new();
    let mut loads: Vec<Inst> = Vec::new();
    // Memory is moved, or read by others, in ways that ignore types.
    let mut is_moved = false;
    for inst in body.all_insts() {
        let data = body.inst(inst);
        match &data.kind {
            InstKind::Store(_) if is_computed(data.operands[0]) => stores.push(inst),
            InstKind::Load(_) if !env.types.scalar(data.ty).is_float() => loads.push(inst),
            InstKind::AtomicRmw(..) | InstKind::CmpXchg(_) => is_moved = true,
            InstKind::Cast(CastOp::BitCast, _) if is_computed(data.operands[0]) => return true,
            _ => {}
        }
        let Some(call) = data.call() else { continue };
        let has_computed = call.args().iter().any(|arg| is_computed(*arg));
        let func = body.called_function(call.callee());
        match func.and_then(|func| env.funcs[func].intrinsic) {
            Some(Intrinsic::IsFpClass | Intrinsic::CopySign) | None if has_computed => return true,
            Some(Intrinsic::MaskedStore | Intrinsic::MaskedScatter | Intrinsic::MaskedCompressStore) => {
                is_moved |= has_computed;
                stores.extend(has_computed.then_some(inst));
            }
            Some(intrinsic) => is_moved |= intrinsic.facts().memory.any().reads,
            None => is_moved |= memory::effects_of_call(env, body, inst).reads,
        }
    }
    let are_met = |load: &Inst| stores.iter().any(|store| !are_disjoint(env, body, [*load, *store]));
    !stores.is_empty() && (is_moved || loads.iter().any(are_met))
}

/// Whether the `!tbaa` tags of two accesses imply that the accesses share no byte.
fn are_disjoint(env: &Env, body: &Body, accesses: [Inst; 2]) -> bool {
    let types = accesses.map(|inst| accessed_type(env, body, inst));
    let [Some(a), Some(b)] = types else { return false };
    let above = [a, b].map(|ty| types_above(env, ty));
    let [Some(above_a), Some(above_b)] = above else { return false };
    !above_a.contains(&b) && !above_b.contains(&a)
}

/// The access type of a struct-path tag.
fn accessed_type(env: &Env, body: &Body, inst: Inst) -> Option<MdId> {
    let MdRef::Node(tag) = body.inst(inst).metadata_of(&MdKind::Tbaa)? else { return None };
    match env.metadata.tuple(*tag)?.get(1)? {
        MdOperand::Node(ty) => Some(*ty),
        MdOperand::Null | MdOperand::String(_) | MdOperand::Const(_) => None,
    }
}

/// A scalar type and all of its ancestors up to the root; `None` if there are too many, or the nodes have another form.
fn types_above(env: &Env, ty: MdId) -> Option<Vec<MdId>> {
    let mut found = vec![ty];
    loop {
        let operands = env.metadata.tuple(*found.last()?)?;
        if !matches!(operands.first(), Some(MdOperand::String(_))) {
            return None;
        }
        let Some(MdOperand::Node(above)) = operands.get(1) else { return Some(found) };
        if found.len() >= MANY_ABOVE {
            return None;
        }
        found.push(*above);
    }
}
