//! Intrinsics on blocks of memory (copies and fills) and on the stack.
//!
//! Element-wise atomic copies are executed by one thread, so they are ordinary copies. Volatile copies and fills are
//! events ([`volatile`]). `stackrestore` frees the stack allocations made since `stacksave`; the saved pointer points
//! to an empty object that marks the position.

use super::ctx::Ctx;
use super::elements::Done;
use super::volatile;
use crate::compile::op::IntrinsicOp;
use crate::exec::access;
use crate::layout::Shape;
use crate::memory::{Contents, Liveness, Origin, Request};
use crate::outcome::{Feature, Step, Stop, UbKind};
use crate::value::Val;
use backedge_ir::intrinsic::Intrinsic;

/// Maximum bytes of a volatile copy or fill: each byte is part of an event. Longer ones are not modelled.
const MAX_VOLATILE: u64 = 4096;

/// The remaining operands of a copy or fill.
struct Bulk {
    len: u64,
    volatile: bool,
    /// Whether the ranges may overlap.
    moves: bool,
}

/// The length of a copy or fill; for the element-wise intrinsics it must be a multiple of the element size.
fn bulk(op: &IntrinsicOp, args: &impl Fn(usize) -> Val) -> Step<Bulk> {
    let width = op.shapes[2].scalar_bits().unwrap_or(64);
    let known = args(2).as_int(width).ok_or(Stop::Ub(UbKind::PoisonLength))?;
    let len = known.to_u64().unwrap_or(u64::MAX);
    let elements = matches!(
        op.which,
        Intrinsic::MemcpyElementAtomic | Intrinsic::MemmoveElementAtomic | Intrinsic::MemsetElementAtomic
    );
    if let (true, Val::Bits(size)) = (elements, args(3))
        && !len.is_multiple_of(size)
    {
        return Err(Stop::Ub(UbKind::ElementLength));
    }
    let volatile = !elements && args(op.args.len() - 1) == Val::Bits(1);
    if volatile && len > MAX_VOLATILE {
        return Err(Stop::unsupported(Feature::Other("a volatile copy of more than 4096 bytes")));
    }
    let moves = matches!(op.which, Intrinsic::Memmove | Intrinsic::MemmoveElementAtomic);
    Ok(Bulk { len, volatile, moves })
}

/// `llvm.memcpy` and `llvm.memmove`. A length of 0 skips all checks.
pub(super) fn copy(ctx: &mut Ctx<'_, '_>, op: &IntrinsicOp, args: impl Fn(usize) -> Val) -> Done {
    let Bulk { len, volatile, moves } = bulk(op, &args)?;
    if len == 0 {
        return Ok(());
    }
    let (to, from) = (access::pointer(&args(0))?, access::pointer(&args(1))?);
    if volatile {
        let at = |ptr, align| volatile::At { ptr, len, align };
        return volatile::copy(ctx, at(to, op.aligns[0]), at(from, op.aligns[1]), moves);
    }
    let source =
        ctx.memory.check_read(from, len, op.aligns[1]).map_err(|kind| ctx.memory.refusal(kind, from))?;
    let target =
        ctx.memory.check_write(to, len, op.aligns[0]).map_err(|kind| ctx.memory.refusal(kind, to))?;
    if let Some(source) = source {
        let overlap = source.alloc == target.alloc
            && source.at != target.at
            && (source.at.abs_diff(target.at) as u64) < len;
        if overlap && !moves {
            return Err(Stop::Ub(UbKind::OverlappingCopy));
        }
        let len = len as usize;
        let bytes: Contents = ctx.memory.seen(from.prov, source, len);
        ctx.memory.allocation_mut(target.alloc).contents_mut().copy_from(target.at, &bytes, 0, len);
    } else {
        ctx.memory.allocation_mut(target.alloc).contents_mut().set_poison(target.at, len as usize);
    }
    Ok(())
}

/// `llvm.memset`. A length of 0 skips all checks.
pub(super) fn fill(ctx: &mut Ctx<'_, '_>, op: &IntrinsicOp, args: impl Fn(usize) -> Val) -> Done {
    let Bulk { len, volatile, .. } = bulk(op, &args)?;
    if len == 0 {
        return Ok(());
    }
    let to = access::pointer(&args(0))?;
    let byte = match args(1).cube() {
        Some(cube) => (cube.bits as u8, cube.undef as u8, 0),
        None => (0, 0, 0xff),
    };
    if volatile {
        return volatile::fill(ctx, volatile::At { ptr: to, len, align: op.aligns[0] }, byte);
    }
    let target =
        ctx.memory.check_write(to, len, op.aligns[0]).map_err(|kind| ctx.memory.refusal(kind, to))?;
    ctx.memory.allocation_mut(target.alloc).contents_mut().fill_range(target.at, len as usize, byte);
    Ok(())
}

/// `llvm.stacksave`.
pub(super) fn stack_save(ctx: &mut Ctx<'_, '_>, op: &IntrinsicOp) -> Step<Val> {
    let origin = Origin::Local(ctx.memory.allocations().len() as u32);
    let pointer_bits = op.ret.as_ref().and_then(Shape::scalar_bits).unwrap_or(64);
    let mark = Request { origin, size: 0, align: 1, writable: false, pointer_bits };
    ctx.memory.allocate(mark).map(Val::Ptr)
}

/// `llvm.stackrestore`: frees this function's allocas that are younger than the mark returned by `stacksave`.
pub(super) fn stack_restore(ctx: &mut Ctx<'_, '_>, mark: &Val) -> Done {
    let mark = access::pointer(mark)?;
    let index = ctx.memory.object_of(mark).ok_or(Stop::Ub(UbKind::InvalidPointer))?;
    let object = ctx.memory.allocation(index);
    if object.size != 0 || !matches!(object.origin, Origin::Local(_)) {
        return Err(Stop::Ub(UbKind::InvalidPointer));
    }
    if object.liveness == Liveness::Freed {
        return Err(Stop::Ub(UbKind::UseAfterFree));
    }
    for younger in index + 1..ctx.memory.allocations().len() {
        if matches!(ctx.memory.allocation(younger).origin, Origin::Local(_)) {
            ctx.release(younger);
        }
    }
    ctx.memory.writes += 1;
    Ok(())
}
