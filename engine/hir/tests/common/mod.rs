//! What tests of nests share: nests made at random, and what runs do in them.

#![allow(dead_code, reason = "each test crate uses a part")]

pub(crate) mod apply;
pub(crate) mod judge;
pub(crate) mod nests;
pub(crate) mod rectangles;
