//! Checks the promises of an accepted target on runs. Wraps the list of stages: it sees the final report.

use crate::pair::Side;
use crate::replay::target_promises;
use crate::verdict::{Method, Options, Reason, Report, Verdict};

/// The report, made inconclusive if it accepts a target that breaks a promise on a run.
pub(crate) fn check_promises(
    report: Report,
    source: Side<'_>,
    target: Side<'_>,
    options: &Options,
) -> Report {
    report.map(|verdict| {
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
