//! The portfolio's second engine: the solver's bounded check. Its refutations are replayed before they count.

use crate::pair::cycles::is_exit;
use crate::pair::{Side, as_ref};
use crate::replay::counterexample::{Replay, replay};
use crate::replay::coverage::without_runs;
use crate::replay::refutation::undefined_source;
use crate::replay::runners::holds_somewhere;
use crate::replay::trips::Trips;
use crate::verdict::{Assumption, InternalError, Method, Options, Reason, Uninit, Unreached, Verdict};
use backedge_ir::body::Body;
use backedge_ir::cfg::Cfg;
use backedge_ir::entity::Block;
use backedge_ir::print::BodyPrinter;
use backedge_smt::promises;
use backedge_smt::refinement::{
    self, Edge, FunctionSide, LibraryModel, ModelApproximation as Approximation, Outcome, UninitRule, Witness,
};
use backedge_smt::solver::{SolverError, UnknownReason};
use std::time::{Duration, Instant};

/// The solver's verdict, and the Z3 resource units spent. If the budget does not suffice for the requested bound, the
/// bound is halved repeatedly down to the least acceptable one; the verdict states the bound reached. All bounds
/// together may take twice the time of one. Bounds whose formula is known to be too large are skipped.
pub(crate) fn check(source: Side<'_>, target: Side<'_>, options: &Options) -> (Verdict, u64) {
    let (mut bound, mut units) = (options.bound, 0);
    let mut first = None;
    let start = Instant::now();
    loop {
        let left = options.timeout.saturating_mul(2).saturating_sub(start.elapsed());
        let time = options.timeout.min(left);
        let Checked { verdict, units: spent, too_large } =
            check_at(source, target, &Options { bound, ..options.clone() }, time);
        units += spent;
        // If all runs exceed a lower bound, this says nothing about the requested one.
        if let (Verdict::Inconclusive { reason: Reason::PastBound { .. } }, Some(first)) = (&verdict, &first)
        {
            return (Verdict::clone(first), units);
        }
        let exhausted = matches!(
            verdict,
            Verdict::Inconclusive {
                reason: Reason::Budget { .. }
                    | Reason::Time { .. }
                    | Reason::Memory { .. }
                    | Reason::Solver { .. }
            }
        );
        let least = options.min_bound.clamp(1, options.bound);
        let next = too_large.map_or(bound / 2, |too_large| (bound / 2).min(too_large.saturating_sub(1)));
        let hopeless = too_large.is_some_and(|too_large| too_large <= least);
        let late = start.elapsed() >= options.timeout.saturating_mul(2);
        if !exhausted || hopeless || late || bound <= least {
            return (verdict, units);
        }
        bound = next.max(least);
        first.get_or_insert(verdict);
    }
}

/// Result for one bound.
struct Checked {
    verdict: Verdict,
    units: u64,
    /// The bound at which the formula was too large, if it was.
    too_large: Option<u32>,
}

/// The verdict at one bound. Library functions are treated as unknown first, so that a proof about them holds for all
/// iterations. If a counterexample depends on that, they are encoded byte by byte.
fn check_at(source: Side<'_>, target: Side<'_>, options: &Options, time: Duration) -> Checked {
    let start = Instant::now();
    let (first, unknown) = check_with((source, target), options, LibraryModel::Unknown, time);
    if !unknown || !rests_on_the_model(&first.verdict) {
        return first;
    }
    let left = time.saturating_sub(start.elapsed());
    let (second, _) = check_with((source, target), options, LibraryModel::Bytes, left);
    let units = first.units + second.units;
    let says_more = match &second.verdict {
        Verdict::Inconclusive { reason } => {
            reason.bound_to_raise().is_some() || rests_on_the_model(&second.verdict)
        }
        _ => true,
    };
    Checked { units, ..if says_more { second } else { first } }
}

/// Whether a counterexample was found that the model's over-approximation may have caused.
fn rests_on_the_model(verdict: &Verdict) -> bool {
    let Verdict::Inconclusive { reason } = verdict else { return false };
    matches!(reason, Reason::Inexact { .. } | Reason::Approximation { .. })
}

