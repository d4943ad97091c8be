//! The encoding of memory: one array for memory visible to the caller or to external calls, one array for non-escaping
//! allocas, both indexed by block number and offset; liveness of allocas; and the conditions that make an access UB.

use crate::encode::byte::{Byte, block_of, not_local, offset_of};
use crate::encode::function::{Encoded, Encoder, Halt, Unsupported, Write};
use crate::encode::value::{Scalar, Sym};
use crate::encode::world::{BLOCK_BITS, LOCAL_BLOCK, OFFSET_BITS, POINTER_BITS, Side, Uninit};
use crate::term::{Bits, Op, Term, Terms};
use backedge_ir::types::{Compound, Type, TypeKind};
use std::collections::BTreeMap;

/// Maximum nesting of selects between pointers that is searched for loaded pointers: the number of pointers doubles at
/// each level.
const MANY_SELECTED: usize = 4;
/// The origin of a loaded pointer.
#[derive(Clone, Debug)]
pub(crate) struct LoadedPointer {
    /// Condition under which bytes are poison or undef; the pointer's bits are then unrelated to the bytes.
    open: Term,
    /// A path on which `open` was excluded as UB.
    settled_on: Option<Term>,
    /// The bytes, in memory order.
    bytes: Vec<Term>,
}

/// Approximation recorded when an integer becomes a pointer.
pub(crate) const POINTER_OF_INTEGER: &str = "an integer is made into a pointer";

/// The state that changes along a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Memory {
    /// Memory visible to the caller and to external calls.
    pub(crate) shared: Term,
    /// Contents of non-escaping allocas.
    pub(crate) local: Term,
    /// The values in allocas that are only accessed as whole values at fixed offsets, by block number and offset.
    pub(crate) slots: BTreeMap<(u32, u64), Sym>,
    /// Whether each alloca in the side's list is alive.
    pub(crate) alive: Vec<Term>,
    /// The trace of calls so far.
    pub(crate) trace: Term,
    /// The trace up to the last call that might not have returned.
    pub(crate) firm: Term,
    /// The trace up to the last call that might have freed memory.
    pub(crate) frees: Term,
}

/// An alloca executed in one copy of its block.
#[derive(Clone, Debug)]
pub(crate) struct Alloca {
    /// Block number.
    pub(crate) number: u32,
    /// Size in bytes.
    pub(crate) size: Term,
    /// Alignment in bytes.
    pub(crate) align: u64,
    /// Whether its contents are in [`Memory::slots`].
    pub(crate) slotted: bool,
}

/// Maximum number of bytes that are copied or filled one by one: each is a store. Longer copies and fills are not
/// modelled.
pub(crate) const MANY_BYTES: u64 = 256;

/// Whether the block is the own block of a parameter or null.
fn is_own_or_null(terms: &Terms, block: Term) -> bool {
    terms.op(block) == Op::Ite && terms.args(block)[1..].iter().all(|arm| terms.as_bits(*arm).is_some())
}

/// Whether a size is known to be less than half of the address space: by its value, or because all sizes of memory
/// outside the function are.
fn is_small(terms: &Terms, size: Term) -> bool {
    match terms.as_bits(size).map(Bits::to_u128) {
        Some(number) => number.is_some_and(|n| n < 1 << (OFFSET_BITS - 1)),
        None => terms.op(size) == Op::Select,
    }
}

