//! The observable behavior of a run: events and memory, in terms that do not depend on the addresses of local
//! objects.
//!
//! An object is identified by its name: a global, a function, a buffer of the input, or the n-th local object that
//! was exposed to outside code. A pointer is seen as an object and an offset; it is seen as an address only if it has
//! no object.

mod answers;

use crate::exec::library::LibraryUse;
use crate::memory::provenance::{Passed, Provenances};
use crate::memory::{Contents, Fragment, Liveness, Memory, Origin};
use crate::outcome::Place;
use crate::value::{Cube, Pointer, Prov, Val};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::Arc;

use answers::CallIndex;
pub use answers::{Answered, first_unscripted};

/// First number of the additional buffers of arguments that have several; more than any number of arguments.
pub const FURTHER_BUFFERS: u32 = 1 << 16;

/// The name of an object; equal in any two runs that can be compared.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum ObjectName {
    /// A global variable.
    Global(Arc<str>),
    /// A function.
    Function(Arc<str>),
    /// A buffer of the input. The number is its argument's, or from [`FURTHER_BUFFERS`] on for additional buffers of
    /// arguments with several pointers.
    Buffer(u32),
    /// A block of the input.
    Block(u32),
    /// A local object, numbered in the order in which outside code first saw such objects.
    Local(u32),
    /// Memory returned by the n-th external call.
    External(u32),
}

/// A value as outside code sees it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Seen {
    /// Poison.
    Poison,
    /// Bits, possibly undefined in part.
    Bits(Cube),
    /// A pointer into an object, with its offset in bytes.
    Ptr(ObjectName, u64),
    /// A pointer to no known object.
    Address(u64),
    /// Members of an aggregate.
    Agg(Vec<Seen>),
}

/// Contents of an object as outside code sees them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeenMemory {
    /// The object.
    pub object: ObjectName,
    /// Its bytes; bytes of pointers contain addresses of this run.
    pub contents: Arc<Contents>,
    /// The pointers in it, sorted by offset: offset of the first byte, and the pointer's target.
    pub pointers: Vec<(usize, Seen)>,
    /// Bytes that the called function cannot read without violating a `noalias` argument. A byte is hidden if any of
    /// these vectors marks it.
    pub hidden: Vec<Arc<[bool]>>,
}

impl SeenMemory {
    /// Whether byte `at` is hidden.
    pub fn hides(&self, at: usize) -> bool {
        self.hidden.iter().any(|bytes| bytes.get(at) == Some(&true))
    }
    /// Makes a range poison.
    pub(crate) fn poison(&mut self, range: Range<usize>) {
        let contents = Arc::make_mut(&mut self.contents);
        let size = contents.bytes.len();
        let range = range.start.min(size)..range.end.min(size);
        contents.poison.resize(size, 0);
        contents.poison[range.clone()].fill(0xff);
        contents.bytes[range.clone()].fill(0);
        if let Some(undef) = contents.undef.get_mut(range.clone()) {
            undef.fill(0);
        }
        if let Some(pieces) = contents.fragments.get_mut(range.clone()) {
            pieces.fill(Fragment::NONE);
        }
        self.pointers.retain(|(at, _)| !range.contains(at));
    }
    /// Hides bytes.
    fn hide(&mut self, bytes: Arc<[bool]>) {
        if self.hidden.last().is_none_or(|last| !Arc::ptr_eq(last, &bytes)) {
            self.hidden.push(bytes);
        }
    }
    /// The pointer that contains byte `at`, and the index of that byte in memory order.
    pub fn pointer_at(&self, at: usize) -> Option<(&Seen, u8)> {
        let fragment = self.contents.fragments.get(at).filter(|f| f.prov != Prov::NONE)?;
        let start = at.checked_sub(fragment.index.into())?;
        let index = self.pointers.binary_search_by_key(&start, |(at, _)| *at).ok()?;
        Some((&self.pointers[index].1, fragment.index))
    }
    /// Whether byte `at` has the state that `written` would give it.
    pub fn holds(&self, at: u64, written: &Written) -> bool {
        let Some(at) = usize::try_from(at).ok().filter(|at| *at < self.contents.len()) else { return false };
        let plane = |plane: &[u8]| plane.get(at).copied().unwrap_or(0);
        let contents = &self.contents;
        match (written, self.pointer_at(at)) {
            (Written::Bits { value, undef, poison }, None) => {
                contents.fragments.get(at).is_none_or(|f| f.prov == Prov::NONE)
                    && plane(&contents.poison) == *poison
                    && plane(&contents.undef) == *undef & !poison
                    && contents.bytes[at] == *value & !undef & !poison
            }
            (Written::Pointer { pointer, index }, Some((held, part))) => pointer == held && *index == part,
            (Written::Bits { .. }, Some(_)) | (Written::Pointer { .. }, None) => false,
        }
    }
}