/// [`check_at`] with library functions modelled by `library`. Also returns whether a function treated as unknown could
/// be encoded byte by byte.
fn check_with(
    (source, target): (Side<'_>, Side<'_>),
    options: &Options,
    library: LibraryModel,
    time: Duration,
) -> (Checked, bool) {
    let smt_options = refinement::Options {
        bound: options.bound,
        units: options.rlimit.into(),
        time,
        memory: options.memory_mb,
        uninit: uninit(options),
        undef_inputs: options.undef_inputs,
        library,
    };
    let report = refinement::check(as_ref(source), as_ref(target), &smt_options);
    let too_large = match report.outcome {
        Outcome::Inconclusive(refinement::Reason::TooLarge { bound, .. }) => Some(bound),
        _ => None,
    };
    let mut verdict = verdict_of(report.outcome, &report.approximations, (source, target), options);
    let of_defined_inputs = match &mut verdict {
        Verdict::RefutedByUndef { otherwise, .. } => otherwise,
        verdict => verdict,
    };
    if let Verdict::RefinesAll { assumed, .. } | Verdict::RefinesUpTo { assumed, .. } = of_defined_inputs
        && let Some(claim) = promises::of_writes(as_ref(source), as_ref(target)).and_then(|p| p.claim)
        && !refinement::writes_no_more(as_ref(source), as_ref(target), &part_of(smt_options))
    {
        assumed.push(Assumption::Claims(vec![claim]));
    }
    (Checked { verdict, units: report.cost.units, too_large }, report.unknown_library)
}

/// The options with a part of the budget.
fn part_of(options: refinement::Options) -> refinement::Options {
    let (units, time) = (options.units / u64::from(RAISING), options.time / RAISING);
    refinement::Options { units, time, ..options }
}

/// The verdict for the solver's answer, after the interpreter has replayed its counterexample.
fn verdict_of(
    outcome: Outcome,
    approximations: &[Approximation],
    (source, target): (Side<'_>, Side<'_>),
    options: &Options,
) -> Verdict {
    match outcome {
        Outcome::Refines { bound, unreached, assumed } => {
            let assumed = assumed.into_iter().map(assumption).collect();
            match bound {
                None => Verdict::RefinesAll { method: Method::AllPaths, assumed },
                Some(_) if reaches_nothing((source, target), options, &unreached.source_blocks) => {
                    let word = "no run within the bound is shown to exist".to_owned();
                    Verdict::Inconclusive { reason: Reason::Solver { word } }
                }
                Some(bound) => {
                    let unreached = without_runs((source, target), options, bound, unreached);
                    let places_beyond = places(source, &unreached.beyond_blocks, &unreached.beyond_edges);
                    if !places_beyond.is_empty() {
                        let reason = Reason::PastBound { bound, places: places_beyond };
                        return Verdict::Inconclusive { reason };
                    }
                    if let Some(what) = unreached.apart.map(unmatched_side) {
                        return Verdict::Inconclusive {
                            reason: Reason::Apart { bound, what: what.to_owned() },
                        };
                    }
                    let source = places(source, &unreached.source_blocks, &unreached.source_edges);
                    let target = places(target, &unreached.target_blocks, &unreached.target_edges);
                    Verdict::RefinesUpTo { bound, unreached: Unreached { source, target }, assumed }
                }
            }
        }
        Outcome::Vacuous => {
            Verdict::Vacuous { method: Method::AllPaths, example: undefined_source(source, target, options) }
        }
        Outcome::Inconclusive(reason) => inconclusive(reason, source, target, options),
        Outcome::Refuted { failure, witness, all_choices, otherwise } => {
            let found = Counter { failure, witness: &witness, all_choices, approximations };
            let Some(otherwise) = otherwise else { return found.replayed((source, target), options) };
            let exact = all_choices && approximations.is_empty();
            let otherwise = verdict_of(*otherwise, approximations, (source, target), options);
            match found.replayed((source, target), options) {
                Verdict::Refuted(refutation) if refutation.undef_input => {
                    Verdict::RefutedByUndef { refutation, otherwise: Box::new(otherwise) }
                }
                // No run could show the failure.
                Verdict::Inconclusive { reason: Reason::Approximation { what } } if exact => {
                    Verdict::Inconclusive { reason: Reason::UndefInput { what } }
                }
                // The model is too coarse to decide about undef inputs.
                Verdict::Inconclusive { .. } => otherwise,
                verdict => verdict,
            }
        }
    }
}

