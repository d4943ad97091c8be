//! The registry of meanings: what LangRef says about each attribute, metadata kind, operand bundle and intrinsic.
//!
//! The interpreter, the encoder, the analyses and the admission of pairs read the same classification, and evaluate it
//! independently. Each table is an exhaustive match over a closed enum, so a new entry needs a row; each row names its
//! section of LLVM 22's LangRef. A name without a row is [`Meaning::Unknown`]; nothing is skipped.
//!
//! - [`attribute`]: attributes by position.
//! - [`metadata`]: attachments by the instruction that carries them.
//! - [`bundle`]: operand bundles, on `llvm.assume` and on other calls.
//! - [`library`]: functions of the C and C++ libraries.
//! - [`intrinsic`]: effects of intrinsics, and the documented names that [`crate::intrinsic::Intrinsic`] does not have.

pub mod attribute;
pub mod bundle;
pub mod intrinsic;
pub mod library;
pub mod metadata;

/// What an entry means at one position.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Meaning {
    /// No run depends on it: advice to the optimizer or code generator, or a restriction of transforms.
    Nothing,
    /// The value is poison if it breaks the entry.
    PoisonIfViolated,
    /// The run is undefined from the violation on.
    UbIfViolated,
    /// It allows more results than the exact one.
    Permission,
    /// A claim about the behaviour of a function or call as a whole; a run that breaks it is undefined.
    Promise,
    /// Both sides must agree: part of the calling convention, or of the meaning of instructions.
    Agreed,
    /// LLVM's verifier rejects it at this position.
    Misplaced,
    /// No row: it may mean anything.
    Unknown,
}

impl Meaning {
    /// Whether a target may have the entry where its source does not, whatever the code is.
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
    /// Whether a target may lack the entry that its source has.
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
    /// Whether a run of a source that has the entry may be undefined, or give other results, because of it.
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

/// Whether an engine gives an entry its meaning.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Modelled {
    /// The engine gives the entry its meaning, or the entry has none.
    Yes,
    /// The engine ignores the entry.
    No,
}
