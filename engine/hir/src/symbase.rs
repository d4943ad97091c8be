//! Symbases: numbers for data that may be the same; see [`crate::ddref`].

use std::fmt;

/// A number for data that may be the same.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Symbase(pub u32);

impl Symbase {
    /// The symbase of constants.
    pub const CONSTANT: Self = Self(0);
    /// The symbase of closed forms that are neither a constant nor a variable.
    pub const RVALUE: Self = Self(1);
    /// The first symbase of a variable or an alias set.
    pub const FIRST: Self = Self(2);
}

impl fmt::Display for Symbase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}
