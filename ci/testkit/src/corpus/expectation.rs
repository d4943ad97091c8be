//! The interface of all expectations.

/// An expectation that a test compares with its result.
pub trait Expectation {
    /// The result of a test.
    type Found<'a>: Copy;
    /// The difference between `found` and the expectation; `None` if it is met.
    fn complaint(&self, found: Self::Found<'_>) -> Option<String>;
    /// The text of the file with `found` in place of the expectation. `None` if the expectation is written by hand, or
    /// is no longer in the text.
    fn rewritten(&self, _text: &str, _found: Self::Found<'_>) -> Option<String> {
        None
    }
}
