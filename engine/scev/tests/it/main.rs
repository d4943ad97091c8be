//! Tests of ScalarEvolution, as one program, so that the crate is linked once.

mod common;
mod count_rules;
mod count_runs;
mod expand_named;
mod expand_random;
mod fold_canonical;
mod fold_named;
mod fold_values;
mod guards_random;
mod guards_rules;
mod laws;
mod query_left;
mod range_random;
mod recognize_runs;
mod recognize_scopes;
mod recognize_values;
mod refine;
