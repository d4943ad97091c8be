//! The share of optimizer changes that are proved for all iterations: each of Backedge's transforms over one set of
//! files, and LLVM's loop passes over the tests written for them.
//!
//! Each table row on each file is a separate process (`backedge gate`), so that a failure affects no other, and one
//! line of the results. `--resume` keeps the existing lines; `--again` repeats only those with undecided results. So
//! most units can run with a small budget, and the rest with a large one.

mod report;
mod rows;
mod work;

use crate::files::collect;
use crate::files::progress;
use crate::process;
use crate::tier;
use anyhow::{Context, Result, bail, ensure};
use indicatif::ParallelProgressIterator;
use rayon::prelude::*;
use report::Asked;
use report::Done;
use rustc_hash::FxHasher;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::hash::{Hash as _, Hasher as _};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use work::{Unit, Worker};

/// Which share of the changes of passes is proved for all iterations, ours and LLVM's
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Arguments after -- go to `backedge gate` (its --help tells what there is), in place of: --timeout 60.

Examples:
  ci/compare-proofs corpus -j 2 --json proofs.jsonl
  ci/compare-proofs --llvm-tests ../shared/llvm-tests --row LICM --row IRCE -- --rlimit 5000000 --cache verdicts

Exit codes: 0 both shares are reached, nothing of ours is refuted and each refutation of LLVM's is explained; 1 not so, or
something was not judged to its end; 2 bad input.")]
pub(crate) struct Args {
    /// Files and directories for our passes
    #[arg(value_name = "PATH")]
    inputs: Vec<PathBuf>,
    /// The directory with LLVM's loop tests and their table, for LLVM's passes
    #[arg(long, value_name = "DIR")]
    llvm_tests: Option<PathBuf>,
    /// A directory with the IR of programs, for LLVM's passes
    #[arg(long, value_name = "DIR")]
    real: Option<PathBuf>,
    /// Only this many pairs of a row and a file, chosen by --seed
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// Which sample
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// The required share for LLVM's passes on programs
    #[arg(long, default_value_t = 0.0, value_name = "SHARE")]
    require_real: f64,
    /// Only this row: a pipeline of Backedge (any, if named explicitly), or a directory of LLVM's tests
    #[arg(long = "row", value_name = "NAME")]
    rows: Vec<String>,
    /// Results as JSON lines, one for each row and file, written as soon as they are known
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Keep the results in --json, and do the rest
    #[arg(long, requires = "json")]
    resume: bool,
    /// Keep the results in --json for rows and files without undecided functions, whatever the budget was, and repeat
    /// the others
    #[arg(long, requires = "json", conflicts_with = "resume")]
    again: bool,
    /// Files at a time; by default as many as there are processors
    #[arg(short, default_value_t = 0, value_name = "N", hide_default_value = true)]
    jobs: usize,
    /// Time limit for one row on one file, in seconds
    #[arg(long, default_value_t = 1800, value_name = "SECONDS")]
    file_timeout: u64,
    /// The required share for Backedge's passes, over functions of tier core
    #[arg(long, default_value_t = 0.8, value_name = "SHARE")]
    require_ours: f64,
    /// The required share for LLVM's passes, over functions of tiers core and must
    #[arg(long, default_value_t = 0.5, value_name = "SHARE")]
    require_llvm: f64,
    /// LLVM's opt
    #[arg(long, default_value = "opt-22", value_name = "COMMAND")]
    opt: PathBuf,
    /// Backedge's command; by default the one beside this program
    #[arg(long, value_name = "COMMAND")]
    backedge: Option<PathBuf>,
    /// Arguments of `backedge gate`
    #[arg(last = true, value_name = "ARGUMENT")]
    check: Vec<String>,
}

/// The default arguments for `backedge gate`.
const CHECK: [&str; 2] = ["--timeout", "60"];

