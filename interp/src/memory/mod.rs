//! Memory: allocations at disjoint addresses that are never used twice in a run, and the checks before each access.
//!
//! Addresses grow from [`FIRST_ADDRESS`] on, with a gap behind each allocation, so that one-past-the-end pointers
//! equal no other object's address. An object is aligned as its declaration says and not better, so that relying on
//! more shows. This is one of the layouts that the language allows; a run that looked at the address of a local
//! object says so ([`Memory::observed_addresses`]).

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

/// The lowest address of an object.
pub const FIRST_ADDRESS: u64 = 0x1000;
const GAP: u64 = 16;
/// How many objects' room is kept from one run to the next, and up to which size in bytes.
const SPARE: (usize, usize) = (1024, 1 << 16);

/// What an allocation is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// A global variable, by its name.
    Global(Arc<str>),
    /// A function, by its name.
    Function(Arc<str>),
    /// A buffer that belongs to an input's argument.
    Buffer(u32),
    /// A block of the input.
    Block(u32),
    /// An alloca of the run, counted in order of allocation.
    Local(u32),
    /// An allocation of the run, counted with all objects.
    Heap(u32),
    /// Memory that an external call returned, counted in order.
    External(u32),
}

/// Whether an allocation can be accessed.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Liveness {
    /// It can.
    Live,
    /// An alloca before `lifetime.start` or behind `lifetime.end`.
    OutsideLifetime,
    /// It is gone.
    Freed,
}

/// An object in memory.
#[derive(Clone, Debug)]
pub struct Allocation {
    /// Its first address.
    pub base: u64,
    /// Its size in bytes.
    pub size: u64,
    /// What it is.
    pub origin: Origin,
    /// Whether it can be accessed.
    pub liveness: Liveness,
    /// Whether it may be written.
    pub writable: bool,
    /// Whether it is the copy for a `byval` argument, whose alignment the target may choose.
    pub(crate) is_copy: bool,
    /// Whether it may be larger: another module says how large.
    pub open_ended: bool,
    /// Whether its address has become an integer.
    pub exposed: bool,
    /// Whether an outside function may know its address.
    pub escaped: bool,
    /// Its contents.
    pub contents: Contents,
    /// A copy of the contents that is still right.
    snapshot: Option<Arc<Contents>>,
    /// The provenance of pointers to it.
    pub prov: Prov,
}

impl Allocation {
    /// Whether it was made by the run itself, so that its address is not given by the input.
    pub fn is_local(&self) -> bool {
        matches!(self.origin, Origin::Local(_) | Origin::Heap(_) | Origin::External(_))
    }
    /// How many low bits of its address are known to be zero. That of an alloca has no more alignment than the alloca has
    /// ([`place`]); others lie where the input says.
    pub(crate) fn known_zeros(&self) -> u32 {
        if matches!(self.origin, Origin::Local(_)) { self.base.trailing_zeros() } else { u64::BITS }
    }
    /// Whether it depends on where the alloca lies if an access at `addr` within it is aligned that is not surely so.
    fn is_aligned_by_chance(&self, addr: u64) -> bool {
        addr.wrapping_sub(self.base).trailing_zeros() >= self.known_zeros()
    }
    /// The contents for keeping.
    pub(crate) fn snapshot(&mut self) -> Arc<Contents> {
        let contents = &self.contents;
        self.snapshot.get_or_insert_with(|| Arc::new(contents.clone())).clone()
    }
    /// Brings back contents of which `initial` was a copy.
    pub(crate) fn restore(&mut self, initial: &Arc<Contents>) {
        if self.snapshot.as_ref().is_none_or(|s| !Arc::ptr_eq(s, initial)) {
            self.contents.clone_from(initial);
            self.snapshot = Some(initial.clone());
        }
    }
    /// The contents for writing.
    #[inline]
    pub(crate) fn contents_mut(&mut self) -> &mut Contents {
        self.snapshot = None;
        &mut self.contents
    }
}

/// What is asked for when an object is made.
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
    /// Whether objects were placed at addresses that were asked for, so that their order is not that of addresses.
    unordered: bool,
    /// Counts writes, for noticing that nothing changed.
    pub(crate) writes: u64,
    /// The first allocation that may be read and the first that may be written: the functions that are running may
    /// not touch older ones, except that constants can always be read.
    pub(crate) floors: (usize, usize),
    /// The running functions that may write memory and not read it, outermost first.
    writing_only: Vec<WritesOnly>,
    /// Whether the address of a local object was looked at.
    pub observed_addresses: bool,
    pub(crate) big_endian: bool,
    /// Width in bits of a pointer of address space 0.
    pub(crate) pointer_bits: u32,
    /// Whether uninitialised memory is poison.
    pub(crate) uninit_poison: bool,
    /// See [`crate::Config::allocas_anywhere`].
    pub(crate) allocas_anywhere: bool,
    /// Contents of objects of earlier runs, for the room that they have.
    spare: Vec<Contents>,
}

/// How much memory there was at some time.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Mark {
    pub(crate) allocs: usize,
    provs: usize,
    next_address: u64,
    used_bytes: u64,
    unordered: bool,
}

