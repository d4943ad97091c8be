//! What others can see of a run: events and memory, in terms that do not depend on where local objects lie.
//!
//! An object is known by its name: a global, a function, a buffer of the input, or the n-th local object that was
//! shown to the outside. A pointer is seen as an object and an offset, and as an address only if it has none.

use crate::exec::external::same_call;
use crate::exec::library::LibraryUse;
use crate::memory::provenance::{Passed, Provenances};
use crate::memory::{Contents, Fragment, Liveness, Memory, Origin};
use crate::outcome::Place;
use crate::refine::Blind;
use crate::value::{Cube, Pointer, Prov, Val};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::Arc;

/// The first number of buffers that are not the first one of their argument.
pub const FURTHER_BUFFERS: u32 = 1 << 16;

/// The name of an object, the same in any two runs that can be compared.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum ObjectName {
    /// A global variable.
    Global(Arc<str>),
    /// A function.
    Function(Arc<str>),
    /// A buffer of the input: the number of its argument, or from [`FURTHER_BUFFERS`] on one of those that arguments of
    /// several pointers have beyond their first.
    Buffer(u32),
    /// A block of the input.
    Block(u32),
    /// A local object, by the order in which such objects were first seen from outside.
    Local(u32),
    /// Memory that the n-th external call returned.
    External(u32),
}

/// A value as seen from outside.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Seen {
    /// Poison.
    Poison,
    /// Bits, some of them perhaps undefined.
    Bits(Cube),
    /// A pointer into an object, with its offset in bytes.
    Ptr(ObjectName, u64),
    /// A pointer to no known object.
    Address(u64),
    /// Members of an aggregate.
    Agg(Vec<Seen>),
}

/// Contents of an object as seen from outside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeenMemory {
    /// Which object.
    pub object: ObjectName,
    /// Its bytes; those of pointers have addresses of this run.
    pub contents: Arc<Contents>,
    /// The pointers in it: offset of the first byte, and what it points to. Sorted by offset.
    pub pointers: Vec<(usize, Seen)>,
    /// Which bytes the function that is called can't look at without breaking the promise of a `noalias` argument: a
    /// byte is hidden if any of these says so.
    pub hidden: Vec<Arc<[bool]>>,
}

impl SeenMemory {
    /// Whether byte `at` is hidden.
    pub fn hides(&self, at: usize) -> bool {
        self.hidden.iter().any(|bytes| bytes.get(at) == Some(&true))
    }
    /// Makes bytes poison.
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
    /// The pointer that byte `at` belongs to, and which byte of it it is, in memory order.
    pub fn pointer_at(&self, at: usize) -> Option<(&Seen, u8)> {
        let fragment = self.contents.fragments.get(at).filter(|f| f.prov != Prov::NONE)?;
        let start = at.checked_sub(fragment.index.into())?;
        let index = self.pointers.binary_search_by_key(&start, |(at, _)| *at).ok()?;
        Some((&self.pointers[index].1, fragment.index))
    }
    /// Whether byte `at` is what `written` would make it.
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

/// Something observable that a run did.
#[derive(Clone, PartialEq, Debug)]
pub struct Event {
    /// What.
    pub kind: EventKind,
    /// Where.
    pub place: Place,
    /// Whether the run might have ended in it: then undefined behaviour behind it must not come before it. A call that
    /// returns for certain does not hold undefined behaviour back.
    pub firm: bool,
}

/// What an event is.
#[derive(Clone, PartialEq, Debug)]
pub enum EventKind {
    /// A call of an external function that may write memory or not return.
    Call {
        /// The function.
        callee: Arc<str>,
        /// The arguments.
        args: Vec<Seen>,
        /// The types of those that no parameter is for, as text: a variadic function reads them by these. The whole type
        /// where the call has another one than the function.
        more: Arc<str>,
        /// The memory that the function can see.
        memory: Vec<SeenMemory>,
    },
    /// A byte that is written to a stream.
    Output {
        /// The stream.
        stream: Stream,
        /// The byte.
        byte: u8,
    },
    /// A volatile load.
    VolatileLoad {
        /// From where.
        ptr: Seen,
        /// Bytes.
        len: u64,
        /// What memory holds there; nothing if there is no memory.
        bytes: Option<Box<SeenMemory>>,
    },
    /// A volatile store.
    VolatileStore {
        /// To where.
        ptr: Seen,
        /// What.
        value: Seen,
    },
}

/// A stream of output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stream {
    /// Standard output. Which `FILE` it is, is not known.
    Standard,
    /// The one of that `FILE`.
    File(Seen),
}

/// What an external call did.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Answer {
    /// How it left the program; `None` if it returned.
    pub exit: Option<crate::outcome::Exit>,
    /// What it returned.
    pub result: Option<Seen>,
    /// Bytes that it wrote: object, offset, byte.
    pub writes: Vec<(ObjectName, u64, Written)>,
    /// Bytes and alignment of new memory that it returned, known from then on as [`ObjectName::External`].
    pub fresh: Option<(u64, u64)>,
}

/// A byte that an external call writes.
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
        /// Which byte of it, in memory order.
        index: u8,
    },
}

impl Written {
    /// A byte all of whose bits are defined.
    pub fn defined(value: u8) -> Self {
        Self::Bits { value, undef: 0, poison: 0 }
    }
}

/// A call with its answer, for giving the same answer in another run.
#[derive(Clone, PartialEq, Debug)]
pub struct Answered {
    /// The call.
    pub call: EventKind,
    /// Whether it is an event.
    pub is_event: bool,
    /// Whether the function has no undefined behaviour of its own, whatever it is called with.
    pub speculatable: bool,
    /// The answer.
    pub answer: Answer,
}

