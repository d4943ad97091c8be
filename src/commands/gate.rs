//! `backedge gate`: runs passes or an external optimizer over files and checks every change.
//!
//! Other threads do the work; this one collects the records, so that an interrupt ends the run at once with the
//! finished records written.

use super::baseline::Acceptance;
use super::collect::{Collected, Event};
use super::external::Stopped;
use super::judging::Judging;
use super::optimize::{FileItems, machine};
use super::selection::{Selection, list};
use super::system::{External, System};
use crate::STACK;
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::optimizer;
use crate::output;
use crate::progress::Progress;
use crate::report::format::{Format, Wanted};
use crate::report::outputs::{Options, Outputs};
use crate::report::row::Policy;
use crate::report::{Report, StaleEntry, no_change};
use crate::settings::settings;
use crate::shown::visible;
use backedge_transform::cost::Machine;
use backedge_validate::batch::{Item, judge, millis};
use backedge_validate::judge::Judge;
use backedge_validate::record::{Finding, Record, Summary};
use backedge_validate::verdict::{Verdict, VerdictKind};
use miette::{IntoDiagnostic, WrapErr};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Sender};
use std::time::Instant;

/// Arguments of `gate`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  backedge gate corpus/forms --passes loop-simplify,lcssa,loop-rotate
  backedge gate corpus/forms --opt 'opt-22 -passes=licm -S'
  backedge gate corpus/forms --opt './my-opt --fast -in={} -o out.ll'
  backedge gate corpus/forms --format github --format sarif=gate.sarif --exclude '*.tmp.ll'")]
pub(crate) struct Args {
    #[command(flatten)]
    selection: Selection,
    /// List the functions that would be judged, and do nothing else
    #[arg(long, conflicts_with_all = ["format", "json", "reproducers", "baseline"])]
    list: bool,
    /// This project's passes, in the syntax of opt
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "loop-simplify,lcssa,loop-rotate",
        conflicts_with = "opt"
    )]
    passes: String,
    #[command(flatten)]
    external: External,
    /// The target machine of the cost model: ooo, ooo-loop-predictor or in-order
    #[arg(long, value_name = "NAME", default_value = "ooo", value_parser = machine)]
    machine: Machine,
    /// Write the results in this format to a file, or to standard output: table, lines, json (one object per line),
    /// sarif, junit, github (annotations) or markdown; may be repeated. By default a table is printed on a terminal, and
    /// lines elsewhere. Markdown is also appended to the file that GITHUB_STEP_SUMMARY names
    #[arg(long, value_name = "FORMAT[=FILE]")]
    format: Vec<Wanted>,
    /// Write records as JSON lines to this file (- for standard output, instead of the table): --format json=FILE
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// List proved changes too
    #[arg(long)]
    all: bool,
    /// A TOML file of accepted findings, each with a reason and an expiry date: [[accepted]] bucket, reason, expires, and
    /// optionally example, the file of the finding; findings show their bucket. The exit code is 6 if an entry's finding
    /// is not found any more
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Exit with 0 instead of 3 if no pass changes anything, or no file has changed
    #[arg(long)]
    allow_unchanged: bool,
    /// Write each refuted change to a file in this directory, which is created if necessary: the function before and
    /// after as @src and @tgt, with the input on which they differ, for `backedge replay` and `backedge tv`
    #[arg(long, value_name = "DIR")]
    reproducers: Option<PathBuf>,
    /// Number of concurrent checks (0: one per processor); with fewer checks than this, a proof search runs in
    /// parallel to each bounded check
    #[arg(long, short = 'j', value_name = "N", default_value_t = 0, value_parser = jobs())]
    jobs: usize,
    /// Maximum share of inconclusive verdicts, from 0 to 1; above it the exit code is 3 (default: 0.05; with
    /// --no-solver, where runs without a refutation are no verdict, 1). Verdicts that depend on attributes that only
    /// the target has count as inconclusive, unless --assume-attributes is given
    #[arg(long, value_name = "SHARE", value_parser = share)]
    max_inconclusive: Option<f64>,
    /// Also fail on changes that only an undef input refutes; by default they are counted separately
    #[arg(long, conflicts_with = "assume_no_undef")]
    strict_undef: bool,
    /// Begin no further check after a refutation or crash
    #[arg(long)]
    fail_fast: bool,
    #[command(flatten)]
    judging: Judging,
}

