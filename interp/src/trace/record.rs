//! The recorder: an observer that keeps the steps of a run and, for every value with poison or undefined bits, a node
//! with the values that it was computed from.
//!
//! Each active function holds the current values of its arguments and results; memory holds the writer of each byte
//! that is not fully defined ([`Writers`]). A step whose result has such bits becomes a [`Node`] with its operands
//! and their nodes. [`super::chain`] follows nodes back to where the bits first arose. Nodes are kept when the steps
//! between the first and the last ones are dropped.

use super::loops::{Counters, LoopMap};
use super::observer::{Done, Entry, Observer};
use super::steps::{At, Iterations, Kept, Step, What};
use super::writers::{NodeId, Writers};
use crate::compile::Program;
use crate::layout::Shape;
use crate::value::{Pointer, Val};
use backedge_ir::body::Body;
use backedge_ir::entity::{Arg, Block, Const, EntityId, FuncId, Inst};
use backedge_ir::inst::{InstData, InstKind, Value};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::types::Type;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Maximum number of nodes, each of which is an origin of bits: bounds the memory of a trace. Bits that arise later are
/// reported without their origin.
const MAX_NODES: usize = 1 << 21;

/// An operand at the time of its use.
#[derive(Clone, Debug)]
pub(crate) struct Operand {
    pub(crate) value: Val,
    /// The node of its poison or undefined bits; `None` if it has none or is a constant.
    pub(crate) node: Option<NodeId>,
    pub(crate) constant: bool,
}

/// Bytes of a memory access that are not fully defined and have the same writer.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    /// Offset in the access, in bytes.
    pub(crate) offset: u64,
    pub(crate) len: u64,
    pub(crate) poison: bool,
    pub(crate) undef: bool,
    pub(crate) source: Source,
}

/// Origin of bytes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    /// A step wrote them.
    Written(NodeId),
    /// No step wrote them since the object was created.
    Unwritten,
    /// The object was outside its lifetime.
    OutsideLifetime,
}

/// How a node's value was produced.
#[derive(Clone, Debug)]
pub(crate) enum Role {
    /// Computed from the operands.
    Result,
    /// Incoming value of a phi: the only operand.
    Incoming,
    /// Loaded from memory; if `first` is set, the first member of the result.
    Loaded { addr: u64, pieces: Vec<Piece>, first: bool },
    /// Loaded by a masked load: address and bytes of each enabled lane; the other lanes are those of operand `rest`.
    Masked { lanes: Vec<Option<(u64, Vec<Piece>)>>, rest: usize },
    /// Stored to an address from the only operand (for `atomicrmw`, computed from several).
    Stored { addr: u64 },
    /// Copied from memory to an address.
    Copied { addr: u64, from: u64, pieces: Vec<Piece> },
    /// An argument, by index; the operand is the caller's, if there is a caller.
    Argument(usize),
    /// Returned; the operand is that of `ret`.
    Returned,
    /// The result of a call; the operand is the callee's returned value.
    Called,
    /// The result of an external function.
    Answered,
}

/// A value with poison or undefined bits, and the operands that it was computed from.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) at: At,
    pub(crate) value: Val,
    /// The value before attributes, metadata or flags were applied, if they changed it.
    pub(crate) raw: Option<Val>,
    pub(crate) operands: Vec<Operand>,
    pub(crate) role: Role,
}

/// Facts about a function.
#[derive(Debug)]
struct Known<'p> {
    body: &'p Body,
    loops: LoopMap,
}

#[derive(Clone, Debug)]
struct Def {
    operand: Operand,
    visit: u64,
    step: u64,
}

/// An active function.
#[derive(Debug)]
pub(crate) struct Frame<'p> {
    pub(crate) func: FuncId,
    known: Rc<Known<'p>>,
    counters: Counters,
    iterations: Iterations,
    visit: u64,
    block: Block,
    args: Vec<Operand>,
    defs: FxHashMap<Inst, Def>,
    /// The incoming values of the block's phis, taken before any phi changed.
    incoming: FxHashMap<Inst, Operand>,
}

