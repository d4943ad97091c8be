//! Globals at linker-assigned absolute addresses: `!absolute_symbol` (LangRef, "'absolute_symbol' Metadata"). Such an
//! address lies in a range, may be null, and may equal another object's address. The engines model none of this, so
//! they judge only functions that use the address for accesses or pass it to calls.

use crate::pair::Side;
use crate::pair::call_graph::reached;
use backedge_ir::attr::{Attr, AttrList, FlagAttr, IntAttr};
use backedge_ir::body::Body;
use backedge_ir::constant::{ConstData, ConstOp};
use backedge_ir::entity::{FuncId, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::metadata::{MdKind, MdRef};
use backedge_ir::module::{Env, Module};
use backedge_ir::opcode::CastOp;
use std::sync::Arc;

/// An absolute symbol that the function reaches, if reachable code inspects addresses.
pub(crate) fn looked_at(side: Side<'_>) -> Option<Arc<str>> {
    let module = side.module;
    let env = &module.env;
    let mut symbols = absolute_symbols(env).peekable();
    symbols.peek()?;
    let names = reached(side);
    let symbol = symbols.find(|name| names.contains(name))?.clone();
    let callees = names.iter().filter_map(|name| env.func_named(name));
    let looks = std::iter::once(side.func).chain(callees).any(|func| looks_at_addresses(module, func));
    looks.then_some(symbol)
}

fn absolute_symbols(env: &Env) -> impl Iterator<Item = &Arc<str>> {
    let is_absolute =
        |metadata: &[(MdKind, MdRef)]| metadata.iter().any(|(kind, _)| kind.name() == "absolute_symbol");
    let vars = env.vars.values().filter(move |var| is_absolute(&var.metadata)).map(|var| &var.name);
    let funcs = env.funcs.values().filter(move |func| is_absolute(&func.metadata)).map(|func| &func.name);
    vars.chain(funcs)
}

/// Whether a function compares pointers, converts them to integers, stores them where they may be read as integers, or
/// has attributes that restrict their addresses.
fn looks_at_addresses(module: &Module, func: FuncId) -> bool {
    let Some(body) = module.body(func) else { return false };
    let env = &module.env;
    let is_number = |op: CastOp| matches!(op, CastOp::PtrToInt | CastOp::PtrToAddr);
    let in_constants = body.consts().iter().any(|(_, c)| match &c.data {
        ConstData::Expr(e) => match e.op {
            ConstOp::Cast(op) => is_number(op),
            ConstOp::Gep { .. } | ConstOp::Binary(..) => false,
        },
        _ => false,
    });
    let of_result = restricts(env, &env.funcs[func].ret_attrs);
    in_constants
        || of_result
        || names_variables(env)
        || body.all_insts().any(|inst| {
            let data = body.inst(inst);
            let is_pointer = |value: &Value| env.types.holds_pointer(body.ty(*value));
            match data.kind {
                InstKind::ICmp { .. } => data.operands.iter().any(is_pointer),
                InstKind::Cast(op, _) => is_number(op),
                InstKind::Store(_) => is_pointer(&data.operands[0]),
                InstKind::AtomicRmw(..) | InstKind::CmpXchg(_) => data.operands[1..].iter().any(is_pointer),
                InstKind::Load(_) => data.metadata.iter().any(|(kind, _)| {
                    matches!(
                        kind,
                        MdKind::NonNull
                            | MdKind::Align
                            | MdKind::Dereferenceable
                            | MdKind::DereferenceableOrNull
                    )
                }),
                InstKind::Call(_) | InstKind::Invoke(_) | InstKind::CallBr(_) => {
                    call_restricts(env, body, inst)
                }
                _ => false,
            }
        })
}

/// Whether the initializer of some variable contains the address of a global.
fn names_variables(env: &Env) -> bool {
    env.consts.iter().any(|(_, c)| matches!(c.data, ConstData::Global(_) | ConstData::Expr(_)))
}

/// Whether attributes turn pointers into poison depending on their addresses.
fn restricts(env: &Env, list: &AttrList) -> bool {
    env.attrs(list).any(|attr| {
        matches!(
            attr,
            Attr::Flag(FlagAttr::NonNull)
                | Attr::Int(IntAttr::Align | IntAttr::Dereferenceable | IntAttr::DereferenceableOrNull, _)
        )
    })
}

/// Whether the attributes of a call or its callee do so.
fn call_restricts(env: &Env, body: &Body, inst: Inst) -> bool {
    let Some(view) = body.inst(inst).call() else { return false };
    let callee = body.called_function(view.callee()).map(|func| &env.funcs[func]);
    let of_callee =
        callee.into_iter().flat_map(|header| header.param_attrs.iter().chain([&header.ret_attrs]));
    let mut lists = view.info.arg_attrs.iter().chain([&view.info.ret_attrs]).chain(of_callee);
    lists.any(|list| restricts(env, list)) || !view.info.bundles.is_empty()
}
