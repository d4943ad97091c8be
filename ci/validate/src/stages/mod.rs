//! The methods of the portfolio: each is a [`Stage`] in a file of its own.
//!
//! A stage asks one question about a pair ([`Stage::run`]) and says what the answer means for the verdict
//! ([`Stage::fold`]). The answer is data, so that another process can give it. A new method is a file here with its
//! `mod`, its `use` and a row of the table below, and a line in the list of `judge/portfolio.rs`, which holds the order.
//! docs/proofs.md describes the order to users.
//!
//! The room imports `pair`, `verdict`, `admit` and `replay`. It knows neither workers nor the cache. Two checks wrap
//! the whole list instead of being in it: `target_claims` and `promise_check`. `long_runs` and `higher_bounds` are parts of
//! other stages.
//!
//! | file | question |
//! |---|---|
//! | `identical` | are both functions the same code? |
//! | `comparable` | can the engines compare the pair? |
//! | `endless_pairs` | do both sides run forever without effect? |
//! | `runs` | does a run on a fixed list of inputs fail? |
//! | `narrower_runs` | does a copy with narrower integers fail? |
//! | `undef_runs` | does a run on an undef input fail? |
//! | `simulation` | do both take the same steps, side by side on values? |
//! | `runs_alone` | without the solver: does a long run fail? |
//! | `target_globals` | does the target promise too much about globals? |
//! | `bounded` | the solver: does a run within a bound fail? |
//! | `proof` | the solver: is there a proof for all iterations? |
//! | `full_effort` | full budget, long runs (`long_runs`) and higher bounds (`higher_bounds`) |

pub(crate) mod bounded;
mod comparable;
mod endless_pairs;
mod full_effort;
mod higher_bounds;
pub(crate) mod identical;
mod long_runs;
mod narrower_runs;
pub(crate) mod promise_check;
pub(crate) mod proof;
pub(crate) mod runs;
mod runs_alone;
pub(crate) mod simulation;
mod so_far;
pub(crate) mod target_claims;
mod target_globals;
pub(crate) mod undef_runs;

pub(crate) use bounded::Bounded;
pub(crate) use comparable::Comparable;
pub(crate) use endless_pairs::EndlessPairs;
pub(crate) use full_effort::FullEffort;
pub(crate) use identical::Identical;
pub(crate) use narrower_runs::NarrowerRuns;
pub(crate) use proof::Proof;
pub(crate) use runs::Runs;
pub(crate) use runs_alone::RunsAlone;
pub(crate) use simulation::Simulation;
use so_far::Checked;
pub(crate) use so_far::Earlier;
pub use so_far::SoFar;
pub(crate) use target_globals::TargetGlobals;
pub(crate) use undef_runs::UndefRuns;

use crate::pair::Sides;
use crate::verdict::{Options, Reason, Report, Verdict};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use std::ops::ControlFlow;

/// What follows from a stage: the report if it decides the pair, else what is known.
pub(crate) type Step = ControlFlow<Report, SoFar>;

/// A method of the portfolio.
pub(crate) trait Stage: Sync {
    /// The answer to the stage's question.
    type Answer: Serialize + DeserializeOwned;

    /// The name in requests to workers.
    fn name(&self) -> &'static str;

    /// Whether the stage can add to the results of the earlier ones.
    fn wanted(&self, so_far: &SoFar, options: &Options) -> bool;

    /// Asks the stage's question.
    fn run(&self, sides: Sides<'_>, earlier: &Earlier, options: &Options) -> Self::Answer;

    /// What follows from the answer.
    fn fold(&self, so_far: SoFar, answer: Self::Answer) -> Step;

    /// Whether the stage asks the solver: it may run in a worker, with limits on time and memory. Such stages are the
    /// last ones of the list.
    fn asks_solver(&self) -> bool {
        false
    }

    /// Whether a spare worker may run the stage while the stage before it is still running. The stage then sees what
    /// was known before that one.
    fn may_begin_early(&self, _sides: Sides<'_>, _options: &Options) -> bool {
        false
    }

    /// What follows if a worker reaches a limit instead of an answer.
    fn at_limit(&self, _so_far: SoFar, reason: Reason) -> Step {
        Step::Break(Report::new(Verdict::Inconclusive { reason }))
    }
}

/// A [`Stage`] whatever the type of its answer is.
pub(crate) trait AnyStage: Sync {
    /// [`Stage::name`].
    fn name(&self) -> &'static str;
    /// [`Stage::wanted`].
    fn wanted(&self, so_far: &SoFar, options: &Options) -> bool;
    /// [`Stage::asks_solver`].
    fn asks_solver(&self) -> bool;
    /// [`Stage::may_begin_early`].
    fn may_begin_early(&self, sides: Sides<'_>, options: &Options) -> bool;
    /// [`Stage::at_limit`].
    fn at_limit(&self, so_far: SoFar, reason: Reason) -> Step;
    /// Asks the question in this process.
    fn step(&self, sides: Sides<'_>, so_far: SoFar, options: &Options) -> Step;
    /// The answer as JSON, for another process.
    fn answer(&self, sides: Sides<'_>, earlier: &Earlier, options: &Options) -> Box<RawValue>;
    /// What follows from an answer of another process.
    ///
    /// # Errors
    ///
    /// If the text is no answer to this stage's question.
    fn fold_answer(&self, so_far: SoFar, answer: &RawValue) -> serde_json::Result<Step>;
}

impl<S: Stage> AnyStage for S {
    fn name(&self) -> &'static str {
        Stage::name(self)
    }
    fn wanted(&self, so_far: &SoFar, options: &Options) -> bool {
        Stage::wanted(self, so_far, options)
    }
    fn asks_solver(&self) -> bool {
        Stage::asks_solver(self)
    }
    fn may_begin_early(&self, sides: Sides<'_>, options: &Options) -> bool {
        Stage::may_begin_early(self, sides, options)
    }
    fn at_limit(&self, so_far: SoFar, reason: Reason) -> Step {
        Stage::at_limit(self, so_far, reason)
    }
    fn step(&self, sides: Sides<'_>, so_far: SoFar, options: &Options) -> Step {
        let answer = self.run(sides, so_far.earlier(), options);
        self.fold(so_far, answer)
    }
    fn answer(&self, sides: Sides<'_>, earlier: &Earlier, options: &Options) -> Box<RawValue> {
        let answer = self.run(sides, earlier, options);
        serde_json::value::to_raw_value(&answer).expect("an answer has string keys only")
    }
    fn fold_answer(&self, so_far: SoFar, answer: &RawValue) -> serde_json::Result<Step> {
        Ok(self.fold(so_far, serde_json::from_str(answer.get())?))
    }
}
