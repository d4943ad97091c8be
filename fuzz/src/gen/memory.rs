//! Memory objects, addresses, loads and stores.

use super::frame::OBJECT_BYTES;
use super::knobs::Knob;
use super::writer::Writer;
use backedge_ir::inst::{
    AllocaInfo, BinaryFlags, BinaryOp, CastOp, GepFlags, InstData, InstKind, IntPredicate, Value,
};
use backedge_ir::types::Type;

/// A base pointer for memory accesses.
#[derive(Copy, Clone, Debug)]
pub(super) struct Base {
    pub(super) pointer: Value,
    /// Number of accessible bytes from the pointer on.
    pub(super) bytes: u64,
    /// Whether the pointer is a recurrence, so that its alignment is unknown.
    pub(super) moves: bool,
}

impl Writer<'_, '_> {
    /// An alloca, partly initialized.
    pub(super) fn local_object(&mut self) {
        let ty = self.env.types.array(OBJECT_BYTES, Type::I8);
        let info = AllocaInfo { ty, align: Some(16), inalloca: false, swifterror: false };
        let pointer = self.insert(InstData::new(InstKind::Alloca(Box::new(info)), Type::PTR, [], [])).into();
        let value = self.constant(Type::I64);
        self.at().store(value, pointer, None);
        self.bases.push(Base { pointer, bytes: OBJECT_BYTES, moves: false });
    }
    /// A type of whole bytes for loads and stores.
    pub(super) fn memory_type(&mut self) -> Type {
        let width = self.width();
        if self.wants(Knob::Casts, 30) || self.wants(Knob::Overlaps, 40) {
            return Type::int(self.draw.pick(&[16, 8, 32]));
        }
        Type::int(if matches!(width, 8 | 16 | 32 | 64) { width } else { 8 })
    }
    pub(super) fn base(&mut self) -> Base {
        let back = self.draw.below(self.bases.len()).min(self.draw.below(self.bases.len()));
        self.bases[self.bases.len() - 1 - back]
    }
    /// The address of element `index` of type `ty`, relative to `base`.
    pub(super) fn element(&mut self, ty: Type, base: Value, index: Value) -> Value {
        let inbounds = self.wants(Knob::Flags, 50);
        let flags = GepFlags { inbounds, nusw: inbounds, nuw: inbounds && self.draw.bool() };
        self.at().gep(ty, base, &[index], flags, "")
    }
    /// An address of an element of type `ty` and its alignment, usually in bounds.
    fn address(&mut self, ty: Type) -> (Value, Option<u64>) {
        let size = u64::from(ty.int_bits().unwrap_or(8)) / 8;
        let mut base = self.base();
        if base.bytes > 16 && !base.moves && self.wants(Knob::Overlaps, 40) {
            let by = self.draw.between(1, 8);
            let distance = self.int(64, by as i128);
            base.pointer = self.element(Type::I8, base.pointer, distance);
            base.bytes -= by as u64;
        }
        // Elements with byte offsets may overlap partially.
        let bytewise = size > 1 && self.wants(Knob::Overlaps, 40);
        let unit = if bytewise { Type::I8 } else { ty };
        let odd = bytewise || !base.bytes.is_multiple_of(8);
        let align = (base.moves || odd || self.draw.chance(20)).then_some(1);
        let count = if bytewise { base.bytes.saturating_sub(size - 1) } else { base.bytes / size }.max(1);
        if self.wants(Knob::FixedAddresses, 60) {
            // Mostly one of few addresses, so that accesses overlap.
            let few = if self.draw.chance(70) { 2 } else { count };
            let at = self.draw.below(few.min(count) as usize) as i128;
            let index = self.int(64, at);
            return (self.element(unit, base.pointer, index), align);
        }
        if base.moves {
            return (base.pointer, align);
        }
        if self.draw.chance(60)
            && let Some(index) = self.counter_below(count)
        {
            let up = self.draw.pick(&[CastOp::ZExt, CastOp::ZExt, CastOp::SExt]);
            let index = if self.draw.chance(80) { self.resized(index, Type::I64, up) } else { index };
            return (self.element(unit, base.pointer, index), align);
        }
        let wanted = self.int_type();
        let index = self.operand(wanted);
        let width = wanted.int_bits().unwrap_or(8);
        let near = if self.wants(Knob::Overlaps, 60) { self.draw.pick(&[4, 2, 8]) } else { count };
        let most = 1 << near.min(count).ilog2();
        let mask = i128::from(most.min(1 << (width - 1).min(6))) - 1;
        let mask = self.int(width, mask);
        let index = self.at().binary(BinaryOp::And, index, mask, BinaryFlags::default(), "");
        let index = self.resized(index, Type::I64, CastOp::ZExt);
        (self.element(unit, base.pointer, index), align)
    }
    /// The counter of the innermost loop if it stays below `count`; sometimes also if it does not.
    fn counter_below(&mut self, count: u64) -> Option<Value> {
        let careless = self.draw.chance(8);
        let innermost = self.loops.last()?;
        let counter = innermost.counter.as_ref()?;
        let phi = innermost.phis.first()?.phi;
        let narrow = counter.ty.int_bits().is_some_and(|w| w < 8 && 1 << w <= count);
        (careless || narrow || counter.top.is_some_and(|top| top < count)).then(|| phi.into())
    }
    /// Adds a pointer to `bytes` accessible bytes to the scope.
    pub(super) fn note_object(&mut self, pointer: Value, bytes: u64) {
        self.bases.push(Base { pointer, bytes, moves: false });
    }
    /// Emits a load or store.
    pub(super) fn memory_access(&mut self) {
        if self.bases.is_empty() {
            return;
        }
        let ty = self.memory_type();
        let (pointer, align) = self.address(ty);
        if self.wants(Knob::Overlaps, 30) {
            return self.overlapping(pointer);
        }
        let volatile = self.wants(Knob::Volatile, 15);
        let access = self.access(align, volatile);
        if self.draw.bool() {
            let value = self.operand(ty);
            self.insert(InstData::new(InstKind::Store(access), Type::VOID, [value, pointer], []));
            return;
        }
        let value = self.loaded(access, ty, pointer);
        self.push(value);
    }
    /// Emits a load that executes only if its index is in bounds.
    pub(super) fn load_in_bounds(&mut self) {
        let (base, ty, wanted) = (self.base(), self.memory_type(), self.int_type());
        let index = if self.draw.chance(60) { self.invariant(wanted) } else { self.operand(wanted) };
        let index = if self.draw.chance(40) { self.at().freeze(index, "") } else { index };
        let index = self.resized(index, Type::I64, CastOp::ZExt);
        let count = base.bytes / (u64::from(ty.int_bits().unwrap_or(8)) / 8);
        let (count, otherwise) = (self.int(64, count.into()), self.constant(ty));
        let pointer = if self.draw.bool() { Some(self.element(ty, base.pointer, index)) } else { None };
        let is_inside = self.icmp(IntPredicate::Ult, index, count);
        let (from, mark) = (self.block, self.mark());
        let (then, join) = (self.new_block("then"), self.new_block("join"));
        self.at().cond_br(is_inside, then, join);
        self.block = then;
        let pointer = pointer.unwrap_or_else(|| self.element(ty, base.pointer, index));
        let value = self.load(ty, pointer, Some(1));
        self.at().br(join);
        self.cut(mark);
        self.join(join, &[ty], &[(from, vec![otherwise]), (then, vec![value])]);
    }
    /// Updates an element at a loop-invariant address.
    pub(super) fn accumulate(&mut self) {
        let ty = self.memory_type();
        let base = self.base();
        let size = u64::from(ty.int_bits().unwrap_or(8)) / 8;
        let at = self.draw.below(2.min(base.bytes / size).max(1) as usize) as i128;
        let index = self.int(64, at);
        let pointer = self.element(ty, base.pointer, index);
        let align = base.moves.then_some(1);
        let before = self.load(ty, pointer, align);
        self.push(before);
        let by = self.operand(ty);
        let op = self.draw.pick(&[BinaryOp::Add, BinaryOp::Xor, BinaryOp::Sub]);
        let value = self.binary(op, before, by, BinaryFlags::default());
        self.at().store(value, pointer, align);
    }
    /// Emits two loads of one address with a store between them that lies within the loaded bytes, contains them, or
    /// just misses them. One or two bits of the distance are unknown.
    fn overlapping(&mut self, pointer: Value) {
        let (wide, narrow) = (self.draw.pick(&[32, 64, 32]), self.draw.pick(&[8, 16, 8]));
        let (loaded, stored, from) = if self.draw.chance(70) {
            (wide, narrow, self.draw.pick(&[1, 2, 4]))
        } else {
            (narrow, wide, -self.draw.pick(&[2, 3, 5]))
        };
        let (loaded, stored) = (Type::int(loaded), Type::int(stored));
        let first = self.load(loaded, pointer, Some(1));
        self.push(first);
        let some = self.int_type();
        let value = self.operand(some);
        let most = self.draw.pick(&[1, 1, 3]);
        let (most, from) = (self.int(some.int_bits().unwrap_or(1), most), self.int(64, from));
        let some = self.at().binary(BinaryOp::And, value, most, BinaryFlags::default(), "");
        let some = self.resized(some, Type::I64, CastOp::ZExt);
        let distance = self.at().binary(BinaryOp::Add, some, from, BinaryFlags::default(), "");
        let (place, value) = (self.element(Type::I8, pointer, distance), self.operand(stored));
        self.at().store(value, place, Some(1));
        let second = self.load(loaded, pointer, Some(1));
        self.push(second);
    }
    /// Fills or copies one element per iteration, at `index`.
    pub(super) fn bulk(&mut self, index: Value) {
        if self.bases.len() < 2 {
            return;
        }
        let ty = self.memory_type();
        let to = self.base().pointer;
        let value = if self.wants(Knob::Copies, 60) {
            let from = self.base().pointer;
            let from = self.element(ty, from, index);
            self.load(ty, from, None)
        } else if self.wants(Knob::Fills, 80) {
            let width = ty.int_bits().unwrap_or(8);
            let byte = self.draw.pick(&[0, -1, 0x0101_0101_0101_0101]);
            self.int(width, byte)
        } else {
            return;
        };
        let to = self.element(ty, to, index);
        self.at().store(value, to, None);
    }
}
