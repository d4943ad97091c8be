//! What is wrong with a text of claims, and where.

use thiserror::Error;

/// A place in a text that was not understood.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}, column {column}: expected {expected}, found `{snippet}`")]
pub struct TextError {
    /// The line, from 1.
    pub line: u64,
    /// The column in bytes, from 1.
    pub column: u32,
    /// What stands there, cut to a few words.
    pub snippet: Box<str>,
    /// What was expected.
    pub expected: Box<str>,
}

/// Why a text of claims was not read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// It was not understood.
    #[error(transparent)]
    Text(#[from] TextError),
    /// It could not be read.
    #[error("the text of claims could not be read: {0}")]
    Io(#[from] std::io::Error),
}

/// Why a piece of a line gives no claim.
#[derive(Debug)]
pub(super) enum Stop {
    /// It is wrong.
    Wrong(TextError),
    /// It is beyond what is held: the text goes into a note.
    Beyond(Box<str>),
}

impl Stop {
    pub(super) fn beyond(why: impl Into<Box<str>>) -> Self {
        Self::Beyond(why.into())
    }
}

impl From<TextError> for Stop {
    fn from(error: TextError) -> Self {
        Self::Wrong(error)
    }
}
