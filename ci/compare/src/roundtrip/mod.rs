//! The share of loops that are converted to trees and back to LLVM IR, by the language tier of their functions, and
//! whether LLVM's verifier accepts the results.
//!
//! Loops are counted in functions in the form that trees require ([`crate::form`]). For functions of LLVM's tests that
//! are not modelled, the number of loops comes from the tests' table. A cycle that is no natural loop does not count; a
//! loop that contains such a cycle does.

mod report;

use crate::files::{collect, each};
use crate::form::{Formed, formed};
use crate::process::{self, Ended};
use crate::tier::{self, Table};
use anyhow::{Context, Result, anyhow, ensure};
use backedge_analysis::{Analyses, LoopId};
use backedge_hir::build::{Built, build};
use backedge_hir::lower;
use backedge_ir::entity::FuncId;
use backedge_ir::module::Module;
use backedge_pipeline::parse_pipeline;
use backedge_pipeline::run::{Nobody, Options, run as run_pipeline};
use backedge_scev::ScalarEvolution;
use report::Report;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Show which loops are converted to trees and back to LLVM IR
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  ci/compare-roundtrip corpus --llvm-tests ../shared/llvm-tests\n\n\
    Exit codes: 0 the share is reached in each set of files, and LLVM's verifier takes each result; 1 not so; 2 bad \
    input or no opt.")]
pub(crate) struct Args {
    /// Files and directories
    #[arg(value_name = "PATH")]
    inputs: Vec<PathBuf>,
    /// The directory with LLVM's loop tests and their table
    #[arg(long, value_name = "DIR")]
    llvm_tests: Option<PathBuf>,
    /// The required share of loops, over functions of tiers core and must, or core for files without a table
    #[arg(long, default_value_t = 0.8, value_name = "SHARE")]
    require: f64,
    /// List the loops that are not converted
    #[arg(long)]
    list: bool,
    /// LLVM's opt
    #[arg(long, default_value = "opt-22", value_name = "COMMAND")]
    opt: PathBuf,
    /// Time limit of LLVM for one file, in seconds
    #[arg(long, default_value_t = 20, value_name = "SECONDS")]
    timeout: u64,
}

/// The tiers with a required share.
const ASKED: [&str; 2] = [tier::CORE, "must"];

/// Prints the tables; returns whether the criterion in `--help` is met.
pub(crate) fn run(args: &Args) -> Result<bool> {
    ensure!(
        !args.inputs.is_empty() || args.llvm_tests.is_some(),
        "nothing to do: name files, or --llvm-tests DIR, or both"
    );
    let opt = Opt { command: &args.opt, limit: Duration::from_secs(args.timeout) };
    process::is_there(opt.command, opt.limit)?;
    let mut holds = true;
    if !args.inputs.is_empty() {
        let all = each(&collect(&args.inputs)?, |file| work(&opt, file, None))?;
        holds &= print_report(args, "files", all);
    }
    if let Some(dir) = &args.llvm_tests {
        let table = tier::table(dir)?;
        let files = collect(std::slice::from_ref(dir))?;
        let all = each(&files, |file| work(&opt, file, Some((dir, &table))))?;
        holds &= print_report(args, "LLVM's tests", all);
    }
    Ok(holds)
}

fn print_report(args: &Args, title: &str, all: Vec<(PathBuf, Result<Made>)>) -> bool {
    let mut report = Report::default();
    all.into_iter().for_each(|(file, made)| report.add(&file, made));
    print!("{}", report.render(title, args.list));
    report.holds(args.require)
}

/// The results for a file.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Made {
    functions: Vec<Function>,
    verdict: Verdict,
}

/// The results for the loops of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Function {
    name: String,
    tier: String,
    /// The number of loops that were taken and can be lowered.
    taken: usize,
    /// The reasons against the other loops, by the names of headers.
    missed: Vec<(String, String)>,
}

/// The result of LLVM's verifier.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Verdict {
    Taken,
    Refused(String),
    /// Not run: it rejects the original file as well.
    NotAsked(String),
}

/// LLVM's verifier.
struct Opt<'a> {
    command: &'a Path,
    limit: Duration,
}

impl Opt<'_> {
    fn verify(&self, file: &Path) -> Result<Result<(), String>> {
        let mut command = Command::new(self.command);
        command.arg("-passes=verify").arg("-disable-output").arg(file);
        Ok(match process::run(&mut command, self.limit)? {
            Ended::Done => Ok(()),
            Ended::Failed(said) => Err(said),
            Ended::Crashed(signal) => Err(format!("signal {signal}")),
            Ended::Time => Err("it takes too long".to_owned()),
        })
    }
}

