//! Iteration set splitting: a loop becomes two, of which the first makes a number of iterations that is known in front of
//! it. Runtime unrolling is built on it.

pub mod cut;
