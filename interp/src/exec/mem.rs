//! Loads, stores, allocas, atomics.
//!
//! Atomic accesses are executed by a single thread, so they are ordinary accesses and fences have no effect. Volatile
//! accesses are events ([`volatile`]).

use super::access::{pointer, read, write};
use super::ctx::Ctx;
use super::lane::freeze;
use super::regs::Regs;
use super::{float, volatile};
use crate::chooser::{ChoiceKind, Domain};
use crate::compile::op::{AllocaOp, CmpXchgArgs, MemOp, RmwArgs};
use crate::layout::Shape;
use crate::memory::{Liveness, Origin, Request};
use crate::outcome::{Feature, Step, Stop, UbKind};
use crate::value::{Pointer, Prov, Val, mask};
use backedge_ir::inst::{BinaryFlags, BinaryOp, FastMath, FloatBinaryOp, IntPredicate, RmwOp};
use backedge_ir::int::Int;
use backedge_ir::intrinsic::Intrinsic;

/// Reads as specified by `op`, volatile or not.
fn read_by(ctx: &mut Ctx<'_, '_>, ptr: Pointer, op: &MemOp) -> Step<Val> {
    ctx.events.side_effects += usize::from(op.synchronizes);
    if op.volatile {
        volatile::load(ctx, ptr, op.align, &op.shape)
    } else {
        read(ctx, ptr, &op.shape, op.align)
    }
}

/// Writes as specified by `op`, volatile or not.
fn write_by(ctx: &mut Ctx<'_, '_>, ptr: Pointer, op: &MemOp, value: &Val) -> Step<()> {
    ctx.events.side_effects += usize::from(op.synchronizes);
    if op.volatile {
        volatile::store(ctx, ptr, op.align, &op.shape, value)
    } else {
        write(ctx, ptr, &op.shape, op.align, value)
    }
}

/// Executes a load.
pub(super) fn load(ctx: &mut Ctx<'_, '_>, regs: &mut Regs<'_>, op: &MemOp) -> Step<()> {
    let ptr = pointer(&regs.get(op.ptr))?;
    let mut value = read_by(ctx, ptr, op)?;
    if ctx.config.fixed_loads {
        value = fixed(ctx, &op.shape, value);
    }
    regs.set(op.val, value);
    Ok(())
}

/// `value` with its undefined bits chosen; poison is kept.
fn fixed(ctx: &mut Ctx<'_, '_>, shape: &Shape, value: Val) -> Val {
    match &value {
        Val::Wide(_) => freeze(ctx, shape, &value),
        Val::Agg(members) => {
            let members = members.iter().zip(shape.members());
            Val::agg(members.map(|(member, shape)| fixed(ctx, shape, member.clone())).collect())
        }
        Val::Poison | Val::Bits(_) | Val::Ptr(_) => value,
    }
}

/// Executes a store.
pub(super) fn store(ctx: &mut Ctx<'_, '_>, regs: &Regs<'_>, op: &MemOp) -> Step<()> {
    let ptr = pointer(&regs.get(op.ptr))?;
    write_by(ctx, ptr, op, &regs.get(op.val))
}

/// `llvm.load.relative`: adds the 32-bit value at `base` plus `offset` to `base`. The result may be the address of
/// another object, whose distance the value encodes.
pub(super) fn load_relative(ctx: &mut Ctx<'_, '_>, base: &Val, offset: &Val, width: u32) -> Step<Val> {
    let base = pointer(base)?;
    let Some(offset) = offset.cube() else { return Err(Stop::Ub(UbKind::PoisonPointer)) };
    let offset = ctx.narrow(width, offset).signed() as i64;
    let at = Pointer { addr: base.addr.wrapping_add_signed(offset), ..base };
    let Some(distance) = read(ctx, at, &Shape::Int(32), 4)?.cube() else { return Ok(Val::Poison) };
    let distance = ctx.narrow(32, distance).signed() as i64;
    let addr = base.addr.wrapping_add_signed(distance) & mask(ctx.memory.pointer_bits) as u64;
    let object = ctx.memory.object_of(base).map(|i| ctx.memory.allocation(i));
    let stays = object.is_some_and(|a| addr.wrapping_sub(a.base) <= a.size);
    Ok(Val::ptr(addr, if stays { base.prov } else { Prov::WILDCARD }))
}