impl Encoder<'_, '_> {
    fn alloca_numbered(&self, number: u32) -> Option<usize> {
        self.allocas.iter().position(|a| a.number == number)
    }
    /// The size of a block in bytes.
    pub(crate) fn block_size(&mut self, block: Term) -> Term {
        if let Some(number) = self.w.block_number(block) {
            return match self.alloca_numbered(number) {
                Some(i) => self.allocas[i].size,
                None => self.w.size_of(block),
            };
        }
        let mut size = self.w.size_of(block);
        for alloca in self.allocas.clone() {
            if alloca.number & LOCAL_BLOCK == 0 || alloca.slotted {
                continue;
            }
            let number = self.w.terms.number(BLOCK_BITS, alloca.number.into());
            let is = self.w.terms.eq(block, number);
            size = self.w.terms.ite(is, alloca.size, size);
        }
        size
    }
    /// Whether the block is alive.
    fn block_alive(&mut self, block: Term) -> Term {
        if let Some(number) = self.w.block_number(block) {
            return match self.alloca_numbered(number) {
                Some(i) => self.alive(i),
                None => self.w.terms.bool(true),
            };
        }
        let mut alive = self.w.terms.bool(true);
        for i in 0..self.allocas.len() {
            // A pointer that is not constant never points into a slotted alloca.
            if self.allocas[i].slotted {
                continue;
            }
            let number = self.w.terms.number(BLOCK_BITS, self.allocas[i].number.into());
            let is = self.w.terms.eq(block, number);
            let live = self.alive(i);
            let fine = self.w.terms.implies(is, live);
            alive = self.w.terms.and(alive, fine);
        }
        alive
    }
    fn alive(&mut self, alloca: usize) -> Term {
        match self.memory.alive.get(alloca) {
            Some(&alive) => alive,
            None => self.w.terms.bool(false),
        }
    }
    /// Sets whether alloca `index` is alive from here on.
    pub(crate) fn set_alive(&mut self, index: usize, alive: bool) {
        let no = self.w.terms.bool(false);
        if self.memory.alive.len() <= index {
            self.memory.alive.resize(index + 1, no);
        }
        self.memory.alive[index] = self.w.terms.bool(alive);
    }
    /// The allocas whose address may escape, by block number, with whether each is alive.
    pub(crate) fn escaped_allocas(&mut self) -> Vec<(u32, Term)> {
        let escaped = (0..self.allocas.len()).filter(|i| self.allocas[*i].number & LOCAL_BLOCK == 0);
        escaped.collect::<Vec<_>>().into_iter().map(|i| (self.allocas[i].number, self.alive(i))).collect()
    }
    /// Sets every byte of a block to `byte`.
    pub(crate) fn clear_block(&mut self, block: Term, byte: Term) {
        match self.array_for(block) {
            (None, true) => self.memory.local = self.w.clear_block(self.memory.local, block, byte),
            (None, false) => self.memory.shared = self.w.clear_block(self.memory.shared, block, byte),
            (Some(_), _) => {
                self.memory.local = self.w.clear_block(self.memory.local, block, byte);
                self.memory.shared = self.w.clear_block(self.memory.shared, block, byte);
            }
        }
    }
    /// The alloca with block number `block`, if the number is constant.
    pub(crate) fn alloca_of(&self, block: Term) -> Option<usize> {
        self.alloca_numbered(self.w.block_number(block)?)
    }

    /// Makes an access of `bytes` bytes through `pointer` UB where LangRef says so. Returns whether the block is alive:
    /// a load from a dead block yields poison.
    pub(crate) fn check_access(&mut self, pointer: Scalar, bytes: Term, align: u64, write: bool) -> Term {
        self.check_access_of(pointer, (bytes, bytes), align, write)
    }
    /// Like [`Self::check_access`], for an access to several parts of `part` bytes each.
    pub(crate) fn check_access_of(
        &mut self,
        pointer: Scalar,
        (bytes, part): (Term, Term),
        align: u64,
        write: bool,
    ) -> Term {
        let block = block_of(&mut self.w.terms, pointer.bits);
        let offset = offset_of(&mut self.w.terms, pointer.bits);
        let undef = pointer.has_undef(&mut self.w.terms);
        let bad = self.w.terms.or(pointer.poison, undef);
        self.ub(bad);
        if is_own_or_null(&self.w.terms, block) {
            // Null has no bytes. This check is separate because it determines the block of such a parameter.
            let null = self.w.terms.number(BLOCK_BITS, 0);
            let is_null = self.w.terms.eq(block, null);
            let accessed = self.w.terms.is_nonzero(bytes);
            let bad = self.w.terms.and(is_null, accessed);
            self.ub(bad);
        }
        let in_bounds = self.is_in_bounds(block, offset, (bytes, part));
        let outside = self.w.terms.not(in_bounds);
        self.ub(outside);
        self.check_alignment(block, offset, align);
        self.check_not_freed(block);
        let alive = self.block_alive(block);
        if write {
            let read_only = self.w.is_read_only(block);
            self.ub(read_only);
            let dead = self.w.terms.not(alive);
            self.ub(dead);
            self.note_write(pointer.bits, block, bytes);
        }
        alive
    }
    fn note_write(&mut self, pointer: Term, block: Term, bytes: Term) {
        let Some(inst) = self.inst.filter(|_| self.alloca_of(block).is_none()) else { return };
        self.ends.writes.push(Write { inst, path: self.path, pointer, bytes });
    }
    /// Whether `bytes` bytes starting at `offset` lie in `block`. Checks only the first and the last of several parts:
    /// no block is larger than half of the address space ([`World::constrain_block`]), so the parts between them are in
    /// bounds too. An access to the parts one by one yields the same condition.
    pub(super) fn is_in_bounds(&mut self, block: Term, offset: Term, (bytes, part): (Term, Term)) -> Term {
        let size = self.block_size(block);
        let terms = &mut self.w.terms;
        let part = if is_small(terms, size) { part } else { bytes };
        let fits = terms.ule(part, size);
        let end = terms.sub(size, part);
        let first = terms.ule(offset, end);
        let inside = terms.and(fits, first);
        if part == bytes {
            return inside;
        }
        let by = terms.sub(bytes, part);
        let last = terms.add(offset, by);
        let last = terms.ule(last, end);
        terms.and(inside, last)
    }
    /// Whether the object is in its lifetime and not freed.
    pub(super) fn is_live(&mut self, block: Term) -> Term {
        let alive = self.block_alive(block);
        let frees = self.memory.frees;
        if frees == self.w.start || self.is_never_freed(block) {
            return alive;
        }
        self.w.approximate("a call may free the memory that it can reach");
        let is_free = self.w.is_free(frees, block);
        let kept = self.w.terms.not(is_free);
        self.w.terms.and(alive, kept)
    }
    /// UB if a call has freed the accessed memory. The set of freed blocks is a function of the calls so far; before
    /// the first call it is empty. Globals, allocas, and memory that the source promises to be dereferenceable during
    /// its whole run are never freed.
    fn check_not_freed(&mut self, block: Term) {
        let frees = self.memory.frees;
        if frees == self.w.start || self.is_never_freed(block) {
            return;
        }
        self.w.approximate("a call may free the memory that it can reach");
        let is_free = self.w.is_free(frees, block);
        self.ub(is_free);
    }
    fn is_never_freed(&self, block: Term) -> bool {
        let number = self.w.block_number(block);
        number.is_some_and(|n| n <= self.w.global_count || self.alloca_numbered(n).is_some())
    }
    pub(super) fn check_alignment(&mut self, block: Term, offset: Term, align: u64) {
        let aligned = self.is_aligned(block, offset, align);
        let misaligned = self.w.terms.not(aligned);
        self.ub(misaligned);
    }
    /// Whether the address of `offset` in `block` is a multiple of `align` bytes.
    pub(crate) fn is_aligned(&mut self, block: Term, offset: Term, align: u64) -> Term {
        if align <= 1 {
            return self.w.terms.bool(true);
        }
        let number = self.w.block_number(block);
        let of_alloca = number.and_then(|n| self.alloca_numbered(n)).map(|i| self.allocas[i].align);
        let known = of_alloca.or_else(|| number.and_then(|n| self.w.known(n)).map(|k| k.align));
        let address = match known {
            Some(known) if known >= align => offset,
            _ => {
                let base = self.base_for(block, align);
                self.w.terms.add(base, offset)
            }
        };
        let bits = align.trailing_zeros();
        let low = self.w.terms.extract(address, bits - 1, 0);
        let any = self.w.terms.is_nonzero(low);
        self.w.terms.not(any)
    }