/// Behavior of one side in runs in which the other one ends at once.
fn unmatched_side(apart: refinement::Apart) -> &'static str {
    match apart {
        refinement::Apart::Source => "the target ends where the source may run for ever",
        refinement::Apart::Target => "the target takes more iterations where the source ends without one",
    }
}

/// The solver's counterexample.
struct Counter<'a> {
    failure: refinement::Failure,
    witness: &'a Witness,
    all_choices: bool,
    approximations: &'a [Approximation],
}

impl Counter<'_> {
    /// The verdict after replaying the counterexample in the interpreter.
    fn replayed(&self, (source, target): (Side<'_>, Side<'_>), options: &Options) -> Verdict {
        let Self { failure, witness, all_choices, approximations } = *self;
        let exact = all_choices && approximations.is_empty();
        let inexact = |what| Verdict::Inconclusive { reason: Reason::Inexact { what } };
        match replay((source, target), options, witness, exact) {
            Replay::Confirmed(refutation) => Verdict::Refuted(refutation),
            Replay::Undecided(why) => {
                let what = format!("the solver's counterexample ({failure}) could not be replayed: {why}");
                let reason = if exact { Reason::Approximation { what } } else { Reason::Inexact { what } };
                Verdict::Inconclusive { reason }
            }
            Replay::Denied(_) if !approximations.is_empty() => {
                let list: Vec<_> = approximations.iter().map(|a| a.0.to_string()).collect();
                inexact(format!("a counterexample ({failure}) depends on it: {}", list.join(", ")))
            }
            Replay::Denied(_) if !all_choices => {
                inexact(format!("a counterexample ({failure}) does not fail for all choices of the source"))
            }
            // Runs give a call with poison arguments the same answer as one with defined arguments; the solver need
            // not.
            Replay::Denied(_) if witness.calls.iter().flatten().any(|c| c.leaves.is_none()) => inexact(
                format!("a counterexample ({failure}) depends on the results of calls without effects"),
            ),
            Replay::Denied(run) => {
                let what = format!("the solver's counterexample ({failure}) does not fail when it is run");
                let claimed =
                    format!("{}\nwhen run: {run}", crate::replay::counterexample::describe(witness));
                let error = InternalError::new(what, Some(claimed), source, target);
                Verdict::InternalError(Box::new(error))
            }
        }
    }
}

pub(crate) fn uninit(options: &Options) -> UninitRule {
    match options.uninit {
        Uninit::Undef => UninitRule::Undef,
        Uninit::Poison => UninitRule::Poison,
    }
}

pub(crate) fn assumption(assumption: refinement::Assumption) -> Assumption {
    match assumption {
        refinement::Assumption::NoUndefInputs => Assumption::NoUndefInputs,
    }
}

/// Divisor of the budget: raising the bound, or another query, may use this fraction.
const RAISING: u32 = 4;
/// The greatest bound that runs can suggest.
const FURTHEST: u32 = 1024;

