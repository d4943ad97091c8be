//! Tests of the fuzzer, as one program: the crate is linked once for all of them.

mod campaign;
mod dependences;
mod dictionary;
mod forms;
mod generated;
mod mutation;
mod nests;
mod oracles;
mod smoke;
mod uniform;
