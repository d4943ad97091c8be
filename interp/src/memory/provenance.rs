//! Provenance: the allocation that a pointer is based on, and the restricted arguments that it was derived from.
//!
//! A pointer derived from a `noalias` argument carries that argument's scope while the call runs. LangRef ("Parameter
//! Attributes", noalias): memory that is accessed through pointers based on the argument and is modified, by any
//! means, while the function runs must not be accessed through other pointers in that time. Each scope logs accesses
//! per byte. The rule is violated when a byte was accessed from both sides and written by either. Accesses through
//! pointers made from integers count as the side that is allowed.
//!
//! The rule binds outside functions too. One that never received a pointer based on the argument may not write bytes
//! accessed through the argument, nor read bytes written through it, before or after. If such a function certainly
//! returns, the comparison of runs ignores those bytes of its view ([`crate::observe::SeenMemory::hidden`]). A scope
//! becomes exposed, so that any outside function may have a pointer of the scope, when such a pointer is converted to
//! an integer that is used, or is passed to a call: as an argument that may be captured, or in memory that the call
//! can reach.

use crate::outcome::UbKind;
use crate::value::{Prov, Val};
use smallvec::SmallVec;
use std::hash::{Hash as _, Hasher};
use std::sync::Arc;

/// Requirements of a restricted argument.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Restriction {
    pub(crate) noalias: bool,
    /// Writing through the argument is UB.
    pub(crate) readonly: bool,
    /// Bytes read through the argument are poison until the function has written them.
    pub(crate) writeonly: bool,
    /// Reading through the argument is UB.
    pub(crate) readnone: bool,
    /// Number of bytes from the argument on that are loaded and stored back on entry (LangRef, `writable`); `noalias`
    /// counts this as an access.
    pub(crate) stored_back: u64,
}

impl Restriction {
    pub(crate) fn is_none(self) -> bool {
        self == Self::default()
    }
}

/// The byte was read through the argument.
const READ: u8 = 1;
/// The byte was written through the argument.
const WRITTEN: u8 = 2;
/// The byte was read through another pointer.
const OTHER_READ: u8 = 4;
/// The byte was written through another pointer.
const OTHER_WRITTEN: u8 = 8;
/// An outside function wrote the byte.
const EXTERNAL: u8 = 16;

/// Whether a byte with these marks violates the rule. With early reads, reads alone (through the argument or by
/// others) violate nothing.
fn broken(marks: u8, early_reads: bool) -> bool {
    let (based, other) = match early_reads {
        true => (WRITTEN, OTHER_WRITTEN),
        false => (READ | WRITTEN, OTHER_READ | OTHER_WRITTEN),
    };
    let (based, other) = (marks & based != 0, marks & other != 0);
    based && (other && marks & (WRITTEN | OTHER_WRITTEN) != 0 || marks & EXTERNAL != 0)
}

/// For each byte of an object, whether it is selected.
pub(crate) type Bytes = Arc<[bool]>;

/// An event whose memory may still get hidden bytes from a scope: index of the event and of the object in it.
pub(crate) type Waiting = (usize, usize);

#[derive(Clone, Debug)]
pub(crate) struct Scope {
    number: u32,
    /// The object that pointers based on the argument point to.
    alloc: u32,
    restriction: Restriction,
    exposed: bool,
    /// Marks of the object's bytes; empty as long as there are none.
    log: Vec<u8>,
    /// Bytes written through the argument; `None` if not computed for the current log.
    written: Option<Bytes>,
    /// Events in which bytes written from now on must be hidden.
    waiting: Vec<Waiting>,
    /// Bytes that the function has written by any means, if it may read no others through the argument; empty as long
    /// as there are none.
    own: Vec<bool>,
}

impl Scope {
    /// Bytes written through pointers based on the argument; `None` if there are none.
    pub(crate) fn written(&mut self) -> Option<Bytes> {
        if self.written.is_none() && self.log.iter().any(|m| m & WRITTEN != 0) {
            self.written = Some(self.log.iter().map(|m| m & WRITTEN != 0).collect());
        }
        self.written.clone()
    }
    /// Registers an event in which bytes written from now on must be hidden.
    pub(crate) fn wait(&mut self, waiting: Waiting) {
        self.waiting.push(waiting);
    }
    /// Takes the registered events.
    pub(crate) fn take_waiting(&mut self) -> Vec<Waiting> {
        std::mem::take(&mut self.waiting)
    }
    fn note_written(&mut self, size: usize, at: usize, len: usize) {
        self.own.resize(size, false);
        self.own.iter_mut().skip(at).take(len).for_each(|byte| *byte = true);
    }
    fn mark(
        &mut self,
        size: usize,
        at: usize,
        len: usize,
        mark: u8,
        early_reads: bool,
    ) -> Result<(), UbKind> {
        if self.log.is_empty() {
            self.log.resize(size, 0);
        }
        for byte in self.log.iter_mut().skip(at).take(len) {
            if *byte | mark == *byte {
                continue;
            }
            *byte |= mark;
            if mark & WRITTEN != 0 {
                self.written = None;
            }
            if broken(*byte, early_reads) {
                return Err(UbKind::NoAliasViolated);
            }
        }
        Ok(())
    }
}

