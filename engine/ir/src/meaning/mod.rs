//! The registry of meanings: LangRef's definition of each attribute, metadata kind, operand bundle and intrinsic.
//!
//! The interpreter, the encoder, the analyses and the admission of pairs share this classification, but evaluate it
//! independently. Each table is an exhaustive match over a closed enum, so a new entry needs a row; each row names its
//! section of LLVM 22's LangRef. A name without a row is [`Meaning::Unknown`]; nothing is skipped.
//!
//! - [`attribute`]: attributes by position.
//! - [`metadata`]: attachments by the instruction that carries them.
//! - [`bundle`]: operand bundles, on `llvm.assume` and on other calls.
//! - [`library`]: C and C++ library functions.
//! - [`intrinsic`]: effects of intrinsics, and the documented names that are not in [`crate::intrinsic::Intrinsic`].

//!
//! To add an attribute of values, start with its row in [`crate::attr`]. The compiler then asks for [`attribute`], for
//! `modelled.rs` of the interpreter and of the encoder and, if the attribute has operands, for
//! `smt/src/promises/attributes.rs` and `ci/validate/src/judge/twins/attributes.rs`. It does not ask for
//!
//! - the checks of values: `interp/src/facts.rs`, and its counterpart `smt/src/encode/attributes.rs`;
//! - [`attribute::AttrKind::constrains_values`], and, if the value depends on the address of a pointer,
//!   `ci/validate/src/admit/absolute.rs`;
//! - the spelling in twins: `ci/validate/src/judge/twins/values.rs`;
//! - tests: `engine/ir/tests/it/parse_meaning/registry.rs`, `interp/tests/data/ub/attributes.ll`, and
//!   `ci/validate/tests/it/generated/twins.rs`, which judges a pair for each attribute of the lists of twins.

pub mod attribute;
pub mod bundle;
pub mod intrinsic;
pub mod library;
pub mod metadata;

/// The meaning of an entry at one position.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Meaning {
    /// No effect on any run: advice to the optimizer or code generator, or a restriction on transforms.
    Nothing,
    /// A value that violates the entry is poison.
    PoisonIfViolated,
    /// A violation is undefined behavior.
    UbIfViolated,
    /// The entry permits results other than the exact one.
    Permission,
    /// A promise about the behavior of a function or call as a whole; violating it is undefined behavior.
    Promise,
    /// Both sides must agree: the entry is part of the calling convention or of the meaning of instructions.
    Agreed,
    /// LLVM's verifier rejects the entry at this position.
    Misplaced,
    /// No row: the entry may have any meaning.
    Unknown,
}

impl Meaning {
    /// Whether the target may have the entry although the source lacks it, regardless of the code.
    pub fn may_be_added(self) -> bool {
        match self {
            Self::Nothing | Self::Misplaced => true,
            Self::PoisonIfViolated
            | Self::UbIfViolated
            | Self::Permission
            | Self::Promise
            | Self::Agreed
            | Self::Unknown => false,
        }
    }
    /// Whether the target may lack an entry that the source has.
    pub fn may_be_dropped(self) -> bool {
        match self {
            Self::Nothing
            | Self::PoisonIfViolated
            | Self::UbIfViolated
            | Self::Permission
            | Self::Promise
            | Self::Misplaced => true,
            Self::Agreed | Self::Unknown => false,
        }
    }
    /// Whether the entry may make a run of the source undefined or give it other results.
    pub fn may_excuse(self) -> bool {
        match self {
            Self::Nothing | Self::Agreed | Self::Misplaced => false,
            Self::PoisonIfViolated
            | Self::UbIfViolated
            | Self::Permission
            | Self::Promise
            | Self::Unknown => true,
        }
    }
}

/// Whether an engine models an entry.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Modelled {
    /// The engine models the entry, or the entry has no effect.
    Yes,
    /// The engine ignores the entry.
    No,
}
