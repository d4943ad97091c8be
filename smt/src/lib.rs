//! Z3 encoding of LLVM IR: refinement checks, claims about loops, and translation of models into witnesses.

pub mod claims;
mod encode;
mod limits;
pub mod modelled;
pub mod promises;
pub mod proof;
pub mod refinement;
pub mod solver;
pub mod term;

mod version;

pub use version::{PINNED_Z3, WrongZ3, check_z3_version, z3_version};
