//! Judges the steps of a bisection.

use super::super::symptom::{FunctionFailure, Kind, Reruns, Symptom, Two, refuted_again};
use crate::exit::Exit;
use backedge_validate::case::Case;
use backedge_validate::judge::Judge;
use backedge_validate::verdict::VerdictKind;
use backedge_validate::witness::Refutation;

/// Decides whether pairs are wrong.
pub(crate) struct Checker {
    pub(crate) judge: Judge,
    /// Whether to query the solver at every step.
    pub(crate) solver: bool,
    /// Whether to assume attributes that only the target has.
    pub(crate) assume_attributes: bool,
    /// A case that is known to show a failure; it is tried first.
    pub(crate) known: Option<Case>,
    /// Whether refutations that need an undef input count.
    pub(crate) strict_undef: bool,
}

/// Why a pair is neither refuted nor known to be correct.
pub(crate) enum Open {
    /// The verdict is inconclusive.
    Undecided(String),
    /// Only an undef input refutes the pair, and such refutations do not count.
    ByUndef(String),
}

impl Open {
    /// A description of each, and the exit code of a search that found nothing but these.
    pub(super) fn words(all: &[Self]) -> (Vec<String>, Exit) {
        let words = all.iter().map(|open| match open {
            Self::Undecided(what) => format!("not known: {what}"),
            Self::ByUndef(what) => format!("fails with --strict-undef: {what}"),
        });
        let is_open = all.iter().any(|open| matches!(open, Self::Undecided(_)));
        (words.collect(), if is_open { Exit::Inconclusive } else { Exit::Accepted })
    }
}

impl Checker {
    /// Whether the refutation counts.
    fn counts(&self, refutation: &Refutation) -> bool {
        self.strict_undef || !refutation.undef_input
    }

    /// Judges a pair completely: a refutation, or the reason why the pair is not known to be correct.
    pub(super) fn judged(&self, two: &Two) -> Result<Box<Refutation>, Option<Open>> {
        let by_case = |case| self.refuted_again(two, Some(case));
        if let Some(refutation) = self.known.as_ref().and_then(by_case) {
            return Ok(refutation);
        }
        let (source, target) = two.sides();
        let verdict = self.judge.judge(source, target).report.verdict;
        let text = || format!("@{}: {verdict}", source.name());
        match verdict.kind() {
            VerdictKind::RefutedByUndef if !self.strict_undef => Err(Some(Open::ByUndef(text()))),
            VerdictKind::Inconclusive | VerdictKind::InternalError => Err(Some(Open::Undecided(text()))),
            VerdictKind::RefinesIfClaims if !self.assume_attributes => Err(Some(Open::Undecided(text()))),
            VerdictKind::Refuted
            | VerdictKind::RefutedByUndef
            | VerdictKind::RefinesAll
            | VerdictKind::RefinesUpTo
            | VerdictKind::RefinesIfClaims
            | VerdictKind::RefinesAllIfNoPoison
            | VerdictKind::RefinesUpToIfNoPoison
            | VerdictKind::RefinesAllIfNoUndef
            | VerdictKind::RefinesUpToIfNoUndef
            | VerdictKind::Vacuous => verdict.into_refutation().ok_or(None),
        }
    }

    /// A refutation of one of several steps: by a case that refuted another step, by runs, and by the solver if
    /// requested.
    pub(super) fn refuted_step(&self, two: &Two, case: Option<&Case>) -> Option<Box<Refutation>> {
        self.refuted_again(two, case).or_else(|| self.solver.then(|| self.judged(two).ok()).flatten())
    }

    /// A refutation that counts, by the case or by runs.
    fn refuted_again(&self, two: &Two, case: Option<&Case>) -> Option<Box<Refutation>> {
        let reruns = Reruns { case, options: self.judge.options() };
        refuted_again(two, reruns, &|r| self.counts(r))
    }
}

pub(super) fn of_refutation(two: Two, refutation: Box<Refutation>) -> FunctionFailure {
    FunctionFailure {
        symptom: Symptom { pass: None, kind: Kind::of(&refutation) },
        function: two.sides().0.name().to_owned(),
        message: String::new(),
        refuted: Some((two, refutation)),
    }
}
