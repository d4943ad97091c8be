//! Reads in functions that may only write memory: those with `memory(write)`, those with `writeonly` parameters.
//!
//! LangRef ("Function Attributes", `memory(...)`): only writes to the location are observable outside the function; it may
//! read what it has written itself, and reading the location before that results in a poison value. The functions that it
//! calls, and outside functions, write for it. Constants can be read by every function.

use super::bytes::Contents;
use super::{Memory, Target};
use crate::value::Prov;
use rustc_hash::FxHashMap;
use std::hash::{Hash as _, Hasher as _};

/// A running function that may read of older memory only what it has written.
#[derive(Clone, Debug)]
pub(crate) struct WritesOnly {
    /// The first allocation that is younger than the function's frame.
    floor: usize,
    /// Of each older object that was written: which bytes were.
    written: FxHashMap<usize, Vec<bool>>,
}

/// What the running functions may not touch.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Limits {
    floors: (usize, usize),
    writing_only: usize,
}

impl Memory {
    /// What may not be touched now.
    pub(crate) fn limits(&self) -> Limits {
        Limits { floors: self.floors, writing_only: self.writing_only.len() }
    }
    /// Goes back to what could be touched when the limits were `before`.
    pub(crate) fn set_limits(&mut self, before: Limits) {
        self.floors = before.floors;
        self.writing_only.truncate(before.writing_only);
    }
    /// Lets what is older than allocation `floor` be read only where it is written from now on.
    pub(crate) fn begin_writing_only(&mut self, floor: usize) {
        self.writing_only.push(WritesOnly { floor, written: FxHashMap::default() });
    }
    /// Whether a function is running that may not read all that it may write.
    #[inline]
    pub(super) fn is_writing_only(&self) -> bool {
        !self.writing_only.is_empty()
    }
    /// Whether some of allocation `index` may be unreadable to a running function.
    pub(super) fn may_be_unread(&self, index: usize) -> bool {
        self.writing_only.iter().any(|function| index < function.floor)
    }
    /// Notes that `len` bytes are written.
    pub(crate) fn note_written(&mut self, target: Target, len: usize) {
        let size = self.allocs[target.alloc].contents.len();
        for function in self.writing_only.iter_mut().filter(|f| target.alloc < f.floor) {
            let written = function.written.entry(target.alloc).or_insert_with(|| vec![false; size]);
            written.iter_mut().skip(target.at).take(len).for_each(|byte| *byte = true);
        }
    }
    /// What a read of `len` bytes through a pointer of provenance `prov` sees, if that is not what memory holds: the bytes
    /// that a function which may only write has not written are poison.
    pub(crate) fn seen_in_part(&self, prov: Prov, target: Target, len: usize) -> Option<Contents> {
        let alloc = &self.allocs[target.alloc];
        if !alloc.writable || !self.is_writing_only() && !self.provs.is_writing_only() {
            return None;
        }
        let hides = |at: usize| {
            let before = |function: &WritesOnly| {
                let written = function.written.get(&target.alloc);
                target.alloc < function.floor && written.is_none_or(|bytes| !bytes[at])
            };
            self.writing_only.iter().any(before) || self.provs.is_unread(prov, at)
        };
        let hidden: Vec<usize> = (0..len).filter(|at| hides(target.at + at)).collect();
        if hidden.is_empty() {
            return None;
        }
        let mut contents = alloc.contents.slice(target.at, len);
        hidden.into_iter().for_each(|at| contents.set_poison(at, 1));
        Some(contents)
    }
    /// The `len` bytes that a read through a pointer of provenance `prov` sees.
    pub(crate) fn seen(&self, prov: Prov, target: Target, len: usize) -> Contents {
        let whole = || self.allocs[target.alloc].contents.slice(target.at, len);
        self.seen_in_part(prov, target, len).unwrap_or_else(whole)
    }
    /// A number that tells apart what the running functions that may only write have written.
    pub(crate) fn written_so_far(&self) -> u64 {
        let mut hasher = rustc_hash::FxHasher::default();
        for function in &self.writing_only {
            let mut objects: Vec<_> = function.written.iter().collect();
            objects.sort_unstable();
            (function.floor, objects).hash(&mut hasher);
        }
        self.provs.written_so_far(&mut hasher);
        hasher.finish()
    }
}
