//! Values as text: `i32 3`, `poison`, `ptr 0x1000`, `{ i32 1, i1 0 }`; outcomes, places and events as descriptions.

use crate::Run;
pub use crate::float_text::float_text;
use crate::input::ArgSpec;
use crate::observe::{EventKind, FURTHER_BUFFERS, ObjectName, Seen, SeenMemory, Stream};
use crate::outcome::{Limit, Outcome, Place};
use crate::refine::{Point, call_of_its_own};
use crate::value::{Cube, Val};
use backedge_ir::entity::FuncId;
use backedge_ir::int::Int;
use backedge_ir::module::{Env, Module};
use backedge_ir::print::BodyPrinter;
use backedge_ir::types::{Type, TypeKind};
use std::fmt;

/// A value with its type in LLVM syntax; poison and undef have no type. Integers are signed. A partly undefined value
/// is written bit by bit, with `?` for undefined bits.
pub fn typed_value(env: &Env, ty: Type, value: &Val) -> String {
    match value {
        Val::Agg(members) => {
            let member_ty = |i: usize| env.types.member(ty, i as u64).unwrap_or(Type::VOID);
            let parts: Vec<String> =
                members.iter().enumerate().map(|(i, m)| typed_value(env, member_ty(i), m)).collect();
            format!("{{ {} }}", parts.join(", "))
        }
        Val::Poison => "poison".to_owned(),
        Val::Ptr(ptr) if ptr.addr == 0 => "ptr null".to_owned(),
        Val::Ptr(ptr) => format!("ptr {:#x}", ptr.addr),
        Val::Bits(bits) => scalar(ty, Cube::known((*bits).into())),
        Val::Wide(cube) => scalar(ty, **cube),
    }
}

fn scalar(ty: Type, cube: Cube) -> String {
    let width = match ty.kind() {
        TypeKind::Int(width) => width.min(128),
        TypeKind::Float(kind) => kind.bits(),
        TypeKind::Ptr(_) => 64,
        TypeKind::Void | TypeKind::Label | TypeKind::Metadata | TypeKind::Token | TypeKind::Compound(_) => {
            128
        }
    };
    if cube.undef == crate::value::mask(width) {
        return "undef".to_owned();
    }
    if !cube.is_known() {
        let digit = |i: u32| match (cube.undef >> i & 1, cube.bits >> i & 1) {
            (1, _) => '?',
            (_, 1) => '1',
            _ => '0',
        };
        let bits: String = (0..width).rev().map(digit).collect();
        return format!("{ty:?} 0b{bits}");
    }
    match ty.kind() {
        TypeKind::Int(1) => format!("i1 {}", cube.bits != 0),
        TypeKind::Int(_) => format!("{ty:?} {}", Int::new(width, cube.bits).signed()),
        TypeKind::Float(backedge_ir::types::FloatKind::Float) => {
            format!("float {:?}", f32::from_bits(cube.bits as u32))
        }
        TypeKind::Float(backedge_ir::types::FloatKind::Double) => {
            format!("double {:?}", f64::from_bits(cube.bits as u64))
        }
        TypeKind::Float(_)
        | TypeKind::Ptr(_)
        | TypeKind::Void
        | TypeKind::Label
        | TypeKind::Metadata
        | TypeKind::Token
        | TypeKind::Compound(_) => format!("{ty:?} {:#x}", cube.bits),
    }
}

/// How a run of `func` ended, as text.
pub fn outcome_text(module: &Module, func: FuncId, outcome: &Outcome) -> String {
    let env = &module.env;
    match outcome {
        Outcome::Returned(None) => "returns void".to_owned(),
        Outcome::Returned(Some(value)) => {
            let ret = env.types.signature(env.funcs[func].ty).map(|(ret, ..)| ret);
            format!("returns {}", ret.map_or_else(String::new, |ty| typed_value(env, ty, value)))
        }
        Outcome::Ub { kind, place } => {
            format!(
                "undefined behaviour ({}): {}, at {}",
                kind.name(),
                kind.rule(),
                place_text(module, *place)
            )
        }
        Outcome::DidNotReturn { place, .. } => {
            format!("does not return: {} at {}", outcome.name(), place_text(module, *place))
        }
        Outcome::Diverges { func, block } => {
            let block = module.body(*func).map(|b| BodyPrinter::new(env, b).block(*block));
            format!("runs forever through {}", block.unwrap_or_default())
        }
        Outcome::OutOfFuel => "was stopped: out of fuel".to_owned(),
        Outcome::Unsupported { feature, place } => {
            format!("was stopped: {feature} is not modelled, at {}", place_text(module, *place))
        }
        Outcome::LimitExceeded(limit) => format!("was stopped: {}", limit_text(*limit)),
    }
}

