//! See `src/targets/unroll_multi_exit.rs`.
#![no_main]

use backedge_fuzz::input::Input;
use backedge_fuzz::targets::Target;

libfuzzer_sys::fuzz_target!(|input: Input<{ Target::UnrollMultiExit as usize }>| input.fuzz());
