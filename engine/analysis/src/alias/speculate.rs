//! Preconditions for speculative loads, beyond the memory being dereferenceable at some earlier time: the function must
//! permit added loads, and the memory must not have been freed since.

use super::object::{Object, underlying_objects};
use crate::cache::At;
use crate::effects::effects_of_call;
use crate::must_execute::{call_has, called_intrinsic};
use backedge_ir::attr::FlagAttr;
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::inst::Value;
use backedge_ir::intrinsic::Intrinsic;

/// Function attributes that forbid speculative loads.
const NO_SPECULATION: [FlagAttr; 5] = [
    FlagAttr::SanitizeAddress,
    FlagAttr::SanitizeHwAddress,
    FlagAttr::SanitizeMemTag,
    FlagAttr::SanitizeThread,
    FlagAttr::SpeculativeLoadHardening,
];

/// Whether the function forbids speculative loads, or is unknown.
pub fn suppresses_speculation(at: At<'_>) -> bool {
    let attrs = at.func.map(|f| &at.env.funcs[f].attrs);
    attrs.is_none_or(|a| NO_SPECULATION.iter().any(|flag| at.env.has_attr(a, *flag)))
}

/// Whether memory that was readable at function entry, or at its allocation, may have been freed before the end of
/// `block`.
pub fn may_be_freed_before(at: At<'_>, ptr: Value, block: Block) -> bool {
    let Some(objects) = underlying_objects(at, ptr) else { return true };
    objects.iter().any(|object| match object {
        Object::Global(_) => false,
        Object::Alloca(_) => restores_stack(at),
        _ => something_may_free_before(at, block),
    })
}

fn something_may_free_before(at: At<'_>, block: Block) -> bool {
    let At { env, body, .. } = at;
    let may_free = |i: &Inst| {
        body.inst(*i).call().is_some_and(|call| {
            called_intrinsic(env, body, call).is_none()
                && effects_of_call(env, body, call).any().writes
                && !call_has(env, body, call, FlagAttr::NoFree)
        })
    };
    let cfg = at.cfg();
    let mut seen = EntitySet::new();
    let mut work = vec![block];
    while let Some(block) = work.pop() {
        if seen.insert(block) {
            if body.insts(block).iter().any(may_free) {
                return true;
            }
            work.extend(cfg.preds(block));
        }
    }
    false
}

fn restores_stack(at: At<'_>) -> bool {
    let At { env, body, .. } = at;
    let restores = |i: Inst| {
        let intrinsic = body.inst(i).call().and_then(|c| called_intrinsic(env, body, c));
        intrinsic == Some(Intrinsic::StackRestore)
    };
    body.all_insts().any(restores)
}
