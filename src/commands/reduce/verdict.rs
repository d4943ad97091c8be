//! The reduction test without `--test`: a file is interesting if it shows the same failure as the original file.

use super::super::bisect::Stop;
use super::super::external::Stopped;
use super::super::symptom::{FunctionFailure, Kind, Reruns, Subject, Symptom};
use super::super::system::System;
use super::super::tell::{Story, as_pair, tell};
use super::first::First;
use super::guilt::Guilt;
use super::{Args, no_optimizer, unsteady};
use crate::exit::Exit;
use crate::input::Source;
use crate::interrupt::Interrupt;
use crate::optimizer::COPY;
use crate::output;
use crate::shown::visible;
use backedge_fuzz::reduce::{self, Reduced, Test};
use backedge_ir::module::Module;
use backedge_ir::print::module_to_string;
use backedge_pipeline::pass::ModuleStep;
use backedge_validate::case::Case;
use backedge_validate::check::{Options, Side, by_few_runs, holds_on_some_run, refuted_by_case};
use backedge_validate::judge::Judge;
use backedge_validate::pairs::in_one_module;
use backedge_validate::panics::caught;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Default number of runs per candidate: thousands of candidates are tried.
const RUNS: u64 = 200;
/// Default number of steps per run in the interpreter; the original refutation may require more.
const FUEL: u64 = 2_000;

/// Tests whether the failure is the original one.
pub(crate) struct VerdictTest {
    pub(super) subject: Subject,
    symptom: Symptom,
    /// The function, if known.
    function: String,
    /// The guilty pass of a command, if known.
    pub(super) guilt: Option<Guilt>,
    judge: Judge,
    options: Options,
    interrupt: Interrupt,
    /// Whether the files are pairs whose target is correct on some run; the reduction preserves this. Otherwise two
    /// unrelated functions could be left.
    correct_on_some_run: bool,
    /// The case that shows the failure on the current text of the search.
    witness: Mutex<Option<Case>>,
    /// The cases that showed the failure on texts that may be accepted.
    found: Mutex<HashMap<blake3::Hash, Case>>,
}

impl VerdictTest {
    /// The test that preserves the failure of `text`, which is the file `own` as printed by this project.
    pub(super) fn of(
        subject: Subject,
        judge: Judge,
        (own, text): (&Source, &Source),
        interrupt: Interrupt,
        for_corpus: bool,
    ) -> miette::Result<Result<Self, Exit>> {
        let name = &own.name;
        let First { subject, found } = match First::of(subject, &judge, (own, text), &|| interrupt.asked()) {
            Ok(first) => first,
            Err(unknown) => return unknown.end(name).map(Err),
        };
        let Some(first) = found.first() else {
            return Err(nothing_to_preserve(&subject, own));
        };
        let function = if first.function.is_empty() { "the file" } else { &format!("@{}", first.function) };
        output::to_stderr(&format!("kept: {function}: {}", visible(&first.to_string())));
        if for_corpus {
            as_pair(first)?;
        }
        let others = found.iter().skip(1).filter(|f| f.symptom != first.symptom).count();
        if others > 0 {
            output::to_stderr(&format!("not kept: {others} other finding(s), of other kinds or passes"));
        }
        let first = first.clone();
        let mut test = Self::keeping(subject, &first, judge, interrupt);
        if !test.find_guilt(&text.text, &first) {
            return Ok(Err(Exit::Interrupted));
        }
        Ok(Ok(test))
    }

    /// Determines the pass to blame for `found` in `text`, if possible, and reports it. Returns false after an
    /// interrupt.
    fn find_guilt(&mut self, text: &[u8], found: &FunctionFailure) -> bool {
        let Subject::System(System::External(optimizer)) = &self.subject else { return true };
        let stop = || self.interrupt.asked();
        match Guilt::of(optimizer, &String::from_utf8_lossy(text), found, &self.options, &stop) {
            Ok(guilt) => self.guilt = guilt,
            Err(Stop::Interrupted) => return false,
            Err(Stop::System(_) | Stop::Useless(_) | Stop::Unsteady(_)) => {
                output::to_stderr("guilty pass: unknown; it may change during the reduction");
            }
        }
        if let Some(guilt) = &self.guilt {
            output::to_stderr(&format!("guilty, and kept so: {guilt}"));
        }
        true
    }

