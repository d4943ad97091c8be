//! Verdicts from verdicts.

use super::reason::{Reason, Suspicion};
use super::witness::Refutation;
use super::{Assumption, Verdict};

impl Verdict {
    /// The verdict on a pair that `refutation` refutes on an undef input; `otherwise` is the verdict without undef
    /// inputs.
    pub(crate) fn by_undef(refutation: Box<Refutation>, otherwise: Self) -> Self {
        match otherwise {
            Self::Refuted(_) | Self::RefutedByUndef { .. } | Self::InternalError(_) => otherwise,
            Self::RefinesAll { .. }
            | Self::RefinesUpTo { .. }
            | Self::Vacuous { .. }
            | Self::Inconclusive { .. } => {
                Self::RefutedByUndef { refutation, otherwise: Box::new(otherwise) }
            }
        }
    }

    /// The verdict on a pair whose narrower copy fails: an open verdict becomes suspect instead of accepted up to a
    /// bound.
    pub(crate) fn suspected(self, suspicion: Suspicion) -> Self {
        if let Self::RefutedByUndef { refutation, otherwise } = self {
            return Self::by_undef(refutation, otherwise.suspected(suspicion));
        }
        if !self.is_open() {
            return self;
        }
        let bound = match self {
            Self::RefinesUpTo { bound, .. } => Some(bound),
            _ => None,
        };
        Self::Inconclusive { reason: Reason::Suspect { suspicion, bound } }
    }

    /// The verdict under claims of the target that were neither proved nor refuted.
    pub(crate) fn assuming(mut self, mut claims: Vec<String>) -> Self {
        claims.sort();
        claims.dedup();
        if let Self::RefinesAll { assumed, .. } | Self::RefinesUpTo { assumed, .. } = &mut self
            && !claims.is_empty()
        {
            let known = assumed.iter_mut().find_map(|assumption| match assumption {
                Assumption::Claims(known) => Some(known),
                Assumption::NoPoisonInputs | Assumption::NoUndefInputs | Assumption::Callees(_) => None,
            });
            match known {
                Some(known) => {
                    known.extend(claims);
                    known.sort();
                    known.dedup();
                }
                None => assumed.push(Assumption::Claims(claims)),
            }
        }
        self
    }

    /// Whether other methods may decide the pair.
    pub(crate) fn is_open(&self) -> bool {
        match self {
            Self::RefinesUpTo { .. } => true,
            Self::Inconclusive { reason } => match reason {
                Reason::Time { .. }
                | Reason::Budget { .. }
                | Reason::Memory { .. }
                | Reason::PastBound { .. }
                | Reason::Apart { .. }
                | Reason::Solver { .. }
                | Reason::Inexact { .. }
                | Reason::UndefInput { .. }
                | Reason::RunsAlone { .. } => true,
                Reason::Unsupported { .. }
                | Reason::Approximation { .. }
                | Reason::Suspect { .. }
                | Reason::Incomparable { .. }
                | Reason::Worker { .. } => false,
            },
            Self::RefinesAll { .. }
            | Self::Refuted(_)
            | Self::RefutedByUndef { .. }
            | Self::Vacuous { .. }
            | Self::InternalError(_) => false,
        }
    }

    /// The conjunction of two verdicts: the weaker one, with the assumptions of both. `None` if they contradict each
    /// other.
    pub(crate) fn of_both(&self, other: &Self) -> Option<Self> {
        let of_both = |assumed: &[Assumption], more: &[Assumption]| {
            let more = more.iter().filter(|assumption| !assumed.contains(assumption));
            assumed.iter().chain(more).cloned().collect()
        };
        match (self, other) {
            (Self::RefinesAll { method, assumed }, Self::RefinesAll { assumed: more, .. }) => {
                Some(Self::RefinesAll { method: *method, assumed: of_both(assumed, more) })
            }
            (
                Self::RefinesUpTo { bound: lower, unreached, assumed },
                Self::RefinesUpTo { bound, assumed: more, .. },
            )
            | (
                Self::RefinesUpTo { bound, assumed: more, .. },
                Self::RefinesUpTo { bound: lower, unreached, assumed },
            ) if lower <= bound => Some(Self::RefinesUpTo {
                bound: *lower,
                unreached: unreached.clone(),
                assumed: of_both(assumed, more),
            }),
            (Self::RefinesUpTo { bound, unreached, assumed }, Self::RefinesAll { assumed: more, .. })
            | (Self::RefinesAll { assumed: more, .. }, Self::RefinesUpTo { bound, unreached, assumed }) => {
                Some(Self::RefinesUpTo {
                    bound: *bound,
                    unreached: unreached.clone(),
                    assumed: of_both(assumed, more),
                })
            }
            _ => (self.kind() == other.kind()).then(|| self.clone()),
        }
    }
}
