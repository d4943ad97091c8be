//! The remarks of the cleanup passes: the edits that they made, and the reasons why they made none.

use std::fmt;

/// The edits of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CleanupDone {
    /// Instructions were replaced or removed.
    Simplified(Swept),
    /// Branches were folded, blocks removed or merged.
    Graph(Cleaned),
    /// It is no longer a loop: control can't return to its header.
    Gone,
}

impl CleanupDone {
    /// The name of the outcome.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Simplified(_) => "Simplified",
            Self::Graph(_) => "GraphSimplified",
            Self::Gone => "LoopGone",
        }
    }
}

impl fmt::Display for CleanupDone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Simplified(Swept { replaced, removed }) => {
                write!(f, "replaced {replaced} instruction(s), removed {removed} that nothing needs")
            }
            Self::Graph(cleaned) => {
                let Cleaned { folded, removed, merged, forwarded, .. } = cleaned;
                write!(
                    f,
                    "folded {folded} branch(es), removed {removed} unreachable block(s), merged {merged}, \
                     passed by {forwarded} empty one(s)"
                )
            }
            Self::Gone => f.write_str("control can't come back to the header"),
        }
    }
}

/// What the pass left undone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CleanupMissed {
    /// The last round still found edits.
    RoundLimit {
        /// The number of rounds.
        rounds: usize,
    },
}

impl CleanupMissed {
    /// The name of the reason.
    pub fn name(&self) -> &'static str {
        match self {
            Self::RoundLimit { .. } => "RoundLimit",
        }
    }
}

impl fmt::Display for CleanupMissed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RoundLimit { rounds } => {
                write!(f, "branches were still decided in round {rounds}, the last")
            }
        }
    }
}

/// Counts of the edits made.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Cleaned {
    /// Edits of instructions.
    pub swept: Swept,
    /// Decided branches and switches.
    pub folded: usize,
    /// Unreachable blocks that were removed.
    pub removed: usize,
    /// Blocks merged into their predecessor.
    pub merged: usize,
    /// Empty blocks that were bypassed.
    pub forwarded: usize,
    /// Whether the last round still found edits.
    pub stopped: bool,
}

impl Cleaned {
    /// Whether anything was changed.
    pub fn changed(self) -> bool {
        self.swept.changed() || self.changed_graph()
    }
    pub(crate) fn add(&mut self, other: Self) {
        self.swept.replaced += other.swept.replaced;
        self.swept.removed += other.swept.removed;
        self.folded += other.folded;
        self.removed += other.removed;
        self.merged += other.merged;
        self.forwarded += other.forwarded;
    }
    /// Whether blocks or edges were changed.
    pub fn changed_graph(self) -> bool {
        self.folded + self.removed + self.merged + self.forwarded > 0
    }
}

/// Counts of the edits made.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Swept {
    /// Instructions replaced by another value.
    pub replaced: usize,
    /// Dead instructions that were removed.
    pub removed: usize,
}

impl Swept {
    /// Whether anything was changed.
    pub fn changed(self) -> bool {
        self != Self::default()
    }
}