    /// Whether the pass to blame for `found` in `text` is the original one.
    fn has_same_guilty_pass(&self, text: &str, found: &FunctionFailure, stop: &dyn Fn() -> bool) -> bool {
        // An error here does not end the reduction: if the command can't be run any more, the next test shows it.
        self.guilt.as_ref().is_none_or(|guilt| guilt.stays(text, found, stop).unwrap_or(false))
    }

    /// The test that preserves the failure `first`.
    pub(crate) fn keeping(
        subject: Subject,
        first: &FunctionFailure,
        judge: Judge,
        interrupt: Interrupt,
    ) -> Self {
        let steps = first.refuted.as_ref().map_or(0, |(_, r)| r.source.steps + r.target.steps);
        let given = judge.options();
        let options = Options {
            runs: given.runs.min(RUNS),
            fuel: given.fuel.min(FUEL.max(4 * steps)).max(2 * steps),
            solver: false,
            ..given.clone()
        };
        let witness = Mutex::new(first.refuted.as_ref().map(|(_, r)| r.case.clone()));
        let symptom = first.symptom.clone();
        let correct_on_some_run =
            matches!(subject, Subject::Pairs) && is_correct_on_some_run(first, &options);
        let function = first.function.clone();
        Self {
            subject,
            symptom,
            function,
            guilt: None,
            judge,
            options,
            interrupt,
            correct_on_some_run,
            witness,
            found: Mutex::default(),
        }
    }

