//! See `Target::Parse`.
#![no_main]

use backedge_fuzz::input::Text;
use backedge_fuzz::targets::Target;

libfuzzer_sys::fuzz_target!(|input: Text| Target::Parse.fuzz(input.0));
