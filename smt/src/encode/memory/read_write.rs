//! Reads and writes single bytes of the array that contains a block: shared memory or the function's own.
//!
//! Requires: the access has been checked. Guarantees: a byte of shared memory contains no pointer to a block that only
//! the function can reach.

use crate::encode::byte::{Byte, not_local};
use crate::encode::function::Encoder;
use crate::encode::pointer::{block_of, offset_of};
use crate::encode::world::{BLOCK_BITS, LOCAL_BLOCK, OFFSET_BITS};
use crate::term::{Op, Term};

impl Encoder<'_, '_> {
    /// Whether the block is local to the function, as a condition; `None` with a constant answer if the block number
    /// decides it.
    pub(super) fn array_for(&mut self, block: Term) -> (Option<Term>, bool) {
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
    pub(in crate::encode) fn byte_from_outside(&mut self, memory: Term, pointer: Term, at: u64) -> Term {
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
}
