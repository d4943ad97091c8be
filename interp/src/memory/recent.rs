//! Cache of recently accessed objects with the facts established about them, so that further accesses need few
//! checks.
//!
//! Cached facts stay valid while memory changes only through [`Recent::store`]; the cache must not outlive any other
//! mutable use of [`Memory`].

use super::{Contents, Liveness, Memory, Origin};
use crate::value::{Pointer, Prov};

/// Facts about one object.
#[derive(Copy, Clone, Debug)]
struct Spot {
    prov: Prov,
    base: u64,
    size: u64,
    /// See [`super::Allocation::known_zeros`].
    known_zeros: u8,
    alloc: usize,
    /// Whether reads through the provenance are allowed and yield the stored contents.
    readable: bool,
    /// Whether writes are known to be allowed.
    writable: bool,
    /// Whether every bit is defined and no byte belongs to a pointer.
    plain: bool,
}

impl Spot {
    /// Whether an address is known to be a multiple of a power of two.
    #[inline(always)]
    fn is_aligned(&self, addr: u64, align_log2: u8) -> bool {
        align_log2 <= self.known_zeros && addr & !(u64::MAX << align_log2) == 0
    }
    /// The entry for pointers without an object.
    const NOTHING: Self = Self {
        prov: Prov::NONE,
        base: 0,
        size: 0,
        known_zeros: 0,
        alloc: 0,
        readable: false,
        writable: false,
        plain: false,
    };
}

/// Number of remembered objects, a power of two: loops access few objects at a time.
const SPOTS: usize = 8;

/// Recently accessed objects, indexed by the low bits of their provenances.
#[derive(Debug)]
pub(crate) struct Recent {
    spots: [Spot; SPOTS],
}

