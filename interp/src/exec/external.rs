//! Calls that leave the module: what the function sees, and what it may do.
//!
//! An external function may return any value that its type and attributes allow, write the memory it can reach
//! unless `memory(…)` forbids it, and not return unless it is `willreturn nounwind`: throw, end the program if it may
//! write what is not seen here, or run forever. The chooser decides. Of all writes one byte per object and call is tried;
//! functions of the module are not called back.
//!
//! A function that is not `speculatable` may have undefined behaviour of its own, which depends on its arguments and on the
//! memory that it reads: who calls it where the other program does not is less defined ([`crate::refine`]).
//!
//! Calls that may write or not return are events. The answer to a call that another run has asked before is that
//! run's answer ([`Events::script`]): events are matched in order, other calls by their arguments and memory.
//!
//! A function that was handed no pointer based on a `noalias` argument can't look at what is written through that one,
//! and must not write what is accessed through it ([`crate::memory::provenance`]). Only a call that is sure to return is
//! kept from looking: where one does not return, the world may look at all memory, and what it sees there it saw at the
//! same call.

use super::ctx::Ctx;
use super::frames::RETURNED_AS_ANOTHER_TYPE;
use crate::chooser::{ChoiceKind, Domain};
use crate::compile::op::{CallEffects, CallOp, Signature};
use crate::facts::Facts;
use crate::layout::Shape;
use crate::memory::provenance::{Passed, Provenances};
use crate::memory::{Liveness, Origin, Request, Target};
use crate::observe::{Answer, Answered, Event, EventKind, Events, JUMP, LANDING, ObjectName, Seen, Written};
use crate::outcome::{Exit, Feature, Limit, Step, Stop, UbKind};
use crate::refine::{Blind, call_refines};
use crate::value::{Cube, Val, mask};
use backedge_ir::attr::MemoryEffects;
use std::sync::Arc;

/// Bytes of an object that an external function returns a pointer to, where nothing says how many.
const FRESH_BYTES: u64 = 64;
/// Bytes of memory that the calls of a run see at most, each state of an object once.
const MOST_SEEN: u64 = 1 << 26;

/// What a call and its callee's declaration say together.
pub(super) fn joined(a: &CallEffects, b: &CallEffects) -> CallEffects {
    CallEffects {
        nounwind: a.nounwind || b.nounwind,
        willreturn: a.willreturn || b.willreturn,
        noreturn: a.noreturn || b.noreturn,
        speculatable: a.speculatable || b.speculatable,
        memory: a.memory.intersect(b.memory),
    }
}

/// Whether a function that need not return may end the program: that is an effect that others see.
fn may_exit(effects: &CallEffects) -> bool {
    effects.memory.other.writes || effects.memory.inaccessiblemem.writes
}

/// Calls an external function. Returns its result.
pub(super) fn call(
    ctx: &mut Ctx<'_, '_>,
    op: &CallOp,
    callee: &Signature,
    args: &[Val],
) -> Step<Option<Val>> {
    let effects = joined(&op.effects, &callee.effects);
    // It may neither return nor unwind nor run forever: no environment can carry it out.
    if effects.willreturn && effects.nounwind && effects.noreturn {
        return Err(Stop::Ub(UbKind::WillReturnViolated));
    }
    let passed = hand_over(ctx, op, callee, args, &effects);
    let reachable = visible_objects(ctx, op, callee, args, &effects);
    let writable = writable_objects(ctx, callee, args, effects.memory, &reachable);
    let seen_args = args.iter().map(|a| ctx.events.see(ctx.memory, a)).collect();
    let firm = !(effects.nounwind && effects.willreturn);
    let is_event = effects.memory.any().writes || firm;
    let any = effects.memory.any();
    let through_arguments = (any.reads && !effects.memory.other.reads).then_some(args);
    // Whatever one that does not unwind does, it does while the function runs: others do not access memory then that
    // `noalias` keeps from them, even if it never returns.
    let sheltered = !firm || effects.nounwind;
    let see = |index: &usize| match sheltered {
        false => ctx.events.see_object(ctx.memory, *index),
        true => ctx.events.see_from_outside(ctx.memory, *index, &passed, through_arguments),
    };
    // A function that reads nothing and returns does the same whatever memory holds.
    let visible = if any.reads || firm { reachable } else { Vec::new() };
    let memory = visible.iter().map(see).collect();
    if ctx.events.seen_bytes > MOST_SEEN {
        return Err(Stop::Limit(Limit::Memory));
    }
    let call =
        EventKind::Call { callee: callee.name.clone(), args: seen_args, more: op.more.clone(), memory };
    let (reads, writes) = (any.reads, any.writes);
    let speculatable = effects.speculatable;
    let asking =
        Asking { is_event, firm, sheltered, writes, speculatable, visible: &visible, passed: &passed };
    if let Some(answer) = returned_before(ctx, &call, asking, reads) {
        return give(ctx, (op, callee, args), (&answer, |_| true), &passed);
    }
    let answer = match scripted(ctx, &call, asking) {
        Some(answer) if answer.exit == Some(Exit::Exited) && !may_exit(&effects) => {
            Answer { exit: Some(Exit::Looped), ..answer }
        }
        Some(answer) => answer,
        None => invent(ctx, (op, callee, args), &effects, &writable),
    };
    record(ctx, call, &answer, asking)?;
    if writes {
        ctx.events.note_hidden_write();
    }
    // An environment that broke its promise would not count: what must not be written, or can't be reached, is not.
    let known = ctx.memory.allocations().len();
    let forbidden = |i| i < known && !writable.contains(&i);
    give(ctx, (op, callee, args), (&answer, forbidden), &passed)
}