/// Parser for a number of jobs. More threads than any machine has processors would only waste memory on stacks.
pub(crate) fn jobs() -> clap::builder::RangedU64ValueParser<usize> {
    clap::builder::RangedU64ValueParser::new().range(0..=1024)
}

/// Default maximum share of inconclusive verdicts if the solver is used.
const ALLOWED: f64 = 0.05;

/// Parses a share from 0 to 1.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if (0.0..=1.0).contains(&value) { Ok(value) } else { Err("not between 0 and 1".to_owned()) }
}

/// Runs the command.
pub(crate) fn run(args: Args) -> miette::Result<Exit> {
    let files = args.selection.files()?;
    if args.list {
        return Ok(if list(&files)? { Exit::Accepted } else { Exit::BadInput });
    }
    let Some(system) = args.external.system(&args.passes, args.machine)? else {
        return Ok(Exit::NoOptimizer);
    };
    let checker = args.judging.judge(args.jobs)?;
    let accepted = Acceptance::read(args.baseline.as_deref())?;
    let json = args.json.iter().map(|path| Wanted::new(Format::Json, path));
    let wanted: Vec<Wanted> = args.format.iter().cloned().chain(json).collect();
    let policy =
        Policy { assume_attributes: args.judging.assume_attributes, strict_undef: args.strict_undef };
    let outputs = Outputs::open(&wanted, &files, Options { policy, quiet: settings().quiet, all: args.all })?;
    args.reproducers.as_deref().map_or(Ok(()), output::make_directory)?;
    let gate = Gate {
        start: Instant::now(),
        allowed: args.max_inconclusive.unwrap_or(if checker.options().solver { ALLOWED } else { 1.0 }),
        limits: checker.options().clone(),
        optimizer: system.command(),
        interrupt: Interrupt::install(),
        files: files.len(),
        policy,
        args: &args,
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.jobs).stack_size(STACK).build();
    let pool = pool
        .into_diagnostic()
        .wrap_err("the threads of the checks can't be started; fewer of them (--jobs) need less memory")?;
    let (sender, receiver) = mpsc::channel();
    let progress = Progress::reading(files.len());
    let fail_fast = args.fail_fast.then_some(args.strict_undef);
    let interrupt = gate.interrupt.clone();
    let work = Work { files: files.clone(), system, judge: checker, interrupt, fail_fast };
    std::thread::Builder::new()
        .spawn(move || pool.install(|| work.run(&sender)))
        .map_err(|e| miette::miette!("no thread can be started: {e}"))?;

    let mut collected = Collected::new(outputs, &accepted, progress);
    let finished = collected.collect(&receiver, &gate.interrupt)?;
    let is_whole = args.selection.changed_since.is_none();
    let stale = if finished { accepted.stale(&collected.records, &files, is_whole) } else { Vec::new() };
    gate.conclude(collected, finished, &stale)
}

/// A run of the gate, for its conclusion.
struct Gate<'a> {
    args: &'a Args,
    start: Instant,
    /// The number of files.
    files: usize,
    /// The allowed share of inconclusive verdicts.
    allowed: f64,
    limits: backedge_validate::check::Options,
    /// The command of `--opt` and the hash of its executable.
    optimizer: Option<(String, String)>,
    interrupt: Interrupt,
    policy: Policy,
}

