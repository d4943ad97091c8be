//! Tests of VPlan in one test program, so that the crate is linked only once.

mod attached;
mod common;
mod cost;
mod files;
mod interleaved_runs;
mod legality;
mod legality_runs;
mod missed;
mod nest_legality;
mod nest_runs;
mod random;
mod regions;
mod uniform;
mod vector_plans;
mod vectorize_runs;
mod vplan_corpus;
