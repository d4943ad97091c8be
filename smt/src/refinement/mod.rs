//! Checks whether a target function refines a source function, for all inputs and environments, up to a bound on
//! iterations.
//!
//! The check is a list of named queries, each for a run with one kind of failure: first whether the source has any run
//! without UB within the bound (otherwise the answer is vacuous), then UB of the target, events, poison and value of
//! the result, and final memory. If any query has no answer, the result is inconclusive.
//!
//! # Nondeterminism
//! A run of the target is matched with a run of the source that makes the same choices (undef bits, freezes) as the
//! target at the same instruction in the same iteration. If a failing run remains, the check tries another matching
//! (choices in order of execution), and then counterexample-guided instantiation over all choices of the source.
//!
//! # What a bounded answer leaves out
//! Runs in which either function takes more than [`Options::bound`] backedges of a loop per entry. The answer lists the
//! blocks and edges that no run within the bound reaches.

mod check;
mod decide;
pub mod denotation;
pub(crate) mod failure;
pub(crate) mod freeing;
mod guess;
pub(crate) mod inputs;
mod outcome;
mod query;
mod reach;
mod search;
pub(crate) mod witness;
mod written;

use crate::limits::Limits;
use crate::solver::Cost;
use backedge_ir::cfg::Cfg;
use backedge_ir::entity::{Block, EntitySet, FuncId};
use backedge_ir::module::Module;
use std::time::{Duration, Instant};

pub use crate::encode::function::Unsupported as UnsupportedFeature;
pub use crate::encode::world::Side as FunctionSide;
pub use crate::encode::world::{Approximation as ModelApproximation, ChoiceKind, LibraryModel, Uninit};
pub(crate) use check::Check;
pub use outcome::Failure;
pub use outcome::Mismatch;
pub use outcome::{Apart, Edge, Unreached};
pub use outcome::{InputAssumption, Outcome, Reason, Report};
pub(crate) use outcome::{exhausted, halted};
pub use witness::{
    ConcreteBlock, ConcreteByte, ConcreteCall, ConcreteChoice, ConcreteValue, MANY_BYTES, Pointer, Witness,
};
pub use written::writes_no_more;

/// A function of a module.
#[derive(Clone, Copy, Debug)]
pub struct FunctionRef<'m> {
    /// The module.
    pub module: &'m Module,
    /// The function.
    pub func: FuncId,
}

/// Parameters and limits of a check.
#[derive(Clone, Debug)]
pub struct Options {
    /// Maximum number of backedges per entry of a loop.
    pub bound: u32,
    /// Resource units for all queries together.
    pub units: u64,
    /// Wall-clock time for the whole check: encoding, work between the queries, and all queries.
    pub time: Duration,
    /// Megabytes per query.
    pub memory: u32,
    /// The result of reading uninitialized memory.
    pub uninit: Uninit,
    /// Whether arguments and initial memory may contain undef bits. If not, a proof assumes that they contain none.
    pub undef_inputs: bool,
    /// Whether arguments and initial memory may contain poison. If not, a proof assumes that they contain none.
    pub poison_inputs: bool,
    /// The model of library calls on strings and memory.
    pub library: LibraryModel,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            bound: 4,
            units: 60_000_000,
            time: Duration::from_secs(60),
            memory: 4096,
            uninit: Uninit::Undef,
            undef_inputs: true,
            poison_inputs: true,
            library: LibraryModel::default(),
        }
    }
}

/// Minimum number of resource units for the check with undef inputs, if that many are left.
const LEAST_FOR_UNDEF: u64 = 4_000_000;

/// Whether `target` refines `source`.
pub fn check(source: FunctionRef<'_>, target: FunctionRef<'_>, options: &Options) -> Report {
    let mut report = check_inputs(source, target, options);
    if !options.poison_inputs && inputs::may_be_undef(source, target) {
        report.outcome.assume(InputAssumption::NoPoisonInputs);
    }
    report
}

/// [`check`] without a statement of the assumption about poison.
fn check_inputs(source: FunctionRef<'_>, target: FunctionRef<'_>, options: &Options) -> Report {
    let limits = Limits::new(Instant::now(), options.time, options.units);
    let mut spent = Cost::default();
    let may_be_undef = inputs::may_be_undef(source, target);
    if may_be_undef
        && options.undef_inputs
        && let Some(report) = at_once(source, target, options, &mut spent, limits)
    {
        return report;
    }
    // The first question comes on top of the budget: if it is undecided, the result is as if it had not been asked.
    let options = &Options { units: options.units.saturating_add(spent.units), ..options.clone() };
    let mut first = Check::run(source, target, options, false, &mut spent, limits);
    let Outcome::Refines { assumed, .. } = &mut first.outcome else { return first };
    if !may_be_undef {
        return first;
    }
    if !options.undef_inputs {
        assumed.push(InputAssumption::NoUndefInputs);
        return first;
    }
    // Repeats the check with inputs that may be undef: more expensive, and rarely different.
    let left = options.units.saturating_sub(spent.units);
    let share = left.min(spent.units.saturating_mul(2).max(LEAST_FOR_UNDEF));
    let rest = Options { units: spent.units + share, ..options.clone() };
    let second = Check::run(source, target, &rest, true, &mut spent, limits);
    match (second.outcome, first.outcome) {
        (Outcome::Inconclusive(_), Outcome::Refines { bound, unreached, mut assumed }) => {
            assumed.push(InputAssumption::NoUndefInputs);
            let outcome = Outcome::Refines { bound, unreached, assumed };
            Report { outcome, approximations: first.approximations, ..second }
        }
        (Outcome::Refines { assumed, .. }, Outcome::Refines { bound, unreached, .. }) => {
            let outcome = Outcome::Refines { bound, unreached, assumed };
            Report { outcome, ..second }
        }
        (Outcome::Refuted { failure, witness, all_choices, .. }, mut otherwise) => {
            if let Outcome::Refines { assumed, .. } = &mut otherwise {
                assumed.push(InputAssumption::NoUndefInputs);
            }
            let outcome =
                Outcome::Refuted { failure, witness, all_choices, otherwise: Some(Box::new(otherwise)) };
            Report { outcome, ..second }
        }
        (outcome, _) => Report { outcome, ..second },
    }
}

/// For functions without loops, proves refinement for all inputs with one question that allows undef inputs: inputs
/// without undef are a special case.
fn at_once(
    source: FunctionRef<'_>,
    target: FunctionRef<'_>,
    options: &Options,
    spent: &mut Cost,
    limits: Limits,
) -> Option<Report> {
    if [source, target].into_iter().any(has_cycle) {
        return None;
    }
    let (mut check, args) = Check::new(source, target, options, true, spent, limits).ok()?;
    check.holds_at_once(&args, target).then(|| {
        let outcome = Outcome::Refines { bound: None, unreached: Unreached::default(), assumed: Vec::new() };
        Report::new(outcome, *check.cost, check.world)
    })
}

/// Whether the function's CFG has a cycle.
fn has_cycle(function: FunctionRef<'_>) -> bool {
    let Some(body) = function.module.body(function.func) else { return false };
    let cfg = Cfg::new(body);
    let mut seen: EntitySet<Block> = EntitySet::new();
    // In reverse post-order, every cycle has an edge that points backward.
    cfg.rpo().iter().any(|&block| {
        seen.insert(block);
        cfg.succs(block).iter().any(|to| seen.contains(*to))
    })
}
