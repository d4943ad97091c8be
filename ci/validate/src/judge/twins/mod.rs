//! Twins: pairs that differ in one entry of the registry of meanings, with a verdict that follows from the entry's
//! meaning.
//!
//! For each entry and position, a pair adds the entry, drops it, keeps it, or keeps or drops it while the target
//! executes the operation where the source does not; in straight-line code and in a loop; for values that may be
//! poison, are defined, or are computed by arithmetic. [`guarded`] puts each pair after a test that no run passes, so
//! that the solver alone judges it. The expected verdict is derived from [`backedge_ir::meaning`], never from an
//! engine.
//!
//! - `values`: attributes and metadata that constrain values.
//! - `attributes`: all attributes at all positions.
//! - `attachments`: all metadata kinds, and operand bundles.
//! - `flags`: flags of instructions.
//! - `calls`: intrinsics and library functions.

mod attachments;
mod attributes;
mod calls;
mod flags;
mod guard;
mod judge;
mod shape;
mod values;

pub use guard::{PASSING, guarded};
pub use judge::{Form, Judged, Outcome, Table, Wrong, contradict, judge};

/// The class of a twin in tables.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Class {
    /// Position of the entry.
    pub place: &'static str,
    /// The change from source to target.
    pub action: &'static str,
}

/// The verdict that follows from the registry.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Expected {
    /// The target refines the source.
    Refines,
    /// The target does not refine the source.
    Fails,
    /// The target must not be accepted without an assumption. A refutation and a named reason are both right.
    NotAccepted,
    /// The registry alone does not decide; internal errors and contradictions are still wrong.
    Any,
}

/// A pair that differs in one entry. Both functions are called `@f`.
#[derive(Clone, Debug)]
pub struct Twin {
    /// Its class.
    pub class: Class,
    /// The entry, its position, and the change. No two twins share a name.
    pub name: String,
    /// The source's module.
    pub source: String,
    /// The target's module.
    pub target: String,
    /// The verdict that follows from the registry.
    pub expected: Expected,
}

/// All twins, in a stable order.
pub fn all() -> Vec<Twin> {
    let mut twins = values::all();
    twins.extend(attributes::all());
    twins.extend(attachments::all());
    twins.extend(flags::all());
    twins.extend(calls::all());
    twins
}
