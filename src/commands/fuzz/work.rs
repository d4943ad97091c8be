//! A worker process of a campaign: examines the programs of seeds, and works up findings.

use super::super::bisect::{Checker, Guilty, Ours};
use super::super::symptom::without_details;
use super::raw;
use super::setup::{Setup, Under};
use super::watchdog::Watchdog;
use crate::STACK;
use crate::input::Source;
use crate::interrupt::Interrupt;
use crate::optimizer::{self, COPY};
use backedge_fuzz::campaign::bucket::bucket;
use backedge_fuzz::campaign::examine::{self, Examiner};
use backedge_fuzz::campaign::program::Program;
use backedge_fuzz::campaign::task::{Counts, Finding, Raw, Reply, SCHEMA, System, Task};
use backedge_fuzz::oracles::Finding as Seen;
use backedge_fuzz::reduce::Size;
use backedge_ir::module::Module;
use backedge_pipeline::Pipeline;
use backedge_transform::cost::Machine;
use backedge_validate::case::Case;
use backedge_validate::check::Options;
use backedge_validate::judge::Judge;
use backedge_validate::panics::caught;
use backedge_validate::worker::{Launch, Pool, serve_with};
use miette::IntoDiagnostic;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::Arc;

/// Error message if the worker's programs differ from the campaign's.
pub(super) const CHANGED: &str = "the files of the corpus have changed since the campaign began";

/// Serves tasks until the input ends. `programs` identifies the program source of the campaign.
pub(super) fn serve(setup: Setup, programs: Option<&str>) -> miette::Result<()> {
    let is_other = programs.is_some_and(|programs| programs != setup.source());
    let launch = Launch::this_program().into_diagnostic()?;
    let alone = ThreadPoolBuilder::new().num_threads(1).stack_size(STACK).build().into_diagnostic()?;
    let worker = Worker {
        alone,
        examiner: setup.examiner(),
        runner: Judge::new(options(&setup)),
        prover: Judge::new(Options { runs: setup.runs.runs, ..setup.proof.clone() })
            .with_workers(Pool::new(launch, 1)),
        watchdog: Watchdog::start(setup.timeout).into_diagnostic()?,
        setup,
    };
    let work = |task: Task| match is_other {
        true => Reply::Failed { why: CHANGED.to_owned() },
        false => worker.work(task),
    };
    serve_with(std::io::stdin(), std::io::stdout(), work, optimizer::end_all).into_diagnostic()
}

/// Limits of runs that try to reproduce a finding.
pub(super) fn options(setup: &Setup) -> Options {
    Options { runs: 200.max(setup.runs.runs), ..setup.runs.options() }
}

pub(super) fn source_of(text: String) -> Source {
    Source { name: COPY.to_owned(), text: text.into_bytes() }
}

pub(super) struct Worker {
    pub(super) setup: Setup,
    pub(super) examiner: Examiner,
    /// A pool of one thread, because parallelism comes from the number of processes.
    pub(super) alone: ThreadPool,
    /// Judges by runs only.
    pub(super) runner: Judge,
    /// Judges by runs and the solver.
    pub(super) prover: Judge,
    watchdog: Watchdog,
}

impl Worker {
    fn work(&self, task: Task) -> Reply {
        match task {
            Task::Examine { first, count } => {
                let mut counts = Counts::default();
                match self.examine(first, count, &mut counts) {
                    Ok(found) => {
                        counts.findings += found.len() as u64;
                        Reply::Examined { counts, found }
                    }
                    Err(why) => Reply::Failed { why },
                }
            }
            Task::Recheck { bucket, example } => match self.recheck(&bucket, &example) {
                Ok(now) => Reply::Rechecked { now },
                Err(why) => Reply::Failed { why },
            },
            Task::WorkUp { raw } => match self.work_up(&raw) {
                Ok(finding) => Reply::WorkedUp { finding: finding.map(Box::new) },
                Err(why) => Reply::Failed { why },
            },
        }
    }

