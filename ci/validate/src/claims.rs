//! What becomes of claims of scalar evolution: runs that refute or decide them, and the solver's searches and proofs, in
//! one verdict for each.
//!
//! Runs come first: they are cheap, and what they refute needs no other witness. The rest goes to the solver. What it
//! refutes is run again, and counts only if the run violates the claim too.

use crate::check::Side;
use crate::replay::{Chosen, script};
use crate::translate::{Addresses, Translation};
use backedge_claim::claim::Claims;
use backedge_interp::claims::{self as runs, Checker, Report, Subject, Violation, check_run};
use backedge_interp::{Config, Machine, Program};
use backedge_smt::claims as solver;
use backedge_smt::refinement::Witness;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How hard to try.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Runs.
    pub runs: runs::Options,
    /// The solver's limits; without them it is not asked.
    pub solver: Option<SolverLimits>,
    /// When to stop: what is not decided then stays open.
    pub deadline: Option<Instant>,
}

/// Why what comes behind the deadline is not decided.
const LATE: &str = "out of time (--file-timeout)";

/// Limits of the solver for the claims on one function.
#[derive(Clone, Debug)]
pub struct SolverLimits {
    /// Backedges per entry of a loop in runs that are looked for.
    pub bound: u32,
    /// Z3's resource units.
    pub units: u64,
    /// Wall-clock time, on top.
    pub time: Duration,
    /// Megabytes.
    pub memory: u32,
}

/// What became of a claim.
#[derive(Clone, PartialEq, Debug)]
pub enum Status {
    /// It holds in all runs.
    Proved {
        /// How that is known.
        by: Method,
        /// It is known of inputs without undefined bits only.
        of_defined_inputs: bool,
    },
    /// It holds in all runs that take at most so many backedges per entry of a loop.
    Bounded {
        /// The bound.
        backedges: u32,
        /// Why nothing is known of the others.
        beyond: String,
        /// Why not all inputs were run, though they are few.
        cut: Option<String>,
    },
    /// A run shows that it is wrong.
    Refuted(Box<Violation>),
    /// The solver says that a run shows it wrong, and that run does not.
    Contradiction {
        /// What it said.
        text: String,
    },
    /// Neither.
    Inconclusive {
        /// What runs showed.
        runs: String,
        /// Why the solver did not decide, if it was asked.
        solver: Option<String>,
    },
}

/// How a claim was proved.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Method {
    /// All inputs were run, and nothing else was left open.
    AllInputs,
    /// By the solver.
    Solver(solver::Method),
}

impl Method {
    /// How, in a few words.
    pub fn words(self) -> &'static str {
        match self {
            Self::AllInputs => "all inputs were run",
            Self::Solver(solver::Method::SaysNothing) => "it says nothing",
            Self::Solver(solver::Method::Unrolled) => "no run passes the bound",
            Self::Solver(solver::Method::BeforeLoops) => "it comes before any loop",
            Self::Solver(solver::Method::Induction) => "by induction",
        }
    }
}

impl Status {
    /// Why not more is known: the same words for the same reason, whatever the claim.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Bounded { beyond, .. } => Some(beyond),
            Self::Inconclusive { solver: Some(solver), .. } => Some(solver),
            Self::Inconclusive { runs, solver: None } => Some(runs),
            Self::Proved { .. } | Self::Refuted(_) | Self::Contradiction { .. } => None,
        }
    }
    /// What runs showed, with why the solver did not decide.
    fn add(&self, why: String) -> Self {
        match self {
            Self::Inconclusive { runs, .. } => Self::Inconclusive { runs: runs.clone(), solver: Some(why) },
            decided => decided.clone(),
        }
    }
    /// A word for it.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Proved { .. } => "proved",
            Self::Bounded { .. } => "bounded",
            Self::Refuted(_) => "refuted",
            Self::Contradiction { .. } => "internal error",
            Self::Inconclusive { .. } => "inconclusive",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Proved { by, of_defined_inputs } => {
                let of = if *of_defined_inputs { ", of inputs without undefined bits" } else { "" };
                write!(f, "proved ({}{of})", by.words())
            }
            Self::Contradiction { text } => {
                write!(f, "internal error: the solver's run does not violate it: {text}")
            }
            Self::Bounded { backedges, cut: None, .. } => write!(f, "holds up to {backedges} backedges"),
            Self::Bounded { backedges, cut: Some(cut), .. } => {
                write!(f, "holds up to {backedges} backedges ({cut})")
            }
            Self::Refuted(violation) if violation.hidden => {
                f.write_str("refuted (where no value that it speaks of shows it)")
            }
            Self::Refuted(_) => f.write_str("refuted"),
            Self::Inconclusive { runs, solver: Some(solver) } => {
                write!(f, "open ({runs}; the solver: {solver})")
            }
            Self::Inconclusive { runs, solver: None } => write!(f, "open ({runs})"),
        }
    }
}

