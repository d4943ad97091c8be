//! Exposed addresses: those of globals that constants convert to integers, and those that conversions turn into used
//! integers.
//!
//! `ptrtoint` exposes its operand's object, also in a constant expression. A constant expression has no place in the
//! run, so its global counts as exposed from the start. This is the reading under which more runs are defined.

use backedge_ir::body::Body;
use backedge_ir::constant::{ConstData, ConstOp, ConstPool, GlobalRef};
use backedge_ir::entity::{Const, GlobalId, Inst};
use backedge_ir::inst::CastOp;
use backedge_ir::module::{Env, Module};
use rustc_hash::FxHashSet;

/// The global variables that a constant of `module` exposes.
pub(super) fn exposed(module: &Module) -> FxHashSet<GlobalId> {
    let of_module = &module.env.consts;
    let mut found = in_pool(&module.env, of_module);
    for (_, body) in module.bodies() {
        found.extend(in_pool(&module.env, body.consts()));
    }
    found
}

/// The global variables that a constant of `pool` exposes.
fn in_pool(env: &Env, pool: &ConstPool) -> FxHashSet<GlobalId> {
    let mut found = FxHashSet::default();
    // Aliases refer to the module's constants; the flag says which pool a constant is in.
    let mut seen = FxHashSet::default();
    let mut pending: Vec<(bool, Const)> = Vec::new();
    for (_, constant) in pool.iter() {
        if let ConstData::Expr(expr) = &constant.data
            && expr.op == ConstOp::Cast(CastOp::PtrToInt)
        {
            pending.extend(expr.operands.iter().map(|o| (false, *o)));
        }
    }
    while let Some((of_module, id)) = pending.pop() {
        if !seen.insert((of_module, id)) {
            continue;
        }
        match &if of_module { &env.consts } else { pool }.get(id).data {
            ConstData::Expr(expr) => pending.extend(expr.operands.iter().map(|o| (of_module, *o))),
            ConstData::Aggregate(members) => pending.extend(members.iter().map(|m| (of_module, *m))),
            ConstData::Splat(elem) => pending.push((of_module, *elem)),
            ConstData::Global(GlobalRef::Var(id)) => {
                found.insert(*id);
            }
            ConstData::Global(GlobalRef::Alias(id)) => {
                pending.extend(env.aliases[*id].target.map(|target| (true, target)));
            }
            ConstData::Global(GlobalRef::Func(_))
            | ConstData::Int(_)
            | ConstData::Float(_)
            | ConstData::Zero
            | ConstData::Undef
            | ConstData::Poison
            | ConstData::Bytes(_)
            | ConstData::BlockAddress(_)
            | ConstData::Metadata(_) => {}
        }
    }
    found
}

/// Limit on instructions followed to find a use: bounds the time for one result, which counts as seen beyond it.
const MAX_USERS: usize = 64;

/// Whether only unused pure instructions depend on the result of `inst`.
pub(super) fn is_unseen(body: &Body, inst: Inst) -> bool {
    let (mut work, mut seen) = (vec![inst], vec![inst]);
    while let Some(inst) = work.pop() {
        for user in body.uses(inst.into()).iter().map(|u| u.user) {
            if !body.inst(user).kind.is_pure() || seen.len() >= MAX_USERS {
                return false;
            }
            if !seen.contains(&user) {
                seen.push(user);
                work.push(user);
            }
        }
    }
    true
}
