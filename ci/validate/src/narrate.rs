//! Tells a violation: runs both sides once more with somebody watching, and puts what they did into words.

use crate::check::{Options, Side};
use crate::runs::config;
use crate::verdict::Failure;
use crate::witness::{FoundBy, Named, Refutation, Run, Witness};
use backedge_interp::chooser::{Choice, ChoiceKind, Chooser, RecordingChooser, ReplayChooser, ZeroChooser};
use backedge_interp::input::Input;
use backedge_interp::observe::{Answer, Answered, Event, EventKind, ObjectName, Seen, SeenMemory};
use backedge_interp::outcome::{Outcome, Place};
use backedge_interp::refine::{Mismatch, Point, Violation};
use backedge_interp::text::typed_value;
use backedge_interp::trace::{Observer, Step, Trace};
use backedge_interp::value::Val;
use backedge_interp::{self as interp, Machine, Program};
use backedge_ir::entity::{Block, FuncId, Inst};
use backedge_ir::print::BodyPrinter;
use std::collections::VecDeque;
use std::sync::Arc;

/// Steps that are shown of each side.
const LAST_STEPS: usize = 12;

/// The refutation that `violation` on `input` is.
pub(crate) fn refutation(
    source: Side<'_>,
    target: Side<'_>,
    options: &Options,
    input: &Input,
    violation: &Violation,
    found_by: FoundBy,
) -> Refutation {
    let choices = ReplayChooser::new(violation.target_choices.clone());
    let (target_run, target_log) =
        watched(target, options, input, &violation.script, choices, &violation.target);
    let script = Arc::new(violation.target.answers.clone());
    let (source_run, source_log) = watched(source, options, input, &script, ZeroChooser, &violation.source);
    let environment = |log: &[(Choice, u128)], side| log.iter().filter_map(|c| choice(side, c)).collect();
    let witness = Witness {
        arguments: arguments(source, input),
        memory: input.globals.iter().map(|(name, contents)| global(name, contents)).collect(),
        environment: violation.target.answers.iter().map(answered).collect(),
        source_choices: environment(&source_log, source),
        target_choices: environment(&target_log, target),
    };
    let divergence = divergence(source, target, violation);
    let failure = failure(violation);
    Refutation { failure, found_by, witness, source: source_run, target: target_run, divergence }
}

/// The interpreter's kinds of mismatch in the words of verdicts.
fn failure(violation: &Violation) -> Failure {
    if matches!(violation.point, Point::Event(_)) && violation.mismatch != Mismatch::SourceMoreDefined {
        return Failure::EventMismatch;
    }
    match violation.mismatch {
        Mismatch::Value | Mismatch::MoreUndefined => Failure::ValueMismatch,
        Mismatch::MorePoisonous => Failure::MorePoisonous,
        Mismatch::SourceMoreDefined => Failure::MoreDefined,
        Mismatch::Memory => Failure::MemoryMismatch,
        Mismatch::Events | Mismatch::Ending => Failure::EventMismatch,
        Mismatch::TargetDoesNotTerminate => Failure::NonTermination,
    }
}

fn arguments(side: Side<'_>, input: &Input) -> Vec<Named> {
    let names = side.module.body(side.func).map(|body| {
        let printer = BodyPrinter::new(&side.module.env, body);
        body.args().map(|arg| printer.operand(arg.into())).collect::<Vec<_>>()
    });
    let names = names.unwrap_or_default();
    let name = |i: usize| names.get(i).cloned().unwrap_or_else(|| format!("argument {i}"));
    input.args.iter().enumerate().map(|(i, a)| Named { name: name(i), value: a.to_string() }).collect()
}

fn global(name: &str, contents: &interp::memory::Contents) -> Named {
    let value = interp::input::ArgSpec::Buffer(Box::new(contents.clone())).to_string();
    Named { name: format!("@{name}"), value }
}

