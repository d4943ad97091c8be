//! Instructions that choose a result anew each time they run: a `freeze`, an allocation, and floating-point operations of which
//! LLVM leaves something open (LangRef, "Floating-Point Semantics", "Behavior of Floating-Point NaN values", "Fast-Math Flags").
//!
//! The source may choose in all its runs of an instruction what the target chose in one. So two functions have one value if the
//! target runs one such instruction, once for each time that the source runs its own. The bits of a NaN are open too, but
//! few functions look at them ([`observes_bits`]).

use backedge_ir::body::Body;
use backedge_ir::entity::{Inst, MdId};
use backedge_ir::inst::{InstData, InstKind, Value};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::metadata::{MdKind, MdOperand, MdRef};
use backedge_ir::module::Env;
use backedge_ir::opcode::{CastOp, FastMath};

/// What an instruction chooses.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Chosen {
    /// An object: allocations that look alike have an order.
    Object,
    /// A value.
    Value,
    /// Bits of a NaN.
    NanBits,
}

/// Types that a TBAA type has above it and that are looked at.
const MANY_ABOVE: usize = 16;

/// What `inst` chooses, if it does.
pub(super) fn chosen(env: &Env, body: &Body, inst: Inst) -> Option<Chosen> {
    let data = body.inst(inst);
    match data.kind {
        InstKind::Alloca(_) => return Some(Chosen::Object),
        InstKind::Freeze => return Some(Chosen::Value),
        _ => {}
    }
    if !env.types.scalar(data.ty).is_float() && data.call().is_none() {
        return None;
    }
    if !open_flags(data).is_empty() {
        return Some(Chosen::Value);
    }
    match &data.kind {
        InstKind::FloatBinary(..) => Some(Chosen::NanBits),
        InstKind::Cast(CastOp::FpTrunc | CastOp::FpExt, _) => Some(Chosen::NanBits),
        _ => {
            let call = data.call()?;
            let func = body.called_function(call.callee());
            let intrinsic = func.and_then(|func| env.funcs[func].intrinsic);
            let is_float = env.types.scalar(data.ty).is_float();
            match intrinsic {
                Some(Intrinsic::FAbs | Intrinsic::CopySign | Intrinsic::ArithmeticFence) => None,
                // A product may be rounded before the sum or not, and either of two zeros be the lesser one.
                Some(Intrinsic::FMulAdd | Intrinsic::MinNum | Intrinsic::MaxNum) => Some(Chosen::Value),
                Some(_) | None => is_float.then_some(Chosen::NanBits),
            }
        }
    }
}

/// The fast-math flags, or `!fpmath`, that leave results open that are not poison.
pub(super) fn open_flags(data: &InstData) -> FastMath {
    let fast = match &data.kind {
        InstKind::FloatBinary(_, fast) => *fast,
        InstKind::FNeg(fast) | InstKind::Select(fast) | InstKind::Phi(fast) => *fast,
        InstKind::Cast(CastOp::FpTrunc | CastOp::FpExt, _) => FastMath::NONE,
        _ => match data.call() {
            Some(call) => call.info.fast,
            None => return FastMath::NONE,
        },
    };
    data.evaluated(fast).without(FastMath::NNAN.union(FastMath::NINF))
}

/// Whether a function may look at the bits of a floating-point value that it computes: it casts one, passes it to a function, or
/// loads what may be its bytes as a value of another type.
pub(super) fn observes_bits(env: &Env, body: &Body) -> bool {
    let is_float = |value: Value| env.types.scalar(body.ty(value)).is_float();
    let is_computed = |value: Value| {
        let inst = value.as_inst().map(|inst| &body.inst(inst).kind);
        is_float(value) && inst.is_some_and(|kind| !matches!(kind, InstKind::Load(_)))
    };
    let mut stores: Vec<Inst> = Vec::new();
    let mut loads: Vec<Inst> = Vec::new();
    for inst in body.all_insts() {
        let data = body.inst(inst);
        match &data.kind {
            InstKind::Store(_) if is_computed(data.operands[0]) => stores.push(inst),
            InstKind::Load(_) if !env.types.scalar(data.ty).is_float() => loads.push(inst),
            InstKind::Cast(CastOp::BitCast, _) if is_computed(data.operands[0]) => return true,
            _ => {}
        }
        let Some(call) = data.call() else { continue };
        let func = body.called_function(call.callee());
        let looks = match func.and_then(|func| env.funcs[func].intrinsic) {
            Some(Intrinsic::IsFpClass | Intrinsic::CopySign) | None => true,
            Some(_) => false,
        };
        if looks && call.args().iter().any(|arg| is_computed(*arg)) {
            return true;
        }
    }
    loads.iter().any(|load| stores.iter().any(|store| !are_disjoint(env, body, [*load, *store])))
}

/// Whether the `!tbaa` of two accesses says that they share no byte.
fn are_disjoint(env: &Env, body: &Body, accesses: [Inst; 2]) -> bool {
    let types = accesses.map(|inst| accessed_type(env, body, inst));
    let [Some(a), Some(b)] = types else { return false };
    let above = [a, b].map(|ty| types_above(env, ty));
    let [Some(above_a), Some(above_b)] = above else { return false };
    !above_a.contains(&b) && !above_b.contains(&a)
}

/// The type that a struct-path tag accesses.
fn accessed_type(env: &Env, body: &Body, inst: Inst) -> Option<MdId> {
    let MdRef::Node(tag) = body.inst(inst).metadata_of(&MdKind::Tbaa)? else { return None };
    match env.metadata.tuple(*tag)?.get(1)? {
        MdOperand::Node(ty) => Some(*ty),
        MdOperand::Null | MdOperand::String(_) | MdOperand::Const(_) => None,
    }
}

/// A scalar type and all that are above it, up to the root; nothing if they are too many.
fn types_above(env: &Env, ty: MdId) -> Option<Vec<MdId>> {
    let mut found = vec![ty];
    while let Some(MdOperand::Node(above)) = env.metadata.tuple(*found.last()?)?.get(1) {
        if found.len() >= MANY_ABOVE {
            return None;
        }
        found.push(*above);
    }
    Some(found)
}
