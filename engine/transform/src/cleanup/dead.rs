//! Dead instructions: no side effect, and no needed result.
//!
//! Guarantees: removing them is a refinement (it only removes UB). Debug records do not keep a value alive; they
//! refer to poison afterwards.

use backedge_analysis::effects::effects_of_call;
use backedge_analysis::must_execute::{call_ends, called_intrinsic};
use backedge_ir::body::Body;
use backedge_ir::editor::Editor;
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::inst::{AtomicOrdering, InstKind, MemAccess, TailKind};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::module::Env;

/// Whether `inst` can be removed if its result is unused.
pub fn is_removable(env: &Env, body: &Body, inst: Inst) -> bool {
    let data = body.inst(inst);
    let quiet = |access: &MemAccess| {
        !access.volatile && matches!(access.ordering, None | Some(AtomicOrdering::Unordered))
    };
    match &data.kind {
        InstKind::Load(access) => quiet(access),
        InstKind::Call(info) => {
            info.tail != TailKind::MustTail
                && data.call().is_some_and(|call| {
                    let intrinsic = called_intrinsic(env, body, call);
                    let args = call.args();
                    let holds =
                        |i: usize| args.get(i).and_then(|v| body.as_int(*v)).is_some_and(|c| !c.is_zero());
                    match intrinsic {
                        Some(Intrinsic::Assume) => holds(0) && call.info.bundles.is_empty(),
                        Some(Intrinsic::DoNothing) => true,
                        _ => {
                            call_ends(env, body, call).1
                                && call.info.bundles.is_empty()
                                && !effects_of_call(env, body, call).any().writes
                        }
                    }
                })
        }
        InstKind::Phi(_) | InstKind::Alloca(_) => true,
        kind => kind.is_pure(),
    }
}

/// Whether only debug records use the result of `inst`, and it can be removed.
pub fn is_dead(env: &Env, body: &Body, inst: Inst) -> bool {
    body.code_uses(inst.into()).next().is_none() && is_removable(env, body, inst)
}

/// Removes all dead instructions of `blocks`, including cycles of phis; returns their number. Linear in the removable
/// instructions and their operands and users.
pub fn remove_dead(env: &Env, editor: &mut Editor<'_>, blocks: &[Block]) -> usize {
    let dead = find_dead(env, editor.body(), blocks);
    if !dead.is_empty() {
        editor.remove_all(&dead);
    }
    dead.len()
}

/// Removes the dead instructions of `insts`, and transitively their operands that become dead.
pub(crate) fn remove_unneeded(env: &Env, editor: &mut Editor<'_>, insts: Vec<Inst>) {
    let mut work = insts;
    while let Some(inst) = work.pop() {
        let body = editor.body();
        if body.block_of(inst).is_some() && is_dead(env, body, inst) {
            work.extend(body.inst(inst).operands.iter().filter_map(|v| v.as_inst()));
            editor.remove(inst);
        }
    }
}

/// The removable instructions of `blocks` that no other instruction needs, users before operands where possible.
fn find_dead(env: &Env, body: &Body, blocks: &[Block]) -> Vec<Inst> {
    let candidates: Vec<Inst> = blocks
        .iter()
        .flat_map(|b| body.insts(*b).iter().copied())
        .filter(|i| is_removable(env, body, *i))
        .collect();
    let suspects: EntitySet<Inst> = candidates.iter().copied().collect();
    // Instructions that stay keep their operands live, transitively.
    let mut live: EntitySet<Inst> = EntitySet::new();
    let mut work: Vec<Inst> = Vec::new();
    for &inst in &candidates {
        if body.code_uses(inst.into()).any(|u| !suspects.contains(u.user)) && live.insert(inst) {
            work.push(inst);
        }
    }
    while let Some(inst) = work.pop() {
        for operand in body.inst(inst).operands.iter().filter_map(|v| v.as_inst()) {
            if suspects.contains(operand) && live.insert(operand) {
                work.push(operand);
            }
        }
    }
    candidates.into_iter().rev().filter(|i| !live.contains(*i)).collect()
}
