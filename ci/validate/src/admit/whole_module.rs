//! Verdicts on an extracted pair that the rest of the modules contradicts: code outside of the pair may call it, and
//! may use its internal variables.

use super::qualified::unsaid;
use super::recursion;
use super::variable_doubts::doubtful_variable;
use crate::pair::{Side, Sides};
use crate::verdict::{Method, Reason, Report, Verdict};
use std::sync::Arc;

/// The report on a pair that was extracted from its modules, unless the rest of the modules contradicts it.
pub(crate) fn in_whole_module(report: Report, Sides { source, target }: Sides<'_>, cut: Side<'_>) -> Report {
    match &report.verdict {
        Verdict::RefinesAll { method: Method::Identical, .. } => report,
        Verdict::RefinesAll { .. } | Verdict::RefinesUpTo { .. } => {
            match recursion::speculated_in_module(source, target, cut) {
                Some(obstacle) => {
                    let reason = unsaid(&obstacle, target);
                    report.map(|_| Verdict::Inconclusive { reason })
                }
                None => report,
            }
        }
        Verdict::RefutedByUndef { refutation, otherwise } => {
            let of_otherwise = Report::new(Verdict::clone(otherwise));
            let otherwise = in_whole_module(of_otherwise, Sides { source, target }, cut).verdict;
            let refutation = refutation.clone();
            report.map(|_| Verdict::by_undef(refutation, otherwise))
        }
        Verdict::Refuted(_)
        | Verdict::Vacuous { .. }
        | Verdict::Inconclusive { .. }
        | Verdict::InternalError(_) => report,
    }
}

/// The report, unless its failing run depends on an internal variable in a way that the rest of the module rules out.
pub(crate) fn excused_by_variables(report: Report, sides: Sides<'_>, names: &[Arc<str>]) -> Report {
    let Some(refutation) = report.verdict.refutation() else { return report };
    let Some(name) = doubtful_variable(sides, names, refutation) else { return report };
    let failure = refutation.failure;
    report.map(|verdict| match verdict {
        Verdict::RefutedByUndef { otherwise, .. } => *otherwise,
        _ => {
            let what = format!(
                "a run that fails ({failure}) depends on what else the module does with the internal \
                 variable @{name}"
            );
            Verdict::Inconclusive { reason: Reason::Approximation { what } }
        }
    })
}