/// Records a run. After the run [`Recorder::finish`] builds a trace.
#[derive(Debug)]
pub struct Recorder<'p> {
    pub(crate) program: &'p Program<'p>,
    known: FxHashMap<FuncId, Rc<Known<'p>>>,
    constants: FxHashMap<(FuncId, Const), Val>,
    pub(crate) frames: Vec<Frame<'p>>,
    pub(super) writers: Writers,
    pub(crate) nodes: Vec<Node>,
    pub(crate) kept: Kept,
    /// Steps so far.
    pub(crate) steps: u64,
    /// The operands of the steps that were events, in order.
    pub(crate) events: Vec<Vec<Operand>>,
    /// The value returned by the function that was left last, and its depth.
    pub(crate) returned: Option<(usize, Operand)>,
    /// Objects created by `alloca`: address and instruction.
    pub(crate) allocas: Vec<(u64, At)>,
}

impl<'p> Recorder<'p> {
    /// Creates a recorder of one run of `program` that keeps at most `limit` steps.
    pub fn new(program: &'p Program<'p>, limit: usize) -> Self {
        Self {
            program,
            known: FxHashMap::default(),
            constants: FxHashMap::default(),
            frames: Vec::new(),
            writers: Writers::default(),
            nodes: Vec::new(),
            kept: Kept::new(limit),
            steps: 0,
            events: Vec::new(),
            returned: None,
            allocas: Vec::new(),
        }
    }
    fn know(&mut self, func: FuncId) -> Option<Rc<Known<'p>>> {
        if let Some(known) = self.known.get(&func) {
            return Some(known.clone());
        }
        let body = self.program.module.body(func)?;
        let known = Rc::new(Known { body, loops: LoopMap::new(body) });
        self.known.insert(func, known.clone());
        Some(known)
    }
    fn constant(&mut self, func: FuncId, body: &Body, id: Const) -> Val {
        let program = self.program;
        let make = || program.constant(body, id).unwrap_or_else(|_| Val::agg(Vec::new()));
        self.constants.entry((func, id)).or_insert_with(make).clone()
    }
    fn operand(&mut self, frame: usize, value: Value) -> Operand {
        let top = &self.frames[frame];
        let nothing = Operand { value: Val::agg(Vec::new()), node: None, constant: false };
        match value {
            Value::Arg(arg) => top.args.get(arg.index()).cloned().unwrap_or(nothing),
            Value::Inst(inst) => top.defs.get(&inst).map_or(nothing, |d| d.operand.clone()),
            Value::Const(id) => {
                let (func, body) = (top.func, top.known.body);
                Operand { value: self.constant(func, body, id), node: None, constant: true }
            }
        }
    }
    /// The current operands of `inst` in the frame at `depth`, without those that name cases, clauses or functions.
    pub(crate) fn operands(&mut self, depth: usize, inst: Inst) -> Vec<Operand> {
        let body = self.frames[depth].known.body;
        let data = body.inst(inst);
        if let Some(operand) = self.frames[depth].incoming.get(&inst) {
            return vec![operand.clone()];
        }
        let count = match &data.kind {
            InstKind::Switch => 1,
            InstKind::LandingPad { .. } => 0,
            // The callee is the last operand; it matters if it is a value.
            InstKind::Call(_) | InstKind::Invoke(_) | InstKind::CallBr(_) => {
                let callee = data.operands.last().is_some_and(|v| v.as_const().is_some());
                data.operands.len() - usize::from(callee)
            }
            _ => data.operands.len(),
        };
        let values: Vec<Value> =
            data.operands[..count].iter().copied().filter(|v| has_value(body.ty(*v))).collect();
        values.into_iter().map(|v| self.operand(depth, v)).collect()
    }
    /// The result that `inst` had in the current visit of its block, if it was reported.
    pub(crate) fn result_now(&self, depth: usize, inst: Inst) -> Option<Operand> {
        let frame = &self.frames[depth];
        frame.defs.get(&inst).filter(|d| d.visit == frame.visit).map(|d| d.operand.clone())
    }
    /// The writer of a byte that is not defined.
    pub(crate) fn writer(&self, addr: u64) -> Option<NodeId> {
        self.writers.at(addr)
    }
    pub(crate) fn at(&self, depth: usize, inst: Option<Inst>) -> At {
        let frame = &self.frames[depth];
        let step = self.steps + u64::from(inst.is_none());
        At { step, func: frame.func, block: frame.block, inst, depth, iterations: frame.iterations.clone() }
    }
    pub(super) fn node(&mut self, node: Node) -> Option<NodeId> {
        if self.nodes.len() >= MAX_NODES {
            return None;
        }
        self.nodes.push(node);
        Some(NodeId((self.nodes.len() - 1) as u32))
    }
    /// The operand for `value` from now on, with a node if it needs one.
    pub(super) fn made(&mut self, at: &At, value: &Val, operands: &[Operand], role: Role) -> Operand {
        let mut node = None;
        if value.has_undef_or_poison() {
            let (value, operands) = (value.clone(), operands.to_vec());
            node = self.node(Node { at: at.clone(), value, raw: None, operands, role });
        }
        Operand { value: value.clone(), node, constant: false }
    }
}

