//! Encodes IR in Z3: bounded refinement, models to witnesses.

mod encode;
mod limits;
pub mod refinement;
pub mod solver;
pub mod term;
mod version;

pub use version::{PINNED_Z3, WrongZ3, check_z3_version};