/// `verdict`, or the verdict with a higher bound, and the units spent on the higher bound. `spent` is the number of
/// units spent on `verdict`'s bound.
///
/// If all terminating runs take the same number of iterations, that number becomes the bound at once: no path is cut,
/// and the verdict holds for all iterations. This check has the full budget if nothing was accepted so far.
pub(crate) fn raise(
    (source, target): (Side<'_>, Side<'_>),
    options: &Options,
    verdict: Verdict,
    spent: u64,
) -> (Verdict, u64) {
    let is_past = verdict.reason().is_some_and(|reason| reason.bound_to_raise().is_some());
    if !is_past && !matches!(&verdict, Verdict::RefinesUpTo { .. }) || options.max_bound <= options.bound {
        return (verdict, 0);
    }
    let trips = Trips::of(source, target, options);
    if is_past && trips.never_end() {
        return (verdict, 0);
    }
    let mut units = 0;
    if let Some(count) = trips.constant().filter(|n| options.bound < *n && *n <= FURTHEST) {
        let rlimit = if is_past { options.rlimit } else { options.rlimit / RAISING };
        let at_count = Options { bound: count, rlimit, ..options.clone() };
        let checked = check_at(source, target, &at_count, options.timeout);
        units = checked.units;
        if is_better(&checked.verdict, &verdict) {
            return (checked.verdict, units);
        }
    }
    let (verdict, more) = raise_by_steps((source, target), options, verdict, spent);
    (verdict, units + more)
}

/// Whether a verdict with a higher bound is stronger than `so_far`. Places that only runs past the lower bound reached
/// must be shown reachable within the higher bound; an unknown answer of the solver is not enough.
fn is_better(higher: &Verdict, so_far: &Verdict) -> bool {
    let assumed = match so_far {
        Verdict::RefinesUpTo { assumed, .. } => assumed.len(),
        _ => usize::MAX,
    };
    let beyond = match so_far {
        Verdict::Inconclusive { reason: Reason::PastBound { places, .. } } => &places[..],
        _ => &[],
    };
    match higher {
        Verdict::RefinesUpTo { assumed: more, unreached, .. } => {
            more.len() <= assumed && !beyond.iter().any(|place| unreached.source.contains(place))
        }
        Verdict::RefinesAll { assumed: more, .. } => more.len() <= assumed,
        Verdict::Inconclusive { reason } => reason.bound_to_raise().is_some(),
        Verdict::Refuted(_)
        | Verdict::RefutedByUndef { .. }
        | Verdict::Vacuous { .. }
        | Verdict::InternalError(_) => true,
    }
}

/// `verdict`, or the verdict with a higher bound: the bound is doubled up to [`Options::max_bound`] while the next
/// bound is expected to stay within a part of the budget. All bounds together have the time of one.
fn raise_by_steps(
    (source, target): (Side<'_>, Side<'_>),
    options: &Options,
    mut verdict: Verdict,
    spent: u64,
) -> (Verdict, u64) {
    let end = Instant::now().checked_add(options.timeout);
    let (mut cost, mut units) = (spent, 0);
    let share = u64::from(options.rlimit / RAISING);
    loop {
        let bound = match &verdict {
            Verdict::RefinesUpTo { bound, .. } => Some(*bound),
            Verdict::Inconclusive { reason } => reason.bound_to_raise(),
            _ => None,
        };
        let Some(bound) = bound else { return (verdict, units) };
        let next = bound.saturating_mul(2).min(options.max_bound);
        let left = share - units;
        let time = end.map_or(options.timeout, |end| end.saturating_duration_since(Instant::now()));
        // Twice the iterations take at least twice as long.
        if bound < options.bound || next <= bound || cost.saturating_mul(2) > left || time.is_zero() {
            return (verdict, units);
        }
        let rlimit = u32::try_from(left).unwrap_or(u32::MAX);
        let at_next = Options { bound: next, rlimit, ..options.clone() };
        let Checked { verdict: higher, units: spent, .. } = check_at(source, target, &at_next, time);
        (cost, units) = (spent, (units + spent).min(share));
        if !is_better(&higher, &verdict) {
            return (verdict, units);
        }
        verdict = higher;
    }
}

/// Number of runs tried to find a defined one, if the solver has found none.
const FEW_RUNS: u64 = 64;

/// Whether not even the entry block is known to be reached, by the solver or by runs: an acceptance would then cover no
/// run.
fn reaches_nothing((source, target): (Side<'_>, Side<'_>), options: &Options, unreached: &[Block]) -> bool {
    let entry = source.module.body(source.func).and_then(Body::entry);
    let few = Options { runs: FEW_RUNS, ..options.clone() };
    entry.is_some_and(|entry| unreached.contains(&entry)) && !holds_somewhere(source, target, &few)
}

