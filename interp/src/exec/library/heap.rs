//! Allocation and deallocation.
//!
//! Whether an allocation fails is a choice of the program, the same for all allocators: a target may remove an
//! allocation of its source. A failed allocation in the source excuses UB only if one of the target's failed too
//! ([`crate::refine`]). The caller's objects may be allocations, so the program can free them.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "`execute` dispatches exhaustively; each family handles its own functions"
)]

use super::Call;
use crate::chooser::{ChoiceKind, Domain};
use crate::exec::ctx::Ctx;
use crate::memory::{Liveness, Origin, Request};
use crate::outcome::{Exit, Feature, Limit, Step, Stop, UbKind};
use crate::value::{Pointer, Val};
use backedge_ir::meaning::library::{Family, Library};

/// Chooses whether this allocation fails.
fn fails(ctx: &mut Ctx<'_, '_>) -> bool {
    let fails = ctx.choose(ChoiceKind::Unspecified, Domain::Options(2)) == 1;
    ctx.events.library.failed |= fails;
    fails
}

/// Creates an object of a family.
fn object(ctx: &mut Ctx<'_, '_>, family: Family, size: u64, align: u64) -> Step<Pointer> {
    let number = ctx.memory.allocations().len() as u32;
    ctx.events.library.families.push((number, family));
    let pointer_bits = ctx.memory.pointer_bits;
    ctx.memory.allocate(Request { origin: Origin::Heap(number), size, align, writable: true, pointer_bits })
}

/// The alignment of all allocations: that of the largest scalar.
fn natural(ctx: &Ctx<'_, '_>) -> u64 {
    u64::from(ctx.memory.pointer_bits.max(8)) / 4
}

pub(super) fn allocate(ctx: &mut Ctx<'_, '_>, which: Library, call: Call<'_>) -> Step<Val> {
    let null = Val::Ptr(Pointer::NULL);
    let natural = natural(ctx);
    let (size, align) = match which {
        Library::Calloc => match call.size(0)?.checked_mul(call.size(1)?) {
            Some(size) => (size, natural),
            None => return Ok(null),
        },
        Library::AlignedAlloc => {
            let align = call.size(0)?;
            if !align.is_power_of_two() {
                return Err(Stop::Ub(UbKind::Misaligned));
            }
            (call.size(1)?, align)
        }
        _ => (call.size(0)?, natural),
    };
    if which == Library::New {
        if !call.op.effects.nounwind && fails(ctx) {
            return Err(Stop::Exit(Exit::Threw));
        }
    } else if fails(ctx) {
        return Ok(null);
    }
    let ptr = object(ctx, call.family, size, align)?;
    if which == Library::Calloc && size > 0 {
        let index = ctx.memory.object_of(ptr).ok_or(Stop::Limit(Limit::Memory))?;
        ctx.memory.allocation_mut(index).contents_mut().fill_range(0, size as usize, (0, 0, 0));
    }
    Ok(Val::Ptr(ptr))
}

/// The allocation that starts at `ptr`, if a function of that family may free it. Freeing one of another family is
/// unsupported.
fn allocation(ctx: &Ctx<'_, '_>, ptr: Pointer, family: Family) -> Step<usize> {
    let invalid = Stop::Ub(UbKind::InvalidFree);
    let index = ctx.memory.object_of(ptr).ok_or_else(|| invalid.clone())?;
    let object = ctx.memory.allocation(index);
    let may_be_allocated = match object.origin {
        Origin::Heap(_) | Origin::Buffer(_) | Origin::Block(_) | Origin::External(_) => true,
        Origin::Global(_) | Origin::Function(_) | Origin::Local(_) => false,
    };
    if !may_be_allocated || object.base != ptr.addr {
        return Err(invalid);
    }
    if object.liveness != Liveness::Live {
        return Err(Stop::Ub(UbKind::UseAfterFree));
    }
    let is_another = |(number, made): &(u32, Family)| *number as usize == index && *made != family;
    if ctx.events.library.families.iter().any(is_another) {
        return Err(Stop::unsupported(Feature::Other(
            "memory freed by a function of another family than its allocator",
        )));
    }
    Ok(index)
}

/// Whether the library treats the pointer as null, which depends on its address. An object may be at that address.
fn is_null(ctx: &Ctx<'_, '_>, ptr: Pointer) -> bool {
    ptr.addr == 0 && ctx.memory.object_of(ptr).is_none_or(|index| ctx.memory.allocation(index).base != 0)
}

pub(super) fn free(ctx: &mut Ctx<'_, '_>, call: Call<'_>) -> Step<()> {
    let ptr = call.pointer(0)?;
    if is_null(ctx, ptr) {
        return Ok(());
    }
    let index = allocation(ctx, ptr, call.family)?;
    ctx.release(index);
    ctx.memory.writes += 1;
    Ok(())
}

pub(super) fn reallocate(ctx: &mut Ctx<'_, '_>, call: Call<'_>) -> Step<Val> {
    let (old, size) = (call.pointer(0)?, call.size(1)?);
    let is_new = is_null(ctx, old);
    let index = if is_new { None } else { Some(allocation(ctx, old, call.family)?) };
    if size == 0 && !is_new {
        // C23: undefined; before that, implementation-defined.
        return Err(Stop::Ub(UbKind::InvalidFree));
    }
    if fails(ctx) {
        return Ok(Val::Ptr(Pointer::NULL));
    }
    let align = natural(ctx);
    let new = object(ctx, call.family, size, align)?;
    if let Some(index) = index {
        let len = ctx.memory.allocation(index).size.min(size);
        if len > 0 {
            super::strings::copy(ctx, new, old, len, false)?;
        }
        ctx.release(index);
        ctx.memory.writes += 1;
    }
    Ok(Val::Ptr(new))
}
