//! The two functions of a question.

/// One of the two functions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// The function that defines the allowed behavior.
    Source,
    /// The function that is checked.
    Target,
}

impl Side {
    /// 0 for the source, 1 for the target.
    pub(crate) fn index(self) -> usize {
        match self {
            Self::Source => 0,
            Self::Target => 1,
        }
    }
}
