//! What memory held earlier in a run: at its start, and after each call that may have changed it without an access that
//! is logged. Memory that an `!invariant.load` speaks of held the same at all these moments.

use super::{Held, held};
use crate::memory::{Contents, Liveness, Memory};

/// Moments that are remembered, and bytes of all of them together.
const MOST_MOMENTS: usize = 64;
const MOST_BYTES: u64 = 1 << 22;

/// What memory held at some moments.
#[derive(Debug, Default)]
pub(super) struct Past {
    /// Of each moment, the objects that could be accessed: where they begin, and their contents.
    moments: Vec<Vec<(u64, Contents)>>,
    bytes: u64,
    /// How often memory had been written when it was last looked at.
    writes: u64,
    /// Whether a moment was not remembered.
    pub(super) has_gaps: bool,
}

impl Past {
    /// Remembers what memory holds now, if it was written since.
    pub(super) fn remember(&mut self, memory: &Memory) {
        if !self.moments.is_empty() && self.writes == memory.writes {
            return;
        }
        let alive = memory.allocations().iter().filter(|alloc| alloc.liveness == Liveness::Live);
        self.bytes += alive.clone().map(|alloc| alloc.size).sum::<u64>();
        self.has_gaps |= self.moments.len() == MOST_MOMENTS || self.bytes > MOST_BYTES;
        if !self.has_gaps {
            self.moments.push(alive.map(|alloc| (alloc.base, alloc.contents.clone())).collect());
            self.writes = memory.writes;
        }
    }
    /// Whether a byte of the object that begins at `base` ever held something else than it does now.
    pub(super) fn held_otherwise(&self, base: u64, at: usize, now: Held) -> bool {
        let objects = self.moments.iter().flatten().filter(|(begin, _)| *begin == base);
        objects.filter_map(|(_, contents)| held(contents, at)).any(|before| before != now)
    }
    /// Forgets an object whose lifetime starts again.
    pub(super) fn forget(&mut self, base: u64) {
        self.moments.iter_mut().for_each(|objects| objects.retain(|(begin, _)| *begin != base));
    }
}
