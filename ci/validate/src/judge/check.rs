//! The portfolio: one verdict on "the target refines the source".
//!
//! 1. Identical functions refine each other, whatever they contain ([`crate::stages::identical`]).
//! 2. Pairs that cannot be compared and unmodelled features are reported.
//! 3. Both sides run on a fixed list of inputs ([`crate::stages::runs`]). A violation is a refutation observed by the
//!    interpreter. If the runs covered all inputs and choices and all runs ended, nothing is left to prove. For pairs
//!    with loops, narrower copies of the pair run on all inputs, and the pair itself runs on the inputs that fail there
//!    ([`crate::stages::deeper`]).
//! 4. The solver's bounded check ([`crate::stages::bounded`]). The interpreter replays its refutations.
//! 5. If the bounded check finds nothing up to its bound, a proof for all iterations ([`crate::stages::proof`]).
//! 6. Without such a proof, long runs ([`crate::stages::deeper`]), and higher bounds as far as the budget reaches.
//! 7. A pair that is still open, and whose narrower copy fails, is reported as suspect instead of accepted up to a
//!    bound.
//!
//! The verdict is a function of the two functions and the options, unless a limit on time or memory decided; the
//! verdict then says so.

use crate::admit::comparable::not_comparable;
use crate::admit::qualified::{qualified, qualified_report, too_much};
use crate::pair::hardened::{Which, hardened};
use crate::pair::{Side, as_ref};
use crate::replay::case::Replayed;
use crate::replay::inputs::EXHAUSTIVE;
use crate::replay::refutation::undefined_source;
use crate::replay::runners::holds_somewhere;
use crate::stages;
use crate::stages::deeper::Narrowed;
use crate::stages::identical::are_identical;
use crate::stages::promise_check::check_promises;
use crate::stages::target_claims::judged;
use crate::stages::undef_runs::{refuted_by_undef, without_undef};
use crate::stages::{deeper, runs, silent};
use crate::verdict::witness::Refutation;
use crate::verdict::{Case, Method, Options, Reason, Report, Suspicion, Verdict};
use backedge_smt::promises;

/// Result of the stages that need no solver.
#[derive(Clone, PartialEq, Debug)]
pub enum Staged {
    /// Decided, or nothing more to ask.
    Decided(Report),
    /// The solver has to be asked.
    Open(SoFar),
}

/// Knowledge about an open pair from the stages that need no solver.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SoFar {
    /// Pairs of runs compared.
    pub runs: u64,
    /// Compared pairs in which the source is defined.
    defined: u64,
    suspicion: Option<Suspicion>,
    /// A failing pair of runs on an undef input.
    by_undef: Option<Box<Refutation>>,
    /// Why another failing run is no refutation.
    excused: Option<String>,
}

impl SoFar {
    /// The options for the following stages: undef inputs are excluded if runs already refuted the pair on one.
    fn options(&self, options: &Options) -> Options {
        Options { undef_inputs: options.undef_inputs && self.by_undef.is_none(), ..options.clone() }
    }
    /// The report of the stages that ask the solver, each through `ask`. An undef-input refutation up to a bound says
    /// nothing about other inputs beyond the bound, so `ask` is repeated for these.
    pub(crate) fn ask(&self, options: &Options, ask: impl Fn(&Options) -> Report) -> Report {
        let report = ask(&self.options(options));
        match report.verdict {
            Verdict::RefutedByUndef { refutation, otherwise } if otherwise.is_open() => {
                let again = ask(&Options { undef_inputs: false, ..options.clone() });
                let verdict = match again.verdict {
                    Verdict::Inconclusive { .. } => *otherwise,
                    verdict => verdict,
                };
                let verdict = Verdict::by_undef(refutation, verdict);
                Report { verdict, rlimit: report.rlimit + again.rlimit, ..again }
            }
            _ => report,
        }
    }

    /// Whether a narrower copy of the pair fails.
    pub(crate) fn is_suspect(&self) -> bool {
        self.suspicion.is_some()
    }
    /// Combines the report of the following stages with the earlier knowledge.
    pub(crate) fn then(self, report: Report) -> Report {
        let verdict = match (report.verdict, self.excused) {
            (Verdict::Inconclusive { .. }, Some(what)) => {
                Verdict::Inconclusive { reason: Reason::Approximation { what } }
            }
            (verdict, _) => verdict,
        };
        let verdict = match self.suspicion {
            Some(suspicion) => verdict.suspected(suspicion),
            None => verdict,
        };
        let verdict = match self.by_undef {
            Some(refutation) => Verdict::by_undef(refutation, verdict),
            None => verdict,
        };
        Report { verdict, runs: self.runs, defined: self.defined, ..report }
    }
}

/// Checks whether `target` refines `source`.
pub fn check(source: Side<'_>, target: Side<'_>, options: &Options) -> Report {
    judged(source, target, |source, target| as_it_is(source, target, options))
}

/// [`check`] of the pair as it is: claims of the target are assumed.
fn as_it_is(source: Side<'_>, target: Side<'_>, options: &Options) -> Report {
    let report = match by_runs(source, target, options) {
        Staged::Decided(report) => report,
        Staged::Open(so_far) => {
            let report = by_solver(source, target, options, &so_far);
            so_far.then(report)
        }
    };
    check_promises(report, source, target, options)
}