    /// The finding in `text` if it is the same failure.
    pub(crate) fn look(
        &self,
        text: &str,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<FunctionFailure>, Stopped> {
        let source = Source { name: COPY.to_owned(), text: text.as_bytes().to_vec() };
        let case = lock(&self.witness).clone();
        let reruns = Reruns { case: case.as_ref(), options: &self.options };
        self.subject.again(&source, &self.symptom, &self.function, reruns, stop)
    }

    /// Writes the additional outputs.
    pub(super) fn tell(&self, args: &Args, reduced: &Reduced) -> miette::Result<Exit> {
        if args.lit.is_none() && args.corpus.is_none() && args.issue.is_none() {
            return Ok(Exit::Accepted);
        }
        let found = match self.look(&reduced.text, &|| self.interrupt.asked()) {
            Ok(Some(found)) => found,
            // A run that only just exceeds a limit may not exceed it each time.
            Ok(None) => return Ok(unsteady()),
            Err(Stopped::Interrupted) => return Ok(Exit::Interrupted),
            Err(Stopped::System(why)) => return Ok(no_optimizer(&why)),
        };
        let (passes, optimizer) = match &self.subject {
            Subject::System(System::Passes(_)) => (args.passes.clone(), None),
            Subject::System(System::External(optimizer)) | Subject::Rounds(optimizer, _) => {
                (None, Some(optimizer))
            }
            Subject::Pairs => (None, None),
        };
        let story = Story {
            text: &self.spelled(&reduced.text),
            found: &found,
            passes,
            optimizer,
            options: self.judge.options(),
            machine: args.machine,
            guilty: self.guilt.as_ref().map(Guilt::pass),
            after: self.after(&reduced.text),
        };
        tell(&story, args.lit.as_deref(), args.corpus.as_deref(), args.issue.as_deref())?;
        Ok(Exit::Accepted)
    }

    /// The text in the syntax of the command under test, if any.
    pub(super) fn spelled(&self, text: &str) -> String {
        match &self.subject {
            Subject::System(System::External(optimizer)) | Subject::Rounds(optimizer, _) => {
                let text = optimizer.spelled(text.as_bytes(), &|| self.interrupt.asked());
                String::from_utf8_lossy(&text).into_owned()
            }
            Subject::System(System::Passes(_)) | Subject::Pairs => text.to_owned(),
        }
    }

    /// The system's result for `text`, if there is one.
    fn after(&self, text: &str) -> Option<String> {
        match &self.subject {
            Subject::Pairs => None,
            Subject::System(System::Passes(pipeline)) => {
                let mut module = backedge_ir::parse::parse_module(text.as_bytes()).ok()?.module;
                let all = pipeline.steps.iter().any(|s| matches!(s, ModuleStep::Functions(_)));
                let options = backedge_pipeline::Options::default();
                let run =
                    || backedge_pipeline::run(&mut module, pipeline, options, &mut backedge_pipeline::Nobody);
                let done = caught(run);
                (all && matches!(done, Ok(Ok(_)))).then(|| module_to_string(&module))
            }
            Subject::System(System::External(optimizer)) | Subject::Rounds(optimizer, _) => {
                let stop = || self.interrupt.asked();
                let text = optimizer.spelled(text.as_bytes(), &stop);
                String::from_utf8(optimizer.run_on(&text, COPY, &stop).ok()?).ok()
            }
        }
    }
}

/// The error for a file that shows no failure.
fn nothing_to_preserve(subject: &Subject, own: &Source) -> miette::Report {
    let name = &own.name;
    let pairs = || own.parse().map_or(0, |parsed| in_one_module(&parsed.module).pairs.len());
    match subject {
        Subject::Pairs if pairs() == 0 => miette::miette!(
            help = "what is wrong with it? --passes or --opt names an optimizer that miscompiles it or crashes, --test a \
                    command that exits with 0 as long as a file is interesting",
            "no failure of {name} to preserve: give --passes, --opt or --test, or a file with @src and @tgt"
        ),
        Subject::Pairs => miette::miette!(
            help = format!("`backedge tv {name}` shows the verdicts"),
            "no failure of {name} to preserve: no target is refuted"
        ),
        Subject::System(_) | Subject::Rounds(..) => miette::miette!(
            help = "`backedge gate` with the same flags shows the verdict on each change",
            "no failure of {name} to preserve: no change is refuted, and nothing crashes"
        ),
    }
}

/// Whether the target is correct on some run.
fn is_correct_on_some_run(found: &FunctionFailure, options: &Options) -> bool {
    let Some((two, _)) = &found.refuted else { return false };
    let (source, target) = two.sides();
    caught(|| holds_on_some_run(source, target, options)).unwrap_or(false)
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Test for VerdictTest {
    fn is_interesting(&self, text: &str, stop: &reduce::Stop<'_>) -> Result<bool, String> {
        let look = || self.look(text, stop);
        match look() {
            Ok(Some(found)) if self.correct_on_some_run && !is_correct_on_some_run(&found, &self.options) => {
                Ok(false)
            }
            Ok(Some(found)) if !self.has_same_guilty_pass(text, &found, stop) => Ok(false),
            Ok(Some(found)) => {
                if let Some((_, refutation)) = &found.refuted {
                    lock(&self.found).insert(blake3::hash(text.as_bytes()), refutation.case.clone());
                }
                // A time limit may be exceeded by chance, so this must happen twice.
                let again = !matches!(self.symptom.kind, Kind::Hung(_));
                Ok(again || look().is_ok_and(|found| found.is_some()))
            }
            Ok(None) | Err(Stopped::Interrupted) => Ok(false),
            Err(Stopped::System(what)) => Err(what),
        }
    }

    fn behaves_the_same(&self, before: &str, after: &str, name: &str) -> bool {
        let module =
            |text: &str| backedge_ir::parse::read_module(text.as_bytes()).ok().map(|read| read.module);
        let (Some(before), Some(after)) = (module(before), module(after)) else { return false };
        let func = |module: &Module| module.env.func_named(name);
        let (Some(old), Some(new)) = (func(&before), func(&after)) else { return false };
        let sides = [Side { module: &before, func: old }, Side { module: &after, func: new }];
        let case = lock(&self.witness).clone();
        let holds = |source, target| {
            let refuted =
                case.as_ref().is_some_and(|c| refuted_by_case(c, source, target, &self.options).is_some());
            let report = by_few_runs(source, target, &self.options);
            !refuted && report.runs > 0 && report.verdict.into_refutation().is_none()
        };
        let [old, new] = sides;
        caught(|| holds(old, new) && holds(new, old)).unwrap_or(false)
    }

    fn accepted(&self, text: &str) {
        let mut found = lock(&self.found);
        if let Some(case) = found.remove(&blake3::hash(text.as_bytes())) {
            *lock(&self.witness) = Some(case);
        }
        found.clear();
    }
}
