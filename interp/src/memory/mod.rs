//! Memory: allocations at disjoint addresses that are never reused within a run, and the access checks.
//!
//! Addresses grow from [`FIRST_ADDRESS`], with a gap after each allocation, so that a one-past-the-end pointer never
//! equals another object's address. Each object has exactly its declared alignment and no more, so that code relying
//! on more fails. This is one of the layouts that the language allows; a run that observed the address of a local
//! object reports it ([`Memory::observed_addresses`]).

pub(crate) mod bytes;
pub(crate) mod provenance;
pub(crate) mod recent;
mod unread;

use crate::outcome::{Feature, Limit, Step, Stop, UbKind};
use crate::value::{Pointer, Prov};
pub use bytes::{Contents, Fragment};
use provenance::{Provenances, Touch};
use std::sync::Arc;
pub(crate) use unread::Limits;
use unread::WritesOnly;

/// The lowest address of an object: null and small offsets from null are in no object.
pub const FIRST_ADDRESS: u64 = 0x1000;
/// Bytes left free after each object, so that a one-past-the-end pointer never equals the address of another object.
const GAP: u64 = 16;
/// Limits on storage kept for the next run: number of objects, and bytes per object.
const SPARE: (usize, usize) = (1024, 1 << 16);

/// What an allocation represents.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// A global variable, by name.
    Global(Arc<str>),
    /// A function, by name.
    Function(Arc<str>),
    /// The buffer of an input argument.
    Buffer(u32),
    /// A block of the input.
    Block(u32),
    /// An alloca of the run, numbered in order of allocation.
    Local(u32),
    /// A heap allocation of the run, numbered among all objects.
    Heap(u32),
    /// Memory returned by an external call, numbered in order.
    External(u32),
}

/// Whether an allocation can be accessed.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Liveness {
    /// It can be accessed.
    Live,
    /// An alloca before `lifetime.start` or after `lifetime.end`.
    OutsideLifetime,
    /// It has been freed.
    Freed,
}

/// An object in memory.
#[derive(Clone, Debug)]
pub struct Allocation {
    /// First address.
    pub base: u64,
    /// Size in bytes.
    pub size: u64,
    /// What the allocation represents.
    pub origin: Origin,
    /// Whether it can be accessed.
    pub liveness: Liveness,
    /// Whether it may be written.
    pub writable: bool,
    /// Whether it is the copy for a `byval` argument; the target chooses that copy's alignment.
    pub(crate) is_copy: bool,
    /// Whether it may be larger than `size`, because another module defines it.
    pub open_ended: bool,
    /// Whether its address has been converted to an integer.
    pub exposed: bool,
    /// Whether an outside function may know its address.
    pub escaped: bool,
    /// The contents.
    pub contents: Contents,
    /// A copy of the contents, if it is still up to date.
    snapshot: Option<Arc<Contents>>,
    /// The provenance of pointers to it.
    pub prov: Prov,
}

impl Allocation {
    /// Whether the run itself created it, so that the input does not determine its address.
    pub fn is_local(&self) -> bool {
        matches!(self.origin, Origin::Local(_) | Origin::Heap(_) | Origin::External(_))
    }
    /// Number of low address bits known to be zero. An alloca's address has no more alignment than declared
    /// ([`place`]); other objects are at addresses that the input determines.
    pub(crate) fn known_zeros(&self) -> u32 {
        if matches!(self.origin, Origin::Local(_)) { self.base.trailing_zeros() } else { u64::BITS }
    }
    /// Whether the alignment of `addr`, an address within the allocation, depends on where the alloca is placed.
    fn is_aligned_by_chance(&self, addr: u64) -> bool {
        addr.wrapping_sub(self.base).trailing_zeros() >= self.known_zeros()
    }
    /// Shared copy of the contents.
    pub(crate) fn snapshot(&mut self) -> Arc<Contents> {
        let contents = &self.contents;
        self.snapshot.get_or_insert_with(|| Arc::new(contents.clone())).clone()
    }
    /// Restores the contents from `initial`.
    pub(crate) fn restore(&mut self, initial: &Arc<Contents>) {
        if self.snapshot.as_ref().is_none_or(|s| !Arc::ptr_eq(s, initial)) {
            self.contents.clone_from(initial);
            self.snapshot = Some(initial.clone());
        }
    }
    /// The contents for writing; invalidates the snapshot.
    #[inline]
    pub(crate) fn contents_mut(&mut self) -> &mut Contents {
        self.snapshot = None;
        &mut self.contents
    }
}

