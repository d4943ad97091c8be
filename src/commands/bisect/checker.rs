//! Whether steps of a bisection are wrong.

use super::super::symptom::{Found, Kind, Symptom, Two, refuted_again};
use backedge_validate::case::Case;
use backedge_validate::judge::Judge;
use backedge_validate::verdict::VerdictKind;
use backedge_validate::witness::Refutation;

/// Says of pairs whether they are wrong.
pub(crate) struct Checker {
    pub(crate) judge: Judge,
    /// Whether the solver is asked at every step.
    pub(crate) solver: bool,
    /// Whether attributes that only the target has are taken for true.
    pub(crate) assume_attributes: bool,
    /// What is known to show that something is wrong: it is tried first.
    pub(crate) known: Option<Case>,
}

impl Checker {
    /// Everything that is known of the pair: a refutation, or else what keeps it from being known to be right.
    pub(super) fn judged(&self, two: &Two) -> Result<Box<Refutation>, Option<String>> {
        let by_case = |case| refuted_again(two, Some(case), self.judge.options(), &|_| true);
        if let Some(refutation) = self.known.as_ref().and_then(by_case) {
            return Ok(refutation);
        }
        let (source, target) = two.sides();
        let verdict = self.judge.judge(source, target).report.verdict;
        let is_open = match verdict.kind() {
            VerdictKind::Inconclusive | VerdictKind::InternalError => true,
            VerdictKind::RefinesIfClaims => !self.assume_attributes,
            VerdictKind::RefinesAll
            | VerdictKind::RefinesUpTo
            | VerdictKind::Refuted
            | VerdictKind::Vacuous => false,
        };
        let open = is_open.then(|| format!("@{}: {verdict}", source.name()));
        verdict.into_refutation().ok_or(open)
    }

    /// Whether one step of several is refuted: by a case that showed another one to be wrong, by runs, and by the solver if
    /// that is asked for.
    pub(super) fn refuted_step(&self, two: &Two, case: Option<&Case>) -> Option<Box<Refutation>> {
        refuted_again(two, case, self.judge.options(), &|_| true)
            .or_else(|| self.solver.then(|| self.judged(two).ok()).flatten())
    }
}

pub(super) fn of_refutation(two: Two, refutation: Box<Refutation>) -> Found {
    let defined = refutation.source.undefined.is_none();
    Found {
        symptom: Symptom { pass: None, kind: Kind::Refuted(refutation.failure, defined) },
        function: two.sides().0.name().to_owned(),
        message: String::new(),
        refuted: Some((two, refutation)),
    }
}