#[derive(Clone, Debug)]
struct Entry {
    alloc: u32,
    scopes: SmallVec<[u32; 2]>,
}

/// All provenances of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Provenances {
    entries: Vec<Entry>,
    /// Scopes that are open.
    open: Vec<Scope>,
    next_scope: u32,
    /// See [`crate::Config::early_reads`].
    pub(crate) early_reads: bool,
}

/// An accessed range of an allocation.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Touch {
    pub(crate) alloc: u32,
    pub(crate) at: usize,
    pub(crate) len: usize,
    pub(crate) write: bool,
}

/// The scopes that the arguments of a call are based on.
pub(crate) type Passed = SmallVec<[u32; 4]>;

impl Provenances {
    /// Creates a provenance for a pointer to allocation `alloc`.
    pub(crate) fn plain(&mut self, alloc: u32) -> Prov {
        self.entries.push(Entry { alloc, scopes: SmallVec::new() });
        Prov(self.entries.len() as u32 + 1)
    }
    /// The allocation of `prov`; `None` if `prov` has none or is the wildcard.
    #[inline]
    pub(crate) fn alloc_of(&self, prov: Prov) -> Option<u32> {
        let index = (prov.0 as usize).checked_sub(2)?;
        self.entries.get(index).map(|e| e.alloc)
    }
    /// Opens a scope for a restricted argument and returns the provenance of pointers based on it.
    pub(crate) fn restrict(&mut self, prov: Prov, restriction: Restriction) -> Prov {
        let Some(entry) = (prov.0 as usize).checked_sub(2).and_then(|i| self.entries.get(i)) else {
            return prov;
        };
        let mut entry = entry.clone();
        entry.scopes.push(self.next_scope);
        self.open.push(Scope {
            number: self.next_scope,
            alloc: entry.alloc,
            restriction,
            exposed: false,
            log: Vec::new(),
            written: None,
            waiting: Vec::new(),
            own: Vec::new(),
        });
        self.next_scope += 1;
        self.entries.push(entry);
        Prov(self.entries.len() as u32 + 1)
    }
    /// Number of open scopes; pass it to [`Provenances::close_to`] when the function returns.
    pub(crate) fn open_scopes(&self) -> usize {
        self.open.len()
    }
    /// Closes the most recently opened scopes until `count` are left.
    pub(crate) fn close_to(&mut self, count: usize) {
        self.open.truncate(count);
    }
    /// Drops all provenances after the first `count`.
    pub(crate) fn reset(&mut self, count: usize) {
        self.entries.truncate(count);
        self.open.clear();
        self.next_scope = 0;
    }
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }
    /// Whether any scope is open, so that accesses must be reported.
    #[inline]
    pub(crate) fn watching(&self) -> bool {
        !self.open.is_empty()
    }
    fn scopes_of(&self, prov: Prov) -> &[u32] {
        let entry = (prov.0 as usize).checked_sub(2).and_then(|i| self.entries.get(i));
        entry.map_or(&[], |e| &e.scopes)
    }
    /// Records that outside code may have pointers with provenance `prov` from now on.
    pub(crate) fn expose(&mut self, prov: Prov) {
        if self.watching() {
            let scopes: SmallVec<[u32; 2]> = self.scopes_of(prov).into();
            for scope in self.open.iter_mut().filter(|s| scopes.contains(&s.number)) {
                scope.exposed = true;
            }
        }
    }
    /// [`Provenances::expose`] for the pointers in `value`.
    pub(crate) fn hand_out(&mut self, value: &Val) {
        match value {
            Val::Ptr(ptr) => self.expose(ptr.prov),
            Val::Agg(members) => members.iter().for_each(|m| self.hand_out(m)),
            Val::Poison | Val::Bits(_) | Val::Wide(_) => {}
        }
    }
    /// Adds the scopes that the pointers in `value` are based on.
    pub(crate) fn add_scopes(&self, value: &Val, to: &mut Passed) {
        match value {
            Val::Ptr(ptr) => to.extend_from_slice(self.scopes_of(ptr.prov)),
            Val::Agg(members) => members.iter().for_each(|m| self.add_scopes(m, to)),
            Val::Poison | Val::Bits(_) | Val::Wide(_) => {}
        }
    }
    /// The open `noalias` scopes of allocation `alloc` of which an outside function that received the scopes `passed`
    /// has no pointer.
    pub(crate) fn sheltering(&mut self, alloc: usize, passed: &Passed) -> impl Iterator<Item = &mut Scope> {
        self.open.iter_mut().filter(move |s| {
            s.restriction.noalias && s.alloc as usize == alloc && !s.exposed && !passed.contains(&s.number)
        })
    }
    /// Bytes of an allocation that may not be read through `args`: pointers outside the `noalias` scope shared by all
    /// of `args` that point to the allocation wrote them.
    pub(crate) fn written_outside_scope(&self, alloc: usize, args: &[Val]) -> Option<Bytes> {
        let leads = |val: &&Val| match val {
            Val::Ptr(ptr) => self.alloc_of(ptr.prov).is_none_or(|to| to as usize == alloc),
            Val::Agg(_) => true,
            Val::Poison | Val::Bits(_) | Val::Wide(_) => false,
        };
        let is_of = |scope: &Scope, val: &Val| match val {
            Val::Ptr(ptr) => self.scopes_of(ptr.prov).contains(&scope.number),
            Val::Poison | Val::Bits(_) | Val::Wide(_) | Val::Agg(_) => false,
        };
        let there = args.iter().filter(leads);
        let scope = self.open.iter().find(|scope| {
            scope.restriction.noalias
                && scope.alloc as usize == alloc
                && there.clone().all(|val| is_of(scope, val))
        })?;
        Some(scope.log.iter().map(|marks| marks & OTHER_WRITTEN != 0).collect())
    }
    /// The scopes opened from the `from`-th on.
    pub(crate) fn scopes_from(&mut self, from: usize) -> &mut [Scope] {
        self.open.get_mut(from..).unwrap_or_default()
    }
    /// Reports that an outside function that received the scopes `passed` writes byte `at` of an allocation of `size`
    /// bytes.
    pub(crate) fn touch_from_outside(
        &mut self,
        alloc: usize,
        size: usize,
        at: usize,
        passed: &Passed,
    ) -> Result<(), UbKind> {
        let early_reads = self.early_reads;
        let only_written = |s: &&mut Scope| s.restriction.writeonly && s.alloc as usize == alloc;
        self.open.iter_mut().filter(only_written).for_each(|s| s.note_written(size, at, 1));
        self.sheltering(alloc, passed).try_for_each(|s| s.mark(size, at, 1, EXTERNAL, early_reads))
    }
    /// Whether a scope is open through which unwritten bytes read as poison.
    #[inline]
    pub(super) fn is_writing_only(&self) -> bool {
        self.open.iter().any(|scope| scope.restriction.writeonly)
    }
    /// Whether byte `at` of the object reads as poison through `prov`: a `writeonly` argument's function has not
    /// written it.
    pub(super) fn is_unread(&self, prov: Prov, at: usize) -> bool {
        let scopes = self.scopes_of(prov);
        let hides = |scope: &Scope| {
            scope.restriction.writeonly
                && scopes.contains(&scope.number)
                && scope.own.get(at).is_none_or(|own| !own)
        };
        self.open.iter().any(hides)
    }
    /// Hashes the state that [`Provenances::is_unread`] depends on.
    pub(super) fn written_so_far(&self, hasher: &mut impl Hasher) {
        for scope in self.open.iter().filter(|scope| scope.restriction.writeonly) {
            (scope.number, &scope.own).hash(hasher);
        }
    }
    /// Reports an access through a pointer with provenance `prov` to an allocation of `size` bytes.
    pub(crate) fn touch(&mut self, prov: Prov, size: usize, touch: Touch) -> Result<(), UbKind> {
        let Some(entry) = (prov.0 as usize).checked_sub(2).and_then(|i| self.entries.get(i)) else {
            return Ok(());
        };
        for scope in self.open.iter_mut().filter(|s| s.alloc == touch.alloc) {
            let based = entry.scopes.contains(&scope.number);
            if based && touch.write && scope.restriction.readonly {
                return Err(UbKind::ReadOnlyArgument);
            }
            if based && !touch.write && scope.restriction.readnone {
                return Err(UbKind::ReadNoneArgument);
            }
            if scope.restriction.writeonly && touch.write {
                scope.note_written(size, touch.at, touch.len);
            }
            if !scope.restriction.noalias {
                continue;
            }
            let mark = match (based, touch.write) {
                (true, false) => READ,
                (true, true) => WRITTEN,
                (false, false) => OTHER_READ,
                (false, true) => OTHER_WRITTEN,
            };
            scope.mark(size, touch.at, touch.len, mark, self.early_reads)?;
        }
        Ok(())
    }
}