impl Gate<'_> {
    /// Completes the outputs, and determines the exit code.
    fn conclude(
        &self,
        collected: Collected<'_>,
        finished: bool,
        stale: &[StaleEntry],
    ) -> miette::Result<Exit> {
        let Collected { records, functions, mut outputs, failed, .. } = collected;
        let summary = Summary::of(&records);
        let time_ms = millis(self.start);
        let is_idle = finished && summary.judged() + summary.crashes + summary.refused + summary.hangs == 0;
        let report = Report {
            rows: outputs.rows(&records),
            summary: &summary,
            unchanged: if is_idle && self.args.allow_unchanged { functions } else { 0 },
            stale,
            time_ms,
            interrupted: !finished,
            all: self.args.all,
        };
        let last = summary.to_json(&self.config(stale), !finished, time_ms);
        // A command that can't be run at all says nothing about the files.
        if failed.is_none() || !records.is_empty() {
            outputs.finish(&report, &last)?;
        }
        if let Some(dir) = &self.args.reproducers {
            write_reproducers(dir, &records)?;
        }
        optimizer::end_all();
        if let Some(what) = failed {
            output::to_stderr(&format!("error: {}", visible(&what)));
            return Ok(Exit::NoOptimizer);
        }
        if records.iter().any(|record| self.args.fail_fast && fails(record, self.policy.strict_undef)) {
            output::to_stderr(
                "stopped at the first refutation (--fail-fast): later changes may be unchecked",
            );
        }
        if self.interrupt.asked() {
            output::to_stderr("interrupted: what is finished has been reported");
            return Ok(Exit::Interrupted);
        }
        if !finished {
            miette::bail!("the checks ended by a panic of this tool");
        }
        let counted = Summary::of(records.iter().filter(|record| record.accepted.is_none()));
        let exit = self.exit(&counted, &summary, functions);
        let is_mild = matches!(exit, Exit::Accepted | Exit::Inconclusive);
        Ok(if is_mild && !stale.is_empty() { Exit::Stale } else { exit })
    }

    /// The options of the run, for the last JSON line.
    fn config(&self, stale: &[StaleEntry]) -> serde_json::Value {
        let mut config = serde_json::json!({
            "max_inconclusive": self.allowed, "assume_attributes": self.policy.assume_attributes,
            "strict_undef": self.policy.strict_undef, "limits": self.limits,
        });
        match &self.optimizer {
            Some((text, hash)) => config["opt"] = serde_json::json!({ "command": text, "blake3": hash }),
            None => config["passes"] = self.args.passes.clone().into(),
        }
        if !stale.is_empty() {
            config["stale"] = stale.iter().map(ToString::to_string).collect();
        }
        config
    }

    /// The exit code of the run, determined by the worst finding. Contradictions between this project's engines are never
    /// tolerated, and a run that judged nothing is not a success. `counted` counts the findings that the baseline does not
    /// accept, `summary` all.
    fn exit(&self, counted: &Summary, summary: &Summary, functions: usize) -> Exit {
        let by_undef = if self.policy.strict_undef { counted.count(VerdictKind::RefutedByUndef) } else { 0 };
        if counted.count(VerdictKind::Refuted) + by_undef + counted.crashes > 0 {
            Exit::Refuted
        } else if counted.hangs > 0 {
            Exit::Hung
        } else if counted.refused > 0 {
            Exit::Refused
        } else if counted.bad_inputs > 0 {
            Exit::BadInput
        } else if functions == 0 || summary.judged() + summary.crashes + summary.hangs + summary.refused == 0
        {
            self.nothing(summary, functions)
        } else if counted.count(VerdictKind::InternalError) > 0
            || counted.open_share(self.policy.assume_attributes) > self.allowed
        {
            Exit::Inconclusive
        } else if !self.limits.solver && counted.shows_nothing() {
            output::to_stderr("error: nothing was checked: no run was defined, and the solver is not asked");
            Exit::Inconclusive
        } else {
            Exit::Accepted
        }
    }

    /// The exit code of a run that judged nothing, after a message.
    fn nothing(&self, summary: &Summary, functions: usize) -> Exit {
        let because = match &self.args.selection.changed_since {
            Some(revision) if self.files == 0 => format!("no file has changed since {}", visible(revision)),
            _ if functions == 0 && summary.opaque == 0 => {
                output::to_stderr("error: nothing was checked: no function is defined in what was read");
                return Exit::BadInput;
            }
            _ if functions == 0 => {
                let which = match summary.opaque {
                    1 => "the only function uses".to_owned(),
                    several => format!("all {several} functions use"),
                };
                output::to_stderr(&format!(
                    "error: nothing was checked: {which} features that are not modelled"
                ));
                return Exit::Inconclusive;
            }
            _ => no_change(functions),
        };
        if self.args.allow_unchanged {
            return Exit::Accepted;
        }
        output::to_stderr(&format!("error: nothing was checked: {because} (--allow-unchanged accepts this)"));
        Exit::Inconclusive
    }
}

