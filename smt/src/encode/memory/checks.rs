//! The conditions that make an access to memory UB: bounds, alignment, lifetime, freed memory, read-only memory.
//!
//! Sizes, addresses and freed blocks are functions of the block number; see [`crate::encode::world`].

use crate::encode::function::{Encoder, Write};
use crate::encode::memory::Alloca;
use crate::encode::pointer::{block_of, offset_of};
use crate::encode::value::Scalar;
use crate::encode::world::{BLOCK_BITS, LOCAL_BLOCK, OFFSET_BITS};
use crate::term::{Bits, Op, Term, Terms};

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
    pub(in crate::encode) fn is_in_bounds(
        &mut self,
        block: Term,
        offset: Term,
        (bytes, part): (Term, Term),
    ) -> Term {
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
    pub(in crate::encode) fn is_live(&mut self, block: Term) -> Term {
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
    pub(in crate::encode) fn check_alignment(&mut self, block: Term, offset: Term, align: u64) {
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
}
