//! What a process does that works for a campaign: it looks at the programs of seeds, and makes the most of what was found.

use super::super::bisect::{Checker, Guilty, Ours, Stop, Theirs};
use super::super::external::{self, Stopped};
use super::super::optimize::FileItems;
use super::super::rounds::Asked;
use super::super::symptom::{Subject, Two, growth, without_details};
use super::super::system::System as Judged;
use super::raw;
use super::setup::{Setup, Under};
use super::watchdog::Watchdog;
use crate::STACK;
use crate::input::Source;
use crate::interrupt::Interrupt;
use crate::optimizer::{self, COPY, Optimizer};
use backedge_fuzz::bisect::prefix;
use backedge_fuzz::campaign::bucket::bucket;
use backedge_fuzz::campaign::examine::{self, Examiner};
use backedge_fuzz::campaign::merge::merge;
use backedge_fuzz::campaign::oracles::Oracle;
use backedge_fuzz::campaign::program::Program;
use backedge_fuzz::campaign::task::{Counts, Finding, Raw, Reply, SCHEMA, System, Task};
use backedge_fuzz::oracle::Finding as Seen;
use backedge_fuzz::reduce::Size;
use backedge_ir::module::Module;
use backedge_pipeline::Pipeline;
use backedge_pipeline::text::parse_elements;
use backedge_transform::cost::Machine;
use backedge_validate::batch::Item;
use backedge_validate::case::Case;
use backedge_validate::check::{Options, by_few_runs};
use backedge_validate::judge::Judge;
use backedge_validate::panics::caught;
use backedge_validate::record::Finding as Record;
use backedge_validate::verdict::{Reason, Verdict};
use backedge_validate::worker::{Launch, Pool, serve_with};
use miette::IntoDiagnostic;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Why nothing can be done where the programs are others than those of the process that asks.
pub(super) const CHANGED: &str = "the files of the corpus have changed since the campaign began";

/// Works until nobody asks any more. The one who asks takes its programs from where `programs` says.
pub(super) fn serve(setup: Setup, programs: Option<&str>) -> miette::Result<()> {
    let is_other = programs.is_some_and(|programs| programs != setup.source());
    let launch = Launch::this_program().into_diagnostic()?;
    let alone = ThreadPoolBuilder::new().num_threads(1).stack_size(STACK).build().into_diagnostic()?;
    let worker = Worker {
        alone,
        examiner: setup.examiner(),
        runner: Judge::new(options(&setup)),
        prover: Judge::new(Options { runs: setup.runs.runs, ..setup.proof.clone() })
            .with_workers(Pool::new(launch)),
        watchdog: Watchdog::start(setup.timeout).into_diagnostic()?,
        setup,
    };
    let work = |task: Task| match is_other {
        true => Reply::Failed { why: CHANGED.to_owned() },
        false => worker.work(task),
    };
    serve_with(std::io::stdin(), std::io::stdout(), work, optimizer::end_all).into_diagnostic()
}

/// Limits of runs where something is looked for that was seen already.
pub(super) fn options(setup: &Setup) -> Options {
    Options { runs: 200.max(setup.runs.runs), ..setup.runs.options() }
}

pub(super) fn source_of(text: String) -> Source {
    Source { name: COPY.to_owned(), text: text.into_bytes() }
}

pub(super) struct Worker {
    pub(super) setup: Setup,
    pub(super) examiner: Examiner,
    /// One thread: as many processes work as there is to be work at a time.
    pub(super) alone: ThreadPool,
    /// Judges by runs.
    runner: Judge,
    /// Judges by the solver too.
    prover: Judge,
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
            // Of one alone the process that asks knows how long it takes.
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

    /// What is found of `program` and passes of ours.
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
            if let Seen::Miscompile(miscompile) = &seen.finding {
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
        Checker { judge: Judge::new(options(&self.setup)), solver: false, known }
    }

