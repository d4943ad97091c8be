//! The encoding of memory: one array for memory visible to the caller or to external calls, one array for non-escaping
//! allocas, both indexed by block number and offset; and liveness of allocas.
//!
//! This file defines the state and the loads and stores of values. [`checks`] makes accesses UB, [`read_write`]
//! accesses single bytes, and [`representation`] and [`pointers`] convert between values and bytes.

mod checks;
mod pointers;
mod read_write;
mod representation;
mod state;
mod type_layout;

use crate::encode::function::{Encoded, Encoder};
use crate::encode::value::{Scalar, Sym};
use crate::encode::world::{BLOCK_BITS, LOCAL_BLOCK, OFFSET_BITS, POINTER_BITS, Uninit};
use crate::term::Term;
use backedge_ir::types::Type;

pub(crate) use pointers::POINTER_OF_INTEGER;
pub(crate) use state::{Alloca, Memory};

/// Maximum number of bytes that are copied or filled one by one.
pub(crate) const MANY_BYTES: u64 = 256;

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
}