/// Whether values of the type exist at run time.
fn has_value(ty: Type) -> bool {
    ty != Type::METADATA && ty != Type::LABEL && ty != Type::TOKEN
}

impl Observer for Recorder<'_> {
    fn call(&mut self, entry: Entry<'_>) {
        let caller = if entry.replaces { Some(entry.depth) } else { entry.depth.checked_sub(1) };
        let given = match (entry.call, caller) {
            (Some(call), Some(caller)) => self.operands(caller, call),
            _ => Vec::new(),
        };
        self.frames.truncate(entry.depth);
        let Some(known) = self.know(entry.func) else { return };
        let Some(block) = known.body.entry() else { return };
        self.frames.push(Frame {
            func: entry.func,
            known,
            counters: Counters::default(),
            iterations: [].into(),
            visit: 0,
            block,
            args: Vec::new(),
            defs: FxHashMap::default(),
            incoming: FxHashMap::default(),
        });
        let at = self.at(entry.depth, None);
        self.copy_arguments(entry, &given);
        for (i, value) in entry.args.iter().enumerate() {
            let given = given.get(i).cloned();
            let operand = self.made(&at, value, given.as_slice(), Role::Argument(i));
            self.frames[entry.depth].args.push(operand);
        }
        self.kept.push(Step { at, what: What::Call { args: entry.args.to_vec() } });
    }
    fn enter(&mut self, _: FuncId, block: Block, depth: usize) {
        self.frames.truncate(depth + 1);
        let Some(frame) = self.frames.get_mut(depth) else { return };
        let from = std::mem::replace(&mut frame.block, block);
        frame.visit += 1;
        frame.incoming.clear();
        let known = frame.known.clone();
        if frame.counters.enter(&known.loops, block) {
            frame.iterations = frame.counters.snapshot(&known.loops).collect();
        }
        for phi in known.body.phis(block).collect::<Vec<_>>() {
            let Some(value) = known.body.incoming_from(phi, from) else { continue };
            let operand = self.operand(depth, value);
            self.frames[depth].incoming.insert(phi, operand);
        }
        let at = self.at(depth, None);
        self.kept.push(Step { at, what: What::Enter { from, header: known.loops.is_header(block) } });
    }
    fn step(&mut self, done: Done<'_>) {
        self.frames.truncate(done.depth + 1);
        let Some(frame) = self.frames.get(done.depth) else { return };
        let old = frame.defs.get(&done.inst).filter(|d| d.visit == frame.visit);
        if let (Some(old), Some(value)) = (old.cloned(), done.value) {
            self.recheck(&done, &old, value);
            return;
        }
        self.steps += 1;
        let operands = self.operands(done.depth, done.inst);
        let at = self.at(done.depth, Some(done.inst));
        let body = self.frames[done.depth].known.body;
        let event = self.events_of(&done, body.inst(done.inst), &operands);
        let result = self.execute(&done, body.inst(done.inst), &at, &operands);
        if let Some(operand) = result {
            let visit = self.frames[done.depth].visit;
            let def = Def { operand, visit, step: self.steps };
            self.frames[done.depth].defs.insert(done.inst, def);
        }
        let operands = operands.into_iter().map(|o| o.value).collect();
        self.kept.push(Step { at, what: What::Inst { operands, value: done.value.cloned(), event } });
    }
}

