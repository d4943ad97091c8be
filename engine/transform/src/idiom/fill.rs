//! Stores that form a `memset`: of one byte value, adjacent to each other and to those of the next iteration.

use super::job::{Context, Job, Source, Strided};
use super::remarks::IdiomMissed;
use super::splat::{Byte, byte_of};
use backedge_ir::inst::{InstKind, Value};

/// The groups of stores that fill their stride, and why other groups fail. Stores without a pattern are omitted.
pub(super) fn find_fills(context: &mut Context<'_, '_>, stores: &[Strided]) -> Vec<Result<Job, IdiomMissed>> {
    let candidates: Vec<(&Strided, Byte)> =
        stores.iter().filter_map(|s| Some((s, byte(context, s)?))).collect();
    let mut found = Vec::new();
    let mut taken = vec![false; candidates.len()];
    for first in 0..candidates.len() {
        if taken[first] {
            continue;
        }
        let group = group_of(context, &candidates, &taken, first);
        group.iter().for_each(|(i, _)| taken[*i] = true);
        let members: Vec<(&Strided, i128)> =
            group.into_iter().map(|(i, offset)| (candidates[i].0, offset)).collect();
        found.push(job(context, members, candidates[first].1));
    }
    found
}

/// The invariant byte of which the stored value consists.
fn byte(context: &Context<'_, '_>, store: &Strided) -> Option<Byte> {
    let body = context.at.body;
    let data = body.inst(store.inst);
    let value: Value = data.operands[usize::from(!matches!(data.kind, InstKind::Store(_)))];
    let invariant = context.shape.loops.is_invariant(body, context.l, value);
    byte_of(context.at.env, body, value).filter(|_| invariant)
}

/// The candidates that store the same byte with the same stride at a known distance from the first, with this
/// distance, in ascending order.
fn group_of(
    context: &mut Context<'_, '_>,
    candidates: &[(&Strided, Byte)],
    taken: &[bool],
    first: usize,
) -> Vec<(usize, i128)> {
    let (lead, byte) = candidates[first];
    let mut group: Vec<(usize, i128)> = Vec::new();
    for (i, (store, other)) in candidates.iter().enumerate().skip(first) {
        if taken[i] || *other != byte || store.step != lead.step {
            continue;
        }
        if let Some(distance) = context.scev.constant_difference(store.start, lead.start) {
            group.push((i, distance.signed()));
        }
    }
    group.sort_by_key(|(_, offset)| *offset);
    group
}

fn job(context: &mut Context<'_, '_>, group: Vec<(&Strided, i128)>, byte: Byte) -> Result<Job, IdiomMissed> {
    let (lowest, _) = group[0];
    let adjacent = group.windows(2).all(|pair| pair[0].1 + i128::from(pair[0].0.bytes) == pair[1].1);
    let bytes: u64 = group.iter().map(|(store, _)| store.bytes).sum();
    if !adjacent || bytes != lowest.step.unsigned_abs() {
        return Err(IdiomMissed::Gaps);
    }
    let stores: Vec<_> = group.iter().map(|(store, _)| store.inst).collect();
    if group.iter().any(|(store, _)| context.is_touched(store.pointer, &stores, true)) {
        return Err(IdiomMissed::Touched { load: false });
    }
    let bits = context.index_bits(lowest.pointer);
    let length = context.length(bytes, bits)?;
    Ok(Job {
        stores,
        place: context.place,
        to: context.pointer(lowest, lowest.start)?,
        from: Source::Byte(byte),
        length: context.plan(length)?,
        length_bits: bits,
        stride: bytes,
    })
}
