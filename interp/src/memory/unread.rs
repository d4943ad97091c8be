//! Reads in functions that may only write memory: functions with `memory(write)` and functions with `writeonly`
//! parameters.
//!
//! LangRef ("Function Attributes", `memory(...)`): only writes to the location are observable outside the function.
//! The function may read what it has written itself; reading the location before that yields poison. Writes by its
//! callees and by outside functions count as its own. Every function may read constants.

use super::bytes::Contents;
use super::{Memory, Target};
use crate::value::Prov;
use rustc_hash::FxHashMap;
use std::hash::{Hash as _, Hasher as _};

/// An active function that may read older memory only where it has written.
#[derive(Clone, Debug)]
pub(crate) struct WritesOnly {
    /// The first allocation younger than the function's frame.
    floor: usize,
    /// For each older object that was written: the written bytes.
    written: FxHashMap<usize, Vec<bool>>,
}

/// Access limits imposed by the active functions.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Limits {
    floors: (usize, usize),
    writing_only: usize,
}

impl Memory {
    /// The current limits.
    pub(crate) fn limits(&self) -> Limits {
        Limits { floors: self.floors, writing_only: self.writing_only.len() }
    }
    /// Restores the limits `before`.
    pub(crate) fn set_limits(&mut self, before: Limits) {
        self.floors = before.floors;
        self.writing_only.truncate(before.writing_only);
    }
    /// From now on, allocations older than `floor` may be read only where they are written.
    pub(crate) fn begin_writing_only(&mut self, floor: usize) {
        self.writing_only.push(WritesOnly { floor, written: FxHashMap::default() });
    }
    /// Whether an active function may not read everything that it may write.
    #[inline]
    pub(super) fn is_writing_only(&self) -> bool {
        !self.writing_only.is_empty()
    }
    /// Whether an active function may be unable to read part of allocation `index`.
    pub(super) fn may_be_unread(&self, index: usize) -> bool {
        self.writing_only.iter().any(|function| index < function.floor)
    }
    /// Records a write of `len` bytes.
    pub(crate) fn note_written(&mut self, target: Target, len: usize) {
        let size = self.allocs[target.alloc].contents.len();
        for function in self.writing_only.iter_mut().filter(|f| target.alloc < f.floor) {
            let written = function.written.entry(target.alloc).or_insert_with(|| vec![false; size]);
            written.iter_mut().skip(target.at).take(len).for_each(|byte| *byte = true);
        }
    }
    /// Contents that a read of `len` bytes through provenance `prov` sees, if they differ from memory: bytes that a
    /// write-only function has not written are poison.
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
    /// The `len` bytes that a read through provenance `prov` sees.
    pub(crate) fn seen(&self, prov: Prov, target: Target, len: usize) -> Contents {
        let whole = || self.allocs[target.alloc].contents.slice(target.at, len);
        self.seen_in_part(prov, target, len).unwrap_or_else(whole)
    }
    /// Hash of the bytes that the active write-only functions have written.
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