/// `alloca`.
pub(super) fn alloca(ctx: &mut Ctx<'_, '_>, regs: &mut Regs<'_>, op: &AllocaOp) -> Step<()> {
    let count = match op.count {
        None => 1,
        Some((reg, width)) => {
            let cube = regs.get(reg).cube().filter(|c| c.is_known());
            let count = Int::new(width, cube.ok_or(Stop::Ub(UbKind::AllocaSize))?.bits);
            match count.to_u64() {
                Some(count) => count,
                None if op.elem_bytes == 0 => 0,
                None => return Err(Stop::Ub(UbKind::AllocaSize)),
            }
        }
    };
    // An object is smaller than half of the address space.
    let half = 1u64 << (op.pointer_bits.clamp(1, 64) - 1);
    let size = count.checked_mul(op.elem_bytes).filter(|size| *size < half);
    let size = size.ok_or(Stop::Ub(UbKind::AllocaSize))?;
    let number = ctx.memory.allocations().len() as u32;
    let ptr = ctx.memory.allocate(Request {
        origin: Origin::Local(number),
        size,
        align: op.align,
        writable: true,
        pointer_bits: op.pointer_bits,
    })?;
    if op.has_lifetime {
        ctx.memory.allocation_mut(number as usize).liveness = Liveness::OutsideLifetime;
    }
    regs.set(op.dst, Val::Ptr(ptr));
    Ok(())
}

/// `atomicrmw`.
pub(super) fn rmw(ctx: &mut Ctx<'_, '_>, regs: &mut Regs<'_>, args: &RmwArgs) -> Step<()> {
    let ptr = pointer(&regs.get(args.mem.ptr))?;
    let old = read_by(ctx, ptr, &args.mem)?;
    let new = rmw_value(ctx, args.op, &args.mem.shape, &old, &regs.get(args.arg))?;
    write_by(ctx, ptr, &args.mem, &new)?;
    regs.set(args.dst, old);
    Ok(())
}

