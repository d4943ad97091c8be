//! Volatile accesses: events that the environment answers. LangRef, "Volatile Memory Accesses".
//!
//! Such an access may be at an address without memory, null included. It is defined there, touches no object, and a
//! load returns any value. So it does not imply that a plain access to the address is defined. Poison pointers,
//! misaligned addresses, and accesses that attributes forbid to existing memory are still UB.
//!
//! If a plain store would be allowed, the environment may write the bytes before a volatile load reads them. If the
//! source does not allow the bytes that the target's environment writes, the source is UB in that environment. The
//! bytes that a load finds are part of its event. LangRef allows more: a load may return something other than what it
//! leaves in memory, and memory may afterwards hold something other than the stored value. Such environments are not
//! tried here; the solver's proofs cover them.

use super::access::{expose_read, write_at};
use super::ctx::Ctx;
use super::{external, external::allocate_fresh, external::result};
use crate::chooser::{ChoiceKind, Domain};
use crate::layout::Shape;
use crate::memory::{Contents, Liveness, Target};
use crate::observe::{Answer, Answered, Event, EventKind, ObjectName, Written};
use crate::outcome::{Feature, Limit, Step, Stop, UbKind};
use crate::refine::{Blind, same_call};
use crate::value::{Pointer, Val};
use std::sync::Arc;

/// Maximum size in bytes of a load whose bytes the environment may change, and of a copy from an address without
/// memory: each byte is a choice.
const MAX_CHANGED_BYTES: u64 = 16;

/// Location of an access.
#[derive(Copy, Clone, Debug)]
pub(super) struct At {
    pub(super) ptr: Pointer,
    pub(super) len: u64,
    pub(super) align: u64,
}

/// Whether a plain access is UB only because there is no memory accessible in this way at the address.
fn is_without_memory(kind: UbKind) -> bool {
    matches!(
        kind,
        UbKind::NullDereference
            | UbKind::OutOfBounds
            | UbKind::InvalidPointer
            | UbKind::UseAfterFree
            | UbKind::StoreOutsideLifetime
            | UbKind::ReadOnlyWrite
    )
}

/// The memory of an access, given the check of a plain access; `None` if there is none.
fn place(ctx: &Ctx<'_, '_>, at: At, checked: Result<Option<Target>, UbKind>) -> Step<Option<Target>> {
    let refused = match checked {
        Ok(target) => return Ok(target),
        Err(kind) => ctx.memory.refusal(kind, at.ptr),
    };
    let elsewhere = matches!(refused, Stop::Ub(kind) if is_without_memory(kind));
    if elsewhere && at.ptr.addr & (at.align - 1) != 0 {
        return Err(Stop::Ub(UbKind::Misaligned));
    }
    if elsewhere { Ok(None) } else { Err(refused) }
}
fn place_of_load(ctx: &mut Ctx<'_, '_>, at: At) -> Step<Option<Target>> {
    let checked = ctx.memory.check_read(at.ptr, at.len, at.align);
    place(ctx, at, checked)
}
fn place_of_store(ctx: &mut Ctx<'_, '_>, at: At) -> Step<Option<Target>> {
    let checked = ctx.memory.check_write(at.ptr, at.len, at.align);
    place(ctx, at, checked.map(Some))
}

/// The source of a load.
enum Loaded {
    Memory(Target),
    Elsewhere(Val),
}