    fn examine(&self, first: u64, count: u64, counts: &mut Counts) -> Result<Vec<Raw>, String> {
        let programs: Vec<Program> =
            (first..first + count).map(|seed| self.setup.programs.of(seed)).collect();
        match &self.setup.under {
            // For a single program the campaign process enforces the time limit.
            Under::Passes(_) if count == 1 => {
                Ok(programs.iter().flat_map(|program| self.ours(program, counts)).collect())
            }
            Under::Passes(_) => {
                let mut watched = |program| self.watchdog.watch(|| self.ours(program, counts));
                Ok(programs.iter().flat_map(&mut watched).collect())
            }
            Under::Command(optimizer) => self.theirs(&programs, optimizer, counts),
        }
    }

    /// The findings of `program` with this project's passes.
    fn ours(&self, program: &Program, counts: &mut Counts) -> Vec<Raw> {
        let system = self.examiner.pick(program.seed);
        let seen = match caught(|| self.examiner.examine(program, counts)) {
            Ok(seen) => seen,
            Err(panic) => {
                let mut raw = raw::raw(program, system, "process", "panic", &panic);
                raw.words = without_details(&panic);
                return vec![raw];
            }
        };
        let with_pass = |seen: &examine::Seen| {
            let mut raw = raw::of_seen(program, system, seen);
            if let Seen::Runs(miscompile) = &seen.finding {
                let judge = self.checker(Some(miscompile.refutation.case.clone()));
                let module = Arc::new(program.module.clone());
                let pipeline = &self.examiner.passes[system].pipeline;
                raw.pass = self.guilty_of_ours(module, pipeline, &judge).and_then(|guilty| guilty.pass);
            }
            raw
        };
        seen.iter().map(with_pass).collect()
    }

    /// The pass of `pipeline` that broke `module`.
    pub(super) fn guilty_of_ours(
        &self,
        module: Arc<Module>,
        pipeline: &Pipeline,
        judge: &Checker,
    ) -> Option<Guilty> {
        let (machine, interrupt) = (self.setup.machine(), Interrupt::default());
        let ours = Ours { module, pipeline, machine, judge, interrupt: &interrupt };
        caught(|| ours.bisect()).ok()?.ok()?.guilty()
    }

    pub(super) fn checker(&self, known: Option<Case>) -> Checker {
        Checker {
            judge: Judge::new(options(&self.setup)),
            solver: false,
            assume_attributes: false,
            strict_undef: known.as_ref().is_some_and(Case::has_undef_input),
            known,
        }
    }
}

/// The finding without reduction.
pub(super) fn unreduced(setup: &Setup, raw: &Raw, why: &str) -> Finding {
    let program = setup.programs.of(raw.seed);
    let text = program.text();
    let size = Size::of(&program.module, &text).instructions;
    // In the syntax of the system under test, for a reader who wants to run it.
    let text = setup.spelled(&text);
    let system = match &setup.under {
        Under::Passes(all) => System::Passes(all[raw.system].text.clone()),
        Under::Command(optimizer) => System::Command(optimizer.text.clone()),
    };
    // The code of an unreduced finding does not characterize it.
    let key = raw.words.clone();
    Finding {
        schema: SCHEMA,
        bucket: bucket(raw.pass.as_deref(), &raw.kind, &key),
        pass: raw.pass.clone(),
        kind: raw.kind.clone(),
        oracle: raw.oracle.clone(),
        words: raw.words.clone(),
        function: raw.function.clone(),
        message: raw.message.clone(),
        machine: (setup.machine() != Machine::default()).then(|| setup.machine().name.to_owned()),
        reduced_system: system.clone(),
        system,
        seed: raw.seed,
        origin: program.origin,
        instructions: size,
        reduced_instructions: size,
        tries: 0,
        unreduced: Some(why.to_owned()),
        case: raw.case.clone(),
        original: text.clone(),
        text,
    }
}
