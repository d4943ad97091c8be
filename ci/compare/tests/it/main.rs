//! Tests of the comparisons with LLVM in one test program, so that the crate is linked only once.

mod kernels;
mod nests;
mod passes;
mod proofs;
mod roundtrip;
mod speed;
mod vectors;
