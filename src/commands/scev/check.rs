//! `backedge scev check`: checks every claim on runs and with the solver.

use super::super::judging::check_z3;
use super::report::{Counted, Printer};
use super::source::{self, Asked};
use crate::STACK;
use crate::commands::gate::share;
use crate::commands::module::{load, select};
use crate::exit::Exit;
use crate::input::{self, Source};
use crate::output;
use backedge_claim::claim::Claims;
use backedge_interp::claims as runs;
use backedge_interp::{Config, Program};
use backedge_ir::module::Module;
use backedge_validate::claims::{ClaimReport, Options, SolverLimits, check_claims};
use miette::{IntoDiagnostic, WrapErr};
use rayon::prelude::*;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Arguments of `scev check`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Claims are those of Backedge's own analysis, or read from what LLVM's print<scalar-evolution> prints of the module:
from a file with --claims, or from an opt that is run with --opt. A claim is proved, holds up to a bound, is refuted by
a run, or stays open, with a reason. Refutations are shown; --all shows every claim. Exit codes: 0 claims were checked
and few enough stayed open; 1 one is refuted; 2 bad input; 3 too many are open, or there was nothing to check.

Examples:
  backedge scev check corpus/scev/wrap-scope.ll
  backedge scev check corpus/scev/wrap-scope.ll --opt opt-13
  opt -passes='print<scalar-evolution>' -disable-output a.ll 2>&1 | backedge scev check a.ll --claims -")]
pub(crate) struct Args {
    /// The module: a .ll, .bc, .c or .cpp file, or - for standard input
    input: PathBuf,
    /// Check the claims in this file, in LLVM's text format
    #[arg(long, value_name = "FILE", conflicts_with = "opt")]
    claims: Option<PathBuf>,
    /// Check the claims that this command prints: an opt with arguments
    #[arg(long, value_name = "COMMAND")]
    opt: Option<String>,
    /// Query this project's analysis in this order, and check its answers; by default its final results are checked
    #[arg(long, value_enum, conflicts_with_all = ["opt", "claims"])]
    order: Option<Asked>,
    /// Only this function
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    /// Show every claim
    #[arg(long)]
    all: bool,
    /// Write one JSON line for each claim to this file (- for standard output)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Number of inputs up to which a function is run exhaustively
    #[arg(long, value_name = "N", default_value_t = 1 << 17)]
    exhaustive: usize,
    /// Number of runs of other functions
    #[arg(long, value_name = "N", default_value_t = 400)]
    runs: usize,
    /// Maximum number of steps per run; without exhaustive runs, most runs get a part of it
    #[arg(long, value_name = "STEPS", default_value_t = 100_000)]
    fuel: u64,
    /// Maximum number of steps of all runs of a function; results state if it did not suffice
    #[arg(long, value_name = "STEPS", default_value_t = 20_000_000)]
    all_fuel: u64,
    /// Seed for the choice of inputs
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Don't use the solver
    #[arg(long)]
    no_solver: bool,
    /// Maximum number of backedges taken per entry of a loop, in runs that the solver searches for
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1024))]
    bound: u32,
    /// Solver budget per function, in Z3's resource units
    #[arg(long, value_name = "UNITS", default_value_t = 20_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    rlimit: u64,
    /// Solver memory in megabytes
    #[arg(long, value_name = "MB", default_value_t = 4096, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    memory: u32,
    /// Time limit in seconds for the command of --opt, and for the solver per function
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=604_800))]
    timeout: u64,
    /// Time limit in seconds for the whole file; claims not decided by then stay open. By default there is no limit
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=604_800))]
    file_timeout: Option<u64>,
    /// Maximum share of inconclusive claims, from 0 to 1; above it the exit code is 3
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, value_parser = share)]
    max_inconclusive: f64,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> miette::Result<Exit> {
    let deadline = args.file_timeout.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    if !args.no_solver {
        check_z3()?;
    }
    let inputs: Vec<PathBuf> = std::iter::once(&args.input).chain(&args.claims).cloned().collect();
    input::refuse_stdin_twice(&inputs)?;
    if let Some(json) = &args.json {
        output::refuse_to_overwrite(json, &inputs)?;
    }
    let Ok((text, parsed)) = load(&args.input) else { return Ok(Exit::BadInput) };
    let module = &parsed.module;
    let functions = select(module, args.function.as_deref())?;
    let claims = match (&args.claims, &args.opt) {
        (None, None) => source::ours(module, &functions, args.order),
        (Some(path), _) => match Source::read(path).and_then(|text| source::read(module, &text)) {
            Ok(claims) => claims,
            Err(problem) => {
                problem.show();
                return Ok(Exit::BadInput);
            }
        },
        (None, Some(command)) => {
            let said = source::ask(command, &text, Duration::from_secs(args.timeout))?;
            match source::read(module, &said) {
                Ok(claims) => claims,
                Err(problem) => {
                    problem.show();
                    return Ok(Exit::BadInput);
                }
            }
        }
    };
    let claims: Vec<Claims> = claims.into_iter().filter(|c| functions.contains(&c.func)).collect();
    check(args, (&text.name, module), &claims, deadline)
}

fn check(
    args: &Args,
    (file, module): (&str, &Module),
    claims: &[Claims],
    deadline: Option<Instant>,
) -> miette::Result<Exit> {
    let program = Program::new(module, &Config::default());
    let solver = (!args.no_solver).then(|| SolverLimits {
        bound: args.bound,
        units: args.rlimit,
        time: Duration::from_secs(args.timeout),
        memory: args.memory,
    });
    let runs = runs::Options {
        exhaustive: args.exhaustive,
        runs: args.runs,
        seed: args.seed,
        fuel: args.fuel,
        all_fuel: args.all_fuel,
        ..runs::Options::default()
    };
    let options = Options { runs, solver, deadline };
    let pool = rayon::ThreadPoolBuilder::new().stack_size(STACK).build();
    let pool = pool.into_diagnostic().wrap_err("the threads of the checks can't be started")?;
    let reports: Vec<ClaimReport> =
        pool.install(|| claims.par_iter().map(|claims| check_claims(&program, claims, &options)).collect());
    let mut counted = Counted::default();
    let (mut text, mut lines) = (String::new(), String::new());
    for (claims, report) in claims.iter().zip(&reports) {
        let printer = Printer::new(module, claims);
        counted.add(claims, report);
        text.push_str(&printer.text(report, args.all));
        if args.all {
            text.push_str(&printer.not_read());
        }
        if args.json.is_some() {
            lines.push_str(&printer.json(file, report));
        }
    }
    text.push_str(&format!("{counted}\n"));
    let quiet = args.json.as_ref().is_some_and(|p| p.as_os_str() == "-");
    if !quiet {
        output::to_stdout(&text)?;
    }
    if let Some(path) = &args.json {
        output::write(path, &lines)?;
    }
    if counted.is_nothing() {
        output::to_stderr("error: nothing was checked: nothing was claimed, or nothing of it could be read");
    }
    Ok(counted.exit(args.max_inconclusive))
}