/// The stages of [`check`] that need no solver. They take little memory; the options limit their steps.
pub fn by_runs(source: Side<'_>, target: Side<'_>, options: &Options) -> Staged {
    if options.identity && are_identical(source, target) {
        let verdict = Verdict::RefinesAll { method: Method::Identical, assumed: Vec::new() };
        return Staged::Decided(Report::new(verdict));
    }
    if let Some(reason) = not_comparable(source, target) {
        let verdict = Verdict::Inconclusive { reason };
        return Staged::Decided(Report::new(verdict));
    }
    if silent::both_run_forever(source, target) {
        let verdict = Verdict::RefinesAll { method: Method::NoRunEnds, assumed: Vec::new() };
        return Staged::Decided(Report::new(qualified(verdict, source, target)));
    }
    let search = runs::search(source, target, options, EXHAUSTIVE);
    let (runs, defined) = (search.runs, search.defined);
    let decided = |verdict| {
        let verdict = qualified(verdict, source, target);
        Staged::Decided(Report { runs, defined, ..Report::new(verdict) })
    };
    match search.result {
        runs::Found::Refuted(refutation) => return decided(Verdict::Refuted(refutation)),
        runs::Found::AllHold => {
            let assumed = without_undef(source, target, options);
            return decided(Verdict::RefinesAll { method: Method::ExhaustiveRuns, assumed });
        }
        runs::Found::AlwaysUndefined => {
            let example = undefined_source(source, target, options);
            return decided(Verdict::Vacuous { method: Method::ExhaustiveRuns, example });
        }
        runs::Found::Nothing => {}
    }
    let suspicion = match deeper::by_narrowing(source, target, options) {
        Narrowed::Refuted(refutation) => return decided(Verdict::Refuted(refutation)),
        Narrowed::Suspect(suspicion) => Some(suspicion),
        Narrowed::Nothing => None,
    };
    let by_undef = refuted_by_undef(source, target, options);
    if let Some(refutation) = by_undef.as_ref().filter(|refutation| !refutation.undef_input) {
        return decided(Verdict::Refuted(refutation.clone()));
    }
    let so_far = SoFar { runs, defined, suspicion, by_undef, excused: search.excused };
    if !options.solver {
        return match deeper::by_long_runs(source, target, options, so_far.is_suspect()) {
            Some(refutation) => decided(Verdict::Refuted(refutation)),
            None => {
                let open = Verdict::Inconclusive { reason: Reason::RunsAlone { runs, defined } };
                Staged::Decided(so_far.then(Report::new(open)))
            }
        };
    }
    match promises::of_globals(as_ref(source), as_ref(target)) {
        Some(promise) => {
            let open = Verdict::Inconclusive { reason: too_much(&promise, target) };
            Staged::Decided(SoFar { suspicion: None, ..so_far }.then(Report::new(open)))
        }
        None => Staged::Open(so_far),
    }
}

/// The first stage of [`check`] alone, on at most [`Options::runs`] inputs: cheap enough for thousands of pairs a
/// second. Open pairs are reported as such, with the number of runs.
pub fn by_few_runs(source: Side<'_>, target: Side<'_>, options: &Options) -> Report {
    let with_claims = hardened(source, target, Which::Sure);
    let target = with_claims.as_ref().map_or(target, |module| Side { module, ..target });
    if let Some(reason) = not_comparable(source, target) {
        return Report::new(Verdict::Inconclusive { reason });
    }
    let search = runs::search(source, target, options, options.runs);
    let (runs, defined) = (search.runs, search.defined);
    let verdict = match search.result {
        runs::Found::Refuted(refutation) => Verdict::Refuted(refutation),
        runs::Found::AllHold => {
            let assumed = without_undef(source, target, options);
            Verdict::RefinesAll { method: Method::ExhaustiveRuns, assumed }
        }
        runs::Found::AlwaysUndefined => Verdict::Vacuous { method: Method::ExhaustiveRuns, example: None },
        runs::Found::Nothing => {
            let open = Verdict::Inconclusive { reason: Reason::RunsAlone { runs, defined } };
            match refuted_by_undef(source, target, options) {
                Some(refutation) if !refutation.undef_input => Verdict::Refuted(refutation),
                Some(refutation) => Verdict::by_undef(refutation, open),
                None => open,
            }
        }
    };
    Report { runs, defined, ..Report::new(qualified(verdict, source, target)) }
}

/// Whether some run of the target does what a defined source allows, among as many inputs as [`by_few_runs`] would try.
/// `false` does not prove that no such run exists.
pub fn holds_on_some_run(source: Side<'_>, target: Side<'_>, options: &Options) -> bool {
    not_comparable(source, target).is_none() && holds_somewhere(source, target, options)
}

/// A refutation by one case, if the case is one.
pub fn refuted_by_case(
    case: &Case,
    source: Side<'_>,
    target: Side<'_>,
    options: &Options,
) -> Option<Box<Refutation>> {
    if not_comparable(source, target).is_some() {
        return None;
    }
    let Ok(Replayed::Refuted(refutation)) = case.replay(source, target, options) else { return None };
    if refutation.undef_input && !options.undef_inputs {
        return None;
    }
    qualified(Verdict::Refuted(refutation), source, target).into_refutation()
}

/// The stages of [`check`] that ask the solver, for a pair that [`by_runs`] left open. The caller adds the results of
/// the runs; only their number is included here.
pub fn by_solver(source: Side<'_>, target: Side<'_>, options: &Options, so_far: &SoFar) -> Report {
    let ask = |options: &Options| {
        qualified_report(stages::in_order(source, target, options, so_far.is_suspect()), source, target)
    };
    Report { runs: so_far.runs, ..so_far.ask(options, ask) }
}
