//! See `Target::Vectorize`.
#![no_main]

use backedge_fuzz::input::Vectors;
use backedge_fuzz::targets::Target;

libfuzzer_sys::fuzz_target!(|input: Vectors| Target::Vectorize.fuzz(input.0));
