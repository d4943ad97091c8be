//! Choices made for calls of library functions.

use crate::term::Term;
use std::sync::Arc;

/// The choice made for a call, as later calls see it.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(in crate::encode) key: Arc<str>,
    pub(in crate::encode) operands: Vec<Term>,
    /// Whether the call is reached and has an open choice.
    pub(in crate::encode) made: Term,
    pub(in crate::encode) value: Term,
}