impl Recent {
    pub(crate) fn new() -> Self {
        Self { spots: [Spot::NOTHING; SPOTS] }
    }
    #[inline(always)]
    fn spot(&mut self, memory: &Memory, prov: Prov) -> &mut Spot {
        let spot = &mut self.spots[prov.0 as usize % SPOTS];
        if spot.prov != prov {
            *spot = look(memory, prov);
        }
        spot
    }
    /// Whether both addresses are in the object of `prov` or one past its end. False for provenances without a fixed
    /// object.
    #[inline(always)]
    pub(crate) fn holds(&mut self, memory: &Memory, prov: Prov, a: u64, b: u64) -> bool {
        let spot = self.spot(memory, prov);
        a.wrapping_sub(spot.base) <= spot.size && b.wrapping_sub(spot.base) <= spot.size
    }
    /// Loads the little-endian number in the `N` bytes at `addr`, if the access is allowed, the bytes are defined,
    /// and none belongs to a pointer.
    #[inline(always)]
    pub(crate) fn load<const N: usize>(
        &mut self,
        memory: &Memory,
        Pointer { addr, prov }: Pointer,
        align_log2: u8,
    ) -> Option<u64> {
        let spot = self.spot(memory, prov);
        if !spot.readable || !spot.is_aligned(addr, align_log2) {
            return None;
        }
        let at = addr.wrapping_sub(spot.base) as usize;
        let contents = &memory.allocs.get(spot.alloc)?.contents;
        let bytes: &[u8; N] = contents.bytes.get(at..)?.first_chunk()?;
        let plain = spot.plain || contents.is_defined(at, N) && contents.has_no_pointer(at, N);
        if !plain {
            return None;
        }
        let mut word = [0; 8];
        word[..N].copy_from_slice(bytes);
        Some(u64::from_le_bytes(word))
    }
    /// Loads the pointer in the 8 bytes at `addr`, if the access is allowed and the bytes form one pointer or null.
    #[inline(always)]
    pub(crate) fn load_ptr(
        &mut self,
        memory: &Memory,
        Pointer { addr, prov }: Pointer,
        align_log2: u8,
    ) -> Option<Pointer> {
        let spot = self.spot(memory, prov);
        if !spot.readable || !spot.is_aligned(addr, align_log2) {
            return None;
        }
        let at = addr.wrapping_sub(spot.base) as usize;
        let contents = &memory.allocs.get(spot.alloc)?.contents;
        let word = u64::from_le_bytes(*contents.bytes.get(at..)?.first_chunk()?);
        if !contents.is_defined(at, 8) {
            return None;
        }
        match contents.fragments.get(at..at + 8) {
            Some([first, rest @ ..]) if first.prov != Prov::NONE => {
                let whole = first.index == 0
                    && rest.iter().zip(1..).all(|(f, i)| f.prov == first.prov && f.index == i);
                whole.then_some(Pointer { addr: word, prov: first.prov })
            }
            _ => (word == 0 && contents.has_no_pointer(at, 8)).then_some(Pointer::NULL),
        }
    }
    /// Stores the low `N` bytes of `word` at `addr`, if the access is allowed. Returns whether it did.
    #[inline(always)]
    pub(crate) fn store<const N: usize>(
        &mut self,
        memory: &mut Memory,
        at: Pointer,
        align_log2: u8,
        word: u64,
    ) -> bool {
        self.place::<N>(memory, at, align_log2, word).is_some()
    }
    /// Stores an 8-byte pointer at `addr`, if the access is allowed. Returns whether it did.
    #[inline(always)]
    pub(crate) fn store_ptr(
        &mut self,
        memory: &mut Memory,
        at: Pointer,
        align_log2: u8,
        value: Pointer,
    ) -> bool {
        let Some((contents, offset)) = self.place::<8>(memory, at, align_log2, value.addr) else {
            return false;
        };
        contents.mark_pointer(offset, 8, value.prov);
        self.spot(memory, at.prov).plain = false;
        true
    }
    /// Stores defined bytes that belong to no pointer and returns the location.
    #[inline(always)]
    fn place<'m, const N: usize>(
        &mut self,
        memory: &'m mut Memory,
        Pointer { addr, prov }: Pointer,
        align_log2: u8,
        word: u64,
    ) -> Option<(&'m mut Contents, usize)> {
        let spot = self.spot(memory, prov);
        if !spot.writable {
            spot.writable = open(memory, spot);
        }
        if !spot.writable || !spot.is_aligned(addr, align_log2) {
            return None;
        }
        let at = addr.wrapping_sub(spot.base) as usize;
        let contents = &mut memory.allocs.get_mut(spot.alloc)?.contents;
        let bytes: &mut [u8; N] = contents.bytes.get_mut(at..)?.first_chunk_mut()?;
        bytes.copy_from_slice(&word.to_le_bytes()[..N]);
        if !spot.plain {
            contents.make_plain(at, N);
        }
        memory.writes += 1;
        Some((contents, at))
    }
}

/// Establishes the current facts about the object of `prov`.
#[cold]
#[inline(never)]
fn look(memory: &Memory, prov: Prov) -> Spot {
    let Some(index) = memory.provs.alloc_of(prov) else { return Spot { prov, ..Spot::NOTHING } };
    let index = index as usize;
    let alloc = &memory.allocs[index];
    let readable = alloc.liveness == Liveness::Live
        && !matches!(alloc.origin, Origin::Function(_))
        && !memory.provs.watching()
        && (index >= memory.floors.0 || !alloc.writable)
        && !memory.may_be_unread(index);
    Spot {
        prov,
        base: alloc.base,
        size: alloc.size,
        known_zeros: alloc.known_zeros() as u8,
        alloc: index,
        readable,
        writable: false,
        plain: alloc.contents.is_plain(),
    }
}

/// Whether the object may be written; if so, marks its contents as changed.
#[cold]
#[inline(never)]
fn open(memory: &mut Memory, spot: &Spot) -> bool {
    if !spot.readable || spot.alloc < memory.floors.1 {
        return false;
    }
    let alloc = &mut memory.allocs[spot.alloc];
    if alloc.writable {
        alloc.contents_mut();
    }
    alloc.writable
}
