//! Outcomes of the lexical-order nest passes. These passes are in a crate that this crate does not depend on, so an
//! outcome is a name and a text here.

use std::fmt;

/// What a nest pass did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NestDone {
    /// The name of the outcome.
    pub name: &'static str,
    /// The outcome in words.
    pub text: String,
}

/// Why a nest pass left a nest unchanged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NestMissed {
    /// The name of the reason.
    pub name: &'static str,
    /// The reason in words.
    pub text: String,
}

impl NestDone {
    /// The name of the outcome, one word in LLVM's style.
    pub fn name(&self) -> &'static str {
        self.name
    }
}

impl NestMissed {
    /// The name of the reason, one word in LLVM's style.
    pub fn name(&self) -> &'static str {
        self.name
    }
}

impl fmt::Display for NestDone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Display for NestMissed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
