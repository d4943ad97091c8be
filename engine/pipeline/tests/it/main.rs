//! Tests of pass pipelines, linked as one program to link the crate only once.

mod analyses;
mod cases;
mod common;
mod kept_scev;
mod llvm_files;
mod non_integral;
mod peer_passes;
mod printers;
mod run;
mod text;
