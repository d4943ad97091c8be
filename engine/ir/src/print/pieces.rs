//! Prints pieces of one function, for traces, remarks, findings and reports.
//!
//! Metadata nodes without a number are numbered as in a module, but starting with the printed piece.

use super::{Code, Printer};
use crate::body::{Body, Slots};
use crate::entity::{Block, Const, GlobalId, Inst};
use crate::inst::Value;
use crate::module::Env;

/// Prints pieces of one body. It numbers unnamed values once at construction, so it is valid only for the body at that
/// time.
#[derive(Debug)]
pub struct BodyPrinter<'a> {
    env: &'a Env,
    body: &'a Body,
    slots: Slots,
}

impl<'a> BodyPrinter<'a> {
    /// A printer for pieces of `body`. Linear in the body.
    pub fn new(env: &'a Env, body: &'a Body) -> Self {
        Self { env, body, slots: body.slots() }
    }
    /// The numbers of unnamed values.
    pub fn slots(&self) -> &Slots {
        &self.slots
    }
    fn print(&self, piece: impl FnOnce(&mut Printer<'_>, Code<'_>)) -> String {
        let mut out = String::new();
        piece(&mut Printer::new(self.env, &mut out), Code { body: self.body, slots: &self.slots });
        out
    }
    /// `%x = add i32 %a, 1`: the instruction without indentation.
    pub fn inst(&self, inst: Inst) -> String {
        let mut text = self.print(|p, code| p.inst(code, inst));
        text.drain(..text.len() - text.trim_start().len());
        text
    }
    /// `i32 %x`.
    pub fn value(&self, value: Value) -> String {
        self.print(|p, code| p.typed_value(code, value))
    }
    /// `%x`.
    pub fn operand(&self, value: Value) -> String {
        self.print(|p, code| p.value(code, value))
    }
    /// `%entry`.
    pub fn block(&self, block: Block) -> String {
        self.print(|p, code| p.block_ref(code, block))
    }
}

/// The instruction `inst` without indentation. Linear in the body; for many pieces use [`BodyPrinter`].
pub fn inst_to_string(env: &Env, body: &Body, inst: Inst) -> String {
    BodyPrinter::new(env, body).inst(inst)
}

/// `value` with its type: `i32 %x`. Linear in the body.
pub fn value_to_string(env: &Env, body: &Body, value: Value) -> String {
    BodyPrinter::new(env, body).value(value)
}

/// `value` without its type: `%x`. Linear in the body.
pub fn operand_to_string(env: &Env, body: &Body, value: Value) -> String {
    BodyPrinter::new(env, body).operand(value)
}

/// The name of `block` with its sigil: `%entry`. Linear in the body.
pub fn block_to_string(env: &Env, body: &Body, block: Block) -> String {
    BodyPrinter::new(env, body).block(block)
}

/// The initializer of the global variable `var` with its type; `None` for a declaration.
pub fn initializer_to_string(env: &Env, var: GlobalId) -> Option<String> {
    let init = env.vars[var].init?;
    let mut out = String::new();
    Printer::new(env, &mut out).typed_const(&env.consts, init);
    Some(out)
}

/// A constant of `body`, with its type.
pub fn body_constant_to_string(env: &Env, body: &Body, constant: Const) -> String {
    let mut out = String::new();
    Printer::new(env, &mut out).typed_const(body.consts(), constant);
    out
}

/// A constant of the environment, with its type.
pub fn constant_to_string(env: &Env, constant: Const) -> String {
    let mut out = String::new();
    Printer::new(env, &mut out).typed_const(&env.consts, constant);
    out
}
