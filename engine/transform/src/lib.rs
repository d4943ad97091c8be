//! Loop canonical forms and optimizations, and their remarks.
//!
//! Every pass has three parts that can be read alone: *check* finds out what is so and whether the pass may act,
//! *decide* chooses, *apply* edits and can't fail. Where a pass does not act it says so in a
//! [`remark::Remark`] with a reason of an enum.
//!
//! | pass | what holds afterwards |
//! |---|---|
//! | [`simplify`] (`loop-simplify`) | preheader, one backedge, dedicated exits |
//! | [`lcssa`] (`lcssa`) | values defined in a loop are used in it or by phis of its exit blocks |
//! | [`licm`] (`licm`) | what need not be done in each iteration is done in front of the loop or behind it |
//! | [`rotate`] (`loop-rotate`) | the loop is left at its latch; a guard in front of it skips it |
//! | [`indvars`] (`indvars`) | few and simple induction variables; what they make known is used |
//! | [`cleanup`] (`instsimplify`, `dce`, `simplifycfg`, and of loops) | what the others leave is gone |
//! | [`cse`] (`early-cse`) | nothing is computed, loaded or stored again |
//! | [`iteration_split`] (`iteration-set-split`) | two loops, the first up to a point that is known in front of it |
//! | [`deletion`] (`loop-deletion`) | loops that do nothing that matters are gone |
//! | [`idiom`] (`loop-idiom`) | stores that fill or copy memory are one call |
//! | [`nest`] | what passes on nests in lexical order did, which stand in another crate |
//! | [`peel`] (`loop-peel`) | first iterations in front of the loop, or the last one behind it |
//! | [`restrict`] (`early-exit-inversion`, `bound-restriction`) | iterations that do nothing are not made |
//! | [`unroll`] (`loop-unroll`) | several iterations are one round of the loop |
//! | [`unswitch`] (`simple-loop-unswitch`) | decisions that are the same in all iterations are taken outside |

mod changes;
pub mod cleanup;
pub mod clone;
pub mod cost;
pub mod counted;
pub mod cse;
pub mod debug_records;
pub mod deletion;
mod edges;
pub mod fold;
pub mod form;
pub mod idiom;
pub mod indvars;
pub mod iteration_split;
pub mod lcssa;
mod leaves;
pub mod licm;
mod loop_metadata;
pub mod nest;
pub mod pass;
pub mod peel;
pub mod remark;
pub mod restrict;
pub mod rotate;
pub mod simplify;
pub mod size;
pub mod split;
pub mod ssa;
mod undef;
pub mod uniform;
pub mod unroll;
pub mod unswitch;
mod weights;
