//! The portfolio's last engine: a proof for all iterations, where the bounded check has found nothing up to its bound.

use crate::bounded::{as_ref, assumption, uninit};
use crate::check::{Options, Side};
use crate::verdict::{Method, Reason, Verdict};
use backedge_smt::unbounded::{self, Outcome};

/// What came of an attempt.
pub(crate) struct Improved {
    /// The verdict, better or not.
    pub(crate) verdict: Verdict,
    /// The units that it took.
    pub(crate) units: u64,
    /// Why there is no proof, if one was looked for.
    pub(crate) unproved: Option<String>,
}

/// `verdict`, or a better one if the pair is proved for all iterations.
pub(crate) fn improve(source: Side<'_>, target: Side<'_>, options: &Options, verdict: Verdict) -> Improved {
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
        return Improved { verdict, units: 0, unproved: None };
    }
    let limits = unbounded::Options {
        units: u64::from(options.rlimit),
        time: options.timeout,
        memory: options.memory_mb,
        uninit: uninit(options),
    };
    let report = unbounded::prove(as_ref(source), as_ref(target), &limits);
    let (verdict, unproved) = match report.outcome {
        Outcome::Refines { assumed, .. } => {
            let assumed = assumed.into_iter().map(assumption).collect();
            (Verdict::RefinesAll { method: Method::Induction, assumed }, None)
        }
        Outcome::NotProved(why) => (verdict, Some(why)),
    };
    Improved { verdict, units: report.cost.units, unproved }
}
