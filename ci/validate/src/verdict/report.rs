//! A verdict, its evidence and its cost.

use super::{Method, Verdict};
use backedge_smt::proof::Certificate;
use serde::{Deserialize, Serialize};

/// A verdict, its evidence and its cost.
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
    /// The proof of a verdict by [`Method::Induction`], about the two functions that were judged: if a judge extracted
    /// them from their modules, about the extracted ones. `None` if the proof is about another copy of the pair.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificate: Option<Box<Certificate>>,
}

impl Report {
    /// A verdict without cost.
    pub fn new(verdict: Verdict) -> Self {
        Self { verdict, rlimit: 0, runs: 0, defined: 0, unproved: None, certificate: None }
    }

    /// The report with a verdict derived from its own. The certificate stays only with a verdict by induction.
    pub(crate) fn map(self, change: impl FnOnce(Verdict) -> Verdict) -> Self {
        let verdict = change(self.verdict);
        let is_by_induction = matches!(verdict, Verdict::RefinesAll { method: Method::Induction, .. });
        Self { certificate: self.certificate.filter(|_| is_by_induction), verdict, ..self }
    }

    /// The report without its certificate: one about a copy of the pair.
    pub(crate) fn of_copy(self) -> Self {
        Self { certificate: None, ..self }
    }
}
