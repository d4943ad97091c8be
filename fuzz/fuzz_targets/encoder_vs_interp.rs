//! See `src/targets/encoder_vs_interp.rs`.
#![no_main]

use backedge_fuzz::input::Input;
use backedge_fuzz::targets::Target;

libfuzzer_sys::fuzz_target!(|input: Input<{ Target::EncoderVsInterp as usize }>| input.fuzz());
