//! Describes a violation: runs both sides again with observers and renders their behavior as text: the two traces,
//! aligned up to the first difference, and for each side why it ended as it did.

use super::config::config;
use super::drive::Shown;
use crate::admit::source_promises::{MOST_FOLLOWED, SourcePromises, TOO_LONG, acts_in, is_call};
use crate::pair::{Side, Sides};
use crate::verdict::witness::{FoundBy, Named, Refutation, Run, Undefined, UndefinedSource, Witness};
use crate::verdict::{Case, Failure, Options};
use backedge_interp::chooser::{Choice, ChoiceKind, Chooser, RecordingChooser, ReplayChooser, ZeroChooser};
use backedge_interp::input::{ArgSpec, Input};
use backedge_interp::observe::{Answer, Answered, EventKind, ObjectName, Written};
use backedge_interp::outcome::Outcome;
use backedge_interp::refine::Mismatch;
use backedge_interp::text::{
    argument_text, divergence_text, event_text_in, object_text, place_text, returned_type, seen_text,
    typed_seen_text,
};
use backedge_interp::trace::{Detail, NoObserver, Recorder, Trace, side_by_side};
use backedge_interp::{self as interp, Machine, Program};
use backedge_ir::module::Module;
use backedge_ir::print::BodyPrinter;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Number of last steps shown of each side.
const LAST_STEPS: usize = 12;
/// Trace rows kept: first rows, rows around the first difference, and last rows.
const ROWS: (usize, usize, usize) = (40, 20, 160);
/// Limit on the recorded steps of each side.
const STEPS: usize = 20_000;

/// Converts `violation` on `input` to a refutation.
pub(crate) fn refutation(
    Sides { source, target }: Sides<'_>,
    programs: &[Program<'_>; 2],
    options: &Options,
    input: &Input,
    Shown { violation, endless }: &Shown,
    found_by: FoundBy,
) -> Refutation {
    let config = config(options);
    let choices = ReplayChooser::new(violation.target_choices.clone());
    let watch = |side, program, config| Watch { side, program, config, input };
    let of_target = config.clone().of_target();
    let right = watch(target, &programs[1], &of_target).run(&violation.script, choices, &violation.target);
    let left =
        watch(source, &programs[0], &config).run(&violation.source_script, ZeroChooser, &violation.source);
    let environment =
        |log: &[(Choice, u128)], side: Side<'_>| log.iter().filter_map(|c| choice(side.module, c)).collect();
    let witness = Witness {
        arguments: arguments(source, input),
        memory: memory(input),
        environment: violation.source_script.iter().map(|call| answered(source.module, call)).collect(),
        source_choices: environment(&left.log, source),
        target_choices: environment(&right.log, target),
    };
    let rows = match (&left.trace, &right.trace) {
        (Some(left), Some(right)) => side_by_side(left, right, Some(&violation.point)),
        _ => interp::trace::Aligned::default(),
    };
    let first_difference = rows.first_difference();
    let rows = rows.excerpt(ROWS.0, ROWS.1, ROWS.2);
    let mut divergence = divergence_text(
        &violation.point,
        (source.module, source.func, &violation.source),
        (target.module, target.func, &violation.target),
    );
    let failure = Failure::of(violation);
    let (mut source_run, mut target_run) = (left.told, right.told);
    let mut machine = Machine::new(&programs[0], config.clone());
    source_run.broken = SourcePromises::new(source).broken(&mut machine, input, violation);
    if let Some(why) = endless {
        let of_source = violation.mismatch != Mismatch::TargetDoesNotTerminate;
        let run = if of_source { &mut source_run } else { &mut target_run };
        run.outcome = format!("runs forever: {why}");
        let (forever, other) = if of_source { ("source", "target") } else { ("target", "source") };
        let ends = if failure == Failure::MoreDefined { "is undefined" } else { "ends" };
        divergence = format!("at the end: the {forever} runs forever, the {other} {ends}");
    }
    Refutation {
        failure,
        found_by,
        witness,
        undef_input: input.has_undef(),
        source: source_run,
        target: target_run,
        rows,
        first_difference,
        divergence,
        case: Case::of(input, violation, &config),
        counterexample: None,
    }
}

/// The UB of the source on `input`, if any.
pub(crate) fn undefined_source(
    source: Side<'_>,
    program: &Program<'_>,
    options: &Options,
    input: &Input,
) -> Option<UndefinedSource> {
    let config = config(options);
    let mut machine = Machine::new(program, config.clone());
    let run = machine.run(source.func, input, &mut ZeroChooser, &mut NoObserver).ok()?;
    run.outcome.ub()?;
    let watched =
        Watch { side: source, program, config: &config, input }.run(&Arc::default(), ZeroChooser, &run);
    let undefined = watched.told.undefined?;
    Some(UndefinedSource { arguments: arguments(source, input), undefined })
}

fn arguments(side: Side<'_>, input: &Input) -> Vec<Named> {
    let names = side.module.body(side.func).map(|body| {
        let printer = BodyPrinter::new(&side.module.env, body);
        body.args().map(|arg| printer.operand(arg.into())).collect::<Vec<_>>()
    });
    let names = names.unwrap_or_default();
    let name = |i: usize| names.get(i).cloned().unwrap_or_else(|| format!("argument {i}"));
    let env = &side.module.env;
    let signature = env.types.signature(env.funcs[side.func].ty);
    let value = |(i, spec): (usize, &ArgSpec)| match signature.and_then(|(_, params, _)| params.get(i)) {
        Some(ty) => argument_text(env, *ty, spec),
        None => spec.to_string(),
    };
    let argument = |argument: (usize, &ArgSpec)| Named { name: name(argument.0), value: value(argument) };
    input.args.iter().enumerate().map(argument).collect()
}

fn memory(input: &Input) -> Vec<Named> {
    let blocks = input.blocks.iter().enumerate().map(|(i, block)| (format!("block{i}"), block));
    let globals = input.globals.iter().map(|(name, block)| (format!("@{name}"), block));
    blocks.chain(globals).map(|(name, block)| Named { name, value: block.to_string() }).collect()
}

/// A side to be rerun.
struct Watch<'a, 'p> {
    side: Side<'a>,
    program: &'p Program<'p>,
    config: &'a interp::Config,
    input: &'a Input,
}

/// Recorded behavior of a side.
struct Watched<'p> {
    told: Run,
    log: Vec<(Choice, u128)>,
    trace: Option<Trace<'p>>,
}

