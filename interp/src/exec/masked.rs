//! Masked memory accesses: a lane whose mask bit is false accesses no memory and, in a load, takes its value from the
//! passthru operand.
//!
//! A poison or undefined mask bit determines whether memory is accessed. LangRef compares masked loads and stores to
//! a branch around each lane, so such a bit is UB here.

use super::ctx::Ctx;
use crate::compile::op::IntrinsicOp;
use crate::exec::access;
use crate::layout::Shape;
use crate::outcome::{Step, Stop, UbKind};
use crate::value::{Pointer, Val};
use backedge_ir::intrinsic::Intrinsic;

/// Operand positions: with an alignment operand, as up to LLVM 21, or with an alignment attribute of the pointer.
struct Places {
    pointer: usize,
    mask: usize,
    /// The stored value, or the value of lanes without an access.
    value: usize,
    align: u64,
}

fn places(op: &IntrinsicOp, args: &impl Fn(usize) -> Val) -> Places {
    let stores = matches!(
        op.which,
        Intrinsic::MaskedStore | Intrinsic::MaskedScatter | Intrinsic::MaskedCompressStore
    );
    let pointer = usize::from(stores);
    let old = op.args.len() == 4;
    let stated = op.aligns.get(pointer).copied().unwrap_or(1);
    let align = match args(pointer + 1) {
        Val::Bits(align) if old => align,
        Val::Poison | Val::Bits(_) | Val::Ptr(_) | Val::Wide(_) | Val::Agg(_) => stated,
    };
    let align = if align.is_power_of_two() { align } else { 1 };
    let mask = pointer + 1 + usize::from(old);
    Places { pointer, mask, value: if stores { 0 } else { mask + 1 }, align }
}

/// The mask bit of a lane.
fn enabled(mask: &Val, lane: usize) -> Step<bool> {
    match mask.members().get(lane) {
        Some(Val::Bits(bit)) => Ok(*bit != 0),
        Some(Val::Wide(_)) => Err(Stop::Ub(UbKind::BranchOnUndef)),
        Some(Val::Poison | Val::Ptr(_) | Val::Agg(_)) | None => Err(Stop::Ub(UbKind::BranchOnPoison)),
    }
}

/// The address of a lane. Lanes of a single pointer are adjacent; compressed memory contains only the enabled lanes.
fn address(op: &IntrinsicOp, pointer: &Val, lane: usize, taken: u64, bytes: u64) -> Step<Pointer> {
    if let Val::Agg(pointers) = pointer {
        return access::pointer(pointers.get(lane).unwrap_or(&Val::Poison));
    }
    let compressed = matches!(op.which, Intrinsic::MaskedExpandLoad | Intrinsic::MaskedCompressStore);
    let index = if compressed { taken } else { lane as u64 };
    let base = access::pointer(pointer)?;
    Ok(Pointer { addr: base.addr.wrapping_add(index * bytes), ..base })
}

/// The alignment of a lane's access, derived from that of the whole access.
fn lane_align(op: &IntrinsicOp, whole: u64, bytes: u64) -> u64 {
    if matches!(op.which, Intrinsic::MaskedGather | Intrinsic::MaskedScatter) {
        return whole;
    }
    let natural = if bytes == 0 { 1 } else { 1 << bytes.trailing_zeros() };
    whole.min(natural)
}

/// Bytes of an element; elements that are not whole bytes are not modelled.
fn lane_bytes(shape: &Shape, op: &IntrinsicOp) -> Step<u64> {
    let bits = shape.bits();
    if bits.is_multiple_of(8) { Ok(bits / 8) } else { Err(super::elements::unsupported(op.which)) }
}

/// Checks that the whole access has the stated alignment; called if any lane is enabled.
fn check_base(op: &IntrinsicOp, pointer: &Val, align: u64) -> Step<()> {
    let one = matches!(op.which, Intrinsic::MaskedLoad | Intrinsic::MaskedStore);
    match pointer {
        Val::Ptr(p) if one && p.addr & (align - 1) != 0 => Err(Stop::Ub(UbKind::Misaligned)),
        Val::Poison | Val::Bits(_) | Val::Ptr(_) | Val::Wide(_) | Val::Agg(_) => Ok(()),
    }
}

/// `llvm.masked.load`, `gather` and `expandload`.
pub(super) fn load(ctx: &mut Ctx<'_, '_>, op: &IntrinsicOp, args: impl Fn(usize) -> Val) -> Step<Val> {
    let places = places(op, &args);
    let (pointer, mask, rest) = (args(places.pointer), args(places.mask), args(places.value));
    let elem = op.shapes[places.value].element();
    let bytes = lane_bytes(elem, op)?;
    let mut members = rest.members().to_vec();
    let mut taken = 0;
    for (lane, member) in members.iter_mut().enumerate() {
        if enabled(&mask, lane)? {
            check_base(op, &pointer, places.align)?;
            let at = address(op, &pointer, lane, taken, bytes)?;
            *member = access::read(ctx, at, elem, lane_align(op, places.align, bytes))?;
            taken += 1;
        }
    }
    Ok(Val::agg(members))
}

/// `llvm.masked.store`, `scatter` and `compressstore`. Of several lanes with one address, the last one wins.
pub(super) fn store(ctx: &mut Ctx<'_, '_>, op: &IntrinsicOp, args: impl Fn(usize) -> Val) -> Step<()> {
    let places = places(op, &args);
    let (pointer, mask, value) = (args(places.pointer), args(places.mask), args(places.value));
    let elem = op.shapes[places.value].element();
    let bytes = lane_bytes(elem, op)?;
    let mut taken = 0;
    for (lane, member) in value.members().iter().enumerate() {
        if enabled(&mask, lane)? {
            check_base(op, &pointer, places.align)?;
            let at = address(op, &pointer, lane, taken, bytes)?;
            access::write(ctx, at, elem, lane_align(op, places.align, bytes), member)?;
            taken += 1;
        }
    }
    Ok(())
}
