//! Reruns cases: on the pair as it is and on copies in which claims of the target have an effect.

use super::config::config;
use super::drive::{Drive, machines};
use super::narrate;
use crate::pair::hardened::{Which, hardened, hardened_for_shared_claims};
use crate::pair::{Side, Sides};
use crate::verdict::witness::{FoundBy, Refutation};
use crate::verdict::{Case, Options};
use backedge_interp::Program;
use backedge_interp::input::{Input, InputError};
use backedge_interp::refine::Refinement;

/// Result of rerunning a case.
#[derive(Clone, PartialEq, Debug)]
pub enum Replayed {
    /// The target fails to refine the source on the case.
    Refuted(Box<Refutation>),
    /// No failure, or no certain one: what both sides did, and why no failure follows.
    NotRefuted(String),
}

impl Case {
    /// Runs both functions on the case.
    ///
    /// # Errors
    ///
    /// If the case does not fit the functions or is malformed.
    pub fn replay(
        &self,
        source: Side<'_>,
        target: Side<'_>,
        options: &Options,
    ) -> Result<Replayed, InputError> {
        let with_claims = hardened(source, target, Which::Sure);
        let claiming = with_claims.as_ref().map_or(target, |module| Side { module, ..target });
        let first = self.replay_as_it_is(source, claiming, options)?;
        match (&first, hardened_for_shared_claims(source, target)) {
            (Replayed::NotRefuted(_), Some([own, other])) => {
                let (source, target) = (Side { module: &own, ..source }, Side { module: &other, ..target });
                match self.replay_as_it_is(source, target, options)? {
                    refuted @ Replayed::Refuted(_) => Ok(refuted),
                    Replayed::NotRefuted(_) => Ok(first),
                }
            }
            (Replayed::NotRefuted(_) | Replayed::Refuted(_), _) => Ok(first),
        }
    }

    /// [`Self::replay`] without claims of the target.
    fn replay_as_it_is(
        &self,
        source: Side<'_>,
        target: Side<'_>,
        options: &Options,
    ) -> Result<Replayed, InputError> {
        let input = Input::parse_list(&self.input)?;
        let options = Options { fuel: self.fuel, uninit: self.uninit, ..options.clone() };
        let programs = Program::pair([source.module, target.module], &config(&options));
        let mut machines = machines(&programs, &options);
        let drive = Drive {
            answers: self.answers.clone(),
            source_answers: self.source_answers.clone(),
            choices: self.choices()?,
        };
        Ok(match drive.look(&mut machines, Sides { source, target }, &input)? {
            Ok(shown) => Replayed::Refuted(Box::new(narrate::refutation(
                Sides { source, target },
                &programs,
                &options,
                &input,
                &shown,
                FoundBy::Replay,
            ))),
            Err(other) => {
                let why = match other {
                    Refinement::Refines { source_ub: true, .. } => "the source is undefined there".to_owned(),
                    Refinement::Refines { .. } => "the source allows what the target does there".to_owned(),
                    Refinement::Inconclusive(reason) => reason.to_string(),
                    Refinement::Unmatched(_) | Refinement::Violates(_) => {
                        "the source has more choices than are tried".to_owned()
                    }
                };
                Replayed::NotRefuted(drive.tell(&mut machines, Sides { source, target }, &input)? + &why)
            }
        })
    }
}
