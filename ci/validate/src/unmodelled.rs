//! What a function relies on that the engines take for something else: where null may be accessed, or a symbol may be
//! null, both are wrong in either way; and code that other code than the module's goes on from.

use crate::check::Side;
use backedge_ir::attr::FlagAttr;
use backedge_ir::body::Body;
use backedge_ir::constant::{ConstData, GlobalRef};
use backedge_ir::inst::InstKind;
use backedge_ir::module::{Env, Linkage};

/// Intrinsics whose failing goes on in another version of the function, which may also be asked for where nothing failed.
const DEOPTIMIZING: [&str; 2] = ["llvm.experimental.guard", "llvm.experimental.widenable.condition"];

/// What a function relies on that the engines take for something else, if it does.
pub(crate) fn unmodelled(side: Side<'_>) -> Option<&'static str> {
    let body = side.module.body(side.func)?;
    let env = &side.module.env;
    if env.has_attr(&env.funcs[side.func].attrs, FlagAttr::NullPointerIsValid) {
        return Some("`null_pointer_is_valid`");
    }
    let weak = |linkage| linkage == Linkage::ExternWeak;
    let may_be_null = body.consts().iter().any(|(_, c)| match c.data {
        ConstData::Global(GlobalRef::Var(id)) => weak(env.vars[id].linkage),
        ConstData::Global(GlobalRef::Func(id)) => weak(env.funcs[id].linkage),
        _ => false,
    });
    if may_be_null {
        return Some("`extern_weak`: a symbol that may be null");
    }
    if body.consts().iter().any(|(_, c)| match c.data {
        ConstData::Global(GlobalRef::Func(id)) => DEOPTIMIZING.contains(&&*env.funcs[id].name),
        _ => false,
    }) {
        return Some(
            "guards and widenable conditions, which may leave the function wherever it likes to go on elsewhere",
        );
    }
    (has_odd_null(body) && accesses_odd_space(env, body))
        .then_some("null and accesses in another address space than 0, where memory may lie at null")
}

/// Whether null of an address space in which it may be an address like any other is named.
fn has_odd_null(body: &Body) -> bool {
    body.consts().iter().any(|(_, c)| c.data == ConstData::Zero && c.ty.ptr_space().is_some_and(|s| s != 0))
}

/// Whether an access may go to such an address space.
fn accesses_odd_space(env: &Env, body: &Body) -> bool {
    body.all_insts().any(|inst| {
        let data = body.inst(inst);
        matches!(
            data.kind,
            InstKind::Load(_)
                | InstKind::Store(_)
                | InstKind::AtomicRmw(..)
                | InstKind::CmpXchg(_)
                | InstKind::Call(_)
                | InstKind::Invoke(_)
        ) && data.operands.iter().any(|v| env.types.scalar(body.ty(*v)).ptr_space().is_some_and(|s| s != 0))
    })
}
