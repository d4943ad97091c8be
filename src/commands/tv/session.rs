//! The checks of `backedge tv`: jobs in parallel, each with its output, which is printed in the order of the jobs as soon
//! as it exists.

use crate::progress::Progress;
use crate::report::json::JsonLines;
use crate::{STACK, output};
use backedge_ir::entity::FuncId;
use backedge_ir::module::Module;
use backedge_smt::proof::Certificate;
use backedge_validate::batch::{Origin, judge_pair};
use backedge_validate::check::Side;
use backedge_validate::judge::Judge;
use backedge_validate::record::{Finding, Record};
use backedge_validate::verdict::{Verdict, VerdictKind};
use miette::{IntoDiagnostic, WrapErr};
use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Instant;

/// A function in a module that several jobs share.
pub(super) type Function = (Arc<Module>, FuncId);

/// A comparison of two functions, or a record that needs none.
pub(super) struct Job {
    /// How the output calls the comparison.
    pub(super) heading: String,
    /// The pass in the record: the pass that made the target, or the target's name.
    pub(super) pass: String,
    /// Position of the pass in its pipeline, from 0.
    pub(super) step: usize,
    /// Remarks of the pass.
    pub(super) remarks: Vec<String>,
    /// What there is to do.
    pub(super) task: Task,
}

/// The work of a job.
pub(super) enum Task {
    /// Compare these functions.
    Compare { source: Function, target: Function },
    /// Nothing: the record is known.
    Known(Box<Record>),
}

impl Job {
    /// The comparison of `target` with `source`, called by their names.
    pub(super) fn of_pair(source: Function, target: Function) -> Self {
        let name = |(module, func): &Function| module.env.funcs[*func].name.to_string();
        Self {
            heading: format!("@{} => @{}", name(&source), name(&target)),
            pass: name(&target),
            step: 0,
            remarks: Vec::new(),
            task: Task::Compare { source, target },
        }
    }
}

impl Job {
    /// The functions that it compares.
    pub(super) fn pair(&self) -> Option<(Function, Function)> {
        match &self.task {
            Task::Compare { source, target } => Some((source.clone(), target.clone())),
            Task::Known(_) => None,
        }
    }

    /// The name of the function in the record.
    pub(super) fn function(&self) -> &str {
        match &self.task {
            Task::Compare { source: (module, func), .. } => &module.env.funcs[*func].name,
            Task::Known(record) => &record.function,
        }
    }

    /// The comparison in the other direction: of this job's source, as the target, with its target.
    pub(super) fn reverse(&self, source: Function, target: Function) -> Self {
        let heading = match self.heading.split_once(" => ") {
            Some((source, target)) => format!("{target} => {source}, in reverse"),
            None => format!("{}, in reverse", self.heading),
        };
        Self {
            heading,
            pass: self.pass.clone(),
            step: self.step,
            remarks: Vec::new(),
            task: Task::Compare { source, target },
        }
    }
}

/// The record of a job, and the certificate of its verdict.
pub(super) type JobResult = (Record, Option<Box<Certificate>>);

/// How much of the results is printed.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Shown {
    /// Everything.
    All,
    /// What is not accepted, and the summary.
    NotAccepted,
    /// Nothing: standard output is reserved for JSON lines.
    Nothing,
}

/// Everything that the checks of one command share.
pub(super) struct Session<'a> {
    /// The file in records.
    pub(super) file: &'a str,
    pub(super) judge: Judge,
    pub(super) shown: Shown,
    /// Whether to show complete traces.
    pub(super) trace: bool,
    /// Whether to begin no further job after a refutation.
    pub(super) fail_fast: bool,
}