/// The owner of the passes.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Source {
    Ours,
    Llvm,
    /// LLVM's passes on files that are no tests.
    Real,
}

impl Source {
    fn title(self) -> &'static str {
        match self {
            Self::Ours => "our passes",
            Self::Llvm => "LLVM's passes",
            Self::Real => "LLVM's passes on programs",
        }
    }
}

/// Time limits of processes.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Limits {
    file: Duration,
    optimizer: Duration,
}

/// Prints the tables; returns whether the criterion in `--help` is met.
pub(crate) fn run(args: &Args) -> Result<bool> {
    let units = units(args)?;
    let check: Vec<String> =
        if args.check.is_empty() { CHECK.map(str::to_owned).to_vec() } else { args.check.clone() };
    let tests = match &args.llvm_tests {
        Some(dir) => Some((dir.clone(), tier::table(dir)?)),
        None => None,
    };
    let worker = Worker {
        backedge: process::backedge(args.backedge.as_deref())?,
        opt: args.opt.clone(),
        limits: Limits { file: Duration::from_secs(args.file_timeout), optimizer: Duration::from_secs(60) },
        check: &check,
        tests,
    };
    let (mut all, json) = kept(args, &check)?;
    let known: BTreeSet<(String, String)> = all.iter().map(|d| (d.row.clone(), d.file.clone())).collect();
    let is_wanted = |u: &Unit| (u.row.clone(), u.file.display().to_string());
    let wanted: BTreeSet<_> = units.iter().map(is_wanted).collect();
    all.retain(|d| wanted.contains(&(d.row.clone(), d.file.clone())));
    let missing: Vec<&Unit> = units.iter().filter(|u| !known.contains(&is_wanted(u))).collect();
    let progress = progress(missing.len())?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.jobs).build().context("no threads")?;
    let json = Mutex::new(json);
    let one = |unit: &&Unit| -> Result<Done> {
        let done = worker.run(unit)?;
        if let Some(json) = &mut *json.lock().unwrap_or_else(PoisonError::into_inner) {
            // A single write: the line is complete, or visibly truncated.
            json.write_all((serde_json::to_string(&done)? + "\n").as_bytes()).context("the results")?;
        }
        Ok(done)
    };
    let new: Vec<Done> =
        pool.install(|| missing.par_iter().progress_with(progress).map(one).collect::<Result<_>>())?;
    all.extend(new);
    all.sort_by(|a, b| (a.table, &a.row, &a.file).cmp(&(b.table, &b.row, &b.file)));
    let explained = work::explained()?;
    let mut holds = true;
    for (source, asked) in [
        (Source::Ours, Asked { tiers: &["core"], share: args.require_ours }),
        (Source::Llvm, Asked { tiers: &["core", "must"], share: args.require_llvm }),
        (Source::Real, Asked { tiers: &[work::REAL], share: args.require_real }),
    ] {
        let of_table: Vec<&Done> = all.iter().filter(|d| d.table == source).collect();
        if !of_table.is_empty() {
            let report = report::report(source, &of_table, &asked, &explained);
            println!("{}", report.text);
            holds &= report.holds;
        }
    }
    Ok(holds)
}