    /// An address that replaces the base of `block` in checks for alignment to `align` bytes. Both functions number
    /// their own allocas alike, so only this function knows the alignment of its allocas.
    fn base_for(&mut self, block: Term, align: u64) -> Term {
        let base = self.w.base_of(block);
        if self.w.block_number(block).is_some() {
            return base;
        }
        let is_aligned = |a: &&Alloca| a.number & LOCAL_BLOCK != 0 && a.align >= align;
        let numbers: Vec<u32> = self.allocas.iter().filter(is_aligned).map(|a| a.number).collect();
        let zero = self.w.terms.number(OFFSET_BITS, 0);
        numbers.into_iter().fold(base, |base, number| {
            let number = self.w.terms.number(BLOCK_BITS, number.into());
            let is_it = self.w.terms.eq(block, number);
            self.w.terms.ite(is_it, zero, base)
        })
    }

    /// Whether the block is local to the function, as a condition; `None` with a constant answer if the block number
    /// decides it.
    fn array_for(&mut self, block: Term) -> (Option<Term>, bool) {
        if let Some(number) = self.w.block_number(block) {
            return (None, number & LOCAL_BLOCK != 0);
        }
        if self.allocas.iter().all(|a| a.number & LOCAL_BLOCK == 0 || a.slotted) {
            return (None, false);
        }
        let is_local = self.w.terms.bit(block, BLOCK_BITS - 1);
        match self.w.terms.as_bool(is_local) {
            Some(local) => (None, local),
            None => (Some(is_local), false),
        }
    }
    fn place(&mut self, block: Term, offset: Term, at: u64) -> Term {
        let at = self.w.terms.number(OFFSET_BITS, at.into());
        let offset = self.w.terms.add(offset, at);
        self.w.terms.concat(block, offset)
    }
    /// The byte at offset `at` from `pointer`.
    pub(crate) fn read_byte(&mut self, pointer: Term, at: u64) -> Term {
        let (block, offset) = (block_of(&mut self.w.terms, pointer), offset_of(&mut self.w.terms, pointer));
        let place = self.place(block, offset, at);
        let shared = |e: &mut Self| {
            let byte = e.w.read(e.memory.shared, place);
            e.settle_shared_byte(byte)
        };
        match self.array_for(block) {
            (None, true) => self.w.read(self.memory.local, place),
            (None, false) => shared(self),
            (Some(is_local), _) => {
                let local = self.w.read(self.memory.local, place);
                let shared = shared(self);
                self.w.terms.ite(is_local, local, shared)
            }
        }
    }
    /// The byte at offset `at` from `pointer` in `memory`, which the environment produced.
    pub(super) fn byte_from_outside(&mut self, memory: Term, pointer: Term, at: u64) -> Term {
        let (block, offset) = (block_of(&mut self.w.terms, pointer), offset_of(&mut self.w.terms, pointer));
        let place = self.place(block, offset, at);
        let byte = self.w.terms.select(memory, place);
        self.settle_shared_byte(byte)
    }
    /// States that a byte of shared memory contains no pointer to a block that only the function can reach. A pointer
    /// in initial memory leads to a global or to a block of the caller. A pointer left by a call may also lead to
    /// blocks that the call could reach: an escaped alloca, or the own block of an argument.
    fn settle_shared_byte(&mut self, byte: Term) -> Term {
        if !self.w.layout.pointers {
            return byte;
        }
        let fields = Byte::of(&mut self.w.terms, self.w.layout, byte);
        let Some((is_pointer, _, pointer)) = fields.pointer else { return byte };
        let memory = (self.w.terms.op(byte) == Op::Select).then(|| self.w.terms.args(byte)[0]);
        if let Some(memory) = memory.filter(|m| matches!(self.w.terms.op(*m), Op::Var(_))) {
            let is_initial = memory == self.w.memory;
            let known =
                if is_initial { self.w.points_outside(pointer) } else { self.w.points_to_known(pointer) };
            let fact = self.w.terms.implies(is_pointer, known);
            self.w.axioms.push(fact);
            return byte;
        }
        if self.w.terms.as_bool(is_pointer) == Some(false) {
            return byte;
        }
        let pointer = not_local(&mut self.w.terms, pointer);
        let plain = self.w.layout.plain_bits();
        let rest = self.w.terms.extract(byte, plain + 3, 0);
        self.w.terms.concat(pointer, rest)
    }
    /// Writes a byte at offset `at` from `pointer`, if `when` holds.
    pub(crate) fn write_byte(&mut self, pointer: Term, at: u64, byte: Term, when: Option<Term>) {
        let (block, offset) = (block_of(&mut self.w.terms, pointer), offset_of(&mut self.w.terms, pointer));
        let place = self.place(block, offset, at);
        let (is_local, local) = self.array_for(block);
        let mut put = |array: Term, cond: Option<Term>| {
            let mut value = byte;
            if let Some(cond) = cond {
                let old = self.w.present_byte(array, place);
                value = self.w.terms.ite(cond, value, old);
            }
            self.w.terms.store(array, place, value)
        };
        match is_local {
            None if local => self.memory.local = put(self.memory.local, when),
            None => self.memory.shared = put(self.memory.shared, when),
            Some(is_local) => {
                let both = |a: Option<Term>, b: Term, terms: &mut crate::term::Terms| match a {
                    Some(a) => terms.and(a, b),
                    None => b,
                };
                let to_local = both(when, is_local, &mut self.w.terms);
                let shared = self.w.terms.not(is_local);
                let to_shared = both(when, shared, &mut self.w.terms);
                for (local, cond) in [(true, to_local), (false, to_shared)] {
                    let array = if local { self.memory.local } else { self.memory.shared };
                    let old = self.w.present_byte(array, place);
                    let value = self.w.terms.ite(cond, byte, old);
                    let new = self.w.terms.store(array, place, value);
                    if local { self.memory.local = new } else { self.memory.shared = new }
                }
            }
        }
    }

