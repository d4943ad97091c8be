//! Loads, stores, allocas, atomics.
//!
//! Atomic accesses are run by a single thread, where they are ordinary accesses; fences do nothing. Volatile accesses
//! are events and ordinary accesses besides.

use super::ctx::Ctx;
use super::float;
use crate::compile::op::{AllocaOp, CmpXchgArgs, GepFast, MemArgs, MemOp, RmwArgs};
use crate::layout::Shape;
use crate::memory::{Liveness, Origin, Request};
use crate::observe::{Event, EventKind};
use crate::outcome::{Feature, Limit, Step, Stop, UbKind};
use crate::value::{Pointer, Val};
use backedge_ir::inst::{BinaryFlags, BinaryOp, FastMath, FloatBinaryOp, GepFlags, IntPredicate, RmwOp};
use backedge_ir::int::Int;

/// The pointer operand of an access.
#[inline]
pub(super) fn pointer(value: &Val) -> Step<Pointer> {
    match value {
        Val::Ptr(ptr) => Ok(*ptr),
        Val::Wide(_) => Err(Stop::Ub(UbKind::UndefPointer)),
        Val::Poison | Val::Bits(_) | Val::Agg(_) => Err(Stop::Ub(UbKind::PoisonPointer)),
    }
}

/// A load of a whole-byte integer.
#[inline]
pub(super) fn load_int(ctx: &mut Ctx<'_, '_>, regs: &mut [Val], args: &MemArgs) -> Step<()> {
    let ptr = pointer(&regs[args.ptr as usize])?;
    let len = usize::from(args.bytes);
    let checked = ctx.memory.check_read(ptr, len as u64, 1 << args.align_log2).map_err(Stop::Ub)?;
    let Some(target) = checked else {
        regs[args.val as usize] = Val::Poison;
        return Ok(());
    };
    let contents = &ctx.memory.allocation(target.alloc).contents;
    if contents.is_plain() || contents.fragments.is_empty() && contents.is_defined(target.at, len) {
        let bytes = &contents.bytes[target.at..target.at + len];
        regs[args.val as usize] = Val::Bits(read_word(bytes, ctx.memory.big_endian));
        return Ok(());
    }
    let width = u32::from(args.bytes) * 8;
    regs[args.val as usize] = contents.read_raw(target.at, len, ctx.memory.big_endian).to_val(width);
    expose_range(ctx, target.alloc, target.at, len);
    Ok(())
}

#[inline]
fn read_word(bytes: &[u8], big_endian: bool) -> u64 {
    match (bytes, big_endian) {
        ([a], _) => (*a).into(),
        ([a, b, c, d], false) => u32::from_le_bytes([*a, *b, *c, *d]).into(),
        ([a, b, c, d, e, f, g, h], false) => u64::from_le_bytes([*a, *b, *c, *d, *e, *f, *g, *h]),
        (_, false) => bytes.iter().rev().fold(0, |n, b| n << 8 | u64::from(*b)),
        (_, true) => bytes.iter().fold(0, |n, b| n << 8 | u64::from(*b)),
    }
}

/// A store of a whole-byte integer.
#[inline]
pub(super) fn store_int(ctx: &mut Ctx<'_, '_>, regs: &[Val], args: &MemArgs) -> Step<()> {
    let ptr = pointer(&regs[args.ptr as usize])?;
    let len = usize::from(args.bytes);
    let target = ctx.memory.check_write(ptr, len as u64, 1 << args.align_log2).map_err(Stop::Ub)?;
    let big_endian = ctx.memory.big_endian;
    let contents = ctx.memory.allocation_mut(target.alloc).contents_mut();
    if let Val::Bits(bits) = &regs[args.val as usize]
        && contents.is_plain()
    {
        let out = &mut contents.bytes[target.at..target.at + len];
        if big_endian {
            out.copy_from_slice(&bits.to_be_bytes()[8 - len..]);
        } else {
            out.copy_from_slice(&bits.to_le_bytes()[..len]);
        }
        return Ok(());
    }
    let shape = Shape::Int(u32::from(args.bytes) * 8);
    contents.write(target.at, &shape, &regs[args.val as usize], big_endian);
    Ok(())
}

/// Reading bytes of a pointer as another type makes its address known.
fn expose_range(ctx: &mut Ctx<'_, '_>, alloc: usize, at: usize, len: usize) {
    let provs: Vec<_> = ctx.memory.allocation(alloc).contents.provenances(at, len).collect();
    for prov in provs {
        ctx.memory.expose(prov);
    }
}

fn has_pointers(shape: &Shape) -> bool {
    match shape {
        Shape::Ptr(_) => true,
        Shape::Int(_) | Shape::Float(_) => false,
        Shape::Vector { elem, .. } | Shape::Array { elem, .. } => has_pointers(elem),
        Shape::Struct { fields, .. } => fields.iter().any(|(_, f)| has_pointers(f)),
    }
}

