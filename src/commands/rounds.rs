//! A command that is run on what it has left: it may come back to what was there before, and so never come to an end, or have
//! something to do the second time, which no command promises not to have unless its user does.

use super::external::Stopped;
use super::symptom::{Found, Kind, Symptom};
use crate::input::Source;
use crate::optimizer::{Failure, Optimizer};
use backedge_fuzz::campaign::oracles::Oracle;
use backedge_fuzz::oracle::settling::nameless;
use backedge_ir::parse::read_module;
use backedge_validate::panics::caught;

/// Rounds in which code may come back.
const ROUNDS: usize = 5;

/// What is asked of a command that is run again.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Asked {
    /// Whether code comes back that is not what was there last.
    Settling,
    /// Whether it changes what it has left.
    Again,
}

impl Asked {
    /// Both.
    pub(crate) const ALL: [Self; 2] = [Self::Settling, Self::Again];

    /// As the campaign calls it.
    pub(crate) fn oracle(self) -> Oracle {
        match self {
            Self::Settling => Oracle::Settling,
            Self::Again => Oracle::Again,
        }
    }
    /// The failure as a word: what it is called of passes of ours too.
    pub(crate) fn kind(self) -> &'static str {
        match self {
            Self::Settling => "undone",
            Self::Again => "unfinished",
        }
    }
    fn rounds(self) -> usize {
        match self {
            Self::Settling => ROUNDS,
            Self::Again => 2,
        }
    }

    /// What is wrong with how `optimizer` works on `source` again and again, if it comes so far each time.
    pub(crate) fn of(
        self,
        source: &Source,
        optimizer: &Optimizer,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<Found>, Stopped> {
        let mut text = source.text.clone();
        let Some(first) = code(&text) else { return Ok(None) };
        let mut seen = vec![first];
        for round in 1..=self.rounds() {
            text = match optimizer.run_on(&optimizer.spelled(&text, stop), &source.name, stop) {
                Ok(text) => text,
                Err(Failure::Interrupted) => return Err(Stopped::Interrupted),
                Err(Failure::System(what)) => return Err(Stopped::System(what)),
                // That it fails is found by other means.
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
            return Ok(Some(Found { symptom, function: String::new(), message, refuted: None }));
        }
        Ok(None)
    }
}

/// The code without names, so that new names for what was there are no change; none if it can't be read.
fn code(text: &[u8]) -> Option<String> {
    let module = caught(|| read_module(text)).ok()?.ok()?.module;
    Some(module.bodies().map(|(func, _)| nameless(&module, func)).collect())
}