    /// The bytes of `value`, of type `ty`, in memory order.
    pub(crate) fn value_bytes(&mut self, ty: Type, value: &Sym) -> Encoded<Vec<Term>> {
        match value {
            Sym::Scalar(scalar) if ty.is_ptr() => Ok(self.pointer_bytes(*scalar)),
            Sym::Scalar(scalar) => Ok(self.plain_bytes(*scalar)),
            Sym::List(list) => {
                let size = self.store_size(ty)?;
                let padding = self.w.layout.uninit(&mut self.w.terms, self.w.uninit);
                let mut bytes = vec![padding; size as usize];
                let mut filled = 0;
                for (i, element) in list.iter().enumerate() {
                    let (offset, element_ty) = self.element_place(ty, i as u64)?;
                    for (j, byte) in self.value_bytes(element_ty, element)?.into_iter().enumerate() {
                        bytes[offset as usize + j] = byte;
                        filled += 1;
                    }
                }
                let has_padding = filled < size && self.w.uninit == Uninit::Undef;
                self.w.needs_undef_mask |= has_padding && !self.w.layout.undef;
                Ok(bytes)
            }
        }
    }
    /// Records that a value with undef bits is written to memory whose layout drops them.
    fn note_undef(&mut self, value: Scalar) {
        if !self.w.layout.undef && !self.w.terms.as_bits(value.undef).is_some_and(crate::term::Bits::is_zero)
        {
            self.w.needs_undef_mask = true;
        }
    }
    fn plain_bytes(&mut self, value: Scalar) -> Vec<Term> {
        self.note_undef(value);
        let width = self.w.terms.width(value.bits);
        let count = width.div_ceil(8);
        self.w.needs_undef_mask |= !self.w.layout.undef && width < count * 8;
        let terms = &mut self.w.terms;
        let (bits, mut undef) = (terms.zext(value.bits, count * 8), value.undef);
        // LangRef does not specify the bits above the value. Above a poison value they are poison, so that it can be
        // stored back.
        if width < count * 8 {
            let beyond = terms.constant(Bits::ones(count * 8 - width));
            undef = terms.concat(beyond, undef);
        }
        let (all, none) = (terms.constant(Bits::ones(count * 8)), terms.number(count * 8, 0));
        let poison = terms.ite(value.poison, all, none);
        let mut bytes: Vec<Term> = (0..count)
            .map(|i| {
                let value = terms.extract(bits, 8 * i + 7, 8 * i);
                let undef = terms.extract(undef, 8 * i + 7, 8 * i);
                let poison = terms.extract(poison, 8 * i + 7, 8 * i);
                self.w.layout.plain(terms, value, poison, undef)
            })
            .collect();
        if self.w.layout.big_endian {
            bytes.reverse();
        }
        bytes
    }
    /// The bytes that a store of a pointer writes. For a loaded pointer these are the bytes it was loaded from, if they
    /// are defined.
    fn pointer_bytes(&mut self, value: Scalar) -> Vec<Term> {
        self.note_undef(value);
        let terms = &mut self.w.terms;
        let (all, none) = (terms.number(8, 0xff), terms.number(8, 0));
        let poison = terms.ite(value.poison, all, none);
        let has_undef = terms.is_nonzero(value.undef);
        let undef = terms.ite(has_undef, all, none);
        let open = self.is_open(value);
        let bytes = self.parts(value.bits, poison, undef);
        // The loaded value itself is open exactly where the load was.
        let own = self.w.loaded_pointers.get(&value.bits).filter(|loaded| loaded.open == open);
        let own = own.map(|loaded| loaded.bytes.clone());
        match own.or_else(|| self.loaded_from(value.bits, MANY_SELECTED)) {
            Some(loaded) => self.choose(open, bytes, loaded),
            None => bytes,
        }
    }
    /// The bytes of a pointer in memory order, with these poison and undef masks for each byte.
    fn parts(&mut self, pointer: Term, poison: Term, undef: Term) -> Vec<Term> {
        let count = self.w.layout.address_bits.div_ceil(8);
        let mut bytes: Vec<Term> = (0..count)
            .map(|part| self.w.layout.of_pointer(&mut self.w.terms, pointer, part, poison, undef))
            .collect();
        if self.w.layout.big_endian {
            bytes.reverse();
        }
        bytes
    }
    /// The bytes of a defined pointer.
    fn defined_parts(&mut self, pointer: Term) -> Vec<Term> {
        let none = self.w.terms.number(8, 0);
        self.parts(pointer, none, none)
    }
    fn choose(&mut self, condition: Term, then: Vec<Term>, other: Vec<Term>) -> Vec<Term> {
        let pairs = then.into_iter().zip(other);
        pairs.map(|(then, other)| self.w.terms.ite(condition, then, other)).collect()
    }
    /// Bytes that represent a defined pointer: those that the pointer, or one of its alternatives, was loaded from.
    fn loaded_from(&mut self, pointer: Term, most: usize) -> Option<Vec<Term>> {
        if let Some(LoadedPointer { open, settled_on, bytes }) = self.w.loaded_pointers.get(&pointer).cloned()
        {
            if settled_on.is_some_and(|before| self.w.terms.goes_on(self.path, before)) {
                return Some(bytes);
            }
            let parts = self.defined_parts(pointer);
            return Some(self.choose(open, parts, bytes));
        }
        if self.w.terms.op(pointer) != Op::Ite || most == 0 {
            return None;
        }
        let &[condition, then, other] = self.w.terms.args(pointer) else { return None };
        let (of_then, of_other) = (self.loaded_from(then, most - 1), self.loaded_from(other, most - 1));
        if of_then.is_none() && of_other.is_none() {
            return None;
        }
        let of_then = of_then.unwrap_or_else(|| self.defined_parts(then));
        let of_other = of_other.unwrap_or_else(|| self.defined_parts(other));
        Some(self.choose(condition, of_then, of_other))
    }
    /// The value of type `ty` with these bytes.
    pub(crate) fn of_bytes(&mut self, ty: Type, bytes: &[Term]) -> Encoded<Sym> {
        match ty.kind() {
            TypeKind::Int(bits) => Ok(self.plain_of_bytes(bits, bytes).into()),
            TypeKind::Float(kind) => Ok(self.plain_of_bytes(kind.bits(), bytes).into()),
            TypeKind::Ptr(_) => Ok(self.pointer_of_bytes(bytes).into()),
            TypeKind::Compound(_) => {
                let mut list = Vec::new();
                for i in 0..self.element_count(ty)? {
                    let (offset, element_ty) = self.element_place(ty, i)?;
                    let size = self.store_size(element_ty)?;
                    let part = &bytes[offset as usize..(offset + size) as usize];
                    list.push(self.of_bytes(element_ty, part)?);
                }
                Ok(Sym::List(list))
            }
            TypeKind::Void | TypeKind::Label | TypeKind::Metadata | TypeKind::Token => {
                Err(self.unsupported("a value of a type that memory can't hold"))
            }
        }
    }
    fn fields(&mut self, bytes: &[Term]) -> Vec<Byte> {
        let layout = self.w.layout;
        let mut fields: Vec<Byte> = bytes.iter().map(|&b| Byte::of(&mut self.w.terms, layout, b)).collect();
        if layout.big_endian {
            fields.reverse();
        }
        fields
    }
    fn plain_of_bytes(&mut self, width: u32, bytes: &[Term]) -> Scalar {
        let fields = self.fields(bytes);
        let mut parts: Option<(Term, Term, Term)> = None;
        for byte in fields {
            let value = self.w.byte_as_integer(&byte);
            let terms = &mut self.w.terms;
            parts = Some(match parts {
                None => (value, byte.poison, byte.undef),
                Some((v, p, u)) => {
                    (terms.concat(value, v), terms.concat(byte.poison, p), terms.concat(byte.undef, u))
                }
            });
        }
        let (bits, mut poison, undef) = parts.expect("a value has a byte");
        let terms = &mut self.w.terms;
        let whole = terms.width(bits);
        if width < whole {
            // Bytes that were not stored as this type yield poison. Undef bits above the value are accepted, because a
            // store of this type leaves them.
            let above = |terms: &mut Terms, of: Term| terms.extract(of, whole - 1, width);
            let (high, open) = (above(terms, bits), above(terms, undef));
            let (settled, high_poison) = (terms.bv_not(open), above(terms, poison));
            let wrong = terms.bv_and(high, settled);
            let wrong = terms.bv_or(wrong, high_poison);
            let wrong = terms.zext(wrong, whole);
            poison = terms.bv_or(poison, wrong);
        }
        let bits = terms.truncate(bits, width);
        let undef = terms.truncate(undef, width);
        Scalar { bits, poison: terms.is_nonzero(poison), undef }
    }
    /// The pointer whose parts the bytes are, in order; if they are not parts of a pointer, the pointer for their
    /// integer address. Parts of several pointers, or parts mixed with other bytes, yield poison.
    fn pointer_of_bytes(&mut self, bytes: &[Term]) -> Scalar {
        let fields = self.fields(bytes);
        let mut whole = self.w.terms.bool(true);
        let mut some = self.w.terms.bool(false);
        let mut first = None;
        for (i, byte) in fields.iter().enumerate() {
            let Some((is_pointer, part, pointer)) = byte.pointer else { continue };
            let pointer0 = *first.get_or_insert(pointer);
            let terms = &mut self.w.terms;
            let number = terms.number(3, i as u128);
            let in_place = terms.eq(part, number);
            let same = terms.eq(pointer, pointer0);
            whole = terms.and_all([whole, is_pointer, in_place, same]);
            let block = block_of(terms, pointer);
            let leads = terms.is_nonzero(block);
            let leads = terms.and(is_pointer, leads);
            some = terms.or(some, leads);
        }
        let apart = self.w.terms.not(whole);
        let mixed = self.w.terms.and(some, apart);
        let bits = match first {
            Some(pointer) if self.w.terms.as_bool(whole) == Some(true) => pointer,
            first => {
                let integer = self.plain_of_bytes(self.w.layout.address_bits, bytes);
                let from_integer = self.pointer_from_address(integer.bits);
                let spelled = [self.w.terms.not(some), self.w.terms.is_nonzero(integer.bits)];
                let spelled = self.w.terms.and_all(spelled);
                self.w.made_pointers.push(spelled);
                first.map_or(from_integer, |pointer| self.w.terms.ite(whole, pointer, from_integer))
            }
        };
        let terms = &mut self.w.terms;
        let zero = terms.number(8, 0);
        let (poison, undef) =
            fields.iter().fold((zero, zero), |(p, u), f| (terms.bv_or(p, f.poison), terms.bv_or(u, f.undef)));
        let (poison, has_undef) = (terms.is_nonzero(poison), terms.is_nonzero(undef));
        let poison = terms.or(poison, mixed);
        let ones = terms.constant(crate::term::Bits::ones(POINTER_BITS));
        let zero = terms.number(POINTER_BITS, 0);
        if self.side == Side::Source {
            self.note_partially_undef(&fields, poison, has_undef);
        }
        let value = Scalar { bits, poison, undef: self.w.terms.ite(has_undef, ones, zero) };
        if self.w.layout.pointers && self.w.terms.as_bool(whole) != Some(true) {
            let open = self.is_open(value);
            let loaded = LoadedPointer { open, settled_on: None, bytes: bytes.to_vec() };
            self.w.loaded_pointers.insert(bits, loaded);
        }
        value
    }
    /// Records that the path continues only where these values are defined.
    pub(super) fn settle_loaded(&mut self, value: &Sym) {
        for scalar in value.scalars() {
            let open = self.is_open(scalar);
            if let Some(loaded) =
                self.w.loaded_pointers.get_mut(&scalar.bits).filter(|loaded| loaded.open == open)
            {
                loaded.settled_on = Some(self.path);
            }
        }
    }
    /// Whether a value is poison or has undef bits.
    fn is_open(&mut self, value: Scalar) -> Term {
        let has_undef = value.has_undef(&mut self.w.terms);
        self.w.terms.or(value.poison, has_undef)
    }
    /// Records where only some bits of a loaded pointer are undef. The encoding treats all of its bits as undef. For a
    /// target this is an over-approximation of its behavior; for a source it would be unsound.
    fn note_partially_undef(&mut self, fields: &[Byte], poison: Term, has_undef: Term) {
        let terms = &mut self.w.terms;
        let all = terms.constant(crate::term::Bits::ones(8));
        let wholly: Vec<Term> = fields.iter().map(|f| terms.eq(f.undef, all)).collect();
        let wholly = terms.and_all(wholly);
        let (not_wholly, not_poison) = (terms.not(wholly), terms.not(poison));
        let partly = terms.and_all([self.path, has_undef, not_wholly, not_poison]);
        if terms.as_bool(partly) != Some(false) {
            self.w.partially_undef_pointers.push(partly);
        }
    }
    /// The pointer for an integer of address width: null for 0; otherwise a pointer into a block that is a function of
    /// the address, the same on both sides.
    pub(crate) fn pointer_from_address(&mut self, address: Term) -> Term {
        let address = self.w.terms.zext(address, OFFSET_BITS);
        if self.w.terms.as_bits(address).is_some_and(crate::term::Bits::is_zero) {
            return self.w.terms.number(POINTER_BITS, 0);
        }
        let block = self.w.terms.select(self.w.int_to_block, address);
        let zero = self.w.terms.number(OFFSET_BITS, 0);
        let null = self.w.terms.number(BLOCK_BITS, 0);
        let is_zero = self.w.terms.eq(address, zero);
        let block = self.w.terms.ite(is_zero, null, block);
        self.w.approximate(POINTER_OF_INTEGER);
        let base = self.w.base_of(block);
        let offset = self.w.terms.sub(address, base);
        let offset = self.w.wrapped_offset(offset);
        self.w.terms.concat(block, offset)
    }

