//! The functions that a function may call or name, directly or not.
//!
//! Reachability is derived from the text of everything that a function names, directly or not: bodies, initializers of
//! variables, aliases. An indirect call, or unmodelled code, may reach anything. A declared function may reach a
//! function whose address it can have got from the module; it is assumed not to reach the function by name.

use super::Side;
use backedge_ir::body::Body;
use backedge_ir::constant::{ConstData, GlobalRef};
use backedge_ir::entity::{Const, FuncId};
use backedge_ir::inst::{CallView, Value};
use backedge_ir::module::{Code, Function, Module, TopLevel};
use backedge_ir::print::{Locals, extract, select};
use std::sync::Arc;

/// The names of all globals that the function reaches.
pub(crate) fn reached(side: Side<'_>) -> Vec<Arc<str>> {
    extract(side.module, side.func, &[], Locals::Numbered).globals
}

/// Whether the function reaches itself through the names in `reached`.
pub(crate) fn comes_back(of: Side<'_>, reached: &[Arc<str>]) -> bool {
    names(of.module, of.func, of.func)
        || functions(of.module, reached).any(|func| func != of.func && may_reach(of.module, func, of.func))
}

/// Whether the function is an intrinsic.
pub(crate) fn is_intrinsic(module: &Module, func: FuncId) -> bool {
    module.env.funcs[func].name.starts_with("llvm.")
}

/// The calls of a body.
pub(crate) fn calls(body: &Body) -> impl Iterator<Item = CallView<'_>> {
    body.all_insts().filter_map(|inst| body.inst(inst).call())
}

/// The functions among these names.
pub(crate) fn functions<'a>(module: &'a Module, names: &'a [Arc<str>]) -> impl Iterator<Item = FuncId> + 'a {
    names.iter().filter_map(|name| module.env.func_named(name))
}

/// Whether `from` names `to`, directly or not.
pub(crate) fn may_reach(module: &Module, from: FuncId, to: FuncId) -> bool {
    let name = &module.env.funcs[to].name;
    if from == to { names(module, from, to) } else { reached(Side { module, func: from }).contains(name) }
}

/// Whether the code of `from` itself names `to`.
fn names(module: &Module, from: FuncId, to: FuncId) -> bool {
    match &module.code[from] {
        Code::Declaration => false,
        Code::Body(body) => body.names(to),
        // The text always contains the function's own name once.
        Code::Opaque(code) => {
            code.text.matches(&*module.env.funcs[to].name).count() > usize::from(from == to)
        }
    }
}

/// Callees of a function that it does not name.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Unseen {
    Nothing,
    /// Callees of functions that are only declared.
    Declared,
    /// Any function: targets of indirect calls, or callees of unmodelled code.
    Any,
}

/// The kind of callees, of the function and of all that it reaches, that no code names.
pub(crate) fn unseen(module: &Module, func: FuncId) -> Unseen {
    let names = reached(Side { module, func });
    let of = |func: FuncId| match &module.code[func] {
        Code::Declaration if is_intrinsic(module, func) => Unseen::Nothing,
        Code::Declaration => Unseen::Declared,
        Code::Opaque(_) => Unseen::Any,
        Code::Body(body) if calls(body).any(|call| body.called_function(call.callee()).is_none()) => {
            Unseen::Any
        }
        Code::Body(_) => Unseen::Nothing,
    };
    functions(module, &names).chain([func]).map(of).max().unwrap_or(Unseen::Nothing)
}

/// Whether the address of `func` is used other than to call it.
pub(crate) fn address_escapes(module: &Module, func: FuncId) -> bool {
    let kept = select(module, Locals::Numbered, &|item| {
        matches!(item, TopLevel::Var(_) | TopLevel::CarriedVar(..) | TopLevel::Alias(_))
    });
    let name = &module.env.funcs[func].name;
    let asm = |item: &TopLevel| match item {
        TopLevel::Text(text) => text.starts_with("module asm") && text.contains(&**name),
        _ => false,
    };
    // Prefix and prologue data, personalities.
    let header = |header: &Function| header.suffix.iter().any(|text| text.contains(&format!("@{name}")));
    kept.globals.contains(name)
        || module.env.order.iter().any(asm)
        || module.env.funcs.values().any(header)
        || module.code.iter().any(|(own, code)| match code {
            Code::Declaration => false,
            Code::Opaque(_) => names(module, own, func),
            Code::Body(body) => names(module, own, func) && is_operand(body, func),
        })
}

/// Whether the function is an operand of an instruction, or part of one, other than as the callee.
fn is_operand(body: &Body, func: FuncId) -> bool {
    body.all_insts().any(|inst| {
        let data = body.inst(inst);
        let called = data.call().and_then(|call| body.called_function(call.callee()));
        let operands = match called {
            Some(_) => &data.operands[..data.operands.len() - 1],
            None => &data.operands[..],
        };
        operands.iter().any(|operand| matches!(operand, Value::Const(c) if is_part(body, *c, func)))
    })
}

/// Whether a constant contains the function's address.
fn is_part(body: &Body, constant: Const, func: FuncId) -> bool {
    let any = |parts: &[Const]| parts.iter().any(|part| is_part(body, *part, func));
    match &body.constant(constant).data {
        ConstData::Global(GlobalRef::Func(f)) => *f == func,
        ConstData::Aggregate(parts) => any(parts),
        ConstData::Splat(part) => is_part(body, *part, func),
        ConstData::Expr(expr) => any(&expr.operands),
        _ => false,
    }
}
