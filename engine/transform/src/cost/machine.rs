//! Models of machines, as far as it matters for how many branches a loop should have.

use super::{Iteration, Row};

/// How branches are predicted.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Predictor {
    /// Not, or badly: each branch costs.
    None,
    /// A predictor of its own knows how often loops with one exit run.
    Loop,
    /// By the history of the branch: what repeats within so many outcomes is predicted.
    History {
        /// How many.
        pattern: u64,
    },
}

/// A kind of machine.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Machine {
    /// Its name for `--machine`.
    pub name: &'static str,
    /// How it predicts branches.
    pub predictor: Predictor,
    /// What a branch that is predicted costs beyond an instruction, in tenths.
    pub branch: u32,
    /// How many instructions a loop may have to stay in the smallest cache.
    pub cache: usize,
}

/// The machines that there are models of; the first is the default.
pub const MACHINES: &[Machine] = &[
    Machine { name: "ooo", predictor: Predictor::History { pattern: 16 }, branch: 3, cache: 192 },
    Machine { name: "ooo-loop-predictor", predictor: Predictor::Loop, branch: 3, cache: 192 },
    Machine { name: "in-order", predictor: Predictor::None, branch: 20, cache: 96 },
];

impl Machine {
    /// The machine of that name.
    pub fn named(name: &str) -> Option<&'static Self> {
        MACHINES.iter().find(|m| m.name == name)
    }
    /// What `branches` branches in rounds of `factor` iterations cost, beyond instructions, in tenths. `own` of them decide
    /// nothing but whether the loop goes on.
    pub(super) fn branches_cost(
        &self,
        iteration: Iteration,
        factor: usize,
        (branches, own): (u32, u32),
    ) -> u32 {
        let own_are_free = match self.predictor {
            // The one branch of such a loop is free, however many iterations a round makes.
            Predictor::Loop => iteration.exits == 1,
            // The last iteration is mispredicted, unless the history shows it.
            Predictor::History { pattern } => iteration.trips.is_some_and(|t| t / factor as u64 <= pattern),
            Predictor::None => false,
        };
        let free = if own_are_free { own } else { 0 };
        self.branch.saturating_mul(branches.saturating_sub(free))
    }
    /// Whether a round is worth it for its having fewer branches.
    pub(super) fn likes_fewer_branches(
        &self,
        iteration: Iteration,
        before: Row,
        (factor, row): (usize, Row),
    ) -> bool {
        let no_more_in_all = row.branches * factor as u32 <= before.branches;
        match self.predictor {
            // Up to the smallest cache.
            Predictor::None => true,
            Predictor::Loop => iteration.exits > 1 && no_more_in_all,
            Predictor::History { pattern } if iteration.exits == 1 => {
                // Still the last round is mispredicted, unless that makes it fit the history.
                super::known_trips(iteration).is_some_and(|t| t > pattern && t / factor as u64 <= pattern)
            }
            Predictor::History { .. } => no_more_in_all,
        }
    }
    /// Whether `trips` iterations one after the other are worth it for there being no loop, if `branches` are left of the
    /// branches of each. There are always that many, or never more.
    pub(super) fn likes_no_loop(
        &self,
        iteration: Iteration,
        branches: u32,
        (trips, always): (usize, bool),
    ) -> bool {
        let no_more_in_all = branches as usize * trips <= iteration.branches as usize;
        match self.predictor {
            Predictor::None => true,
            // The loop's own branch is free already.
            Predictor::Loop => iteration.exits > 1 && no_more_in_all,
            // The end of a short loop is mispredicted often; that of a long one matters little.
            Predictor::History { pattern } => always && trips as u64 <= 4 * pattern,
        }
    }
}

impl Default for Machine {
    fn default() -> Self {
        MACHINES[0]
    }
}
