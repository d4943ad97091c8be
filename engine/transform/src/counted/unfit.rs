//! The reasons why the iterations of a loop cannot be divided.

use crate::clone::Uncopyable;
use std::fmt;

/// Why the iterations of a loop cannot be divided, for any transform.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Unfit {
    /// The loop is not in loop-simplify form.
    NotSimplified,
    /// It can't be copied.
    Uncopyable(Uncopyable),
    /// Its metadata disables non-forced transforms, and does not request this one.
    NotForced,
    /// The result would be too large.
    TooLarge {
        /// The number of instructions of the loop.
        size: usize,
        /// The limit for all copies.
        limit: usize,
    },
}

impl Unfit {
    /// The name of the reason.
    pub fn name(&self) -> &'static str {
        match self {
            Self::NotSimplified => "NotSimplified",
            Self::Uncopyable(why) => why.name(),
            Self::NotForced => "NotForced",
            Self::TooLarge { .. } => "TooLarge",
        }
    }
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSimplified => f.write_str("the loop is not in loop simplify form"),
            Self::Uncopyable(why) => write!(f, "the loop can't be copied: {why}"),
            Self::NotForced => f.write_str("its metadata allows only what it asks for"),
            Self::TooLarge { size, limit } => {
                write!(f, "copies of its {size} instructions would be more than {limit}")
            }
        }
    }
}
