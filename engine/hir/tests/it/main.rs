//! Tests of HIR, as one program: the crate is linked once for all of them.

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
