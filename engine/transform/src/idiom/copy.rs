//! A load and a store that form a `memcpy` or a `memmove`.

use super::job::{Context, Job, Pointer, Source, Strided, is_plain};
use super::remarks::IdiomMissed;
use backedge_ir::inst::InstKind;
use backedge_ir::types::TypeKind;

/// The copy that `store` belongs to; `None` if it does not store the result of a load in the loop.
pub(super) fn find_copy(context: &mut Context<'_, '_>, store: &Strided) -> Result<Option<Job>, IdiomMissed> {
    let body = context.at.body;
    let value = body.inst(store.inst).operands[0];
    let Some(load) = value.as_inst().filter(|i| context.shape.loops.contains_inst(body, context.l, *i))
    else {
        return Ok(None);
    };
    match &body.inst(load).kind {
        InstKind::Load(access) if is_plain(access) => {}
        _ => return Ok(None),
    }
    // A copy of bytes does not preserve non-integral pointers.
    let (env, ty) = (context.at.env, body.inst(load).ty);
    if matches!(ty.kind(), TypeKind::Ptr(space) if env.layout.is_non_integral(space)) {
        return Err(IdiomMissed::NoPattern);
    }
    let from = context.strided(load)?;
    if from.step != store.step || store.bytes != store.step.unsigned_abs() {
        return Err(IdiomMissed::Gaps);
    }
    // Only this store may write the source or access the destination, except for the load, in one case.
    let overlaps = context.is_touched(store.pointer, &[store.inst], true);
    if overlaps {
        let only_use = body.code_uses(load.into()).count() == 1;
        let apart = !context.is_touched(store.pointer, &[store.inst, load], true)
            && !context.is_touched(from.pointer, &[store.inst], false);
        if !only_use || !apart || !reads_ahead(context, store, &from) {
            return Err(IdiomMissed::Touched { load: false });
        }
    } else if context.is_touched(from.pointer, &[store.inst], false) {
        return Err(IdiomMissed::Touched { load: true });
    }
    let bits = context.index_bits(store.pointer);
    if context.index_bits(from.pointer) != bits {
        return Err(IdiomMissed::NoPattern);
    }
    let length = context.length(store.bytes, bits)?;
    let source: Pointer = context.pointer(&from, from.start)?;
    Ok(Some(Job {
        stores: vec![store.inst],
        place: context.place,
        to: context.pointer(store, store.start)?,
        from: Source::Memory { from: source, overlaps },
        length: context.plan(length)?,
        length_bits: bits,
        stride: store.bytes,
    }))
}

/// Whether no iteration reads what an earlier one has written: both accesses are to one object, and the load is ahead
/// of the store in the direction of movement, or at the same address.
fn reads_ahead(context: &mut Context<'_, '_>, store: &Strided, load: &Strided) -> bool {
    let Some(distance) = context.scev.constant_difference(load.start, store.start) else { return false };
    if store.step > 0 { distance.signed() >= 0 } else { distance.signed() <= 0 }
}