/// Converts the loops of a file's functions to trees and lowers them again.
fn work(opt: &Opt<'_>, file: &Path, table: Option<(&PathBuf, &Table)>) -> Result<Made> {
    let rows = match table {
        Some((dir, table)) => rows_of(dir, table, file),
        None => None,
    };
    let both = match (formed(file), &rows) {
        (Ok(both), _) => both,
        // A file that Backedge cannot read has the loops that the table lists.
        (Err(error), Some(rows)) => {
            let functions = rows.iter().map(|(name, row)| unknown(name, row, &error.to_string())).collect();
            return Ok(Made { functions, verdict: Verdict::NotAsked("we can't read it".to_owned()) });
        }
        (Err(error), None) => return Err(error),
    };
    let tiers = match &rows {
        Some(rows) => rows.iter().map(|(name, row)| (name.clone(), row.tier.clone())).collect(),
        None => {
            let text = fs::read(file).with_context(|| file.display().to_string())?;
            let tiers = tier::of_text(&String::from_utf8_lossy(&text));
            tiers.into_iter().map(|(name, tier)| (name, tier.to_owned())).collect::<BTreeMap<_, _>>()
        }
    };
    let mut functions = Vec::new();
    for (func, _) in both.module.bodies() {
        let name = both.module.env.funcs[func].name.to_string();
        let tier = tiers.get(&name).cloned().unwrap_or_else(|| tier::BEYOND.to_owned());
        functions.push(loops_of(&both.module, func, name, tier));
    }
    let modelled: BTreeSet<String> = functions.iter().map(|f| f.name.clone()).collect();
    let others = rows.iter().flatten().filter(|(name, _)| !modelled.contains(*name));
    functions.extend(others.map(|(name, row)| unknown(name, row, "the function is not modelled")));
    let verdict = verdict(opt, both)?;
    Ok(Made { functions, verdict })
}

/// The rows of the table for the functions of `file`; `None` if the file is not below `dir`.
fn rows_of(dir: &Path, table: &Table, file: &Path) -> Option<BTreeMap<String, tier::Row>> {
    let below = file.strip_prefix(dir).ok()?.to_str()?;
    let rows = table.range((below.to_owned(), String::new())..).take_while(|((of, _), _)| of == below);
    Some(rows.map(|((_, name), row)| (name.clone(), row.clone())).collect())
}

/// A function that Backedge cannot read.
fn unknown(name: &str, row: &tier::Row, why: &str) -> Function {
    let missed = (0..row.loops).map(|_| (String::new(), why.to_owned())).collect();
    Function { name: name.to_owned(), tier: row.tier.clone(), taken: 0, missed }
}

/// The results for the loops of `func`.
fn loops_of(module: &Module, func: FuncId, name: String, tier: String) -> Function {
    let mut function = Function { name, tier, taken: 0, missed: Vec::new() };
    let Some(body) = module.body(func) else { return function };
    let analyses = Analyses::of(func);
    let at = analyses.at(&module.env, body);
    let loops = at.loops();
    let slots = body.slots();
    let Built { hir, taken, missed, .. } = build(&mut ScalarEvolution::new(at));
    let header = |l: LoopId| slots.block_label(body, loops.header(l));
    for of in &taken {
        let nest = of.extent.loops.iter().flat_map(|l| loops.nest(*l));
        match lower::check(at, &hir, of) {
            Ok(_) => function.taken += nest.count(),
            Err(obstacle) => {
                let why = format!("not lowered: {obstacle}");
                function.missed.extend(nest.map(|l| (header(l), why.clone())));
            }
        }
    }
    function.missed.extend(missed.into_iter().map(|(l, why)| (header(l), why.to_string())));
    function
}

/// The result of LLVM's verifier for a module after the round trip.
fn verdict(opt: &Opt<'_>, both: Formed) -> Result<Verdict> {
    if let Err(why) = opt.verify(&both.file)? {
        return Ok(Verdict::NotAsked(why));
    }
    let mut module = both.module;
    let pipeline = parse_pipeline("hir-roundtrip").map_err(|e| anyhow!("{e}"))?;
    run_pipeline(&mut module, &pipeline, Options::default(), &mut Nobody).map_err(|e| anyhow!("{e}"))?;
    fs::write(&both.file, backedge_ir::print::module_to_string(&module))?;
    Ok(match opt.verify(&both.file)? {
        Ok(()) => Verdict::Taken,
        Err(why) => Verdict::Refused(why),
    })
}
