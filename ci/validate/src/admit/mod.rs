//! What the engines can't judge: pairs that can't be compared, features that neither engine models, and reasons why a
//! failing run is no refutation or a verdict holds only under assumptions.
//!
//! A new reason not to believe an engine belongs here. The room imports `pair` and `verdict` only: it sees the functions
//! and a refutation as data, and starts neither engine; only `unkept` looks at runs that others started.

pub(crate) mod absolute;
pub(crate) mod callees;
pub(crate) mod comparable;
mod doubt;
mod excuse;
mod obstacle;
pub(crate) mod qualified;
pub(crate) mod recursion;
pub mod surroundings;
pub(crate) mod unkept;
mod unmodelled;
mod variables;
pub(crate) mod whole_module;
