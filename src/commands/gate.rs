//! `backedge gate`: runs passes over files and has every change checked.
//!
//! The work is done on other threads; this one collects the records, so that an interrupt ends the run at once, with
//! the finished records written.

use super::limits::Limits;
use super::optimize::{items_of, parse_passes};
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::output::{self, PendingFile};
use backedge_pipeline::Pipeline;
use backedge_validate::batch::{Item, judge, millis};
use backedge_validate::check::Options;
use backedge_validate::record::{Finding, Record, Summary};
use backedge_validate::report;
use backedge_validate::verdict::{Verdict, VerdictKind};
use indicatif::{ProgressBar, ProgressStyle};
use miette::IntoDiagnostic;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// Stack of a worker in bytes.
const STACK: usize = 64 << 20;

/// Arguments of `gate`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  backedge gate corpus/forms --passes loop-simplify,lcssa,loop-rotate")]
pub(crate) struct Args {
    /// Files, and directories of which every .ll file is taken
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The passes, as opt takes them
    #[arg(long, value_name = "TEXT", default_value = "loop-simplify,lcssa,loop-rotate")]
    passes: String,
    /// Write records as JSON lines to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// How many checks run side by side (0: one per processor)
    #[arg(long, short = 'j', value_name = "N", default_value_t = 0)]
    jobs: usize,
    /// Which share of the verdicts may be inconclusive, from 0 to 1; beyond it the exit code is 3
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, value_parser = share)]
    max_inconclusive: f64,
    /// Print the summary and what was not accepted, not the table
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    limits: Limits,
}

fn share(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if (0.0..=1.0).contains(&value) { Ok(value) } else { Err("not between 0 and 1".to_owned()) }
}

/// Runs the command.
pub(crate) fn run(args: Args) -> miette::Result<Exit> {
    let start = Instant::now();
    if let Err(wrong) = backedge_smt::check_z3_version() {
        miette::bail!("{wrong}");
    }
    let pipeline = parse_passes(&args.passes)?;
    let files = find_files(&args.paths)?;
    let options = args.limits.options();
    let mut json = args.json.as_deref().map(PendingFile::create).transpose()?;
    let interrupt = Interrupt::install();

    let (sender, receiver) = mpsc::channel();
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(args.jobs).stack_size(STACK).build().into_diagnostic()?;
    let work = Work { files, pipeline, options: options.clone(), interrupt: interrupt.clone() };
    std::thread::spawn(move || pool.install(|| work.run(&sender)));

    let bar = progress_bar();
    let mut records = Vec::new();
    let finished = loop {
        match receiver.recv_timeout(Duration::from_millis(100)) {
            Ok(Event::Total(total)) => bar.set_length(total as u64),
            Ok(Event::Record(record)) => {
                if let Some(json) = &mut json {
                    json.write(format!("{}\n", record.to_json()).as_bytes())?;
                }
                bar.inc(1);
                records.push(*record);
            }
            Ok(Event::Finished) => break true,
            Err(RecvTimeoutError::Timeout) if interrupt.asked() => break false,
            Err(RecvTimeoutError::Timeout) => bar.tick(),
            Err(RecvTimeoutError::Disconnected) => break false,
        }
    };
    bar.finish_and_clear();

    let summary = Summary::of(&records);
    if let Some(mut json) = json {
        let config = serde_json::json!({
            "passes": args.passes, "max_inconclusive": args.max_inconclusive, "limits": options,
        });
        json.write(summary.to_json(&config, !finished, millis(start)).as_bytes())?;
        json.write(b"\n")?;
        json.finish()?;
    }
    show(&records, &summary, args.quiet)?;
    Ok(if interrupt.asked() {
        output::to_stderr("interrupted: what is finished has been reported");
        Exit::Interrupted
    } else if !finished {
        miette::bail!("the checks ended by a panic of this tool");
    } else {
        exit(&summary, args.max_inconclusive)
    })
}

/// What the whole run comes to. The worst finding decides; a contradiction of our own is never within a share.
fn exit(summary: &Summary, max_inconclusive: f64) -> Exit {
    if summary.count(VerdictKind::Refuted) + summary.crashes > 0 {
        Exit::Refuted
    } else if summary.bad_inputs > 0 {
        Exit::BadInput
    } else if summary.count(VerdictKind::InternalError) > 0 || summary.inconclusive_share() > max_inconclusive
    {
        Exit::Inconclusive
    } else {
        Exit::Accepted
    }
}

/// All `.ll` files of `paths`, each path's sorted.
fn find_files(paths: &[PathBuf]) -> miette::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let mut found = Vec::new();
        let mut pending = vec![path.clone()];
        while let Some(dir) = pending.pop() {
            let unreadable = |e| miette::miette!("{} can't be read: {e}", dir.display());
            for entry in std::fs::read_dir(&dir).map_err(unreadable)? {
                let entry = entry.map_err(unreadable)?;
                let path = entry.path();
                // Links to directories are not followed: they may lead in circles.
                if entry.file_type().is_ok_and(|t| t.is_dir()) {
                    pending.push(path);
                } else if path.extension().is_some_and(|e| e == "ll") {
                    found.push(path);
                }
            }
        }
        if found.is_empty() {
            miette::bail!("no .ll file in {}", path.display());
        }
        found.sort();
        files.extend(found);
    }
    Ok(files)
}

enum Event {
    /// How many records there will be.
    Total(usize),
    Record(Box<Record>),
    Finished,
}

struct Work {
    files: Vec<PathBuf>,
    pipeline: Pipeline,
    options: Options,
    interrupt: Interrupt,
}

impl Work {
    /// A closed channel means that nobody waits for the rest.
    fn run(&self, sender: &Sender<Event>) {
        let per_file = |file: &PathBuf| {
            if self.interrupt.asked() { Vec::new() } else { items_of(file, &self.pipeline) }
        };
        let items: Vec<Item> = self.files.par_iter().map(per_file).flatten_iter().collect();
        let _ = sender.send(Event::Total(items.len()));
        let each = |record: &Record| {
            let _ = sender.send(Event::Record(Box::new(record.clone())));
        };
        judge(&items, &self.options, self.interrupt.flag(), &each);
        if !self.interrupt.flag().load(Ordering::SeqCst) {
            let _ = sender.send(Event::Finished);
        }
    }
}

/// Drawn on standard error, and only if that is a terminal.
fn progress_bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} checked, {elapsed} passed, {eta} to go")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(0).with_style(style)
}

fn show(records: &[Record], summary: &Summary, quiet: bool) -> miette::Result<()> {
    let mut text = String::new();
    if !quiet && !records.is_empty() {
        text = report::table(records, report::terminal_width()) + "\n\n";
    }
    for record in records {
        if let Some(details) = details(record) {
            text.push_str(&format!("{} @{}: {details}\n\n", record.file, record.function));
        }
    }
    output::to_stdout(&format!("{text}{summary}\n"))
}

/// What the table has no room for.
fn details(record: &Record) -> Option<String> {
    match &record.finding {
        Finding::Crash { pass, message, .. } => Some(format!("{pass} crashed: {message}")),
        Finding::BadInput { message } => Some(message.clone()),
        Finding::Opaque { .. } => None,
        Finding::Validation { pass, verdict, .. } => match verdict {
            Verdict::Refuted(refutation) => Some(format!("{pass}\n{refutation}")),
            Verdict::InternalError(error) => Some(format!("{pass}\n{error}")),
            Verdict::RefinesAll { .. }
            | Verdict::RefinesUpTo { .. }
            | Verdict::Vacuous { .. }
            | Verdict::Inconclusive { .. } => None,
        },
    }
}
