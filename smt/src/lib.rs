//! Encodes IR in Z3: bounded refinement, models to witnesses.

mod version;

pub use version::{PINNED_Z3, WrongZ3, check_z3_version};
