//! Promises about memory, checked on one run: an observer logs the accesses of the run and names the first two that
//! violate a promise of metadata. Such a run is UB, although the interpreter gives it a meaning.
//!
//! Checked, in the function and in all its callees: `!tbaa` and `!tbaa.struct` (overlapping bytes, at least one
//! write, tags that cannot alias), `!alias.scope` with `!noalias` (within one call of a function, and between two
//! executions of a scope's declaration), `!llvm.access.group` (within one loop, in different iterations),
//! `!invariant.load`, immutable type tags, `!invariant.group`, and `norecurse`. Metadata on a call applies to all
//! accesses of the callee. The checker also looks for instructions that the caller knows to violate a promise
//! ([`Forbidden`]).
//!
//! Inconclusive, because LLVM's passes disagree or LangRef leaves the effect open:
//! - Some passes assume more about library functions than others: that compared ranges contain no poison, even after
//!   the first difference, and that wide-character strings are aligned.
//! - Bytes that a `writable` argument points to are stored back on entry; some of them may be poison.
//! - By LangRef, metadata and fast-math flags of a call can make its result poison after `noundef` was checked;
//!   LLVM's passes still treat a `noundef` result as defined.
//!
//! Metadata kinds without a rule here are reported when an instruction with such metadata is executed. A log that
//! grows too long is reported as well; the run then shows nothing.

mod past;
mod said;
mod tbaa;

use crate::chooser::{EnumeratingChooser, FixedEnvironment};
use crate::compile::Program;
use crate::exec::machine::Machine;
use crate::input::Input;
use crate::layout::Shape;
use crate::memory::{Contents, Fragment, Memory};
use crate::observe::Answered;
use crate::outcome::Outcome;
use crate::trace::{Counters, Done, Entry, LoopMap, Observer, lane_addresses};
use crate::value::{Pointer, Prov, Val};
use backedge_ir::attr::FlagAttr;
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, EntityId, FuncId, Inst, MdId};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::meaning::library::Library;
use backedge_ir::module::Module;
use backedge_ir::print::inst_to_string;
use past::Past;
use rustc_hash::FxHashMap;
use said::{Declarations, Promising, Said};
use std::borrow::Cow;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;
use tbaa::{Tag, Types};

/// Maximum number of log entries, over all bytes: bounds the memory of a check. A longer log is reported, and the run
/// shows nothing.
const MAX_ENTRIES: usize = 1 << 21;
/// Maximum number of choice sequences of the source that are checked: bounds the time for one run.
const MAX_CHOICES: u32 = 64;

/// An instruction that no run executes while the promise holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Forbidden {
    /// The function that contains it.
    pub func: FuncId,
    /// The instruction.
    pub inst: Inst,
    /// The promise and where it is made.
    pub promise: Arc<str>,
}

/// A promise that a run violates, or that could not be checked on the run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// The promise as it is spelled.
    pub promise: Cow<'static, str>,
    /// The accesses that violate it, as text.
    pub accesses: Vec<String>,
    /// Whether the accesses certainly violate the promise.
    pub is_shown: bool,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.promise, self.accesses.join(" and "))
    }
}

/// Whether runs of `func` can violate a promise checked here: the function or one that it reaches has such metadata.
pub fn is_promising(module: &Module, func: FuncId) -> bool {
    said::promising(module, func) != Promising::Nothing
}

/// Returns a promise that some run of `func` on `input` violates, with the environment's answers `script`; stops at
/// the first choice sequence that violates one. If choices remain untried, reports them where there is metadata or
/// something is `forbidden`.
pub fn broken<'p>(
    machine: &mut Machine<'p>,
    func: FuncId,
    input: &Input,
    script: &Arc<Vec<Answered>>,
    forbidden: &[Forbidden],
) -> Option<Broken> {
    let program = machine.program();
    let promising = said::promising(program.module(), func);
    if promising == Promising::Nothing && forbidden.is_empty() {
        return None;
    }
    let mut choices = FixedEnvironment { inner: EnumeratingChooser::new() };
    for _ in 0..MAX_CHOICES {
        let mut checker = Checker::new(program, forbidden);
        checker.past = (promising == Promising::Invariance).then(Past::default);
        let run = machine.run_with(func, input, script, &mut choices, &mut checker).ok()?;
        if !matches!(run.outcome, Outcome::Returned(_)) {
            checker.report_forbidden_call(forbidden);
        }
        if checker.broken.is_some() {
            return checker.broken;
        }
        if !choices.inner.advance() {
            return None;
        }
    }
    let untried = || Broken {
        promise: forbidden.first().map_or("metadata".into(), |f| f.promise.to_string().into()),
        accesses: vec!["more choices than are checked".to_owned()],
        is_shown: false,
    };
    (promising >= Promising::Metadata || !forbidden.is_empty()).then(untried)
}

