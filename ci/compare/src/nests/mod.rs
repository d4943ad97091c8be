//! Compares Backedge's transforms of loop nests with LLVM's over directories of `.ll` files: the functions that LLVM's
//! passes transform, and those for which Backedge shows that the transform is legal.
//!
//! Both sides see loops in the form that Backedge requires ([`crate::form`]). LLVM's options request every legal
//! transform. Backedge decides by cost, so its legality check is queried separately; the transforms that it applies are
//! counted as well. Functions that are not modelled, and files that either side rejects, are skipped, counted and
//! listed.

mod cases;
mod ours;
mod report;

use crate::files::{collect, each};
use crate::form::{FORM, formed};
use crate::passes::functions;
use crate::passes::side::Optimizer;
use crate::process;
use anyhow::{Result, ensure};
use cases::{CASES, Case};
use report::Comparison;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Compare which loop nests Backedge and LLVM interchange, fuse, unroll and jam, or flatten
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  ci/compare-nests ../shared/llvm-tests/Transforms/LoopInterchange\n\n\
    Always lists what LLVM alone takes, with our reasons. Ours decides by cost, LLVM is asked to apply everything that is legal: \
    'ours' in the table is what ours shows to be legal, 'done' is what it also finds profitable.\n\n\
    Exit codes: 0 there is a comparison; 2 bad input or no opt.")]
pub(crate) struct Args {
    /// Directories and .ll files
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    /// LLVM's opt
    #[arg(long, default_value = "opt-22", value_name = "COMMAND")]
    opt: PathBuf,
    /// Compare only this transform
    #[arg(long, value_name = "NAME", value_parser = CASES.iter().map(|c| c.name).collect::<Vec<_>>())]
    only: Option<String>,
    /// Time limit of LLVM for one file, in seconds
    #[arg(long, default_value_t = 20, value_name = "SECONDS")]
    timeout: u64,
}

/// Prints the comparison.
pub(crate) fn run(args: &Args) -> Result<bool> {
    let files = collect(&args.inputs)?;
    let limit = Duration::from_secs(args.timeout);
    process::is_there(&args.opt, limit)?;
    let llvm = Optimizer::llvm(args.opt.clone(), limit);
    let cases: Vec<&Case> =
        CASES.iter().filter(|c| args.only.as_deref().is_none_or(|o| o == c.name)).collect();
    let all = each(&files, |file| compare_file(&cases, &llvm, file))?;
    let mut comparison = Comparison::default();
    all.into_iter().for_each(|(file, result)| comparison.add(&file, result));
    ensure!(!comparison.is_empty(), "there was no function that both sides take");
    print!("{}", comparison.render());
    Ok(true)
}

/// The results of both sides for a function.
pub(crate) struct Function {
    pub(crate) case: &'static str,
    pub(crate) name: String,
    pub(crate) llvm: bool,
    /// `None` if Backedge has no such pass.
    pub(crate) ours: Option<ours::NestResult>,
}

fn compare_file(cases: &[&'static Case], llvm: &Optimizer, file: &Path) -> Result<Vec<Function>> {
    let both = formed(file)?;
    let module = &both.module;
    let base = llvm.run(FORM, &[], &both.file)?;
    let mut all = Vec::new();
    for case in cases {
        let made = llvm.run(
            &case.llvm.replace("function(", &format!("function({FORM},")),
            case.options,
            &both.file,
        )?;
        let taken: BTreeSet<String> = if case.acts.is_empty() {
            functions::changed(&base.codes, &made.codes).into_iter().collect()
        } else {
            let acts = made.remarks.into_iter().filter(|r| case.acts.contains(&&*r.name));
            acts.map(|remark| remark.function).collect()
        };
        for (func, _) in module.bodies() {
            let name = module.env.funcs[func].name.to_string();
            let ours = case.ours.map(|ours| ours::find(ours, module, func));
            all.push(Function { case: case.name, llvm: taken.contains(&name), name, ours });
        }
    }
    Ok(all)
}