    /// Number of bytes that a store of `ty` writes.
    pub(crate) fn store_size(&mut self, ty: Type) -> Encoded<u64> {
        let env = &self.module.env;
        let bytes = env.layout.store_bytes(&env.types, ty);
        bytes
            .filter(|b| *b <= 1 << 16)
            .ok_or_else(|| self.unsupported("a value of more than 64 KiB or without a size"))
    }
    /// The size of a type in bytes, and the size of its equal parts: for a vector, its elements.
    pub(crate) fn extent(&mut self, ty: Type) -> Encoded<(Term, Term)> {
        let whole = self.store_size(ty)?;
        let count = match self.module.env.types.compound(ty) {
            Some(Compound::Vector { len, scalable: false, .. }) => *len,
            _ => 1,
        };
        let element = self.module.env.types.scalar(ty);
        let part = if count > 1 { self.store_size(element)? } else { whole };
        // Elements of odd widths are adjacent without padding.
        let part = if part.checked_mul(count) == Some(whole) && part > 0 { part } else { whole };
        let bytes = |terms: &mut Terms, bytes: u64| terms.number(OFFSET_BITS, bytes.into());
        Ok((bytes(&mut self.w.terms, whole), bytes(&mut self.w.terms, part)))
    }
    /// Number of elements of an aggregate or vector.
    pub(crate) fn element_count(&mut self, ty: Type) -> Encoded<u64> {
        let types = &self.module.env.types;
        let count = match types.compound(ty) {
            Some(Compound::Array { len, .. } | Compound::Vector { len, scalable: false, .. }) => Some(*len),
            Some(Compound::Struct { .. } | Compound::Named { .. }) => {
                types.struct_fields(ty).map(|(fields, _)| fields.len() as u64)
            }
            Some(Compound::Vector { .. } | Compound::Function { .. } | Compound::Target { .. }) | None => {
                None
            }
        };
        count
            .filter(|c| *c <= 1 << 12)
            .ok_or_else(|| self.unsupported("an aggregate of more than 4,096 elements"))
    }
    /// Offset in bytes and type of element `index`.
    pub(crate) fn element_place(&mut self, ty: Type, index: u64) -> Encoded<(u64, Type)> {
        let env = &self.module.env;
        let place = match env.types.compound(ty) {
            Some(Compound::Array { elem, .. }) => {
                env.layout.alloc_bytes(&env.types, *elem).map(|s| (s * index, *elem))
            }
            Some(Compound::Vector { elem, scalable: false, .. }) => env
                .layout
                .size_bits(&env.types, *elem)
                .filter(|bits| bits.is_multiple_of(8))
                .map(|bits| (bits / 8 * index, *elem)),
            Some(Compound::Struct { .. } | Compound::Named { .. }) => {
                let elem = env.types.member(ty, index);
                let layout = env.layout.struct_layout(&env.types, ty);
                layout.and_then(|l| Some((*l.offsets.get(index as usize)?, elem?)))
            }
            Some(Compound::Vector { .. } | Compound::Function { .. } | Compound::Target { .. }) | None => {
                None
            }
        };
        place.ok_or_else(|| self.unsupported("a vector in memory whose elements are not whole bytes"))
    }
    /// The slot that `pointer` points to, if its alloca keeps its contents in slots.
    fn slot(&self, pointer: Term) -> Option<(u32, u64)> {
        let bits = self.w.terms.as_bits(pointer)?;
        let offset = u64::try_from(bits.extract(OFFSET_BITS - 1, 0).to_u128()?).ok()?;
        let number = bits.extract(POINTER_BITS - 1, OFFSET_BITS).to_u128()? as u32;
        self.allocas[self.alloca_numbered(number)?].slotted.then_some((number, offset))
    }
    /// Loads a value of type `ty`. The access has been checked.
    pub(crate) fn load(&mut self, ty: Type, pointer: Term) -> Encoded<Sym> {
        if let Some(slot) = self.slot(pointer) {
            return match self.memory.slots.get(&slot) {
                Some(value) => Ok(value.clone()),
                None => self.uninit_value(ty),
            };
        }
        let size = self.store_size(ty)?;
        let bytes: Vec<Term> = (0..size).map(|i| self.read_byte(pointer, i)).collect();
        self.of_bytes(ty, &bytes)
    }
    /// The value of type `ty` read from uninitialized memory.
    pub(crate) fn uninit_value(&mut self, ty: Type) -> Encoded<Sym> {
        let rule = self.w.uninit;
        self.build(ty, &mut |e, ty| {
            let width = e.width(ty)?;
            Ok(match rule {
                Uninit::Undef => Scalar::undef(&mut e.w.terms, width),
                Uninit::Poison => Scalar::poison(&mut e.w.terms, width),
            })
        })
    }
    /// Stores a value of type `ty`. The access has been checked.
    pub(crate) fn store(&mut self, ty: Type, value: &Sym, pointer: Term) -> Encoded<()> {
        if let Some(slot) = self.slot(pointer) {
            self.memory.slots.insert(slot, value.clone());
            return Ok(());
        }
        for (i, byte) in self.value_bytes(ty, value)?.into_iter().enumerate() {
            self.write_byte(pointer, i as u64, byte, None);
        }
        Ok(())
    }
    /// The error that `feature` is not supported at the current instruction.
    pub(crate) fn unsupported(&self, feature: &str) -> Halt {
        Halt::Unsupported(Unsupported { side: self.side, inst: self.inst, feature: feature.to_owned() })
    }
}
