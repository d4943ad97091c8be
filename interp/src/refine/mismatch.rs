//! The results of comparing two runs: mismatches, where they are, and reasons why there is no answer.

use crate::observe::ObjectName;
use crate::outcome::Outcome;
use std::fmt;
use std::sync::Arc;
use thiserror::Error;

/// How a target fails to refine its source, in Alive2's terms where it has them.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Error)]
pub enum Mismatch {
    /// A defined value differs.
    #[error("value mismatch")]
    Value,
    /// A value is poison in the target only.
    #[error("target is more poisonous than source")]
    MorePoisonous,
    /// A value is undefined in the target only.
    #[error("target's return value is more undefined")]
    MoreUndefined,
    /// The target has UB, the source does not.
    #[error("source is more defined than target")]
    SourceMoreDefined,
    /// Memory visible to outside code differs.
    #[error("mismatch in memory")]
    Memory,
    /// Calls or volatile accesses differ.
    #[error("mismatch in observable events")]
    Events,
    /// The source terminates, the target runs forever.
    #[error("target does not terminate")]
    TargetDoesNotTerminate,
    /// The target terminates, the source runs forever without a requirement to make progress.
    #[error("target terminates where source does not")]
    SourceDoesNotTerminate,
    /// The runs end in different ways.
    #[error("target ends in another way than source")]
    Ending,
}

/// The point at which two runs differ.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Point {
    /// At the n-th event, from 0.
    Event(usize),
    /// In the returned value.
    Return,
    /// At a byte of an object.
    Memory(ObjectName, u64),
    /// In how the runs end.
    End,
}

impl Point {
    /// The number of the event, if the point is an event.
    pub fn event(&self) -> Option<usize> {
        if let Self::Event(number) = self { Some(*number) } else { None }
    }
}

/// Why a comparison is inconclusive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The source's run is inconclusive.
    SourceCutShort(Box<Outcome>),
    /// The target's run is inconclusive.
    TargetCutShort(Box<Outcome>),
    /// Both runs are inconclusive; the source's outcome.
    BothCutShort(Box<Outcome>),
    /// The source has more choices than the budget allows.
    SourceChoices,
    /// An operation of the source fixed undefined bits.
    UndefNarrowed,
    /// A run depends on the addresses of local objects.
    AddressesObserved,
    /// A run called a library function that is known but not modelled, or only one side treats the call as a library
    /// call.
    Library(Arc<str>),
    /// The runs call a mathematical function with different operands; LangRef leaves its accuracy open.
    Accuracy(&'static str),
}

impl Reason {
    /// Whether a run was cut short. Runs with other later choices most likely would be, too.
    pub(super) fn is_cut_short(&self) -> bool {
        match self {
            Self::SourceCutShort(_) | Self::TargetCutShort(_) | Self::BothCutShort(_) => true,
            Self::SourceChoices
            | Self::UndefNarrowed
            | Self::AddressesObserved
            | Self::Library(_)
            | Self::Accuracy(_) => false,
        }
    }
}

/// Why a run with this outcome was not compared.
fn cut_short(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Unsupported { feature, .. } => format!("{feature} is not modelled"),
        Outcome::LimitExceeded(limit) => limit.to_string(),
        Outcome::OutOfFuel => "it exceeds the step limit".to_owned(),
        Outcome::Returned(_)
        | Outcome::Ub { .. }
        | Outcome::DidNotReturn { .. }
        | Outcome::Diverges { .. } => outcome.name().to_owned(),
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SourceCutShort(outcome) => {
                write!(f, "the run of the source shows nothing: {}", cut_short(outcome))
            }
            Self::TargetCutShort(outcome) => {
                write!(f, "the run of the target shows nothing: {}", cut_short(outcome))
            }
            Self::BothCutShort(outcome) => {
                write!(f, "the runs of source and target show nothing: {}", cut_short(outcome))
            }
            Self::SourceChoices => f.write_str("the source has more choices than are tried"),
            Self::UndefNarrowed => {
                f.write_str("undef bits are chosen once for all uses of a value computed from them")
            }
            Self::Accuracy(name) => write!(f, "the accuracy of llvm.{name} is open"),
            Self::Library(name) => write!(f, "the library function @{name} is not modelled here"),
            Self::AddressesObserved => f.write_str("a run depends on where local objects lie"),
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Finding {
    Violated(Mismatch, Point),
    Unknown(Reason),
}
