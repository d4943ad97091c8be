//! Compares the loops that Backedge and LLVM vectorize over `.ll` files, with `loop-vectorize` and vectors of four
//! lanes on both sides, and lists Backedge's reasons for skipping loops that LLVM vectorizes.
//!
//! Both sides get the file with names for all values (`instnamer`), so that a loop is identified by its header. Files
//! that either side rejects, or does not finish in time, are skipped on both sides, counted and listed.

mod file;
mod report;

use crate::files::{collect, progress};
use crate::passes::side::Optimizer;
use crate::process;
use anyhow::{Context, Result, ensure};
use indicatif::ParallelProgressIterator;
use rayon::prelude::*;
use report::Comparison;
use std::path::PathBuf;
use std::time::Duration;

/// Compare which loops of .ll files Backedge and LLVM vectorize
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Example:\n  ci/compare-vectors ../shared/llvm-tests/Transforms/LoopVectorize --list\n\n\
    Exit codes: 0 ours vectorizes the share of LLVM's loops that --require asks for, and more loops with several exits \
    than LLVM, if that does any; 1 it does not, or ours crashed, hung or refused a file that LLVM takes; 2 bad input or no opt."
)]
pub(crate) struct Args {
    /// Directories and .ll files
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    /// LLVM's opt
    #[arg(long, default_value = "opt-22", value_name = "COMMAND")]
    opt: PathBuf,
    /// Backedge's command; by default the one beside this program
    #[arg(long, value_name = "COMMAND")]
    backedge: Option<PathBuf>,
    /// Print the loops that only LLVM vectorizes, with Backedge's reasons
    #[arg(long)]
    list: bool,
    /// The share of the loops vectorized by LLVM that Backedge must vectorize
    #[arg(long, default_value_t = 0.75, value_name = "SHARE")]
    require: f64,
    /// Time limit of one process, in seconds
    #[arg(long, default_value_t = 20, value_name = "SECONDS")]
    timeout: u64,
    /// Files at a time; by default as many as there are processors
    #[arg(short, default_value_t = 0, value_name = "N", hide_default_value = true)]
    jobs: usize,
}

/// Prints the comparison; returns whether the criterion in `--help` is met.
pub(crate) fn run(args: &Args) -> Result<bool> {
    let files = collect(&args.inputs)?;
    let limit = Duration::from_secs(args.timeout);
    let ours = Optimizer::ours(process::backedge(args.backedge.as_deref())?, limit);
    let llvm = Optimizer::llvm(args.opt.clone(), limit);
    process::is_there(&args.opt, limit)?;
    let progress = progress(files.len())?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.jobs).build().context("no threads")?;
    let all: Vec<_> = pool.install(|| {
        files
            .par_iter()
            .progress_with(progress)
            .map(|path| (path.clone(), file::compare(path, &ours, &llvm)))
            .collect()
    });
    let mut comparison = Comparison::default();
    all.into_iter().for_each(|(path, found)| comparison.add(&path, found));
    ensure!(!comparison.is_empty(), "there was no file that both sides take");
    print!("{}", comparison.render(args.list));
    Ok(comparison.reaches(args.require))
}
