//! Calls that leave the module: the memory that the function sees, and its possible effects.
//!
//! An external function may return any value that its type and attributes allow, and may write the memory that it can
//! reach unless `memory(…)` forbids it. Unless it is `willreturn nounwind` it may also not return: it may throw, end
//! the program if it may write memory not seen here, or run forever. The chooser decides. Per object and call one
//! written byte is tried. External functions do not call back functions of the module.
//!
//! A function that is not `speculatable` may have UB of its own, depending on its arguments and on the memory that it
//! reads. A program that calls it where the other program does not is therefore less defined ([`crate::refine`]).
//!
//! Calls that may write or may not return are events. A call that another run has already made gets that run's answer
//! ([`Events::script`]): events are matched in order, other calls by their arguments and memory.
//!
//! A function that received no pointer based on a `noalias` argument cannot read bytes written through the argument
//! and must not write bytes accessed through it ([`crate::memory::provenance`]). Only calls that certainly return are
//! kept from reading: if a call does not return, outside code may read all memory, and it sees the same memory at the
//! same call.

use super::ctx::Ctx;
use crate::chooser::{ChoiceKind, Domain};
use crate::compile::op::{CallEffects, CallOp, Signature};
use crate::facts::Facts;
use crate::layout::Shape;
use crate::memory::provenance::{Passed, Provenances};
use crate::memory::{Liveness, Origin, Request, Target};
use crate::observe::{Answer, Answered, Event, EventKind, Events, JUMP, LANDING, ObjectName, Seen, Written};
use crate::outcome::{Exit, Feature, Limit, Step, Stop, UbKind};
use crate::refine::{Blind, call_refines, same_call};
use crate::value::{Cube, Val, mask};
use backedge_ir::attr::MemoryEffects;
use std::sync::Arc;

/// Name of a `returned` attribute on a parameter whose type differs from the result's.
pub(crate) const RETURNED_AS_ANOTHER_TYPE: &str =
    "`returned` on a parameter of another type than the result's";

/// Size in bytes of an object that an external function returns, if nothing specifies it: enough for the accesses of
/// small loops.
const FRESH_BYTES: u64 = 64;
/// Maximum bytes of memory seen by the calls of a run; each state of an object counts once. Bounds the memory that
/// events keep.
const MAX_SEEN_BYTES: u64 = 1 << 26;

/// The combined effects stated by a call and by its callee's declaration.
pub(super) fn joined(a: &CallEffects, b: &CallEffects) -> CallEffects {
    CallEffects {
        nounwind: a.nounwind || b.nounwind,
        willreturn: a.willreturn || b.willreturn,
        noreturn: a.noreturn || b.noreturn,
        speculatable: a.speculatable || b.speculatable,
        memory: a.memory.intersect(b.memory),
    }
}

/// Whether a function that may not return may end the program, which is a visible effect.
fn may_exit(effects: &CallEffects) -> bool {
    effects.memory.other.writes || effects.memory.inaccessiblemem.writes
}