/// Where an access goes.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Target {
    pub(crate) alloc: usize,
    pub(crate) at: usize,
}

/// Bytes that an object takes beside its contents, counted with them: many small objects are much memory too.
const BOOKKEEPING: u64 = 96;

impl Memory {
    pub(crate) fn new(max_bytes: u64, big_endian: bool, uninit_poison: bool) -> Self {
        Self { next_address: FIRST_ADDRESS, max_bytes, big_endian, uninit_poison, ..Self::default() }
    }
    /// All objects in order of allocation, which is the order of addresses unless an address was asked for.
    pub fn allocations(&self) -> &[Allocation] {
        &self.allocs
    }
    pub(crate) fn allocation(&self, index: usize) -> &Allocation {
        &self.allocs[index]
    }
    pub(crate) fn allocation_mut(&mut self, index: usize) -> &mut Allocation {
        &mut self.allocs[index]
    }
    /// Makes an object; its contents are uninitialised.
    pub(crate) fn allocate(&mut self, request: Request) -> Step<Pointer> {
        self.allocate_at(request, None)
    }
    /// [`Memory::allocate`] at a given address, which has to be free.
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
    /// Whether no object lies at `base` to `end` or next to them.
    fn is_free(&self, base: u64, end: u64) -> bool {
        base > 0 && self.allocs.iter().all(|a| end <= a.base || a.base + a.size <= base)
    }
    /// The object that a pointer is based on. For one made from an integer: the exposed one that holds its address,
    /// or ends there.
    pub(crate) fn object_of(&self, ptr: Pointer) -> Option<usize> {
        if let Some(alloc) = self.provs.alloc_of(ptr.prov) {
            return Some(alloc as usize);
        }
        if ptr.prov != Prov::WILDCARD {
            return None;
        }
        let holds = |a: &Allocation| a.exposed && a.base <= ptr.addr && ptr.addr - a.base <= a.size;
        if self.unordered {
            // Blocks may touch: the one that the address lies in goes before the one that ends there.
            let inside = |a: &Allocation| holds(a) && ptr.addr - a.base < a.size;
            return self.allocs.iter().position(inside).or_else(|| self.allocs.iter().position(holds));
        }
        let index = self.allocs.partition_point(|a| a.base <= ptr.addr).checked_sub(1)?;
        holds(&self.allocs[index]).then_some(index)
    }
    /// How a run ends whose access is not allowed for that reason. What lies behind the declared end of an object that may be
    /// larger is not known.
    #[cold]
    pub(crate) fn refusal(&self, kind: UbKind, ptr: Pointer) -> Stop {
        let is_behind = |a: &Allocation| a.open_ended && ptr.addr >= a.base;
        match self.object_of(ptr).map(|index| &self.allocs[index]) {
            Some(alloc) if kind == UbKind::OutOfBounds && is_behind(alloc) => Stop::unsupported(
                Feature::Other("memory behind what is declared of a global of another module"),
            ),
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
    /// Checks an access of `len` bytes (at least 1); the pointer's object must be live and hold them.
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
    /// Checks a read. `Ok(None)`: the object is outside its lifetime and all its bits are poison.
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
    /// Checks a write, and counts it.
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
    /// Loads `len` bytes and stores them back, where they are there: nothing changes, and nobody else may access them
    /// whom a restricted argument keeps from it.
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
    /// The first address that was never used.
    pub(crate) fn end(&self) -> u64 {
        self.next_address
    }
    /// Leaves addresses below `address` unused.
    pub(crate) fn skip_to(&mut self, address: u64) {
        self.next_address = self.next_address.max(address);
    }
    /// Makes the bits of an object as they are after allocation.
    pub(crate) fn uninitialise(&mut self, index: usize) {
        let poison = self.uninit_poison;
        uninitialise(self.allocs[index].contents_mut(), poison);
        self.writes += 1;
    }
    /// Makes a range of an object's bytes what they are after allocation.
    pub(crate) fn uninitialise_range(&mut self, index: usize, at: usize, len: usize) {
        let poison = self.uninit_poison;
        let contents = self.allocs[index].contents_mut();
        if poison { contents.set_poison(at, len) } else { contents.set_undef(at, len) }
    }
    /// Notes that the address behind `prov` has become an integer.
    pub(crate) fn expose(&mut self, prov: Prov) {
        self.provs.expose(prov);
        if let Some(index) = self.provs.alloc_of(prov) {
            let alloc = &mut self.allocs[index as usize];
            alloc.exposed = true;
            alloc.escaped = true;
            self.observed_addresses |= alloc.is_local();
        }
    }
    /// Notes that two addresses are compared in a way that depends on where local objects lie.
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
    /// How much there is, for [`Memory::reset`].
    pub(crate) fn mark(&self) -> Mark {
        Mark {
            allocs: self.allocs.len(),
            provs: self.provs.len(),
            next_address: self.next_address,
            used_bytes: self.used_bytes,
            unordered: self.unordered,
        }
    }
    /// Forgets what was made since `mark`.
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

/// The first address from `from` on that is a multiple of `align` but not of twice that.
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