/// Notes which pointers the call hands out for good. Gives the scopes of all that it is passed.
fn hand_over(
    ctx: &mut Ctx<'_, '_>,
    op: &CallOp,
    callee: &Signature,
    args: &[Val],
    effects: &CallEffects,
) -> Passed {
    let mut passed = Passed::new();
    if ctx.memory.provs.watching() {
        for (i, arg) in args.iter().enumerate() {
            if is_captured(op, callee, effects, i) {
                ctx.memory.provs.hand_out(arg);
            }
            ctx.memory.provs.add_scopes(arg, &mut passed);
        }
    }
    passed
}

/// Whether the function may keep its argument `i`: what writes nothing and doesn't unwind can only return it.
fn is_captured(op: &CallOp, callee: &Signature, effects: &CallEffects, i: usize) -> bool {
    let keeps = effects.memory.any().writes || !effects.nounwind;
    keeps && op.captured.get(i).copied().unwrap_or(true) && callee.captured.get(i).copied().unwrap_or(true)
}

/// How a call asks for an answer.
#[derive(Copy, Clone)]
struct Asking<'a> {
    is_event: bool,
    /// See [`Event::firm`].
    firm: bool,
    /// Whether it does nothing after the function has ended.
    sheltered: bool,
    /// Whether the function may write anything: what one does that does not depends on its arguments and on memory.
    writes: bool,
    /// See [`Answered::speculatable`].
    speculatable: bool,
    /// The objects that it shows, in order.
    visible: &'a [usize],
    /// The scopes of the pointers that it is passed.
    passed: &'a Passed,
}

/// A call, what it calls, and its arguments.
type Asked<'a> = (&'a CallOp, &'a Signature, &'a [Val]);

/// The argument that the function is said to return, if it is.
fn returned((op, callee, args): Asked<'_>) -> Step<Option<Val>> {
    let Some(i) = op.returned.or(callee.returned) else { return Ok(None) };
    if op.ret.as_ref() != op.arg_shapes.get(i) {
        return Err(Stop::unsupported(Feature::Other(RETURNED_AS_ANOTHER_TYPE)));
    }
    Ok(args.get(i).cloned())
}

/// The objects that the function can read or write, in order of allocation.
fn visible_objects(
    ctx: &mut Ctx<'_, '_>,
    op: &CallOp,
    callee: &Signature,
    args: &[Val],
    effects: &CallEffects,
) -> Vec<usize> {
    let touches = |m: backedge_ir::attr::ModRef| m.reads || m.writes;
    let mut roots = Vec::new();
    for (i, arg) in args.iter().enumerate() {
        let captured = is_captured(op, callee, effects, i);
        let Val::Ptr(ptr) = arg else { continue };
        let Some(object) = ctx.memory.object_of(*ptr) else { continue };
        if captured {
            for index in Events::reachable(ctx.memory, &[object]) {
                ctx.memory.allocation_mut(index).escaped = true;
            }
        }
        roots.push(object);
    }
    if touches(effects.memory.other) {
        let allocs = ctx.memory.allocations().iter().enumerate();
        roots.extend(allocs.filter(|(_, a)| a.escaped).map(|(i, _)| i));
    } else if !touches(effects.memory.argmem) {
        roots.clear();
    }
    let reachable =
        if touches(effects.memory.other) { Events::reachable(ctx.memory, &roots) } else { sorted(roots) };
    // Pointers that lie in memory which the function can reach are its own from now on.
    if ctx.memory.provs.watching() {
        for index in &reachable {
            let contents = &ctx.memory.allocation(*index).contents;
            let held: Vec<_> = contents.provenances(0, contents.len()).collect();
            held.into_iter().for_each(|prov| ctx.memory.provs.expose(prov));
        }
    }
    let live = |i: &usize| {
        let alloc = ctx.memory.allocation(*i);
        alloc.liveness == Liveness::Live
            && alloc.writable
            && alloc.size > 0
            && !matches!(alloc.origin, Origin::Function(_))
    };
    reachable.into_iter().filter(live).collect()
}

