//! Conditions of verdicts: a verdict that may depend on facts that neither engine models becomes inconclusive, or names
//! the facts as assumptions.

use super::callees;
use super::doubt::doubt;
use super::obstacle::Obstacle;
use crate::pair::{Side, as_ref};
use crate::verdict::{Assumption, Method, Reason, Report, Verdict};
use backedge_smt::promises::{self, pads};

/// The verdict, made inconclusive or conditional if it may depend on facts that neither engine models.
pub(crate) fn qualified(verdict: Verdict, source: Side<'_>, target: Side<'_>) -> Verdict {
    match verdict {
        Verdict::Refuted(refutation) => match doubt(source, target, &refutation) {
            Some(why) => {
                let what = format!("a run that fails ({}) {why}", refutation.failure);
                Verdict::Inconclusive { reason: Reason::Approximation { what } }
            }
            None => Verdict::Refuted(refutation),
        },
        Verdict::RefinesAll { .. } | Verdict::RefinesUpTo { .. } => {
            let all_run = matches!(verdict, Verdict::RefinesAll { method: Method::ExhaustiveRuns, .. });
            if let Some(what) = pads::differ(as_ref(source), as_ref(target)) {
                let (feature, place) = (what.to_owned(), format!("the target @{}", target.name()));
                return Verdict::Inconclusive { reason: Reason::Unsupported { feature, place } };
            }
            let mut more = promises::beyond(as_ref(source), as_ref(target));
            let all_paths = matches!(verdict, Verdict::RefinesAll { method: Method::AllPaths, .. });
            // The bounded check assumes promises about writes that it does not verify.
            let by_bound = all_paths || matches!(verdict, Verdict::RefinesUpTo { .. });
            let is_shown = |p: &promises::Promised| {
                all_run && p.by_runs || all_paths && p.by_paths || by_bound && p.by_writes
            };
            more.retain(|p| !is_shown(p));
            if let Some(promise) = more.iter().find(|p| p.claim.is_none()) {
                return Verdict::Inconclusive { reason: too_much(promise, target) };
            }
            let verdict = verdict.assuming(more.into_iter().filter_map(|p| p.claim).collect());
            // Runs execute the callees.
            if all_run { verdict } else { if_callees_refine(verdict, source, target) }
        }
        Verdict::RefutedByUndef { refutation, otherwise } => {
            let otherwise = qualified(*otherwise, source, target);
            match qualified(Verdict::Refuted(refutation), source, target) {
                Verdict::Refuted(refutation) => Verdict::by_undef(refutation, otherwise),
                open => open,
            }
        }
        Verdict::Vacuous { .. } | Verdict::Inconclusive { .. } | Verdict::InternalError(_) => verdict,
    }
}

/// The report with [`qualified`] verdict.
pub(crate) fn qualified_report(report: Report, source: Side<'_>, target: Side<'_>) -> Report {
    report.map(|verdict| qualified(verdict, source, target))
}

/// Solver verdicts on a pair depend on its callees: every callee that the modules define differently has to refine too.
fn if_callees_refine(mut verdict: Verdict, source: Side<'_>, target: Side<'_>) -> Verdict {
    let callees = callees::differing(source, target);
    if let Some(obstacle) = callees.obstacle {
        return Verdict::Inconclusive { reason: unsaid(&obstacle, target) };
    }
    if let Verdict::RefinesAll { assumed, .. } | Verdict::RefinesUpTo { assumed, .. } = &mut verdict
        && !callees.changed.is_empty()
    {
        let assumption = Assumption::Callees(callees.changed);
        if !assumed.contains(&assumption) {
            assumed.push(assumption);
        }
    }
    verdict
}

/// The reason for a target with a promise that its source does not make.
pub(crate) fn too_much(promise: &promises::Promised, target: Side<'_>) -> Reason {
    Reason::Unsupported { feature: promise.to_string(), place: format!("the target @{}", target.name()) }
}

/// The reason for a pair that an obstacle makes undecidable.
pub(crate) fn unsaid(obstacle: &Obstacle, target: Side<'_>) -> Reason {
    Reason::Unsupported { feature: obstacle.to_string(), place: format!("the target @{}", target.name()) }
}
