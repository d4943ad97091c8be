//! The IR: entities, types, integers, instructions, the editor, builder, verifier, data layout, parser and printer.
//! This crate knows nothing about passes or solvers.
//!
//! - [`module::Module`] = [`module::Env`] (types, globals, function headers, metadata) + the code of each function.
//! - [`body::Body`] is the code of one function; [`editor::Editor`] is its only writer.
//! - [`inst::InstKind`] documents the operands and blocks of each instruction.
//!
//! ```
//! use backedge_ir::inst::InstKind;
//! use backedge_ir::parse::parse_module;
//! use backedge_ir::print::module_to_string;
//!
//! let text = "define i8 @twice(i8 %x) {\n  %y = add nuw i8 %x, %x\n  ret i8 %y\n}\n";
//! let module = parse_module(text.as_bytes())?.module;
//! let twice = module.env.func_named("twice").unwrap();
//! let body = module.body(twice).unwrap();
//! let sums = body.all_insts().filter(|inst| matches!(body.inst(*inst).kind, InstKind::Binary(..)));
//! assert_eq!(sums.count(), 1);
//! assert!(module_to_string(&module).contains("%y = add nuw i8 %x, %x"));
//! # Ok::<(), backedge_ir::parse::ParseError>(())
//! ```

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
pub mod flags;
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
