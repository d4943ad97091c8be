//! Outcomes of passes on whole nests in lexical order, in their own words: these passes stand in a crate that this one does
//! not know. What happened is a type there, which has a name and a text.

use std::fmt;

/// What such a pass did to a nest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Done {
    /// What it is called.
    pub name: &'static str,
    /// The same in words.
    pub text: String,
}

/// Why it left a nest as it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Missed {
    /// What the reason is called.
    pub name: &'static str,
    /// The same in words.
    pub text: String,
}

impl Done {
    /// What it is called, one word in LLVM's manner.
    pub fn name(&self) -> &'static str {
        self.name
    }
}

impl Missed {
    /// What it is called, one word in LLVM's manner.
    pub fn name(&self) -> &'static str {
        self.name
    }
}

impl fmt::Display for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Display for Missed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
