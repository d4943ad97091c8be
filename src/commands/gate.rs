//! `backedge gate`: runs passes or an external optimizer over files and checks every change.
//!
//! Other threads do the work; this one collects the records, so that an interrupt ends the run at once with the
//! finished records written.

use super::collect::{Collected, Event, Lines};
use super::external::Stopped;
use super::files::find_files;
use super::judging::Judging;
use super::optimize::{FileItems, machine};
use super::system::{External, System};
use crate::STACK;
use crate::exit::Exit;
use crate::input;
use crate::interrupt::Interrupt;
use crate::optimizer;
use crate::output;
use crate::problem::{visible, visible_lines};
use crate::progress::Progress;
use backedge_transform::cost::Machine;
use backedge_validate::batch::{Item, judge, millis};
use backedge_validate::judge::Judge;
use backedge_validate::record::{Finding, Record, Summary};
use backedge_validate::tables;
use backedge_validate::verdict::{Reason, Verdict, VerdictKind};
use miette::{IntoDiagnostic, WrapErr};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Sender};
use std::time::Instant;

/// Arguments of `gate`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  backedge gate corpus/forms --passes loop-simplify,lcssa,loop-rotate
  backedge gate corpus/forms --opt 'opt-22 -passes=licm -S'
  backedge gate corpus/forms --opt './my-opt --fast -in={} -o out.ll'")]
pub(crate) struct Args {
    /// Files, or directories whose .ll files are all checked
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
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
    /// Write records as JSON lines to this file (- for standard output, instead of the table)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
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
    /// Print the summary and what was not accepted, without the table
    #[arg(long, short)]
    quiet: bool,
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
    let start = Instant::now();
    if let Err(wrong) = backedge_smt::check_z3_version() {
        miette::bail!("{wrong}");
    }
    let Some(system) = args.external.system(&args.passes, args.machine)? else {
        return Ok(Exit::NoOptimizer);
    };
    input::refuse_stdin_twice(&args.paths)?;
    let files = find_files(&args.paths)?;
    let checker = args.judging.judge(args.jobs)?;
    let options = checker.options().clone();
    let assume_attributes = args.judging.assume_attributes;
    let allowed = args.max_inconclusive.unwrap_or(if options.solver { ALLOWED } else { 1.0 });
    if let Some(json) = &args.json {
        output::refuse_to_overwrite(json, &files)?;
    }
    let interrupt = Interrupt::install();
    let json = args.json.as_deref().map(Lines::to).transpose()?;
    let optimizer = system.command();

    let (sender, receiver) = mpsc::channel();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.jobs).stack_size(STACK).build();
    let pool = pool
        .into_diagnostic()
        .wrap_err("the threads of the checks can't be started; fewer of them (--jobs) need less memory")?;
    let progress = Progress::reading(files.len());
    let work = Work { files, system, judge: checker, interrupt: interrupt.clone() };
    std::thread::Builder::new()
        .spawn(move || pool.install(|| work.run(&sender)))
        .map_err(|e| miette::miette!("no thread can be started: {e}"))?;

    let mut collected = Collected::new(json, progress);
    let finished = collected.collect(&receiver, &interrupt)?;
    let Collected { records, functions, json, failed, .. } = collected;
    let summary = Summary::of(&records);
    let quiet = matches!(json, Some(Lines::Stdout(_)));
    if let Some(mut json) = json {
        let mut config = serde_json::json!({
            "max_inconclusive": allowed, "assume_attributes": assume_attributes,
            "strict_undef": args.strict_undef, "limits": options,
        });
        match &optimizer {
            Some((text, hash)) => config["opt"] = serde_json::json!({ "command": text, "blake3": hash }),
            None => config["passes"] = args.passes.clone().into(),
        }
        json.line(&summary.to_json(&config, !finished, millis(start)))?;
        json.finish()?;
    }
    if let Some(dir) = &args.reproducers {
        write_reproducers(dir, &records)?;
    }
    // A command that can't be run at all says nothing about the files.
    if !quiet && (failed.is_none() || !records.is_empty()) {
        let failed = summary.crashes + summary.refused + summary.hangs;
        let unchanged = if finished && summary.judged() + failed == 0 { functions } else { 0 };
        show(&records, &summary, unchanged, args.quiet)?;
    }
    optimizer::end_all();
    if let Some(what) = failed {
        output::to_stderr(&format!("error: {}", visible(&what)));
        return Ok(Exit::NoOptimizer);
    }
    if interrupt.asked() {
        output::to_stderr("interrupted: what is finished has been reported");
        return Ok(Exit::Interrupted);
    }
    if !finished {
        miette::bail!("the checks ended by a panic of this tool");
    }
    let exit = exit(&summary, functions, allowed, (assume_attributes, args.strict_undef));
    if exit == Exit::Accepted && !options.solver && summary.shows_nothing() {
        output::to_stderr("error: nothing was checked: no run was defined, and the solver is not asked");
        return Ok(Exit::Inconclusive);
    }
    Ok(exit)
}

