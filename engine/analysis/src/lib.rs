//! What is true of a function; a cache of these results; their text forms. It changes no IR and knows no transform.
//!
//! | of | modules |
//! |---|---|
//! | control flow | [`postdom`], [`frontier`], [`loops`], [`irreducible`], [`order`] |
//! | integers | [`known_bits`], [`range`]: the lattices; [`values`]: the facts of a body's values |
//! | what control has passed | [`conditions`]: facts that hold at a place; [`passed`]: the branches as a whole |
//! | what control will pass | [`must_execute`] |
//! | poison | [`poison`] |
//! | memory | [`effects`], [`alias`] |
//!
//! The graph itself ([`Cfg`]) and [`Dominators`] are the IR crate's, since SSA is stated in them. All claims are of runs
//! without undefined behaviour.
//!
//! # What an analysis of loops asks
//!
//! A recurrence `{a,+,b}<nsw>` may be built from an `add nsw` only where a poison would not have been harmless. The
//! questions on the way, all bounded in cost; an answer of false (or unknown) is never a claim:
//!
//! | question | query |
//! |---|---|
//! | May this flag be a fact of the *expression*? Yes if a poison result is undefined behaviour wherever it is computed | [`poison::program_undefined_if_poison`]; in each iteration, past branches: [`poison::undefined_in_iteration`] |
//! | Does a poison operand make the result poison? | [`poison::propagates_poison`] of the use |
//! | Which operands must not be poison? | [`poison::operands_must_be_defined`] |
//! | Is the value poison (or undef) at all, here or anywhere? | [`poison::is_guaranteed_defined`], with the instruction where it is asked, or without |
//! | Does control go on behind the instruction? | [`must_execute::guaranteed_to_transfer`] |
//! | Executed `a`, is `b` executed? Facts of an operation at `b` then hold of its operands from `a` on | [`must_execute::guaranteed_to_transfer_to`] |
//! | Is it executed in every iteration? | [`must_execute::MustExecute::of_loop`] |
//! | Which conditions guard the loop, or hold in a block? | [`passed::passed_branches`] of the header or block, and [`passed::passed_on_edge`] of a backedge, with polarity and latest first |
//! | What do conditions and assumptions say of one value, taken apart? | [`conditions::Conditions::holding_at`], `holding_on_edge`, [`conditions::Conditions::assumptions_about`] |
//! | Does `a pred b` hold here? | [`conditions::Conditions::implied_at`] from one condition; [`values::ValueFacts::icmp`] with ranges too |
//! | The bits or the range of a few values, everywhere or here | [`values::Demanded::of`], [`values::Demanded::at`], `on_edge`: costs what is asked, and once |
//! | The same of all values, sharper around cycles | [`values::ValueFacts::of`], [`values::ValueFacts::at`], `on_edge`: solves for the whole body |
//!
//! Facts of a value hold *if it is not poison*; what control has branched on is not. A fact at a place holds of the
//! value's last computation; of a value of a loop it must not be used in another iteration.

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
