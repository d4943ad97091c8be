//! Tests of the comparisons with LLVM, as one program: the crate is linked once for all of them.

mod kernels;
mod nests;
mod passes;
mod proofs;
mod roundtrip;
mod speed;
mod vectors;
