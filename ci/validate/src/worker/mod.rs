//! The solver's stages in processes of their own, which can be killed: whatever happens in one of them, the others and
//! the run as a whole go on, and every pair gets its verdict.
//!
//! A worker is this program once more ([`Launch::this_program`]). It reads pairs as text from its standard input, one
//! JSON object per line, does one stage of the portfolio for each, and writes what came of it ([`serve`]). It ends when its
//! standard input does, so that none outlives the process that it works for, however that one ends.
//!
//! [`Pool`] hands stages to workers and keeps idle ones for the next pair. Callers may be as many as there are jobs; where
//! they are fewer, a proof is begun while the bounded check is still at its work, and given up if that decides. It
//! enforces what the solver can't be trusted with: the wall clock ([`wall`]; but for [`load`]) and memory ([`memory_mb`]; on
//! systems that have `/proc`). These lie above the solver's own limits, so that its resource units are what decides; where they do
//! decide, the verdict says so. A worker that dies is replaced and the stage done once more, since what it died of may
//! be a signal that had nothing to do with the pair; if the second one dies too, the verdict names how.
//!
//! [`Process`] and [`serve_with`] do the same for work of any other kind.

pub mod load;
mod pool;
mod process;
mod protocol;
mod serve;

pub use pool::{Pool, memory_mb, wall};
pub use process::{Launch, Outcome, Process, this_executable};
pub use serve::{serve, serve_with};
