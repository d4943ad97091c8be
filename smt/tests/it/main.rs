//! Tests of the encoder and the solver in one binary: the crate is linked only once for all of them.

mod choices;
mod claims;
mod claims_induction;
mod claims_llvm;
mod claims_runs;
mod exists_forall;
mod narrow;
mod operations;
mod proof;
mod proof_lanes;
mod random_terms;
mod rules;
mod simulation;
mod trusted;
