//! Where both programs stand, and the steps from there: the vocabulary of schedules and certificates.

use crate::unbounded::program::CutIndex;
use crate::unbounded::relation::Fact;
use serde::{Deserialize, Serialize};

/// Where a side stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(super) enum Place {
    Cut(CutIndex),
    /// The target has returned, in the segment from that cut. What it held there is remembered.
    Returned(CutIndex),
}

/// Where both stand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(super) struct Node {
    pub(super) source: Place,
    pub(super) target: Place,
}

/// How a segment of the target ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(super) enum TargetEnd {
    Reaches(CutIndex),
    Returns,
    /// A call does not return.
    Stops,
    /// UB; of the source, where the target has returned before.
    Undefined,
    /// The target has returned before.
    Waits,
}

/// What the source does meanwhile.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(super) enum SourceMove {
    Stays,
    /// It goes on until it arrives at a cut for the `count`th time, which takes at most `within` segments.
    Arrives {
        cut: CutIndex,
        count: u32,
        within: u32,
    },
    /// It ends, or at least its end is looked for, within so many segments.
    Ends {
        within: u32,
    },
}

/// A step of the pair.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(super) struct Step {
    pub(super) from: Node,
    pub(super) end: TargetEnd,
    pub(super) source: SourceMove,
}

impl Step {
    /// Where it leads.
    pub(super) fn to(&self) -> Option<Node> {
        let source = match (self.source, self.from.source) {
            (SourceMove::Stays, place) => place,
            (SourceMove::Arrives { cut, .. }, _) => Place::Cut(cut),
            (SourceMove::Ends { .. }, _) => return None,
        };
        let target = match self.end {
            TargetEnd::Reaches(cut) => Place::Cut(cut),
            TargetEnd::Waits => self.from.target,
            TargetEnd::Returns => match self.from.target {
                Place::Cut(cut) | Place::Returned(cut) => Place::Returned(cut),
            },
            TargetEnd::Stops | TargetEnd::Undefined => return None,
        };
        Some(Node { source, target })
    }
}

/// What is known at a node.
#[derive(Clone, Copy, Default)]
pub(super) struct Known<'f> {
    pub(super) facts: &'f [Fact],
    /// Accesses of the source where its memory may differ from the target's. Elsewhere they are the same.
    pub(super) apart: &'f [u32],
}