impl Session<'_> {
    /// The results in the order of the jobs. Each job's output is printed as soon as all earlier ones are. Jobs that were
    /// not begun have no result.
    ///
    /// Each record is written to `json` as its output is printed.
    pub(super) fn check_all(
        &self,
        all: &[Job],
        threads: usize,
        mut json: Option<&mut JsonLines<'_>>,
    ) -> miette::Result<Vec<JobResult>> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK).build();
        let pool = pool.into_diagnostic().wrap_err(
            "the threads of the checks can't be started; fewer of them (--jobs) need less memory",
        )?;
        let stop = &AtomicBool::new(false);
        let mut progress = Progress::of_checks(all.len());
        let (sender, receiver) = mpsc::channel();
        let found = std::thread::scope(|scope| -> miette::Result<_> {
            let work = move || {
                pool.install(|| {
                    all.par_iter().enumerate().for_each(|(nth, job)| {
                        let checked = (!stop.load(Ordering::SeqCst)).then(|| self.check(job));
                        if self.fail_fast && checked.as_ref().is_some_and(|((r, _), _)| is_refuted(r)) {
                            stop.store(true, Ordering::SeqCst);
                        }
                        // The receiver is gone only if a thread of this program panicked, which is reported
                        // elsewhere.
                        let _ = sender.send((nth, checked));
                    });
                });
            };
            std::thread::Builder::new()
                .spawn_scoped(scope, work)
                .map_err(|e| miette::miette!("no thread can be started: {e}"))?;
            let (mut early, mut found, mut printed) = (BTreeMap::new(), Vec::new(), 0);
            for (nth, checked) in receiver {
                checked.iter().for_each(|((record, _), _)| progress.checked(record));
                early.insert(nth, checked);
                while let Some(checked) = early.remove(&printed) {
                    printed += 1;
                    let Some((one, text)) = checked else { continue };
                    if self.shows(&one.0) {
                        // The exit code contains the verdict too; a closed pipe is no error.
                        progress.suspend(|| drop(output::to_stdout(&text)));
                    }
                    if let Some(json) = &mut json {
                        json.line(&one.0.to_json())?;
                    }
                    found.push(one);
                }
            }
            Ok(found)
        });
        progress.finish();
        found
    }

    /// Whether the record is printed.
    fn shows(&self, record: &Record) -> bool {
        match self.shown {
            Shown::All => true,
            Shown::Nothing => false,
            Shown::NotAccepted => !is_accepted(record),
        }
    }

    /// The result of a job, and its output.
    fn check(&self, job: &Job) -> (JobResult, String) {
        let (source, target) = match &job.task {
            Task::Compare { source, target } => (source, target),
            Task::Known(record) => return ((Record::clone(record), None), known_text(record)),
        };
        let [source, target] = [source, target].map(|(module, func)| Side { module, func: *func });
        let Job { pass, step, remarks, .. } = job;
        let origin = Origin { file: self.file, pass, step: *step, remarks, start: Instant::now() };
        let (record, certificate) = judge_pair(source, target, &self.judge, origin);
        let Finding::Validation { verdict, cached, loops, .. } = &record.finding else {
            unreachable!("a pair has a verdict")
        };
        let from = if *cached { " (from the cache)" } else { "" };
        let heading = format!("{}: {}{from}\n", job.heading, verdict.words(*loops));
        let details = self.details(verdict);
        ((record, certificate), heading + &details)
    }

    /// The lines after the heading.
    fn details(&self, verdict: &Verdict) -> String {
        match verdict {
            Verdict::Refuted(refutation) | Verdict::RefutedByUndef { refutation, .. } if self.trace => {
                format!("{refutation:#}\n")
            }
            Verdict::Refuted(refutation) | Verdict::RefutedByUndef { refutation, .. } => {
                format!("{refutation}\n")
            }
            Verdict::InternalError(error) => format!("{error}\n"),
            Verdict::RefinesAll { .. }
            | Verdict::RefinesUpTo { .. }
            | Verdict::Vacuous { .. }
            | Verdict::Inconclusive { .. } => String::new(),
        }
    }
}

/// Whether the record ends a command that stops at the first refutation.
pub(super) fn is_refuted(record: &Record) -> bool {
    match &record.finding {
        Finding::Validation { verdict, .. } => {
            matches!(verdict.kind(), VerdictKind::Refuted | VerdictKind::RefutedByUndef)
        }
        Finding::Crash { .. } => true,
        Finding::Refused { .. }
        | Finding::Hang { .. }
        | Finding::BadInput { .. }
        | Finding::Opaque { .. } => false,
    }
}

/// Whether the record needs no attention.
fn is_accepted(record: &Record) -> bool {
    let Finding::Validation { verdict, .. } = &record.finding else { return false };
    matches!(verdict, Verdict::RefinesAll { .. } | Verdict::RefinesUpTo { .. } | Verdict::Vacuous { .. })
}

/// The output for a record that needs no comparison.
fn known_text(record: &Record) -> String {
    let function = &record.function;
    match &record.finding {
        Finding::Crash { pass, message, .. } => format!("@{function}, {pass}: crashed: {message}\n"),
        Finding::Refused { pass, message } => format!("@{function}, {pass}: refused: {message}\n"),
        Finding::Hang { pass, message, .. } => format!("@{function}, {pass}: hung: {message}\n"),
        Finding::BadInput { message } => format!("{message}\n"),
        Finding::Opaque { feature } => format!("@{function}: left unchanged: {feature} is not modelled\n"),
        Finding::Validation { pass, verdict, .. } => format!("@{function}, {pass}: {verdict}\n"),
    }
}
