//! What scalar evolution claims of a function holds on runs, whatever it was asked first.
//!
//! There is no excuse for our own claims: a flag that is wrong by its definition counts even where no value shows it.

use backedge_analysis::Analyses;
use backedge_claim::text::Describer;
use backedge_interp::claims::{Options as Runs, Subject, Violation};
use backedge_interp::{Config, Program};
use backedge_ir::entity::FuncId;
use backedge_ir::module::Module;
use backedge_scev::ScalarEvolution;
use backedge_scev::claims::Order;
use backedge_validate::claims::{Options, Status, check_claims};
use std::fmt;

/// A claim that a run refutes.
#[derive(Clone, PartialEq, Debug)]
pub struct WrongClaim {
    /// What was asked first; `None` for what is claimed when all is settled.
    pub order: Option<Order>,
    /// The claim in words.
    pub claim: String,
    /// The run.
    pub violation: Box<Violation>,
}

impl fmt::Display for WrongClaim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { order, claim, violation } = self;
        match order {
            Some(order) => write!(f, "asked {order:?}: ")?,
            None => write!(f, "settled: ")?,
        }
        let Violation { evidence, at, input, environment, outcome, .. } = &**violation;
        write!(f, "{claim}: {evidence} at {at:?}, on ({input}), {environment:?}, {}", outcome.name())
    }
}

/// What runs showed of claims that they do not refute.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Seen {
    /// Claims.
    pub claims: usize,
    /// Those of them that runs put to the test.
    pub tested: usize,
}

/// Runs `func` and looks at what is claimed of it, settled and as asked in `order`.
pub fn check(module: &Module, func: FuncId, order: Order, runs: &Runs) -> Result<Seen, WrongClaim> {
    let Some(body) = module.body(func) else { return Ok(Seen::default()) };
    let analyses = Analyses::of(func);
    let mut as_asked = ScalarEvolution::new(analyses.at(&module.env, body));
    let on_the_way = as_asked.claims_as_asked(func, order);
    let settled = as_asked.claims(func);
    let program = Program::new(module, &Config::default());
    // Scalar evolution takes what is loaded for one value, as LLVM does; of undef in memory a run sees another at each use.
    let runs = Runs { fixed_loads: true, ..runs.clone() };
    let mut seen = Seen::default();
    for (order, claims) in [(Some(order), on_the_way), (None, settled)] {
        let options = Options { runs: runs.clone(), solver: None, deadline: None };
        let report = check_claims(&program, &claims, &options);
        seen.claims += report.results.len();
        for result in report.results {
            match result.status {
                Status::Refuted(violation) => {
                    let describer = Describer::new(&module.env, body, &claims);
                    let claim = words(&describer, result.subject);
                    return Err(WrongClaim { order, claim, violation });
                }
                Status::Inconclusive { runs, .. } => {
                    seen.tested += usize::from(runs.contains("do not refute"));
                }
                Status::Proved { .. } | Status::Bounded { .. } | Status::Contradiction { .. } => {
                    seen.tested += 1;
                }
            }
        }
    }
    Ok(seen)
}

fn words(describer: &Describer<'_, '_>, subject: Subject) -> String {
    match subject {
        Subject::Claim(index) => describer.claim(index),
        Subject::Flag(flag) => describer.flag(flag),
    }
}
