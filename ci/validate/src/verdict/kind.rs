//! Verdicts without their details.

use super::{Assumption, Verdict};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A verdict without its details, for counting.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum VerdictKind {
    /// [`Verdict::RefinesAll`].
    RefinesAll,
    /// [`Verdict::RefinesUpTo`].
    RefinesUpTo,
    /// [`Verdict::RefinesAll`] or [`Verdict::RefinesUpTo`], under [`Assumption::Claims`].
    RefinesIfClaims,
    /// [`Verdict::RefinesAll`] under [`Assumption::NoPoisonInputs`], and perhaps others.
    RefinesAllIfNoPoison,
    /// [`Verdict::RefinesUpTo`] under [`Assumption::NoPoisonInputs`], and perhaps others.
    RefinesUpToIfNoPoison,
    /// [`Verdict::RefinesAll`] under [`Assumption::NoUndefInputs`].
    RefinesAllIfNoUndef,
    /// [`Verdict::RefinesUpTo`] under [`Assumption::NoUndefInputs`].
    RefinesUpToIfNoUndef,
    /// [`Verdict::Refuted`].
    Refuted,
    /// [`Verdict::RefutedByUndef`].
    RefutedByUndef,
    /// [`Verdict::Vacuous`].
    Vacuous,
    /// [`Verdict::Inconclusive`].
    Inconclusive,
    /// [`Verdict::InternalError`].
    InternalError,
}

impl Verdict {
    /// The verdict without its details.
    pub fn kind(&self) -> VerdictKind {
        match self {
            Self::RefinesAll { assumed, .. } | Self::RefinesUpTo { assumed, .. }
                if assumed.iter().any(|a| matches!(a, Assumption::Claims(_))) =>
            {
                VerdictKind::RefinesIfClaims
            }
            Self::RefinesAll { assumed, .. } if assumed.contains(&Assumption::NoPoisonInputs) => {
                VerdictKind::RefinesAllIfNoPoison
            }
            Self::RefinesUpTo { assumed, .. } if assumed.contains(&Assumption::NoPoisonInputs) => {
                VerdictKind::RefinesUpToIfNoPoison
            }
            Self::RefinesAll { assumed, .. } if assumed.contains(&Assumption::NoUndefInputs) => {
                VerdictKind::RefinesAllIfNoUndef
            }
            Self::RefinesUpTo { assumed, .. } if assumed.contains(&Assumption::NoUndefInputs) => {
                VerdictKind::RefinesUpToIfNoUndef
            }
            Self::RefinesAll { .. } => VerdictKind::RefinesAll,
            Self::RefinesUpTo { .. } => VerdictKind::RefinesUpTo,
            Self::Refuted(_) => VerdictKind::Refuted,
            Self::RefutedByUndef { .. } => VerdictKind::RefutedByUndef,
            Self::Vacuous { .. } => VerdictKind::Vacuous,
            Self::Inconclusive { .. } => VerdictKind::Inconclusive,
            Self::InternalError(_) => VerdictKind::InternalError,
        }
    }
}

impl fmt::Display for VerdictKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::RefinesAll => "refines (all)",
            Self::RefinesUpTo => "refines (bounded)",
            Self::RefinesIfClaims => "refines (if attributes hold)",
            Self::RefinesAllIfNoPoison => "refines if no input is poison (all)",
            Self::RefinesUpToIfNoPoison => "refines if no input is poison (bounded)",
            Self::RefinesAllIfNoUndef => "refines if no input is undef (all)",
            Self::RefinesUpToIfNoUndef => "refines if no input is undef (bounded)",
            Self::Refuted => "refuted",
            Self::RefutedByUndef => "refuted by an undef input",
            Self::Vacuous => "vacuous",
            Self::Inconclusive => "inconclusive",
            Self::InternalError => "internal error",
        })
    }
}