impl Recorder<'_> {
    /// Records the events since the last step. They are this step's events, unless it cannot be an event: then an
    /// exception left a call.
    fn events_of(&mut self, done: &Done<'_>, data: &InstData, operands: &[Operand]) -> Option<usize> {
        if done.events <= self.events.len() {
            return None;
        }
        let can_be = matches!(
            data.kind,
            InstKind::Call(_)
                | InstKind::Invoke(_)
                | InstKind::CallBr(_)
                | InstKind::Load(_)
                | InstKind::Store(_)
                | InstKind::AtomicRmw(..)
                | InstKind::CmpXchg(_)
        );
        let operands = if can_be { operands.to_vec() } else { Vec::new() };
        self.events.resize(done.events, operands);
        can_be.then(|| done.events - 1)
    }
    /// Updates the result of the instruction's last step to the checked `value`.
    fn recheck(&mut self, done: &Done<'_>, old: &Def, value: &Val) {
        if old.operand.value == *value {
            return;
        }
        let node = match old.operand.node {
            Some(id) => {
                let node = &mut self.nodes[id.0 as usize];
                node.raw.get_or_insert_with(|| node.value.clone());
                node.value = value.clone();
                Some(id)
            }
            None => {
                let at = At { step: old.step, ..self.at(done.depth, Some(done.inst)) };
                let raw = Some(old.operand.value.clone());
                let operands = self.operands(done.depth, done.inst);
                self.node(Node { at, value: value.clone(), raw, operands, role: Role::Result })
            }
        };
        let operand = Operand { value: value.clone(), node, constant: false };
        let def = Def { operand, ..old.clone() };
        self.frames[done.depth].defs.insert(done.inst, def);
        if let Some(Step { what: What::Inst { value: kept, .. }, .. }) = self.kept.find_mut(old.step) {
            *kept = Some(value.clone());
        }
    }
    /// `byval` parameters: the copy has the writers of the caller's bytes.
    fn copy_arguments(&mut self, entry: Entry<'_>, given: &[Operand]) {
        let Ok(signature) = self.program.signature(entry.func) else { return };
        for (i, byval) in signature.byval.iter().enumerate() {
            let Some((bytes, _)) = byval else { continue };
            if let (Some(Val::Ptr(to)), Some(Val::Ptr(from))) =
                (entry.args.get(i), given.get(i).map(|g| &g.value))
            {
                self.writers.copy(from.addr, to.addr, *bytes);
            }
        }
    }
    /// Records the effects of a step and returns its result.
    fn execute(
        &mut self,
        done: &Done<'_>,
        data: &InstData,
        at: &At,
        operands: &[Operand],
    ) -> Option<Operand> {
        let shape = |ty: Type| Shape::of(&self.program.module.env, ty).ok();
        match &data.kind {
            InstKind::Ret => {
                let operand = operands.first()?;
                let returned = self.made(at, &operand.value, operands, Role::Returned);
                self.returned = Some((done.depth, returned));
                None
            }
            InstKind::Phi(_) => Some(self.made(at, done.value?, operands, Role::Incoming)),
            InstKind::Load(_) => {
                let shape = shape(data.ty);
                let role = self.loaded(done, operands.first(), shape.as_ref(), false);
                Some(self.made(at, done.value?, operands, role))
            }
            InstKind::AtomicRmw(..) => {
                let shape = shape(data.ty);
                let role = self.loaded(done, operands.first(), shape.as_ref(), false);
                let old = self.made(at, done.value?, operands, role);
                let parts = [operands.get(1).cloned(), Some(old.clone())];
                let parts: Vec<Operand> = parts.into_iter().flatten().collect();
                self.stored(done, at, operands.first(), shape.as_ref(), &parts);
                Some(old)
            }
            InstKind::CmpXchg(_) => {
                let shape = shape(self.program.module.env.types.member(data.ty, 0)?);
                let role = self.loaded(done, operands.first(), shape.as_ref(), true);
                let result = self.made(at, done.value?, operands, role);
                if done.value?.members().get(1) == Some(&Val::bool(true)) {
                    let parts: Vec<Operand> = operands.get(2).cloned().into_iter().collect();
                    self.stored(done, at, operands.first(), shape.as_ref(), &parts);
                }
                Some(result)
            }
            InstKind::Store(_) => {
                let body = self.frames[done.depth].known.body;
                let shape = shape(body.ty(data.operands[0]));
                self.stored(done, at, operands.get(1), shape.as_ref(), &operands[..1]);
                None
            }
            InstKind::Alloca(_) => {
                if let Some(Val::Ptr(ptr)) = done.value {
                    self.allocas.push((ptr.addr, at.clone()));
                }
                Some(self.made(at, done.value?, operands, Role::Result))
            }
            InstKind::Call(_) | InstKind::Invoke(_) | InstKind::CallBr(_) => {
                self.called(done, data, at, operands)
            }
            _ => Some(self.made(at, done.value?, operands, Role::Result)),
        }
    }
    fn called(&mut self, done: &Done<'_>, data: &InstData, at: &At, operands: &[Operand]) -> Option<Operand> {
        if let Some((_, returned)) = self.returned.take_if(|(depth, _)| *depth == done.depth + 1) {
            let result = self.made(at, done.value?, std::slice::from_ref(&returned), Role::Called);
            if let Some(id) = result.node.filter(|_| returned.value != result.value) {
                self.nodes[id.0 as usize].raw = Some(returned.value);
            }
            return Some(result);
        }
        let env = &self.program.module.env;
        let body = self.frames[done.depth].known.body;
        let callee = data.operands.last().and_then(|v| body.called_function(*v));
        let intrinsic = callee.and_then(|f| env.funcs[f].intrinsic);
        let Some(intrinsic) = intrinsic else {
            return Some(self.made(at, done.value?, operands, Role::Answered));
        };
        let pointer = |i| pointer_operand(operands, i);
        let length = operands.get(2).and_then(|o| o.value.cube()).map_or(0, |c| c.bits as u64);
        match intrinsic {
            Intrinsic::Memset | Intrinsic::MemsetInline | Intrinsic::MemsetElementAtomic => {
                if let Some(to) = pointer(0).filter(|_| length > 0) {
                    let byte = operands[1].clone();
                    let node = self.made(
                        at,
                        &byte.value,
                        std::slice::from_ref(&byte),
                        Role::Stored { addr: to.addr },
                    );
                    self.writers.write(to.addr..to.addr.saturating_add(length), node.node);
                }
            }
            Intrinsic::MaskedStore | Intrinsic::MaskedScatter | Intrinsic::MaskedCompressStore => {
                self.masked_store(at, intrinsic, operands);
            }
            Intrinsic::MaskedLoad | Intrinsic::MaskedGather | Intrinsic::MaskedExpandLoad => {
                let role = self.masked_load(done, intrinsic, operands);
                return Some(self.made(at, done.value?, operands, role));
            }
            Intrinsic::Memcpy
            | Intrinsic::MemcpyInline
            | Intrinsic::Memmove
            | Intrinsic::MemcpyElementAtomic
            | Intrinsic::MemmoveElementAtomic
                if length > 0 =>
            {
                self.copied(done, at, operands, length);
            }
            Intrinsic::LifetimeStart | Intrinsic::LifetimeEnd => {
                let object = pointer(operands.len().saturating_sub(1));
                if let Some(alloc) = object.and_then(|p| done.memory.object_of(p)) {
                    let alloc = done.memory.allocation(alloc);
                    self.writers.write(alloc.base..alloc.base + alloc.size, None);
                }
            }
            _ => {}
        }
        Some(self.made(at, done.value?, operands, Role::Result))
    }
}

/// The value of an argument by its index.
pub(crate) fn arg_value(index: usize) -> Value {
    Value::Arg(Arg::from_index(index))
}

/// The operand with that number, if it is a pointer.
pub(super) fn pointer_operand(operands: &[Operand], number: usize) -> Option<Pointer> {
    match operands.get(number)?.value {
        Val::Ptr(ptr) => Some(ptr),
        Val::Poison | Val::Bits(_) | Val::Wide(_) | Val::Agg(_) => None,
    }
}
