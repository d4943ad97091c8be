//! The remarks of `lcssa`: the edits that it made, and the reasons why it made none.

use std::fmt;

/// What the pass did to a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LcssaDone {
    /// Values that left the loop got phis in its exit blocks and after them.
    Closed {
        /// How many values.
        values: usize,
        /// How many phis were made.
        phis: usize,
    },
}

impl LcssaDone {
    /// The name of the outcome.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Closed { .. } => "Closed",
        }
    }
}

impl fmt::Display for LcssaDone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Closed { values, phis } = self;
        write!(f, "closed {values} value(s) with {phis} phi(s)")
    }
}

/// Why a value has no LCSSA phi.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LcssaMissed {
    /// A token is used outside the loop; no phi can take it.
    Token {
        /// The name of the token, if it has one.
        name: Option<String>,
    },
}

impl LcssaMissed {
    /// The name of the reason.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Token { .. } => "Token",
        }
    }
}

impl fmt::Display for LcssaMissed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Token { name } = self;
        let name = name.as_deref().map_or_else(String::new, |n| format!(" %{n}"));
        write!(f, "the token{name} is used outside the loop, and no phi can take a token")
    }
}
