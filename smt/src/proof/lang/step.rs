//! Where both programs stand, and the steps from there: the vocabulary of schedules and certificates.

use crate::proof::lang::fact::Fact;
use serde::{Deserialize, Serialize};

/// The index of a cut: 0 for the entry, then the headers of cycles and the blocks at which a proof cuts the source too.
pub(in crate::proof) type CutIndex = usize;

/// The point that one side has reached.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(in crate::proof) enum Place {
    Cut(CutIndex),
    /// The target has returned, in the segment from that cut. What it held there is remembered.
    Returned(CutIndex),
}

/// The points that both sides have reached.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(in crate::proof) struct Node {
    pub(in crate::proof) source: Place,
    pub(in crate::proof) target: Place,
}

/// The entries of both functions.
pub(in crate::proof) const START: Node = Node { source: Place::Cut(0), target: Place::Cut(0) };

/// How a segment of the target ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(in crate::proof) enum TargetEnd {
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
pub(in crate::proof) enum SourceMove {
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
pub(in crate::proof) struct Step {
    pub(in crate::proof) from: Node,
    pub(in crate::proof) end: TargetEnd,
    pub(in crate::proof) source: SourceMove,
}

impl Step {
    /// Where it leads.
    pub(in crate::proof) fn to(&self) -> Option<Node> {
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
pub(in crate::proof) struct Known<'f> {
    pub(in crate::proof) facts: &'f [Fact],
    /// Accesses of the source where its memory may differ from the target's. Elsewhere they are the same.
    pub(in crate::proof) apart: &'f [u32],
}