/// Calls an external function and returns its result.
pub(super) fn call(
    ctx: &mut Ctx<'_, '_>,
    op: &CallOp,
    callee: &Signature,
    args: &[Val],
) -> Step<Option<Val>> {
    let effects = joined(&op.effects, &callee.effects);
    // The function may neither return nor unwind nor run forever, so no environment can implement it.
    if effects.willreturn && effects.nounwind && effects.noreturn {
        return Err(Stop::Ub(UbKind::WillReturnViolated));
    }
    let asked = Asked { op, callee, args };
    let passed = hand_over(ctx, asked, &effects);
    let reachable = visible_objects(ctx, asked, &effects);
    let writable = writable_objects(ctx, callee, args, effects.memory, &reachable);
    let seen_args = args.iter().map(|a| ctx.events.see(ctx.memory, a)).collect();
    let firm = !(effects.nounwind && effects.willreturn);
    let is_event = effects.memory.any().writes || firm;
    let any = effects.memory.any();
    let through_arguments = (any.reads && !effects.memory.other.reads).then_some(args);
    // A callee that does not unwind acts only while the function runs. Even if it never returns, outside code does
    // not access memory that `noalias` keeps from it.
    let sheltered = !firm || effects.nounwind;
    let see = |index: &usize| match sheltered {
        false => ctx.events.see_object(ctx.memory, *index),
        true => ctx.events.see_from_outside(ctx.memory, *index, &passed, through_arguments),
    };
    // A function that reads nothing and returns behaves the same for any memory.
    let visible = if any.reads || firm { reachable } else { Vec::new() };
    let memory = visible.iter().map(see).collect();
    if ctx.events.seen_bytes > MAX_SEEN_BYTES {
        return Err(Stop::Limit(Limit::Memory));
    }
    let call =
        EventKind::Call { callee: callee.name.clone(), args: seen_args, more: op.more.clone(), memory };
    let (reads, writes) = (any.reads, any.writes);
    let speculatable = effects.speculatable;
    let asking =
        Asking { is_event, firm, sheltered, writes, speculatable, visible: &visible, passed: &passed };
    if let Some(answer) = returned_before(ctx, &call, asking, reads) {
        return give(ctx, asked, &answer, |_| true, &passed);
    }
    let answer = match scripted(ctx, &call, asking) {
        Some(answer) if answer.exit == Some(Exit::Exited) && !may_exit(&effects) => {
            Answer { exit: Some(Exit::Looped), ..answer }
        }
        Some(answer) => answer,
        None => invent(ctx, asked, &effects, &writable),
    };
    record(ctx, call, &answer, asking)?;
    if writes {
        ctx.events.note_hidden_write();
    }
    // An environment that violates attributes does not count: writes to forbidden or unreachable objects are skipped.
    let known = ctx.memory.allocations().len();
    let forbidden = |i| i < known && !writable.contains(&i);
    give(ctx, asked, &answer, forbidden, &passed)
}

/// Records the pointers that the call captures. Returns the scopes of all pointers passed to it.
fn hand_over(ctx: &mut Ctx<'_, '_>, Asked { op, callee, args }: Asked<'_>, effects: &CallEffects) -> Passed {
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

/// Whether the function may capture argument `i`. A function that neither writes nor unwinds can only return it.
fn is_captured(op: &CallOp, callee: &Signature, effects: &CallEffects, i: usize) -> bool {
    let keeps = effects.memory.any().writes || !effects.nounwind;
    keeps && op.captured.get(i).copied().unwrap_or(true) && callee.captured.get(i).copied().unwrap_or(true)
}

/// Properties of a call that asks for an answer.
#[derive(Copy, Clone)]
struct Asking<'a> {
    is_event: bool,
    /// See [`Event::firm`].
    firm: bool,
    /// Whether it does nothing after the function has ended.
    sheltered: bool,
    /// Whether the function may write. Otherwise its behavior depends only on its arguments and on memory.
    writes: bool,
    /// See [`Answered::speculatable`].
    speculatable: bool,
    /// The objects that it can see, in order.
    visible: &'a [usize],
    /// The scopes of the pointers passed to it.
    passed: &'a Passed,
}

/// A call that the environment answers.
#[derive(Copy, Clone)]
struct Asked<'a> {
    op: &'a CallOp,
    callee: &'a Signature,
    args: &'a [Val],
}

/// The argument that the function returns by its `returned` attribute, if any.
fn returned(Asked { op, callee, args }: Asked<'_>) -> Step<Option<Val>> {
    let Some(i) = op.returned.or(callee.returned) else { return Ok(None) };
    if op.ret.as_ref() != op.arg_shapes.get(i) {
        return Err(Stop::unsupported(Feature::Other(RETURNED_AS_ANOTHER_TYPE)));
    }
    Ok(args.get(i).cloned())
}

