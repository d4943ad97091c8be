//! Protocol between a process and its workers: one JSON object per line, in both directions.

use crate::pair::Sides;
use crate::pair::extracted::Extracted;
use crate::stages::Earlier;
use crate::verdict::{Options, Verdict};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// A numbered request or answer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Numbered<T> {
    /// The answer has the number of its request.
    pub(super) number: u64,
    /// The request or answer.
    pub(super) what: T,
}

/// A stage of a pair.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Request {
    /// Modules of source and target, each with everything the function refers to.
    pub(super) texts: [String; 2],
    /// Their names, without `@`.
    pub(super) functions: [String; 2],
    /// Limits and semantic options.
    pub(super) options: Options,
    /// The name of the stage to run.
    pub(super) stage: String,
    /// What the stage may use of the earlier ones.
    pub(super) earlier: Earlier,
}

impl Request {
    /// The request for a stage of that pair.
    pub(super) fn new(pair: &Extracted, options: &Options, stage: &str, earlier: &Earlier) -> Self {
        let Sides { source, target } = pair.sides();
        Self {
            texts: pair.texts().clone(),
            functions: [source, target].map(|side| side.name().to_owned()),
            options: options.clone(),
            stage: stage.to_owned(),
            earlier: earlier.clone(),
        }
    }
}

/// Answer to a request. Not internally tagged: serde cannot read 128-bit numbers there, and witnesses have such
/// numbers.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Answer {
    /// The answer of the stage, which only the stage can read.
    Told(Box<RawValue>),
    /// The stage could not be run: a bug in this program.
    Failed(Verdict),
}
