//! A verdict and its cost.

use super::Verdict;
use serde::{Deserialize, Serialize};

/// A verdict and its cost.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Report {
    /// The verdict.
    pub verdict: Verdict,
    /// Z3 resource units used.
    pub rlimit: u64,
    /// Pairs of runs compared.
    pub runs: u64,
    /// Compared pairs in which the source is defined, so that the target was checked against it.
    #[serde(default)]
    pub defined: u64,
    /// Why the attempted proof for all iterations failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unproved: Option<String>,
}

impl Report {
    /// A verdict without cost.
    pub fn new(verdict: Verdict) -> Self {
        Self { verdict, rlimit: 0, runs: 0, defined: 0, unproved: None }
    }
}
