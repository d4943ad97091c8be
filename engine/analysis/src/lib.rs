//! What is true of a function: of its control flow (post-dominators, dominance frontiers, the loop tree and loop forms,
//! irreducible cycles), of its values (known bits, ranges); a cache of these results; their text forms. It changes no IR
//! and knows no transform.
//!
//! The graph itself ([`Cfg`]) and [`Dominators`] are the IR crate's, since SSA is stated in them.

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