/// Labels of blocks, and of edges as `%from -> %to` with the edge kind: an exit of a loop, or an edge that feeds phis.
fn places(side: Side<'_>, blocks: &[Block], edges: &[Edge]) -> Vec<String> {
    let Some(body) = side.module.body(side.func) else { return Vec::new() };
    let printer = BodyPrinter::new(&side.module.env, body);
    let blocks = blocks.iter().map(|b| printer.block(*b));
    let cfg = Cfg::new(body);
    let edges = edges.iter().map(|e| {
        let exit = is_exit(&cfg, e.from, e.to).then_some("exit");
        let phis = body.phis(e.to).next().map(|_| "phi edge");
        let kinds: Vec<_> = exit.into_iter().chain(phis).collect();
        let kinds = if kinds.is_empty() { String::new() } else { format!(" ({})", kinds.join(", ")) };
        format!("{} -> {}{kinds}", printer.block(e.from), printer.block(e.to))
    });
    blocks.chain(edges).collect()
}

fn inconclusive(
    reason: refinement::Reason,
    source: Side<'_>,
    target: Side<'_>,
    options: &Options,
) -> Verdict {
    let reason = match reason {
        refinement::Reason::Mismatch(mismatch) => Reason::Incomparable { what: mismatch.to_string() },
        refinement::Reason::Unsupported(unsupported) => {
            let (side, word) = match unsupported.side {
                FunctionSide::Source => (source, "source"),
                FunctionSide::Target => (target, "target"),
            };
            let inst = unsupported.inst.zip(side.module.body(side.func));
            let place = inst.map_or_else(String::new, |(inst, body)| inst_text(side, body, inst));
            Reason::Unsupported { feature: unsupported.feature, place: format!("the {word}{place}") }
        }
        refinement::Reason::Solver(query, unknown) => given_up(query, unknown, options),
        refinement::Reason::PastBound { bound } => Reason::PastBound { bound, places: Vec::new() },
        refinement::Reason::UndefChosenOnce => {
            Reason::Inexact { what: "the target's undef bits are chosen once for all uses".to_owned() }
        }
        refinement::Reason::PartlyUndefPointer => Reason::Inexact {
            what: "the source loads a pointer of which some bits are undefined and others are not".to_owned(),
        },
        refinement::Reason::TooLarge { terms, .. } => {
            Reason::Solver { word: format!("the formula is too large for the budget: {terms} terms or more") }
        }
        refinement::Reason::Time => out_of_time(options),
        refinement::Reason::Broken(SolverError::NoThread(why)) => {
            Reason::Worker { what: format!("the system gave it no thread: {why}") }
        }
        refinement::Reason::Broken(error) => {
            let error = InternalError::new(format!("the solver misbehaved: {error}"), None, source, target);
            return Verdict::InternalError(Box::new(error));
        }
    };
    Verdict::Inconclusive { reason }
}

fn inst_text(side: Side<'_>, body: &Body, inst: backedge_ir::entity::Inst) -> String {
    format!(" at `{}`", BodyPrinter::new(&side.module.env, body).inst(inst).trim())
}

fn out_of_time(options: &Options) -> Reason {
    Reason::Time { limit_ms: u64::try_from(options.timeout.as_millis()).unwrap_or(u64::MAX) }
}

fn given_up(query: &str, unknown: UnknownReason, options: &Options) -> Reason {
    match unknown {
        UnknownReason::Units => Reason::Budget { rlimit: options.rlimit },
        UnknownReason::Time => out_of_time(options),
        UnknownReason::Memory => Reason::Memory { limit_mb: options.memory_mb },
        UnknownReason::Rounds => Reason::Solver { word: format!("out of rounds on {query}") },
        UnknownReason::Terms => Reason::Solver { word: format!("the formula grew too large on {query}") },
        UnknownReason::Other(word) => Reason::Solver { word: format!("{word} on {query}") },
    }
}
