//! Why a verdict is inconclusive.

use super::failure::Failure;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Why nothing is known.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "why", rename_all = "kebab-case")]
pub enum Reason {
    /// A wall-clock limit decided.
    Time {
        /// The limit in milliseconds.
        limit_ms: u64,
    },
    /// The solver's budget of resource units was used up.
    Budget {
        /// The limit in Z3's `rlimit` units.
        rlimit: u32,
    },
    /// The memory limit was reached.
    Memory {
        /// The limit in megabytes.
        limit_mb: u32,
    },
    /// Every defined run takes more iterations than the bound, or every run that reaches certain places of the source
    /// does.
    PastBound {
        /// Backedges taken per entry of a loop.
        bound: u32,
        /// The places: labels of blocks and edges as in [`super::Unreached`]; empty for all runs.
        #[serde(default)]
        places: Vec<String>,
    },
    /// One side takes more iterations than the bound in runs in which the other one ends at once; these runs were not
    /// compared.
    Apart {
        /// Backedges taken per entry of a loop.
        bound: u32,
        /// The side, and its behavior.
        what: String,
    },
    /// An unmodelled feature is used.
    Unsupported {
        /// The feature.
        feature: String,
        /// Where: function, block, instruction, as far as known.
        place: String,
    },
    /// The model over-approximates the language, and the answer depends on it.
    Approximation {
        /// The over-approximation.
        what: String,
    },
    /// The answer of the bounded check is inconclusive because its query over-approximates the question. A proof uses a
    /// different query.
    Inexact {
        /// The over-approximation.
        what: String,
    },
    /// A copy of the pair with narrower integers fails; no run of the pair itself confirmed it.
    Suspect {
        /// Failure of the copy.
        suspicion: Suspicion,
        /// Bound in backedges per entry of a loop up to which the pair itself refines, if known.
        bound: Option<u32>,
    },
    /// The two functions are incomparable: their signatures differ.
    Incomparable {
        /// The difference.
        what: String,
    },
    /// No run showed a violation, and the solver was disabled.
    RunsAlone {
        /// Pairs of runs compared.
        runs: u64,
        /// Compared pairs in which the source is defined.
        defined: u64,
    },
    /// The solver found a counterexample that needs an undef input, and no run confirms it. A proof for undef inputs
    /// uses a different query; a proof that excludes them is unaffected.
    UndefInput {
        /// The failure, and why no run shows it.
        what: String,
    },
    /// The solver gave up with its own message.
    Solver {
        /// The message.
        word: String,
    },
    /// The worker process of the solver could not be started, was killed externally, or got no memory from the system.
    Worker {
        /// The event.
        what: String,
    },
}

/// Failure of a copy of the pair with narrower integers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Suspicion {
    /// Bits of the copy's widest parameter.
    pub width: u32,
    /// Kind of failure.
    pub failure: Failure,
    /// Failing input.
    pub input: String,
}

impl fmt::Display for Suspicion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { width, failure, input } = self;
        write!(
            f,
            "suspect at i{width}: {failure} on {input}; no run at full width of at most the steps that runs are given \
             shows it"
        )
    }
}

impl Reason {
    /// The bound that runs exceed, so that a higher bound may decide.
    pub(crate) fn bound_to_raise(&self) -> Option<u32> {
        match self {
            Self::PastBound { bound, .. } | Self::Apart { bound, .. } => Some(*bound),
            _ => None,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time { limit_ms } => write!(f, "time limit of {limit_ms} ms"),
            Self::Budget { rlimit } => write!(f, "solver budget of {rlimit} units"),
            Self::Memory { limit_mb } => write!(f, "memory limit of {limit_mb} MB"),
            Self::PastBound { bound, places } if places.is_empty() => {
                write!(f, "every defined run takes more than {bound} iterations")
            }
            Self::PastBound { bound, places } => {
                let places = places.join(", ");
                write!(f, "no defined run of the source through {places} ends within {bound} iterations")
            }
            Self::Apart { bound, what } => write!(f, "{what}; within {bound} iterations it refines"),
            Self::Unsupported { feature, place } if place.is_empty() => write!(f, "unsupported: {feature}"),
            Self::Unsupported { feature, place } => write!(f, "unsupported: {feature} in {place}"),
            Self::Approximation { what } | Self::Inexact { what } => {
                write!(f, "approximation in the model: {what}")
            }
            Self::Suspect { suspicion, bound: None } => suspicion.fmt(f),
            Self::Suspect { suspicion, bound: Some(bound) } => {
                write!(f, "{suspicion}; it refines up to {bound} iterations")
            }
            Self::Incomparable { what } => write!(f, "not comparable: {what}"),
            Self::RunsAlone { runs, defined } => {
                write!(
                    f,
                    "no violation on {runs} pair(s) of runs, {defined} defined, and the solver is not asked"
                )
            }
            Self::UndefInput { what } => write!(f, "an undef input may refute it: {what}"),
            Self::Solver { word } => write!(f, "the solver gave up: {word}"),
            Self::Worker { what } => write!(f, "worker process: {what}"),
        }
    }
}
