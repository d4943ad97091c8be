//! What goes between a process and its workers: one JSON object per line, either way.

use crate::check::Options;
use crate::extracted::Extracted;
use crate::stages::{Stage, Told};
use crate::verdict::Verdict;
use serde::{Deserialize, Serialize};

/// A request or an answer on its way.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Numbered<T> {
    /// The answer bears the number of the request.
    pub(super) number: u64,
    /// What is asked or answered.
    pub(super) what: T,
}

/// A stage of a pair.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Request {
    /// Source and target, each with what it refers to, as a module.
    pub(super) texts: [String; 2],
    /// Their names, without `@`.
    pub(super) functions: [String; 2],
    /// Limits and readings.
    pub(super) options: Options,
    /// What is to be done.
    pub(super) stage: Stage,
}

impl Request {
    /// The request for a stage of that pair.
    pub(super) fn new(pair: &Extracted, options: &Options, stage: Stage) -> Self {
        let (source, target) = pair.sides();
        Self {
            texts: pair.texts().clone(),
            functions: [source, target].map(|side| side.name().to_owned()),
            options: options.clone(),
            stage,
        }
    }
}

/// What came of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Answer {
    /// The stage was done.
    Told(Told),
    /// It could not be done: a fault of this tool.
    Failed(Verdict),
}
