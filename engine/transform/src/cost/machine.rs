//! Machine models, as far as they affect how many branches a loop should have.

use super::{Iteration, Row};

/// Branch predictor model.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Predictor {
    /// No or poor prediction: each branch costs.
    None,
    /// A dedicated loop predictor knows the trip counts of loops with one exit.
    Loop,
    /// Branch history: a pattern that repeats within `pattern` outcomes is predicted.
    History {
        /// Length of the history in outcomes.
        pattern: u64,
    },
}

/// A kind of machine.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Machine {
    /// Its name for `--machine`.
    pub name: &'static str,
    /// The branch predictor.
    pub predictor: Predictor,
    /// Extra cost of a predicted branch beyond an instruction, in tenths.
    pub branch: u32,
    /// Largest loop that fits the smallest instruction cache, in instructions.
    pub cache: usize,
}

/// The modelled machines; the first is the default.
pub const MACHINES: &[Machine] = &[
    Machine { name: "ooo", predictor: Predictor::History { pattern: 16 }, branch: 3, cache: 192 },
    Machine { name: "ooo-loop-predictor", predictor: Predictor::Loop, branch: 3, cache: 192 },
    Machine { name: "in-order", predictor: Predictor::None, branch: 20, cache: 96 },
];

impl Machine {
    /// The machine called `name`.
    pub fn named(name: &str) -> Option<&'static Self> {
        MACHINES.iter().find(|m| m.name == name)
    }
    /// Extra cost of `branches` branches in rounds of `factor` iterations, beyond instructions, in tenths. `own` of
    /// them only decide whether the loop continues.
    pub(super) fn branches_cost(&self, iteration: Iteration, factor: usize, branches: u32, own: u32) -> u32 {
        let own_are_free = match self.predictor {
            // The branch of such a loop is free, independent of the number of iterations in a round.
            Predictor::Loop => iteration.exits == 1,
            // The last iteration is mispredicted, unless the history covers the loop.
            Predictor::History { pattern } => iteration.trips.is_some_and(|t| t / factor as u64 <= pattern),
            Predictor::None => false,
        };
        let free = if own_are_free { own } else { 0 };
        self.branch.saturating_mul(branches.saturating_sub(free))
    }
    /// Whether the reduced number of branches alone makes a round worthwhile.
    pub(super) fn favors_fewer_branches(
        &self,
        iteration: Iteration,
        before: Row,
        factor: usize,
        row: Row,
    ) -> bool {
        let no_more_in_all = row.branches * factor as u32 <= before.branches;
        match self.predictor {
            // Always; the caller limits the size to the smallest cache.
            Predictor::None => true,
            Predictor::Loop => iteration.exits > 1 && no_more_in_all,
            Predictor::History { pattern } if iteration.exits == 1 => {
                // The last round is still mispredicted, unless fewer rounds make it fit the history.
                super::known_trips(iteration).is_some_and(|t| t > pattern && t / factor as u64 <= pattern)
            }
            Predictor::History { .. } => no_more_in_all,
        }
    }
    /// Whether removing the loop is worthwhile for its branches alone: `trips` copies, each with `branches` remaining
    /// branches. `always` says that exactly `trips` iterations run, not at most.
    pub(super) fn favors_full_unrolling(
        &self,
        iteration: Iteration,
        branches: u32,
        trips: usize,
        always: bool,
    ) -> bool {
        let no_more_in_all = branches as usize * trips <= iteration.branches as usize;
        match self.predictor {
            Predictor::None => true,
            // The loop's own branch is free already.
            Predictor::Loop => iteration.exits > 1 && no_more_in_all,
            // The exit of a short loop is often mispredicted; that of a long loop matters little.
            Predictor::History { pattern } => always && trips as u64 <= 4 * pattern,
        }
    }
}

impl Default for Machine {
    fn default() -> Self {
        MACHINES[0]
    }
}
