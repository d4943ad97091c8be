//! Compares Backedge's passes with LLVM's over a directory of `.ll` files: the functions on which each of them acts.
//!
//! Both sides run as separate processes with a time limit, one per file and pipeline. Files that either side rejects,
//! or does not finish in time, are skipped on both sides, counted and listed. `--speed` compares the run time of the
//! loop pipelines.

mod cases;
mod file;
pub(crate) mod functions;
pub(crate) mod remarks;
mod report;
pub(crate) mod side;
mod speed;

use crate::files::{collect, progress};
use crate::process;
use anyhow::{Context, Result, ensure};
use indicatif::ParallelProgressIterator;
use rayon::prelude::*;
use report::Comparison;
use side::Optimizer;
use std::path::PathBuf;
use std::time::Duration;

/// Compare on which functions of a directory of .ll files Backedge's and LLVM's loop passes act
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  ci/compare-passes ../shared/llvm-tests --list licm\n  \
    ci/compare-passes ../shared/llvm-tests --speed\n\n\
    Exit codes: 0 ours reaches --require where functions have loops of several exits and are to be unrolled at run \
    time, or with --speed is no slower than LLVM as a whole; 1 it does not, or ours crashed, hung or refused a file \
    that LLVM takes; 2 bad input or no opt.")]
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
    /// Print the functions on which only one side acts, for this row of the table ('all' for every row)
    #[arg(long, value_name = "ROW")]
    list: Option<String>,
    /// Required number of functions with several exits that Backedge unrolls at run time, as a share of LLVM's
    #[arg(long, default_value_t = 1.0, value_name = "SHARE")]
    require: f64,
    /// Time limit of one process, in seconds
    #[arg(long, default_value_t = 20, value_name = "SECONDS")]
    timeout: u64,
    /// Files at a time; by default as many as there are processors
    #[arg(short, default_value_t = 0, value_name = "N", hide_default_value = true)]
    jobs: usize,
    /// Compare the run time of the loop pipelines instead, as whole processes, one file after the other
    #[arg(long)]
    speed: bool,
    /// With --speed: Backedge's pipeline
    #[arg(long, default_value = "default<O3>", value_name = "TEXT")]
    passes: String,
    /// With --speed: number of runs of each process, of which the shortest counts
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    repeats: u32,
}

/// LLVM's passes that correspond to Backedge's default pipeline at O3, in order; with or without run-time unrolling,
/// which LLVM leaves to targets.
pub(crate) fn llvm_pipeline(runtime: bool) -> String {
    let unroll = if runtime { "loop-unroll<runtime>" } else { "loop-unroll" };
    format!(
        "function(instsimplify,simplifycfg,early-cse,loop-simplify,lcssa,\
         loop-mssa(loop-instsimplify,loop-simplifycfg,licm<no-allowspeculation>,loop-rotate,licm<allowspeculation>,\
         simple-loop-unswitch<nontrivial>),simplifycfg,instsimplify,\
         loop(loop-idiom,indvars,loop-deletion,loop-unroll-full),loop-mssa(licm<allowspeculation>),{unroll},\
         loop-mssa(licm<allowspeculation>),instsimplify,early-cse,dce,simplifycfg)"
    )
}

/// Prints the comparison; returns whether the criterion in `--help` is met.
pub(crate) fn run(args: &Args) -> Result<bool> {
    let files = collect(&args.inputs)?;
    let limit = Duration::from_secs(args.timeout);
    let ours = Optimizer::ours(process::backedge(args.backedge.as_deref())?, limit);
    let llvm = Optimizer::llvm(args.opt.clone(), limit);
    process::is_there(&args.opt, limit)?;
    if args.speed {
        return speed::run(args, &files, &[ours, llvm], limit);
    }
    if let Some(row) = &args.list {
        let known: Vec<_> = cases::rows().map(|r| r.name).collect();
        ensure!(
            row == "all" || known.contains(&&**row),
            "there is no row '{row}', but: {}",
            known.join(", ")
        );
    }
    let progress = progress(files.len())?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.jobs).build().context("no threads")?;
    let all: Vec<_> = pool.install(|| {
        files
            .par_iter()
            .progress_with(progress)
            .map(|path| file::compare(path, &ours, &llvm).map(|found| (path.clone(), found)))
            .collect::<Result<_>>()
    })?;
    let mut comparison = Comparison::default();
    all.into_iter().for_each(|(path, found)| comparison.add(&path, found));
    ensure!(!comparison.is_empty(), "there was no file that both sides take");
    print!("{}", comparison.render(args.list.as_deref(), args.require));
    Ok(comparison.reaches(args.require))
}
