//! The memory that a step accesses, and the metadata that applies to the access: its own, and that of the calls around
//! it.

use super::checker::Checker;
use super::conflict::Level;
use super::said;
use super::tbaa::Tag;
use crate::layout::Shape;
use crate::trace::{Done, lane_addresses};
use crate::value::{Pointer, Val};
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, MdId};
use backedge_ir::inst::InstKind;
use backedge_ir::intrinsic::Intrinsic;

/// An accessed range: `len` bytes from the pointer on.
pub(super) struct Range {
    pub(super) ptr: Pointer,
    pub(super) len: u64,
    pub(super) write: bool,
    /// The tag of the whole access, or of a part of a copy.
    pub(super) tag: Option<Tag>,
}

impl Checker<'_> {
    /// The ranges that a step accessed.
    pub(super) fn ranges(&self, done: &Done<'_>) -> Vec<Range> {
        let Some(frame) = self.frames.get(done.depth) else { return Vec::new() };
        let (body, env) = (frame.known.body, &self.program.module().env);
        let data = body.inst(done.inst);
        let tag = self.said(done.depth, done.inst).and_then(|said| said.tag);
        let pointer = |i: usize| match self.value(done.depth, *data.operands.get(i)?)? {
            Val::Ptr(ptr) => Some(ptr),
            Val::Poison | Val::Bits(_) | Val::Wide(_) | Val::Agg(_) => None,
        };
        let bytes = |ty| Shape::of(env, ty).map_or(0, |shape| shape.store_bytes());
        let range = |i: usize, len: u64, write: bool| pointer(i).map(|ptr| Range { ptr, len, write, tag });
        let operand = |i: usize| data.operands.get(i).map_or(0, |v| bytes(body.ty(*v)));
        let found = if matches!(data.kind, InstKind::Load(_)) {
            [range(0, bytes(data.ty), false), None]
        } else if matches!(data.kind, InstKind::Store(_)) {
            [range(1, operand(0), true), None]
        } else if matches!(data.kind, InstKind::AtomicRmw(..) | InstKind::CmpXchg(_)) {
            [range(0, operand(1), false), range(0, operand(1), true)]
        } else if data.call().is_some() {
            return self.of_intrinsic(done, body, tag);
        } else {
            [None, None]
        };
        found.into_iter().flatten().collect()
    }
    fn of_intrinsic(&self, done: &Done<'_>, body: &Body, tag: Option<Tag>) -> Vec<Range> {
        use Intrinsic as I;
        let env = &self.program.module().env;
        let Some(intrinsic) = said::intrinsic(env, body, done.inst) else { return Vec::new() };
        let data = body.inst(done.inst);
        let count = data.call().map_or(0, |call| call.args().len());
        let args: Vec<Val> =
            data.operands[..count].iter().filter_map(|v| self.value(done.depth, *v)).collect();
        let length = || args.get(2).and_then(Val::cube).map_or(0, |c| c.bits as u64);
        let pointer = |i: usize| match args.get(i) {
            Some(Val::Ptr(ptr)) => Some(*ptr),
            _ => None,
        };
        let masked = |at: usize, ty, write: bool| -> Vec<Range> {
            let Ok(shape) = Shape::of(env, ty) else { return Vec::new() };
            let len = shape.element().store_bytes();
            let lanes = lane_addresses(intrinsic, &args, at, len).into_iter().flatten();
            lanes.map(|ptr| Range { ptr, len, write, tag }).collect()
        };
        if matches!(intrinsic, I::Memset | I::MemsetInline | I::MemsetElementAtomic) {
            let write = |ptr| Range { ptr, len: length(), write: true, tag };
            pointer(0).map(write).into_iter().collect()
        } else if matches!(
            intrinsic,
            I::Memcpy | I::MemcpyInline | I::Memmove | I::MemcpyElementAtomic | I::MemmoveElementAtomic
        ) {
            let parts = self.said(done.depth, done.inst).map_or(&[][..], |said| &said.parts);
            let sides = [(pointer(1), false), (pointer(0), true)];
            let whole = |ptr, write| vec![Range { ptr, len: length(), write, tag }];
            let part = |ptr: Pointer, write| {
                let at = move |(at, len, tag): &(u64, u64, Tag)| Range {
                    ptr: ptr.advanced(*at),
                    len: *len,
                    write,
                    tag: Some(*tag),
                };
                parts.iter().map(at).collect()
            };
            let ranges = |(ptr, write)| {
                if tag.is_some() || parts.is_empty() { whole(ptr, write) } else { part(ptr, write) }
            };
            sides.into_iter().filter_map(|(ptr, write)| Some((ptr?, write))).flat_map(ranges).collect()
        } else if matches!(intrinsic, I::MaskedStore | I::MaskedScatter | I::MaskedCompressStore) {
            masked(1, body.ty(data.operands[0]), true)
        } else if matches!(intrinsic, I::MaskedLoad | I::MaskedGather | I::MaskedExpandLoad) {
            masked(0, data.ty, false)
        } else {
            Vec::new()
        }
    }

    /// Metadata of the step and of the calls around it.
    pub(super) fn levels(&self, done: &Done<'_>) -> Vec<Level> {
        let mut levels = Vec::new();
        for (depth, frame) in self.frames.iter().enumerate().take(done.depth + 1) {
            let inst = if depth == done.depth {
                done.inst
            } else {
                let Some(call) = self.frames.get(depth + 1).and_then(|inner| inner.call) else { continue };
                call
            };
            let Some(said) = frame.known.said.get(&inst) else { continue };
            let which = |scope: &MdId| frame.declared.get(scope).copied().unwrap_or(0);
            let parallel = |(header, count): (Block, u64)| {
                let listed = |(of, groups): &(Block, Vec<MdId>)| {
                    *of == header && groups.iter().any(|g| said.groups.contains(g))
                };
                let entry = frame.entries.get(&header).copied().unwrap_or(0);
                frame.known.parallel.iter().any(listed).then_some((header, entry, count))
            };
            levels.push(Level {
                frame: frame.number,
                scopes: said.scopes.iter().map(|(s, d)| (*s, *d, which(s))).collect(),
                noalias: said.noalias.iter().map(|s| (*s, which(s))).collect(),
                loops: frame.counters.snapshot(&frame.known.loops).filter_map(parallel).collect(),
            });
        }
        levels
    }
    /// Type tags of the calls around a step.
    pub(super) fn outer_tags(&self, done: &Done<'_>) -> Vec<Tag> {
        let calls = self.frames.iter().zip(self.frames.iter().skip(1)).take(done.depth);
        calls.filter_map(|(outer, inner)| outer.known.said.get(&inner.call?)?.tag).collect()
    }
}
