//! See `Target::Canonicalize`.
#![no_main]

use backedge_fuzz::targets::Target;

libfuzzer_sys::fuzz_target!(|data: &[u8]| Target::Canonicalize.fuzz(data));
