//! Utilities shared by several tests.

pub(crate) mod bodies;
pub(crate) mod definition;
pub(crate) mod eval;
pub(crate) mod expanded;
pub(crate) mod guarded;
pub(crate) mod judge;
pub(crate) mod runs;
pub(crate) mod trees;
pub(crate) mod watch;
