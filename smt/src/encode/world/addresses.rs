//! Sizes, addresses, and other properties of blocks: functions of the block number, with the axioms that hold for all
//! blocks.
//!
//! Requires: a query goes through the methods of this file, because they state the axioms of a block at its first use.
//! Guarantees: up to a limit, blocks whose addresses are observed do not overlap, except blocks that may coincide.

use crate::encode::world::layout::{BLOCK_BITS, LOCAL_BLOCK, OFFSET_BITS, UNKNOWN_BLOCK};
use crate::encode::world::{Side, World};
use crate::term::Term;

impl World {
    /// The size of the block with number `block`.
    pub(crate) fn size_of(&mut self, block: Term) -> Term {
        self.constrain_block(block);
        if let Some(number) = self.block_number(block)
            && let Some(size) = self.known(number).and_then(|k| k.size)
        {
            return size;
        }
        self.terms.select(self.sizes, block)
    }
    /// The address of the block with number `block`.
    pub(crate) fn base_of(&mut self, block: Term) -> Term {
        self.constrain_block(block);
        self.terms.select(self.bases, block)
    }
    /// Whether the block with number `block` is read-only.
    pub(crate) fn is_read_only(&mut self, block: Term) -> Term {
        self.constrain_block(block);
        if let Some(number) = self.block_number(block)
            && let Some(value) = self.known(number).and_then(|known| known.read_only)
        {
            return self.terms.bool(value);
        }
        // Non-escaping allocas have numbers from [`LOCAL_BLOCK`] on, and all of them are writable.
        let own = self.terms.bit(block, BLOCK_BITS - 1);
        let other = self.terms.not(own);
        let bit = self.terms.select(self.read_only, block);
        let read_only = self.terms.is_nonzero(bit);
        self.terms.and(other, read_only)
    }
    /// Whether the block with number `block` is free after the call with trace `frees`.
    pub(crate) fn is_free(&mut self, frees: Term, block: Term) -> Term {
        let first = self.terms.concat(self.start, block);
        let at_first = self.terms.select(self.freed, first);
        let any = self.terms.is_nonzero(at_first);
        let fact = self.terms.not(any);
        if self.constrained.insert(fact, ()).is_none() {
            self.axioms.push(fact);
        }
        let place = self.terms.concat(frees, block);
        let free = self.terms.select(self.freed, place);
        let free = self.terms.is_nonzero(free);
        let kept: Vec<Term> = self.never_freed.clone();
        let kept: Vec<Term> = kept.into_iter().map(|other| self.terms.eq(block, other)).collect();
        let kept = self.terms.or_all(kept);
        let not_kept = self.terms.not(kept);
        let free = self.terms.and(free, not_kept);
        self.avoided.push(free);
        free
    }

