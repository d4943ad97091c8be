//! Explains the end of a run: the rule that UB violated; and for poison and undefined bits that are observable (in
//! the returned value, arguments of events, memory) or in the operand that caused UB, where they first arose and how
//! they propagated.

use super::cause::{Blame, Cause, CauseKind, cause, leaf_ty};
use super::chain::{Bad, Hop, Origin, Tracer, Via, Way, member};
use super::record::{Node, Operand, Recorder, Role};
use super::rules::Section;
use super::steps::At;
use super::words::Words;
use crate::Run;
use crate::input::Input;
use crate::memory::{Liveness, Memory};
use crate::observe::EventKind;
use crate::outcome::{Outcome, Place, UbKind};
use crate::value::Val;
use backedge_ir::body::Body;
use backedge_ir::entity::{FuncId, Inst};
use backedge_ir::inst::InstKind;
use backedge_ir::types::Type;

/// No further event is explained once there are this many subjects: the first ones tell the cause.
const MAX_EVENTS: usize = 16;

/// Explanation of a run's end.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Explanation {
    /// The UB that ended the run.
    pub ub: Option<Struck>,
    /// Relevant values with poison or undefined bits, with their stories.
    pub subjects: Vec<Subject>,
}

/// Undefined behavior.
#[derive(Clone, PartialEq, Debug)]
pub struct Struck {
    /// The kind; its name is the stable identifier.
    pub kind: UbKind,
    /// The LangRef section that makes it UB.
    pub section: Section,
    /// The instruction as text; empty for the function's entry.
    pub inst: String,
    /// Block, function and iterations as text.
    pub place: String,
    /// The position; `None` if no function was entered.
    pub at: Option<At>,
    /// The operands: name and value.
    pub operands: Vec<(String, String)>,
    /// Facts about memory that are relevant to it.
    pub details: Vec<String>,
}

/// A value and the origin of its poison or undefined bits.
#[derive(Clone, PartialEq, Debug)]
pub struct Subject {
    /// A description, such as `the returned value`.
    pub what: String,
    /// The value as text.
    pub value: String,
    /// The story.
    pub story: Story,
}

/// Where poison or undefined bits first arose, and how they propagated.
#[derive(Clone, PartialEq, Debug)]
pub struct Story {
    /// The kind of bits that is followed.
    pub bad: Bad,
    /// Why they arose, at the first link.
    pub cause: Cause,
    /// The steps in the order of the run. Empty for a constant or argument that no step has touched.
    pub links: Vec<Link>,
    /// If poison arose from undefined bits: the story of those.
    pub because: Option<Box<Story>>,
}

/// One step of the propagation.
#[derive(Clone, PartialEq, Debug)]
pub struct Link {
    /// The position.
    pub at: At,
    /// How the bits reached this step from the preceding link.
    pub via: Via,
    /// The instruction as text, or the argument's name.
    pub text: String,
    /// Block, function and iterations as text.
    pub place: String,
    /// The affected value. For copies of bytes, one byte represents them all.
    pub value: Val,
    /// Indices of the affected member.
    pub path: Vec<u32>,
    /// The value as text.
    pub value_text: String,
}

pub(crate) struct Explainer<'a, 'm> {
    pub(crate) tracer: Tracer<'a>,
    pub(crate) words: &'a Words<'m>,
    pub(crate) memory: &'a Memory,
    pub(crate) input: &'a Input,
}

