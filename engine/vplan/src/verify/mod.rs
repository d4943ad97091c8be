//! Whether a plan is right: the invariants of each of the three steps of building, checked from their definitions and not by
//! what the steps use to establish them.
//!
//! | step | invariants |
//! |---|---|
//! | [`plain`] | edges, condition bits and phis fit together; values are defined before they are used, and of the right type; one way in, one way out |
//! | [`massaged`] | what each massaging makes true |
//! | [`hierarchy`] | regions are entered and left at one block each, nest, and meet the criteria for what they are made of |

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

/// What is wrong with a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    /// An edge is known at one of its ends only, or twice.
    Edge(BlockId, BlockId),
    /// Control does not come to a block.
    Unreachable(BlockId),
    /// Control can't go on from a block to the exit: it has no successor, or the exit has some.
    DeadEnd(BlockId),
    /// The entry has predecessors.
    Entry(BlockId),
    /// A block has another number of successors than its condition bit asks for, or a condition bit that is not last.
    ConditionBit(BlockId),
    /// There is a cycle that is no loop: an edge goes back to a block that does not dominate where it comes from.
    Irreducible(BlockId, BlockId),
    /// A recipe stands elsewhere than it says, or a phi behind another recipe.
    Place(RecipeId),
    /// A phi's entries are not for its block's predecessors.
    Incoming(RecipeId),
    /// What a recipe takes is not defined there.
    NotDefined(RecipeId, usize),
    /// What a recipe takes or defines has the wrong type.
    Type(RecipeId),
    /// What is brought to an exit of the plan is not defined at its end, or only the last exit is without a condition.
    PlanExit(usize),
    /// What a massaging makes true does not hold at a block.
    NotMassaged(Massaging, BlockId),
    /// A region's parent comes behind it, or is none of the plan.
    Parent(RegionId),
    /// A block's region is none of the plan's.
    Region(BlockId),
    /// A region's entry or exit lies in another region, or has other edges than it may have.
    Ends(RegionId),
    /// An edge goes into or out of a region elsewhere than at its entry or exit.
    Crosses(BlockId, BlockId),
    /// A block lies in a loop region and not in its loop, or the other way round.
    Body(RegionId, BlockId),
    /// A block of a region is not dominated by its entry.
    Side(RegionId, BlockId),
    /// A region has a cycle in it.
    Cycle(RegionId),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Edge(from, to) => write!(f, "the edge from {from:?} to {to:?} is not right at both ends"),
            Self::Unreachable(block) => write!(f, "control does not come to {block:?}"),
            Self::DeadEnd(block) => write!(f, "control ends at {block:?}"),
            Self::Entry(block) => write!(f, "the entry {block:?} has predecessors"),
            Self::ConditionBit(block) => {
                write!(f, "the condition bit of {block:?} does not fit its successors")
            }
            Self::Irreducible(from, to) => write!(f, "the edge from {from:?} to {to:?} makes no loop"),
            Self::Place(recipe) => write!(f, "{recipe:?} stands in the wrong place"),
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
            Self::Side(region, block) => write!(f, "{block:?} in {region:?} is come to past its entry"),
            Self::Cycle(region) => write!(f, "{region:?} has a cycle in it"),
        }
    }
}
