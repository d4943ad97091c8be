//! Checks the promises of an accepted target on runs, and that a refutation needs no input that the options exclude.
//! Wraps the list of stages: it sees the final report.

use crate::pair::Side;
use crate::replay::target_promises;
use crate::verdict::witness::Refutation;
use crate::verdict::{Method, Options, Reason, Report, Verdict};

/// The report, made inconclusive if it accepts a target that breaks a promise on a run.
pub(crate) fn check_promises(
    report: Report,
    source: Side<'_>,
    target: Side<'_>,
    options: &Options,
) -> Report {
    report.map(|verdict| {
        let verdict = without_poison_inputs(verdict, options);
        let (accepted, refuted) = match verdict {
            Verdict::RefutedByUndef { refutation, otherwise } => (*otherwise, Some(refutation)),
            verdict => (verdict, None),
        };
        let verdict = without_broken_promises(accepted, source, target, options);
        match refuted {
            Some(refutation) => Verdict::by_undef(refutation, verdict),
            None => verdict,
        }
    })
}

/// The verdict, made inconclusive if it is a refutation by poison inputs that the options exclude. The stages try no
/// such inputs; a counterexample of the solver may still have poison in bytes that its query leaves open.
fn without_poison_inputs(verdict: Verdict, options: &Options) -> Verdict {
    let is_excluded = |refutation: &Refutation| !options.poison_inputs && refutation.case.has_poison_input();
    match verdict {
        Verdict::Refuted(refutation) if is_excluded(&refutation) => {
            let what = format!(
                "a run that fails ({}) has a poison input, which is assumed not to occur",
                refutation.failure
            );
            Verdict::Inconclusive { reason: Reason::Approximation { what } }
        }
        Verdict::RefutedByUndef { refutation, otherwise } if is_excluded(&refutation) => *otherwise,
        verdict => verdict,
    }
}

fn without_broken_promises(
    accepted: Verdict,
    source: Side<'_>,
    target: Side<'_>,
    options: &Options,
) -> Verdict {
    let may_break = match &accepted {
        Verdict::RefinesAll { method, .. } => !matches!(method, Method::Identical),
        Verdict::RefinesUpTo { .. } => true,
        _ => false,
    };
    match may_break.then(|| target_promises::check(source, target, options).broken).flatten() {
        Some(broken) => {
            let what = format!("a run of the target breaks a promise that the source keeps: {broken}");
            Verdict::Inconclusive { reason: Reason::Approximation { what } }
        }
        None => accepted,
    }
}
