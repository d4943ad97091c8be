//! What tests of nests share: nests made at random, and what runs do in them.

pub(crate) mod judge;
pub(crate) mod nests;