/// A claim, or a flag in one, and what became of it.
#[derive(Clone, PartialEq, Debug)]
pub struct ClaimResult {
    /// What was claimed.
    pub subject: Subject,
    /// What became of it.
    pub status: Status,
}

/// The claims on one function and what became of them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ClaimReport {
    /// One for each claim and each flag, in order.
    pub results: Vec<ClaimResult>,
    /// How many runs there were.
    pub runs: usize,
    /// Why they were not all that should have been made.
    pub cut: Option<String>,
}

/// Checks the claims on a function of `program`.
pub fn check_claims(program: &Program<'_>, claims: &Claims, options: &Options) -> ClaimReport {
    let Some(checker) = Checker::new(program, claims) else { return not_modelled(claims) };
    let of_runs = runs::Options { deadline: options.deadline, ..options.runs.clone() };
    let report = runs::check(program, claims, &of_runs);
    let one = |(number, subject): (usize, &Subject)| {
        let status = match &report {
            Some(report) => by_runs(report, number, *subject),
            None => Status::Inconclusive { runs: "its inputs are not modelled".to_owned(), solver: None },
        };
        ClaimResult { subject: *subject, status }
    };
    let mut results: Vec<ClaimResult> = checker.subjects().iter().enumerate().map(one).collect();
    let cut = report.as_ref().and_then(cut_short);
    if let Some(limits) = &options.solver {
        ask_solver(program, claims, (limits, options), &mut results);
    }
    for result in &mut results {
        if let Status::Bounded { cut: of_runs, .. } = &mut result.status {
            of_runs.clone_from(&cut);
        }
    }
    ClaimReport { results, runs: report.as_ref().map_or(0, |r| r.runs), cut }
}

/// All claims on a function that can't be run: open.
fn not_modelled(claims: &Claims) -> ClaimReport {
    let runs = "the function is not modelled";
    let status = Status::Inconclusive { runs: runs.to_owned(), solver: None };
    let open = |subject| ClaimResult { subject, status: status.clone() };
    ClaimReport {
        results: solver::subjects(claims).into_iter().map(open).collect(),
        ..ClaimReport::default()
    }
}

/// Why runs were not made that should have been: not all inputs, though these are few, or not the number asked for.
fn cut_short(report: &Report) -> Option<String> {
    let why = match report.stopped? {
        runs::Stop::Fuel => "steps of all runs used up (--all-fuel)",
        runs::Stop::Time => LATE,
    };
    match report.inputs {
        Some(all) if report.runs >= all => None,
        Some(all) => Some(format!("only {} of {all} inputs were run: {why}", report.runs)),
        None => Some(format!("only {} runs: {why}", report.runs)),
    }
}

/// Asks the solver about what is open.
fn ask_solver(
    program: &Program<'_>,
    claims: &Claims,
    (limits, options): (&SolverLimits, &Options),
    results: &mut [ClaimResult],
) {
    let fuel = options.runs.fuel;
    let open = |r: &&mut ClaimResult| matches!(r.status, Status::Inconclusive { .. });
    let mut open: Vec<&mut ClaimResult> = results.iter_mut().filter(open).collect();
    let subjects: Vec<Subject> = open.iter().map(|r| r.subject).collect();
    if subjects.is_empty() {
        return;
    }
    let left = options.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
    if left.is_some_and(|left| left.is_zero()) {
        open.iter_mut().for_each(|result| result.status = result.status.add(LATE.to_owned()));
        return;
    }
    // The deadline may come before the function's own time is over.
    let late = left.is_some_and(|left| left < limits.time);
    let why = |reason: &solver::Reason| why(reason, late);
    let options = solver::ClaimOptions {
        bound: limits.bound,
        units: limits.units,
        time: left.map_or(limits.time, |left| left.min(limits.time)),
        memory: limits.memory,
        ..solver::ClaimOptions::default()
    };
    let report = solver::check_claims(program.module(), claims, &subjects, &options);
    let approximated = !report.approximations.is_empty();
    for (result, found) in open.iter_mut().zip(report.verdicts) {
        let status = match found.verdict {
            solver::Verdict::Proved(how) => Status::Proved {
                by: Method::Solver(how),
                of_defined_inputs: report.assumes_no_undef_inputs && how != solver::Method::SaysNothing,
            },
            solver::Verdict::Bounded { bound, beyond } => {
                Status::Bounded { backedges: bound, beyond: why(&beyond), cut: None }
            }
            solver::Verdict::Refuted { witness, .. } => {
                match replayed(program, claims, (result.subject, fuel), &witness, approximated) {
                    Ok(status) => status,
                    Err(lacks) => {
                        let why = format!("its run that violates the claim could not be repeated: {lacks}");
                        result.status.add(why)
                    }
                }
            }
            solver::Verdict::Inconclusive(reason) => result.status.add(why(&reason)),
        };
        result.status = status;
    }
}