/// All rows on all files.
fn units(args: &Args) -> Result<Vec<Unit>> {
    ensure!(
        !args.inputs.is_empty() || args.llvm_tests.is_some() || args.real.is_some(),
        "nothing to compare: name files for our passes, or --llvm-tests DIR, or --real DIR"
    );
    let known = |row: &String| rows::LLVM.iter().any(|d| d.name == row);
    let mut units = Vec::new();
    if !args.inputs.is_empty() {
        let named: Vec<&str> = args.rows.iter().filter(|r| !known(r)).map(String::as_str).collect();
        let all = if args.rows.is_empty() { rows::OURS.to_vec() } else { named };
        let files = collect(&args.inputs)?;
        for row in all {
            let unit =
                |file: &PathBuf| Unit { source: Source::Ours, row: row.to_owned(), file: file.clone() };
            units.extend(files.iter().map(unit));
        }
    }
    if let Some(dir) = &args.llvm_tests {
        for directory in
            rows::LLVM.iter().filter(|d| args.rows.is_empty() || args.rows.iter().any(|r| r == d.name))
        {
            let path = dir.join("Transforms").join(directory.name);
            if !path.is_dir() {
                eprintln!("compare-proofs: {} is missing", path.display());
                continue;
            }
            let row = directory.name.to_owned();
            let unit = |file: PathBuf| Unit { source: Source::Llvm, row: row.clone(), file };
            units.extend(collect(&[path])?.into_iter().map(unit));
        }
    }
    if let Some(dir) = &args.real {
        let files = collect(std::slice::from_ref(dir))?;
        let named: Vec<&str> = args.rows.iter().map(String::as_str).collect();
        for row in if named.is_empty() { rows::REAL.to_vec() } else { named } {
            let unit =
                |file: &PathBuf| Unit { source: Source::Real, row: row.to_owned(), file: file.clone() };
            units.extend(files.iter().map(unit));
        }
    }
    ensure!(!units.is_empty(), "there is no such row");
    if let Some(count) = args.sample {
        units.sort_by_cached_key(|unit| sample_key(args.seed, unit));
        units.truncate(count);
    }
    Ok(units)
}

/// A number by which samples are chosen: the same for a row and a file whatever other units there are.
fn sample_key(seed: u64, unit: &Unit) -> u64 {
    let mut hasher = FxHasher::default();
    (seed, &unit.row, &unit.file).hash(&mut hasher);
    hasher.finish()
}

/// The existing results, and the file for new ones. The first line records the arguments; results of other arguments
/// would be inconsistent.
fn kept(args: &Args, check: &[String]) -> Result<(Vec<Done>, Option<File>)> {
    let Some(path) = &args.json else { return Ok((Vec::new(), None)) };
    let head = serde_json::json!({ "schema": 1, "check": check }).to_string();
    let what = || path.display().to_string();
    if args.again && path.exists() {
        let mut done = read(path, None).with_context(what)?;
        done.retain(Done::is_decided);
        let lines = done.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>()?;
        let text = std::iter::once(head).chain(lines).fold(String::new(), |text, line| text + &line + "\n");
        let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut new = tempfile::NamedTempFile::new_in(dir).with_context(what)?;
        new.write_all(text.as_bytes()).with_context(what)?;
        new.persist(path).with_context(what)?;
        return Ok((done, Some(OpenOptions::new().append(true).open(path).with_context(what)?)));
    }
    if !args.resume || !path.exists() {
        let mut file = File::create(path).with_context(what)?;
        writeln!(file, "{head}").with_context(what)?;
        return Ok((Vec::new(), Some(file)));
    }
    let done = read(path, Some(&head)).with_context(what)?;
    Ok((done, Some(OpenOptions::new().append(true).open(path).with_context(what)?)))
}

/// The results in a file; if `head` is given, the first line must match it.
fn read(path: &Path, head: Option<&str>) -> Result<Vec<Done>> {
    let text = fs::read_to_string(path)?;
    // A line that was incomplete when the process ended is cut off.
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    if whole < text.len() {
        OpenOptions::new().write(true).open(path)?.set_len(whole as u64)?;
    }
    let mut lines = text[..whole].lines();
    let first = lines.next().unwrap_or_default();
    let of_ours = serde_json::from_str::<serde_json::Value>(first).is_ok_and(|head| head["schema"] == 1);
    if !of_ours {
        bail!("it does not hold results of this command");
    }
    if head.is_some_and(|head| first != head) {
        bail!("it holds the results of other arguments: go on with those, with --again, or without --resume");
    }
    lines.map(|line| Ok(serde_json::from_str(line)?)).collect()
}