/// The objects that the function can read or write, in order of allocation.
fn visible_objects(
    ctx: &mut Ctx<'_, '_>,
    Asked { op, callee, args }: Asked<'_>,
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
    // The function may keep pointers found in memory that it can reach, so these are exposed from now on.
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

/// The objects of `visible` that the function may write: all, those that its arguments are based on, or none.
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

/// The answer given to the same call before, in this run or in the script's run.
fn scripted(ctx: &mut Ctx<'_, '_>, call: &EventKind, asking: Asking<'_>) -> Option<Answer> {
    // Bytes that one of the two calls cannot read must not change its answer.
    let watching = ctx.memory.provs.watching();
    let blind = if watching && asking.sheltered { Blind::Either } else { Blind::No };
    if asking.is_event {
        let repeats = |a: &&Answered| a.call == *call && a.answer.fresh.is_none();
        if !asking.writes
            && !is_open(call)
            && let Some(earlier) = ctx.events.answered_like(call, 0).find(repeats)
        {
            return Some(earlier.answer.clone());
        }
        let earlier = ctx.events.scripted_event()?;
        // Later writes through `noalias` arguments are not known here. The final comparison of the events knows them.
        let now = (blind == Blind::Either).then(|| sheltered(&mut ctx.memory.provs, call, asking));
        let same = same_call(&earlier.call, now.as_ref().unwrap_or(call), blind);
        return same.then(|| earlier.answer.clone());
    }
    let known = || {
        let (scripted, earlier) = (ctx.events.scripted_like(call), ctx.events.answered_like(call, 0));
        scripted.chain(earlier).filter(|a| !a.is_event)
    };
    if is_open(call) {
        // Poison may match several earlier calls; the program chooses one of them.
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

/// The answer to the same call earlier in this run, for a function that writes nothing and returned then. It returns
/// again with the same result, so this call is neither an event nor progress (LangRef `mustprogress`,
/// `memory(none)`). For a function that reads memory (`reads`), earlier answers count only while memory that the
/// program cannot name is certainly unchanged.
///
/// A call with poison or undefined bits may be the same call; the program chooses whether it is.
fn returned_before(
    ctx: &mut Ctx<'_, '_>,
    call: &EventKind,
    asking: Asking<'_>,
    reads: bool,
) -> Option<Answer> {
    if !asking.is_event || asking.writes {
        return None;
    }
    let open = is_open(call);
    let is_same = |a: &&Answered| {
        let is_known = a.is_event && a.answer.exit.is_none() && a.answer.fresh.is_none();
        is_known && if open { call_refines(call, &a.call, Blind::No).is_ok() } else { a.call == *call }
    };
    let from = if reads { ctx.events.quiet_from } else { 0 };
    let answer = ctx.events.answered_like(call, from).find(is_same)?.answer.clone();
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

/// The call with all bytes hidden of objects that the function may not be allowed to read.
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

/// Chooses a new answer.
fn invent(
    ctx: &mut Ctx<'_, '_>,
    Asked { op, callee, args }: Asked<'_>,
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

/// Chooses a result of that shape: pointers are null or point to new memory, everything else is arbitrary.
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

/// Allocates the new memory of an answer.
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

/// The value of a `landingpad`: the environment's choice, the same after the same events. If a function of the module
/// resumed the exception, the pointer is the resumed one; the selector is chosen again, because each landing pad has
/// its own clauses.
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

/// The destination that the asm of the just executed `callbr` jumps to. Numbers that are too large select the first
/// one.
pub(super) fn jump_target(ctx: &mut Ctx<'_, '_>) -> Step<usize> {
    let value = by_history(ctx, JUMP, &Shape::Int(8))?;
    let which = value.cube().filter(|cube| cube.is_known()).map_or(0, |cube| cube.bits);
    Ok(usize::try_from(which).unwrap_or(0))
}

/// A value chosen by the environment that depends only on the events so far.
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

/// Applies an answer.
fn give(
    ctx: &mut Ctx<'_, '_>,
    asked: Asked<'_>,
    answer: &Answer,
    forbidden: impl Fn(usize) -> bool,
    passed: &Passed,
) -> Step<Option<Val>> {
    let Asked { op, callee, .. } = asked;
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
    // An environment that violates attributes does not count: memory declared new must not be a known object.
    if answer.fresh.is_none() && (op.ret_noalias || callee.ret_noalias) && matches!(seen, Seen::Ptr(..)) {
        return Err(Stop::Exit(Exit::Exited));
    }
    let mut value = match returned(asked)? {
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

/// Applies a call's write to one byte.
fn write(ctx: &mut Ctx<'_, '_>, index: usize, at: u64, byte: &Written, passed: &Passed) -> Step<()> {
    let size = ctx.memory.allocation(index).size;
    if at >= size {
        return Ok(());
    }
    if ctx.memory.provs.watching() {
        let touched = ctx.memory.provs.touch_from_outside(index, size as usize, at as usize, passed);
        touched.map_err(Stop::Ub)?;
    }
    put(ctx, index, at, byte);
    Ok(())
}

/// Stores a byte from the environment in an object.
pub(super) fn put(ctx: &mut Ctx<'_, '_>, index: usize, at: u64, byte: &Written) {
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
                contents.write_ptr_byte(at, ptr, *part, width, big_endian);
            }
        }
    }
    ctx.memory.writes += 1;
}
