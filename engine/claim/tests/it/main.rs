//! Tests of claims and their text, linked as one program to link the crate only once.

mod llvm;
mod text;