/// Reads a value through a pointer.
pub(super) fn read(ctx: &mut Ctx<'_, '_>, ptr: Pointer, shape: &Shape, align: u64) -> Step<Val> {
    let len = shape.store_bytes();
    if len == 0 {
        return Ok(shape.poison());
    }
    let Some(target) = ctx.memory.check_read(ptr, len, align).map_err(Stop::Ub)? else {
        return Ok(shape.poison());
    };
    let value = ctx.memory.allocation(target.alloc).contents.read(target.at, shape, ctx.memory.big_endian);
    if !has_pointers(shape) {
        expose_range(ctx, target.alloc, target.at, len as usize);
    }
    Ok(value)
}

/// Writes a value through a pointer.
pub(super) fn write(ctx: &mut Ctx<'_, '_>, ptr: Pointer, shape: &Shape, align: u64, value: &Val) -> Step<()> {
    let len = shape.store_bytes();
    if len == 0 {
        return Ok(());
    }
    let target = ctx.memory.check_write(ptr, len, align).map_err(Stop::Ub)?;
    let big_endian = ctx.memory.big_endian;
    ctx.memory.allocation_mut(target.alloc).contents_mut().write(target.at, shape, value, big_endian);
    Ok(())
}

/// Any load.
pub(super) fn load(ctx: &mut Ctx<'_, '_>, regs: &mut [Val], op: &MemOp) -> Step<()> {
    let ptr = pointer(&regs[op.ptr as usize])?;
    let value = read(ctx, ptr, &op.shape, op.align)?;
    if op.volatile {
        let seen = ctx.events.see(ctx.memory, &Val::Ptr(ptr));
        event(ctx, EventKind::VolatileLoad { ptr: seen, len: op.shape.store_bytes() })?;
    }
    regs[op.val as usize] = value;
    Ok(())
}

/// Any store.
pub(super) fn store(ctx: &mut Ctx<'_, '_>, regs: &[Val], op: &MemOp) -> Step<()> {
    let ptr = pointer(&regs[op.ptr as usize])?;
    let value = &regs[op.val as usize];
    write(ctx, ptr, &op.shape, op.align, value)?;
    if op.volatile {
        let (ptr, value) = (ctx.events.see(ctx.memory, &Val::Ptr(ptr)), ctx.events.see(ctx.memory, value));
        event(ctx, EventKind::VolatileStore { ptr, value })?;
    }
    Ok(())
}

/// Records an event.
pub(super) fn event(ctx: &mut Ctx<'_, '_>, kind: EventKind) -> Step<()> {
    if ctx.events.list.len() >= ctx.config.max_events {
        return Err(Stop::Limit(Limit::Events));
    }
    let place = ctx.place();
    ctx.events.list.push(Event { kind, place, firm: true });
    Ok(())
}

/// `alloca`.
pub(super) fn alloca(ctx: &mut Ctx<'_, '_>, regs: &mut [Val], op: &AllocaOp) -> Step<()> {
    let count = match op.count {
        None => 1,
        Some((reg, width)) => {
            let cube = regs[reg as usize].cube().filter(|c| c.is_known());
            let count = Int::new(width, cube.ok_or(Stop::Ub(UbKind::AllocaSize))?.bits);
            count.to_u64().ok_or(Stop::Limit(Limit::Memory))?
        }
    };
    let size = count.checked_mul(op.elem_bytes).ok_or(Stop::Limit(Limit::Memory))?;
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
    regs[op.dst as usize] = Val::Ptr(ptr);
    Ok(())
}

/// `getelementptr` with one index.
#[inline]
pub(super) fn gep(ctx: &mut Ctx<'_, '_>, regs: &mut [Val], args: &GepFast) -> Step<()> {
    if let (Val::Ptr(base), Val::Bits(index)) = (&regs[args.base as usize], &regs[args.index as usize]) {
        let unused = 64 - u32::from(args.width);
        let index = ((index << unused) as i64) >> unused;
        if let Some(offset) = index.checked_mul(args.scale.into()) {
            let addr = base.addr.wrapping_add(offset as u64);
            let inside = !args.inbounds || offset == 0 || {
                ctx.memory.provs.alloc_of(base.prov).is_some_and(|i| {
                    let alloc = ctx.memory.allocation(i as usize);
                    let from = base.addr.wrapping_sub(alloc.base);
                    from <= alloc.size && addr.wrapping_sub(alloc.base) <= alloc.size
                })
            };
            if inside {
                regs[args.dst as usize] = Val::ptr(addr, base.prov);
                return Ok(());
            }
        }
    }
    gep_general(ctx, regs, args)
}

