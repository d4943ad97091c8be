//! Tests of the transforms, as one program, so that the crate is linked only once.

mod cleanup;
mod common;
mod cse;
mod deletion;
mod fold_laws;
mod idiom;
mod licm;
mod peer_random;
mod pinned;
mod random;
mod reasons;
mod restore;
mod unswitch;
