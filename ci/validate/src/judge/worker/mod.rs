//! Runs the solver's stages in separate processes that can be killed: whatever happens in one of them, the others and
//! the whole run continue, and every pair gets its verdict.
//!
//! A worker is another instance of this program ([`Launch::this_program`]). It reads pairs as text from its standard
//! input, one JSON object per line, runs one stage of the portfolio for each, and writes the result ([`serve`]). It
//! exits when its standard input closes, so it never outlives its parent process, however that one ends.
//!
//! [`Pool`] assigns stages to workers and keeps idle ones for the next pair. There may be as many callers as jobs; with
//! fewer callers, a proof starts while the bounded check is still running, and is cancelled if the check decides. The
//! pool enforces limits that the solver may not respect: the wall clock ([`wall`]; see also [`load`]) and memory
//! ([`memory_mb`]; on systems with `/proc`). These exceed the solver's own limits, so its resource units usually
//! decide; if a limit of the pool decides, the verdict says so. A worker that dies is replaced and the stage is retried
//! once, since the cause may be a signal unrelated to the pair; if the second worker dies too, the verdict states how.
//!
//! [`Process`] and [`serve_with`] provide the same for other kinds of work.

pub mod load;
mod pool;
mod process;
mod protocol;
mod serve;

pub use pool::{Pool, memory_mb, wall};
pub use process::{Launch, Outcome, Process, is_from_outside, this_executable};
pub use serve::{serve, serve_with};