/// Why the solver did not decide; `late` says that its time ended with the deadline.
fn why(reason: &solver::Reason, late: bool) -> String {
    use backedge_smt::refinement::Reason as Model;
    use backedge_smt::solver::UnknownReason as Unknown;
    let unknown = |unknown: &Unknown| match unknown {
        Unknown::Units => "budget used up (--rlimit)".to_owned(),
        Unknown::Time if late => LATE.to_owned(),
        Unknown::Time => "out of time (--timeout)".to_owned(),
        Unknown::Memory => "out of memory (--memory)".to_owned(),
        Unknown::Rounds => "too many rounds of instantiation".to_owned(),
        Unknown::Terms => "the formula is too large".to_owned(),
        Unknown::Other(words) => words.clone(),
    };
    match reason {
        solver::Reason::Claim(what) => format!("not modelled: {what}"),
        solver::Reason::Solver(reason) => unknown(reason),
        solver::Reason::NotInductive => "not inductive".to_owned(),
        solver::Reason::NotAsked => "no proof was asked for".to_owned(),
        solver::Reason::Model(reason) => match reason {
            Model::Mismatch(mismatch) => mismatch.to_string(),
            Model::Unsupported(unsupported) => format!("not modelled: {}", unsupported.feature),
            Model::Solver(_, reason) => unknown(reason),
            Model::Broken(error) => error.to_string(),
            Model::PastBound { bound } => format!("no defined run within {bound} backedges"),
            Model::UndefChosenOnce => "undefined bits are chosen once for all uses".to_owned(),
            Model::PartlyUndefPointer => "some bits of a loaded pointer are undefined".to_owned(),
            Model::TooLarge { .. } => unknown(&Unknown::Terms),
            Model::Time => unknown(&Unknown::Time),
        },
    }
}

/// What the solver's run does in the interpreter; or what it was not given there, and shows nothing without.
fn replayed(
    program: &Program<'_>,
    claims: &Claims,
    (subject, fuel): (Subject, u64),
    witness: &Witness,
    approximated: bool,
) -> Result<Status, String> {
    let side = Side { module: program.module(), func: claims.func };
    let config = Config { fuel, max_bytes: 1 << 24, ..Config::default() };
    let mut lacks: Option<String> = None;
    for addresses in [Addresses::Any, Addresses::Congruent, Addresses::OfModel] {
        let mut translation = Translation::new(witness, side, addresses);
        let input = translation.input();
        let mut machine = Machine::new(program, config.clone());
        let script = script(&mut machine, side, &input, (witness, 0, &mut translation));
        let script = script.unwrap_or_else(|why| {
            lacks.get_or_insert(why);
            Vec::new()
        });
        let mut chosen = Chosen::new(&witness.choices[0]);
        let violations = check_run(program, claims, (&input, fuel), &Arc::new(script), &mut chosen);
        if let Some(violation) = violations.unwrap_or_default().into_iter().find(|v| v.subject == subject) {
            return Ok(Status::Refuted(Box::new(violation)));
        }
        lacks = lacks.or(translation.left_out.map(|what| format!("without {what}")));
    }
    match lacks.or_else(|| approximated.then(|| "without what the model approximates".to_owned())) {
        Some(lacks) => Err(lacks),
        None => Ok(Status::Contradiction { text: crate::replay::describe(witness) }),
    }
}

fn by_runs(report: &Report, number: usize, subject: Subject) -> Status {
    if let Some(violation) = report.violations.iter().find(|v| v.subject == subject) {
        return Status::Refuted(Box::new(violation.clone()));
    }
    if report.decides() {
        return Status::Proved { by: Method::AllInputs, of_defined_inputs: true };
    }
    let tested = report.tested.get(number).copied().unwrap_or(0);
    let runs = match tested {
        0 if report.conclusive == 0 => "no run ended without undefined behaviour".to_owned(),
        0 => format!("none of {} runs puts it to the test", report.conclusive),
        _ => format!("{} runs do not refute it", report.conclusive),
    };
    let runs = match cut_short(report) {
        Some(cut) => format!("{runs}; {cut}"),
        None => runs,
    };
    Status::Inconclusive { runs, solver: None }
}
