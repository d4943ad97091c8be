//! Tests of pipelines of passes, as one program: the crate is linked once for all of them.

mod analyses;
mod cases;
mod common;
mod kept_scev;
mod llvm_files;
mod non_integral;
mod peer_passes;
mod run;
mod text;
