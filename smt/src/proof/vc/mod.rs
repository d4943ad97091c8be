//! Verification conditions: both functions as segments between cuts, and the proof obligations of one step of the pair.

mod goals;
pub(super) mod pair;
pub(super) mod product;
pub(super) mod program;
pub(super) mod promises;
pub(super) mod question;
pub(super) mod state;
