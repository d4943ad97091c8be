//! Places of both programs and the steps between them: the vocabulary of schedules and certificates.

use crate::proof::lang::fact::Fact;
use serde::{Deserialize, Serialize};

/// The index of a cut: 0 for the entry, then the headers of cycles, then the additional blocks at which a proof cuts
/// the source.
pub(in crate::proof) type CutIndex = usize;

/// The point that one side has reached.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(in crate::proof) enum Place {
    Cut(CutIndex),
    /// The target has returned, in the segment from that cut. The proof remembers its state at that cut.
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
    /// The target has UB. If the target has returned before, the source has UB.
    Undefined,
    /// The target has returned before.
    Waits,
}

/// The source's move in a step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(in crate::proof) enum SourceMove {
    Stays,
    /// The source runs until it arrives at `cut` for the `count`th time, within at most `within` segments.
    Arrives {
        cut: CutIndex,
        count: u32,
        within: u32,
    },
    /// The source ends within at most `within` segments, or its end is at least looked for that far.
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
    /// The node after the step, if it leads to one.
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

/// Knowledge at a node.
#[derive(Clone, Copy, Default)]
pub(in crate::proof) struct Known<'f> {
    pub(in crate::proof) facts: &'f [Fact],
    /// Source accesses at whose addresses the memories may differ. Elsewhere the memories are equal.
    pub(in crate::proof) apart: &'f [u32],
}
