//! Memory accesses in the recorder: for loads, the bytes that were not defined and their writers; for stores and
//! copies, that they wrote such bytes.

use super::observer::Done;
use super::record::{Node, Operand, Piece, Recorder, Role, Source, pointer_operand};
use super::steps::At;
use crate::layout::Shape;
use crate::memory::{Allocation, Liveness, Memory};
use crate::value::{Pointer, Val};
use backedge_ir::intrinsic::Intrinsic;

impl Recorder<'_> {
    pub(super) fn loaded(
        &self,
        done: &Done<'_>,
        ptr: Option<&Operand>,
        shape: Option<&Shape>,
        first: bool,
    ) -> Role {
        let (Some(Val::Ptr(ptr)), Some(shape)) = (ptr.map(|p| &p.value), shape) else { return Role::Result };
        if !done.value.is_some_and(Val::has_undef_or_poison) {
            return Role::Result;
        }
        let pieces = self.pieces(done.memory, *ptr, ptr.addr, shape.store_bytes());
        Role::Loaded { addr: ptr.addr, pieces, first }
    }
    /// The `len` bytes at `ptr` that are not defined, with the writers of the corresponding bytes from `addr` on.
    fn pieces(&self, memory: &Memory, ptr: Pointer, addr: u64, len: u64) -> Vec<Piece> {
        let Some(alloc) = memory.object_of(ptr).map(|i| memory.allocation(i)) else { return Vec::new() };
        if alloc.liveness != Liveness::Live {
            return vec![Piece {
                offset: 0,
                len,
                poison: true,
                undef: false,
                source: Source::OutsideLifetime,
            }];
        }
        let start = ptr.addr.wrapping_sub(alloc.base);
        let mut pieces: Vec<Piece> = Vec::new();
        for offset in 0..len {
            let (undef, poison) = planes(alloc, start.wrapping_add(offset));
            if !undef && !poison {
                continue;
            }
            let source = self.writers.at(addr + offset).map_or(Source::Unwritten, Source::Written);
            match pieces.last_mut() {
                Some(last)
                    if last.offset + last.len == offset
                        && (last.poison, last.undef, last.source) == (poison, undef, source) =>
                {
                    last.len += 1;
                }
                _ => pieces.push(Piece { offset, len: 1, poison, undef, source }),
            }
        }
        pieces
    }
    /// Records a store of a value computed from `parts`.
    pub(super) fn stored(
        &mut self,
        done: &Done<'_>,
        at: &At,
        ptr: Option<&Operand>,
        shape: Option<&Shape>,
        parts: &[Operand],
    ) {
        let (Some(Val::Ptr(ptr)), Some(shape)) = (ptr.map(|p| &p.value), shape) else { return };
        let Some(alloc) = done.memory.object_of(*ptr).map(|i| done.memory.allocation(i)) else { return };
        if shape.store_bytes() == 0 {
            return;
        }
        let start = ptr.addr.wrapping_sub(alloc.base) as usize;
        let value = match parts {
            [only] => only.value.clone(),
            _ => alloc.contents.read(start, shape, self.program.module.env.layout.big_endian),
        };
        let node = self.made(at, &value, parts, Role::Stored { addr: ptr.addr }).node;
        for (offset, len) in spans(shape) {
            let from = ptr.addr + offset;
            self.writers.write(from..from + len, node);
        }
    }
    /// Records a copy of `len` bytes; the first two operands are the target and the source.
    pub(super) fn copied(&mut self, done: &Done<'_>, at: &At, operands: &[Operand], len: u64) {
        let [Some(to), Some(from)] = [0, 1].map(|i| pointer_operand(operands, i)) else { return };
        // The copy has already happened, so undefined bytes are found at the target; the writers at the source are
        // not overwritten yet.
        let mut pieces = self.pieces(done.memory, to, from.addr, len);
        let dead = done.memory.object_of(from).map(|i| done.memory.allocation(i).liveness);
        if dead.is_some_and(|l| l != Liveness::Live) {
            pieces =
                vec![Piece { offset: 0, len, poison: true, undef: false, source: Source::OutsideLifetime }];
        }
        self.writers.write(to.addr..to.addr.saturating_add(len), None);
        if pieces.is_empty() {
            return;
        }
        let spans: Vec<(u64, u64)> = pieces.iter().map(|p| (p.offset, p.len)).collect();
        let value = Val::Poison;
        let role = Role::Copied { addr: to.addr, from: from.addr, pieces };
        let node = Node { at: at.clone(), value, raw: None, operands: operands.to_vec(), role };
        let node = self.node(node);
        for (offset, len) in spans {
            self.writers.write(to.addr + offset..to.addr + offset + len, node);
        }
    }
    /// The element of the vector that a masked access reads or writes, from the types of the node's function.
    fn masked_element(&self, at: &At, position: Option<usize>) -> Option<Shape> {
        let module = self.program.module();
        let body = module.body(at.func)?;
        let data = body.inst(at.inst?);
        let ty = position.map_or(data.ty, |i| body.ty(data.operands[i]));
        Some(Shape::of(&module.env, ty).ok()?.element().clone())
    }
    /// Records a masked store, lane by lane: each lane gets the address that the whole vector would need to have.
    pub(super) fn masked_store(&mut self, at: &At, which: Intrinsic, operands: &[Operand]) {
        let Some(elem) = self.masked_element(at, Some(0)) else { return };
        let bytes = elem.store_bytes();
        let places = lane_addresses(which, &values(operands), 1, bytes);
        let value = operands[0].clone();
        for (lane, place) in places.into_iter().enumerate() {
            let Some(ptr) = place else { continue };
            let bad = value.value.members().get(lane).is_some_and(Val::has_undef_or_poison);
            let addr = ptr.addr.wrapping_sub(lane as u64 * bytes);
            let node = if bad {
                self.made(at, &value.value, std::slice::from_ref(&value), Role::Stored { addr }).node
            } else {
                None
            };
            self.writers.write(ptr.addr..ptr.addr.saturating_add(bytes), node);
        }
    }
    /// Records a masked load, lane by lane.
    pub(super) fn masked_load(&self, done: &Done<'_>, which: Intrinsic, operands: &[Operand]) -> Role {
        let at = self.at(done.depth, Some(done.inst));
        let bad = done.value.is_some_and(Val::has_undef_or_poison);
        let Some(elem) = self.masked_element(&at, None).filter(|_| bad) else { return Role::Result };
        let bytes = elem.store_bytes();
        let places = lane_addresses(which, &values(operands), 0, bytes);
        let lane = |ptr: Pointer| (ptr.addr, self.pieces(done.memory, ptr, ptr.addr, bytes));
        let lanes = places.into_iter().map(|place| place.map(lane)).collect();
        Role::Masked { lanes, rest: operands.len() - 1 }
    }
}

