//! What a function says that neither engine knows, so that verdicts on it would claim too much.
//!
//! Metadata and attributes such as `!tbaa` make runs undefined that the interpreter and the solver take for defined. In
//! a source they may excuse what looks like a failure; in a target that has more of them than its source they may be
//! the failure. Where null may be accessed, or a symbol may be null, both engines are wrong in either way.

use crate::check::Side;
use backedge_ir::attr::FlagAttr;
use backedge_ir::body::Body;
use backedge_ir::constant::{ConstData, GlobalRef};
use backedge_ir::entity::FuncId;
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::metadata::MdKind;
use backedge_ir::module::Linkage;

/// A promise that makes a run undefined if it is broken.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Promise {
    /// Accesses of different types do not alias.
    Tbaa,
    /// Accesses of different scopes do not alias.
    AliasScope,
    /// The memory that is loaded from never changes.
    Invariant,
    /// Iterations of a loop do not depend on each other through memory.
    ParallelAccess,
    /// The function returns one of its parameters.
    Returned,
}

impl Promise {
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Tbaa => "`!tbaa`",
            Self::AliasScope => "`!alias.scope` or `!noalias`",
            Self::Invariant => "`!invariant.load` or `!invariant.group`",
            Self::ParallelAccess => "`!llvm.access.group`",
            Self::Returned => "`returned`",
        }
    }
}

/// The promises of a function that neither engine knows, each once, in order.
pub(crate) fn promises(side: Side<'_>) -> Vec<Promise> {
    let Some(body) = side.module.body(side.func) else { return Vec::new() };
    let env = &side.module.env;
    let mut found = Vec::new();
    let called = body.consts().iter().filter_map(|(_, c)| match c.data {
        ConstData::Global(GlobalRef::Func(id)) if side.module.body(id).is_some() => Some(id),
        _ => None,
    });
    let returns_one =
        |f: FuncId| env.funcs[f].param_attrs.iter().any(|list| env.has_attr(list, FlagAttr::Returned));
    if called.chain([side.func]).any(returns_one) {
        found.push(Promise::Returned);
    }
    let mut types = Vec::new();
    for inst in body.all_insts() {
        for (kind, node) in &body.inst(inst).metadata {
            match kind {
                // Accesses of one type may alias.
                MdKind::Tbaa | MdKind::TbaaStruct => {
                    types.push(*node);
                    if types[0] != *node {
                        found.push(Promise::Tbaa);
                    }
                }
                MdKind::AliasScope | MdKind::NoAlias => found.push(Promise::AliasScope),
                MdKind::InvariantLoad | MdKind::InvariantGroup => found.push(Promise::Invariant),
                MdKind::AccessGroup | MdKind::MemParallelLoopAccess => found.push(Promise::ParallelAccess),
                _ => {}
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

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
    accesses_odd_null(body).then_some("an access at null in another address space than 0")
}

/// Whether an access names the null pointer of an address space in which it may be an address like any other.
fn accesses_odd_null(body: &Body) -> bool {
    body.all_insts().any(|inst| {
        let data = body.inst(inst);
        matches!(
            data.kind,
            InstKind::Load(_) | InstKind::Store(_) | InstKind::AtomicRmw(..) | InstKind::CmpXchg(_)
        ) && data.operands.iter().any(|operand| match operand {
            Value::Const(c) => {
                let constant = body.constant(*c);
                constant.data == ConstData::Zero && constant.ty.ptr_space().is_some_and(|s| s != 0)
            }
            Value::Inst(_) | Value::Arg(_) => false,
        })
    })
}
