//! Tests of the validator, as one program: the crate is linked only once.

mod agreement;
mod exhaustive;
mod folds;
mod generated;
mod globals;
mod layers;
mod mutants;
mod promises;
mod repeats;
mod scev_claims;
mod simulation;
mod vector_intrinsics;
mod wild;
mod witness;
