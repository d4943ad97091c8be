//! Instructions that may violate a promise.

use backedge_ir::entity::{Arg, Inst};
use backedge_ir::inst::Value;

/// The consequence of executing an instruction that certainly violates the attribute.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// The run is undefined.
    Undefined,
    /// The run is undefined unless the pointer is null.
    UndefinedUnlessNull(Value),
    /// The result is poison.
    Poison,
    /// Before the instruction, bytes at an offset from a parameter become undef.
    Forgets {
        /// The parameter.
        arg: Arg,
        /// The offset in bytes.
        at: i64,
        /// Number of bytes.
        len: u32,
    },
}

/// An instruction that may violate an attribute.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Breach {
    /// The instruction.
    pub inst: Inst,
    /// The effect of a certain violation; `None` if the violation is only possible.
    pub sure: Option<Effect>,
    /// The strongest effect that a violation can have.
    pub at_most: Effect,
}

impl Breach {
    pub(super) fn new(inst: Inst, sure: Option<Effect>) -> Self {
        Self { inst, sure, at_most: Effect::Undefined }
    }
    pub(super) fn possible(inst: Inst) -> Self {
        Self::new(inst, None)
    }
    pub(super) fn undefined_if(inst: Inst, sure: bool) -> Self {
        Self::new(inst, sure.then_some(Effect::Undefined))
    }
}
