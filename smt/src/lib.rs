//! Z3 encoding of LLVM IR: refinement checks, claims about loops, and translation of models into witnesses.
//!
//! | module | answers |
//! |---|---|
//! | [`refinement`] | whether the source allows every run of the target, up to a bound on iterations |
//! | [`proof`] | the same for all iterations, with a certificate that can be checked again |
//! | [`simulation`] | the same by running both functions side by side on values, without the solver |
//! | [`claims`] | whether claims about loops (wrap flags, counts, ranges) hold |
//! | [`promises`] | what a target promises beyond its source |
//! | [`term`], [`solver`] | terms with an evaluator, and queries to Z3 within a budget |
//!
//! ```
//! use backedge_ir::parse::parse_module;
//! use backedge_smt::refinement::{FunctionRef, Options, Outcome, check};
//!
//! let text = b"
//! define i8 @src(i8 %x) {
//!   %y = mul i8 %x, 2
//!   ret i8 %y
//! }
//! define i8 @tgt(i8 %x) {
//!   %y = mul nsw i8 %x, 2
//!   ret i8 %y
//! }";
//! let module = parse_module(text)?.module;
//! let function = |name| FunctionRef { module: &module, func: module.env.func_named(name).unwrap() };
//! let report = check(function("src"), function("tgt"), &Options::default());
//! let Outcome::Refuted { failure, .. } = report.outcome else { panic!("64 * 2 does not fit i8: {:?}", report.outcome) };
//! println!("{failure:?}");
//! # Ok::<(), backedge_ir::parse::ParseError>(())
//! ```
//!
//! # Which Z3
//!
//! The crate links `libz3` dynamically. In the checkout of Backedge, `.cargo/config.toml` names the library that
//! `ci/setup` fetches. Another workspace sets `Z3_LIBRARY_PATH_OVERRIDE` to the directory of a library, or takes the system's;
//! `docs/library.md` shows both. Verdicts were measured with version [`PINNED_Z3`]: [`check_z3_version`] says whether that
//! version is loaded. Versions before [`LEAST_Z3`] answer some queries wrongly: the solver does not ask them, and each
//! verdict that needs it is inconclusive with [`solver::SolverError::UnusableZ3`].
//! Without the feature `z3`, which is on by default, the crate links nothing, and this error answers every query.

pub mod claims;
mod encode;
mod limits;
pub mod modelled;
pub mod promises;
pub mod proof;
pub mod refinement;
pub mod simulation;
pub mod solver;
pub mod term;

mod version;

pub use version::{LEAST_Z3, PINNED_Z3, UnusableZ3, check_least_z3_version, check_z3_version, z3_version};