impl<'a, 'm> Explainer<'a, 'm> {
    /// The story of an operand; `None` if it is fully defined.
    fn operand(&self, operand: &Operand) -> Option<Story> {
        let bad = Bad::of(&operand.value)?;
        let path = bad.first_in(&operand.value)?;
        Some(match operand.node {
            Some(node) => self.story(&self.tracer.follow(node, path, bad)),
            None => {
                let kind = if operand.constant { CauseKind::Constant } else { CauseKind::NotKept };
                let detail = if operand.constant { "it is a constant" } else { "its origin is not kept" };
                Story { bad, cause: cause(kind, detail), links: Vec::new(), because: None }
            }
        })
    }
    fn story(&self, way: &Way) -> Story {
        let links: Vec<Link> =
            way.hops.iter().rev().map(|hop| self.link(self.tracer.node(hop.node), hop, way.bad)).collect();
        let Some(last) = way.hops.last() else {
            let cause = cause(CauseKind::NotKept, "nothing is kept");
            return Story { bad: way.bad, cause, links, because: None };
        };
        let node = self.tracer.node(last.node);
        let cause = self.origin(way, node, &last.path);
        let because = (way.bad == Bad::Poison && way.origin == Origin::Node)
            .then(|| node.operands.iter().find(|o| Bad::of(&o.value) == Some(Bad::Undef)))
            .flatten()
            .and_then(|o| self.operand(o))
            .map(Box::new);
        Story { bad: way.bad, cause, links, because }
    }
    fn origin(&self, way: &Way, node: &'a Node, path: &[u32]) -> Cause {
        match &way.origin {
            Origin::Node => {
                let Self { tracer, words, memory, input } = *self;
                Blame { tracer, words, memory, input }.node(node, path, way.bad)
            }
            Origin::Constant(i) => {
                cause(CauseKind::Constant, format!("operand {i} is the constant {}", way.bad.name()))
            }
            Origin::NotKept => cause(CauseKind::NotKept, "the steps that it came from are not kept"),
            Origin::Memory { addr, outside_lifetime } => self.memory_cause(*addr, *outside_lifetime),
        }
    }
    fn memory_cause(&self, addr: u64, outside_lifetime: bool) -> Cause {
        use crate::memory::Origin as Object;
        let index = self.memory.allocations().partition_point(|a| a.base <= addr).checked_sub(1);
        let Some(alloc) = index.map(|i| self.memory.allocation(i)) else {
            return cause(CauseKind::Other, "no object is there");
        };
        let name = self.words.object(alloc.base).unwrap_or_default();
        let place = format!("byte {} of {name}", addr - alloc.base);
        if outside_lifetime {
            return cause(CauseKind::OutsideLifetime, format!("{place}: it is outside its lifetime"));
        }
        match alloc.origin {
            Object::Global(_) | Object::Function(_) | Object::Buffer(_) | Object::Block(_) => {
                cause(CauseKind::InitialMemory, format!("{place} is so from the start"))
            }
            Object::Local(_) | Object::Heap(_) | Object::External(_) => cause(
                CauseKind::Uninitialised,
                format!("{place} has not been written since it was allocated"),
            ),
        }
    }
    fn link(&self, node: &Node, hop: &Hop, bad: Bad) -> Link {
        let func = node.at.func;
        let body = self.tracer.module.body(func);
        let data = body.zip(node.at.inst).map(|(body, inst)| (body, body.inst(inst)));
        let (text, ty) = match (&node.role, node.at.inst, data) {
            (Role::Argument(i), _, _) => {
                let arg = super::record::arg_value(*i);
                let ty = body.map_or(Type::VOID, |b| b.ty(arg));
                (format!("argument {}", self.words.operand(func, arg)), ty)
            }
            (role, Some(inst), Some((body, data))) => {
                let stored = matches!(role, Role::Stored { .. } | Role::Returned);
                let ty = match &data.kind {
                    InstKind::Store(_) | InstKind::Ret => body.ty(data.operands[0]),
                    InstKind::CmpXchg(_) if stored => body.ty(data.operands[2]),
                    InstKind::Call(_) if stored && !node.value.members().is_empty() => {
                        body.ty(data.operands[0])
                    }
                    InstKind::Call(_) | InstKind::Invoke(_) | InstKind::CallBr(_) if stored => {
                        body.ty(data.operands[1])
                    }
                    _ => data.ty,
                };
                (self.words.inst(func, inst), ty)
            }
            _ => (String::new(), Type::VOID),
        };
        let (at, place, via) = (node.at.clone(), self.words.place(&node.at), hop.via.clone());
        if matches!(node.role, Role::Copied { .. }) {
            let value = if bad == Bad::Poison { Val::Poison } else { Val::undef(8) };
            return Link { at, via, text, place, value, path: Vec::new(), value_text: bad.name().to_owned() };
        }
        let value_text = self.words.value(ty, &node.value);
        Link { at, via, text, place, value: node.value.clone(), path: hop.path.clone(), value_text }
    }
    fn subject(&self, what: String, ty: Type, operand: &Operand) -> Option<Subject> {
        let story = self.operand(operand)?;
        Some(Subject { what, value: self.words.value(ty, &operand.value), story })
    }
}

