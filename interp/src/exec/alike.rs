//! Snapshot of memory, used to decide whether a later state is the same up to renaming of local objects.
//!
//! An alloca executed in each iteration of a loop, or in a function called in each iteration, creates a different
//! object at a different address each time. Two states are alike if a one-to-one map of their local objects takes one
//! state to the other: registers, contents of live objects, and the objects that active functions will free. As long
//! as no address of a local object has been observed, the steps after alike states are alike. Freed objects matter
//! only where a pointer to them is left; they are mapped too.

use super::frames::Frames;
use super::regs::{RARE, Stack, provenance};
use crate::memory::{Allocation, Contents, Liveness, Memory, Origin};
use crate::value::{Pointer, Prov, Val};
use rustc_hash::FxHashMap;

/// Limit on the bytes of memory kept with a state: larger memory is not copied and compared. Then a write in between
/// hides a repeated state.
const MAX_KEPT_BYTES: u64 = 1 << 20;

/// An object that has not been freed.
#[derive(Debug)]
struct Object {
    index: usize,
    liveness: Liveness,
    escaped: bool,
    writable: bool,
    /// Its contents, if it is writable.
    contents: Contents,
}

/// The relevant parts of memory at some state.
#[derive(Default, Debug)]
pub(super) struct Kept {
    /// Objects not freed, in order of allocation; the entries from `count` on are old ones whose storage is reused.
    all: Vec<Object>,
    count: usize,
    /// Whether memory was too large to keep.
    too_much: bool,
    /// The first allocation of each active function.
    starts: Vec<usize>,
    floors: (usize, usize),
    /// See [`Memory::written_so_far`].
    written: u64,
}

fn remains(alloc: &Allocation) -> bool {
    alloc.liveness != Liveness::Freed
}

impl Kept {
    /// Takes a snapshot of memory. Allocates nothing if an earlier snapshot was as large.
    pub(super) fn take(&mut self, memory: &Memory, frames: &Frames<'_>) {
        let there = || memory.allocations().iter().enumerate().filter(|(_, a)| remains(a));
        self.too_much =
            there().filter(|(_, a)| a.writable).map(|(_, a)| a.size).sum::<u64>() > MAX_KEPT_BYTES;
        self.count = 0;
        if self.too_much {
            return;
        }
        for (index, alloc) in there() {
            let Allocation { liveness, escaped, writable, .. } = *alloc;
            if self.count == self.all.len() {
                let contents = Contents::default();
                self.all.push(Object { index, liveness, escaped, writable, contents });
            }
            let object = &mut self.all[self.count];
            (object.index, object.liveness, object.escaped, object.writable) =
                (index, liveness, escaped, writable);
            if writable {
                object.contents.clone_from(&alloc.contents);
            }
            self.count += 1;
        }
        self.starts.clear();
        self.starts.extend(frames.list.iter().map(|f| f.allocations));
        self.floors = memory.floors;
        self.written = memory.written_so_far();
    }
    fn objects(&self) -> &[Object] {
        &self.all[..self.count]
    }
    /// Whether the current state is alike. `then` holds the registers at the time of the snapshot.
    pub(super) fn is_alike(&self, then: Registers<'_>, memory: &Memory, frames: &Frames<'_>) -> bool {
        if self.too_much {
            return false;
        }
        // Observed addresses may matter, so the objects must be identical.
        if memory.observed_addresses && !self.same_objects(memory) {
            return false;
        }
        let now: Vec<usize> =
            memory.allocations().iter().enumerate().filter(|(_, a)| remains(a)).map(|(i, _)| i).collect();
        let mut map =
            Map { kept: self, now: &now, memory, there: FxHashMap::default(), back: FxHashMap::default() };
        map.memory() && map.frames(frames) && map.registers(then, &frames.stack)
    }
    /// Whether no object was created or freed since the snapshot.
    fn same_objects(&self, memory: &Memory) -> bool {
        let now = memory.allocations().iter().enumerate().filter(|(_, a)| remains(a)).map(|(i, _)| i);
        now.eq(self.objects().iter().map(|o| o.index))
    }
    fn object(&self, index: usize) -> Option<&Object> {
        let at = self.objects().binary_search_by_key(&index, |o| o.index).ok()?;
        self.objects().get(at)
    }
}

/// The registers of all frames at some state.
#[derive(Copy, Clone, Debug)]
pub(super) struct Registers<'a> {
    pub(super) words: &'a [u64],
    pub(super) marks: &'a [u32],
    pub(super) rare: &'a [Val],
}

/// A partial map from the objects of the snapshot to those of the current state.
struct Map<'a> {
    kept: &'a Kept,
    /// Objects not freed now.
    now: &'a [usize],
    memory: &'a Memory,
    there: FxHashMap<usize, usize>,
    back: FxHashMap<usize, usize>,
}

