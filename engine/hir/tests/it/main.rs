//! Tests of HIR as a single program, so that the crate is linked only once.

mod canon_laws;
mod canon_scev;
mod common;
mod ddg;
mod ddref;
mod debug_records;
mod hir_corpus;
mod lowered_trees;
mod nodes;
mod transform_files;
mod transform_texts;
mod transforms;
mod values_before;