/// Explains the end of `run`, which `recorder` has observed.
pub(crate) fn explain(
    recorder: &mut Recorder<'_>,
    words: &Words<'_>,
    memory: &Memory,
    run: &Run,
    input: &Input,
) -> Explanation {
    let mut explanation = Explanation::default();
    let struck = match &run.outcome {
        Outcome::Ub { kind, place } => Some((*kind, *place, at_end(recorder, *place))),
        _ => None,
    };
    let last = match &run.outcome {
        Outcome::DidNotReturn { place, .. } => at_end(recorder, *place),
        _ => None,
    };
    let module = recorder.program.module;
    let tracer = Tracer { module, nodes: &recorder.nodes };
    let explainer = Explainer { tracer, words, memory, input };
    if let Some((kind, place, end)) = struck {
        let (struck, subjects) = explainer.struck(kind, place, end);
        explanation.ub = Some(struck);
        explanation.subjects.extend(subjects);
    }
    for (i, event) in run.events.iter().enumerate() {
        if explanation.subjects.len() >= MAX_EVENTS {
            break;
        }
        let operands = match (recorder.events.get(i), &last) {
            (Some(operands), _) => operands,
            // The call that ended the run was not recorded as a step.
            (None, Some(end)) if i + 1 == run.events.len() => &end.operands,
            (None, _) => continue,
        };
        explanation.subjects.extend(explainer.event(i, event, operands));
    }
    if let (Outcome::Returned(Some(_)), Some((0, returned))) = (&run.outcome, &recorder.returned) {
        let func = recorder.frames.first().map(|f| f.func);
        explanation.subjects.extend(explainer.returned(func, run, returned));
    }
    explanation.subjects.extend(explainer.visible(run, recorder));
    explanation
}

/// The instruction that ended the run, with its operands.
struct End {
    at: At,
    operands: Vec<Operand>,
    /// Its result, if it had one before a check failed.
    result: Option<Operand>,
}

fn at_end(recorder: &mut Recorder<'_>, place: Place) -> Option<End> {
    let depth = recorder.frames.iter().rposition(|f| f.func == place.func)?;
    let inst = place.inst?;
    let operands = recorder.operands(depth, inst);
    let result = recorder.result_now(depth, inst);
    let mut at = recorder.at(depth, Some(inst));
    at.step += 1;
    Some(End { at, operands, result })
}

