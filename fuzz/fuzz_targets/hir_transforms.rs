//! See `Target::HirTransforms`.
#![no_main]

use backedge_fuzz::input::Nests;
use backedge_fuzz::targets::Target;

libfuzzer_sys::fuzz_target!(|input: Nests| Target::HirTransforms.fuzz(input.0));
