//! Earlier memory contents of a run: at its start, and after each call that may have changed memory without a logged
//! access. Memory read by an `!invariant.load` has the same contents at all these moments.

use super::byte::{Held, held};
use crate::memory::{Contents, Liveness, Memory};

/// Maximum number of remembered moments: each is a copy of memory. Beyond it the past is incomplete.
const MAX_MOMENTS: usize = 64;
/// Maximum bytes over all remembered moments. Beyond it the past is incomplete.
const MAX_BYTES: u64 = 1 << 22;

/// Memory contents at certain moments.
#[derive(Debug, Default)]
pub(super) struct Past {
    /// For each moment, the live objects: base address and contents.
    moments: Vec<Vec<(u64, Contents)>>,
    bytes: u64,
    /// Write count of memory at the last snapshot.
    writes: u64,
    /// Whether a moment could not be remembered.
    pub(super) has_gaps: bool,
}

impl Past {
    /// Remembers the current memory, if it was written since the last snapshot.
    pub(super) fn remember(&mut self, memory: &Memory) {
        if !self.moments.is_empty() && self.writes == memory.writes {
            return;
        }
        let alive = memory.allocations().iter().filter(|alloc| alloc.liveness == Liveness::Live);
        self.bytes += alive.clone().map(|alloc| alloc.size).sum::<u64>();
        self.has_gaps |= self.moments.len() == MAX_MOMENTS || self.bytes > MAX_BYTES;
        if !self.has_gaps {
            self.moments.push(alive.map(|alloc| (alloc.base, alloc.contents.clone())).collect());
            self.writes = memory.writes;
        }
    }
    /// Whether a byte of the object at `base` ever had another state than `now`.
    pub(super) fn held_otherwise(&self, base: u64, at: usize, now: Held) -> bool {
        let objects = self.moments.iter().flatten().filter(|(begin, _)| *begin == base);
        objects.filter_map(|(_, contents)| held(contents, at)).any(|before| before != now)
    }
    /// Discards an object whose lifetime starts again.
    pub(super) fn forget(&mut self, base: u64) {
        self.moments.iter_mut().for_each(|objects| objects.retain(|(begin, _)| *begin != base));
    }
}