/// Facts about a function's body that the checker needs.
#[derive(Debug)]
struct Known<'p> {
    body: &'p Body,
    loops: LoopMap,
    said: FxHashMap<Inst, Said>,
    parallel: Vec<(Block, Vec<MdId>)>,
    declarations: Declarations,
    /// Checked calls of library functions.
    library: FxHashMap<Inst, Library>,
}

/// An active function.
#[derive(Debug)]
struct Frame<'p> {
    /// Call number; distinguishes two calls of one function.
    number: u32,
    func: FuncId,
    known: Rc<Known<'p>>,
    call: Option<Inst>,
    block: Option<Block>,
    args: Vec<Val>,
    values: FxHashMap<Inst, Val>,
    counters: Counters,
    /// Number of entries of each loop from outside, by header.
    entries: FxHashMap<Block, u32>,
    /// Number of executed declarations of each scope.
    declared: FxHashMap<MdId, u32>,
}

impl Frame<'_> {
    fn declare(&mut self, scopes: Option<&Vec<MdId>>) {
        for scope in scopes.into_iter().flatten() {
            *self.declared.entry(*scope).or_default() += 1;
        }
    }
    /// Executes the scope declarations before an instruction.
    fn declare_before(&mut self, inst: Inst) {
        let known = self.known.clone();
        self.declare(known.declarations.before.get(&inst));
    }
}

/// Metadata that applies to an access within one active function.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Level {
    frame: u32,
    /// Scope, its domain, and the number of the declaration's execution.
    scopes: Vec<(MdId, MdId, u32)>,
    noalias: Vec<(MdId, u32)>,
    /// Loops of which this is a parallel access: header, entry number, iteration.
    loops: Vec<(Block, u32, u64)>,
}

/// A class of accesses that the rules treat alike.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Class {
    place: (FuncId, Inst),
    write: bool,
    tags: Vec<Tag>,
    levels: Vec<Level>,
}

/// An accessed range: `len` bytes from the pointer on.
struct Range {
    ptr: Pointer,
    len: u64,
    write: bool,
    /// The tag of the whole access, or of a part of a copy.
    tag: Option<Tag>,
}

/// A byte that must not change: its state, the pointer, the promise, and the place of the load that makes the
/// promise.
type Fixed = (Held, Pointer, &'static str, (FuncId, Inst));

/// Checks the promises of one run.
#[derive(Debug)]
struct Checker<'p> {
    program: &'p Program<'p>,
    known: FxHashMap<FuncId, Rc<Known<'p>>>,
    frames: Vec<Frame<'p>>,
    calls: u32,
    classes: Vec<Class>,
    by_place: FxHashMap<(FuncId, Inst), Vec<u32>>,
    /// The access classes of each byte.
    log: FxHashMap<u64, Vec<u32>>,
    entries: usize,
    /// Bytes that must not change: their value and the load that promises it.
    fixed: FxHashMap<u64, Fixed>,
    /// Earlier memory contents, if a promise concerns them.
    past: Option<Past>,
    /// Instructions that must not be executed, with the violated promise.
    forbidden: FxHashMap<(FuncId, Inst), Arc<str>>,
    broken: Option<Broken>,
}

