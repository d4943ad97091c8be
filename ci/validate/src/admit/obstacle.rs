//! Why a pair cannot be judged whatever the verdicts on other functions are.

use std::fmt;

/// An obstacle that no verdict on another function can remove.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Obstacle {
    /// Only the target's module defines the function: it has no source to refine.
    New(String),
    /// The target's module no longer defines the function.
    Undefined(String),
    /// The function has another calling convention in the target.
    Convention(String),
    /// The target is recursive, and may call this function where the source does not.
    Speculated(String),
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::New(name) => write!(f, "@{name}, which the source's module does not define"),
            Self::Undefined(name) => write!(f, "@{name}, which the target's module does not define any more"),
            Self::Convention(name) => write!(f, "@{name}, which has another calling convention"),
            Self::Speculated(callee) => write!(f, "a recursion through {callee}, which is speculatable"),
        }
    }
}