/// Those of the `visible` objects that the function may write: all, the ones its arguments are based on, or none.
fn writable_objects(
    ctx: &Ctx<'_, '_>,
    callee: &Signature,
    args: &[Val],
    effects: MemoryEffects,
    visible: &[usize],
) -> Vec<usize> {
    if effects.other.writes {
        return visible.to_vec();
    }
    if !effects.argmem.writes {
        return Vec::new();
    }
    let readonly = |i: usize| callee.restrictions.get(i).is_some_and(|r| r.readonly);
    let mut based = Vec::new();
    for (i, arg) in args.iter().enumerate() {
        if let Val::Ptr(ptr) = arg
            && !readonly(i)
        {
            based.extend(ctx.memory.object_of(*ptr));
        }
    }
    visible.iter().copied().filter(|i| based.contains(i)).collect()
}

fn sorted(mut list: Vec<usize>) -> Vec<usize> {
    list.sort_unstable();
    list.dedup();
    list
}

/// The answer that was given to the same call before, in this run or in the one that the script is from.
fn scripted(ctx: &mut Ctx<'_, '_>, call: &EventKind, asking: Asking<'_>) -> Option<Answer> {
    // What one of the two can't look at can't make it answer in another way than the other.
    let watching = ctx.memory.provs.watching();
    let blind = if watching && asking.sheltered { Blind::Either } else { Blind::No };
    if asking.is_event {
        let repeats = |a: &&Answered| a.call == *call && a.answer.fresh.is_none();
        if !asking.writes
            && !is_open(call)
            && let Some(earlier) = ctx.events.answers.iter().find(repeats)
        {
            return Some(earlier.answer.clone());
        }
        let earlier = ctx.events.scripted_event()?;
        // What will be written through `noalias` arguments only later is not known here; where the events are
        // compared in the end it is.
        let now = (blind == Blind::Either).then(|| sheltered(&mut ctx.memory.provs, call, asking));
        let same = same_call(&earlier.call, now.as_ref().unwrap_or(call), blind);
        return same.then(|| earlier.answer.clone());
    }
    let known = || ctx.events.script.iter().chain(&ctx.events.answers).filter(|a| !a.is_event);
    if is_open(call) {
        // Which of the calls that came before this one is, is open as what it is given is.
        let mut found: Vec<Answer> = Vec::new();
        for earlier in known().filter(|a| call_refines(call, &a.call, blind).is_ok()) {
            if !found.contains(&earlier.answer) {
                found.push(earlier.answer.clone());
            }
        }
        if found.len() > 1 {
            let which = ctx.choose(ChoiceKind::Unspecified, Domain::Options(found.len() as u32));
            return Some(found.swap_remove(which as usize));
        }
    }
    let find = |blind| known().find(|a| same_call(&a.call, call, blind)).map(|a| a.answer.clone());
    find(Blind::No).or_else(|| if blind == Blind::No { None } else { find(blind) })
}

