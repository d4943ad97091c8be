//! Runs.

pub(crate) mod config;
pub(crate) mod counterexample;
pub(crate) mod drive;
