//! One pair of functions, judged in this process: by the whole portfolio ([`super::portfolio`]) or by a part of it.

use super::portfolio::{Staged, solver_here, with_solver, without_solver};
use crate::admit::comparable::not_comparable;
use crate::admit::qualified::qualified;
use crate::pair::hardened::{Which, hardened};
use crate::pair::{Side, Sides};
use crate::replay::case::Replayed;
use crate::replay::runners::holds_somewhere;
use crate::stages::SoFar;
use crate::stages::promise_check::check_promises;
use crate::stages::runs::{RunsResult, excluded_inputs, search};
use crate::stages::target_claims::judged;
use crate::stages::undef_runs::refuted_by_undef;
use crate::verdict::witness::Refutation;
use crate::verdict::{Case, Method, Options, Reason, Report, Verdict};

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
    without_solver(Sides { source, target }, options)
}

/// The first stage of [`check`] alone, on at most [`Options::runs`] inputs: cheap enough for thousands of pairs a
/// second. Open pairs are reported as such, with the number of runs.
pub fn by_few_runs(source: Side<'_>, target: Side<'_>, options: &Options) -> Report {
    let with_claims = hardened(source, target, Which::Sure);
    let target = with_claims.as_ref().map_or(target, |module| Side { module, ..target });
    if let Some(reason) = not_comparable(source, target) {
        return Report::new(Verdict::Inconclusive { reason });
    }
    let search = search(source, target, options, options.runs);
    let (runs, defined) = (search.runs, search.defined);
    let verdict = match search.result {
        RunsResult::Refuted(refutation) => Verdict::Refuted(refutation),
        RunsResult::AllHold => {
            let assumed = excluded_inputs(source, target, options);
            Verdict::RefinesAll { method: Method::ExhaustiveRuns, assumed }
        }
        RunsResult::AlwaysUndefined => Verdict::Vacuous { method: Method::ExhaustiveRuns, example: None },
        RunsResult::Nothing => {
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
    let is_excluded = refutation.undef_input && !options.undef_inputs
        || refutation.case.has_poison_input() && !options.poison_inputs;
    if is_excluded {
        return None;
    }
    qualified(Verdict::Refuted(refutation), source, target).into_refutation()
}

/// The stages of [`check`] that ask the solver, for a pair that [`by_runs`] left open. The caller adds the results of
/// the runs; only their number is included here.
pub fn by_solver(source: Side<'_>, target: Side<'_>, options: &Options, so_far: &SoFar) -> Report {
    let sides = Sides { source, target };
    with_solver(sides, options, so_far, |options, so_far| solver_here(sides, options, so_far))
}
