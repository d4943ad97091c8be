//! Verdicts on pairs of functions: `[[tv]]`.

use super::{Expectation, ReadErrorKind};
use serde::Deserialize;
use std::fmt;

/// The expected verdict on a pair of functions in one file.
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Pair {
    /// The source function.
    pub source: String,
    /// The target function.
    pub target: String,
    /// The verdict; may be missing if `proof` is given.
    pub expect: Option<Verdict>,
    /// The kind of a refutation, if only one kind is right.
    pub failure: Option<String>,
    /// The truth about all iterations.
    pub proof: Option<Proof>,
}

/// A verdict.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The target refines the source, in all runs or up to a bound.
    Refines,
    /// It refines the source if attributes hold.
    Assumed,
    /// It does not refine the source.
    Refuted,
    /// It does not refine the source in runs with undef inputs.
    RefutedByUndef,
    /// The source has no defined run.
    Vacuous,
    /// There is no answer.
    Inconclusive,
}

impl Verdict {
    /// The word in the corpus.
    pub fn word(self) -> &'static str {
        match self {
            Self::Refines => "refines",
            Self::Assumed => "assumed",
            Self::Refuted => "refuted",
            Self::RefutedByUndef => "refuted-by-undef",
            Self::Vacuous => "vacuous",
            Self::Inconclusive => "inconclusive",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The truth about a pair over all iterations.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Proof {
    /// Correct.
    All,
    /// Correct, but for a reason beyond the prover.
    Right,
    /// Wrong, and a run can show it.
    Refuted,
    /// Wrong, but the runs that show it need more fuel than any run gets.
    Suspect,
}

/// The verdict that a test got.
#[derive(Clone, Copy, Debug)]
pub struct Judged<'a> {
    /// `None` for verdicts that are never expected.
    pub verdict: Option<Verdict>,
    /// The kind of a refutation; empty for other verdicts.
    pub failure: &'a str,
}

impl Pair {
    pub(super) fn check_keys(&self) -> Result<(), ReadErrorKind> {
        let missing = || format!("`expect` or `proof` in [[tv]] of @{}", self.source);
        let is_given = self.expect.is_some() || self.proof.is_some();
        if is_given { Ok(()) } else { Err(ReadErrorKind::Missing(missing())) }
    }
    /// Whether the pair is expected to be refuted.
    pub fn is_refuted(&self) -> bool {
        self.expect == Some(Verdict::Refuted)
    }
    /// Whether the target is stated to refine the source.
    pub fn is_right(&self) -> bool {
        self.expect == Some(Verdict::Refines) || matches!(self.proof, Some(Proof::All | Proof::Right))
    }
    /// Whether the pair is stated to be wrong, or to have no defined run.
    pub fn is_wrong(&self) -> bool {
        matches!(self.expect, Some(Verdict::Refuted | Verdict::Vacuous))
            || matches!(self.proof, Some(Proof::Refuted | Proof::Suspect))
    }
}

impl Expectation for Pair {
    type Found<'a> = Judged<'a>;
    /// Any verdict meets a pair without `expect`.
    fn complaint(&self, found: Judged<'_>) -> Option<String> {
        let expect = self.expect?;
        let is_met =
            found.verdict == Some(expect) && self.failure.as_ref().is_none_or(|f| f == found.failure);
        let failure = self.failure.as_deref().unwrap_or("");
        (!is_met).then(|| format!("@{} => @{}: expected {expect} {failure}", self.source, self.target))
    }
}