/// Runs one side again, and tells how it went. What was seen the first time decides what is said of the end.
fn watched(
    side: Side<'_>,
    options: &Options,
    input: &Input,
    script: &Arc<Vec<Answered>>,
    chooser: impl Chooser,
    seen: &interp::Run,
) -> (Run, Vec<(Choice, u128)>) {
    let config = config(options);
    let program = Program::new(side.module, &config);
    let mut chooser = RecordingChooser::new(chooser);
    let mut watcher = Watcher { last: VecDeque::new(), first_poison: None };
    let run = Machine::new(&program, config).run_with(side.func, input, script, &mut chooser, &mut watcher);
    let run = run.as_ref().unwrap_or(seen);
    let mut outcome = outcome_text(side, &run.outcome);
    if let Some((func, inst)) = watcher.first_poison {
        let place = Place { func, inst: Some(inst) };
        outcome.push_str(&format!("; poison first arises at {}", place_text(side, place)));
    }
    let mut tail = Trace::new(LAST_STEPS);
    tail.steps = watcher.last.into();
    let told = Run {
        outcome,
        events: run.events.iter().map(event_text).collect(),
        last_steps: tail.render(side.module).lines().map(str::to_owned).collect(),
        steps: run.steps,
    };
    (told, chooser.log)
}

/// Keeps the last steps, and the first instruction whose result was poison.
struct Watcher {
    last: VecDeque<Step>,
    first_poison: Option<(FuncId, Inst)>,
}

impl Watcher {
    fn push(&mut self, step: Step) {
        if self.last.len() == LAST_STEPS {
            self.last.pop_front();
        }
        self.last.push_back(step);
    }
}

impl Observer for Watcher {
    fn enter(&mut self, func: FuncId, block: Block, depth: usize) {
        self.push(Step::Enter { func, block, depth });
    }
    fn step(&mut self, func: FuncId, inst: Inst, depth: usize, value: Option<&Val>) {
        if value == Some(&Val::Poison) && self.first_poison.is_none() {
            self.first_poison = Some((func, inst));
        }
        self.push(Step::Inst { func, inst, depth, value: value.cloned() });
    }
}

/// How a run ended, in words.
pub fn outcome_text(side: Side<'_>, outcome: &Outcome) -> String {
    match outcome {
        Outcome::Returned(None) => "returns void".to_owned(),
        Outcome::Returned(Some(value)) => {
            let env = &side.module.env;
            let ret = env.types.signature(env.funcs[side.func].ty).map(|(ret, ..)| ret);
            format!("returns {}", ret.map_or_else(String::new, |ty| typed_value(env, ty, value)))
        }
        Outcome::Ub { kind, place } => {
            format!("undefined behaviour ({}): {}, at {}", kind.name(), kind.rule(), place_text(side, *place))
        }
        Outcome::DidNotReturn { place, .. } => {
            format!("does not return: {} at {}", outcome.name(), place_text(side, *place))
        }
        Outcome::Diverges { func, block } => {
            let body = side.module.body(*func);
            let block = body.map(|b| BodyPrinter::new(&side.module.env, b).block(*block));
            format!("runs forever through {}", block.unwrap_or_default())
        }
        Outcome::OutOfFuel => "was stopped: out of fuel".to_owned(),
        Outcome::Unsupported { feature, place } => {
            format!("was stopped: {feature} is not modelled, at {}", place_text(side, *place))
        }
        Outcome::LimitExceeded(limit) => format!("was stopped: limit on {limit:?}"),
    }
}

fn place_text(side: Side<'_>, place: Place) -> String {
    let name = &side.module.env.funcs[place.func].name;
    let inst = place.inst.zip(side.module.body(place.func));
    match inst {
        Some((inst, body)) => {
            let printer = BodyPrinter::new(&side.module.env, body);
            let block = body.block_of(inst).map(|b| format!(" in {}", printer.block(b)));
            format!("`{}`{} of @{name}", printer.inst(inst).trim(), block.unwrap_or_default())
        }
        None => format!("the entry of @{name}"),
    }
}