/// Records a load of `shape` and applies the environment's writes.
fn load_from(ctx: &mut Ctx<'_, '_>, at: At, target: Option<Target>, shape: &Shape) -> Step<Loaded> {
    let bytes = match target {
        Some(Target { alloc, at: from }) => {
            let contents = ctx.memory.allocation(alloc).contents.slice(from, at.len as usize);
            Some(Box::new(ctx.events.see_contents(ctx.memory, alloc, Arc::new(contents))))
        }
        None => None,
    };
    let ptr = ctx.events.see(ctx.memory, &Val::Ptr(at.ptr));
    let call = EventKind::VolatileLoad { ptr, len: at.len, bytes };
    let scripted = scripted(ctx, &call).filter(|a| target.is_some() || a.result.is_some());
    let is_scripted = scripted.is_some();
    let answer = match (scripted, target) {
        (Some(answer), _) => answer,
        (None, Some(target)) => Answer { writes: changed(ctx, target, at.len), ..unanswered() },
        (None, None) => {
            let mut fresh = None;
            let value = result(ctx, [None, None], shape, &mut fresh);
            Answer { result: Some(value), fresh, ..unanswered() }
        }
    };
    let Some(target) = target else {
        record(ctx, call, &answer, false)?;
        allocate_fresh(ctx, &answer, false)?;
        let value =
            answer.result.as_ref().map_or(Val::Poison, |seen| ctx.events.unsee(ctx.memory, shape, seen));
        return Ok(Loaded::Elsewhere(value));
    };
    let writes = if answer.writes.is_empty() || !may_change(ctx, target) {
        Vec::new()
    } else {
        match ctx.memory.check_write(at.ptr, at.len, at.align) {
            Ok(_) => answer.writes,
            // An environment that writes where a plain store is not allowed does not count.
            Err(kind) if is_scripted && !ctx.config.early_reads => return Err(Stop::Ub(kind)),
            Err(_) => Vec::new(),
        }
    };
    for (name, byte, written) in &writes {
        if ctx.events.find(ctx.memory, name) == Some(target.alloc) {
            external::put(ctx, target.alloc, *byte, written);
        }
    }
    record(ctx, call, &Answer { writes, ..unanswered() }, false)?;
    Ok(Loaded::Memory(target))
}

/// Whether the environment may change this memory.
fn may_change(ctx: &Ctx<'_, '_>, target: Target) -> bool {
    let alloc = ctx.memory.allocation(target.alloc);
    alloc.writable && alloc.liveness == Liveness::Live && target.alloc >= ctx.memory.floors.1
}

/// The bytes that the environment writes before the read, if any.
fn changed(ctx: &mut Ctx<'_, '_>, target: Target, len: u64) -> Vec<(ObjectName, u64, Written)> {
    if len > MAX_CHANGED_BYTES
        || !may_change(ctx, target)
        || ctx.choose(ChoiceKind::CallWrites, Domain::Options(2)) == 0
    {
        return Vec::new();
    }
    let name = ctx.events.name(ctx.memory, target.alloc);
    let byte = |i| {
        let byte = ctx.choose(ChoiceKind::CallByte, Domain::Bits(8)) as u8;
        (name.clone(), target.at as u64 + i, Written::defined(byte))
    };
    (0..len).map(byte).collect()
}

fn unanswered() -> Answer {
    Answer { exit: None, result: None, writes: Vec::new(), fresh: None }
}

/// The answer to the same access in the script's run.
fn scripted(ctx: &Ctx<'_, '_>, call: &EventKind) -> Option<Answer> {
    let earlier = ctx.events.scripted_event()?;
    same_call(&earlier.call, call, Blind::No).then(|| earlier.answer.clone())
}

/// Records an access. LangRef: execution certainly continues after a load, but not after a store.
fn record(ctx: &mut Ctx<'_, '_>, kind: EventKind, answer: &Answer, firm: bool) -> Step<()> {
    if ctx.events.list.len() >= ctx.config.max_events {
        return Err(Stop::Limit(Limit::Events));
    }
    let place = ctx.place();
    ctx.events.push(&mut ctx.memory.provs, Event { kind: kind.clone(), place, firm });
    ctx.events.add_answer(Answered {
        call: kind,
        is_event: true,
        speculatable: true,
        answer: answer.clone(),
    });
    ctx.events.note_hidden_write();
    Ok(())
}

