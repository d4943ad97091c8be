//! The language: entities, types, integers, instructions, the one editor, builder, verifier, data layout, parse, print.

pub mod int;
