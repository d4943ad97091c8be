//! Tests of the analyses, as one program, so that the crate is linked once.

mod alias;
mod cache;
mod claims;
mod common;
mod concrete;
mod dominance;
mod exhaustive;
mod forms;
mod known_bits;
mod llvm_files;
mod loop_definition;
mod peer_analyses;
mod peer_generated;
mod range_laws;
mod ranges;
mod special;
mod text_forms;
mod updated;
