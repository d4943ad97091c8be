//! What is true of a function; a cache of these results; their text forms. It changes no IR and knows no transform.
//!
//! | of | modules |
//! |---|---|
//! | control flow | [`postdom`], [`frontier`], [`loops`], [`irreducible`], [`order`] |
//! | integers | [`known_bits`], [`range`]: the lattices; [`values`]: the facts of a body's values |
//! | what control has passed | [`conditions`]: facts that hold at a place |
//! | what control will pass | [`must_execute`] |
//! | poison | [`poison`] |
//! | memory | [`effects`], [`alias`] |
//!
//! The graph itself ([`Cfg`]) and [`Dominators`] are the IR crate's, since SSA is stated in them. All claims are of runs
//! without undefined behaviour.

pub mod alias;
pub mod cache;
pub mod conditions;
pub mod effects;
pub mod frontier;
pub mod irreducible;
pub mod known_bits;
pub mod loops;
pub mod must_execute;
pub mod order;
pub mod poison;
pub mod postdom;
pub mod print;
pub mod range;
mod scc;
pub mod values;

pub use backedge_ir::cfg::Cfg;
pub use backedge_ir::dominators::Dominators;
pub use cache::Analyses;
pub use loops::{Edge, LoopForest, LoopId};
pub use postdom::PostDominators;