impl<'p> Checker<'p> {
    fn new(program: &'p Program<'p>, forbidden: &[Forbidden]) -> Self {
        let forbidden = forbidden.iter().map(|f| ((f.func, f.inst), f.promise.clone())).collect();
        Self {
            forbidden,
            program,
            known: FxHashMap::default(),
            frames: Vec::new(),
            calls: 0,
            classes: Vec::new(),
            by_place: FxHashMap::default(),
            log: FxHashMap::default(),
            entries: 0,
            fixed: FxHashMap::default(),
            past: None,
            broken: None,
        }
    }
    fn know(&mut self, func: FuncId) -> Option<Rc<Known<'p>>> {
        if let Some(known) = self.known.get(&func) {
            return Some(known.clone());
        }
        let env = &self.program.module().env;
        let body = self.program.module().body(func)?;
        let read = |inst: Inst| (inst, Said::of(env, body.inst(inst)));
        let said = body.all_insts().map(read).filter(|(_, said)| !said.is_empty()).collect();
        let parallel = said::parallel_loops(env, body);
        let declarations = Declarations::of(env, body);
        let library = said::of_library(self.program.module(), func, body).collect();
        let loops = LoopMap::new(body);
        let known = Rc::new(Known { body, loops, said, parallel, declarations, library });
        self.known.insert(func, known.clone());
        Some(known)
    }
    fn value(&self, depth: usize, value: Value) -> Option<Val> {
        let frame = self.frames.get(depth)?;
        match value {
            Value::Arg(arg) => frame.args.get(arg.index()).cloned(),
            Value::Inst(inst) => frame.values.get(&inst).cloned(),
            Value::Const(id) => self.program.constant(frame.known.body, id).ok(),
        }
    }
    fn words(&self, (func, inst): (FuncId, Inst)) -> String {
        let module = self.program.module();
        let text = module.body(func).map(|body| inst_to_string(&module.env, body, inst)).unwrap_or_default();
        format!("`{}` in @{}", text.trim(), module.env.funcs[func].name)
    }
    /// Reports an instruction that must not be executed.
    fn execute(&mut self, place: (FuncId, Inst)) {
        if let Some(promise) = self.forbidden.get(&place) {
            let promise = promise.to_string();
            self.report(promise, &[place]);
        }
    }
    /// Reports a forbidden call, if there is one: the observer does not see a call that does not return.
    fn report_forbidden_call(&mut self, forbidden: &[Forbidden]) {
        let module = self.program.module();
        let is_call = |f: &&Forbidden| module.body(f.func).is_some_and(|b| b.inst(f.inst).call().is_some());
        if let Some(call) = forbidden.iter().find(is_call) {
            self.execute((call.func, call.inst));
        }
    }
    /// Reports a promise that may be violated where `places` are executed.
    fn report(&mut self, promise: impl Into<Cow<'static, str>>, places: &[(FuncId, Inst)]) {
        if self.broken.is_none() {
            let accesses = places.iter().map(|place| self.words(*place)).collect();
            self.broken = Some(Broken { promise: promise.into(), accesses, is_shown: false });
        }
    }
    /// Reports a promise that the accesses violate.
    fn show(&mut self, promise: &'static str, accesses: Vec<String>) {
        self.broken.get_or_insert(Broken { promise: promise.into(), accesses, is_shown: true });
    }
    fn said(&self, depth: usize, inst: Inst) -> Option<&Said> {
        self.frames.get(depth)?.known.said.get(&inst)
    }

    /// The ranges that a step accessed.
    fn ranges(&self, done: &Done<'_>) -> Vec<Range> {
        let Some(frame) = self.frames.get(done.depth) else { return Vec::new() };
        let (body, env) = (frame.known.body, &self.program.module().env);
        let data = body.inst(done.inst);
        let tag = self.said(done.depth, done.inst).and_then(|said| said.tag);
        let pointer = |i: usize| match self.value(done.depth, *data.operands.get(i)?)? {
            Val::Ptr(ptr) => Some(ptr),
            Val::Poison | Val::Bits(_) | Val::Wide(_) | Val::Agg(_) => None,
        };
        let bytes = |ty| Shape::of(env, ty).map_or(0, |shape| shape.store_bytes());
        let range = |i: usize, len: u64, write: bool| pointer(i).map(|ptr| Range { ptr, len, write, tag });
        let operand = |i: usize| data.operands.get(i).map_or(0, |v| bytes(body.ty(*v)));
        let found = if matches!(data.kind, InstKind::Load(_)) {
            [range(0, bytes(data.ty), false), None]
        } else if matches!(data.kind, InstKind::Store(_)) {
            [range(1, operand(0), true), None]
        } else if matches!(data.kind, InstKind::AtomicRmw(..) | InstKind::CmpXchg(_)) {
            [range(0, operand(1), false), range(0, operand(1), true)]
        } else if data.call().is_some() {
            return self.of_intrinsic(done, body, tag);
        } else {
            [None, None]
        };
        found.into_iter().flatten().collect()
    }
    fn of_intrinsic(&self, done: &Done<'_>, body: &Body, tag: Option<Tag>) -> Vec<Range> {
        use Intrinsic as I;
        let env = &self.program.module().env;
        let Some(intrinsic) = said::intrinsic(env, body, done.inst) else { return Vec::new() };
        let data = body.inst(done.inst);
        let count = data.call().map_or(0, |call| call.args().len());
        let args: Vec<Val> =
            data.operands[..count].iter().filter_map(|v| self.value(done.depth, *v)).collect();
        let length = || args.get(2).and_then(Val::cube).map_or(0, |c| c.bits as u64);
        let pointer = |i: usize| match args.get(i) {
            Some(Val::Ptr(ptr)) => Some(*ptr),
            _ => None,
        };
        let masked = |at: usize, ty, write: bool| -> Vec<Range> {
            let Ok(shape) = Shape::of(env, ty) else { return Vec::new() };
            let len = shape.element().store_bytes();
            let lanes = lane_addresses(intrinsic, &args, at, len).into_iter().flatten();
            lanes.map(|ptr| Range { ptr, len, write, tag }).collect()
        };
        if matches!(intrinsic, I::Memset | I::MemsetInline | I::MemsetElementAtomic) {
            let write = |ptr| Range { ptr, len: length(), write: true, tag };
            pointer(0).map(write).into_iter().collect()
        } else if matches!(
            intrinsic,
            I::Memcpy | I::MemcpyInline | I::Memmove | I::MemcpyElementAtomic | I::MemmoveElementAtomic
        ) {
            let parts = self.said(done.depth, done.inst).map_or(&[][..], |said| &said.parts);
            let sides = [(pointer(1), false), (pointer(0), true)];
            let whole = |ptr, write| vec![Range { ptr, len: length(), write, tag }];
            let part = |ptr: Pointer, write| {
                let at = move |(at, len, tag): &(u64, u64, Tag)| Range {
                    ptr: ptr.advanced(*at),
                    len: *len,
                    write,
                    tag: Some(*tag),
                };
                parts.iter().map(at).collect()
            };
            let ranges = |(ptr, write)| {
                if tag.is_some() || parts.is_empty() { whole(ptr, write) } else { part(ptr, write) }
            };
            sides.into_iter().filter_map(|(ptr, write)| Some((ptr?, write))).flat_map(ranges).collect()
        } else if matches!(intrinsic, I::MaskedStore | I::MaskedScatter | I::MaskedCompressStore) {
            masked(1, body.ty(data.operands[0]), true)
        } else if matches!(intrinsic, I::MaskedLoad | I::MaskedGather | I::MaskedExpandLoad) {
            masked(0, data.ty, false)
        } else {
            Vec::new()
        }
    }

    /// Metadata of the step and of the calls around it.
    fn levels(&self, done: &Done<'_>) -> Vec<Level> {
        let mut levels = Vec::new();
        for (depth, frame) in self.frames.iter().enumerate().take(done.depth + 1) {
            let inst = if depth == done.depth {
                done.inst
            } else {
                let Some(call) = self.frames.get(depth + 1).and_then(|inner| inner.call) else { continue };
                call
            };
            let Some(said) = frame.known.said.get(&inst) else { continue };
            let which = |scope: &MdId| frame.declared.get(scope).copied().unwrap_or(0);
            let parallel = |(header, count): (Block, u64)| {
                let listed = |(of, groups): &(Block, Vec<MdId>)| {
                    *of == header && groups.iter().any(|g| said.groups.contains(g))
                };
                let entry = frame.entries.get(&header).copied().unwrap_or(0);
                frame.known.parallel.iter().any(listed).then_some((header, entry, count))
            };
            levels.push(Level {
                frame: frame.number,
                scopes: said.scopes.iter().map(|(s, d)| (*s, *d, which(s))).collect(),
                noalias: said.noalias.iter().map(|s| (*s, which(s))).collect(),
                loops: frame.counters.snapshot(&frame.known.loops).filter_map(parallel).collect(),
            });
        }
        levels
    }
    /// Type tags of the calls around a step.
    fn outer_tags(&self, done: &Done<'_>) -> Vec<Tag> {
        let calls = self.frames.iter().zip(self.frames.iter().skip(1)).take(done.depth);
        calls.filter_map(|(outer, inner)| outer.known.said.get(&inner.call?)?.tag).collect()
    }

    fn log(&mut self, done: &Done<'_>) {
        let ranges = self.ranges(done);
        if ranges.is_empty() {
            return;
        }
        let levels = self.levels(done);
        let outer = self.outer_tags(done);
        let place = (done.func, done.inst);
        for range in ranges {
            let mut tags = outer.clone();
            tags.extend(range.tag);
            let class = Class { place, write: range.write, tags, levels: levels.clone() };
            let known = self.by_place.entry(place).or_default();
            let number = match known.iter().rev().find(|n| self.classes[**n as usize] == class) {
                Some(number) => *number,
                None => {
                    let number = self.classes.len() as u32;
                    self.classes.push(class);
                    known.push(number);
                    number
                }
            };
            self.access(number, &range);
            self.hold(done, &range);
        }
        self.compare_fixed(done);
    }
    fn access(&mut self, number: u32, range: &Range) {
        for at in 0..range.len {
            let seen = self.log.entry(range.ptr.addr.wrapping_add(at)).or_default();
            if seen.contains(&number) {
                continue;
            }
            let types = Types { env: &self.program.module().env };
            let new = &self.classes[number as usize];
            let conflict = seen.iter().find_map(|old| {
                let old = &self.classes[*old as usize];
                conflict(types, old, new).map(|promise| (promise, [old.place, new.place]))
            });
            seen.push(number);
            self.entries += 1;
            if let Some((promise, places)) = conflict {
                let accesses = places.map(|place| self.words(place));
                return self.show(promise, accesses.into());
            }
            if self.entries > MAX_ENTRIES {
                self.broken = Some(Broken {
                    promise: "metadata".into(),
                    accesses: vec!["more accesses than are checked".to_owned()],
                    is_shown: false,
                });
                return;
            }
        }
    }
    /// Records that the bytes of an invariant access must not change.
    fn hold(&mut self, done: &Done<'_>, range: &Range) {
        let Some(said) = self.said(done.depth, done.inst) else { return };
        let promise = match (said.invariant_load, said.invariant_group) {
            (true, _) if !range.write => "`!invariant.load`",
            (_, true) => "`!invariant.group`",
            _ => return,
        };
        let (place, early) = ((done.func, done.inst), promise == "`!invariant.load`");
        for at in 0..range.len {
            let ptr = range.ptr.advanced(at);
            let addr = ptr.addr;
            let Some((base, byte)) = byte(done.memory, ptr) else { continue };
            if let Some(past) = self.past.as_ref().filter(|_| early) {
                if past.held_otherwise(base, (addr - base) as usize, byte) {
                    let access = self.words(place);
                    return self.show(promise, vec![access, "what changed the memory before it".to_owned()]);
                }
                if past.has_gaps {
                    return self.report(promise, &[place]);
                }
            }
            let writer = self.log.get(&addr).into_iter().flatten().map(|n| &self.classes[*n as usize]);
            let writer = writer.filter(|class| class.write).map(|class| class.place).next();
            if let (Some(writer), true) = (writer, early) {
                // The write may have stored the same byte again.
                return self.report(promise, &[writer, place]);
            }
            let old = *self.fixed.entry(addr).or_insert((byte, ptr, promise, place));
            if old.0 != byte {
                let accesses = [old.3, place].map(|place| self.words(place));
                return self.show(promise, accesses.into());
            }
        }
    }
    /// Finds a byte that changed although it must not.
    fn compare_fixed(&mut self, done: &Done<'_>) {
        let changed = |(old, ptr, promise, _): &&Fixed| {
            *promise == "`!invariant.load`" && byte(done.memory, *ptr).is_some_and(|(_, now)| now != *old)
        };
        let first = self.fixed.values().filter(changed).min_by_key(|(_, ptr, ..)| ptr.addr).copied();
        if let Some((.., promise, place)) = first {
            let accesses = [place, (done.func, done.inst)].map(|place| self.words(place));
            self.show(promise, accesses.into());
        }
    }
}

