//! Verdicts on an optimizer's changes, counted by pass, and inconclusive verdicts counted by reason.
//!
//! Each pass on each file is one `backedge gate` process. Files first pass through the optimizer without a pass, so
//! that differences in syntax do not count as changes. Reasons that differ only in names and numbers are counted as
//! one. Refutations and internal errors are listed with file and function, because a person must examine each of them.

mod report;

use crate::files::{collect, progress};
use crate::process::{self, Ended};
use anyhow::{Context, Result};
use indicatif::ParallelProgressIterator;
use rayon::prelude::*;
use report::Report;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// LLVM's passes that are checked by default.
const PASSES: [&str; 13] = [
    "instcombine",
    "gvn",
    "dse",
    "early-cse",
    "memcpyopt",
    "simplifycfg",
    "sroa",
    "mem2reg",
    "licm",
    "loop-idiom",
    "loop-vectorize",
    "slp-vectorizer",
    "default<O2>",
];

/// Count verdicts by pass, and inconclusive verdicts by reason
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Arguments after -- are passed to `backedge gate`.

Examples:
  ci/reasons corpus --pass licm
  ci/reasons ../shared/real --every 10 -- --rlimit 2000000

Exit codes: 0 nothing is refuted and there is no internal error; 1 otherwise; 2 bad input.")]
pub(crate) struct Args {
    /// Files and directories
    #[arg(value_name = "PATH", required = true)]
    inputs: Vec<PathBuf>,
    /// Only this pass of the optimizer, as -passes= takes it; may be repeated
    #[arg(long = "pass", value_name = "PASS")]
    passes: Vec<String>,
    /// Take only every N-th file
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// Files at a time; by default as many as there are processors
    #[arg(short, default_value_t = 0, value_name = "N", hide_default_value = true)]
    jobs: usize,
    /// Time limit for one pass on one file, in seconds
    #[arg(long, default_value_t = 600, value_name = "SECONDS")]
    file_timeout: u64,
    /// LLVM's opt
    #[arg(long, default_value = "opt-22", value_name = "COMMAND")]
    opt: PathBuf,
    /// Backedge's command; by default the one beside this program
    #[arg(long, value_name = "COMMAND")]
    backedge: Option<PathBuf>,
    /// Arguments of `backedge gate`
    #[arg(last = true, value_name = "ARGUMENT")]
    gate: Vec<String>,
}

/// The time limit of one optimizer run without a pass: it only parses and prints.
const OPTIMIZER: Duration = Duration::from_secs(60);

/// Prints the tables; returns whether nothing is refuted.
pub(crate) fn run(args: &Args) -> Result<bool> {
    let passes: Vec<&str> = match args.passes.is_empty() {
        true => PASSES.to_vec(),
        false => args.passes.iter().map(String::as_str).collect(),
    };
    let backedge = process::backedge(args.backedge.as_deref())?;
    process::is_there(&args.opt, OPTIMIZER)?;
    let step = usize::try_from(args.every).context("too large a step")?;
    let files: Vec<PathBuf> = collect(&args.inputs)?.into_iter().step_by(step).collect();
    let units: Vec<(&str, &Path)> =
        passes.iter().flat_map(|pass| files.iter().map(move |file| (*pass, file.as_path()))).collect();
    let bar = progress(units.len())?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.jobs).build().context("no threads")?;
    let one = |(pass, file): &(&str, &Path)| judge(args, &backedge, pass, file);
    let judged: Vec<Judged> =
        pool.install(|| units.par_iter().progress_with(bar).map(one).collect::<Result<_>>())?;
    let mut report = Report::default();
    for ((pass, file), judged) in units.iter().zip(&judged) {
        report.add(pass, file, judged);
    }
    print!("{}", report.render());
    Ok(report.is_clean())
}

/// The records of one pass on one file.
pub(crate) struct Judged {
    pub(crate) records: Vec<Value>,
    /// The reason why records are missing or incomplete.
    pub(crate) failure: Option<String>,
}

fn judge(args: &Args, backedge: &Path, pass: &str, file: &Path) -> Result<Judged> {
    let dir = tempfile::tempdir()?;
    let base = dir.path().join(file.file_name().context("a file has a name")?);
    let mut plain = Command::new(&args.opt);
    plain.args(["-passes=verify", "-S", "-o"]).arg(&base).arg(file);
    if process::run(&mut plain, OPTIMIZER)? != Ended::Done {
        return Ok(Judged {
            records: Vec::new(),
            failure: Some("the optimizer can't read the file".to_owned()),
        });
    }
    let opt = args.opt.to_str().context("the name of the optimizer is no text")?;
    let command = format!("{} {} -S", shlex::try_quote(opt)?, shlex::try_quote(&format!("-passes={pass}"))?);
    let json = dir.path().join("records");
    let mut gate = Command::new(backedge);
    gate.arg("gate").arg(&base).args(["--opt", &command, "-j", "1", "-q", "--max-inconclusive", "1"]);
    gate.args(&args.gate).arg("--json").arg(&json);
    let failure = match process::run(&mut gate, Duration::from_secs(args.file_timeout))? {
        // A finding also gives a non-zero exit code; the records then contain it.
        Ended::Done => None,
        Ended::Failed(_) if json.exists() => None,
        Ended::Failed(said) => Some(said),
        Ended::Crashed(signal) => Some(format!("the checker ended with signal {signal}")),
        Ended::Time => Some(format!("the checker took more than {} s", args.file_timeout)),
    };
    let text = if json.exists() { fs::read_to_string(&json)? } else { String::new() };
    let records = text.lines().map(serde_json::from_str).collect::<Result<_, _>>().context("no record")?;
    Ok(Judged { records, failure })
}