/// A choice that the program leaves open; those of the environment are told with the calls.
fn choice(side: Side<'_>, (choice, answer): &(Choice, u128)) -> Option<String> {
    let what = match choice.kind {
        ChoiceKind::UndefUse => "undef",
        ChoiceKind::Freeze => "freeze",
        ChoiceKind::SelectArm => "arm of a select on undef",
        ChoiceKind::NanPayload => "NaN",
        ChoiceKind::Unspecified => "unspecified bits",
        ChoiceKind::CallExit | ChoiceKind::CallResult | ChoiceKind::CallWrites | ChoiceKind::CallByte => {
            return None;
        }
    };
    Some(format!("{what} at {}: {answer:#x}", place_text(side, choice.place)))
}

fn answered(call: &Answered) -> String {
    let Answer { exit, result, writes, .. } = &call.answer;
    let mut text = event_kind_text(&call.call);
    match (exit, result) {
        (Some(exit), _) => text.push_str(&format!(" does not return ({exit:?})")),
        (None, Some(result)) => text.push_str(&format!(" gives {}", seen_text(result))),
        (None, None) => text.push_str(" returns"),
    }
    for (object, offset, byte) in writes {
        text.push_str(&format!(", writes {byte:#04x} to byte {offset} of {}", object_text(object)));
    }
    text
}

/// An event, in words.
pub fn event_text(event: &Event) -> String {
    event_kind_text(&event.kind)
}

fn event_kind_text(kind: &EventKind) -> String {
    match kind {
        EventKind::Call { callee, args, .. } => {
            format!("call @{callee}({})", args.iter().map(seen_text).collect::<Vec<_>>().join(", "))
        }
        EventKind::VolatileLoad { ptr, len } => format!("volatile load of {len} bytes at {}", seen_text(ptr)),
        EventKind::VolatileStore { ptr, value } => {
            format!("volatile store of {} at {}", seen_text(value), seen_text(ptr))
        }
    }
}

fn object_text(object: &ObjectName) -> String {
    match object {
        ObjectName::Global(name) | ObjectName::Function(name) => format!("@{name}"),
        ObjectName::Buffer(n) => format!("the buffer of argument {n}"),
        ObjectName::Local(n) => format!("local object {n}"),
        ObjectName::External(n) => format!("object {n} of the environment"),
    }
}

fn seen_text(seen: &Seen) -> String {
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

fn divergence(source: Side<'_>, target: Side<'_>, violation: &Violation) -> String {
    let (s, t) = (&violation.source, &violation.target);
    match &violation.point {
        Point::Event(n) => {
            let at = |run: &interp::Run, side| {
                run.events.get(*n).map_or_else(|| outcome_text(side, &run.outcome), event_text)
            };
            format!("at event {n}: the source: {}; the target: {}", at(s, source), at(t, target))
        }
        Point::Return => {
            let value = |run: &interp::Run| run.returned.as_ref().map_or_else(String::new, seen_text);
            format!("in the returned value: {} in the source, {} in the target", value(s), value(t))
        }
        Point::Memory(object, offset) => {
            let byte = |run: &interp::Run| byte_text(&run.memory, object, *offset);
            let place = object_text(object);
            format!("at byte {offset} of {place}: {} in the source, {} in the target", byte(s), byte(t))
        }
        Point::End => {
            let end = |run: &interp::Run, side| outcome_text(side, &run.outcome);
            format!("at the end: the source {}; the target {}", end(s, source), end(t, target))
        }
    }
}

fn byte_text(memory: &[SeenMemory], object: &ObjectName, offset: u64) -> String {
    let found = memory.iter().find(|m| m.object == *object);
    let at = usize::try_from(offset).unwrap_or(usize::MAX);
    let Some(contents) =
        found.map(|m| m.contents.slice(at.min(m.contents.len()), usize::from(at < m.contents.len())))
    else {
        return "nothing".to_owned();
    };
    let text = interp::input::ArgSpec::Buffer(Box::new(contents)).to_string();
    match text.strip_prefix("bytes:") {
        Some("??") => "undef".to_owned(),
        Some("pp") => "poison".to_owned(),
        Some(hex) => format!("0x{hex}"),
        None => "0x00".to_owned(),
    }
}
