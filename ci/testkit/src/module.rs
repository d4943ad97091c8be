//! Modules from text.

use backedge_ir::module::Module;
use backedge_ir::parse::read_module;

/// Parses and verifies a module.
///
/// # Panics
///
/// With the diagnostics and the text, if it is invalid.
pub fn module(text: &str) -> Module {
    read_module(text.as_bytes()).unwrap_or_else(|e| panic!("{e:?}\n{text}")).module
}