/// Effect of a limit on a run, as text.
fn limit_text(limit: Limit) -> &'static str {
    match limit {
        Limit::Memory => "its objects exceed the memory limit; the rest of the run is unknown",
        Limit::CallDepth => "calls exceed the depth limit; the rest of the run is unknown",
        Limit::Events => "it has more events and external calls than a run may have",
        Limit::AddressSpace => "its objects do not fit below the largest address that its pointers have",
        Limit::Stopped => "time is up, or it was interrupted",
    }
}

/// A place in the program: the instruction, its block, its function.
pub fn place_text(module: &Module, place: Place) -> String {
    let name = &module.env.funcs[place.func].name;
    match place.inst.zip(module.body(place.func)) {
        Some((inst, body)) => {
            let printer = BodyPrinter::new(&module.env, body);
            let block = body.block_of(inst).map(|b| format!(" in {}", printer.block(b)));
            format!("`{}`{} of @{name}", printer.inst(inst).trim(), block.unwrap_or_default())
        }
        None => format!("the entry of @{name}"),
    }
}

/// An argument of a run of type `ty`, as text: floats in decimal, other values as in a list of arguments.
pub fn argument_text(env: &Env, ty: Type, spec: &ArgSpec) -> String {
    match (spec, ty.kind()) {
        (ArgSpec::Bits(bits), TypeKind::Float(kind)) => float_text(kind, *bits),
        (ArgSpec::Int(value), TypeKind::Float(_)) => format!("{:?}", *value as f64),
        (ArgSpec::Members(members), _) => {
            let member = |(i, spec): (usize, &ArgSpec)| match env.types.member(ty, i as u64) {
                Some(ty) => argument_text(env, ty, spec),
                None => spec.to_string(),
            };
            format!("{{{}}}", members.iter().enumerate().map(member).collect::<Vec<_>>().join(", "))
        }
        _ => spec.to_string(),
    }
}

/// A value of type `ty` as outside code sees it, as text: floats in decimal. Without a type, the bits of floats.
pub fn typed_seen_text(env: &Env, ty: Option<Type>, seen: &Seen) -> String {
    match (seen, ty.map(|ty| (ty, ty.kind()))) {
        (Seen::Bits(cube), Some((_, TypeKind::Float(kind)))) if cube.is_known() => {
            float_text(kind, cube.bits)
        }
        (Seen::Agg(members), Some((ty, _))) => {
            let member =
                |(i, member): (usize, &Seen)| typed_seen_text(env, env.types.member(ty, i as u64), member);
            let members: Vec<String> = members.iter().enumerate().map(member).collect();
            format!("{{{}}}", members.join(", "))
        }
        _ => seen_text(seen),
    }
}

/// The returned type of the function of that name.
pub fn returned_type(env: &Env, name: &str) -> Option<Type> {
    let func = env.func_named(name)?;
    env.types.signature(env.funcs[func].ty).map(|(ret, ..)| ret)
}

/// The observable content of an event of the module, as text.
pub fn event_text_in(module: &Module, event: &EventKind) -> String {
    let EventKind::Call { callee, args, more, .. } = event else { return event_text(event) };
    let env = &module.env;
    let func = env.func_named(callee);
    let signature = func.and_then(|func| env.types.signature(env.funcs[func].ty));
    let ty = |i: usize| signature.and_then(|(_, params, _)| params.get(i).copied());
    let args = args.iter().enumerate().map(|(i, arg)| typed_seen_text(env, ty(i), arg));
    let args = args.collect::<Vec<_>>().join(", ");
    let more = if more.is_empty() { String::new() } else { format!(" (variadic: {more})") };
    format!("call @{callee}({args}){more}")
}

/// The observable content of an event, as text. [`event_text_in`] knows the types of arguments.
pub fn event_text(event: &EventKind) -> String {
    match event {
        EventKind::Call { callee, args, more, .. } => {
            let args = args.iter().map(seen_text).collect::<Vec<_>>().join(", ");
            let more = if more.is_empty() { String::new() } else { format!(" (variadic: {more})") };
            format!("call @{callee}({args}){more}")
        }
        EventKind::Output { stream, byte } => {
            let to = match stream {
                Stream::Standard => "standard output".to_owned(),
                Stream::File(file) => format!("the stream {}", seen_text(file)),
            };
            format!("output of {:?} to {to}", char::from(*byte))
        }
        EventKind::VolatileLoad { ptr, len, .. } => {
            format!("volatile load of {len} bytes at {}", seen_text(ptr))
        }
        EventKind::VolatileStore { ptr, value } => {
            format!("volatile store of {} at {}", seen_text(value), seen_text(ptr))
        }
    }
}

/// An object, as text.
pub fn object_text(object: &ObjectName) -> String {
    match object {
        ObjectName::Global(name) | ObjectName::Function(name) => format!("@{name}"),
        ObjectName::Buffer(n) if *n >= FURTHER_BUFFERS => {
            format!("the further buffer {}", n - FURTHER_BUFFERS)
        }
        ObjectName::Buffer(n) => format!("the buffer of argument {n}"),
        ObjectName::Block(n) => format!("block{n}"),
        ObjectName::Local(n) => format!("local object {n}"),
        ObjectName::External(n) => format!("object {n} of the environment"),
    }
}

