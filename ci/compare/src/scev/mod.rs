//! Compares Backedge's scalar evolution with LLVM's over a directory of `.ll` files: for each loop and exit the facts
//! that both sides know or only one of them knows, and the wrap flags of add recurrences.
//!
//! `--speed` compares the run time.
//!
//! `engine/claim` parses LLVM's text, so both sides are compared as the same data. Files that LLVM rejects, and
//! functions that are not modelled, are skipped and counted.

mod known;
mod llvm;
mod report;
mod speed;

use crate::files::{collect, each, parse};
use anyhow::{Context, Result};
use backedge_analysis::Analyses;
use backedge_claim::claim::Claims;
use backedge_ir::module::Module;
use backedge_scev::ScalarEvolution;
use known::FunctionKnown;
use report::{Comparison, FileNote};
use std::fs;
use std::path::{Path, PathBuf};

/// Compare the facts that Backedge and LLVM know about the loops in a directory of .ll files
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  ci/compare-scev ../shared/llvm-tests --list\n  \
    ci/compare-scev ../shared/llvm-tests --speed\n\n\
    Exit codes: 0 ours reaches --require everywhere, or with --speed is no slower than LLVM as a whole, with no \
    function beyond 20 times its share; 1 it does not; 2 bad input or no opt.")]
pub(crate) struct Args {
    /// Directories and .ll files
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    /// LLVM's opt
    #[arg(long, default_value = "opt-22", value_name = "COMMAND")]
    opt: PathBuf,
    /// Print each loop, exit and recurrence about which one side knows more
    #[arg(long)]
    list: bool,
    /// The share of LLVM's facts that Backedge must know
    #[arg(long, default_value_t = 0.97, value_name = "SHARE")]
    require: f64,
    /// Time limit of LLVM for one file, in seconds
    #[arg(long, default_value_t = 60, value_name = "SECONDS")]
    timeout: u64,
    /// Compare speed instead: whole processes, and each function with its share of instructions
    #[arg(long)]
    speed: bool,
    /// With --speed: number of runs of each process and function, of which the shortest counts
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    repeats: u32,
    /// With --speed: minimum time of a function to be compared with its share
    #[arg(long, default_value_t = 1000, value_name = "MICROSECONDS")]
    floor: u64,
    /// With --speed: Backedge's command; by default the one beside this program
    #[arg(long, value_name = "COMMAND")]
    backedge: Option<PathBuf>,
}

/// Prints the comparison; returns whether the criterion in `--help` is met.
pub(crate) fn run(args: &Args) -> Result<bool> {
    let files = collect(&args.inputs)?;
    if args.speed {
        return speed::run(args, &files);
    }
    let all = each(&files, |file| compare_file(args, file))?;
    let mut comparison = Comparison::default();
    for (file, result) in all {
        match result {
            Ok(functions) => functions.into_iter().for_each(|f| comparison.add(&file, f)),
            Err(error) => comparison.notes.push(FileNote { file, text: format!("{error:#}") }),
        }
    }
    anyhow::ensure!(!comparison.is_empty(), "there was no function that both sides take");
    print!("{}", comparison.render(args.list, args.require));
    Ok(comparison.reaches(args.require))
}

/// The facts of both sides about one function.
pub(crate) struct Pair {
    pub(crate) name: String,
    pub(crate) llvm: FunctionKnown,
    pub(crate) ours: FunctionKnown,
}

fn compare_file(args: &Args, file: &Path) -> Result<Vec<Pair>> {
    let module = &parse(&fs::read(file).context("can't be read")?)?;
    let llvm = llvm::claims(&args.opt, file, module, args.timeout)?;
    Ok(llvm.iter().map(|claims| pair(module, claims)).collect())
}

fn pair(module: &Module, llvm: &Claims) -> Pair {
    let body = module.body(llvm.func).expect("claims are about modelled functions");
    let analyses = Analyses::of(llvm.func);
    let ours = ScalarEvolution::new(analyses.at(&module.env, body)).claims(llvm.func);
    Pair {
        name: module.env.funcs[llvm.func].name.to_string(),
        llvm: FunctionKnown::of(body, llvm),
        ours: FunctionKnown::of(body, &ours),
    }
}
