//! Reads and writes of memory by values, for all operations that access memory.

use super::ctx::Ctx;
use crate::layout::Shape;
use crate::memory::Target;
use crate::outcome::{Step, Stop, UbKind};
use crate::value::{Pointer, Prov, Val};

/// The pointer operand of an access.
#[inline]
pub(super) fn pointer(value: &Val) -> Step<Pointer> {
    match value {
        Val::Ptr(ptr) => Ok(*ptr),
        Val::Wide(_) => Err(Stop::Ub(UbKind::UndefPointer)),
        Val::Poison | Val::Bits(_) | Val::Agg(_) => Err(Stop::Ub(UbKind::PoisonPointer)),
    }
}

/// Exposes the pointers whose bytes are in a range.
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

/// Whether a pointer was assembled from bytes of different origin, so that it is an address converted to a pointer.
fn is_assembled(value: &Val) -> bool {
    match value {
        Val::Ptr(ptr) => ptr.prov == Prov::WILDCARD,
        Val::Agg(members) => members.iter().any(is_assembled),
        Val::Poison | Val::Bits(_) | Val::Wide(_) => false,
    }
}

/// Reads a value through a pointer.
pub(super) fn read(ctx: &mut Ctx<'_, '_>, ptr: Pointer, shape: &Shape, align: u64) -> Step<Val> {
    let len = shape.store_bytes();
    if len == 0 {
        return Ok(shape.poison());
    }
    let Some(target) =
        ctx.memory.check_read(ptr, len, align).map_err(|kind| ctx.memory.refusal(kind, ptr))?
    else {
        return Ok(shape.poison());
    };
    let big_endian = ctx.memory.big_endian;
    let value = match ctx.memory.seen_in_part(ptr.prov, target, len as usize) {
        Some(seen) => seen.read(0, shape, big_endian),
        None => ctx.memory.allocation(target.alloc).contents.read(target.at, shape, big_endian),
    };
    expose_read(ctx, target, shape, &value);
    Ok(value)
}

/// Exposes pointers whose bytes were read as another type.
pub(super) fn expose_read(ctx: &mut Ctx<'_, '_>, target: Target, shape: &Shape, value: &Val) {
    if !has_pointers(shape) || is_assembled(value) {
        expose_range(ctx, target.alloc, target.at, shape.store_bytes() as usize);
    }
}

/// Writes a value through a pointer.
pub(super) fn write(ctx: &mut Ctx<'_, '_>, ptr: Pointer, shape: &Shape, align: u64, value: &Val) -> Step<()> {
    let len = shape.store_bytes();
    if len == 0 {
        return Ok(());
    }
    let target = ctx.memory.check_write(ptr, len, align).map_err(|kind| ctx.memory.refusal(kind, ptr))?;
    write_at(ctx, target, shape, value);
    Ok(())
}

/// Writes a value at a checked target.
pub(super) fn write_at(ctx: &mut Ctx<'_, '_>, target: Target, shape: &Shape, value: &Val) {
    let big_endian = ctx.memory.big_endian;
    // LangRef: a store of an aggregate fills its padding with undef.
    if shape.has_padding() {
        ctx.memory.uninitialise_range(target.alloc, target.at, shape.store_bytes() as usize);
    }
    ctx.memory.allocation_mut(target.alloc).contents_mut().write(target.at, shape, value, big_endian);
}
