//! The IR: entities, types, integers, instructions, the editor, builder, verifier, data layout, parser and printer.
//! This crate knows nothing about passes or solvers.
//!
//! - [`module::Module`] = [`module::Env`] (types, globals, function headers, metadata) + the code of each function.
//! - [`body::Body`] is the code of one function; [`editor::Editor`] is its only writer.
//! - [`inst::InstKind`] documents the operands and blocks of each instruction.

#![warn(clippy::wildcard_enum_match_arm)]

pub mod attr;
pub mod body;
pub mod builder;
pub mod cfg;
pub mod constant;
pub mod data_layout;
pub mod dominators;
pub mod editor;
pub mod entity;
pub mod idom;
pub mod inline_asm;
pub mod inst;
pub mod int;
pub mod intrinsic;
pub mod loop_options;
pub mod meaning;
pub mod metadata;
pub mod module;
pub mod opcode;
pub mod parse;
pub mod print;
pub mod retype;
pub mod signature;
pub mod types;
pub mod verify;
