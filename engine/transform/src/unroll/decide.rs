//! Chooses the kind of unrolling and the factor.

use super::options::LoopUnroll;
use super::remarks::{Form, UnrollMissed};
use crate::cost::{FACTORS, Iteration, Spared, Straight, Table, What, weigh, weigh_full};
use crate::counted::{Exit, Facts, Unfit};
use backedge_ir::int::Int;

/// The chosen transform of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Choice {
    /// Full unrolling.
    Full {
        /// The number of copies of the body.
        trips: usize,
        /// The cost table that justifies the choice, unless it was requested.
        table: Option<Table>,
    },
    /// Copies in the loop; every exit is tested where it can be taken.
    Partial {
        /// The number of copies of the body.
        factor: usize,
        /// The cost table that justifies the factor, unless it was requested.
        table: Option<Table>,
    },
    /// Whole rounds in the main loop, and a remainder loop.
    Runtime(Runtime),
}

impl Choice {
    /// The exits that some copies do not test; their branch weights become wrong for the other copies.
    pub(super) fn untested<'f>(&self, facts: &'f Facts) -> impl Iterator<Item = &'f Exit> {
        let dropped: Vec<usize> = match self {
            Self::Full { .. } => Vec::new(),
            Self::Partial { .. } => {
                let some = facts.constant.is_some() || facts.trip_multiple > 1;
                (0..facts.exits.len()).filter(|i| some && facts.exits[*i].exact.is_some()).collect()
            }
            Self::Runtime(runtime) => runtime.dropped.clone(),
        };
        dropped.into_iter().map(|i| &facts.exits[i])
    }
}

/// Unrolling of a loop whose trip count is known at run time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Runtime {
    /// Iterations per round.
    pub(crate) factor: usize,
    /// Position of the remainder loop.
    pub(crate) form: Form,
    /// The exits that whole rounds do not test, as indices into [`Facts::exits`].
    pub(crate) dropped: Vec<usize>,
    /// The cost table that justifies the factor, unless it was requested.
    pub(crate) table: Option<Table>,
}

impl Form {
    /// All forms.
    pub const ALL: [Self; 3] = [Self::RequiredEpilogue, Self::Epilogue, Self::Prologue];
    /// The form's spelling in a pipeline.
    pub fn word(self) -> &'static str {
        match self {
            Self::RequiredEpilogue => "required-epilogue",
            Self::Epilogue => "epilogue",
            Self::Prologue => "prologue",
        }
    }
}

/// Size limit of all copies together, in instructions, if metadata requests unrolling, fully or without a count: a
/// request overrides the cost model, but not this limit.
const ASKED_LIMIT: usize = 16 * 1024;

/// Cost-model inputs of a loop.
pub(crate) struct Weight<'a> {
    /// The number of instructions that are not free.
    pub(crate) size: usize,
    /// The costs of an iteration with every exit test.
    pub(crate) iteration: Iteration,
    /// Instructions of an iteration that become constant in each copy after full unrolling, besides counters.
    pub(crate) folded: u32,
    /// The candidate factors, and the savings of a round of each.
    pub(crate) rounds: &'a [(usize, Spared)],
}

/// Chooses the transform of a loop.
pub(crate) fn decide(
    facts: &Facts,
    weight: &Weight<'_>,
    options: &LoopUnroll,
) -> Result<Choice, UnrollMissed> {
    choose(facts, weight, options).map_err(|missed| match facts.constant {
        _ if !options.full_asked => missed,
        None => UnrollMissed::FullNotCounted,
        Some(_) => UnrollMissed::FullTooLarge,
    })
}

fn choose(facts: &Facts, weight: &Weight<'_>, options: &LoopUnroll) -> Result<Choice, UnrollMissed> {
    let size = weight.size;
    let not_full = match full(facts, weight, options) {
        Full::Yes(choice) => return Ok(choice),
        Full::No(table) => table,
    };
    if options.full_only {
        let too_large = UnrollMissed::Unfit(Unfit::TooLarge { size, limit: options.most_instructions });
        return Err(match not_full {
            Some(table) => UnrollMissed::NotWorthIt(Some(table)),
            None if facts.constant.is_some() => too_large,
            None if facts.exits.iter().any(|e| e.exact.is_some()) => UnrollMissed::NotConstant,
            None => UnrollMissed::NotCounted,
        });
    }
    let (factor, table) = match options.count {
        Some(count) => (count, None),
        None if options.asked && (options.runtime || facts.constant.is_some()) => {
            (usual_factor(facts, size), None)
        }
        None => {
            let weighed = weigh_factors(facts, weight, options);
            let table = weighed.map_err(|missed| match missed {
                UnrollMissed::NotAsked if not_full.is_some() => UnrollMissed::NotWorthIt(not_full),
                other => other,
            })?;
            match table.chosen {
                Some(What::Rounds(factor)) => (factor, Some(table)),
                Some(_) | None => return Err(UnrollMissed::NotWorthIt(Some(table))),
            }
        }
    };
    if factor < 2 {
        return Err(UnrollMissed::NotWorthIt(table));
    }
    if facts.constant_max.is_some_and(|max| max.bits() < factor as u128) {
        return Err(UnrollMissed::TooFewIterations);
    }
    let limit = if options.asked { ASKED_LIMIT } else { options.most_instructions };
    if size.saturating_mul(factor) > limit {
        return Err(UnrollMissed::Unfit(Unfit::TooLarge { size, limit }));
    }
    if facts.constant.is_some() {
        return Ok(Choice::Partial { factor, table });
    }
    match runtime(facts, factor, options) {
        Ok(runtime) if options.runtime => Ok(Choice::Runtime(Runtime { table, ..runtime })),
        Ok(_) | Err(_) if options.partial => Ok(Choice::Partial { factor, table }),
        Ok(_) => Err(UnrollMissed::NotAsked),
        Err(missed) => Err(missed),
    }
}