/// State of a byte: its value, its poison and undefined bits, and the pointer that it is a fragment of.
type Held = ([u8; 3], Option<Fragment>);

/// State of the byte at a pointer, if its object exists, with the object's base address.
fn byte(memory: &Memory, ptr: Pointer) -> Option<(u64, Held)> {
    let alloc = memory.allocation(memory.object_of(ptr)?);
    let at = usize::try_from(ptr.addr.checked_sub(alloc.base)?).ok()?;
    Some((alloc.base, held(&alloc.contents, at)?))
}

/// State of one byte of an object.
fn held(contents: &Contents, at: usize) -> Option<Held> {
    let plane = |plane: &[u8]| plane.get(at).copied().unwrap_or(0);
    let bits = [contents.bytes.get(at).copied()?, plane(&contents.poison), plane(&contents.undef)];
    let piece = contents.fragments.get(at).copied().filter(|piece| piece.prov != Prov::NONE);
    Some((bits, piece))
}

/// The promise that two accesses of one byte violate, if any.
fn conflict(types: Types<'_>, a: &Class, b: &Class) -> Option<&'static str> {
    if !a.write && !b.write {
        return None;
    }
    if a.tags.iter().any(|x| b.tags.iter().any(|y| !types.may_alias(*x, *y))) {
        return Some("`!tbaa`");
    }
    let pairs =
        || a.levels.iter().flat_map(|x| b.levels.iter().filter(|y| x.frame == y.frame).map(move |y| (x, y)));
    if pairs().any(|(x, y)| excludes(x, y) || excludes(y, x)) {
        return Some("`!alias.scope`");
    }
    let crosses = |x: &Level, y: &Level| {
        x.loops.iter().any(|(h, e, n)| y.loops.iter().any(|(g, f, m)| h == g && e == f && n != m))
    };
    pairs().any(|(x, y)| crosses(x, y)).then_some("`!llvm.access.group`")
}

/// Whether `!noalias` of `y` lists, for some domain, all scopes of `x` in that domain.
fn excludes(x: &Level, y: &Level) -> bool {
    x.scopes.iter().any(|(_, domain, _)| {
        let own = x.scopes.iter().filter(|(_, d, _)| d == domain);
        own.into_iter().all(|(scope, _, which)| y.noalias.contains(&(*scope, *which)))
    })
}

impl Observer for Checker<'_> {
    fn call(&mut self, entry: Entry<'_>) {
        self.frames.truncate(entry.depth);
        if entry.depth == 0 {
            self.past.iter_mut().for_each(|past| past.remember(entry.memory));
        }
        let Some(known) = self.know(entry.func) else { return };
        let env = &self.program.module().env;
        if env.has_attr(&env.funcs[entry.func].attrs, FlagAttr::NoRecurse)
            && self.frames.iter().any(|frame| frame.func == entry.func)
            && let (Some(call), Some(outer)) = (entry.call, self.frames.last())
        {
            let place = (outer.func, call);
            self.report("`norecurse`", &[place]);
        }
        if let (Some(call), Some(outer)) = (entry.call, self.frames.last_mut()) {
            outer.declare_before(call);
        }
        if let Some(at) = self.partly_poison(&entry) {
            let name = &env.funcs[entry.func].name;
            let accesses = vec![format!("argument {at} of @{name}")];
            let promise = "stored-back bytes are not partly poison".into();
            self.broken.get_or_insert(Broken { promise, accesses, is_shown: false });
        }
        self.calls += 1;
        let block = known.body.entry();
        self.frames.push(Frame {
            number: self.calls,
            func: entry.func,
            known,
            call: entry.call,
            block,
            args: entry.args.to_vec(),
            values: FxHashMap::default(),
            counters: Counters::default(),
            entries: FxHashMap::default(),
            declared: FxHashMap::default(),
        });
    }
    fn enter(&mut self, _: FuncId, block: Block, depth: usize) {
        self.frames.truncate(depth + 1);
        let Some(frame) = self.frames.get_mut(depth) else { return };
        let known = frame.known.clone();
        if let Some(left) = frame.block.replace(block) {
            frame.declare(known.declarations.at_end.get(&left));
        }
        frame.counters.enter(&known.loops, block);
        if frame.counters.snapshot(&known.loops).any(|(header, count)| header == block && count == 1) {
            *frame.entries.entry(block).or_default() += 1;
        }
    }
    fn step(&mut self, done: Done<'_>) {
        self.frames.truncate(done.depth + 1);
        if self.broken.is_some() || self.frames.len() != done.depth + 1 {
            return;
        }
        let known = self.frames[done.depth].known.clone();
        self.frames[done.depth].declare_before(done.inst);
        let (env, place) = (&self.program.module().env, (done.func, done.inst));
        self.execute(place);
        let said = known.said.get(&done.inst);
        if let Some(other) = said.and_then(|said| said.other) {
            return self.report(other, &[place]);
        }
        if known.body.inst(done.inst).call().is_some() {
            let intrinsic = said::intrinsic(env, known.body, done.inst);
            let defined = said::callee(known.body, done.inst).is_some_and(|f| self.program.is_defined(f));
            if intrinsic.is_none() && !defined && said.is_some() {
                return self.report("metadata of a call that leaves the module", &[place]);
            }
            if intrinsic.is_none() {
                self.compare_fixed(&done);
                self.past.iter_mut().for_each(|past| past.remember(done.memory));
            }
            if intrinsic == Some(Intrinsic::LifetimeStart) {
                self.restart(&done);
            }
            if let Some(promise) =
                known.library.get(&done.inst).and_then(|l| self.violated_assumption(*l, &done))
            {
                return self.report(promise, &[place]);
            }
        }
        let is_poison = matches!(done.value, Some(Val::Poison));
        if is_poison && said::is_noundef_with_facts(env, known.body, done.inst) {
            return self.report("`noundef` on a result that metadata or flags make poison", &[place]);
        }
        self.log(&done);
        if let Some(value) = done.value {
            self.frames[done.depth].values.insert(done.inst, value.clone());
        }
    }
}

