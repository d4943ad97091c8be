//! `backedge scev check`: checks every claim on runs and with the solver.
//!
//! Other threads do the checks; this one reports them in order as they arrive, so that an interrupt ends the command at
//! once and loses no finished check.

use super::super::judging::check_z3;
use super::report::{Counted, Printer};
use super::source::{self, Asked};
use crate::STACK;
use crate::commands::gate::share;
use crate::commands::module::{load, select};
use crate::exit::Exit;
use crate::input::{self, Source};
use crate::interrupt::Interrupt;
use crate::output;
use crate::report::json::{JsonLines, is_on_stdout};
use backedge_claim::claim::Claims;
use backedge_interp::claims as runs;
use backedge_interp::{Config, Program};
use backedge_ir::module::Module;
use backedge_validate::claims::{ClaimReport, Options, SolverLimits, check_claims};
use miette::{IntoDiagnostic, WrapErr};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
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

/// Interval of checks for an interrupt.
const POLL: Duration = Duration::from_millis(100);

/// Runs the command.
pub(crate) fn run(args: &Args) -> miette::Result<Exit> {
    let deadline = args.file_timeout.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    if !args.no_solver {
        check_z3()?;
    }
    let inputs: Vec<PathBuf> = std::iter::once(&args.input).chain(&args.claims).cloned().collect();
    input::refuse_stdin_twice(&inputs)?;
    let json = args.json.as_deref().map(|path| JsonLines::open(path, &inputs)).transpose()?;
    let Ok((text, parsed)) = load(&args.input) else { return Ok(Exit::BadInput) };
    // The threads of the checks may still use the module when this function returns after an interrupt.
    let module: &'static Module = Box::leak(Box::new(parsed.module));
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
    check(args, (&text.name, module), claims, (deadline, json))
}

/// Checks `claims`, and reports each function as soon as all earlier ones are reported.
fn check(
    args: &Args,
    (file, module): (&str, &'static Module),
    claims: Vec<Claims>,
    (deadline, json): (Option<Instant>, Option<JsonLines<'_>>),
) -> miette::Result<Exit> {
    let claims = Arc::new(claims);
    let interrupt = Interrupt::install();
    let receiver = start(module, &claims, options(args, deadline), &interrupt)?;
    let mut reporter = Reporter {
        file,
        all: args.all,
        json,
        is_quiet: is_on_stdout(args.json.as_deref()),
        counted: Counted::default(),
    };
    let (mut waiting, mut next) = (BTreeMap::new(), 0);
    while next < claims.len() {
        match receiver.recv_timeout(POLL) {
            Ok((index, report)) => drop(waiting.insert(index, report)),
            Err(RecvTimeoutError::Timeout) if interrupt.asked() => break,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        while let Some(report) = waiting.remove(&next) {
            reporter.report(module, &claims[next], &report)?;
            next += 1;
        }
    }
    let is_finished = next == claims.len();
    for (index, report) in waiting {
        reporter.report(module, &claims[index], &report)?;
    }
    let counted = reporter.finish()?;
    if !is_finished && interrupt.asked() {
        output::to_stderr("interrupted: what is finished has been reported");
        return Ok(Exit::Interrupted);
    }
    if !is_finished {
        miette::bail!("the checks ended by a panic of this tool");
    }
    if counted.is_nothing() {
        output::to_stderr("error: nothing was checked: nothing was claimed, or nothing of it could be read");
    }
    Ok(counted.exit(args.max_inconclusive))
}

/// Starts the checks on threads of their own, which an interrupt does not wait for. Sends the position in `claims` with
/// each report.
fn start(
    module: &'static Module,
    claims: &Arc<Vec<Claims>>,
    options: Options,
    interrupt: &Interrupt,
) -> miette::Result<Receiver<(usize, ClaimReport)>> {
    let pool = rayon::ThreadPoolBuilder::new().stack_size(STACK).build();
    let pool = pool.into_diagnostic().wrap_err("the threads of the checks can't be started")?;
    let (sender, receiver) = mpsc::channel();
    let (claims, interrupt) = (claims.clone(), interrupt.clone());
    let work = move || {
        let program = Program::new(module, &Config::default());
        pool.install(|| {
            claims.par_iter().enumerate().for_each_with(sender, |sender, (index, claims)| {
                if !interrupt.asked() {
                    // A closed channel means that nobody waits for further reports.
                    let _ = sender.send((index, check_claims(&program, claims, &options)));
                }
            });
        });
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work);
    thread.map_err(|e| miette::miette!("no thread can be started: {e}"))?;
    Ok(receiver)
}

fn options(args: &Args, deadline: Option<Instant>) -> Options {
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
    Options { runs, solver, deadline }
}

/// Prints and counts reports.
struct Reporter<'a> {
    /// The name of the module's file.
    file: &'a str,
    /// Whether every claim is shown.
    all: bool,
    json: Option<JsonLines<'a>>,
    /// Whether the text is left out.
    is_quiet: bool,
    counted: Counted,
}

impl Reporter<'_> {
    fn report(&mut self, module: &Module, claims: &Claims, report: &ClaimReport) -> miette::Result<()> {
        let printer = Printer::new(module, claims);
        self.counted.add(claims, report);
        let mut text = printer.text(report, self.all);
        if self.all {
            text.push_str(&printer.not_read());
        }
        if !self.is_quiet && !text.is_empty() {
            output::to_stdout(&text)?;
        }
        match &mut self.json {
            Some(json) => json.lines(&printer.json(self.file, report)),
            None => Ok(()),
        }
    }

    /// Prints the counts and completes the outputs.
    fn finish(self) -> miette::Result<Counted> {
        if !self.is_quiet {
            output::to_stdout(&format!("{}\n", self.counted))?;
        }
        self.json.map_or(Ok(()), JsonLines::finish)?;
        Ok(self.counted)
    }
}
