//! Tests of the fuzzer, in one binary, so that the crate is linked only once.

mod campaign;
mod dependences;
mod dictionary;
mod forms;
mod generated;
mod layers;
mod lists;
mod mutation;
mod nests;
mod oracles;
mod smoke;
mod uniform;
