//! Holds our graphs of dependences against LLVM's `DependenceAnalysis` over directories of `.ll` files: which pairs of loads
//! and stores of a nest each of them shows to be independent.
//!
//! Both sides look at loops in the form that ours needs ([`crate::form`]). Pairs are those of accesses with the same outermost loop around them, each with itself among them, of which
//! one writes. What ours has no graph of counts as not independent; loads whose values nothing reads, which are no nodes
//! of our trees, do not count. Functions that are not modelled, and files that either side refuses, are left out, counted
//! and named.

mod llvm;
mod ours;
mod report;

use crate::files::{collect, each};
use crate::form::formed;
use crate::process;
use anyhow::{Context, Result, ensure};
use report::Comparison;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Compare which pairs of memory accesses Backedge and LLVM show to be independent
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Example:\n  ci/compare-dependences corpus ../shared/llvm-tests/Transforms/LoopInterchange --list\n\n\
    Exit codes: 0 over all files, ours shows no fewer pairs to be independent than LLVM; 1 it shows fewer; \
    2 bad input or no opt."
)]
pub(crate) struct Args {
    /// Directories and .ll files
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    /// LLVM's opt
    #[arg(long, default_value = "opt-22", value_name = "COMMAND")]
    opt: PathBuf,
    /// Print each pair that LLVM alone shows to be independent, with what both say
    #[arg(long)]
    list: bool,
    /// Compare pairs of two loads too
    #[arg(long)]
    input: bool,
    /// Seconds that LLVM may take for one file
    #[arg(long, default_value_t = 60, value_name = "SECONDS")]
    timeout: u64,
}

/// Prints the comparison; whether it is as `--help` asks.
pub(crate) fn run(args: &Args) -> Result<bool> {
    let files = collect(&args.inputs)?;
    process::is_there(&args.opt, Duration::from_secs(args.timeout))?;
    let all = each(&files, |file| compare_file(args, file))?;
    let mut comparison = Comparison::default();
    all.into_iter().for_each(|(file, result)| comparison.add(&file, result));
    ensure!(!comparison.is_empty(), "there was no function that both sides take");
    print!("{}", comparison.render(args.list));
    Ok(comparison.reaches())
}

/// What both sides say of a pair of accesses.
pub(crate) struct Pair {
    /// The accesses as they are printed.
    pub(crate) accesses: [String; 2],
    pub(crate) llvm: String,
    /// What it says; `Ok` if it shows that they are independent.
    pub(crate) ours: Result<(), String>,
    /// Whether LLVM's holds only under assumptions.
    pub(crate) assumes: bool,
}

/// What was found of one function.
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) pairs: Vec<Pair>,
}

fn compare_file(args: &Args, file: &Path) -> Result<Vec<Function>> {
    let both = formed(file)?;
    let module = &both.module;
    let said = llvm::dependences(&args.opt, &both.file, Duration::from_secs(args.timeout))?;
    let mut functions = Vec::new();
    for (func, _) in module.bodies() {
        let name = module.env.funcs[func].name.to_string();
        let Some(llvm) = said.get(&name) else { continue };
        let ours = ours::dependences(module, func, args.input);
        let pairs = pairs(llvm, ours).with_context(|| format!("@{name}"))?;
        functions.push(Function { name, pairs });
    }
    Ok(functions)
}

/// The pairs of ours beside LLVM's, whose loads and stores stand in the same order.
fn pairs(llvm: &llvm::Said, ours: ours::Said) -> Result<Vec<Pair>> {
    let places: Vec<usize> = (0..llvm.insts.len()).filter(|at| is_access(&llvm.insts[*at])).collect();
    let same =
        |(place, access): (&usize, &ours::Access)| result_of(&llvm.insts[*place]) == result_of(&access.text);
    ensure!(
        places.len() == ours.accesses.len() && places.iter().zip(&ours.accesses).all(same),
        "it has other loads and stores for LLVM"
    );
    let pair = |((a, b), said): ((usize, usize), Result<(), String>)| Pair {
        accesses: [a, b].map(|at| ours.accesses[at].text.clone()),
        llvm: llvm.pairs[&(places[a], places[b])].clone(),
        ours: said,
        assumes: llvm.assumes,
    };
    Ok(ours.pairs.into_iter().map(pair).collect())
}

/// Whether an instruction that LLVM has printed is a load or store.
fn is_access(text: &str) -> bool {
    let operation = text.split_once(" = ").filter(|_| text.starts_with('%')).map_or(text, |(_, rest)| rest);
    operation.starts_with("load ") || operation.starts_with("store ")
}

/// The name of what an instruction results in.
fn result_of(text: &str) -> Option<&str> {
    text.split_once(" = ").filter(|_| text.starts_with('%')).map(|(name, _)| name)
}