/// Parameters of a new object.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) origin: Origin,
    pub(crate) size: u64,
    pub(crate) align: u64,
    pub(crate) writable: bool,
    /// Addresses must be below 2 to the power of this.
    pub(crate) pointer_bits: u32,
}

/// All memory of a run.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    allocs: Vec<Allocation>,
    pub(crate) provs: Provenances,
    next_address: u64,
    used_bytes: u64,
    max_bytes: u64,
    /// Whether objects were placed at requested addresses, so that allocation order is not address order.
    unordered: bool,
    /// Number of writes; used to detect that nothing changed.
    pub(crate) writes: u64,
    /// The first readable and the first writable allocation: the active functions may not access older ones.
    /// Constants are always readable.
    pub(crate) floors: (usize, usize),
    /// Active functions that may write but not read memory, outermost first.
    writing_only: Vec<WritesOnly>,
    /// Whether the run observed the address of a local object.
    pub observed_addresses: bool,
    pub(crate) big_endian: bool,
    /// Width in bits of a pointer of address space 0.
    pub(crate) pointer_bits: u32,
    /// Whether uninitialized memory is poison.
    pub(crate) uninit_poison: bool,
    /// See [`crate::Config::allocas_anywhere`].
    pub(crate) allocas_anywhere: bool,
    /// Contents of objects of earlier runs, kept for their storage.
    spare: Vec<Contents>,
}

/// Snapshot of how much memory existed.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Mark {
    pub(crate) allocs: usize,
    provs: usize,
    next_address: u64,
    used_bytes: u64,
    unordered: bool,
}

/// Resolved location of an access.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Target {
    pub(crate) alloc: usize,
    pub(crate) at: usize,
}

/// Bookkeeping bytes per object, counted toward the limit because many small objects use much memory too.
const BOOKKEEPING: u64 = 96;

