//! Finding miscompiles: loops made at random, mutants of existing code, the oracles that judge what becomes of them, and the reducer that makes them
//! small.
//!
//! It stands beside what it tests: nothing in the engine, the interpreter or the solver's part knows of it.

pub mod bisect;
pub mod campaign;
// `gen` is a keyword.
#[path = "gen/mod.rs"]
pub mod generate;
pub mod input;
pub mod mutate;
pub mod oracle;
pub mod reduce;
pub mod statistics;
pub mod targets;
