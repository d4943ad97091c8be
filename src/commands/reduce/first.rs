//! What is wrong with a file at first, and what shows it: the command of `--opt`, as it takes what is tried.
//!
//! What is tried is the module in our spelling, and not the file. A command may refuse the one and not the other: LLVM 14 takes
//! pointers without a type only with a flag. Such a refusal is no finding; the command gets the flag, and what is looked for is
//! what it does to the file as it stands.

use super::super::external::Stopped;
use super::super::probe::{Refusal, refuses_everything, refuses_pointers};
use super::super::symptom::{Found, Kind, Subject, without_details};
use super::super::system::System;
use super::no_optimizer;
use crate::exit::Exit;
use crate::input::Source;
use crate::optimizer::{COPY, Failure, Optimizer};
use crate::output;
use crate::problem::visible;
use backedge_validate::judge::Judge;

/// The flag of LLVM 13 and 14 without which they refuse pointers without a type.
const OPAQUE_POINTERS: &str = "-opaque-pointers";

/// What is wrong with a file.
pub(super) struct First {
    /// With what it shows.
    pub(super) subject: Subject,
    /// What it is, in order.
    pub(super) found: Vec<Found>,
}

/// Why nothing is known of it.
pub(super) enum Unknown {
    Stopped(Stopped),
    /// The command takes no code at all, or none with pointers as the file has them.
    Useless(Refusal),
    /// The command takes the file, and refuses our spelling of it with these words.
    Spelling(String),
    /// With the flag for pointers without a type the command does not do to the file what it does without.
    Otherwise,
}

impl From<Stopped> for Unknown {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

impl First {
    /// What `judge` finds to be wrong with `text`, which is the file `own` in our spelling.
    pub(super) fn of(
        subject: Subject,
        judge: &Judge,
        (own, text): (&Source, &Source),
        stop: &dyn Fn() -> bool,
    ) -> Result<Self, Unknown> {
        let found = subject.findings(text, judge, stop)?;
        let refused = |found: &Found| matches!(found.symptom.kind, Kind::Refused(_));
        let Subject::System(System::External(optimizer)) = &subject else {
            return Ok(Self { subject, found });
        };
        if !found.iter().any(refused) {
            return Ok(Self { subject, found });
        }
        if let Some(refusal) = refuses_everything(optimizer, stop) {
            return Err(Unknown::Useless(refusal));
        }
        let of_text = failure(optimizer, text, stop)?;
        let Some((Kind::Refused(_), why)) = &of_text else { return Ok(Self { subject, found }) };
        let flagged = optimizer.with_word(OPAQUE_POINTERS.to_owned());
        let takes_flag = !matches!(failure(&flagged, text, stop)?, Some((Kind::Refused(_), _)));
        let kind = |failure: &Option<(Kind, String)>| failure.as_ref().map(|(kind, _)| kind.clone());
        let of_own = kind(&failure(optimizer, own, stop)?);
        if of_own == kind(&of_text) {
            // The file has such pointers itself: what the command gets is the user's to say.
            return match refuses_pointers(optimizer, stop).filter(|_| takes_flag) {
                Some(refusal) => Err(Unknown::Useless(refusal)),
                None => Ok(Self { subject, found }),
            };
        }
        if !takes_flag {
            return Err(Unknown::Spelling(why.clone()));
        }
        let wanted: Vec<Kind> = match of_own {
            Some(kind) => vec![kind],
            None => subject.findings(own, judge, stop)?.into_iter().map(|found| found.symptom.kind).collect(),
        };
        let words =
            "the command takes the file, but not pointers without a type, with which it is tried here: it";
        output::to_stderr(&format!("{words} is given {OPAQUE_POINTERS} as well"));
        let subject = Subject::System(System::External(flagged));
        let mut found = subject.findings(text, judge, stop)?;
        found.retain(|found| wanted.contains(&found.symptom.kind));
        if found.is_empty() && !wanted.is_empty() {
            return Err(Unknown::Otherwise);
        }
        Ok(Self { subject, found })
    }
}

/// How the command fails on `source` as a whole, if it does, and with which words.
fn failure(
    optimizer: &Optimizer,
    source: &Source,
    stop: &dyn Fn() -> bool,
) -> Result<Option<(Kind, String)>, Stopped> {
    match optimizer.run_on(&optimizer.spelled(&source.text, stop), COPY, stop) {
        Ok(_) => Ok(None),
        Err(Failure::Refused(words)) => Ok(Some((Kind::Refused(without_details(&words)), words))),
        Err(Failure::Crashed(words)) => Ok(Some((Kind::Crashed(without_details(&words)), words))),
        Err(Failure::Limit(limit, words)) => Ok(Some((Kind::Hung(limit), words))),
        Err(Failure::Interrupted) => Err(Stopped::Interrupted),
        Err(Failure::System(why)) => Err(Stopped::System(why)),
    }
}

impl Unknown {
    /// Says so, as the end of the command.
    pub(super) fn end(self, name: &str) -> miette::Result<Exit> {
        match self {
            Self::Stopped(Stopped::Interrupted) => Ok(Exit::Interrupted),
            Self::Stopped(Stopped::System(why)) => Ok(no_optimizer(&why)),
            Self::Useless(refusal) => {
                output::to_stderr(&format!("error: {refusal}"));
                Ok(Exit::Refused)
            }
            Self::Spelling(why) => {
                let help =
                    "`backedge opt -passes='' FILE` prints it: give the command what it takes to read that";
                let what = format!(
                    "the command takes {name}, but not in the spelling that is tried: {}",
                    visible(&why)
                );
                output::to_stderr(&format!("error: {what}\n  help: {help}"));
                Ok(Exit::Refused)
            }
            Self::Otherwise => miette::bail!(
                help = "what is tried has pointers without a type: `gate` with that flag says what is known of it",
                "what is wrong with {name} does not show with {OPAQUE_POINTERS}: there is nothing to keep"
            ),
        }
    }
}
