//! The portfolio: one verdict on "the target refines the source".
//!
//! 1. Identical functions refine each other, whatever they contain ([`crate::stages::identical`]).
//! 2. Pairs that cannot be compared and unmodelled features are reported.
//! 3. Both sides run on a fixed list of inputs ([`crate::runs`]). A violation is a refutation observed by the
//!    interpreter. If the runs covered all inputs and choices and all runs ended, nothing is left to prove. For pairs
//!    with loops, narrower copies of the pair run on all inputs, and the pair itself runs on the inputs that fail there
//!    ([`crate::deeper`]).
//! 4. The solver's bounded check ([`crate::bounded`]). The interpreter replays its refutations.
//! 5. If the bounded check finds nothing up to its bound, a proof for all iterations ([`crate::unbounded`]).
//! 6. Without such a proof, long runs ([`crate::deeper`]), and higher bounds as far as the budget reaches.
//! 7. A pair that is still open, and whose narrower copy fails, is reported as suspect instead of accepted up to a
//!    bound.
//!
//! The verdict is a function of the two functions and the options, unless a limit on time or memory decided; the
//! verdict then says so.

use crate::callees::Obstacle;
use crate::cases::Replayed;
use crate::deeper::Narrowed;
use crate::excuse::{
    call_of_unspecified_count, excuse, have_different_labels, internal_variable_written, merged,
    module_difference,
};
use crate::inputs::EXHAUSTIVE;
use crate::pair::Side;
use crate::pair::as_ref;
use crate::stages::identical::are_identical;
use crate::unkept::Unkept;
use crate::unmodelled::{duplicated, exposes_less, unknown, unmodelled};
use crate::verdict::Case;
use crate::verdict::witness::Refutation;
use crate::verdict::{Assumption, Failure, Method, Options, Reason, Report, Suspicion, Verdict};
use crate::{absolute, callees, deeper, hardened, kept, recursion, runs, silent, stages, variables};
use backedge_ir::module::Code;
use backedge_ir::print::type_to_string;
use backedge_smt::promises::{self, pads};
use std::sync::Arc;

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
    hardened::judged(source, target, |source, target| as_it_is(source, target, options))
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

