//! States of the search: a program with its text, its size and the functions that changed alone.

use super::program::Program;
use super::size::Size;
use super::{Stop, Test};

/// A program with its text and size.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) program: Program,
    pub(crate) text: String,
    pub(crate) size: Size,
    /// Functions of pairs that changed without their partner.
    pub(crate) alone: Vec<String>,
}

impl State {
    pub(crate) fn new(program: Program) -> Self {
        let text = program.text();
        let size = Size::of(&program.module, &text);
        Self { program, text, size, alone: Vec::new() }
    }
    /// Whether the candidate is interesting, and functions that changed alone since `before` behave as before.
    pub(super) fn is_interesting(
        &self,
        before: &str,
        test: &dyn Test,
        stop: &Stop<'_>,
    ) -> Result<bool, String> {
        let is_same = |name: &String| test.behaves_the_same(before, &self.text, name);
        Ok(test.is_interesting(&self.text, stop)? && self.alone.iter().all(is_same))
    }
    /// Whether it precedes `other` in the order of the search.
    pub(crate) fn is_smaller_than(&self, other: &Self) -> bool {
        (&self.size, &self.text) < (&other.size, &other.text)
    }
}