/// The factor for a loop whose metadata requests unrolling without a count: the largest usual factor that the trip
/// count and the size limit allow.
fn usual_factor(facts: &Facts, size: usize) -> usize {
    let runs = |factor: usize| facts.constant_max.is_none_or(|max| max.bits() >= factor as u128);
    let fits = |factor: &usize| runs(*factor) && size.saturating_mul(*factor) <= ASKED_LIMIT;
    FACTORS.into_iter().rev().find(fits).unwrap_or(FACTORS[0])
}

/// Weighs each candidate factor, for the form of unrolling that it would use.
fn weigh_factors(facts: &Facts, weight: &Weight<'_>, options: &LoopUnroll) -> Result<Table, UnrollMissed> {
    let constant = facts.constant.is_some();
    if !constant && !options.runtime && !options.partial {
        return Err(UnrollMissed::NotAsked);
    }
    let untested = match runtime(facts, 2, options) {
        Ok(runtime) if constant || options.runtime => runtime.dropped.len() as u32,
        Ok(_) => 0,
        Err(_) if options.partial => 0,
        Err(missed) => return Err(missed),
    };
    Ok(weigh(&options.machine, without_tests(weight.iteration, untested, 2), weight.rounds))
}

/// The costs of an iteration in which `untested` exits are not tested, each saving `each` instructions (the test and
/// its operands).
fn without_tests(iteration: Iteration, untested: u32, each: u32) -> Iteration {
    Iteration { untested, for_tests: untested * each, ..iteration }
}

/// Whether to unroll fully.
enum Full {
    Yes(Choice),
    /// Not: because of the cost table, or because it is impossible.
    No(Option<Table>),
}

/// The backedge-taken count for full unrolling.
fn most_known(facts: &Facts, options: &LoopUnroll) -> Option<Int> {
    if options.upper_bound { facts.constant_max } else { facts.constant }
}

fn full(facts: &Facts, weight: &Weight<'_>, options: &LoopUnroll) -> Full {
    let most = most_known(facts, options).and_then(|max| max.bits().checked_add(1));
    let Some(trips) = most.and_then(|n| usize::try_from(n).ok()) else { return Full::No(None) };
    // An upper bound alone does not satisfy a request to unroll, unless the request is for full unrolling.
    let asked = options.full_asked || options.asked && facts.constant.is_some();
    let (limit, most_trips) =
        if asked { (ASKED_LIMIT, usize::MAX) } else { (options.most_instructions, options.most_trips) };
    let fits = trips <= most_trips && weight.size.saturating_mul(trips) <= limit;
    let wanted = match options.count {
        Some(count) => count >= trips,
        None => options.full_limit.is_none_or(|limit| trips <= limit),
    };
    if !(fits && wanted) {
        return Full::No(None);
    }
    if options.count.is_some() || asked || options.full_limit.is_some() {
        return Full::Yes(Choice::Full { trips, table: None });
    }
    let decided = facts.exits.iter().filter(|e| e.passed && e.constant.is_some()).count() as u32;
    // The counter is removed as well.
    let iteration = without_tests(weight.iteration, decided, 3);
    let straight = Straight { trips, always: facts.constant.is_some(), folded: weight.folded };
    let table = weigh_full(&options.machine, iteration, straight);
    match table.chosen {
        Some(_) => Full::Yes(Choice::Full { trips, table: Some(table) }),
        None => Full::No(Some(table)),
    }
}

/// The split of the loop into rounds and a remainder.
fn runtime(facts: &Facts, factor: usize, options: &LoopUnroll) -> Result<Runtime, UnrollMissed> {
    let analyzable: Vec<usize> = (0..facts.exits.len()).filter(|i| facts.exits[*i].is_analyzable()).collect();
    let counted = |i: &usize| facts.exits[*i].exact.is_some();
    let latch = analyzable.iter().copied().find(|i| {
        let exit = &facts.exits[*i];
        exit.block == facts.ring.latch && exit.leave.is_some() && exit.exact.is_some()
    });
    if !analyzable.iter().any(counted) {
        return Err(UnrollMissed::NotCounted);
    }
    let only_latch = analyzable.len() == 1 && latch.is_some();
    let form = match (options.form, latch) {
        (Some(Form::RequiredEpilogue), _) | (Some(_) | None, None) => Form::RequiredEpilogue,
        (Some(form), Some(_)) => form,
        (None, Some(_)) if only_latch => Form::Epilogue,
        (None, Some(_)) => Form::RequiredEpilogue,
    };
    let dropped = match (form, latch) {
        (Form::RequiredEpilogue, _) | (_, None) => analyzable,
        (Form::Epilogue | Form::Prologue, Some(latch)) => vec![latch],
    };
    Ok(Runtime { factor, form, dropped, table: None })
}