impl<'p> Watch<'_, 'p> {
    /// Reruns the side and describes the run. If the side cannot be rerun or runs for too long, describes the first run
    /// `seen`.
    fn run(&self, script: &Arc<Vec<Answered>>, chooser: impl Chooser, seen: &interp::Run) -> Watched<'p> {
        let mut chooser = RecordingChooser::new(chooser);
        let mut machine = Machine::new(self.program, self.config.clone());
        let (func, input) = (self.side.func, self.input);
        let mut recorder = Recorder::new(self.program, STEPS);
        let run = (seen.steps <= MOST_FOLLOWED)
            .then(|| machine.run_with(func, input, script, &mut chooser, &mut recorder).ok())
            .flatten();
        let trace = run.as_ref().map(|run| recorder.finish(&machine, func, input, run));
        let run = run.as_ref().unwrap_or(seen);
        let lines = trace.as_ref().map_or_else(Vec::new, |t| t.lines(Detail::Short));
        let told = Run {
            outcome: outcome_text(self.side, &run.outcome),
            events: event_lines(self.side.module, run),
            last_steps: lines[lines.len().saturating_sub(LAST_STEPS)..].to_vec(),
            undefined: trace.as_ref().and_then(undefined),
            explanation: match &trace {
                Some(trace) => trace.explanation.lines(),
                None if run.steps > MOST_FOLLOWED => vec![TOO_LONG.to_owned()],
                None => Vec::new(),
            },
            why: trace.as_ref().map(Trace::explanation_json).unwrap_or_default(),
            called: run.answers.iter().filter_map(callee).collect(),
            calls_acted: acts_in(&run.answers),
            volatile_changed: run.answers.iter().any(|a| !is_call(a) && !a.answer.writes.is_empty()),
            written: written(run),
            broken: None,
            steps: run.steps,
        };
        Watched { told, log: chooser.log, trace }
    }
}

