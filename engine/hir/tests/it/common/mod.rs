//! Shared by the tests: random nests, execution before and after, and the semantics of trees.

pub(crate) mod apply;
pub(crate) mod meaning;
pub(crate) mod rectangles;
