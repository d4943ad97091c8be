//! Judges claims of scalar evolution: combines runs that refute or decide them with the solver's searches and proofs
//! into one verdict for each claim.
//!
//! Runs come first: they are cheap, and their refutations need no other witness. The solver gets the rest. Its
//! refutations are replayed, and count only if the run violates the claim too.

use crate::pair::Side;
use crate::replay::counterexample::{Chosen, script};
use crate::replay::translate::{Addresses, Translation};
use backedge_claim::claim::Claims;
use backedge_interp::claims::{self as runs, Checker, Report, Subject, Violation, check_run};
use backedge_interp::{Config, Machine, Program};
use backedge_smt::claims as solver;
use backedge_smt::refinement::Witness;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Effort limits.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Options of the runs.
    pub runs: runs::Options,
    /// The solver's limits; `None` disables the solver.
    pub solver: Option<SolverLimits>,
    /// Deadline; claims that are undecided then stay open.
    pub deadline: Option<Instant>,
}

/// Reason for claims left undecided by the deadline.
const LATE: &str = "out of time (--file-timeout)";

/// Limits of the solver for the claims on one function.
#[derive(Clone, Debug)]
pub struct SolverLimits {
    /// Bound of the search for runs, in backedges per entry of a loop.
    pub bound: u32,
    /// Z3's resource units.
    pub units: u64,
    /// Wall-clock limit, in addition.
    pub time: Duration,
    /// Memory limit in megabytes.
    pub memory: u32,
}

/// Result for a claim.
#[derive(Clone, PartialEq, Debug)]
pub enum Status {
    /// Holds in all runs.
    Proved {
        /// Proof method.
        by: Method,
        /// Proved only for inputs without undefined bits.
        of_defined_inputs: bool,
    },
    /// Holds in all runs with at most this many backedges per entry of a loop.
    Bounded {
        /// The bound.
        backedges: u32,
        /// Why longer runs are undecided.
        beyond: String,
        /// Why not all inputs were run although there are few.
        cut: Option<String>,
    },
    /// A run violates the claim.
    Refuted(Box<Violation>),
    /// The solver claims a violating run, but the run does not violate the claim.
    Contradiction {
        /// The solver's claim.
        text: String,
    },
    /// Undecided.
    Inconclusive {
        /// Result of the runs.
        runs: String,
        /// Why the solver did not decide, if it was asked.
        solver: Option<String>,
    },
}

/// Proof method of a claim.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Method {
    /// All inputs were run, and nothing else was left open.
    AllInputs,
    /// Solver.
    Solver(solver::Method),
}

impl Method {
    /// Short text of the method.
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
    /// Why the result is not stronger; the text depends on the reason only, not on the claim.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Bounded { beyond, .. } => Some(beyond),
            Self::Inconclusive { solver: Some(solver), .. } => Some(solver),
            Self::Inconclusive { runs, solver: None } => Some(runs),
            Self::Proved { .. } | Self::Refuted(_) | Self::Contradiction { .. } => None,
        }
    }
    /// The result of the runs, extended by the reason why the solver did not decide.
    fn add(&self, why: String) -> Self {
        match self {
            Self::Inconclusive { runs, .. } => Self::Inconclusive { runs: runs.clone(), solver: Some(why) },
            decided => decided.clone(),
        }
    }
    /// One-word description.
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

/// A claim, or a flag in one, and its result.
#[derive(Clone, PartialEq, Debug)]
pub struct ClaimResult {
    /// The claim or flag.
    pub subject: Subject,
    /// The result.
    pub status: Status,
}

/// The claims on one function and their results.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ClaimReport {
    /// One for each claim and each flag, in order.
    pub results: Vec<ClaimResult>,
    /// Number of runs.
    pub runs: usize,
    /// Why not all planned runs were made.
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

/// A report in which all claims on an unrunnable function are open.
fn not_modelled(claims: &Claims) -> ClaimReport {
    let runs = "the function is not modelled";
    let status = Status::Inconclusive { runs: runs.to_owned(), solver: None };
    let open = |subject| ClaimResult { subject, status: status.clone() };
    ClaimReport {
        results: solver::subjects(claims).into_iter().map(open).collect(),
        ..ClaimReport::default()
    }
}

/// Why planned runs are missing: not all of few inputs were run, or fewer runs than requested were made.
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

/// Asks the solver about the open claims.
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
    // The deadline may expire before the function's own time limit.
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

/// Why the solver did not decide; `late` means that its time ended with the deadline.
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

/// Result of the solver's run in the interpreter. The error is the part of the witness that could not be replayed,
/// without which the run is inconclusive.
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
        let violations = check_run(program, claims, &input, fuel, &Arc::new(script), &mut chosen);
        if let Some(violation) = violations.unwrap_or_default().into_iter().find(|v| v.subject == subject) {
            return Ok(Status::Refuted(Box::new(violation)));
        }
        lacks = lacks.or(translation.left_out.map(|what| format!("without {what}")));
    }
    match lacks.or_else(|| approximated.then(|| "without what the model approximates".to_owned())) {
        Some(lacks) => Err(lacks),
        None => Ok(Status::Contradiction { text: crate::replay::counterexample::describe(witness) }),
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
