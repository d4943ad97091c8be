//! Kinds of refinement failure.

use backedge_interp::refine::{Mismatch, Point, Violation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Kind of refinement failure, in Alive2's terms.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Failure {
    /// Both return, different values.
    ValueMismatch,
    /// The target returns poison, the source does not.
    MorePoisonous,
    /// The target is UB, the source is not.
    MoreDefined,
    /// Memory that the caller can see differs.
    MemoryMismatch,
    /// The sequences of calls and volatile accesses differ.
    EventMismatch,
    /// The target runs forever, the source ends.
    NonTermination,
    /// The target ends, the source runs forever without an obligation to make progress.
    Termination,
}

impl Failure {
    /// The kind of failure that the interpreter's violation is.
    pub(crate) fn of(violation: &Violation) -> Self {
        if matches!(violation.point, Point::Event(_)) && violation.mismatch != Mismatch::SourceMoreDefined {
            return Self::EventMismatch;
        }
        match violation.mismatch {
            Mismatch::Value | Mismatch::MoreUndefined => Self::ValueMismatch,
            Mismatch::MorePoisonous => Self::MorePoisonous,
            Mismatch::SourceMoreDefined => Self::MoreDefined,
            Mismatch::Memory => Self::MemoryMismatch,
            Mismatch::Events | Mismatch::Ending => Self::EventMismatch,
            Mismatch::TargetDoesNotTerminate => Self::NonTermination,
            Mismatch::SourceDoesNotTerminate => Self::Termination,
        }
    }

    /// Text of the failure.
    pub fn words(self) -> &'static str {
        match self {
            Self::ValueMismatch => "value mismatch",
            Self::MorePoisonous => "target is more poisonous than source",
            Self::MoreDefined => "source is more defined than target",
            Self::MemoryMismatch => "mismatch in memory",
            Self::EventMismatch => "event mismatch",
            Self::NonTermination => "target does not terminate where source does",
            Self::Termination => "target terminates where source does not",
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}
