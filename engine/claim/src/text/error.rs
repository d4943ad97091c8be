//! Errors in a text of claims, with their position.

use thiserror::Error;

/// A syntax error in a text of claims.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}, column {column}: expected {expected}, found `{snippet}`")]
pub struct TextError {
    /// The line, from 1.
    pub line: u64,
    /// The column in bytes, from 1.
    pub column: u32,
    /// The text at that position, truncated.
    pub snippet: Box<str>,
    /// The expected text.
    pub expected: Box<str>,
}

/// Why a text of claims could not be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// A syntax error.
    #[error(transparent)]
    Text(#[from] TextError),
    /// An I/O error.
    #[error("the text of claims could not be read: {0}")]
    Io(#[from] std::io::Error),
}

/// Why a piece of a line yields no claim.
#[derive(Debug)]
pub(super) enum Stop {
    /// A syntax error.
    Wrong(TextError),
    /// The piece exceeds what can be represented; a note records the text.
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
