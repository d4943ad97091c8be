//! See `Target::UnrollMultiExit`.
#![no_main]

use backedge_fuzz::targets::Target;

libfuzzer_sys::fuzz_target!(|data: &[u8]| Target::UnrollMultiExit.fuzz(data));
