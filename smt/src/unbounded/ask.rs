//! Questions to the solver within what is left of units and time.

use crate::encode::world::World;
use crate::limits::Limits;
use crate::refinement::{Reason, exhausted};
use crate::solver::{Answer, Budget, Cost, UnknownReason, check};
use crate::term::Term;
use std::time::Duration;

/// What may be used, and what has been.
pub(super) struct Asker {
    pub(super) units: u64,
    pub(super) memory: u32,
    pub(super) limits: Limits,
    pub(super) cost: Cost,
}

impl Asker {
    /// The units that are left.
    pub(super) fn left(&self) -> u64 {
        self.units.saturating_sub(self.cost.units)
    }
    /// Whether the conditions and the facts of the world can hold at once, in at most `units`.
    pub(super) fn ask(
        &mut self,
        world: &mut World,
        conditions: &[Term],
        units: u64,
    ) -> Result<Answer, Reason> {
        if let Some(limit) = world.exhausted() {
            return Err(exhausted(limit, world));
        }
        if conditions.iter().any(|c| world.terms.as_bool(*c) == Some(false)) {
            return Ok(Answer::Unsat);
        }
        if self.left() == 0 {
            return Ok(Answer::Unknown(UnknownReason::Units));
        }
        if self.limits.late() {
            return Ok(Answer::Unknown(UnknownReason::Time));
        }
        let mut assertions = conditions.to_vec();
        assertions.extend(world.axioms.iter().copied());
        let budget = Budget {
            units: u32::try_from(units.min(self.left())).unwrap_or(u32::MAX).max(1),
            time: self.limits.left().unwrap_or(Duration::MAX),
            memory: self.memory,
        };
        let outcome = check(&world.terms, &assertions, &budget).map_err(Reason::Broken)?;
        self.cost = self.cost.plus(outcome.cost);
        Ok(outcome.answer)
    }
}