struct Work {
    files: Vec<PathBuf>,
    system: System,
    judge: Judge,
    interrupt: Interrupt,
    /// Whether to begin no further check after a refutation, and if so, whether undef inputs count.
    fail_fast: Option<bool>,
}

impl Work {
    /// Checks all files. A closed channel means that nobody waits for further records.
    fn run(&self, sender: &Sender<Event>) {
        let per_file = |file: &PathBuf| {
            if self.interrupt.asked() {
                return Vec::new();
            }
            let interrupted = || self.interrupt.asked();
            let done = self.system.items_of(file, &interrupted);
            let FileItems { items, functions } = match done {
                Ok(done) => done,
                Err(Stopped::Interrupted) => return Vec::new(),
                Err(Stopped::System(what)) => {
                    let _ = sender.send(Event::Failed(what));
                    return Vec::new();
                }
            };
            let known = |item: &Item| match item {
                Item::Known(record) => Some(Record::clone(record)),
                Item::Change(_) | Item::Rewrite(_) => None,
            };
            let known = items.iter().filter_map(known).collect();
            let _ = sender.send(Event::Read { functions, known });
            items
        };
        let items: Vec<Item> = self.files.par_iter().map(per_file).flatten_iter().collect();
        let _ = sender.send(Event::Total(items.len()));
        let each = |index: usize, record: &Record| {
            let _ = sender.send(Event::Record(index, Box::new(record.clone())));
            if self.fail_fast.is_some_and(|strict_undef| fails(record, strict_undef)) {
                self.interrupt.stop();
            }
        };
        judge(&items, &self.judge, self.interrupt.flag(), &each);
        if !self.interrupt.asked() {
            let _ = sender.send(Event::Finished);
        }
    }
}

/// Whether the record makes the command fail as [`Exit::Refuted`].
fn fails(record: &Record, strict_undef: bool) -> bool {
    match record.verdict().map(Verdict::kind) {
        Some(VerdictKind::Refuted) => true,
        Some(VerdictKind::RefutedByUndef) => strict_undef,
        Some(_) => false,
        None => matches!(record.finding, Finding::Crash { .. }),
    }
}

/// Writes the reproducers of refuted changes to the directory `dir`, under names that depend only on their text. Files are written
/// atomically; a message explains why a reproducer can't be made.
fn write_reproducers(dir: &Path, records: &[Record]) -> miette::Result<()> {
    for record in records {
        let of = || format!("{} @{}", record.file, record.function);
        match &record.reproducer {
            Some(Ok(made)) => {
                let path = dir.join(made.file_name());
                output::write(&path, &made.text(&path.display().to_string()))?;
                output::to_stderr(&format!("{}: written to {}", of(), path.display()));
            }
            Some(Err(why)) => output::to_stderr(&format!("{}: no reproducer is written: {why}", of())),
            None => {}
        }
    }
    Ok(())
}
