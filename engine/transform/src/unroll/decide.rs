//! Which unrolling, and by how much.

use super::{LoopUnroll, Missed};
use crate::cost::{Iteration, Table, weigh};
use crate::counted::{Facts, Unfit};

/// What is to be done with a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Choice {
    /// All iterations one after the other, that many.
    Full {
        /// How many copies of the body there are then.
        trips: usize,
    },
    /// Copies in the loop, every exit tested where it can be taken.
    Partial {
        /// How many copies of the body there are then.
        factor: usize,
        /// Why that many, if they are not asked for.
        table: Option<Table>,
    },
    /// Whole rounds in the loop, and another loop for the rest.
    Runtime(Runtime),
}

/// How a loop is unrolled whose number of iterations is known at run time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Runtime {
    /// How many iterations a round makes.
    pub(crate) factor: usize,
    /// Where the rest is done.
    pub(crate) form: Form,
    /// The exits that are not tested in whole rounds, by their place in [`Facts::exits`].
    pub(crate) dropped: Vec<usize>,
    /// Why that many, if they are not asked for.
    pub(crate) table: Option<Table>,
}

/// Where iterations are done that make no whole round.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Form {
    /// Behind the main loop. The main loop tests nothing but its rounds and what can't be counted: the last iteration is
    /// always left to the epilogue.
    RequiredEpilogue,
    /// Behind the main loop, if there are any. The latch's exit is not tested in the main loop.
    Epilogue,
    /// In front of the main loop, if there are any. The latch's exit is tested once a round.
    Prologue,
}

impl Form {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::RequiredEpilogue, Self::Epilogue, Self::Prologue];
    /// The word for it in a pipeline's text.
    pub fn word(self) -> &'static str {
        match self {
            Self::RequiredEpilogue => "required-epilogue",
            Self::Epilogue => "epilogue",
            Self::Prologue => "prologue",
        }
    }
}

/// What is weighed of a loop.
pub(crate) struct Weight<'a> {
    /// How many instructions it has that cost something.
    pub(crate) size: usize,
    /// What an iteration costs if all of them are executed.
    pub(crate) dynamic: u32,
    /// How many of them are conditional branches and switches.
    pub(crate) branches: usize,
    /// How many iterations profile data says it makes.
    pub(crate) expected: Option<u64>,
    /// How many instructions of a round of so many iterations are spared, since lanes are uniform.
    pub(crate) spared: &'a dyn Fn(usize) -> u32,
}

/// Chooses for a loop.
pub(crate) fn decide(facts: &Facts, weight: &Weight<'_>, options: &LoopUnroll) -> Result<Choice, Missed> {
    let size = weight.size;
    if let Some(choice) = full(facts, size, options) {
        return Ok(choice);
    }
    if options.full_only {
        let bounded = facts.constant_max.is_some();
        let too_large = Missed::Unfit(Unfit::TooLarge { size, limit: options.most_instructions });
        return Err(if bounded { too_large } else { Missed::NotCounted });
    }
    let (factor, table) = match options.count {
        Some(count) => (count, None),
        None => {
            let table = weigh_factors(facts, weight, options)?;
            match table.chosen {
                Some(factor) => (factor, Some(table)),
                None => return Err(Missed::NotWorthIt(Some(table))),
            }
        }
    };
    if factor < 2 {
        return Err(Missed::NotWorthIt(table));
    }
    if facts.constant_max.is_some_and(|max| max.bits() < factor as u128) {
        return Err(Missed::TooFewIterations);
    }
    if size.saturating_mul(factor) > options.most_instructions {
        return Err(Missed::Unfit(Unfit::TooLarge { size, limit: options.most_instructions }));
    }
    if facts.constant.is_some() {
        return Ok(Choice::Partial { factor, table });
    }
    match runtime(facts, factor, options) {
        Ok(runtime) if options.runtime => Ok(Choice::Runtime(Runtime { table, ..runtime })),
        Ok(_) | Err(_) if options.partial => Ok(Choice::Partial { factor, table }),
        Ok(_) => Err(Missed::NotWorthIt(table)),
        Err(missed) => Err(missed),
    }
}

/// Weighs what rounds would come to, in the form that they would have.
fn weigh_factors(facts: &Facts, weight: &Weight<'_>, options: &LoopUnroll) -> Result<Table, Missed> {
    let constant = facts.constant.is_some();
    if !constant && !options.runtime && !options.partial {
        return Err(Missed::NotWorthIt(None));
    }
    let untested = match runtime(facts, 2, options) {
        Ok(runtime) if constant || options.runtime => runtime.dropped.len() as u32,
        Ok(_) => 0,
        Err(_) if options.partial => 0,
        Err(missed) => return Err(missed),
    };
    let iteration = Iteration {
        size: weight.dynamic.min(u32::MAX / 1024),
        branches: weight.branches as u32,
        untested,
        // The test itself, and what it branches on.
        for_tests: untested * 2,
        exits: facts.exits.len() as u32,
        trips: facts.constant.and_then(|c| u64::try_from(c.bits()).ok()?.checked_add(1)),
        expected: weight.expected,
    };
    Ok(weigh(&options.machine, iteration, weight.spared))
}

fn full(facts: &Facts, size: usize, options: &LoopUnroll) -> Option<Choice> {
    let most = facts.constant_max?.bits().checked_add(1)?;
    let trips = usize::try_from(most).ok()?;
    let fits = |limit: usize| trips <= limit && size.saturating_mul(trips) <= options.most_instructions;
    let wanted = match options.count {
        Some(count) => count >= trips,
        None => options.full_limit.is_none_or(|limit| trips <= limit),
    };
    (wanted && fits(options.most_trips)).then_some(Choice::Full { trips })
}

/// How the loop is split into rounds and a rest.
fn runtime(facts: &Facts, factor: usize, options: &LoopUnroll) -> Result<Runtime, Missed> {
    let analyzable: Vec<usize> = (0..facts.exits.len()).filter(|i| facts.exits[*i].is_analyzable()).collect();
    let counted = |i: &usize| facts.exits[*i].exact.is_some();
    let latch = analyzable.iter().copied().find(|i| {
        let exit = &facts.exits[*i];
        exit.block == facts.ring.latch && exit.leave.is_some() && exit.exact.is_some()
    });
    if !analyzable.iter().any(counted) {
        return Err(Missed::NotCounted);
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