impl Map<'_> {
    /// Number of writable, not freed objects older than object `then` in the snapshot, and than object `now` at
    /// present.
    fn ranks(&self, then: usize, now: usize) -> (usize, usize) {
        let writable = |i: usize| self.memory.allocation(i).writable;
        let before = self.kept.objects().iter().take_while(|o| o.index < then);
        let after = self.now.iter().take_while(|i| **i < now);
        (before.filter(|o| writable(o.index)).count(), after.filter(|i| writable(**i)).count())
    }
    /// Whether the objects may be mapped to each other; if so, adds the pair to the map.
    fn object(&mut self, then: usize, now: usize) -> bool {
        if let Some(&known) = self.there.get(&then) {
            return known == now;
        }
        let (a, b) = (self.memory.allocation(then), self.memory.allocation(now));
        let local = |a: &Allocation| matches!(a.origin, Origin::Local(_));
        let kept = self.kept.object(then);
        let alike = (then == now || local(a) && local(b))
            && !self.back.contains_key(&now)
            && kept.map_or(Liveness::Freed, |o| o.liveness) == b.liveness
            && kept.is_none_or(|o| o.escaped == b.escaped)
            // The alignment of its address is all that an access may require of it.
            && (a.size, a.writable, a.base.trailing_zeros()) == (b.size, b.writable, b.base.trailing_zeros());
        if !alike {
            return false;
        }
        // A stack mark separates the objects that it frees from those that it keeps, so its rank must agree.
        let (before, after) = if local(b) && !b.writable { self.ranks(then, now) } else { (0, 0) };
        self.there.insert(then, now);
        self.back.insert(now, then);
        before == after
    }
    fn pointer(&mut self, then: Pointer, now: Pointer) -> bool {
        let provs = &self.memory.provs;
        let (Some(a), Some(b)) = (provs.alloc_of(then.prov), provs.alloc_of(now.prov)) else {
            return then == now;
        };
        let (a, b) = (a as usize, b as usize);
        let (x, y) = (self.memory.allocation(a), self.memory.allocation(b));
        let plain = then.prov == x.prov && now.prov == y.prov;
        (then.prov == now.prov || plain)
            && then.addr.wrapping_sub(x.base) == now.addr.wrapping_sub(y.base)
            && self.object(a, b)
    }
    fn value(&mut self, then: &Val, now: &Val) -> bool {
        match (then, now) {
            (Val::Ptr(a), Val::Ptr(b)) => self.pointer(*a, *b),
            (Val::Agg(a), Val::Agg(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| self.value(a, b))
            }
            (Val::Poison | Val::Bits(_) | Val::Wide(_) | Val::Ptr(_) | Val::Agg(_), _) => then == now,
        }
    }
    fn registers(&mut self, then: Registers<'_>, now: &Stack) -> bool {
        then.words.len() == now.top
            && (0..now.top).all(|i| match (provenance(then.marks[i]), provenance(now.marks[i])) {
                (Some(a), Some(b)) => {
                    let pointer = |addr, prov| Pointer { addr, prov };
                    self.pointer(pointer(then.words[i], a), pointer(now.words[i], b))
                }
                _ if then.marks[i] != now.marks[i] => false,
                _ if then.marks[i] == RARE => match (then.rare.get(i), now.rare.get(i)) {
                    (Some(a), Some(b)) => self.value(a, b),
                    (a, b) => a == b,
                },
                _ => then.words[i] == now.words[i],
            })
    }
    /// Compares the objects that each active function frees on exit, and the access limits.
    fn frames(&mut self, frames: &Frames<'_>) -> bool {
        let equal = |(a, b): (usize, usize)| a == b;
        let (floors, now) = (self.kept.floors, self.memory.floors);
        self.kept.starts.len() == frames.list.len()
            && (0..frames.list.len())
                .all(|i| equal(self.ranks(self.kept.starts[i], frames.list[i].allocations)))
            && equal(self.ranks(floors.0, now.0))
            && equal(self.ranks(floors.1, now.1))
            && self.kept.written == self.memory.written_so_far()
    }
    fn memory(&mut self) -> bool {
        let kept = self.kept;
        let memory = self.memory;
        let mut now = self.now.iter().copied().filter(|i| memory.allocation(*i).writable);
        for object in kept.objects().iter().filter(|o| o.writable) {
            let Some(index) = now.next() else { return false };
            if !self.object(object.index, index)
                || !self.contents(&object.contents, &memory.allocation(index).contents)
            {
                return false;
            }
        }
        now.next().is_none()
    }
    fn contents(&mut self, then: &Contents, now: &Contents) -> bool {
        if then.fragments.is_empty() && now.fragments.is_empty() {
            return then == now;
        }
        let len = then.len();
        if now.len() != len || then.undef != now.undef || then.poison != now.poison {
            return false;
        }
        let mut at = 0;
        while at < len {
            at += match (self.whole_pointer(then, at), self.whole_pointer(now, at)) {
                (Some((a, bytes)), Some((b, _))) => {
                    if !self.pointer(a, b) {
                        return false;
                    }
                    bytes
                }
                _ => {
                    let fragment =
                        |c: &Contents| c.fragments.get(at).map_or((Prov::NONE, 0), |f| (f.prov, f.index));
                    if then.bytes[at] != now.bytes[at] || fragment(then) != fragment(now) {
                        return false;
                    }
                    1
                }
            };
        }
        true
    }
    /// The pointer whose complete bytes start at `at`, with their number.
    fn whole_pointer(&self, contents: &Contents, at: usize) -> Option<(Pointer, usize)> {
        let bytes = self.memory.pointer_bits.div_ceil(8) as usize;
        let part = contents.fragments.get(at..at + bytes)?;
        let prov = part[0].prov;
        let whole = prov != Prov::NONE
            && part.iter().enumerate().all(|(i, f)| f.prov == prov && usize::from(f.index) == i);
        let raw = contents.read_raw(at, bytes, self.memory.big_endian);
        (whole && raw.undef == 0 && raw.poison == 0)
            .then_some((Pointer { addr: raw.bits as u64, prov }, bytes))
    }
}