impl Memory {
    pub(crate) fn new(max_bytes: u64, big_endian: bool, uninit_poison: bool) -> Self {
        Self { next_address: FIRST_ADDRESS, max_bytes, big_endian, uninit_poison, ..Self::default() }
    }
    /// All objects in order of allocation; also in address order unless an address was requested.
    pub fn allocations(&self) -> &[Allocation] {
        &self.allocs
    }
    pub(crate) fn allocation(&self, index: usize) -> &Allocation {
        &self.allocs[index]
    }
    pub(crate) fn allocation_mut(&mut self, index: usize) -> &mut Allocation {
        &mut self.allocs[index]
    }
    /// Creates an object with uninitialized contents.
    pub(crate) fn allocate(&mut self, request: Request) -> Step<Pointer> {
        self.allocate_at(request, None)
    }
    /// Like [`Memory::allocate`], at a given address, which must be free.
    pub(crate) fn allocate_at(&mut self, request: Request, at: Option<u64>) -> Step<Pointer> {
        let size = usize::try_from(request.size).map_err(|_| Stop::Limit(Limit::Memory))?;
        self.used_bytes = self.used_bytes.saturating_add(request.size).saturating_add(BOOKKEEPING);
        if self.used_bytes > self.max_bytes {
            return Err(Stop::Limit(Limit::Memory));
        }
        let exhausted = Stop::Limit(Limit::AddressSpace);
        let base = at.or_else(|| place(self.next_address, request.align));
        let base = base.ok_or_else(|| exhausted.clone())?;
        let end = base.checked_add(request.size).ok_or_else(|| exhausted.clone())?;
        if u128::from(end) >= 1 << request.pointer_bits || at.is_some() && !self.is_free(base, end) {
            return Err(exhausted);
        }
        self.unordered |= base < self.next_address;
        self.next_address = self.next_address.max(end.checked_add(GAP).ok_or(exhausted)?);
        let index = u32::try_from(self.allocs.len()).map_err(|_| Stop::Limit(Limit::Memory))?;
        let prov = self.provs.plain(index);
        let mut contents = self.spare.pop().unwrap_or_default();
        contents.renew(size);
        uninitialise(&mut contents, self.uninit_poison);
        self.allocs.push(Allocation {
            base,
            size: request.size,
            origin: request.origin,
            liveness: Liveness::Live,
            writable: request.writable,
            is_copy: false,
            open_ended: false,
            exposed: false,
            escaped: false,
            contents,
            snapshot: None,
            prov,
        });
        Ok(Pointer { addr: base, prov })
    }
    /// Whether no object overlaps `base..end`.
    fn is_free(&self, base: u64, end: u64) -> bool {
        base > 0 && self.allocs.iter().all(|a| end <= a.base || a.base + a.size <= base)
    }
    /// The object that a pointer is based on. For a pointer made from an integer: the exposed object that contains
    /// its address or ends there.
    pub(crate) fn object_of(&self, ptr: Pointer) -> Option<usize> {
        if let Some(alloc) = self.provs.alloc_of(ptr.prov) {
            return Some(alloc as usize);
        }
        if ptr.prov != Prov::WILDCARD {
            return None;
        }
        let holds = |a: &Allocation| a.exposed && a.base <= ptr.addr && ptr.addr - a.base <= a.size;
        if self.unordered {
            // Adjacent blocks may touch: prefer the block that contains the address to the one that ends there.
            let inside = |a: &Allocation| holds(a) && ptr.addr - a.base < a.size;
            return self.allocs.iter().position(inside).or_else(|| self.allocs.iter().position(holds));
        }
        let index = self.allocs.partition_point(|a| a.base <= ptr.addr).checked_sub(1)?;
        holds(&self.allocs[index]).then_some(index)
    }
    /// How a run ends when an access is refused for reason `kind`. Memory after the declared end of an object that
    /// may be larger is unknown, not UB.
    #[cold]
    pub(crate) fn refusal(&self, kind: UbKind, ptr: Pointer) -> Stop {
        let is_past_declared_end = |a: &Allocation| a.open_ended && ptr.addr >= a.base;
        match self.object_of(ptr).map(|index| &self.allocs[index]) {
            Some(alloc) if kind == UbKind::OutOfBounds && is_past_declared_end(alloc) => {
                Stop::unsupported(Feature::Other("memory after the declared end of another module's global"))
            }
            Some(alloc)
                if kind == UbKind::Misaligned
                    && (alloc.is_copy || !self.allocas_anywhere)
                    && alloc.is_aligned_by_chance(ptr.addr) =>
            {
                Stop::unsupported(Feature::Other("an access with more alignment than its alloca"))
            }
            _ => Stop::Ub(kind),
        }
    }
    /// Checks an access of `len` bytes (at least 1): the pointer's object must be live and contain them.
    #[inline]
    pub(crate) fn check(&self, ptr: Pointer, len: u64, align: u64) -> Result<Target, UbKind> {
        let Some(index) = self.object_of(ptr) else {
            return Err(if ptr.addr == 0 { UbKind::NullDereference } else { UbKind::InvalidPointer });
        };
        let alloc = &self.allocs[index];
        let at = ptr.addr.wrapping_sub(alloc.base);
        if at > alloc.size || alloc.size - at < len {
            return Err(UbKind::OutOfBounds);
        }
        if ptr.addr & (align - 1) != 0 || align.trailing_zeros() > alloc.known_zeros() {
            return Err(UbKind::Misaligned);
        }
        if alloc.liveness == Liveness::Freed {
            return Err(UbKind::UseAfterFree);
        }
        if matches!(alloc.origin, Origin::Function(_)) {
            return Err(UbKind::OutOfBounds);
        }
        Ok(Target { alloc: index, at: at as usize })
    }
    /// Checks a read. `Ok(None)` means that the object is outside its lifetime and all its bits are poison.
    #[inline]
    pub(crate) fn check_read(
        &mut self,
        ptr: Pointer,
        len: u64,
        align: u64,
    ) -> Result<Option<Target>, UbKind> {
        let target = self.check(ptr, len, align)?;
        if target.alloc < self.floors.0 && self.allocs[target.alloc].writable {
            return Err(UbKind::MemoryEffectsViolated);
        }
        if self.provs.watching() {
            self.touch(ptr.prov, target, len, false)?;
        }
        Ok((self.allocs[target.alloc].liveness == Liveness::Live).then_some(target))
    }
    /// Checks a write and counts it.
    #[inline]
    pub(crate) fn check_write(&mut self, ptr: Pointer, len: u64, align: u64) -> Result<Target, UbKind> {
        let target = self.check(ptr, len, align)?;
        let alloc = &self.allocs[target.alloc];
        if !alloc.writable {
            return Err(UbKind::ReadOnlyWrite);
        }
        if alloc.liveness != Liveness::Live {
            return Err(UbKind::StoreOutsideLifetime);
        }
        if target.alloc < self.floors.1 {
            return Err(UbKind::MemoryEffectsViolated);
        }
        if self.provs.watching() {
            self.touch(ptr.prov, target, len, true)?;
        }
        if self.is_writing_only() {
            self.note_written(target, len as usize);
        }
        self.writes += 1;
        Ok(target)
    }
    /// Loads `len` bytes and stores them back, if they exist. The contents do not change, but accesses that a
    /// restricted argument excludes become UB.
    pub(crate) fn store_back(&mut self, ptr: Pointer, len: u64) -> Result<(), UbKind> {
        match self.check(ptr, len, 1) {
            Ok(target) => self.touch(ptr.prov, target, len, true),
            Err(_) => Ok(()),
        }
    }
    fn touch(&mut self, prov: Prov, target: Target, len: u64, write: bool) -> Result<(), UbKind> {
        let size = self.allocs[target.alloc].contents.len();
        let touch = Touch { alloc: target.alloc as u32, at: target.at, len: len as usize, write };
        self.provs.touch(prov, size, touch)
    }
    /// The first address never used.
    pub(crate) fn end(&self) -> u64 {
        self.next_address
    }
    /// Leaves addresses below `address` unused.
    pub(crate) fn skip_to(&mut self, address: u64) {
        self.next_address = self.next_address.max(address);
    }
    /// Resets the bits of an object to their state after allocation.
    pub(crate) fn uninitialise(&mut self, index: usize) {
        let poison = self.uninit_poison;
        uninitialise(self.allocs[index].contents_mut(), poison);
        self.writes += 1;
    }
    /// Resets a range of an object's bytes to its state after allocation.
    pub(crate) fn uninitialise_range(&mut self, index: usize, at: usize, len: usize) {
        let poison = self.uninit_poison;
        let contents = self.allocs[index].contents_mut();
        if poison { contents.set_poison(at, len) } else { contents.set_undef(at, len) }
    }
    /// Records that the address of `prov`'s object was converted to an integer.
    pub(crate) fn expose(&mut self, prov: Prov) {
        self.provs.expose(prov);
        if let Some(index) = self.provs.alloc_of(prov) {
            let alloc = &mut self.allocs[index as usize];
            alloc.exposed = true;
            alloc.escaped = true;
            self.observed_addresses |= alloc.is_local();
        }
    }
    /// Records a comparison of two addresses whose result depends on the placement of local objects.
    pub(crate) fn note_comparison(&mut self, a: Pointer, b: Pointer, ordered: bool) {
        let (x, y) = (self.object_of(a), self.object_of(b));
        if x == y {
            return;
        }
        for (ptr, object) in [(a, x), (b, y)] {
            let Some(alloc) = object.map(|i| &self.allocs[i]) else { continue };
            let inside = ptr.addr.wrapping_sub(alloc.base) < alloc.size;
            self.observed_addresses |= alloc.is_local() && (ordered && x.is_some() && y.is_some() || !inside);
        }
    }
    /// Takes a mark for [`Memory::reset`].
    pub(crate) fn mark(&self) -> Mark {
        Mark {
            allocs: self.allocs.len(),
            provs: self.provs.len(),
            next_address: self.next_address,
            used_bytes: self.used_bytes,
            unordered: self.unordered,
        }
    }
    /// Discards everything created since `mark`.
    pub(crate) fn reset(&mut self, mark: Mark) {
        let used = self.allocs.drain(mark.allocs..).map(|a| a.contents);
        self.spare.extend(used.filter(|c| c.len() <= SPARE.1));
        self.spare.truncate(SPARE.0);
        self.provs.reset(mark.provs);
        (self.next_address, self.used_bytes) = (mark.next_address, mark.used_bytes);
        self.unordered = mark.unordered;
        self.writes = 0;
        self.floors = (0, 0);
        self.writing_only.clear();
        self.observed_addresses = false;
    }
}

/// The first address from `from` on that is a multiple of `align` but not of twice `align`.
fn place(from: u64, align: u64) -> Option<u64> {
    let align = align.max(1);
    let base = from.checked_next_multiple_of(align)?;
    if base & align == 0 { base.checked_add(align) } else { Some(base) }
}

fn uninitialise(contents: &mut Contents, poison: bool) {
    let len = contents.len();
    if poison {
        contents.set_poison(0, len);
    } else {
        contents.set_undef(0, len);
    }
}