    /// States facts that hold for all blocks. A block is smaller than half of the address space; neither the block nor
    /// the address after it wraps around. It is not at address zero unless it is the null block. A known block has its
    /// size and alignment. A block may be anywhere, including addresses that are negative as signed numbers.
    pub(super) fn constrain_block(&mut self, block: Term) {
        if self.constrained.insert(block, ()).is_some() {
            return;
        }
        let number = self.block_number(block);
        if number == Some(0) {
            return;
        }
        if number.is_none() {
            self.unnamed_blocks.push(block);
        }
        let (size, base) = (self.terms.select(self.sizes, block), self.terms.select(self.bases, block));
        let null = self.terms.number(BLOCK_BITS, 0);
        let is_null = self.terms.eq(block, null);
        let zero = self.terms.number(OFFSET_BITS, 0);
        let half = self.terms.number(OFFSET_BITS, 1 << (self.layout.address_bits - 1));
        let last = self.terms.number(OFFSET_BITS, u128::MAX >> (128 - self.layout.address_bits));
        let small = self.terms.ult(size, half);
        let room = self.terms.sub(last, size);
        let within = self.terms.ule(base, room);
        let nonzero = self.terms.ne(base, zero);
        let fits = self.terms.and_all([small, within, nonzero]);
        let fact = self.terms.or(is_null, fits);
        self.axioms.push(fact);
        let Some(known) = number.and_then(|n| self.known(n).cloned()) else { return };
        if let Some(known_size) = known.size {
            let fact = self.terms.eq(size, known_size);
            self.axioms.push(fact);
        }
        let read_only = self.terms.select(self.read_only, block);
        if let Some(value) = known.read_only {
            let bit = self.terms.number(1, value.into());
            let fact = self.terms.eq(read_only, bit);
            self.axioms.push(fact);
        }
        self.align_base(base, known.align);
    }
    /// Whether the two blocks, neither of which is a local variable, may have the same address.
    fn may_coincide(&mut self, a: Term, b: Term) -> Term {
        let either = [a, b].map(|block| self.may_share_address(block));
        let either = self.terms.or_all(either);
        let local = self.terms.number(BLOCK_BITS, LOCAL_BLOCK.into());
        let outside = [a, b].map(|block| self.terms.ult(block, local));
        let outside = self.terms.and_all(outside);
        self.terms.and(either, outside)
    }
    /// Whether `block` may have the address of another block. If there are many such blocks, whether it is a known
    /// block.
    fn may_share_address(&mut self, block: Term) -> Term {
        const MANY: usize = 32;
        let numbers: Vec<u32> = (1..)
            .zip(&self.blocks)
            .filter(|(_, known)| known.may_coincide)
            .map(|(number, _)| number)
            .collect();
        if numbers.len() > MANY {
            let unknown = self.terms.number(BLOCK_BITS, UNKNOWN_BLOCK.into());
            return self.terms.ult(block, unknown);
        }
        let is_one = |number: u32| {
            let number = self.terms.number(BLOCK_BITS, number.into());
            self.terms.eq(block, number)
        };
        let any: Vec<Term> = numbers.into_iter().map(is_one).collect();
        self.terms.or_all(any)
    }
    /// States that a base address is a multiple of `align`.
    pub(crate) fn align_base(&mut self, base: Term, align: u64) {
        if align > 1 {
            let mask = self.terms.number(OFFSET_BITS, u128::from(align) - 1);
            let low = self.terms.bv_and(base, mask);
            let zero = self.terms.number(OFFSET_BITS, 0);
            let fact = self.terms.eq(low, zero);
            self.axioms.push(fact);
        }
    }
    /// States that a call of `side` returned `pointer`, which is null or points to a block that neither arguments,
    /// globals nor earlier such calls provided. Memory may still already contain pointers to the block.
    pub(crate) fn is_new_memory(&mut self, side: Side, pointer: Term, arguments: &[Term]) {
        self.approximate("initial memory may point to memory that a call returns as new");
        let terms = &mut self.terms;
        let block = crate::encode::block_of(terms, pointer);
        let null = terms.number(BLOCK_BITS, 0);
        let is_null = terms.eq(block, null);
        let low = terms.number(BLOCK_BITS, UNKNOWN_BLOCK.into());
        let mut different = terms.ule(low, block);
        let arguments = arguments.iter().map(|a| crate::encode::block_of(terms, *a)).collect::<Vec<_>>();
        for other in arguments.iter().chain(&self.new_memory[side.index()]) {
            let differs = terms.ne(block, *other);
            different = terms.and(different, differs);
        }
        let fact = terms.or(is_null, different);
        self.axioms.push(fact);
        self.new_memory[side.index()].push(block);
    }
    /// Records that the address of `block` is observed: the block must not overlap with other observed blocks.
    pub(crate) fn observe_address(&mut self, block: Term) {
        const MANY: usize = 16;
        // Real runs place globals freely and leave gaps.
        self.approximate("blocks may have any addresses, including adjacent ones");
        if self.compared.contains(&block) {
            return;
        }
        if self.compared.len() >= MANY {
            self.approximate("addresses of many blocks are compared");
            return;
        }
        let (size, base) = (self.size_of(block), self.base_of(block));
        for other in self.compared.clone() {
            let (other_size, other_base) = (self.size_of(other), self.base_of(other));
            let same = self.terms.eq(block, other);
            // Blocks may be adjacent: a pointer one past the end may equal the address of another block.
            let end = self.terms.add(base, size);
            let other_end = self.terms.add(other_base, other_size);
            let before = self.terms.ule(end, other_base);
            let following = self.terms.ule(other_end, base);
            let merged = self.may_coincide(block, other);
            let fact = self.terms.or_all([same, before, following, merged]);
            self.axioms.push(fact);
        }
        self.compared.push(block);
    }
}