#[cold]
fn gep_general(ctx: &mut Ctx<'_, '_>, regs: &mut [Val], args: &GepFast) -> Step<()> {
    use crate::compile::op::{GepOp, GepTerm};
    let term = GepTerm::Index { reg: args.index, width: args.width.into(), scale: args.scale.into() };
    let op = GepOp {
        dst: args.dst,
        base: args.base,
        terms: Box::new([term]),
        flags: GepFlags { inbounds: args.inbounds, nusw: args.inbounds, nuw: false },
        index_bits: 64,
        pointer_bits: 64,
        lanes: None,
    };
    super::gep::run(ctx, regs, &op)
}

/// `atomicrmw`.
pub(super) fn rmw(ctx: &mut Ctx<'_, '_>, regs: &mut [Val], args: &RmwArgs) -> Step<()> {
    let ptr = pointer(&regs[args.mem.ptr as usize])?;
    let old = read(ctx, ptr, &args.mem.shape, args.mem.align)?;
    let new = rmw_value(ctx, args.op, &args.mem.shape, &old, &regs[args.arg as usize])?;
    write(ctx, ptr, &args.mem.shape, args.mem.align, &new)?;
    if args.mem.volatile {
        let (ptr, value) = (ctx.events.see(ctx.memory, &Val::Ptr(ptr)), ctx.events.see(ctx.memory, &new));
        event(ctx, EventKind::VolatileStore { ptr, value })?;
    }
    regs[args.dst as usize] = old;
    Ok(())
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the rest are floating-point operations, which are refused"
)]
fn rmw_value(ctx: &mut Ctx<'_, '_>, op: RmwOp, shape: &Shape, old: &Val, arg: &Val) -> Step<Val> {
    let no_flags = BinaryFlags::default();
    let refuse = || Stop::unsupported(Feature::Instruction("atomicrmw on this type"));
    if op == RmwOp::Xchg {
        return Ok(arg.clone());
    }
    if let RmwOp::FAdd | RmwOp::FSub = op {
        let op = if op == RmwOp::FAdd { FloatBinaryOp::FAdd } else { FloatBinaryOp::FSub };
        return float::binary(ctx, (op, FastMath::NONE, shape), old, arg);
    }
    let Shape::Int(width) = *shape else { return Err(refuse()) };
    let (Some(x), Some(y)) = (old.cube(), arg.cube()) else { return Ok(Val::Poison) };
    let mut arithmetic = |op| super::scalar::binary(ctx, (op, no_flags, width), old, arg);
    match op {
        RmwOp::Add => return arithmetic(BinaryOp::Add),
        RmwOp::Sub => return arithmetic(BinaryOp::Sub),
        RmwOp::And => return arithmetic(BinaryOp::And),
        RmwOp::Or => return arithmetic(BinaryOp::Or),
        RmwOp::Xor => return arithmetic(BinaryOp::Xor),
        _ => {}
    }
    let (x, y) = (ctx.narrow(width, x), ctx.narrow(width, y));
    Ok(Val::int(match op {
        RmwOp::Nand => x.and(y).not(),
        RmwOp::Max => x.smax(y),
        RmwOp::Min => x.smin(y),
        RmwOp::UMax => x.umax(y),
        RmwOp::UMin => x.umin(y),
        RmwOp::UIncWrap if x.uge(y) => Int::zero(width),
        RmwOp::UIncWrap => x.add(Int::one(width)),
        RmwOp::UDecWrap if x.is_zero() || x.ugt(y) => y,
        RmwOp::UDecWrap => x.sub(Int::one(width)),
        RmwOp::USubCond if x.uge(y) => x.sub(y),
        RmwOp::USubCond => x,
        RmwOp::USubSat => x.usub_sat(y),
        _ => return Err(refuse()),
    }))
}

/// `cmpxchg`; a weak one does not fail by itself here.
pub(super) fn cmpxchg(ctx: &mut Ctx<'_, '_>, regs: &mut [Val], args: &CmpXchgArgs) -> Step<()> {
    let ptr = pointer(&regs[args.mem.ptr as usize])?;
    let shape = &args.mem.shape;
    let old = read(ctx, ptr, shape, args.mem.align)?;
    let width = shape.scalar_bits().unwrap_or(64);
    let equal = super::scalar::icmp(IntPredicate::Eq, false, width, &old, &regs[args.expected as usize]);
    let equal = match equal {
        Val::Bits(bit) => bit != 0,
        Val::Wide(_) => ctx.narrow(1, crate::value::Cube::new(0, 1)).is_one(),
        // Whether memory is written is undefined: no reading of LangRef makes that better than UB.
        Val::Poison | Val::Ptr(_) | Val::Agg(_) => return Err(Stop::Ub(UbKind::BranchOnPoison)),
    };
    if equal {
        let new = regs[args.new as usize].clone();
        write(ctx, ptr, shape, args.mem.align, &new)?;
    }
    regs[args.dst as usize] = Val::agg(vec![old, Val::bool(equal)]);
    Ok(())
}
