//! The guilty pass of a command, which stays the same during a reduction.
//!
//! If a command runs several passes, the reduction could drift from a fault of one pass to a fault of another with
//! the same kind of failure. A bisection determines the guilty pass of the original file. A smaller file must have
//! the same guilty pass: the result is good before that pass and bad after it. This check takes one or two runs of
//! the command with fewer passes, and only for files on which the complete command fails.

use super::super::bisect::{Blame, Checker, Stop, Theirs, is_pipeline};
use super::super::symptom::{FunctionFailure, Kind};
use crate::input::Source;
use crate::optimizer::{COPY, Optimizer};
use crate::shown::visible;
use backedge_fuzz::bisect::prefix;
use backedge_pipeline::text::parse_elements;
use backedge_validate::check::Options;
use backedge_validate::judge::Judge;
use std::fmt;
use std::sync::Arc;

/// The guilty pass of a command.
pub(super) struct Guilt {
    optimizer: Optimizer,
    by_passes: bool,
    checker: Checker,
    blame: Blame,
}

impl Guilt {
    /// The pass of `optimizer` that is to blame for `found` in `text`, judged by runs within `options`. `None` if
    /// there is only one pass, or the command does not report its passes.
    ///
    /// # Errors
    ///
    /// If no pass can be blamed.
    pub(super) fn of(
        optimizer: &Optimizer,
        text: &str,
        found: &FunctionFailure,
        options: &Options,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<Self>, Stop> {
        let elements = optimizer.passes().and_then(|text| parse_elements(text).ok()).unwrap_or_default();
        let passes = prefix::passes(&elements);
        if matches!(passes[..], [only] if !is_pipeline(&only.name)) {
            return Ok(None);
        }
        let by_passes = passes.len() > 1;
        let checker = Checker {
            judge: Judge::new(options.clone()),
            solver: false,
            assume_attributes: false,
            known: None,
            strict_undef: matches!(found.symptom.kind, Kind::Refuted { undef: true, .. }),
        };
        let blame = asked(text, optimizer, (&checker, stop), by_passes, |theirs| theirs.blame(found))?;
        let Some(blame) = blame.flatten() else { return Ok(None) };
        let guilt = Self { optimizer: optimizer.clone(), by_passes, checker, blame };
        if guilt.stays(text, found, stop)? {
            Ok(Some(guilt))
        } else {
            Err(Stop::Unsteady("it was found otherwise"))
        }
    }

    /// The name of the pass.
    pub(super) fn pass(&self) -> String {
        self.blame.pass.as_deref().map_or_else(|| "no pass, the command alone breaks it".to_owned(), visible)
    }

    /// Whether the same pass is to blame for `found` in `text`.
    pub(super) fn stays(
        &self,
        text: &str,
        found: &FunctionFailure,
        stop: &dyn Fn() -> bool,
    ) -> Result<bool, Stop> {
        let is_to_blame = |theirs: &Theirs<'_>| theirs.is_to_blame(&self.blame, found);
        let by = (&self.checker, stop);
        Ok(asked(text, &self.optimizer, by, self.by_passes, is_to_blame)?.unwrap_or(false))
    }
}

/// Applies `ask` to a bisection of the command on `text`; `None` if the text does not parse.
fn asked<T>(
    text: &str,
    optimizer: &Optimizer,
    by: (&Checker, &dyn Fn() -> bool),
    by_passes: bool,
    ask: impl FnOnce(&Theirs<'_>) -> Result<T, Stop>,
) -> Result<Option<T>, Stop> {
    let source = Source { name: COPY.to_owned(), text: text.as_bytes().to_vec() };
    let Ok(parsed) = source.parse() else { return Ok(None) };
    let theirs = Theirs::new(&source, Arc::new(parsed.module), optimizer, by, by_passes)?;
    ask(&theirs).map(Some)
}

impl fmt::Display for Guilt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Blame { number, total, .. } = self.blame;
        write!(f, "{}, {number} of {total}", self.pass())
    }
}
