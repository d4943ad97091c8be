//! Checks the SCEV claims on all files of a directory and summarizes the results.
//!
//! A separate process, `backedge scev check`, checks each file. It is killed when it exceeds a time or memory limit.
//! Such a file, or a crash of the process, is a finding and does not affect the other files.

mod process;
mod tally;

use anyhow::{Context, Result};
use backedge_process::Limits;
use clap::Parser;
use indicatif::{ParallelProgressIterator, ProgressBar, ProgressStyle};
use process::Ended;
use rayon::prelude::*;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use tally::Tally;

/// Check the claims of our scalar evolution on all .ll files of directories, on runs and with the solver
#[derive(Parser, Debug)]
#[command(after_help = "\
Arguments after -- go to `backedge scev check` (its --help tells what there is), in place of the arguments that it
gets otherwise: --rlimit 4000000 --timeout 30 --runs 100.

Examples:
  ci/check-claims ../shared/llvm-tests -j 2
  ci/check-claims ../shared/llvm-tests --json claims.jsonl -- --order backwards --rlimit 1000000

Exit codes: 0 no claim is refuted and each file was checked to its end; 1 a claim is refuted, or a process crashed, took
too long or grew too large; 2 bad input; 3 more is inconclusive than --max-inconclusive allows.")]
struct Args {
    /// Directories and .ll files
    #[arg(required = true, value_name = "PATH")]
    inputs: Vec<PathBuf>,
    /// Number of files checked in parallel (0: one per processor)
    #[arg(long, short = 'j', value_name = "N", default_value_t = 0)]
    jobs: usize,
    /// The share of all claims that may stay inconclusive, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.25)]
    max_inconclusive: f64,
    /// Seconds for one file
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    file_timeout: u64,
    /// Megabytes of memory for one file
    #[arg(long, value_name = "MB", default_value_t = 6144)]
    file_memory: u64,
    /// Write the result of each claim to this file, as JSON lines with file name and milliseconds
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// The executable that checks; without it, the one beside this one
    #[arg(long, value_name = "COMMAND")]
    backedge: Option<PathBuf>,
    /// Arguments of `backedge scev check`
    #[arg(last = true, value_name = "ARGUMENT")]
    check: Vec<String>,
}

/// The default arguments of `backedge scev check`.
const CHECK: [&str; 6] = ["--rlimit", "4000000", "--timeout", "30", "--runs", "100"];

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("check-claims: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &Args) -> Result<ExitCode> {
    let start = Instant::now();
    let files = collect(&args.inputs)?;
    let backedge = match &args.backedge {
        Some(path) => path.clone(),
        None => std::env::current_exe()?.with_file_name(format!("backedge{}", std::env::consts::EXE_SUFFIX)),
    };
    let check: Vec<String> =
        if args.check.is_empty() { CHECK.map(str::to_owned).to_vec() } else { args.check.clone() };
    let time = Duration::from_secs(args.file_timeout);
    let limits = Limits { time, megabytes: Some(args.file_memory), output: None };
    let json = match &args.json {
        Some(path) => Some(File::create(path).with_context(|| path.display().to_string())?),
        None => None,
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.jobs).build()?;
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {eta}")?;
    let progress = ProgressBar::new(files.len() as u64).with_style(style);
    let all: Vec<Ended> = pool.install(|| {
        let one = |file: &PathBuf| -> Result<Ended> {
            let ended = process::check(&backedge, &check, file, limits)?;
            // Written immediately: finished results survive an interruption.
            if let Some(mut json) = json.as_ref() {
                json.write_all(ended.json(file)?.as_bytes())?;
            }
            Ok(ended)
        };
        files.par_iter().progress_with(progress).map(one).collect::<Result<_>>()
    })?;
    let mut tally = Tally::default();
    files.iter().zip(&all).for_each(|(file, ended)| tally.add(file, ended));
    println!("{tally}");
    println!("{:.0} s", start.elapsed().as_secs_f64());
    anyhow::ensure!(tally.claims() > 0, "there was no claim to check");
    Ok(if tally.has_failed() {
        ExitCode::from(1)
    } else if tally.inconclusive_share() > args.max_inconclusive {
        ExitCode::from(3)
    } else {
        ExitCode::SUCCESS
    })
}

/// All .ll files among `inputs` and below the directories, sorted.
fn collect(inputs: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut work = inputs.to_vec();
    while let Some(path) = work.pop() {
        if !path.is_dir() {
            files.push(path);
            continue;
        }
        let unreadable = |path: &Path| format!("{} can't be read", path.display());
        for entry in fs::read_dir(&path).with_context(|| unreadable(&path))? {
            let path = entry?.path();
            if path.is_dir() || path.extension().is_some_and(|e| e == "ll") {
                work.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}
