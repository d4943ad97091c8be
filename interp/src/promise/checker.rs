//! The observer that checks the promises of one run: tracks active functions, values and loop iterations, and hands
//! each access to the log.

use super::byte::{Fixed, byte};
use super::conflict::Class;
use super::past::Past;
use super::said::{Declarations, Said};
use super::{Broken, Forbidden, said};
use crate::compile::Program;
use crate::trace::{Counters, Done, Entry, LoopMap, Observer};
use crate::value::{Pointer, Val};
use backedge_ir::attr::FlagAttr;
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, EntityId, FuncId, Inst, MdId};
use backedge_ir::inst::Value;
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::meaning::library::Library;
use backedge_ir::print::inst_to_string;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

/// Facts about a function's body that the checker needs.
#[derive(Debug)]
pub(super) struct Known<'p> {
    pub(super) body: &'p Body,
    pub(super) loops: LoopMap,
    pub(super) said: FxHashMap<Inst, Said>,
    pub(super) parallel: Vec<(Block, Vec<MdId>)>,
    declarations: Declarations,
    /// Checked calls of library functions.
    pub(super) library: FxHashMap<Inst, Library>,
}

/// An active function.
#[derive(Debug)]
pub(super) struct Frame<'p> {
    /// Call number; distinguishes two calls of one function.
    pub(super) number: u32,
    pub(super) func: FuncId,
    pub(super) known: Rc<Known<'p>>,
    pub(super) call: Option<Inst>,
    pub(super) block: Option<Block>,
    pub(super) args: Vec<Val>,
    values: FxHashMap<Inst, Val>,
    pub(super) counters: Counters,
    /// Number of entries of each loop from outside, by header.
    pub(super) entries: FxHashMap<Block, u32>,
    /// Number of executed declarations of each scope.
    pub(super) declared: FxHashMap<MdId, u32>,
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

/// Checks the promises of one run.
#[derive(Debug)]
pub(super) struct Checker<'p> {
    pub(super) program: &'p Program<'p>,
    pub(super) known: FxHashMap<FuncId, Rc<Known<'p>>>,
    pub(super) frames: Vec<Frame<'p>>,
    pub(super) calls: u32,
    pub(super) classes: Vec<Class>,
    pub(super) by_place: FxHashMap<(FuncId, Inst), Vec<u32>>,
    /// The access classes of each byte.
    pub(super) log: FxHashMap<u64, Vec<u32>>,
    pub(super) entries: usize,
    /// Bytes that must not change: their value and the load that promises it.
    pub(super) fixed: FxHashMap<u64, Fixed>,
    /// Earlier memory contents, if a promise concerns them.
    pub(super) past: Option<Past>,
    /// Instructions that must not be executed, with the violated promise.
    pub(super) forbidden: FxHashMap<(FuncId, Inst), Arc<str>>,
    pub(super) broken: Option<Broken>,
}

impl<'p> Checker<'p> {
    pub(super) fn new(program: &'p Program<'p>, forbidden: &[Forbidden]) -> Self {
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
    pub(super) fn value(&self, depth: usize, value: Value) -> Option<Val> {
        let frame = self.frames.get(depth)?;
        match value {
            Value::Arg(arg) => frame.args.get(arg.index()).cloned(),
            Value::Inst(inst) => frame.values.get(&inst).cloned(),
            Value::Const(id) => self.program.constant(frame.known.body, id).ok(),
        }
    }
    pub(super) fn words(&self, (func, inst): (FuncId, Inst)) -> String {
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
    pub(super) fn report_forbidden_call(&mut self, forbidden: &[Forbidden]) {
        let module = self.program.module();
        let is_call = |f: &&Forbidden| module.body(f.func).is_some_and(|b| b.inst(f.inst).call().is_some());
        if let Some(call) = forbidden.iter().find(is_call) {
            self.execute((call.func, call.inst));
        }
    }
    /// Reports a promise that may be violated where `places` are executed.
    pub(super) fn report(&mut self, promise: impl Into<Cow<'static, str>>, places: &[(FuncId, Inst)]) {
        if self.broken.is_none() {
            let accesses = places.iter().map(|place| self.words(*place)).collect();
            self.broken = Some(Broken { promise: promise.into(), accesses, is_shown: false });
        }
    }
    /// Reports a promise that the accesses violate.
    pub(super) fn show(&mut self, promise: &'static str, accesses: Vec<String>) {
        self.broken.get_or_insert(Broken { promise: promise.into(), accesses, is_shown: true });
    }
    pub(super) fn said(&self, depth: usize, inst: Inst) -> Option<&Said> {
        self.frames.get(depth)?.known.said.get(&inst)
    }
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