/// The value that `atomicrmw` writes. Vectors are floating-point vectors, processed lane by lane.
fn rmw_value(ctx: &mut Ctx<'_, '_>, op: RmwOp, shape: &Shape, old: &Val, arg: &Val) -> Step<Val> {
    if let (Shape::Vector { elem, .. }, Val::Agg(olds), Val::Agg(args)) = (shape, old, arg) {
        let lanes: Step<Vec<Val>> =
            olds.iter().zip(args.iter()).map(|(old, arg)| rmw_value(ctx, op, elem, old, arg)).collect();
        return lanes.map(Val::agg);
    }
    let integers = |ctx: &mut Ctx<'_, '_>| rmw_ints(ctx, shape, old, arg);
    let arithmetic = |ctx: &mut Ctx<'_, '_>, op| match shape {
        Shape::Int(width) => super::scalar::binary(ctx, op, BinaryFlags::default(), *width, old, arg),
        Shape::Float(_)
        | Shape::Ptr(_)
        | Shape::Vector { .. }
        | Shape::Array { .. }
        | Shape::Struct { .. } => Err(refuse()),
    };
    let known = |ints: Step<Option<(Int, Int)>>, f: fn(Int, Int) -> Int| {
        ints.map(|ints| ints.map_or(Val::Poison, |(x, y)| Val::int(f(x, y))))
    };
    let float = |ctx: &mut Ctx<'_, '_>, op| float::binary(ctx, op, FastMath::NONE, shape, old, arg);
    let extreme = |ctx: &mut Ctx<'_, '_>, which| {
        float::intrinsic(ctx, which, FastMath::NONE, shape, &[old.clone(), arg.clone()])
    };
    match op {
        RmwOp::Xchg => Ok(arg.clone()),
        RmwOp::Add => arithmetic(ctx, BinaryOp::Add),
        RmwOp::Sub => arithmetic(ctx, BinaryOp::Sub),
        RmwOp::And => arithmetic(ctx, BinaryOp::And),
        RmwOp::Or => arithmetic(ctx, BinaryOp::Or),
        RmwOp::Xor => arithmetic(ctx, BinaryOp::Xor),
        RmwOp::Nand => known(integers(ctx), |x, y| x.and(y).not()),
        RmwOp::Max => known(integers(ctx), Int::smax),
        RmwOp::Min => known(integers(ctx), Int::smin),
        RmwOp::UMax => known(integers(ctx), Int::umax),
        RmwOp::UMin => known(integers(ctx), Int::umin),
        RmwOp::UIncWrap => {
            known(
                integers(ctx),
                |x, y| {
                    if x.uge(y) { Int::zero(x.width()) } else { x.add(Int::one(x.width())) }
                },
            )
        }
        RmwOp::UDecWrap => {
            known(integers(ctx), |x, y| if x.is_zero() || x.ugt(y) { y } else { x.sub(Int::one(x.width())) })
        }
        RmwOp::USubCond => known(integers(ctx), |x, y| if x.uge(y) { x.sub(y) } else { x }),
        RmwOp::USubSat => known(integers(ctx), Int::usub_sat),
        RmwOp::FAdd => float(ctx, FloatBinaryOp::FAdd),
        RmwOp::FSub => float(ctx, FloatBinaryOp::FSub),
        // LangRef: these operations match the intrinsics.
        RmwOp::FMax => extreme(ctx, Intrinsic::MaxNum),
        RmwOp::FMin => extreme(ctx, Intrinsic::MinNum),
        RmwOp::FMaximum => extreme(ctx, Intrinsic::Maximum),
        RmwOp::FMinimum => extreme(ctx, Intrinsic::Minimum),
    }
}

fn refuse() -> Stop {
    Stop::unsupported(Feature::Instruction("atomicrmw on this type"))
}

/// Both operands as integers; `None` if one is poison.
fn rmw_ints(ctx: &mut Ctx<'_, '_>, shape: &Shape, old: &Val, arg: &Val) -> Step<Option<(Int, Int)>> {
    let Shape::Int(width) = *shape else { return Err(refuse()) };
    let (Some(x), Some(y)) = (old.cube(), arg.cube()) else { return Ok(None) };
    Ok(Some((ctx.narrow(width, x), ctx.narrow(width, y))))
}

/// `cmpxchg`; a weak one may fail although the values are equal.
pub(super) fn cmpxchg(ctx: &mut Ctx<'_, '_>, regs: &mut Regs<'_>, args: &CmpXchgArgs) -> Step<()> {
    let ptr = pointer(&regs.get(args.mem.ptr))?;
    let shape = &args.mem.shape;
    let old = read_by(ctx, ptr, &args.mem)?;
    let width = shape.scalar_bits().unwrap_or(64);
    let equal = super::scalar::icmp(IntPredicate::Eq, false, width, &old, &regs.get(args.expected));
    let equal = match equal {
        Val::Bits(bit) => bit != 0,
        Val::Wide(_) => ctx.narrow(1, crate::value::Cube::new(0, 1)).is_one(),
        // It is unspecified whether memory is written; no reading of LangRef makes that better than UB.
        Val::Poison | Val::Ptr(_) | Val::Agg(_) => return Err(Stop::Ub(UbKind::BranchOnPoison)),
    };
    let fails = equal && args.weak && ctx.choose(ChoiceKind::Unspecified, Domain::Options(2)) == 1;
    let exchanged = equal && !fails;
    if exchanged {
        write_by(ctx, ptr, &args.mem, &regs.get(args.new))?;
    }
    regs.set(args.dst, Val::agg(vec![old, Val::bool(exchanged)]));
    Ok(())
}
