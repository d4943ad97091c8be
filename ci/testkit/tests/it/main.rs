//! Tests of the test support, as one program, so that the crate is linked only once.

mod corpus;
mod cycles;
mod generate;
mod imports;
mod kept;
mod tree;
