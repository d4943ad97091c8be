//! Memories as the solver reads them: arrays of bytes in which whole blocks may have been replaced, however large these are.
//!
//! Requires: places are numbers of blocks with offsets, as [`crate::encode::byte`] has them. Guarantees: a byte that is read
//! is a term over the variables of memories, and looks through stores and replaced blocks; where that takes too many steps
//! the world is exhausted, and no verdict follows from what was built.

use crate::encode::world::{POINTER_BITS, World};
use crate::limits::Exhausted;
use crate::term::{Op, Term};
use rustc_hash::FxHashMap;

/// What a block is in a memory in which it alone differs from an older one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Inside {
    /// Each of its bytes is this one, as after its allocation.
    Byte(Term),
    /// It is as in another memory.
    Memory(Term),
}

/// A memory in which one block is what is said of it, and all others are as in an older memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cleared {
    /// The variable that stands for it.
    pub(crate) memory: Term,
    /// The older memory.
    pub(crate) older: Term,
    /// The number of the block.
    pub(crate) block: Term,
    /// What the block is.
    pub(crate) inside: Inside,
}

impl World {
    /// `older` with the whole block cleared, whatever its size is.
    pub(crate) fn clear_block(&mut self, older: Term, block: Term, byte: Term) -> Term {
        self.replace_block(older, block, Inside::Byte(byte))
    }
    /// `older` with the whole block as in `other`, whatever its size is.
    pub(crate) fn keep_block(&mut self, older: Term, block: Term, other: Term) -> Term {
        self.replace_block(older, block, Inside::Memory(other))
    }
    fn replace_block(&mut self, older: Term, block: Term, inside: Inside) -> Term {
        // What the block was in the older memory does not matter.
        let older = self.as_cleared(older).filter(|c| c.block == block).map_or(older, |c| c.older);
        let memory = self.fresh_memory();
        self.cleared.push(Cleared { memory, older, block, inside });
        memory
    }
    /// How a memory was made, if it is a variable for one with a block cleared.
    fn as_cleared(&self, memory: Term) -> Option<Cleared> {
        let index = self.cleared.binary_search_by_key(&memory, |c| c.memory).ok()?;
        Some(self.cleared[index])
    }
    /// The byte of `memory` at `place` as the operand of a conditional store.
    pub(crate) fn present_byte(&mut self, memory: Term, place: Term) -> Term {
        // The array itself does not know of blocks that were cleared.
        if self.cleared.is_empty() { self.terms.select(memory, place) } else { self.read(memory, place) }
    }
    /// The byte of `memory` at `place`: looks through stores and merges of memories down to one that is not known, so
    /// that the solver compares addresses and not arrays.
    pub(crate) fn read(&mut self, memory: Term, place: Term) -> Term {
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
                // Beyond that many steps a block that was cleared is not seen: the formula would mean something else.
                Op::Store | Op::Ite if !self.cleared.is_empty() => {
                    self.exhausted = Some(Exhausted::Terms);
                    return self.terms.select(at, place);
                }
                _ => self.terms.select(at, place),
            };
            self.settle(value);
            values.insert(at, value);
            work.pop();
        }
        values[&memory]
    }
    /// A byte of a memory that is not known has no undef bits unless inputs may have.
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
    /// Whether memory `source` allows memory `target`: at a place that the solver chooses, so it holds for sure only where
    /// it follows from every place. To say that calls are answered alike *if* it holds says so for just the memories
    /// that allow one another everywhere.
    ///
    /// Stores that both have in common, the last ones first, change nothing in that; and what two calls have left is
    /// compared as a whole, which costs the solver less: it is the same if they were answered alike, and else the histories
    /// differ.
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
