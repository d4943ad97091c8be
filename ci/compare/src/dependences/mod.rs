//! Compares Backedge's dependence graphs with LLVM's `DependenceAnalysis` over directories of `.ll` files: the pairs of
//! loads and stores of a nest that each of them shows to be independent.
//!
//! Both sides see loops in the form that Backedge requires ([`crate::form`]). A pair consists of accesses with a common
//! outermost loop, of which at least one writes; an access also forms a pair with itself. Accesses without a graph in
//! Backedge count as dependent; loads without users, which are no nodes of Backedge's trees, do not count. Functions
//! that are not modelled, and files that either side rejects, are skipped, counted and listed.

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
    /// Print each pair that only LLVM shows to be independent, with the results of both
    #[arg(long)]
    list: bool,
    /// Compare pairs of two loads as well
    #[arg(long)]
    input: bool,
    /// Time limit of LLVM for one file, in seconds
    #[arg(long, default_value_t = 60, value_name = "SECONDS")]
    timeout: u64,
}

/// Prints the comparison; returns whether the criterion in `--help` is met.
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

/// The results of both sides for a pair of accesses.
pub(crate) struct Pair {
    /// The printed accesses.
    pub(crate) accesses: [String; 2],
    pub(crate) llvm: String,
    /// `Ok` if Backedge shows that the accesses are independent, otherwise the reason.
    pub(crate) ours: Result<(), String>,
    /// Whether LLVM's result holds only under assumptions.
    pub(crate) assumes: bool,
}

/// The results for one function.
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

/// The pairs of Backedge with LLVM's results. Loads and stores must be in the same order on both sides.
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

/// Whether an instruction printed by LLVM is a load or store.
fn is_access(text: &str) -> bool {
    let operation = text.split_once(" = ").filter(|_| text.starts_with('%')).map_or(text, |(_, rest)| rest);
    operation.starts_with("load ") || operation.starts_with("store ")
}

/// The name of an instruction's result.
fn result_of(text: &str) -> Option<&str> {
    text.split_once(" = ").filter(|_| text.starts_with('%')).map(|(name, _)| name)
}