/// The exit code of the run, determined by the worst finding. Contradictions between this project's engines are never
/// tolerated, and a run that checked no function is not a success.
fn exit(
    summary: &Summary,
    functions: usize,
    max_open: f64,
    (assume_attributes, strict_undef): (bool, bool),
) -> Exit {
    let by_undef = if strict_undef { summary.count(VerdictKind::RefutedByUndef) } else { 0 };
    if summary.count(VerdictKind::Refuted) + by_undef + summary.crashes > 0 {
        Exit::Refuted
    } else if summary.hangs > 0 {
        Exit::Hung
    } else if summary.refused > 0 {
        Exit::Refused
    } else if summary.bad_inputs > 0 {
        Exit::BadInput
    } else if functions == 0 && summary.opaque == 0 {
        output::to_stderr("error: nothing was checked: no function is defined in what was read");
        Exit::BadInput
    } else if functions == 0 {
        let opaque = summary.opaque;
        output::to_stderr(&format!(
            "error: nothing was checked: all {opaque} functions use what is not modelled"
        ));
        Exit::Inconclusive
    } else if summary.count(VerdictKind::InternalError) > 0
        || summary.open_share(assume_attributes) > max_open
    {
        Exit::Inconclusive
    } else {
        Exit::Accepted
    }
}

struct Work {
    files: Vec<PathBuf>,
    system: System,
    judge: Judge,
    interrupt: Interrupt,
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
        };
        judge(&items, &self.judge, self.interrupt.flag(), &each);
        if !self.interrupt.flag().load(Ordering::SeqCst) {
            let _ = sender.send(Event::Finished);
        }
    }
}

/// Writes the reproducers of refuted changes, under names that depend only on their text. Files are written
/// atomically; a message explains why a reproducer can't be made.
fn write_reproducers(dir: &Path, records: &[Record]) -> miette::Result<()> {
    std::fs::create_dir_all(dir).map_err(|e| {
        miette::miette!("the directory {} can't be made: {}", dir.display(), input::reason(&e))
    })?;
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

fn show(records: &[Record], summary: &Summary, unchanged: usize, quiet: bool) -> miette::Result<()> {
    let mut text = String::new();
    if !quiet && !records.is_empty() {
        text = tables::table(records, tables::terminal_width()) + "\n\n";
    }
    for record in records {
        if let Some(details) = details(record).or_else(|| undecided(record).filter(|_| quiet)) {
            let function = &record.function;
            let function = if function.is_empty() { String::new() } else { format!(" @{function}") };
            text.push_str(&format!("{}{function}: {details}\n\n", record.file));
        }
    }
    if unchanged > 0 {
        text.push_str(&format!("no pass changed any of the {unchanged} functions\n"));
    }
    // Messages of a command may contain anything.
    output::to_stdout(&visible_lines(&format!("{text}{summary}; {}\n", summary.on_runs())))
}

/// The reason for an inconclusive verdict, which the table shows.
fn undecided(record: &Record) -> Option<String> {
    let Finding::Validation { pass, verdict: verdict @ Verdict::Inconclusive { .. }, .. } = &record.finding
    else {
        return None;
    };
    Some(format!("{pass}: {verdict}"))
}

/// Details for which the table has no room.
fn details(record: &Record) -> Option<String> {
    match &record.finding {
        Finding::Crash { pass, message, .. } => Some(format!("{pass} crashed: {message}")),
        Finding::Refused { pass, message } => Some(format!("{pass} refused it: {message}")),
        Finding::Hang { pass, message, .. } => Some(format!("{pass} hung: {message}")),
        Finding::BadInput { message } => Some(message.clone()),
        Finding::Opaque { .. } => None,
        Finding::Validation { pass, verdict, .. } => match verdict {
            Verdict::Refuted(refutation) | Verdict::RefutedByUndef { refutation, .. } => {
                Some(format!("{pass}\n{refutation}"))
            }
            Verdict::InternalError(error) => Some(format!("{pass}\n{error}")),
            Verdict::Inconclusive { reason: reason @ Reason::Suspect { .. } } => {
                Some(format!("{pass}: {reason}"))
            }
            Verdict::RefinesAll { .. }
            | Verdict::RefinesUpTo { .. }
            | Verdict::Vacuous { .. }
            | Verdict::Inconclusive { .. } => None,
        },
    }
}
