//! Tests of the command line as users run it, as one program, so that the crate is linked only once.

mod bisect;
mod cache;
mod common;
mod debug_info;
mod external;
mod fuzz;
mod gate;
mod hir;
mod hostile;
mod ideas;
mod llvm_tests;
mod metadata;
mod opt_flags;
mod output;
mod readme;
mod recheck;
mod reduce;
mod remarks;
mod reproducer;
mod scev;
mod stubs;
mod terminal;
mod trace;
mod usage;
mod vplan;
mod workers;
