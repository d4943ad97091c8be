//! Runs a command on its own output. The output may return to an earlier state, so that it never reaches a fixed
//! point, or change in the second run; only the user can promise that a command is idempotent.

use super::external::Stopped;
use super::symptom::{Asked, FunctionFailure, Kind, Symptom};
use crate::input::Source;
use crate::optimizer::{Failure, Optimizer};
use backedge_fuzz::oracles::OracleId;
use backedge_fuzz::oracles::again::UNFINISHED;
use backedge_fuzz::oracles::settling::{ROUNDS, UNDONE, nameless};
use backedge_ir::parse::read_module;
use backedge_validate::panics::caught;

impl Asked {
    /// Both checks.
    pub(crate) const ALL: [Self; 2] = [Self::Settling, Self::Again];

    /// The campaign's oracle.
    pub(crate) fn oracle(self) -> OracleId {
        match self {
            Self::Settling => OracleId::Settling,
            Self::Again => OracleId::Again,
        }
    }
    /// The kind of failure as a word, also used for this project's passes.
    pub(crate) fn kind(self) -> &'static str {
        match self {
            Self::Settling => UNDONE,
            Self::Again => UNFINISHED,
        }
    }
    fn rounds(self) -> usize {
        match self {
            Self::Settling => ROUNDS,
            Self::Again => 2,
        }
    }

    /// The finding in repeated runs of `optimizer` on `source`, if the command succeeds each time.
    pub(crate) fn of(
        self,
        source: &Source,
        optimizer: &Optimizer,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<FunctionFailure>, Stopped> {
        let mut text = source.text.clone();
        let Some(first) = code(&text) else { return Ok(None) };
        let mut seen = vec![first];
        for round in 1..=self.rounds() {
            text = match optimizer.run_on(&optimizer.spelled(&text, stop), &source.name, stop) {
                Ok(text) => text,
                Err(Failure::Interrupted) => return Err(Stopped::Interrupted),
                Err(Failure::System(what)) => return Err(Stopped::System(what)),
                // Other checks find such failures.
                Err(Failure::Refused(_) | Failure::Crashed(_) | Failure::Limit(..)) => return Ok(None),
            };
            let Some(now) = code(&text) else { return Ok(None) };
            if seen.last() == Some(&now) {
                return Ok(None);
            }
            let message = match (self, seen.iter().position(|before| *before == now)) {
                (Self::Settling, Some(at)) => {
                    format!("after {} rounds there is again\n{now}", seen.len() - at)
                }
                (Self::Again, _) if round == 2 => {
                    format!("it changes what it has left:\n{}\n{now}", seen[1])
                }
                _ => {
                    seen.push(now);
                    continue;
                }
            };
            let symptom = Symptom { pass: None, kind: Kind::Restless(self) };
            return Ok(Some(FunctionFailure { symptom, function: String::new(), message, refuted: None }));
        }
        Ok(None)
    }
}

/// The code without names, so that renaming is not a change; `None` if it does not parse.
fn code(text: &[u8]) -> Option<String> {
    let module = caught(|| read_module(text)).ok()?.ok()?.module;
    Some(module.bodies().map(|(func, _)| nameless(&module, func)).collect())
}
