//! Verifier of plans: the invariants after each of the three construction steps, checked from their definitions and
//! independently of the code that establishes them.
//!
//! | step | invariants |
//! |---|---|
//! | [`plain`] | consistent edges, condition bits and phis; SSA dominance and types; one entry, one exit |
//! | [`massaged`] | the property that each massaging establishes |
//! | [`hierarchy`] | regions have one entry and one exit, nest, and meet the criteria for their kind |

mod hierarchy;
mod massaged;
mod plain;
#[cfg(test)]
mod tests;

pub use hierarchy::hierarchy;
pub use massaged::massaged;
pub use plain::plain;

use crate::massage::Massaging;
use crate::plan::{BlockId, RecipeId, RegionId};
use std::fmt;

/// A violated invariant of a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    /// An edge is recorded at only one of its ends, or twice.
    Edge(BlockId, BlockId),
    /// A block is unreachable.
    Unreachable(BlockId),
    /// The exit is not reachable from a block: the block has no successor, or the exit has some.
    DeadEnd(BlockId),
    /// The entry has predecessors.
    Entry(BlockId),
    /// The number of a block's successors does not match its condition bit, or the bit is not last.
    ConditionBit(BlockId),
    /// A cycle is no natural loop: an edge goes back to a block that does not dominate its source.
    Irreducible(BlockId, BlockId),
    /// A recipe is not in the block that it records, or a phi comes after another recipe.
    Place(RecipeId),
    /// A phi's entries do not match its block's predecessors.
    Incoming(RecipeId),
    /// The definition of an operand does not dominate its use.
    NotDefined(RecipeId, usize),
    /// An operand or result has the wrong type.
    Type(RecipeId),
    /// A value for an exit of the plan is not defined at the plan's end, or the conditions are wrong: every exit except
    /// the last must have one.
    PlanExit(usize),
    /// The property of a massaging does not hold at a block.
    NotMassaged(Massaging, BlockId),
    /// A region's parent has a greater number, or is not in the plan.
    Parent(RegionId),
    /// A block's region is not in the plan.
    Region(BlockId),
    /// A region's entry or exit is in another region, or has edges that are not allowed.
    Ends(RegionId),
    /// An edge enters a region other than at its entry, or leaves it other than at its exit.
    Crosses(BlockId, BlockId),
    /// A block is in a loop region but not in its loop, or in the loop but not in the region.
    Body(RegionId, BlockId),
    /// A region's entry does not dominate a block of the region.
    Side(RegionId, BlockId),
    /// A region contains a cycle.
    Cycle(RegionId),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Edge(from, to) => write!(f, "the edge from {from:?} to {to:?} is not right at both ends"),
            Self::Unreachable(block) => write!(f, "{block:?} is unreachable"),
            Self::DeadEnd(block) => write!(f, "control ends at {block:?}"),
            Self::Entry(block) => write!(f, "the entry {block:?} has predecessors"),
            Self::ConditionBit(block) => {
                write!(f, "the condition bit of {block:?} does not fit its successors")
            }
            Self::Irreducible(from, to) => write!(f, "the edge from {from:?} to {to:?} makes no loop"),
            Self::Place(recipe) => write!(f, "{recipe:?} is in the wrong place"),
            Self::Incoming(recipe) => write!(f, "the entries of {recipe:?} are not its predecessors"),
            Self::NotDefined(recipe, index) => {
                write!(f, "operand {index} of {recipe:?} is not defined there")
            }
            Self::Type(recipe) => write!(f, "a type at {recipe:?} is wrong"),
            Self::PlanExit(index) => write!(f, "exit {index} of the plan is not right"),
            Self::NotMassaged(massaging, block) => {
                write!(f, "{} was not done at {block:?}", massaging.name())
            }
            Self::Parent(region) => write!(f, "the parent of {region:?} is wrong"),
            Self::Region(block) => write!(f, "the region of {block:?} is wrong"),
            Self::Ends(region) => write!(f, "the entry or exit of {region:?} is wrong"),
            Self::Crosses(from, to) => {
                write!(f, "the edge from {from:?} to {to:?} crosses a region's border")
            }
            Self::Body(region, block) => write!(f, "{block:?} is wrongly in or not in {region:?}"),
            Self::Side(region, block) => write!(f, "the entry of {region:?} does not dominate {block:?}"),
            Self::Cycle(region) => write!(f, "{region:?} has a cycle in it"),
        }
    }
}
