//! What becomes of claims of scalar evolution: runs that refute or decide them, and the solver's proofs, in one verdict
//! for each.

use backedge_claim::claim::Claims;
use backedge_interp::Program;
use backedge_interp::claims::{self as runs, Checker, Report, Subject, Violation};
use std::fmt;

pub use backedge_interp::claims::Options;

/// What became of a claim.
#[derive(Clone, PartialEq, Debug)]
pub enum Status {
    /// It holds in all runs.
    Proved {
        /// How that is known.
        by: Method,
    },
    /// It holds in all runs that take at most so many backedges per entry of a loop.
    Bounded {
        /// The bound.
        backedges: u32,
    },
    /// A run shows that it is wrong.
    Refuted(Box<Violation>),
    /// Neither.
    Inconclusive {
        /// Why.
        reason: String,
    },
}

/// How a claim was proved.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Method {
    /// All inputs were run, and nothing else was left open.
    AllInputs,
}

impl Status {
    /// A word for it.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Proved { .. } => "proved",
            Self::Bounded { .. } => "bounded",
            Self::Refuted(_) => "refuted",
            Self::Inconclusive { .. } => "inconclusive",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Proved { by: Method::AllInputs } => f.write_str("proved (all inputs were run)"),
            Self::Bounded { backedges } => write!(f, "holds up to {backedges} backedges"),
            Self::Refuted(violation) if violation.hidden => {
                f.write_str("refuted (where no value that it speaks of shows it)")
            }
            Self::Refuted(_) => f.write_str("refuted"),
            Self::Inconclusive { reason } => write!(f, "open ({reason})"),
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
}

/// Checks the claims on a function of `program`.
pub fn check_claims(program: &Program<'_>, claims: &Claims, options: &Options) -> ClaimReport {
    let Some(checker) = Checker::new(program, claims) else { return ClaimReport::default() };
    let report = runs::check(program, claims, options);
    let one = |(number, subject): (usize, &Subject)| {
        let status = match &report {
            Some(report) => by_runs(report, number, *subject),
            None => Status::Inconclusive { reason: "its inputs are not modelled".to_owned() },
        };
        ClaimResult { subject: *subject, status }
    };
    ClaimReport {
        results: checker.subjects().iter().enumerate().map(one).collect(),
        runs: report.as_ref().map_or(0, |r| r.runs),
    }
}

fn by_runs(report: &Report, number: usize, subject: Subject) -> Status {
    if let Some(violation) = report.violations.iter().find(|v| v.subject == subject) {
        return Status::Refuted(Box::new(violation.clone()));
    }
    if report.decides() {
        return Status::Proved { by: Method::AllInputs };
    }
    let tested = report.tested.get(number).copied().unwrap_or(0);
    let reason = match tested {
        0 if report.conclusive == 0 => "no run ended without undefined behaviour".to_owned(),
        0 => format!("none of {} runs puts it to the test", report.conclusive),
        _ => format!("{} runs do not refute it", report.conclusive),
    };
    Status::Inconclusive { reason }
}
