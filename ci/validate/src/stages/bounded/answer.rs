//! The verdict for the solver's answer. The interpreter replays a counterexample before it counts.

use crate::pair::cycles::is_exit;
use crate::pair::{Side, Sides};
use crate::replay::counterexample::{Replay, describe, replay};
use crate::replay::coverage::without_runs;
use crate::replay::refutation::undefined_source;
use crate::replay::runners::holds_somewhere;
use crate::verdict::{Assumption, InternalError, Method, Options, Reason, Unreached, Verdict};
use backedge_ir::body::Body;
use backedge_ir::cfg::Cfg;
use backedge_ir::entity::Block;
use backedge_ir::print::BodyPrinter;
use backedge_smt::refinement::{
    self, Edge, FunctionSide, ModelApproximation as Approximation, Outcome, Witness,
};
use backedge_smt::solver::{SolverError, UnknownReason};

/// The verdict for the solver's answer, after the interpreter has replayed its counterexample.
pub(super) fn verdict_of(
    outcome: Outcome,
    approximations: &[Approximation],
    Sides { source, target }: Sides<'_>,
    options: &Options,
) -> Verdict {
    match outcome {
        Outcome::Refines { bound, unreached, assumed } => {
            let assumed = assumed.into_iter().map(assumption).collect();
            match bound {
                None => Verdict::RefinesAll { method: Method::AllPaths, assumed },
                Some(_) if reaches_nothing(Sides { source, target }, options, &unreached.source_blocks) => {
                    let word = "no run within the bound is shown to exist".to_owned();
                    Verdict::Inconclusive { reason: Reason::Solver { word } }
                }
                Some(bound) => {
                    let unreached = without_runs(Sides { source, target }, options, bound, unreached);
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
            let Some(otherwise) = otherwise else { return found.replayed(Sides { source, target }, options) };
            let exact = all_choices && approximations.is_empty();
            let otherwise = verdict_of(*otherwise, approximations, Sides { source, target }, options);
            match found.replayed(Sides { source, target }, options) {
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
    fn replayed(&self, Sides { source, target }: Sides<'_>, options: &Options) -> Verdict {
        let Self { failure, witness, all_choices, approximations } = *self;
        let exact = all_choices && approximations.is_empty();
        let inexact = |what| Verdict::Inconclusive { reason: Reason::Inexact { what } };
        match replay(Sides { source, target }, options, witness, exact) {
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
                let claimed = format!("{}\nwhen run: {run}", describe(witness));
                let error = InternalError::new(what, Some(claimed), source, target);
                Verdict::InternalError(Box::new(error))
            }
        }
    }
}

/// An assumption of the solver, as one of the verdict.
pub(crate) fn assumption(assumption: refinement::InputAssumption) -> Assumption {
    match assumption {
        refinement::InputAssumption::NoPoisonInputs => Assumption::NoPoisonInputs,
        refinement::InputAssumption::NoUndefInputs => Assumption::NoUndefInputs,
    }
}

/// Number of runs tried to find a defined one, if the solver has found none.
const FEW_RUNS: u64 = 64;

/// Whether not even the entry block is known to be reached, by the solver or by runs: an acceptance would then cover no
/// run.
fn reaches_nothing(Sides { source, target }: Sides<'_>, options: &Options, unreached: &[Block]) -> bool {
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
