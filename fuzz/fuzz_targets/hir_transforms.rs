//! See `src/targets/hir_transforms.rs`.
#![no_main]

use backedge_fuzz::input::Input;
use backedge_fuzz::targets::Target;

libfuzzer_sys::fuzz_target!(|input: Input<{ Target::HirTransforms as usize }>| input.fuzz());