/// The answer to the same call earlier in this run, of a function that writes nothing and returned then. It returns again
/// with the same result, so that this call is neither an event nor progress (LangRef `mustprogress`, `memory(none)`). One
/// that reads memory (`reads`) does so only while nothing may have written what the program cannot name.
///
/// A call that is given poison or undefined bits may be the same one; the program chooses whether it is.
fn returned_before(
    ctx: &mut Ctx<'_, '_>,
    call: &EventKind,
    asking: Asking<'_>,
    reads: bool,
) -> Option<Answer> {
    if !asking.is_event || asking.writes {
        return None;
    }
    let events = &ctx.events;
    let known = if reads { events.answers_since_hidden_write() } else { &events.answers };
    let open = is_open(call);
    let is_same = |a: &&Answered| {
        let is_known = a.is_event && a.answer.exit.is_none() && a.answer.fresh.is_none();
        is_known && if open { call_refines(call, &a.call, Blind::No).is_ok() } else { a.call == *call }
    };
    let answer = known.iter().find(is_same).map(|a| a.answer.clone())?;
    let is_taken = !open || ctx.choose(ChoiceKind::Unspecified, Domain::Options(2)) == 1;
    is_taken.then_some(answer)
}

/// Whether an argument, or a byte of the memory that the function sees, is poison or has undefined bits.
fn is_open(call: &EventKind) -> bool {
    fn seen(value: &Seen) -> bool {
        match value {
            Seen::Poison => true,
            Seen::Bits(cube) => !cube.is_known(),
            Seen::Ptr(..) | Seen::Address(_) => false,
            Seen::Agg(members) => members.iter().any(seen),
        }
    }
    let EventKind::Call { args, memory, .. } = call else { return false };
    args.iter().any(seen) || memory.iter().any(|object| !object.contents.is_defined(0, object.contents.len()))
}

/// The call with all bytes hidden of objects that the function might not be allowed to look at.
fn sheltered(provs: &mut Provenances, call: &EventKind, asking: Asking<'_>) -> EventKind {
    let mut call = call.clone();
    if let EventKind::Call { memory, .. } = &mut call {
        for (seen, alloc) in memory.iter_mut().zip(asking.visible) {
            if provs.sheltering(*alloc, asking.passed).next().is_some() {
                seen.hidden.push(vec![true; seen.contents.len()].into());
            }
        }
    }
    call
}

/// Whether two calls are to be answered alike: what is poison or undefined in one may be anything in the other.
pub(crate) fn same_call(earlier: &EventKind, now: &EventKind, blind: Blind) -> bool {
    call_refines(now, earlier, blind).is_ok() || call_refines(earlier, now, blind).is_ok()
}

fn record(
    ctx: &mut Ctx<'_, '_>,
    mut call: EventKind,
    answer: &Answer,
    Asking { is_event, firm, sheltered, speculatable, visible, passed, .. }: Asking<'_>,
) -> Step<()> {
    if ctx.events.list.len() + ctx.events.answers.len() >= ctx.config.max_events {
        return Err(Stop::Limit(Limit::Events));
    }
    if let (Some(exit), EventKind::Call { memory, .. }) = (answer.exit, &mut call)
        && (exit == Exit::Threw || !sheltered)
    {
        memory.iter_mut().for_each(|seen| seen.hidden.clear());
    }
    if is_event {
        let (place, number) = (ctx.place(), ctx.events.list.len());
        ctx.events.push(&mut ctx.memory.provs, Event { kind: call.clone(), place, firm });
        if !firm && answer.exit.is_none() && ctx.memory.provs.watching() {
            for (object, alloc) in visible.iter().enumerate() {
                let scopes = ctx.memory.provs.sheltering(*alloc, passed);
                scopes.for_each(|s| s.wait((number, object)));
            }
        }
    }
    ctx.events.add_answer(Answered { call, is_event, speculatable, answer: answer.clone() });
    Ok(())
}

/// Makes up an answer.
fn invent(
    ctx: &mut Ctx<'_, '_>,
    (op, callee, args): Asked<'_>,
    effects: &CallEffects,
    visible: &[usize],
) -> Answer {
    let mut answer = Answer { exit: None, result: None, writes: Vec::new(), fresh: None };
    let mut exits = if effects.noreturn { Vec::new() } else { vec![None] };
    if !effects.nounwind {
        exits.push(Some(Exit::Threw));
    }
    if !effects.willreturn {
        exits.extend(may_exit(effects).then_some(Some(Exit::Exited)));
        exits.push(Some(Exit::Looped));
    }
    let choice = ctx.choose(ChoiceKind::CallExit, Domain::Options(exits.len() as u32));
    answer.exit = exits[choice as usize];
    if effects.memory.argmem.writes || effects.memory.other.writes {
        answer.writes = writes(ctx, visible);
    }
    if let (Some(shape), None) = (&op.ret, answer.exit) {
        answer.result = Some(match op.returned.or(callee.returned).and_then(|i| args.get(i)) {
            Some(arg) => ctx.events.see(ctx.memory, arg),
            None => {
                let facts = [op.ret_facts.as_deref(), callee.ret_facts.as_deref()];
                result(ctx, facts, shape, &mut answer.fresh)
            }
        });
    }
    answer
}

