//! The command line, run as a user runs it, as one program: the crate is linked once for all of them.

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
