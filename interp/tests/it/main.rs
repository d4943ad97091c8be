//! Tests of the interpreter as one program, so that the crate is linked only once.

mod chains;
mod claims;
mod claims_llvm;
mod divergence;
mod exhaustive;
mod external_globals;
mod fixed;
mod floats;
mod folding;
mod forms;
mod interface;
mod intrinsics;
mod lli;
mod llvm_executable;
mod llvm_files;
mod machine;
mod noalias;
mod refinement;
mod semantics;
mod stubs;
mod support;
mod trace;
mod trace_data;
mod trace_forms;
mod ub_suite;
