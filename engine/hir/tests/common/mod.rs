//! What tests of transforms share: nests made at random, and what they do before and after.

#![allow(dead_code, reason = "each test crate uses a part")]

pub(crate) mod apply;
pub(crate) mod rectangles;
