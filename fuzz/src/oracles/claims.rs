//! Claims of scalar evolution about a function hold on runs, in whatever order they were queried.
//!
//! There are no exceptions: a flag that is wrong by its definition counts even if no value reveals it.

use super::{Evidence, FunctionCase, Judge, Label, Oracle};
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

/// The oracle.
pub struct Claims;

/// The salt of the query order.
const ORDER_SALT: u64 = 12;
/// The salt of the runs.
const RUNS_SALT: u64 = 13;

impl Oracle for Claims {
    fn question(&self) -> &'static str {
        "do claims of scalar evolution hold on runs?"
    }
    fn judge(&self) -> Judge {
        Judge::Function(|case| {
            check(case.module, case.func, order(case), &runs(case))?;
            Ok(())
        })
    }
    fn share(&self) -> f64 {
        0.25
    }
}

fn order(case: &FunctionCase<'_>) -> Order {
    const ORDERS: [Order; 3] = [Order::Forwards, Order::Backwards, Order::CountsFirst];
    ORDERS[((case.number)(ORDER_SALT) % 3) as usize]
}

fn runs(case: &FunctionCase<'_>) -> Runs {
    let seed = (case.number)(RUNS_SALT);
    Runs { exhaustive: 1 << 6, runs: 20, seed, fuel: 2_000, all_fuel: 40_000, ..Runs::default() }
}

/// A claim that a run refutes.
#[derive(Clone, PartialEq, Debug)]
pub struct WrongClaim {
    /// The query order; `None` for the claims after all queries.
    pub order: Option<Order>,
    /// The claim in words.
    pub claim: String,
    /// The run that violates the claim.
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

impl Evidence for WrongClaim {
    fn label(&self) -> Label {
        Label::of("wrong-claim").with_words(&*self.claim)
    }
}

/// Statistics of claims that no run refutes.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Seen {
    /// Number of claims.
    pub claims: usize,
    /// Claims that runs tested.
    pub tested: usize,
}

/// Runs `func` and checks the claims about it, both as first answered in `order` and after all queries.
pub fn check(module: &Module, func: FuncId, order: Order, runs: &Runs) -> Result<Seen, WrongClaim> {
    let Some(body) = module.body(func) else { return Ok(Seen::default()) };
    let analyses = Analyses::of(func);
    let mut as_asked = ScalarEvolution::new(analyses.at(&module.env, body));
    let on_the_way = as_asked.claims_unsettled(func, order);
    let settled = as_asked.claims(func);
    let program = Program::new(module, &Config::default());
    // Scalar evolution treats a loaded value as one value, as LLVM does; a run may read undef from memory and see a
    // different value at each use.
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