impl Checker<'_> {
    /// The argument whose bytes are stored back on entry and are partly poison. How much becomes poison then depends
    /// on the type of the store, which LangRef leaves open.
    fn partly_poison(&self, entry: &Entry<'_>) -> Option<usize> {
        let env = &self.program.module().env;
        let lists = &env.funcs[entry.func].param_attrs;
        lists.iter().zip(entry.args).position(|(list, arg)| {
            let Val::Ptr(start) = arg else { return false };
            let poison = |at| byte(entry.memory, start.advanced(at)).map(|(_, ([_, poison, _], _))| poison);
            let all: Vec<u8> = (0..env.stored_back(list)).map_while(poison).collect();
            all.iter().any(|byte| *byte != 0) && all.iter().any(|byte| *byte != 0xff)
        })
    }
    /// An assumption of a library function that the call violates.
    fn violated_assumption(&self, which: Library, done: &Done<'_>) -> Option<&'static str> {
        let operands = &self.frames[done.depth].known.body.inst(done.inst).operands;
        let value = |i: usize| operands.get(i).and_then(|value| self.value(done.depth, *value));
        let pointer = |i| match value(i)? {
            Val::Ptr(ptr) => Some(ptr),
            Val::Poison | Val::Bits(_) | Val::Wide(_) | Val::Agg(_) => None,
        };
        let size = which.character_bytes();
        if size > 1 {
            return pointer(0).filter(|ptr| ptr.addr % size != 0).map(|_| "wide characters are aligned");
        }
        let length = value(2).as_ref().and_then(Val::cube).map_or(0, |cube| cube.bits as u64);
        let is_poison = |ptr: Pointer, at: u64| {
            byte(done.memory, ptr.advanced(at)).is_some_and(|(_, ([_, poison, _], _))| poison != 0)
        };
        let ranges = [pointer(0), pointer(1)].into_iter().flatten();
        let mut poison = ranges.filter(|ptr| (0..length).any(|at| is_poison(*ptr, at)));
        poison.next().map(|_| "compared bytes are not poison")
    }
    /// Discards the accesses to an object whose lifetime starts again.
    fn restart(&mut self, done: &Done<'_>) {
        let body = self.frames[done.depth].known.body;
        let count = body.inst(done.inst).call().map_or(0, |call| call.args().len());
        let Some(last) = count.checked_sub(1) else { return };
        if let Some(Val::Ptr(ptr)) = self.value(done.depth, body.inst(done.inst).operands[last])
            && let Some(alloc) = done.memory.object_of(ptr).map(|i| done.memory.allocation(i))
        {
            let range = alloc.base..alloc.base + alloc.size;
            self.log.retain(|addr, _| !range.contains(addr));
            self.fixed.retain(|addr, _| !range.contains(addr));
            self.past.iter_mut().for_each(|past| past.forget(range.start));
        }
    }
}