fn writes(ctx: &mut Ctx<'_, '_>, visible: &[usize]) -> Vec<(ObjectName, u64, Written)> {
    if visible.is_empty() || ctx.choose(ChoiceKind::CallWrites, Domain::Options(2)) == 0 {
        return Vec::new();
    }
    let mut list = Vec::new();
    for &index in visible {
        let size = ctx.memory.allocation(index).size;
        let options = u32::try_from(size).unwrap_or(u32::MAX - 1).saturating_add(1);
        let at = ctx.choose(ChoiceKind::CallWrites, Domain::Options(options));
        if at > 0 {
            let byte = ctx.choose(ChoiceKind::CallByte, Domain::Bits(8)) as u8;
            list.push((ctx.events.name(ctx.memory, index), at as u64 - 1, Written::defined(byte)));
        }
    }
    list
}

/// A result of that shape: pointers are null or lead to new memory, everything else is arbitrary.
pub(super) fn result(
    ctx: &mut Ctx<'_, '_>,
    known: [Option<&Facts>; 2],
    shape: &Shape,
    fresh: &mut Option<(u64, u64)>,
) -> Seen {
    match shape {
        Shape::Int(_) | Shape::Float(_) => {
            let width = shape.scalar_bits().unwrap_or(1);
            Seen::Bits(Cube::known(ctx.arbitrary(ChoiceKind::CallResult, width) & mask(width)))
        }
        Shape::Ptr(_) => {
            let facts = || known.iter().flatten();
            let nonnull = facts().any(|f| f.nonnull || f.dereferenceable > 0);
            if !nonnull && ctx.choose(ChoiceKind::CallResult, Domain::Options(2)) == 0 {
                return Seen::Address(0);
            }
            let bytes = facts().map(|f| f.dereferenceable.max(f.dereferenceable_or_null)).max().unwrap_or(0);
            let align = facts().map(|f| f.align).max().unwrap_or(0).max(16);
            let (old_bytes, old_align) = fresh.unwrap_or((FRESH_BYTES, align));
            *fresh = Some((old_bytes.max(bytes), old_align.max(align)));
            Seen::Ptr(ObjectName::External(ctx.events.externals), 0)
        }
        Shape::Vector { .. } | Shape::Array { .. } | Shape::Struct { .. } => {
            let members: Vec<Shape> = shape.members().cloned().collect();
            Seen::Agg(members.iter().map(|m| result(ctx, known, m, fresh)).collect())
        }
    }
}

/// Allocates the new memory that an answer leads to.
pub(super) fn allocate_fresh(ctx: &mut Ctx<'_, '_>, answer: &Answer, noalias: bool) -> Step<()> {
    let Some((size, align)) = answer.fresh else { return Ok(()) };
    let number = ctx.events.externals;
    let origin = Origin::External(number);
    ctx.memory.allocate(Request { origin, size, align, writable: true, pointer_bits: 64 })?;
    let index = ctx.memory.allocations().len() - 1;
    ctx.memory.allocation_mut(index).escaped = !noalias;
    ctx.events.add_external(index);
    ctx.events.externals += 1;
    Ok(())
}

/// The value of a `landingpad`: the environment's choice, the same wherever the same events came before. Of an exception
/// that a function of the module has resumed, the pointer is the resumed one; the selector is chosen anew, since each
/// landing pad has its own clauses.
pub(super) fn land(ctx: &mut Ctx<'_, '_>, shape: &Shape) -> Step<Val> {
    let resumed = ctx.events.resumed.take();
    let value = by_history(ctx, LANDING, shape)?;
    Ok(match (resumed, value) {
        (Some(Val::Agg(old)), Val::Agg(new)) if old.len() == new.len() && !new.is_empty() => {
            let members = old.iter().take(1).chain(new.iter().skip(1));
            Val::Agg(Arc::new(members.cloned().collect()))
        }
        (_, value) => value,
    })
}

/// To which of its destinations the asm of a `callbr` jumps that has just been executed. Numbers that are too large stand
/// for the first one.
pub(super) fn jump_target(ctx: &mut Ctx<'_, '_>) -> Step<usize> {
    let value = by_history(ctx, JUMP, &Shape::Int(8))?;
    let which = value.cube().filter(|cube| cube.is_known()).map_or(0, |cube| cube.bits);
    Ok(usize::try_from(which).unwrap_or(0))
}