/// A value as outside code sees it, as text.
pub fn seen_text(seen: &Seen) -> String {
    match seen {
        Seen::Poison => "poison".to_owned(),
        Seen::Bits(cube) if cube.is_known() => cube.bits.to_string(),
        Seen::Bits(cube) => format!("{} with undef bits {:#x}", cube.bits, cube.undef),
        Seen::Ptr(object, 0) => object_text(object),
        Seen::Ptr(object, offset) => format!("{}{:+}", object_text(object), *offset as i64),
        Seen::Address(0) => "null".to_owned(),
        Seen::Address(address) => format!("address {address:#x}"),
        Seen::Agg(members) => format!("{{{}}}", members.iter().map(seen_text).collect::<Vec<_>>().join(", ")),
    }
}

/// A function with one of its runs.
pub type RunOf<'a> = (&'a Module, FuncId, &'a Run);

/// Where two runs diverge, as text.
pub fn divergence_text(point: &Point, (m, f, source): RunOf<'_>, (n, g, target): RunOf<'_>) -> String {
    match point {
        Point::Event(number) => {
            let at = |module: &Module, func, run: &Run| {
                let event = run.events.get(*number).map(|e| event_text_in(module, &e.kind));
                event.unwrap_or_else(|| outcome_text(module, func, &run.outcome))
            };
            let (s, t) = (at(m, f, source), at(n, g, target));
            let seen = seen_apart(*number, source, target);
            let seen = seen.map(|seen| seen.to_string()).unwrap_or_default();
            format!("at event {number}: the source: {s}; the target: {t}{seen}")
        }
        Point::Return => {
            let value = |module: &Module, func: FuncId, run: &Run| {
                let signature = module.env.types.signature(module.env.funcs[func].ty);
                let ty = signature.map(|(ret, ..)| ret);
                run.returned.as_ref().map_or_else(String::new, |seen| typed_seen_text(&module.env, ty, seen))
            };
            let (s, t) = (value(m, f, source), value(n, g, target));
            format!("in the returned value: {s} in the source, {t} in the target")
        }
        Point::Memory(object, offset) => {
            let byte = |run: &Run| byte_text(&run.memory, object, *offset);
            let (place, s, t) = (object_text(object), byte(source), byte(target));
            format!("at byte {offset} of {place}: {s} in the source, {t} in the target")
        }
        Point::End => {
            let (s, t) = (outcome_text(m, f, &source.outcome), outcome_text(n, g, &target.outcome));
            let own = call_of_its_own(source, target).filter(|_| target.outcome.ub().is_none());
            match own.filter(|_| source.outcome.name() == target.outcome.name()) {
                Some(own) => format!(
                    "the target: {}, which the source does not call with these arguments and this memory: it may be undefined \
                     behaviour in the function",
                    event_text_in(n, &own.call)
                ),
                None => format!("at the end: the source {s}; the target {t}"),
            }
        }
    }
}

/// A byte that a call sees differently in two runs.
pub struct SeenApart<'a> {
    /// The object.
    pub object: &'a ObjectName,
    /// The offset in bytes.
    pub offset: u64,
    /// State of the byte in the source's and in the target's run, as text.
    bytes: [String; 2],
}

impl fmt::Display for SeenApart<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { object, offset, bytes: [source, target] } = self;
        let place = object_text(object);
        write!(f, "; which sees at byte {offset} of {place}: {source} in the source, {target} in the target")
    }
}

/// The first byte that the call at event `number` sees differently in two runs; `None` if there is none.
pub fn seen_apart<'a>(number: usize, source: &'a Run, target: &Run) -> Option<SeenApart<'a>> {
    let (source, target) = (source.events.get(number)?, target.events.get(number)?);
    let (EventKind::Call { memory: s, .. }, EventKind::Call { memory: t, .. }) = (&source.kind, &target.kind)
    else {
        return None;
    };
    s.iter().find_map(|SeenMemory { object, contents, .. }| {
        let bytes = 0..contents.len() as u64;
        let mut both = bytes.map(|at| (at, [byte_text(s, object, at), byte_text(t, object, at)]));
        let (offset, bytes) = both.find(|(_, [a, b])| a != b && a != "poison" && a != "undef")?;
        Some(SeenApart { object, offset, bytes })
    })
}

fn byte_text(memory: &[SeenMemory], object: &ObjectName, offset: u64) -> String {
    let contents = memory.iter().find(|m| m.object == *object).map(|m| &m.contents);
    let at = usize::try_from(offset).unwrap_or(usize::MAX);
    let Some(contents) = contents.filter(|c| at < c.len()) else { return "nothing".to_owned() };
    let set = |plane: &[u8]| plane.get(at).is_some_and(|bits| *bits != 0);
    if set(&contents.poison) {
        "poison".to_owned()
    } else if set(&contents.undef) {
        "undef".to_owned()
    } else {
        format!("{:#04x}", contents.bytes[at])
    }
}
