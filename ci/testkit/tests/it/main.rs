//! Tests of what generates, finds and keeps test inputs, as one program: the crate is linked once for all of them.

mod generate;
mod kept;
mod tree;
