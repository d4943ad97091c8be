//! Memories as arrays of bytes in which whole blocks of any size may have been replaced.
//!
//! Requires: places are block numbers with offsets, as in [`crate::encode::byte`]. Guarantees: reading a byte yields a
//! term over the memory variables that looks through stores and replaced blocks. If that takes too many steps, the
//! world is exhausted, and no verdict may follow from the terms built.

use crate::encode::world::{POINTER_BITS, World};
use crate::limits::Exhausted;
use crate::term::{Op, Term};
use rustc_hash::FxHashMap;

/// The contents of the one block in which a memory differs from an older one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Inside {
    /// Every byte of the block is this byte, as after allocation.
    Byte(Term),
    /// The block is as in another memory.
    Memory(Term),
}

/// A memory in which one block is replaced and all other blocks are as in an older memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cleared {
    /// The variable that represents the memory.
    pub(crate) memory: Term,
    /// The older memory.
    pub(crate) older: Term,
    /// The block number.
    pub(crate) block: Term,
    /// The new contents of the block.
    pub(crate) inside: Inside,
}

impl World {
    /// `older` with the whole block cleared, whatever its size.
    pub(crate) fn clear_block(&mut self, older: Term, block: Term, byte: Term) -> Term {
        self.replace_block(older, block, Inside::Byte(byte))
    }
    /// `older` with the whole block as in `other`, whatever its size.
    pub(crate) fn keep_block(&mut self, older: Term, block: Term, other: Term) -> Term {
        self.replace_block(older, block, Inside::Memory(other))
    }
    fn replace_block(&mut self, older: Term, block: Term, inside: Inside) -> Term {
        // Replacing the same block again makes the earlier replacement irrelevant.
        let older = self.as_cleared(older).filter(|c| c.block == block).map_or(older, |c| c.older);
        let memory = self.fresh_memory();
        self.cleared.push(Cleared { memory, older, block, inside });
        memory
    }
    /// The description of a memory with a replaced block, if the memory is such a variable.
    fn as_cleared(&self, memory: Term) -> Option<Cleared> {
        let index = self.cleared.binary_search_by_key(&memory, |c| c.memory).ok()?;
        Some(self.cleared[index])
    }
    /// The byte of `memory` at `place`, as an operand of a conditional store.
    pub(crate) fn present_byte(&mut self, memory: Term, place: Term) -> Term {
        if !self.cleared.is_empty() {
            return self.read(memory, place);
        }
        // The array variable itself does not contain replaced blocks.
        let byte = self.terms.select(memory, place);
        self.settle_poison(byte);
        byte
    }
    /// The byte of `memory` at `place`. Looks through stores and merges of memories down to an unknown memory, so that
    /// the solver compares addresses rather than arrays.
    pub(crate) fn read(&mut self, memory: Term, place: Term) -> Term {
        /// Maximum number of stores and merges that a read looks through: bounds the time for one read. Beyond it the
        /// read stays one of the array.
        const FAR: usize = 2000;
        if self.exhausted().is_some() {
            return self.terms.select(memory, place);
        }
        let mut work = vec![memory];
        let mut values: FxHashMap<Term, Term> = FxHashMap::default();
        let mut steps = 0;
        while let Some(&at) = work.last() {
            steps += 1;
            let parts = self.terms.args(at).to_vec();
            if let Some(cleared) = self.as_cleared(at) {
                let block = crate::encode::block_of(&mut self.terms, place);
                let here = self.terms.eq(cleared.block, block);
                let is_here = self.terms.as_bool(here);
                let inside = match cleared.inside {
                    Inside::Byte(byte) => Ok(byte),
                    Inside::Memory(other) => values.get(&other).copied().ok_or(other),
                };
                let outside = values.get(&cleared.older).copied().ok_or(cleared.older);
                let value = match (is_here, inside, outside) {
                    (Some(true), Ok(inside), _) => inside,
                    (Some(false), _, Ok(outside)) => outside,
                    (None, Ok(inside), Ok(outside)) => self.terms.ite(here, inside, outside),
                    (Some(true) | None, Err(open), _) | (Some(false) | None, _, Err(open)) => {
                        work.push(open);
                        continue;
                    }
                };
                values.insert(at, value);
                work.pop();
                continue;
            }
            let value = match self.terms.op(at) {
                Op::Store if steps < FAR => match self.terms.decide_eq(parts[1], place) {
                    Some(true) => parts[2],
                    decided => match values.get(&parts[0]) {
                        None => {
                            work.push(parts[0]);
                            continue;
                        }
                        Some(&below) if decided == Some(false) => below,
                        Some(&below) => {
                            let here = self.terms.eq(parts[1], place);
                            self.terms.ite(here, parts[2], below)
                        }
                    },
                },
                Op::Ite if steps < FAR => match (values.get(&parts[1]), values.get(&parts[2])) {
                    (Some(&a), Some(&b)) => self.terms.ite(parts[0], a, b),
                    (None, _) => {
                        work.push(parts[1]);
                        continue;
                    }
                    (_, None) => {
                        work.push(parts[2]);
                        continue;
                    }
                },
                // After too many steps, a replaced block would be ignored and the formula would be wrong.
                Op::Store | Op::Ite if !self.cleared.is_empty() => {
                    self.exhausted = Some(Exhausted::Terms);
                    return self.terms.select(at, place);
                }
                _ => self.terms.select(at, place),
            };
            self.settle(value);
            self.settle_poison(value);
            values.insert(at, value);
            work.pop();
        }
        values[&memory]
    }
    /// States that a byte of unknown memory has no undef bits, unless inputs may have undef bits.
    fn settle(&mut self, byte: Term) {
        if !self.layout.undef || self.undef_inputs || self.terms.op(byte) != Op::Select {
            return;
        }
        if matches!(self.terms.op(self.terms.args(byte)[0]), Op::Var(_)) {
            let undef = crate::encode::Byte::of(&mut self.terms, self.layout, byte).undef;
            let zero = self.terms.number(8, 0);
            let fact = self.terms.eq(undef, zero);
            if self.constrained.insert(fact, ()).is_none() {
                self.axioms.push(fact);
            }
        }
    }
    /// States that a byte of the initial memory has no poison bits, unless it may have poison bits. Memory that a
    /// call left, and memory at a cut of a proof, may hold poison.
    fn settle_poison(&mut self, byte: Term) {
        let of_initial_memory = self.terms.op(byte) == Op::Select && self.terms.args(byte)[0] == self.memory;
        if self.poison_memory || !of_initial_memory {
            return;
        }
        let poison = crate::encode::Byte::of(&mut self.terms, self.layout, byte).poison;
        let zero = self.terms.number(8, 0);
        let fact = self.terms.eq(poison, zero);
        if self.constrained.insert(fact, ()).is_none() {
            self.axioms.push(fact);
        }
    }
    /// Whether memory `target` refines memory `source` at a place that the solver chooses: the relation holds for all
    /// memory only if it follows for every place. An axiom that calls are answered alike *if* the relation holds
    /// therefore applies only to memories that refine each other everywhere.
    ///
    /// Common most recent stores do not affect the relation and are removed. The memories left by two calls are
    /// compared as a whole, which is cheaper for the solver: they are equal if the calls were answered alike, and
    /// otherwise the histories differ.
    pub(super) fn memory_allows(&mut self, mut source: Term, mut target: Term) -> Term {
        loop {
            let (s, t) = (self.terms.args(source), self.terms.args(target));
            match (self.terms.op(source), self.terms.op(target)) {
                _ if source == target => return self.terms.bool(true),
                (Op::Store, Op::Store) if s[1..] == t[1..] => (source, target) = (s[0], t[0]),
                (Op::Var(_), Op::Var(_))
                    if self.as_cleared(source).is_none() && self.as_cleared(target).is_none() =>
                {
                    return self.terms.eq(source, target);
                }
                _ => break,
            }
        }
        let place = match self.memory_places.get(&(source, target)) {
            Some(&place) => place,
            None => {
                let place = self.fresh("place", POINTER_BITS);
                self.memory_places.insert((source, target), place);
                place
            }
        };
        let (s, t) = (self.read(source, place), self.read(target, place));
        self.byte_refines(s, t)
    }
}
