//! The initial failure of a file, and the system that shows it: the command of `--opt`, with a flag added if
//! necessary.
//!
//! The reducer tests the module as this project prints it, not the original file. A command may refuse one but not
//! the other: LLVM 14 accepts opaque pointers only with a flag. Such a refusal is not a finding; the command gets the
//! flag, and the finding is the command's failure on the original file.

use super::super::external::Stopped;
use super::super::probe::{Refusal, refuses_everything, refuses_pointers};
use super::super::symptom::{FunctionFailure, Kind, Subject, without_details};
use super::super::system::System;
use super::no_optimizer;
use crate::exit::Exit;
use crate::input::Source;
use crate::optimizer::{COPY, Failure, Optimizer};
use crate::output;
use crate::shown::visible;
use backedge_validate::judge::Judge;

/// The flag that LLVM 13 and 14 require for opaque pointers.
const OPAQUE_POINTERS: &str = "-opaque-pointers";

/// The failures of a file.
pub(super) struct First {
    /// The system that shows them.
    pub(super) subject: Subject,
    /// The findings, in order.
    pub(super) found: Vec<FunctionFailure>,
}

/// Why the failures are unknown.
pub(super) enum Unknown {
    Stopped(Stopped),
    /// The command refuses every file, or every file with pointers in the file's syntax.
    Useless(Refusal),
    /// The command accepts the file, but refuses it as printed by this project, with this message.
    Spelling(String),
    /// With the flag for opaque pointers the command behaves differently on the file.
    Otherwise,
}

impl From<Stopped> for Unknown {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

impl First {
    /// The findings of `judge` in `text`, which is the file `own` as printed by this project.
    pub(super) fn of(
        subject: Subject,
        judge: &Judge,
        (own, text): (&Source, &Source),
        stop: &dyn Fn() -> bool,
    ) -> Result<Self, Unknown> {
        let found = subject.findings(text, judge, stop)?;
        let refused = |found: &FunctionFailure| matches!(found.symptom.kind, Kind::Refused(_));
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
            // The file itself contains opaque pointers, so the user chooses the command's flags.
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

/// The failure of the command on `source` as a whole, if any, with its message.
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
    /// Reports the reason; returns the exit code of the command.
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
                help = "the reducer writes opaque pointers: `gate` with that flag shows the failure",
                "the failure of {name} does not occur with {OPAQUE_POINTERS}: no failure to preserve"
            ),
        }
    }
}
