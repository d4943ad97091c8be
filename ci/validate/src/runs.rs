//! The portfolio's first engine: both functions run on a list of inputs ([`crate::inputs`]).
//!
//! A violation is reported by [`backedge_interp::refine`] only if all choices of the source were tried and nothing was
//! approximated, so it is a refutation as it stands. Absence of violations proves something only if inputs and
//! choices were all there are: integer parameters that can't be undef (or none), no memory, no calls.

use crate::check::{Options, Side, Uninit};
use crate::inputs::{EXHAUSTIVE, Inputs};
use crate::narrate;
use crate::witness::{FoundBy, Refutation};
use backedge_interp::input::Input;
use backedge_interp::refine::{Budget, Refinement, Side as Runner, refine};
use backedge_interp::{Config, Machine, Program};
use backedge_ir::body::Body;
use backedge_ir::inst::InstKind;
use std::time::Instant;

/// What the runs showed.
#[derive(Debug)]
pub(crate) enum Found {
    /// A violation.
    Refuted(Box<Refutation>),
    /// Every input and choice was run to its end on both sides, and all is well.
    AllHold,
    /// Every input was run, and the source has undefined behaviour on each.
    AlwaysUndefined,
    /// Nothing either way.
    Nothing,
}

/// The result of a search.
#[derive(Debug)]
pub(crate) struct Search {
    /// What was found.
    pub(crate) result: Found,
    /// Inputs that both functions were run on.
    pub(crate) runs: u64,
}

/// Steps that all runs of one search together may take. Counted, so that verdicts don't depend on the machine; the
/// limit on time lies on top, for runs whose steps are long.
const STEPS: u64 = 20_000_000;
/// Inputs after which a search ends if none of them showed anything.
const PATIENCE: u64 = 64;
/// Choices that are tried on each input. The solver's part is to look at all of them.
const BUDGET: Budget = Budget { target_runs: 8, source_runs: 32 };

/// The interpreter's configuration for `options`.
pub(crate) fn config(options: &Options) -> Config {
    Config {
        fuel: options.fuel,
        max_bytes: 1 << 24,
        uninit_poison: options.uninit == Uninit::Poison,
        ..Config::default()
    }
}

/// Runs `source` and `target` on inputs until one shows a violation.
pub(crate) fn search(source: Side<'_>, target: Side<'_>, options: &Options) -> Search {
    let nothing = Search { result: Found::Nothing, runs: 0 };
    let Some(inputs) = Inputs::new(source, target) else { return nothing };
    let config = config(options);
    let programs = Program::pair([source.module, target.module], &config);
    let mut machines = programs.each_ref().map(|p| Machine::new(p, config.clone()));
    let closed = |s: Side<'_>| s.module.body(s.func).is_some_and(is_closed);
    let provable = inputs.all_noundef() && closed(source) && closed(target);
    let worthwhile = if provable { EXHAUSTIVE } else { options.runs.min(EXHAUSTIVE) };
    let all = inputs.count().filter(|n| *n <= worthwhile);
    let list: Box<dyn Iterator<Item = Input>> = match all {
        Some(_) => Box::new(inputs.all()),
        None => Box::new(inputs.some(options.runs).into_iter()),
    };
    let started = Instant::now();
    let mut tally = Tally { runs: 0, unknown: 0, all_choices: true, source_ub: true };
    let budget = if provable { Budget::default() } else { BUDGET };
    for input in list {
        let [s, t] = &mut machines;
        let mut sides = (Runner { machine: s, func: source.func }, Runner { machine: t, func: target.func });
        let Ok(refinement) = refine(&mut sides.0, &mut sides.1, &input, budget) else { return nothing };
        tally.runs += 1;
        match refinement {
            Refinement::Violates(violation) => {
                let refutation = narrate::refutation(
                    (source, target),
                    &programs,
                    options,
                    &input,
                    &violation,
                    FoundBy::Runs,
                );
                return Search { result: Found::Refuted(Box::new(refutation)), runs: tally.runs };
            }
            Refinement::Refines { all_choices, source_ub } => {
                tally.all_choices &= all_choices;
                tally.source_ub &= source_ub;
            }
            Refinement::Unmatched(_) | Refinement::Inconclusive(_) => tally.unknown += 1,
        }
        let useless = tally.unknown >= PATIENCE && tally.unknown == tally.runs;
        let late = started.elapsed() > options.timeout;
        if useless || late || machines.iter().map(Machine::steps).sum::<u64>() > STEPS {
            break;
        }
    }
    Search { result: tally.conclusion(provable && all == Some(tally.runs)), runs: tally.runs }
}

struct Tally {
    runs: u64,
    unknown: u64,
    all_choices: bool,
    source_ub: bool,
}

impl Tally {
    fn conclusion(&self, complete: bool) -> Found {
        if !complete || self.unknown > 0 || !self.all_choices {
            Found::Nothing
        } else if self.source_ub {
            Found::AlwaysUndefined
        } else {
            Found::AllHold
        }
    }
}

/// Whether a run depends on its arguments and choices alone: the body touches no memory and calls nothing.
fn is_closed(body: &Body) -> bool {
    body.all_insts().all(|inst| match &body.inst(inst).kind {
        InstKind::Ret
        | InstKind::Br
        | InstKind::CondBr
        | InstKind::Switch
        | InstKind::Unreachable
        | InstKind::Binary(..)
        | InstKind::Cast(..)
        | InstKind::ICmp { .. }
        | InstKind::Select(_)
        | InstKind::Phi(_)
        | InstKind::Freeze
        | InstKind::ExtractValue(_)
        | InstKind::InsertValue(_)
        | InstKind::ExtractElement
        | InstKind::InsertElement
        | InstKind::ShuffleVector(_)
        | InstKind::DebugRecord(_) => true,
        InstKind::Invoke(_)
        | InstKind::Resume
        | InstKind::FNeg(_)
        | InstKind::FloatBinary(..)
        | InstKind::FCmp(..)
        | InstKind::Alloca(_)
        | InstKind::Load(_)
        | InstKind::Store(_)
        | InstKind::Gep { .. }
        | InstKind::Call(_)
        | InstKind::Fence(..)
        | InstKind::AtomicRmw(..)
        | InstKind::CmpXchg(_)
        | InstKind::VaArg
        | InstKind::LandingPad { .. } => false,
    })
}