/// A value that the environment chooses and that depends on what has happened alone.
fn by_history(ctx: &mut Ctx<'_, '_>, name: &str, shape: &Shape) -> Step<Val> {
    let count = Seen::Bits(Cube::known(ctx.events.list.len() as u128));
    let call =
        EventKind::Call { callee: name.into(), args: vec![count], more: "".into(), memory: Vec::new() };
    let passed = Passed::new();
    let asking = Asking {
        is_event: false,
        firm: false,
        sheltered: true,
        writes: false,
        speculatable: true,
        visible: &[],
        passed: &passed,
    };
    let answer = scripted(ctx, &call, asking).unwrap_or_else(|| {
        let mut fresh = None;
        let result = Some(result(ctx, [None, None], shape, &mut fresh));
        Answer { exit: None, result, writes: Vec::new(), fresh }
    });
    record(ctx, call, &answer, asking)?;
    allocate_fresh(ctx, &answer, false)?;
    Ok(match &answer.result {
        Some(seen) => ctx.events.unsee(ctx.memory, shape, seen),
        None => shape.poison(),
    })
}

/// Carries an answer out.
fn give(
    ctx: &mut Ctx<'_, '_>,
    (op, callee, args): Asked<'_>,
    (answer, forbidden): (&Answer, impl Fn(usize) -> bool),
    passed: &Passed,
) -> Step<Option<Val>> {
    allocate_fresh(ctx, answer, op.ret_noalias || callee.ret_noalias)?;
    for (name, at, byte) in &answer.writes {
        let Some(index) = ctx.events.find(ctx.memory, name) else { continue };
        if forbidden(index) {
            continue;
        }
        write(ctx, index, *at, byte, passed)?;
    }
    if let Some(exit) = answer.exit {
        ctx.events.resumed = None;
        return Err(Stop::Exit(exit));
    }
    let (Some(shape), Some(seen)) = (&op.ret, &answer.result) else { return Ok(None) };
    // An environment that broke its promise would not count: memory that is said to be new must not be known already.
    if answer.fresh.is_none() && (op.ret_noalias || callee.ret_noalias) && matches!(seen, Seen::Ptr(..)) {
        return Err(Stop::Exit(Exit::Exited));
    }
    let mut value = match returned((op, callee, args))? {
        Some(arg) => arg,
        None => ctx.events.unsee(ctx.memory, shape, seen),
    };
    let facts = [callee.ret_facts.as_deref(), op.ret_facts.as_deref()];
    value = Facts::apply_all(facts, ctx.memory, shape, value)?;
    if let Some(facts) = &op.ret_metadata {
        value = facts.apply(ctx.memory, shape, value)?;
    }
    Ok(Some(value))
}

/// Carries out what a call writes to a byte.
fn write(ctx: &mut Ctx<'_, '_>, index: usize, at: u64, byte: &Written, passed: &Passed) -> Step<()> {
    let size = ctx.memory.allocation(index).size;
    if at >= size {
        return Ok(());
    }
    if ctx.memory.provs.watching() {
        let object = (index, size as usize);
        ctx.memory.provs.touch_from_outside(object, at as usize, passed).map_err(Stop::Ub)?;
    }
    put(ctx, (index, at), byte);
    Ok(())
}

/// Puts a byte of the environment into an object.
pub(super) fn put(ctx: &mut Ctx<'_, '_>, (index, at): (usize, u64), byte: &Written) {
    ctx.memory.note_written(Target { alloc: index, at: at as usize }, 1);
    let (at, big_endian) = (at as usize, ctx.memory.big_endian);
    match byte {
        Written::Bits { value, undef, poison } => {
            let contents = ctx.memory.allocation_mut(index).contents_mut();
            contents.set_bits(at, (*value, *undef, *poison));
        }
        Written::Pointer { pointer, index: part } => {
            let width = ctx.memory.pointer_bits;
            if let Val::Ptr(ptr) = ctx.events.unsee(ctx.memory, &Shape::Ptr(width), pointer) {
                let contents = ctx.memory.allocation_mut(index).contents_mut();
                contents.write_ptr_byte(at, (ptr, *part), width, big_endian);
            }
        }
    }
    ctx.memory.writes += 1;
}
