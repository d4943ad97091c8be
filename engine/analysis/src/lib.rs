//! Function analyses, a cache of their results, and their text forms. This crate changes no IR and knows no transform.
//!
//! | of | modules |
//! |---|---|
//! | control flow | [`postdom`], [`frontier`], [`loops`], [`irreducible`], [`order`] |
//! | integers | [`known_bits`], [`range`]: the lattices; [`values`]: facts of the values of a body |
//! | facts from branches already taken | [`conditions`]: facts at a place; [`passed`]: the branches as a whole |
//! | instructions that will be executed | [`must_execute`] |
//! | poison | [`poison`] |
//! | memory | [`effects`], [`alias`] |
//!
//! The IR crate owns the graph itself ([`Cfg`]) and [`Dominators`], since SSA form is defined by them. All claims are
//! about executions without undefined behavior (UB).
//!
//! # Queries of a loop analysis
//!
//! A recurrence `{a,+,b}<nsw>` may be derived from an `add nsw` only if a poison result would be UB. The table lists
//! the queries that this proof needs. All have bounded cost; an answer of false (or unknown) is never a claim.
//!
//! | question | query |
//! |---|---|
//! | May this flag be a fact of the *expression*? Yes if a poison result is UB wherever the expression is computed | [`poison::program_undefined_if_poison`]; in each iteration, past branches: [`poison::undefined_in_iteration`] |
//! | Does a poison operand make the result poison? | [`poison::propagates_poison`] of the use |
//! | Which operands must not be poison? | [`poison::operands_must_be_defined`] |
//! | Can the value be poison (or undef), at an instruction or anywhere? | [`poison::is_guaranteed_defined`], with or without a context instruction |
//! | Does control continue after the instruction? | [`must_execute::guaranteed_to_transfer`] |
//! | If `a` is executed, is `b` executed? Facts that an operation at `b` implies for its operands then hold from `a` on | [`must_execute::guaranteed_to_transfer_to`] |
//! | Is the instruction executed in every iteration? | [`must_execute::MustExecute::of_loop`] |
//! | Which conditions guard the loop, or hold in a block? | [`passed::passed_branches`] of the header or block, and [`passed::passed_on_edge`] of a backedge, with polarity and latest first |
//! | What do decomposed conditions and assumptions imply for one value? | [`conditions::Conditions::holding_at`], `holding_on_edge`, [`conditions::Conditions::assumptions_about`] |
//! | Does `a pred b` hold at an instruction? | [`conditions::Conditions::implied_at`] from one condition; [`values::ValueFacts::icmp`] with ranges too |
//! | Known bits or range of a few values, everywhere or at an instruction | [`values::Demanded::of`], [`values::Demanded::at`], `on_edge`: computes only the requested values, once |
//! | The same for all values, sharper around cycles | [`values::ValueFacts::of`], [`values::ValueFacts::at`], `on_edge`: solves for the whole body |
//!
//! Facts of a value hold *if the value is not poison*; a value that control has branched on is not poison. A fact at a
//! place holds for the latest computation of the value. A fact of a value in a loop must not be used in another
//! iteration.

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
pub mod passed;
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
