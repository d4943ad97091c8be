//! Stage: a proof for all iterations, attempted if the bounded check finds nothing up to its bound.

use super::bounded::assumption;
use super::{Earlier, SoFar, Stage, Step};
use crate::pair::cycles::has_loop;
use crate::pair::{Sides, as_ref};
use crate::verdict::{Assumption, Method, Options, Reason, Verdict};
use backedge_smt::proof::{self, Certificate, Outcome};
use serde::{Deserialize, Serialize};

/// The stage.
pub(crate) struct Proof;

/// Result of an attempted proof.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Attempt {
    /// The proof, or why there is none.
    proved: Result<FoundProof, String>,
    /// Z3's resource units.
    units: u64,
}

/// A proof.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct FoundProof {
    assumed: Vec<Assumption>,
    certificate: Box<Certificate>,
}

impl Stage for Proof {
    type Answer = Attempt;

    fn name(&self) -> &'static str {
        "proof"
    }
    /// A proof would be stronger than an open verdict of the bounded check.
    fn wanted(&self, so_far: &SoFar, options: &Options) -> bool {
        options.induction && so_far.is_open()
    }
    fn asks_solver(&self) -> bool {
        true
    }
    fn may_begin_early(&self, Sides { source, target }: Sides<'_>, options: &Options) -> bool {
        options.induction && (has_loop(source) || has_loop(target))
    }
    fn run(&self, Sides { source, target }: Sides<'_>, _: &Earlier, options: &Options) -> Attempt {
        let report = proof::prove(as_ref(source), as_ref(target), &limits(options));
        let proved = match report.outcome {
            Outcome::Refines(proved) => Ok(FoundProof {
                assumed: proved.assumed().iter().cloned().map(assumption).collect(),
                certificate: Box::new(proved.into_certificate()),
            }),
            Outcome::NotProved(why) => Err(why),
        };
        Attempt { proved, units: report.cost.units }
    }
    fn fold(&self, so_far: SoFar, Attempt { proved, units }: Attempt) -> Step {
        let unproved = match proved {
            // A counterexample that needs an undef input stays open.
            Ok(FoundProof { assumed, .. })
                if needs_undef_input(&so_far) && assumed.contains(&Assumption::NoUndefInputs) =>
            {
                "it is proved, if no input is undef".to_owned()
            }
            Ok(FoundProof { assumed, certificate }) => {
                let verdict = Verdict::RefinesAll { method: Method::Induction, assumed };
                let so_far = so_far.with_verdict(verdict, units);
                return Step::Continue(SoFar { certificate: Some(certificate), ..so_far });
            }
            Err(why) => why,
        };
        Step::Continue(SoFar { unproved: Some(unproved), ..so_far.with_units(units) })
    }
    fn at_limit(&self, so_far: SoFar, reason: Reason) -> Step {
        self.fold(so_far, Attempt { proved: Err(reason.to_string()), units: 0 })
    }
}

/// Whether the solver found an undef input that may refute the pair.
fn needs_undef_input(so_far: &SoFar) -> bool {
    matches!(so_far.verdict(), Some(Verdict::Inconclusive { reason: Reason::UndefInput { .. } }))
}

/// The limits of a proof.
pub(crate) fn limits(options: &Options) -> proof::Options {
    proof::Options {
        units: u64::from(options.rlimit),
        time: options.timeout,
        memory: options.memory_mb,
        uninit: options.uninit,
        undef_inputs: options.undef_inputs,
        poison_inputs: options.poison_inputs,
    }
}
