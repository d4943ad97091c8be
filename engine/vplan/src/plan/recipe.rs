//! Recipes: what is executed, and the values they take and define.
//!
//! A plan as it is built has one-by-one recipes, phis and condition bits. Massaging adds phis, comparisons of switches and
//! masks. They say what one lane does; recipes by which several lanes are executed at once are those of [`crate::widen`].

use super::{BlockId, RecipeId};
use backedge_ir::entity::Inst;
use backedge_ir::inst::Value;
use backedge_ir::types::Type;
use smallvec::SmallVec;

/// Operands of a recipe.
pub type Operands = SmallVec<[VPValue; 3]>;

/// What a recipe can take.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum VPValue {
    /// A value of the IR that is defined outside of the plan.
    LiveIn(Value),
    /// What a recipe of the plan defines.
    Def(RecipeId),
    /// A bit that is always this.
    Bit(bool),
    /// Poison of that type: what a phi takes on edges on which nobody asks for it.
    Poison(Type),
}

/// A recipe in its block.
#[derive(Clone, Debug)]
pub struct VPRecipe {
    /// What is executed.
    pub kind: Recipe,
    /// The type of what it defines in one lane; `void` if it defines nothing.
    pub ty: Type,
    /// What its value is called, without `%`; `None` for an unnamed value of the IR and where there is none.
    pub name: Option<Box<str>>,
    /// The block that it stands in.
    pub block: BlockId,
}

/// What is executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Recipe {
    /// VPVectorizeOneByOneRecipe: an instruction of the IR, which is no phi and no terminator. Of it are taken the operation,
    /// its flags and what is attached to it.
    VectorizeOneByOne {
        /// The instruction.
        inst: Inst,
        /// What it takes, in the places of the instruction's operands.
        operands: Operands,
    },
    /// VPConditionBitRecipe: that by which control leaves the block, for its first successor if the condition is set. What
    /// leaves on poison is undefined behaviour. The last recipe of its block; defines nothing.
    ConditionBit {
        /// A value of type `i1`.
        condition: VPValue,
    },
    /// What is taken on the edge on which control has come: at the head of its block, all at once.
    Phi {
        /// The phi of the IR that it is for.
        origin: Option<Inst>,
        /// One entry for each predecessor.
        incoming: Vec<(BlockId, VPValue)>,
    },
    /// Whether the value that a switch asks about is that of one of its cases: a bit.
    IsCase {
        /// The switch.
        switch: Inst,
        /// What it asks about.
        value: VPValue,
        /// The case's value, a constant of the same type.
        case: VPValue,
    },
    /// Lane by lane, one of two values by a mask: what is left of a phi where both ways are gone.
    Blend {
        /// A bit per lane, never poison.
        mask: VPValue,
        /// The value where it is set.
        set: VPValue,
        /// The value where it is not.
        clear: VPValue,
    },
    /// Bits made of bits.
    Mask {
        /// How.
        op: MaskOp,
        /// Of what; as many as the operation takes.
        operands: Operands,
    },
    /// Whether a bit is set in any lane: the same bit in all lanes.
    AnyLane {
        /// The bits.
        bits: VPValue,
    },
}

/// How bits are made of bits.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum MaskOp {
    /// The other bit; takes one.
    Not,
    /// Set if the first is set and the second is; the second is not asked where the first is not set, so that its poison does
    /// not count there. Takes two.
    And,
    /// Set if the first is set or the second is; the second is not asked where the first is set. Takes two.
    Or,
}

impl MaskOp {
    /// How many operands it takes.
    pub fn arity(self) -> usize {
        match self {
            Self::Not => 1,
            Self::And | Self::Or => 2,
        }
    }
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Not => "not",
            Self::And => "and",
            Self::Or => "or",
        }
    }
}

impl Recipe {
    /// What it takes, in order; of a phi without the blocks.
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
    /// Shows each operand to `change`, which may replace it.
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
    /// The instruction of the IR that it stands for.
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