impl Explainer<'_, '_> {
    fn returned(&self, func: Option<FuncId>, run: &Run, returned: &Operand) -> Option<Subject> {
        let env = &self.tracer.module.env;
        let ty = env.types.signature(env.funcs[func?].ty).map(|(ret, ..)| ret)?;
        let what = "the returned value".to_owned();
        match run.value() {
            // The function's own attributes made it poison.
            Some(value) if *value != returned.value => {
                let bad = Bad::of(value)?;
                let path = bad.first_in(value)?;
                let leaf = member(&returned.value, &path);
                let facts = crate::facts::Facts::of_attrs(env, &env.funcs[func?].ret_attrs)?;
                let shape = crate::layout::Shape::of(env, leaf_ty(env, Some(ty), &path)?).ok()?;
                let claim = facts.broken_claim(&shape, leaf).map(|c| super::cause::claimed(&c));
                let detail = format!(
                    "{} does not fit {} of the function's result",
                    self.words.value(ty, &returned.value),
                    claim.unwrap_or_else(|| "what is said".to_owned())
                );
                let cause = cause(CauseKind::Attribute, detail);
                let story = Story { bad, cause, links: Vec::new(), because: None };
                Some(Subject { what, value: self.words.value(ty, value), story })
            }
            _ => self.subject(what, ty, returned),
        }
    }
    fn event(&self, number: usize, event: &crate::observe::Event, operands: &[Operand]) -> Vec<Subject> {
        let body = self.tracer.module.body(event.place.func);
        let data = body.zip(event.place.inst).map(|(body, inst)| (body, body.inst(inst)));
        let Some((body, data)) = data else { return Vec::new() };
        let count = match &event.kind {
            EventKind::Call { args, .. } => args.len(),
            EventKind::Output { .. } | EventKind::VolatileLoad { .. } => 0,
            EventKind::VolatileStore { .. } => 1,
        };
        let named = |i: usize| match &event.kind {
            EventKind::Call { callee, .. } => {
                format!("argument {i} of event {number}, the call of @{callee}")
            }
            EventKind::Output { .. } | EventKind::VolatileLoad { .. } | EventKind::VolatileStore { .. } => {
                format!("what event {number} stores")
            }
        };
        operands
            .iter()
            .take(count)
            .enumerate()
            .filter_map(|(i, operand)| self.subject(named(i), body.ty(*data.operands.get(i)?), operand))
            .collect()
    }
    /// For each object visible at the end, the first byte that the run made poison or undefined.
    fn visible(&self, run: &Run, recorder: &Recorder<'_>) -> Vec<Subject> {
        let mut subjects = Vec::new();
        for seen in &run.memory {
            let alloc = self.memory.allocations().iter().find(|a| {
                let same = match (&a.origin, &seen.object) {
                    (crate::memory::Origin::Global(n), crate::observe::ObjectName::Global(m)) => n == m,
                    (crate::memory::Origin::Buffer(n), crate::observe::ObjectName::Buffer(m)) => n == m,
                    _ => false,
                };
                same && a.size as usize == seen.contents.len()
            });
            let Some(alloc) = alloc else { continue };
            let (undef, poison) = (&seen.contents.undef, &seen.contents.poison);
            let bad_at = |i: usize| {
                let set = |plane: &Vec<u8>| plane.get(i).is_some_and(|b| *b != 0);
                if set(poison) { Some(Bad::Poison) } else { set(undef).then_some(Bad::Undef) }
            };
            let found = (0..seen.contents.len()).find_map(|i| {
                let bad = bad_at(i)?;
                Some((i, bad, recorder.writer(alloc.base + i as u64)?))
            });
            let Some((at, bad, writer)) = found else { continue };
            let path = self.tracer.path_of_byte(writer, alloc.base + at as u64, bad);
            let story = self.story(&self.tracer.follow(writer, path, bad));
            let what =
                format!("byte {at} of {} at the end", self.words.object(alloc.base).unwrap_or_default());
            subjects.push(Subject { what, value: bad.name().to_owned(), story });
        }
        subjects
    }
    fn struck(&self, kind: UbKind, place: Place, end: Option<End>) -> (Struck, Vec<Subject>) {
        let inst = place.inst.map_or_else(String::new, |inst| self.words.inst(place.func, inst));
        let body = self.tracer.module.body(place.func);
        let (Some(end), Some(body), Some(at)) = (end, body, place.inst) else {
            let place = format!("the entry of {}", self.words.func(place.func));
            let (operands, section) = (Vec::new(), kind.section());
            return (
                Struck { kind, section, inst, place, at: None, operands, details: self.arguments() },
                Vec::new(),
            );
        };
        let data = body.inst(at);
        let section = kind.section_at(&data.kind);
        let named =
            |i: usize| data.operands.get(i).map(|v| (self.words.operand(place.func, *v), body.ty(*v)));
        let shown = |(i, operand): (usize, &Operand)| {
            let (name, ty) = named(i)?;
            (!operand.constant).then(|| (name, self.words.value(ty, &operand.value)))
        };
        let operands = end.operands.iter().enumerate().filter_map(shown).collect();
        let mut subjects = Vec::new();
        let bad_matters = matches!(
            kind,
            UbKind::BranchOnPoison
                | UbKind::BranchOnUndef
                | UbKind::DivisionByPoison
                | UbKind::DivisionByZero
                | UbKind::DivisionOverflow
                | UbKind::PoisonPointer
                | UbKind::UndefPointer
                | UbKind::NoUndefViolated
                | UbKind::AssumeViolated
                | UbKind::BadCallee
                | UbKind::AllocaSize
                | UbKind::PoisonLength
        );
        if bad_matters {
            let result = end.result.filter(|_| kind == UbKind::NoUndefViolated || end.operands.is_empty());
            if let Some(subject) = result.and_then(|r| self.subject("the result".to_owned(), data.ty, &r)) {
                subjects.push(subject);
            }
            for (i, operand) in end.operands.iter().enumerate() {
                let Some((name, ty)) = named(i) else { continue };
                subjects.extend(self.subject(name, ty, operand));
            }
        }
        let details = self.details(place.func, (body, at), &end.operands);
        let place = self.words.place(&end.at);
        (Struck { kind, section, inst, place, at: Some(end.at), operands, details }, subjects)
    }
    /// The arguments, if they prevented the function's entry.
    fn arguments(&self) -> Vec<String> {
        let list = self.input.args.iter().enumerate();
        list.map(|(i, a)| format!("argument {i} is {}", crate::input::shortened(&a.to_string()))).collect()
    }
    /// The objects that pointer operands point to, and the size of the access.
    fn details(&self, func: FuncId, (body, inst): (&Body, Inst), operands: &[Operand]) -> Vec<String> {
        let data = body.inst(inst);
        let mut details = Vec::new();
        let access = match &data.kind {
            InstKind::Load(access) => Some((data.ty, access.align)),
            InstKind::Store(access) => Some((body.ty(data.operands[0]), access.align)),
            InstKind::AtomicRmw(_, access) => Some((data.ty, access.align)),
            _ => None,
        };
        let env = &self.tracer.module.env;
        if let Some((ty, align)) = access {
            let bytes = env.layout.store_bytes(&env.types, ty).unwrap_or(0);
            let align = align.or_else(|| env.layout.abi_align(&env.types, ty)).unwrap_or(1);
            details.push(format!("the access has {bytes} bytes at an alignment of {align}"));
        }
        for (operand, value) in operands.iter().zip(&data.operands) {
            let Val::Ptr(ptr) = &operand.value else { continue };
            let name = self.words.operand(func, *value);
            let Some(object) = self.memory.object_of(*ptr).map(|i| self.memory.allocation(i)) else {
                if ptr.addr != 0 {
                    details.push(format!("{name} is based on no object"));
                }
                continue;
            };
            let label = self.words.object(object.base).unwrap_or_default();
            let state = match object.liveness {
                Liveness::Live if object.writable => "",
                Liveness::Live => ", constant",
                Liveness::OutsideLifetime => ", outside its lifetime",
                Liveness::Freed => ", gone",
            };
            let offset = ptr.addr.wrapping_sub(object.base) as i64;
            details.push(format!("{name} leads to byte {offset} of {label} ({} bytes{state})", object.size));
        }
        details
    }
}
