//! What tests share: nests made at random, what they do before and after, and what trees mean.

pub(crate) mod apply;
pub(crate) mod meaning;
pub(crate) mod rectangles;
