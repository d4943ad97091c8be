//! See `src/targets/pipeline.rs`.
#![no_main]

use backedge_fuzz::input::Input;
use backedge_fuzz::targets::Target;

libfuzzer_sys::fuzz_target!(|input: Input<{ Target::Pipeline as usize }>| input.fuzz());
