//! Recipes: the operations of a plan, and the values that they use and define. The terms are those of
//! docs/vplan-terms.md.
//!
//! A newly built plan has one-by-one recipes, phis and condition bits. Massaging adds phis, comparisons for switches,
//! and masks. All of them describe a single lane; recipes that execute several lanes at once are in [`crate::widen`].

use super::{BlockId, RecipeId};
use backedge_ir::entity::Inst;
use backedge_ir::inst::Value;
use backedge_ir::types::Type;
use smallvec::SmallVec;

/// Operands of a recipe.
pub type Operands = SmallVec<[VPValue; 3]>;

/// An operand of a recipe.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum VPValue {
    /// An IR value that is defined outside the plan.
    LiveIn(Value),
    /// The value that a recipe of the plan defines.
    Def(RecipeId),
    /// A constant bit.
    Bit(bool),
    /// Poison of that type: a phi's entry for an edge on which the phi's value is not used.
    Poison(Type),
}

/// A recipe in its block.
#[derive(Clone, Debug)]
pub struct VPRecipe {
    /// The operation.
    pub kind: Recipe,
    /// The type of its result in one lane; `void` if it defines nothing.
    pub ty: Type,
    /// The name of its value, without `%`; `None` if the IR value has no name or the recipe defines none.
    pub name: Option<Box<str>>,
    /// The block that contains it.
    pub block: BlockId,
}

/// The operation of a recipe.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Recipe {
    /// VPVectorizeOneByOneRecipe: an IR instruction that is neither a phi nor a terminator. The recipe takes over its
    /// operation, flags and attachments.
    VectorizeOneByOne {
        /// The instruction.
        inst: Inst,
        /// Its operands, in the order of the instruction's.
        operands: Operands,
    },
    /// VPConditionBitRecipe: the branch condition of its block; control goes to the first successor if it is set.
    /// Poison is undefined behavior. It is the last recipe of its block and defines nothing.
    ConditionBit {
        /// A value of type `i1`.
        condition: VPValue,
    },
    /// Selects a value by the edge through which control entered the block. Phis are at the start of their block and
    /// execute simultaneously.
    Phi {
        /// The IR phi that it represents, if any.
        origin: Option<Inst>,
        /// One entry for each predecessor.
        incoming: Vec<(BlockId, VPValue)>,
    },
    /// Whether the operand of a switch equals one of its case values: a bit.
    IsCase {
        /// The switch.
        switch: Inst,
        /// The operand of the switch.
        value: VPValue,
        /// The case's value, a constant of the same type.
        case: VPValue,
    },
    /// A per-lane select by a mask; replaces a phi whose incoming paths have been merged into one.
    Blend {
        /// A bit per lane, never poison.
        mask: VPValue,
        /// The value where the mask is set.
        set: VPValue,
        /// The value where the mask is clear.
        clear: VPValue,
    },
    /// A logical operation on bits.
    Mask {
        /// The operation.
        op: MaskOp,
        /// Its operands; their number is the arity of the operation.
        operands: Operands,
    },
    /// Whether a bit is set in any lane; the result is the same in all lanes.
    AnyLane {
        /// The bits.
        bits: VPValue,
    },
}

/// A logical operation on bits.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum MaskOp {
    /// Negation; one operand.
    Not,
    /// Logical and; two operands. The second operand is ignored if the first is clear, so its poison does not propagate
    /// there.
    And,
    /// Logical or; two operands. The second operand is ignored if the first is set.
    Or,
}

impl MaskOp {
    /// The number of operands.
    pub fn arity(self) -> usize {
        match self {
            Self::Not => 1,
            Self::And | Self::Or => 2,
        }
    }
    /// The name in the text form.
    pub fn name(self) -> &'static str {
        match self {
            Self::Not => "not",
            Self::And => "and",
            Self::Or => "or",
        }
    }
}

impl Recipe {
    /// The operands in order; for a phi the incoming values without the blocks.
    pub fn operands(&self) -> Operands {
        match self {
            Self::VectorizeOneByOne { operands, .. } | Self::Mask { operands, .. } => operands.clone(),
            Self::ConditionBit { condition } => smallvec::smallvec![*condition],
            Self::Phi { incoming, .. } => incoming.iter().map(|(_, value)| *value).collect(),
            Self::IsCase { value, case, .. } => smallvec::smallvec![*value, *case],
            Self::Blend { mask, set, clear } => smallvec::smallvec![*mask, *set, *clear],
            Self::AnyLane { bits } => smallvec::smallvec![*bits],
        }
    }
    /// Calls `change` on each operand, which may replace it.
    pub fn each_operand(&mut self, mut change: impl FnMut(&mut VPValue)) {
        match self {
            Self::VectorizeOneByOne { operands, .. } | Self::Mask { operands, .. } => {
                operands.iter_mut().for_each(change);
            }
            Self::ConditionBit { condition } => change(condition),
            Self::Phi { incoming, .. } => incoming.iter_mut().for_each(|(_, value)| change(value)),
            Self::IsCase { value, case, .. } => [value, case].into_iter().for_each(change),
            Self::Blend { mask, set, clear } => [mask, set, clear].into_iter().for_each(change),
            Self::AnyLane { bits } => change(bits),
        }
    }
    /// The IR instruction that it represents.
    pub fn origin(&self) -> Option<Inst> {
        match self {
            Self::VectorizeOneByOne { inst, .. } => Some(*inst),
            Self::Phi { origin, .. } => *origin,
            Self::ConditionBit { .. }
            | Self::IsCase { .. }
            | Self::Blend { .. }
            | Self::Mask { .. }
            | Self::AnyLane { .. } => None,
        }
    }
    /// Whether it is a phi.
    pub fn is_phi(&self) -> bool {
        matches!(self, Self::Phi { .. })
    }
}