    /// What is found of `programs` and a command: in one file first, since the command takes longer to start than to work.
    fn theirs(
        &self,
        programs: &[Program],
        optimizer: &Optimizer,
        counts: &mut Counts,
    ) -> Result<Vec<Raw>, String> {
        counts.programs += programs.len() as u64;
        counts.loops += programs.iter().map(|p| p.loops as u64).sum::<u64>();
        programs.iter().for_each(|program| counts.add_drawn(program));
        let merged = if programs.len() > 1 { merge(programs) } else { None };
        let mut together = Counts::default();
        let suspects = match &merged {
            Some(merged) => {
                let program_of = |name: &str| merged.place(name).map(|at| &programs[at]);
                self.suspects(&source_of(merged.text.clone()), &program_of, optimizer, &mut together)?
            }
            None => None,
        };
        let mut all = Vec::new();
        match suspects {
            Some(suspects) => {
                counts.add(&together);
                for program in programs.iter().filter(|program| suspects.contains(&program.seed)) {
                    all.extend(self.confirmed(program, optimizer, counts)?);
                }
            }
            // Together they can't be looked at: one of them may be to blame for what is wrong with all.
            None => {
                for program in programs {
                    let source = source_of(program.text());
                    let suspects = self.suspects(&source, &|_| Some(program), optimizer, counts)?;
                    // Something may be wrong with the file, and not with a function of it.
                    if suspects.is_none_or(|suspects| !suspects.is_empty()) {
                        all.extend(self.confirmed(program, optimizer, counts)?);
                    }
                }
            }
        }
        for program in programs {
            all.extend(self.restless(program, optimizer)?);
        }
        Ok(all)
    }

    /// What is wrong with how the command works on what it has left of `program`, if that is asked of its seed.
    fn restless(&self, program: &Program, optimizer: &Optimizer) -> Result<Option<Raw>, String> {
        for asked in
            Asked::ALL.into_iter().filter(|asked| self.setup.oracles.asks(asked.oracle(), program.seed))
        {
            match asked.of(&source_of(program.text()), optimizer, &|| false) {
                Ok(Some(found)) => return Ok(Some(raw::of_found(program, 0, &found))),
                Ok(None) | Err(Stopped::Interrupted) => {}
                Err(Stopped::System(why)) => return Err(why),
            }
        }
        Ok(None)
    }