impl Answered {
    /// Whether a run that is given `script` takes the answer to this call from there; of calls that are no events.
    pub fn is_told_by(&self, script: &[Answered]) -> bool {
        script.iter().any(|a| !a.is_event && same_call(&a.call, &self.call, Blind::Either))
    }
}

/// The first of a run's answers that `script` does not tell: of events, those beyond its own.
pub fn first_untold(answers: &[Answered], script: &[Answered]) -> Option<usize> {
    let mut told = script.iter().filter(|answered| answered.is_event).count();
    answers.iter().position(|answered| match answered.is_event {
        true if told > 0 => {
            told -= 1;
            false
        }
        true => true,
        false => !answered.is_told_by(script),
    })
}

/// The callee in the record of what a `landingpad` gives: its only argument is how many events came before.
pub const LANDING: &str = "landing pad";
/// The callee of the answer that says where the asm of a `callbr` goes on.
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
    /// Bytes of memory that others saw, each copy of an object once.
    pub(crate) seen_bytes: u64,
    /// The last copy of each object that others saw.
    seen_last: FxHashMap<usize, Arc<Contents>>,
    /// Progress without an event: calls of `llvm.sideeffect`, atomic accesses and fences that were passed.
    pub(crate) side_effects: usize,
    /// How many answers there were after the last event that may have written memory the program cannot name.
    quiet_from: usize,
    /// Where in the script the answers to events that have not come yet begin.
    script_at: usize,
    /// Answers to be given where the same is asked.
    pub(crate) script: Arc<Vec<Answered>>,
    pub(crate) externals: u32,
    /// The exception that was resumed last, if it has not landed.
    pub(crate) resumed: Option<Val>,
    local_names: FxHashMap<usize, u32>,
    named_locals: Vec<usize>,
    /// Whether the lifetime of a local object that others have seen has ended.
    has_ended: bool,
    /// Whether others saw a local object after one that they knew had ended: both may lie at one place, and be one object of
    /// another program.
    pub(crate) saw_after_end: bool,
    external_allocs: Vec<usize>,
    buffers: FxHashMap<u32, usize>,
    blocks: Vec<usize>,
    globals: FxHashMap<Arc<str>, usize>,
}

impl Events {
    /// Forgets everything, for another run in which the answers of `script` are given.
    pub(crate) fn reset(&mut self, script: Option<&Arc<Vec<Answered>>>) {
        match script {
            Some(script) => self.script = script.clone(),
            None if self.script.is_empty() => {}
            None => self.script = Arc::default(),
        }
        self.list.clear();
        self.answers.clear();
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
    /// Local objects that were seen, in that order.
    pub(crate) fn named_locals(&self) -> &[usize] {
        &self.named_locals
    }
    /// Notes the next block of the input.
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
        self.answers.push(answered);
    }
    /// Notes that memory which the program cannot name may have been written.
    pub(crate) fn note_hidden_write(&mut self) {
        self.quiet_from = self.answers.len();
    }
    /// The answers to calls since then.
    pub(crate) fn answers_since_hidden_write(&self) -> &[Answered] {
        self.answers.get(self.quiet_from..).unwrap_or_default()
    }
    /// Adds an event.
    pub(crate) fn push(&mut self, provs: &mut Provenances, event: Event) {
        if event.firm {
            self.hide_written(provs, 0);
        }
        self.list.push(event);
    }
    /// Hides in the events that have waited for it what was written through the `noalias` arguments of the scopes from the
    /// `from`-th on; they wait no longer.
    ///
    /// An outside function that looked at such a byte makes the run undefined, but only by the time it is written. So this
    /// is done before an event that the run might have ended in: what is undefined behind that must not be taken for
    /// undefined before it.
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
    /// The name of an object; a local one gets its name now if it has none.
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
    /// Notes that the lifetime of an object ends.
    pub(crate) fn end_lifetime(&mut self, alloc: usize) {
        self.has_ended |= self.local_names.contains_key(&alloc);
    }
    /// The object of that name in this run.
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
    /// How a value is seen from outside.
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
    /// The value of this run that was seen as `seen`.
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
    /// The contents of an object as seen from outside.
    pub(crate) fn see_object(&mut self, memory: &mut Memory, alloc: usize) -> SeenMemory {
        let contents = memory.allocation_mut(alloc).snapshot();
        let last = self.seen_last.insert(alloc, contents.clone());
        if last.is_none_or(|last| !Arc::ptr_eq(&last, &contents)) {
            self.seen_bytes += contents.len() as u64;
        }
        self.see_contents(memory, alloc, contents)
    }
    /// Contents of an object, or a part of them, as seen from outside.
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
    /// [`Events::see_object`] for a function that was passed pointers of the `noalias` scopes `passed`: bytes that were
    /// written through other ones are hidden from it. A function that reads through its `arguments` alone does not see bytes
    /// that were written beside the scope of all arguments that lead there either: to read them would be undefined.
    pub(crate) fn see_from_outside(
        &mut self,
        memory: &mut Memory,
        alloc: usize,
        passed: &Passed,
        arguments: Option<&[Val]>,
    ) -> SeenMemory {
        let mut seen = self.see_object(memory, alloc);
        if let Some(overwritten) = arguments.and_then(|args| memory.provs.written_beside(alloc, args)) {
            seen.hide(overwritten);
        }
        for scope in memory.provs.sheltering(alloc, passed) {
            if let Some(written) = scope.written() {
                seen.hide(written);
            }
        }
        seen
    }
    /// The objects that can be reached from `roots` through pointers in memory, roots included, in order.
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