/// An observable action of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Event {
    /// The action.
    pub kind: EventKind,
    /// Its place in the program.
    pub place: Place,
    /// Whether the run might have ended in this event. If so, UB after the event must not be moved before it. A call
    /// that certainly returns does not delay UB.
    pub firm: bool,
}

/// Kinds of events.
#[derive(Clone, PartialEq, Debug)]
pub enum EventKind {
    /// A call of an external function that may write memory or may not return.
    Call {
        /// The function.
        callee: Arc<str>,
        /// The arguments.
        args: Vec<Seen>,
        /// Types of the arguments without a parameter, as text: a variadic function reads them by these types. The
        /// whole function type if the call's type differs from the function's.
        more: Arc<str>,
        /// The memory visible to the function.
        memory: Vec<SeenMemory>,
    },
    /// A byte written to a stream.
    Output {
        /// The stream.
        stream: Stream,
        /// The byte.
        byte: u8,
    },
    /// A volatile load.
    VolatileLoad {
        /// The address.
        ptr: Seen,
        /// Size in bytes.
        len: u64,
        /// Contents of memory at the address; `None` if there is no memory.
        bytes: Option<Box<SeenMemory>>,
    },
    /// A volatile store.
    VolatileStore {
        /// The address.
        ptr: Seen,
        /// The stored value.
        value: Seen,
    },
}

/// An output stream.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stream {
    /// Standard output; its `FILE` is unknown.
    Standard,
    /// The stream of a `FILE`.
    File(Seen),
}

/// The effects of an external call.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Answer {
    /// How it left the program; `None` if it returned.
    pub exit: Option<crate::outcome::Exit>,
    /// The returned value.
    pub result: Option<Seen>,
    /// Bytes that it wrote: object, offset, byte.
    pub writes: Vec<(ObjectName, u64, Written)>,
    /// Size and alignment in bytes of newly returned memory, named [`ObjectName::External`] from then on.
    pub fresh: Option<(u64, u64)>,
}

/// A byte written by an external call.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Written {
    /// Bits.
    Bits {
        /// Values of the defined bits.
        value: u8,
        /// Undefined bits.
        undef: u8,
        /// Poison bits.
        poison: u8,
    },
    /// A byte of a pointer.
    Pointer {
        /// The pointer.
        pointer: Seen,
        /// Index of the byte in the pointer, in memory order.
        index: u8,
    },
}

impl Written {
    /// A byte whose bits are all defined.
    pub fn defined(value: u8) -> Self {
        Self::Bits { value, undef: 0, poison: 0 }
    }
}

/// The callee name in the record of a `landingpad` result; its only argument is the number of earlier events.
pub const LANDING: &str = "landing pad";
/// The callee name in the record of where the asm of a `callbr` continues.
pub const JUMP: &str = "asm jump";