/// The report, made inconclusive if it accepts a target that breaks a promise on a run.
pub(crate) fn check_promises(
    report: Report,
    source: Side<'_>,
    target: Side<'_>,
    options: &Options,
) -> Report {
    let (accepted, refuted) = match report.verdict {
        Verdict::RefutedByUndef { refutation, otherwise } => (*otherwise, Some(refutation)),
        verdict => (verdict, None),
    };
    let may_break = match &accepted {
        Verdict::RefinesAll { method, .. } => !matches!(method, Method::Identical),
        Verdict::RefinesUpTo { .. } => true,
        _ => false,
    };
    let verdict = match may_break.then(|| kept::look(source, target, options).broken).flatten() {
        Some(broken) => {
            let what = format!("a run of the target breaks a promise that the source keeps: {broken}");
            Verdict::Inconclusive { reason: Reason::Approximation { what } }
        }
        None => accepted,
    };
    let verdict = match refuted {
        Some(refutation) => Verdict::by_undef(refutation, verdict),
        None => verdict,
    };
    Report { verdict, ..report }
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
            let example = runs::undefined_source(source, target, options);
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
    let with_claims = hardened::hardened(source, target, hardened::Which::Sure);
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

/// A refutation by runs on undef inputs, if these are allowed and nothing excuses the failure. The reported input need
/// not be undef: a smaller failing input is preferred.
pub(crate) fn refuted_by_undef(
    source: Side<'_>,
    target: Side<'_>,
    options: &Options,
) -> Option<Box<Refutation>> {
    let refutation = runs::with_undef(source, target, options)?;
    match qualified(Verdict::Refuted(refutation), source, target) {
        Verdict::Refuted(refutation) => Some(refutation),
        _ => None,
    }
}

/// Assumptions of a verdict that ran every input without undef bits.
fn without_undef(source: Side<'_>, target: Side<'_>, options: &Options) -> Vec<Assumption> {
    let may_be_undef = !options.undef_inputs && runs::may_be_undef(source, target);
    may_be_undef.then_some(Assumption::NoUndefInputs).into_iter().collect()
}

/// Whether some run of the target does what a defined source allows, among as many inputs as [`by_few_runs`] would try.
/// `false` does not prove that no such run exists.
pub fn holds_on_some_run(source: Side<'_>, target: Side<'_>, options: &Options) -> bool {
    not_comparable(source, target).is_none() && runs::holds_somewhere(source, target, options)
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

/// The reason for a target with a promise that its source does not make.
fn too_much(promise: &promises::Promised, target: Side<'_>) -> Reason {
    Reason::Unsupported { feature: promise.to_string(), place: format!("the target @{}", target.name()) }
}

/// The report with [`qualified`] verdict.
pub(crate) fn qualified_report(report: Report, source: Side<'_>, target: Side<'_>) -> Report {
    Report { verdict: qualified(report.verdict, source, target), ..report }
}

/// The report on a pair that was extracted from its modules, unless the rest of the modules contradicts it.
pub(crate) fn in_whole_module(
    report: Report,
    (source, target): (Side<'_>, Side<'_>),
    cut: Side<'_>,
) -> Report {
    match &report.verdict {
        Verdict::RefinesAll { method: Method::Identical, .. } => report,
        Verdict::RefinesAll { .. } | Verdict::RefinesUpTo { .. } => {
            match recursion::speculated_in_module(source, target, cut) {
                Some(obstacle) => {
                    let reason = unsaid(&obstacle, target);
                    Report { verdict: Verdict::Inconclusive { reason }, ..report }
                }
                None => report,
            }
        }
        Verdict::RefutedByUndef { refutation, otherwise } => {
            let of_otherwise = Report::new(Verdict::clone(otherwise));
            let otherwise = in_whole_module(of_otherwise, (source, target), cut).verdict;
            Report { verdict: Verdict::by_undef(refutation.clone(), otherwise), ..report }
        }
        Verdict::Refuted(_)
        | Verdict::Vacuous { .. }
        | Verdict::Inconclusive { .. }
        | Verdict::InternalError(_) => report,
    }
}

/// The report, unless its failing run depends on an internal variable in a way that the rest of the module rules out.
pub(crate) fn excused_by_variables(
    report: Report,
    sides: (Side<'_>, Side<'_>),
    names: &[Arc<str>],
) -> Report {
    let Some(refutation) = report.verdict.refutation() else { return report };
    let Some(name) = variables::excuse(sides, names, refutation) else { return report };
    let failure = refutation.failure;
    let verdict = match report.verdict {
        Verdict::RefutedByUndef { otherwise, .. } => *otherwise,
        _ => {
            let what = format!(
                "a run that fails ({failure}) depends on what else the module does with the internal \
                 variable @{name}"
            );
            Verdict::Inconclusive { reason: Reason::Approximation { what } }
        }
    };
    Report { verdict, ..report }
}

/// The reason for a pair that an obstacle makes undecidable.
pub(crate) fn unsaid(obstacle: &Obstacle, target: Side<'_>) -> Reason {
    Reason::Unsupported { feature: obstacle.to_string(), place: format!("the target @{}", target.name()) }
}

/// Why a failing run may not be a refutation; completes the sentence "a run that fails".
fn doubt(source: Side<'_>, target: Side<'_>, refutation: &Refutation) -> Option<String> {
    if let Some(name) = call_of_unspecified_count(source, target, refutation) {
        return Some(format!("calls @{name}, whose number of calls is unspecified"));
    }
    if let Some(what) = pads::differ(as_ref(source), as_ref(target)) {
        return Some(format!("depends on {what}"));
    }
    if let Some(what) = module_difference(source, target) {
        return Some(what.to_string());
    }
    if have_different_labels(source, target) {
        let what = "depends on the correspondence of blocks whose addresses are taken";
        return Some(what.to_owned());
    }
    if let Some(names) = merged(source) {
        return Some(format!("depends on where {names} lie, which the linker may merge"));
    }
    if let Some(name) = internal_variable_written(source, refutation) {
        let variable = format!("the internal variable @{name}");
        return Some(format!("has a call write {variable}, which depends on the rest of the module"));
    }
    // LangRef lets a volatile load change memory and be reordered with other accesses.
    if refutation.source.volatile_changed {
        return Some("has a volatile load change the bytes that it reads".to_owned());
    }
    if let Some(name) = unknown(source) {
        return Some(format!("may violate {name} in the source, whose meaning is unknown"));
    }
    if let Some(broken) = &refutation.source.broken {
        return Some(format!("breaks a promise of the source: {broken}"));
    }
    let of_calls = || excuse(source, target, refutation).map(|promise| promise.to_string());
    let never_shown = || Unkept::new(source).never_shown().map(str::to_owned);
    let promise = of_calls().or_else(|| of_unwinding(source, refutation)).or_else(never_shown)?;
    Some(format!("may break what {} in the source promises", promise.trim_end()))
}

/// The source's memory promised to be dead on unwind, if the promise may cause the run to fail.
fn of_unwinding(source: Side<'_>, refutation: &Refutation) -> Option<String> {
    let is_breakable = match refutation.failure {
        Failure::EventMismatch => true,
        Failure::MemoryMismatch => !refutation.source.outcome.starts_with("returns"),
        _ => false,
    };
    let promise = promises::dead_on_unwind(as_ref(source)).filter(|_| is_breakable)?;
    Some(format!("{} {}", promise.what, promise.place))
}

/// The verdict, made inconclusive or conditional if it may depend on facts that neither engine models.
pub(crate) fn qualified(verdict: Verdict, source: Side<'_>, target: Side<'_>) -> Verdict {
    match verdict {
        Verdict::Refuted(refutation) => match doubt(source, target, &refutation) {
            Some(why) => {
                let what = format!("a run that fails ({}) {why}", refutation.failure);
                Verdict::Inconclusive { reason: Reason::Approximation { what } }
            }
            None => Verdict::Refuted(refutation),
        },
        Verdict::RefinesAll { .. } | Verdict::RefinesUpTo { .. } => {
            let all_run = matches!(verdict, Verdict::RefinesAll { method: Method::ExhaustiveRuns, .. });
            if let Some(what) = pads::differ(as_ref(source), as_ref(target)) {
                let (feature, place) = (what.to_owned(), format!("the target @{}", target.name()));
                return Verdict::Inconclusive { reason: Reason::Unsupported { feature, place } };
            }
            let mut more = promises::beyond(as_ref(source), as_ref(target));
            let all_paths = matches!(verdict, Verdict::RefinesAll { method: Method::AllPaths, .. });
            // The bounded check assumes promises about writes that it does not verify.
            let by_bound = all_paths || matches!(verdict, Verdict::RefinesUpTo { .. });
            let is_shown = |p: &promises::Promised| {
                all_run && p.by_runs || all_paths && p.by_paths || by_bound && p.by_writes
            };
            more.retain(|p| !is_shown(p));
            if let Some(promise) = more.iter().find(|p| p.claim.is_none()) {
                return Verdict::Inconclusive { reason: too_much(promise, target) };
            }
            let verdict = verdict.assuming(more.into_iter().filter_map(|p| p.claim).collect());
            // Runs execute the callees.
            if all_run { verdict } else { if_callees_refine(verdict, source, target) }
        }
        Verdict::RefutedByUndef { refutation, otherwise } => {
            let otherwise = qualified(*otherwise, source, target);
            match qualified(Verdict::Refuted(refutation), source, target) {
                Verdict::Refuted(refutation) => Verdict::by_undef(refutation, otherwise),
                open => open,
            }
        }
        Verdict::Vacuous { .. } | Verdict::Inconclusive { .. } | Verdict::InternalError(_) => verdict,
    }
}

/// Solver verdicts on a pair depend on its callees: every callee that the modules define differently has to refine too.
fn if_callees_refine(mut verdict: Verdict, source: Side<'_>, target: Side<'_>) -> Verdict {
    let callees = callees::differing(source, target);
    if let Some(obstacle) = callees.obstacle {
        return Verdict::Inconclusive { reason: unsaid(&obstacle, target) };
    }
    if let Verdict::RefinesAll { assumed, .. } | Verdict::RefinesUpTo { assumed, .. } = &mut verdict
        && !callees.changed.is_empty()
    {
        let assumption = Assumption::Callees(callees.changed);
        if !assumed.contains(&assumption) {
            assumed.push(assumption);
        }
    }
    verdict
}

pub(crate) fn not_comparable(source: Side<'_>, target: Side<'_>) -> Option<Reason> {
    for side in [source, target] {
        let place = format!("@{}", side.name());
        match &side.module.code[side.func] {
            Code::Body(_) => {
                if let Some(feature) = unmodelled(side) {
                    return Some(Reason::Unsupported { feature: feature.to_owned(), place });
                }
                if let Some(symbol) = absolute::looked_at(side) {
                    let feature = format!("`!absolute_symbol` of @{symbol} in code that looks at addresses");
                    return Some(Reason::Unsupported { feature, place });
                }
            }
            Code::Opaque(code) => {
                return Some(Reason::Unsupported { feature: code.feature.to_string(), place });
            }
            Code::Declaration => {
                return Some(Reason::Unsupported { feature: "a declaration without code".to_owned(), place });
            }
        }
    }
    if let Some(feature) = duplicated(source, target) {
        return Some(Reason::Unsupported { feature, place: format!("@{}", target.name()) });
    }
    if exposes_less(source, target) {
        let feature = "`ptrtoaddr` where the source has `ptrtoint`, which exposes provenance".to_owned();
        return Some(Reason::Unsupported { feature, place: format!("@{}", target.name()) });
    }
    let signature = |s: Side<'_>| type_to_string(&s.module.env.types, s.module.env.funcs[s.func].ty);
    let (s, t) = (signature(source), signature(target));
    (s != t).then(|| Reason::Incomparable { what: format!("the source is {s}, the target {t}") })
}
