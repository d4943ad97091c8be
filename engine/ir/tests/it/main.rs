//! Tests of the IR, linked as one program to link the crate only once.

mod aliases;
mod block_address;
mod common;
mod data_layout;
mod editor;
mod extract;
mod int;
mod int_text;
mod parse_errors;
mod parse_files;
mod parse_meaning;
mod print;
mod retype;
mod round_trip;
mod signature;
mod type_bounds;
mod verify;
mod verify_any;
mod verify_peer;
