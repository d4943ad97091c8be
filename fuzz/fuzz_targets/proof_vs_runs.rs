//! See `src/targets/proof_vs_runs.rs`.
#![no_main]

use backedge_fuzz::input::Input;
use backedge_fuzz::targets::Target;

libfuzzer_sys::fuzz_target!(|input: Input<{ Target::ProofVsRuns as usize }>| input.fuzz());
