//! The portfolio's last engine: a proof for all iterations, where the bounded check has found nothing up to its bound.

use crate::bounded::{as_ref, assumption, uninit};
use crate::check::{Options, Side};
use crate::verdict::{Method, Reason, Verdict};
use backedge_smt::unbounded::{self, Outcome};

/// The part of the budget that a proof may take. What can be proved mostly is with a tenth of the budget.
const PART: u32 = 2;

/// `verdict`, or a better one if the pair is proved for all iterations; and the units that the attempt took.
pub(crate) fn improve(
    source: Side<'_>,
    target: Side<'_>,
    options: &Options,
    verdict: Verdict,
) -> (Verdict, u64) {
    let open = match &verdict {
        Verdict::RefinesUpTo { .. } => true,
        Verdict::Inconclusive { reason } => matches!(
            reason,
            Reason::Time { .. }
                | Reason::Budget { .. }
                | Reason::Memory { .. }
                | Reason::PastBound { .. }
                | Reason::Solver { .. }
        ),
        Verdict::RefinesAll { .. }
        | Verdict::Refuted(_)
        | Verdict::Vacuous { .. }
        | Verdict::InternalError(_) => false,
    };
    if !open || !options.induction {
        return (verdict, 0);
    }
    let limits = unbounded::Options {
        units: u64::from(options.rlimit / PART),
        time: options.timeout,
        memory: options.memory_mb,
        uninit: uninit(options),
    };
    let report = unbounded::prove(as_ref(source), as_ref(target), &limits);
    let verdict = match report.outcome {
        Outcome::Refines { assumed, .. } => {
            let assumed = assumed.into_iter().map(assumption).collect();
            Verdict::RefinesAll { method: Method::Induction, assumed }
        }
        Outcome::NotProved(_) => verdict,
    };
    (verdict, report.cost.units)
}
