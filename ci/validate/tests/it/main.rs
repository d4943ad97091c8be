//! Tests of the validator, as one program: the crate is linked once for all of them.

mod agreement;
mod exhaustive;
mod folds;
mod generated;
mod globals;
mod mutants;
mod promises;
mod repeats;
mod scev_claims;
mod vector_intrinsics;
mod wild;
mod witness;