fn undefined(trace: &Trace<'_>) -> Option<Undefined> {
    let ub = trace.explanation.ub.as_ref()?;
    Some(Undefined {
        id: ub.kind.name().to_owned(),
        rule: ub.kind.rule().to_owned(),
        instruction: ub.inst.clone(),
        place: ub.place.clone(),
        at: trace.struck_at(),
    })
}

fn callee(call: &Answered) -> Option<String> {
    if let EventKind::Call { callee, .. } = &call.call { Some(callee.to_string()) } else { None }
}

/// The global variables that calls wrote, without duplicates.
fn written(run: &interp::Run) -> Vec<String> {
    let writes = run.answers.iter().filter(|a| is_call(a)).flat_map(|a| &a.answer.writes);
    let global = |name: &ObjectName| match name {
        ObjectName::Global(name) => Some(name.to_string()),
        _ => None,
    };
    writes.filter_map(|(object, ..)| global(object)).collect::<BTreeSet<_>>().into_iter().collect()
}

/// How a run ended, in words.
pub(crate) fn outcome_text(side: Side<'_>, outcome: &Outcome) -> String {
    interp::text::outcome_text(side.module, side.func, outcome)
}

/// Maximum number of events shown of a run.
const MOST_EVENTS: usize = 256;

/// The events of a run in words, truncated to [`MOST_EVENTS`].
fn event_lines(module: &Module, run: &interp::Run) -> Vec<String> {
    let events = run.events.iter().take(MOST_EVENTS);
    let mut told: Vec<String> = events.map(|e| event_text_in(module, &e.kind)).collect();
    if let Some(more) = run.events.len().checked_sub(MOST_EVENTS).filter(|more| *more > 0) {
        told.push(format!("... and {more} more"));
    }
    told
}

/// Text of a program choice; `None` for environment choices, which are shown with the calls.
pub fn choice(module: &Module, (choice, answer): &(Choice, u128)) -> Option<String> {
    let what = match choice.kind {
        ChoiceKind::UndefUse => "undef",
        ChoiceKind::Freeze => "freeze",
        ChoiceKind::SelectArm => "arm of a select on undef",
        ChoiceKind::NanPayload => "NaN",
        ChoiceKind::Unspecified => "unspecified bits",
        ChoiceKind::CallExit
        | ChoiceKind::CallResult
        | ChoiceKind::CallWrites
        | ChoiceKind::CallByte
        | ChoiceKind::GlobalContents => {
            return None;
        }
    };
    Some(format!("{what} at {}: {answer:#x}", place_text(module, choice.place)))
}

/// Text of an external call of the module and its answer.
pub fn answered(module: &Module, call: &Answered) -> String {
    let Answer { exit, result, writes, .. } = &call.answer;
    let mut text = event_text_in(module, &call.call);
    let ty = match &call.call {
        EventKind::Call { callee, .. } => returned_type(&module.env, callee),
        EventKind::Output { .. } | EventKind::VolatileLoad { .. } | EventKind::VolatileStore { .. } => None,
    };
    match (exit, result) {
        (Some(exit), _) => text.push_str(&format!(" does not return ({exit})")),
        (None, Some(result)) => {
            text.push_str(&format!(" gives {}", typed_seen_text(&module.env, ty, result)));
        }
        (None, None) => text.push_str(" returns"),
    }
    for (object, offset, byte) in writes {
        let byte = written_text(byte);
        text.push_str(&format!(", writes {byte} to byte {offset} of {}", object_text(object)));
    }
    text
}

fn written_text(byte: &Written) -> String {
    match byte {
        Written::Bits { value, undef: 0, poison: 0 } => format!("{value:#04x}"),
        Written::Bits { poison: 0xff, .. } => "poison".to_owned(),
        Written::Bits { undef: 0xff, poison: 0, .. } => "undef".to_owned(),
        Written::Bits { value, undef, poison } => {
            format!("{value:#04x} with undef bits {undef:#04x} and poison bits {poison:#04x}")
        }
        Written::Pointer { pointer, index } => format!("byte {index} of the pointer {}", seen_text(pointer)),
    }
}
