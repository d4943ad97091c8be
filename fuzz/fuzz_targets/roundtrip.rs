//! See `Target::Roundtrip`.
#![no_main]

use backedge_fuzz::input::Text;
use backedge_fuzz::targets::Target;

libfuzzer_sys::fuzz_target!(|input: Text| Target::Roundtrip.fuzz(input.0));
