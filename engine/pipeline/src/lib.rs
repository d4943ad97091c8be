//! Pass registry by LLVM's names, the -passes= syntax, instrumented runs.
