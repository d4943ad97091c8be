//! Detects recursive functions, and whether a call on the recursive path may be speculated.
//!
//! Reachability is derived from the text of everything that a function names, directly or not: bodies, initializers of
//! variables, aliases. An indirect call, or unmodelled code, may reach anything. A declared function may reach a
//! function whose address it can have got from the module; it is assumed not to reach the function by name.

use crate::callees::Obstacle;
use crate::pair::Side;
use crate::pair::call_graph::reached;
use backedge_ir::attr::FlagAttr;
use backedge_ir::body::Body;
use backedge_ir::constant::{ConstData, GlobalRef};
use backedge_ir::entity::{Const, FuncId};
use backedge_ir::inst::{CallView, Value};
use backedge_ir::module::{Code, Function, Module, TopLevel};
use backedge_ir::print::{Locals, select};
use std::cell::LazyCell;
use std::sync::Arc;

/// Whether the function reaches itself through the names in `reached`.
pub(crate) fn comes_back(of: Side<'_>, reached: &[Arc<str>]) -> bool {
    names(of.module, of.func, of.func)
        || functions(of.module, reached).any(|func| func != of.func && may_reach(of.module, func, of.func))
}

/// Why a target is not judged, seen from its original module: `cut` is the extracted target. Only the whole module
/// shows where else the address of a function escapes.
pub(crate) fn speculated_in_module(source: Side<'_>, target: Side<'_>, cut: Side<'_>) -> Option<Obstacle> {
    let speculates = |body: &Body| {
        calls(body).any(|call| {
            let callee = body.called_function(call.callee());
            is_speculatable(cut.module, call, callee)
                && callee.is_none_or(|callee| !is_intrinsic(cut.module, callee))
        })
    };
    let apart = !std::ptr::eq(source.module, target.module);
    let any = apart && cut.module.bodies().any(|(_, body)| speculates(body));
    any.then(|| speculated(target, &reached(target))).flatten()
}

/// A speculatable callee, or a callee of a speculatable call, in the function or in the functions of `reached`, that
/// may call the function again.
pub(crate) fn speculated(of: Side<'_>, reached: &[Arc<str>]) -> Option<Obstacle> {
    let module = of.module;
    let escapes = LazyCell::new(|| address_escapes(module, of.func));
    for caller in functions(module, reached).chain([of.func]) {
        let Some(body) = module.body(caller) else { continue };
        for call in calls(body) {
            let callee = body.called_function(call.callee());
            if !is_speculatable(module, call, callee) {
                continue;
            }
            match callee {
                Some(callee) if is_intrinsic(module, callee) => {}
                Some(callee) => {
                    let itself = callee == of.func || may_reach(module, callee, of.func);
                    let unseen = unseen(module, callee);
                    if itself || unseen == Unseen::Any || unseen == Unseen::Declared && *escapes {
                        return Some(Obstacle::Speculated(format!("@{}", module.env.funcs[callee].name)));
                    }
                }
                None => return Some(Obstacle::Speculated("a pointer".to_owned())),
            }
        }
    }
    None
}

fn is_speculatable(module: &Module, call: CallView<'_>, callee: Option<FuncId>) -> bool {
    let env = &module.env;
    let has = |list| env.has_attr(list, FlagAttr::Speculatable);
    has(&call.info.fn_attrs) || callee.is_some_and(|callee| has(&env.funcs[callee].attrs))
}

fn is_intrinsic(module: &Module, func: FuncId) -> bool {
    module.env.funcs[func].name.starts_with("llvm.")
}

fn calls(body: &Body) -> impl Iterator<Item = CallView<'_>> {
    body.all_insts().filter_map(|inst| body.inst(inst).call())
}

/// The functions among these names.
fn functions<'a>(module: &'a Module, names: &'a [Arc<str>]) -> impl Iterator<Item = FuncId> + 'a {
    names.iter().filter_map(|name| module.env.func_named(name))
}

/// Whether `from` names `to`, directly or not.
fn may_reach(module: &Module, from: FuncId, to: FuncId) -> bool {
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
enum Unseen {
    Nothing,
    /// Callees of functions that are only declared.
    Declared,
    /// Any function: targets of indirect calls, or callees of unmodelled code.
    Any,
}

fn unseen(module: &Module, func: FuncId) -> Unseen {
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
fn address_escapes(module: &Module, func: FuncId) -> bool {
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