/// The record of a run.
#[derive(Clone, Default, Debug)]
pub struct Events {
    /// Events in order.
    pub list: Vec<Event>,
    /// External calls in order, events or not.
    pub answers: Vec<Answered>,
    /// Library functions that were called.
    pub(crate) library: LibraryUse,
    /// Bytes of memory that outside code saw; each copy of an object counts once.
    pub(crate) seen_bytes: u64,
    /// The last copy of each object that outside code saw.
    seen_last: FxHashMap<usize, Arc<Contents>>,
    /// Progress without an event: executed `llvm.sideeffect` calls, atomic accesses and fences.
    pub(crate) side_effects: usize,
    /// Number of answers after the last event that may have written memory the program cannot name.
    pub(crate) quiet_from: usize,
    /// Index in the script of the first answer to a future event.
    script_at: usize,
    /// Answers to give to the same calls.
    pub(crate) script: Arc<Vec<Answered>>,
    /// Finds calls in `answers`.
    calls: CallIndex,
    /// Finds calls in `script`.
    scripted_calls: CallIndex,
    pub(crate) externals: u32,
    /// The last resumed exception, if it has not reached a landing pad.
    pub(crate) resumed: Option<Val>,
    local_names: FxHashMap<usize, u32>,
    named_locals: Vec<usize>,
    /// Whether the lifetime of an exposed local object has ended.
    has_ended: bool,
    /// Whether outside code saw a local object after the lifetime of an earlier exposed one had ended. Both may have
    /// the same address, and another program may merge them.
    pub(crate) saw_after_end: bool,
    external_allocs: Vec<usize>,
    buffers: FxHashMap<u32, usize>,
    blocks: Vec<usize>,
    globals: FxHashMap<Arc<str>, usize>,
}