fn values(operands: &[Operand]) -> Vec<Val> {
    operands.iter().map(|operand| operand.value.clone()).collect()
}

/// The address of each lane of a masked access; `None` for disabled lanes. The mask is the last operand, or precedes
/// the passthru value; a number between pointer and mask is an alignment.
pub(crate) fn lane_addresses(
    which: Intrinsic,
    operands: &[Val],
    pointer: usize,
    bytes: u64,
) -> Vec<Option<Pointer>> {
    let old = operands.len() == 4;
    let Some(mask) = operands.get(pointer + 1 + usize::from(old)) else { return Vec::new() };
    let compressed = matches!(which, Intrinsic::MaskedExpandLoad | Intrinsic::MaskedCompressStore);
    let mut taken = 0;
    let lanes = mask.members().iter().enumerate().map(|(lane, bit)| {
        if *bit != Val::Bits(1) {
            return None;
        }
        let index = if compressed { taken } else { lane as u64 };
        taken += 1;
        match &operands[pointer] {
            Val::Ptr(base) => Some(Pointer { addr: base.addr.wrapping_add(index * bytes), ..*base }),
            Val::Agg(pointers) => match pointers.get(lane) {
                Some(Val::Ptr(ptr)) => Some(*ptr),
                _ => None,
            },
            Val::Poison | Val::Bits(_) | Val::Wide(_) => None,
        }
    });
    lanes.collect()
}

/// Whether some bits of a byte are undefined, and whether some are poison.
fn planes(alloc: &Allocation, at: u64) -> (bool, bool) {
    let set =
        |plane: &[u8]| usize::try_from(at).ok().and_then(|at| plane.get(at)).is_some_and(|bits| *bits != 0);
    (set(&alloc.contents.undef), set(&alloc.contents.poison))
}

/// The bytes that a store of that shape writes, as offsets and lengths; excludes the padding of structs.
fn spans(shape: &Shape) -> Vec<(u64, u64)> {
    match shape {
        Shape::Struct { fields, .. } => fields
            .iter()
            .flat_map(|(offset, field)| spans(field).into_iter().map(move |(at, len)| (offset + at, len)))
            .collect(),
        Shape::Array { len, stride, elem }
            if matches!(**elem, Shape::Struct { .. } | Shape::Array { .. }) =>
        {
            let inner = spans(elem);
            (0..*len).flat_map(|i| inner.iter().map(move |(at, n)| (i * stride + at, *n))).collect()
        }
        Shape::Int(_) | Shape::Float(_) | Shape::Ptr(_) | Shape::Vector { .. } | Shape::Array { .. } => {
            vec![(0, shape.store_bytes())]
        }
    }
}