/// A volatile load.
pub(super) fn load(ctx: &mut Ctx<'_, '_>, ptr: Pointer, align: u64, shape: &Shape) -> Step<Val> {
    let at = At { ptr, len: shape.store_bytes(), align };
    let target = if at.len == 0 { None } else { place_of_load(ctx, at)? };
    match load_from(ctx, at, target, shape)? {
        Loaded::Memory(target) => {
            let contents = &ctx.memory.allocation(target.alloc).contents;
            let value = contents.read(target.at, shape, ctx.memory.big_endian);
            expose_read(ctx, target, shape, &value);
            Ok(value)
        }
        Loaded::Elsewhere(value) => Ok(value),
    }
}

/// A volatile store.
pub(super) fn store(ctx: &mut Ctx<'_, '_>, ptr: Pointer, align: u64, shape: &Shape, value: &Val) -> Step<()> {
    let at = At { ptr, len: shape.store_bytes(), align };
    if at.len > 0
        && let Some(target) = place_of_store(ctx, at)?
    {
        write_at(ctx, target, shape, value);
    }
    stored(ctx, ptr, value)
}

/// Records a store.
fn stored(ctx: &mut Ctx<'_, '_>, ptr: Pointer, value: &Val) -> Step<()> {
    let (ptr, value) = (ctx.events.see(ctx.memory, &Val::Ptr(ptr)), ctx.events.see(ctx.memory, value));
    record(ctx, EventKind::VolatileStore { ptr, value }, &unanswered(), true)
}

fn bytes_of(len: u64) -> Shape {
    Shape::Array { len, stride: 1, elem: Arc::new(Shape::Int(8)) }
}

/// A volatile copy of at least one byte: a load and a store.
pub(super) fn copy(ctx: &mut Ctx<'_, '_>, to: At, from: At, moves: bool) -> Step<()> {
    let (source, target) = (place_of_load(ctx, from)?, place_of_store(ctx, to)?);
    if let (Some(source), Some(target)) = (source, target) {
        let apart = source.at.abs_diff(target.at) as u64;
        if !moves && source.alloc == target.alloc && apart != 0 && apart < from.len {
            return Err(Stop::Ub(UbKind::OverlappingCopy));
        }
    }
    if source.is_none() && from.len > MAX_CHANGED_BYTES {
        return Err(Stop::unsupported(Feature::Other(
            "a volatile copy of more than 16 bytes from an address that may have no memory",
        )));
    }
    let (shape, len, big_endian) = (bytes_of(from.len), from.len as usize, ctx.memory.big_endian);
    let bytes = match load_from(ctx, from, source, &shape)? {
        Loaded::Memory(source) => ctx.memory.allocation(source.alloc).contents.slice(source.at, len),
        Loaded::Elsewhere(value) => {
            let mut bytes = Contents::zeroed(len);
            bytes.write(0, &shape, &value, big_endian);
            bytes
        }
    };
    put(ctx, to, target, &bytes)
}

/// A volatile fill of at least one byte; `byte` is value, undefined bits and poison bits.
pub(super) fn fill(ctx: &mut Ctx<'_, '_>, to: At, byte: (u8, u8, u8)) -> Step<()> {
    let target = place_of_store(ctx, to)?;
    let mut bytes = Contents::zeroed(to.len as usize);
    bytes.fill_range(0, to.len as usize, byte);
    put(ctx, to, target, &bytes)
}

/// Stores `bytes`.
fn put(ctx: &mut Ctx<'_, '_>, to: At, target: Option<Target>, bytes: &Contents) -> Step<()> {
    if let Some(target) = target {
        let contents = ctx.memory.allocation_mut(target.alloc).contents_mut();
        contents.copy_from(target.at, bytes, 0, to.len as usize);
    }
    let value = bytes.read(0, &bytes_of(to.len), ctx.memory.big_endian);
    stored(ctx, to.ptr, &value)
}
