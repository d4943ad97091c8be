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
use backedge_ir::inst::InstKind;
use backedge_ir::metadata::MdKind;
use backedge_ir::module::{Env, Linkage, Module};

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
    /// The function is not called while it is running.
    NoRecurse,
}

impl Promise {
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Tbaa => "`!tbaa`",
            Self::AliasScope => "`!alias.scope` or `!noalias`",
            Self::Invariant => "`!invariant.load` or `!invariant.group`",
            Self::ParallelAccess => "`!llvm.access.group`",
            Self::NoRecurse => "`norecurse`",
        }
    }
}

/// The promises of a function that neither engine knows, each once, in order.
pub(crate) fn promises(side: Side<'_>) -> Vec<Promise> {
    let Some(body) = side.module.body(side.func) else { return Vec::new() };
    let env = &side.module.env;
    let mut found = Vec::new();
    if env.has_attr(&env.funcs[side.func].attrs, FlagAttr::NoRecurse) && names(side.module, side.func) {
        found.push(Promise::NoRecurse);
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

/// Whether a function, or one that it names, names it: it may call itself. The interpreter knows what that is worth, the
/// solver takes such calls for unknown.
fn names(module: &Module, func: FuncId) -> bool {
    let (mut seen, mut work) = (Vec::new(), vec![func]);
    while let Some(from) = work.pop() {
        for (_, constant) in module.body(from).into_iter().flat_map(|b| b.consts().iter()) {
            let ConstData::Global(GlobalRef::Func(to)) = constant.data else { continue };
            if to == func {
                return true;
            }
            if !seen.contains(&to) {
                seen.push(to);
                work.push(to);
            }
        }
    }
    false
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