impl Events {
    /// Clears the record for another run with the answers of `script`.
    pub(crate) fn reset(&mut self, script: Option<&Arc<Vec<Answered>>>) {
        match script {
            Some(script) if Arc::ptr_eq(script, &self.script) => {}
            None if self.script.is_empty() => {}
            _ => {
                self.script = script.cloned().unwrap_or_default();
                self.scripted_calls = self.script.iter().collect();
            }
        }
        self.list.clear();
        self.answers.clear();
        self.calls.clear();
        self.library.clear();
        self.seen_bytes = 0;
        self.seen_last.clear();
        self.resumed = None;
        (self.side_effects, self.script_at, self.externals) = (0, 0, 0);
        self.quiet_from = 0;
        self.local_names.clear();
        self.named_locals.clear();
        (self.has_ended, self.saw_after_end) = (false, false);
        self.external_allocs.clear();
        self.buffers.clear();
        self.blocks.clear();
        self.globals.clear();
    }
    /// The number of the next buffer of argument `arg`.
    pub(crate) fn next_buffer(&self, arg: u32) -> u32 {
        if !self.buffers.contains_key(&arg) {
            return arg;
        }
        let further = self.buffers.keys().filter(|n| **n >= FURTHER_BUFFERS).count();
        FURTHER_BUFFERS + further as u32
    }
    pub(crate) fn add_buffer(&mut self, number: u32, alloc: usize) {
        self.buffers.insert(number, alloc);
    }
    /// Local objects that outside code saw, in that order.
    pub(crate) fn named_locals(&self) -> &[usize] {
        &self.named_locals
    }
    /// Registers the next block of the input.
    pub(crate) fn add_block(&mut self, alloc: usize) {
        self.blocks.push(alloc);
    }
    /// The script's answer to the next external call that is an event.
    pub(crate) fn scripted_event(&self) -> Option<&Answered> {
        self.script.get(self.script_at..)?.iter().find(|a| a.is_event)
    }
    /// Records an external call.
    pub(crate) fn add_answer(&mut self, answered: Answered) {
        if answered.is_event {
            let rest = self.script.get(self.script_at..).unwrap_or_default();
            self.script_at += rest.iter().position(|a| a.is_event).map_or(rest.len(), |i| i + 1);
        }
        self.calls.add(&answered);
        self.answers.push(answered);
    }
    /// Records that memory which the program cannot name may have been written.
    pub(crate) fn note_hidden_write(&mut self) {
        self.quiet_from = self.answers.len();
    }
    /// The answered calls of the script that may be the same as `call`, in order, and some that are not.
    pub(crate) fn scripted_like(&self, call: &EventKind) -> impl Iterator<Item = &Answered> {
        self.scripted_calls.candidates(call).filter_map(|at| self.script.get(at))
    }
    /// The answered calls of this run from the `from`-th on that may be the same as `call`, in order, and some that are
    /// not.
    pub(crate) fn answered_like(&self, call: &EventKind, from: usize) -> impl Iterator<Item = &Answered> {
        let later = self.calls.candidates(call).filter(move |at| *at >= from);
        later.filter_map(|at| self.answers.get(at))
    }
    /// Adds an event.
    pub(crate) fn push(&mut self, provs: &mut Provenances, event: Event) {
        if event.firm {
            self.hide_written(provs, 0);
        }
        self.list.push(event);
    }
    /// Hides bytes written through the `noalias` arguments of the scopes from the `from`-th on in the events
    /// registered for them, and unregisters these events.
    ///
    /// An outside function that reads such a byte makes the run UB, but only once the byte is written. So this
    /// happens before an event in which the run might have ended: UB after the event must not count as UB before it.
    pub(crate) fn hide_written(&mut self, provs: &mut Provenances, from: usize) {
        for scope in provs.scopes_from(from) {
            let waiting = scope.take_waiting();
            let Some(written) = (if waiting.is_empty() { None } else { scope.written() }) else { continue };
            for (event, object) in waiting {
                let kind = self.list.get_mut(event).map(|e| &mut e.kind);
                if let Some(EventKind::Call { memory, .. }) = kind
                    && let Some(seen) = memory.get_mut(object)
                {
                    seen.hide(written.clone());
                }
            }
        }
    }
    pub(crate) fn add_external(&mut self, alloc: usize) {
        self.external_allocs.push(alloc);
    }
    /// The name of an object. Gives a local object without a name its name.
    pub(crate) fn name(&mut self, memory: &Memory, alloc: usize) -> ObjectName {
        match &memory.allocation(alloc).origin {
            Origin::Global(name) => {
                self.globals.insert(name.clone(), alloc);
                ObjectName::Global(name.clone())
            }
            Origin::Function(name) => {
                self.globals.insert(name.clone(), alloc);
                ObjectName::Function(name.clone())
            }
            Origin::Buffer(n) => ObjectName::Buffer(*n),
            Origin::Block(n) => ObjectName::Block(*n),
            Origin::External(n) => ObjectName::External(*n),
            Origin::Local(_) | Origin::Heap(_) => {
                self.saw_after_end |= self.has_ended;
                let next = self.named_locals.len() as u32;
                let number = *self.local_names.entry(alloc).or_insert(next);
                if number == next {
                    self.named_locals.push(alloc);
                    self.has_ended |= memory.allocation(alloc).liveness == Liveness::Freed;
                }
                ObjectName::Local(number)
            }
        }
    }
    /// Records that the lifetime of an object ends.
    pub(crate) fn end_lifetime(&mut self, alloc: usize) {
        self.has_ended |= self.local_names.contains_key(&alloc);
    }
    /// The object with that name in this run.
    pub(crate) fn find(&self, memory: &Memory, name: &ObjectName) -> Option<usize> {
        match name {
            ObjectName::Global(n) | ObjectName::Function(n) => self.globals.get(n).copied().or_else(|| {
                memory.allocations().iter().position(|a| match &a.origin {
                    Origin::Global(m) | Origin::Function(m) => m == n,
                    Origin::Buffer(_)
                    | Origin::Block(_)
                    | Origin::Local(_)
                    | Origin::Heap(_)
                    | Origin::External(_) => false,
                })
            }),
            ObjectName::Buffer(n) => self.buffers.get(n).copied(),
            ObjectName::Block(n) => self.blocks.get(*n as usize).copied(),
            ObjectName::Local(n) => self.named_locals.get(*n as usize).copied(),
            ObjectName::External(n) => self.external_allocs.get(*n as usize).copied(),
        }
    }
    /// Converts a value to its outside view.
    pub fn see(&mut self, memory: &Memory, value: &Val) -> Seen {
        match value {
            Val::Poison => Seen::Poison,
            Val::Bits(bits) => Seen::Bits(Cube::known((*bits).into())),
            Val::Wide(cube) => Seen::Bits(**cube),
            Val::Ptr(ptr) => self.see_ptr(memory, *ptr),
            Val::Agg(members) => Seen::Agg(members.iter().map(|m| self.see(memory, m)).collect()),
        }
    }
    fn see_ptr(&mut self, memory: &Memory, ptr: Pointer) -> Seen {
        match memory.object_of(ptr) {
            Some(alloc) => {
                let offset = ptr.addr.wrapping_sub(memory.allocation(alloc).base);
                Seen::Ptr(self.name(memory, alloc), offset)
            }
            None => Seen::Address(ptr.addr),
        }
    }
    /// The value of this run whose outside view is `seen`.
    pub(crate) fn unsee(&self, memory: &Memory, shape: &crate::layout::Shape, seen: &Seen) -> Val {
        match seen {
            Seen::Poison => Val::Poison,
            Seen::Bits(cube) => shape.scalar_from(*cube),
            Seen::Address(addr) => Val::ptr(*addr, if *addr == 0 { Prov::NONE } else { Prov::WILDCARD }),
            Seen::Ptr(name, offset) => match self.find(memory, name) {
                Some(alloc) => {
                    let alloc = memory.allocation(alloc);
                    Val::ptr(alloc.base.wrapping_add(*offset), alloc.prov)
                }
                None => Val::Ptr(Pointer::NULL),
            },
            Seen::Agg(members) => {
                let pairs = members.iter().zip(shape.members());
                Val::agg(pairs.map(|(m, s)| self.unsee(memory, s, m)).collect())
            }
        }
    }
    /// The contents of an object as outside code sees them.
    pub(crate) fn see_object(&mut self, memory: &mut Memory, alloc: usize) -> SeenMemory {
        let contents = memory.allocation_mut(alloc).snapshot();
        let last = self.seen_last.insert(alloc, contents.clone());
        if last.is_none_or(|last| !Arc::ptr_eq(&last, &contents)) {
            self.seen_bytes += contents.len() as u64;
        }
        self.see_contents(memory, alloc, contents)
    }
    /// Outside view of contents of an object, or of a part of them.
    pub(crate) fn see_contents(
        &mut self,
        memory: &Memory,
        alloc: usize,
        contents: Arc<Contents>,
    ) -> SeenMemory {
        let mut pointers = Vec::new();
        for (at, fragment) in contents.fragments.iter().enumerate() {
            if fragment.prov != Prov::NONE && fragment.index == 0 {
                let len =
                    contents.fragments[at..].iter().take_while(|f| f.prov == fragment.prov).count().min(8);
                let addr = contents.read_raw(at, len, memory.big_endian).bits as u64;
                pointers.push((at, self.see_ptr(memory, Pointer { addr, prov: fragment.prov })));
            }
        }
        SeenMemory { object: self.name(memory, alloc), contents, pointers, hidden: Vec::new() }
    }
    /// Like [`Events::see_object`], for a function that received pointers of the `noalias` scopes `passed`: bytes
    /// written through other scopes are hidden from it. A function that reads only through its `arguments` does not
    /// see bytes either that were written outside the scope shared by all arguments pointing there, because reading
    /// them would be UB.
    pub(crate) fn see_from_outside(
        &mut self,
        memory: &mut Memory,
        alloc: usize,
        passed: &Passed,
        arguments: Option<&[Val]>,
    ) -> SeenMemory {
        let mut seen = self.see_object(memory, alloc);
        if let Some(overwritten) = arguments.and_then(|args| memory.provs.written_outside_scope(alloc, args))
        {
            seen.hide(overwritten);
        }
        for scope in memory.provs.sheltering(alloc, passed) {
            if let Some(written) = scope.written() {
                seen.hide(written);
            }
        }
        seen
    }
    /// The objects reachable from `roots` through pointers in memory, roots included, in order.
    pub(crate) fn reachable(memory: &Memory, roots: &[usize]) -> Vec<usize> {
        let mut found: Vec<usize> = Vec::new();
        let mut pending = roots.to_vec();
        let mut seen = vec![false; memory.allocations().len()];
        while let Some(alloc) = pending.pop() {
            if std::mem::replace(&mut seen[alloc], true) {
                continue;
            }
            found.push(alloc);
            let contents = &memory.allocation(alloc).contents;
            let mut last = Prov::NONE;
            for prov in contents.provenances(0, contents.len()) {
                if prov != last {
                    pending.extend(memory.provs.alloc_of(prov).map(|a| a as usize));
                    last = prov;
                }
            }
        }
        found.sort_unstable();
        found
    }
}