    /// The seeds of the programs in `source` with which something is wrong; none if that is said of no program, but of all
    /// that the command wrote.
    fn suspects<'p>(
        &self,
        source: &Source,
        program_of: &dyn Fn(&str) -> Option<&'p Program>,
        optimizer: &Optimizer,
        counts: &mut Counts,
    ) -> Result<Option<BTreeSet<u64>>, String> {
        let items = match external::items_of_source(source, optimizer, &|| false) {
            Ok(FileItems { items, .. }) => items,
            Err(Stopped::System(why)) => return Err(why),
            Err(Stopped::Interrupted) => return Ok(Some(BTreeSet::new())),
        };
        let mut suspects = BTreeSet::new();
        for item in items {
            match item {
                Item::Known(record) => {
                    counts.timeouts += u64::from(matches!(record.finding, Record::Hang { .. }));
                    if !matches!(record.finding, Record::Opaque { .. } | Record::BadInput { .. }) {
                        let Some(program) = program_of(&record.function) else { return Ok(None) };
                        suspects.insert(program.seed);
                    }
                }
                Item::Rewrite(rewrite) => {
                    let two = Two { source: rewrite.source, target: rewrite.target };
                    let Some(program) = program_of(two.sides().0.name()) else { continue };
                    counts.add_fired(program);
                    if growth(&two).is_some() || self.is_suspect(program, &two, counts) {
                        suspects.insert(program.seed);
                    }
                }
                Item::Change(_) => {}
            }
        }
        Ok(Some(suspects))
    }

    /// Whether what a command made of a function is refuted, by what is asked of its seed.
    fn is_suspect(&self, program: &Program, two: &Two, counts: &mut Counts) -> bool {
        let (source, target) = two.sides();
        let mut verdict = None;
        if self.setup.oracles.asks(Oracle::Runs, program.seed) {
            let Ok(report) = caught(|| by_few_runs(source, target, &self.setup.runs.options())) else {
                counts.inconclusive += 1;
                return false;
            };
            counts.executions += report.runs;
            counts.defined += report.defined;
            verdict = Some(report.verdict);
        }
        let is_refuted = |verdict: &Option<Verdict>| matches!(verdict, Some(Verdict::Refuted(_)));
        if !is_refuted(&verdict) && self.setup.oracles.asks(Oracle::Proof, program.seed) {
            counts.proofs += 1;
            verdict = Some(self.prover.judge(source, target).report.verdict);
        }
        let open = match &verdict {
            Some(Verdict::Inconclusive { reason }) => match reason {
                Reason::RunsAlone { defined, .. } => *defined == 0,
                Reason::Time { .. } => {
                    counts.timeouts += 1;
                    true
                }
                _ => true,
            },
            _ => false,
        };
        counts.inconclusive += u64::from(open);
        is_refuted(&verdict)
    }

    /// What is wrong with what the command makes of `program`, a suspect, by itself, with the guilty pass. That nothing is, is
    /// counted.
    fn confirmed(
        &self,
        program: &Program,
        optimizer: &Optimizer,
        counts: &mut Counts,
    ) -> Result<Option<Raw>, String> {
        let source = source_of(program.text());
        let subject = Subject::System(Judged::External(optimizer.clone()));
        let judge =
            if self.setup.oracles.asks(Oracle::Proof, program.seed) { &self.prover } else { &self.runner };
        let found = match subject.findings(&source, judge, &|| false) {
            Ok(found) => found,
            Err(Stopped::System(why)) => return Err(why),
            Err(Stopped::Interrupted) => return Ok(None),
        };
        let Some(found) = found.into_iter().next() else {
            counts.unconfirmed += 1;
            return Ok(None);
        };
        let mut raw = raw::of_found(program, 0, &found);
        let known = found.refuted.as_ref().map(|(_, refutation)| refutation.case.clone());
        raw.pass = self.guilty(&source, optimizer, known)?.and_then(|guilty| guilty.pass);
        Ok(Some(raw))
    }

    /// The pass of the command that is to blame for what is wrong with `source`.
    pub(super) fn guilty(
        &self,
        source: &Source,
        optimizer: &Optimizer,
        known: Option<Case>,
    ) -> Result<Option<Guilty>, String> {
        let Ok(parsed) = source.parse() else { return Ok(None) };
        let module = Arc::new(parsed.module);
        let (judge, interrupt) = (self.checker(known), Interrupt::default());
        let elements = optimizer.passes().and_then(|text| parse_elements(text).ok()).unwrap_or_default();
        let passes = prefix::passes(&elements);
        let by_passes = passes.len() > 1;
        let guilty = Theirs::new(source, module, optimizer, (&judge, &interrupt), by_passes)
            .and_then(|mut theirs| theirs.bisect());
        match guilty {
            Ok(answer) => Ok(answer.guilty().map(|guilty| match passes[..] {
                [only] => guilty.named_as(&only.name),
                _ => guilty,
            })),
            // It has no passes that could be told apart, or does not do the same each time.
            Err(Stop::System(_) | Stop::Interrupted | Stop::Unsteady) => Ok(None),
        }
    }
}

/// The finding without any reduction.
pub(super) fn unreduced(setup: &Setup, raw: &Raw, why: &str) -> Finding {
    let program = setup.programs.of(raw.seed);
    let text = program.text();
    let size = Size::of(&program.module, &text).instructions;
    // Who reads it gives it to what is put to the test.
    let text = setup.spelled(&text);
    let system = match &setup.under {
        Under::Passes(all) => System::Passes(all[raw.system].text.clone()),
        Under::Command(optimizer) => System::Command(optimizer.text.clone()),
    };
    // Of what was not made small the code says nothing of what it is.
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
