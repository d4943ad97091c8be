//! The printer: emits LLVM assembly in the spelling of LLVM 22, so that `llvm-as` accepts it and text written by LLVM
//! round-trips with few changes.
//!
//! - Top-level items keep the order of the source text ([`crate::module::Env::order`]); items not in that order
//!   (created later) follow at the end.
//! - Metadata nodes keep their numbers. Nodes without one get numbers larger than all others, in order of first use.
//! - The output depends only on the module, and parsing and printing the output reproduces it.
//! - Functions that are not modelled are printed as their original text.
//! - No input causes a panic: missing operands, removed blocks and the like print as `<…>`, for messages about a broken
//!   body.
//!
//! Everything is written into one `String`; see [`Printer`]. [`BodyPrinter`] prints pieces of one function, for traces,
//! remarks and findings.
//!
//! Conventions shared with the parser for text kept as spelled: `Function::suffix` and `Function::prefix_words` are
//! printed with spaces between the words; `GlobalVar::suffix` is printed with `, ` in between, except for `#n` and
//! string attributes, which come last; `Alias::text`, `TopLevel::Text` and `TopLevel::CarriedVar` are printed
//! unchanged.

mod attributes;
mod calls;
mod constants;
mod extract;
mod float;
mod functions;
mod globals;
mod instructions;
mod metadata;
mod module;
mod names;
mod pieces;
mod types;

pub use extract::{Extracted, Locals, extract, select};
pub use names::{write_global_name, write_local_name};
pub use pieces::{
    BodyPrinter, block_to_string, body_constant_to_string, constant_to_string, initializer_to_string,
    inst_to_string, operand_to_string, value_to_string,
};

use crate::body::{Body, Slots};
use crate::entity::FuncId;
use crate::inst::CallView;
use crate::module::{Env, Module};
use crate::types::{Type, TypeTable};
use metadata::MdNumbers;

/// The text of `module`.
pub fn module_to_string(module: &Module) -> String {
    let mut out = String::new();
    write_module(module, &mut out);
    out
}

/// Appends the text of `module` to `out`.
pub fn write_module(module: &Module, out: &mut String) {
    let mut printer = Printer::new(&module.env, out);
    printer.module(module);
}

/// The text of `func`: its definition or declaration, without the metadata nodes that it refers to.
pub fn function_to_string(module: &Module, func: FuncId) -> String {
    let mut out = String::new();
    let mut printer = Printer::new(&module.env, &mut out);
    printer.function(func, module.code.get(func));
    out
}

/// The types of a call that its callee does not imply: the types of the variadic arguments, and also the call's
/// function type if it differs from the callee's. Empty if there are none.
pub fn call_types_to_string(env: &Env, body: &Body, call: CallView<'_>) -> String {
    let fn_ty = call.info.fn_ty;
    let types = &env.types;
    let named = types.signature(fn_ty).map_or(0, |(_, params, _)| params.len());
    let more = call.args().iter().skip(named);
    let more = more.map(|v| type_to_string(types, body.ty(*v))).collect::<Vec<_>>().join(", ");
    match body.called_function(call.callee()) {
        Some(func) if env.funcs[func].ty != fn_ty => format!("as {} {more}", type_to_string(types, fn_ty)),
        _ => more,
    }
}

/// The spelling of `ty`.
pub fn type_to_string(types: &TypeTable, ty: Type) -> String {
    let mut out = String::new();
    types::write_type(&mut out, types, ty);
    out
}

/// The state of the printer: the output, and the numbers assigned to metadata nodes without one.
struct Printer<'a> {
    env: &'a Env,
    out: &'a mut String,
    md: MdNumbers,
}

impl<'a> Printer<'a> {
    fn new(env: &'a Env, out: &'a mut String) -> Self {
        Self { env, out, md: MdNumbers::default() }
    }
    fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }
    fn ty(&mut self, ty: Type) {
        types::write_type(self.out, &self.env.types, ty);
    }
    fn number(&mut self, number: u64) {
        names::write_number(self.out, number);
    }
}

/// A body with the numbers of its unnamed values.
#[derive(Copy, Clone)]
struct Code<'b> {
    body: &'b Body,
    slots: &'b Slots,
}
