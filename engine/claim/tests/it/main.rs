//! Tests of claims and their text, as one program: the crate is linked once for all of them.

mod llvm;
mod text;
