//! Loop canonical forms and optimizations, and their remarks.
//!
//! Every pass has three parts that can be read on their own: *check* establishes facts and legality, *decide*
//! chooses, and *apply* edits and cannot fail. A pass that does nothing says why in a [`remark::Remark`], with a
//! reason from an enum.
//!
//! | pass | result |
//! |---|---|
//! | [`simplify`] (`loop-simplify`) | preheader, one backedge, dedicated exits |
//! | [`lcssa`] (`lcssa`) | values defined in a loop are used only in it or by phis of its exit blocks |
//! | [`licm`] (`licm`) | work that each iteration need not repeat is hoisted or sunk out of the loop |
//! | [`rotate`] (`loop-rotate`) | the latch is exiting; a guard before the loop can skip it |
//! | [`indvars`] (`indvars`) | few and simple induction variables; code simplified with their ranges and exit values |
//! | [`cleanup`] (`instsimplify`, `dce`, `simplifycfg`, and for loops) | redundant code of other passes is removed |
//! | [`cse`] (`early-cse`) | no value is computed, loaded or stored twice |
//! | [`iteration_split`] (`iteration-set-split`) | two loops; the first ends at a loop-invariant iteration |
//! | [`deletion`] (`loop-deletion`) | loops without an observable effect are deleted |
//! | [`idiom`] (`loop-idiom`) | store loops that fill or copy memory become one call |
//! | [`nest`] | outcomes of the lexical-order nest passes, which are in another crate |
//! | [`peel`] (`loop-peel`) | first iterations before the loop, or the last iteration after it |
//! | [`restrict`] (`early-exit-inversion`, `bound-restriction`) | iterations that do nothing are skipped |
//! | [`unroll`] (`loop-unroll`) | one iteration of the new loop (a round) runs several old iterations |
//! | [`unswitch`] (`simple-loop-unswitch`) | loop-invariant branches are moved out of the loop |

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
pub mod shape;
pub mod simplify;
pub mod size;
pub mod split;
pub mod ssa;
mod undef;
pub mod uniform;
pub mod unroll;
pub mod unswitch;
mod weights;
