//! See `Target::VPlanRoundtrip`.
#![no_main]

use backedge_fuzz::input::Program;
use backedge_fuzz::targets::Target;

libfuzzer_sys::fuzz_target!(|input: Program| Target::VPlanRoundtrip.fuzz(input.0));
