//! Fuzzing for miscompiles: a random loop generator, mutators for existing IR, oracles that judge each result, and a
//! test-case reducer.
//!
//! This crate depends on the code under test; the engine, the interpreter and the solver crate do not depend on this
//! one.

pub mod bisect;
pub mod campaign;
// `gen` is a keyword.
#[path = "gen/mod.rs"]
pub mod generate;
pub mod input;
pub mod mutate;
pub mod oracles;
pub mod reduce;
pub mod statistics;
pub mod targets;
