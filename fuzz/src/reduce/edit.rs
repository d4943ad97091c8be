//! Edits shared by reduction passes and mutators: removing and redirecting edges, replacing results, and cleaning up
//! afterwards. No edit preserves the behavior of the code; all of them leave phis that match their edges.

use backedge_ir::body::Body;
use backedge_ir::cfg::Cfg;
use backedge_ir::dominators::Dominators;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::inst::{CastFlags, CastOp, InstData, InstKind, Use, Value};
use backedge_ir::module::Env;
use backedge_ir::signature;
use backedge_ir::types::Type;

/// The zero value of a type.
pub(crate) fn zero(editor: &mut Editor<'_>, ty: Type) -> Option<Value> {
    let zero = signature::zero(ty)?;
    Some(editor.constant(zero).into())
}

/// Whether `inst` is still in `body`.
pub(crate) fn stands(body: &Body, inst: Inst) -> bool {
    use backedge_ir::entity::EntityId;
    inst.index() < body.inst_capacity() && body.block_of(inst).is_some()
}

/// The operands of all instructions except debug records.
pub(crate) fn operands(body: &Body) -> impl Iterator<Item = (Use, Value)> + '_ {
    let insts = body.all_insts().filter(|i| !matches!(body.inst(*i).kind, InstKind::DebugRecord(_)));
    insts.flat_map(|inst| {
        let numbered = body.inst(inst).operands.iter().enumerate();
        numbered.map(move |(index, operand)| (Use { user: inst, index: index as u32 }, *operand))
    })
}

/// Replaces the terminator of `block` with a branch to `target`, one of its successors.
pub(crate) fn branch_to(editor: &mut Editor<'_>, block: Block, target: Block) -> bool {
    let Some(old) = editor.body().terminator(block) else { return false };
    let successors: Vec<Block> = editor.body().successors(block).to_vec();
    if !successors.contains(&target) {
        return false;
    }
    let mut kept = false;
    for successor in successors {
        if successor == target && !kept {
            kept = true;
        } else {
            editor.remove_edge_from_phis(successor, block);
        }
    }
    forget_result(editor, old);
    editor.set_terminator(block, InstData::new(InstKind::Br, Type::VOID, [], [target]));
    true
}

/// Redirects the edge at `index` of the terminator of `block` to `target`. The phis of `target` get their values for
/// `like`, one of its predecessors; if such a value is a phi of the old target, they get that phi's incoming value
/// for the edge instead.
pub(crate) fn redirect(
    editor: &mut Editor<'_>,
    (block, index): (Block, usize),
    target: Block,
    like: Block,
) -> bool {
    let Some(terminator) = editor.body().terminator(block) else { return false };
    let Some(&old) = editor.body().successors(block).get(index) else { return false };
    if old == target {
        return false;
    }
    let phis: Vec<Inst> = editor.body().phis(target).collect();
    for phi in phis {
        let body = editor.body();
        let through = |value: Value| {
            let phi =
                value.as_inst().filter(|i| body.inst(*i).kind.is_phi() && body.block_of(*i) == Some(old));
            phi.and_then(|phi| body.incoming_from(phi, block)).unwrap_or(value)
        };
        let value = body.incoming_from(phi, block).or_else(|| body.incoming_from(phi, like).map(through));
        let Some(value) = value else { return false };
        editor.add_incoming(phi, value, block);
    }
    editor.remove_edge_from_phis(old, block);
    editor.set_successor(terminator, index, target);
    true
}

/// Replaces the terminator of `block` with a return of `value`, or of zero.
pub(crate) fn return_from(editor: &mut Editor<'_>, block: Block, ret: Type, value: Option<Value>) -> bool {
    let Some(old) = editor.body().terminator(block) else { return false };
    let value = match value {
        None if ret == Type::VOID => None,
        None => match zero(editor, ret) {
            Some(zero) => Some(zero),
            None => return false,
        },
        some => some,
    };
    let successors: Vec<Block> = editor.body().successors(block).to_vec();
    for successor in successors {
        editor.remove_edge_from_phis(successor, block);
    }
    forget_result(editor, old);
    editor.set_terminator(block, InstData::new(InstKind::Ret, Type::VOID, value, []));
    true
}

/// Replaces the result of `inst` with zero, if it has uses.
pub(crate) fn forget_result(editor: &mut Editor<'_>, inst: Inst) {
    if editor.body().uses(inst.into()).is_empty() {
        return;
    }
    let ty = editor.body().inst(inst).ty;
    if let Some(zero) = zero(editor, ty) {
        editor.replace_uses(inst.into(), zero);
    }
}

/// Removes `inst`, which is not a terminator; its users get `value`.
pub(crate) fn replace(editor: &mut Editor<'_>, inst: Inst, value: Option<Value>) -> bool {
    if editor.body().inst(inst).kind.is_terminator() || value == Some(inst.into()) {
        return false;
    }
    if !editor.body().uses(inst.into()).is_empty() {
        let Some(value) = value.filter(|v| editor.body().ty(*v) == editor.body().inst(inst).ty) else {
            return false;
        };
        editor.replace_uses(inst.into(), value);
    }
    editor.remove(inst);
    true
}

/// Removes the edge at `index` of the terminator of `block`, if another edge remains.
pub(crate) fn remove_edge(editor: &mut Editor<'_>, block: Block, index: usize) -> bool {
    let Some(terminator) = editor.body().terminator(block) else { return false };
    let data = editor.body().inst(terminator).clone();
    let Some(&target) = data.blocks.get(index) else { return false };
    match data.kind {
        InstKind::CondBr => branch_to(editor, block, data.blocks[1 - index]),
        InstKind::Switch if data.blocks.len() == 1 => false,
        InstKind::Switch => {
            let mut new = data;
            // If the default edge is removed, the first case becomes the default.
            let case = if index == 0 { 1 } else { index };
            if index == 0 {
                new.blocks[0] = new.blocks[1];
            }
            new.blocks.remove(case);
            new.operands.remove(case);
            editor.remove_edge_from_phis(target, block);
            editor.set_terminator(block, new);
            true
        }
        InstKind::Invoke(_) if index == 1 => branch_to(editor, block, data.blocks[0]),
        _ => false,
    }
}

/// The blocks that are unreachable from the entry, except those whose address is taken.
pub(crate) fn unreachable(body: &Body) -> Vec<Block> {
    let cfg = Cfg::new(body);
    body.blocks().filter(|b| !cfg.is_reachable(*b) && !body.is_pinned(*b)).collect()
}

/// Removes unreachable blocks; returns whether there were any.
pub(crate) fn remove_unreachable(editor: &mut Editor<'_>) -> bool {
    let gone = unreachable(editor.body());
    let is_any = !gone.is_empty();
    remove_blocks(editor, gone);
    is_any
}

/// Removes blocks without other predecessors. Users of their results elsewhere get zero.
pub(crate) fn remove_blocks(editor: &mut Editor<'_>, gone: Vec<Block>) {
    let set: EntitySet<Block> = gone.iter().copied().collect();
    for &block in &gone {
        let successors: Vec<Block> = editor.body().successors(block).to_vec();
        for successor in successors.into_iter().filter(|s| !set.contains(*s)) {
            editor.remove_edge_from_phis(successor, block);
        }
        let insts = editor.body().insts(block).to_vec();
        for inst in insts {
            forget_result(editor, inst);
        }
    }
    for block in gone {
        editor.remove_block(block);
    }
}

/// Replaces each use that its definition does not dominate with zero.
pub(crate) fn repair_dominance(body: &mut Body) {
    let cfg = Cfg::new(body);
    let dominators = Dominators::new(body, &cfg);
    let mut wrong: Vec<(Use, Type)> = Vec::new();
    for inst in body.all_insts() {
        let data = body.inst(inst);
        for (index, operand) in data.operands.iter().enumerate() {
            let use_ = Use { user: inst, index: index as u32 };
            if matches!(operand, Value::Inst(_)) && !dominators.dominates_use(body, *operand, use_) {
                wrong.push((use_, body.ty(*operand)));
            }
        }
    }
    let mut editor = Editor::new(body);
    for (use_, ty) in wrong {
        if let Some(zero) = zero(&mut editor, ty) {
            editor.set_operand(use_, zero);
        }
    }
}

/// Whether removing `inst` loses nothing except its result.
pub(crate) fn is_pure(env: &Env, body: &Body, inst: Inst) -> bool {
    let data = body.inst(inst);
    match &data.kind {
        InstKind::Phi(_) | InstKind::Alloca(_) => true,
        InstKind::Load(access) => !access.volatile && access.ordering.is_none(),
        // Among calls, only computing intrinsics count, recognized by a result and the lack of pointers.
        InstKind::Call(_) => is_computation(env, body, inst),
        kind => kind.is_pure(),
    }
}

fn is_computation(env: &Env, body: &Body, inst: Inst) -> bool {
    let data = body.inst(inst);
    let Some(call) = data.call() else { return false };
    let Some(func) = body.called_function(call.callee()) else { return false };
    let touches = |v: &Value| body.ty(*v).is_ptr() || body.ty(*v) == Type::METADATA;
    env.funcs[func].intrinsic.is_some() && data.ty != Type::VOID && !call.args().iter().any(touches)
}

/// Removes dead instructions and then their operands that become dead, except those that `keep` accepts.
pub(crate) fn remove_dead(env: &Env, body: &mut Body, keep: &dyn Fn(Inst) -> bool) {
    let mut pending: Vec<Inst> = body.all_insts().collect();
    while let Some(inst) = pending.pop() {
        let is_dead = stands(body, inst)
            && body.uses(inst.into()).is_empty()
            && is_pure(env, body, inst)
            && !keep(inst);
        // A phi that only feeds itself is dead too.
        let is_circle = stands(body, inst) && is_circle(env, body, inst) && !keep(inst);
        if is_dead || is_circle {
            let operands = body.inst(inst).operands.clone();
            if is_circle {
                let ty = body.inst(inst).ty;
                let mut editor = Editor::new(body);
                match zero(&mut editor, ty) {
                    Some(zero) => editor.replace_uses(inst.into(), zero),
                    None => continue,
                }
            }
            Editor::new(body).remove(inst);
            pending.extend(operands.iter().filter_map(|v| v.as_inst()).filter(|i| *i != inst));
        }
    }
}

/// Whether `inst` is a phi whose only user is a pure instruction that only the phi uses, such as an unused counter.
pub(crate) fn is_circle(env: &Env, body: &Body, inst: Inst) -> bool {
    if !body.inst(inst).kind.is_phi() {
        return false;
    }
    let [first, rest @ ..] = body.uses(inst.into()) else { return false };
    let next = first.user;
    if rest.iter().any(|u| u.user != next) {
        return false;
    }
    next == inst
        || is_pure(env, body, next)
            && !body.uses(next.into()).is_empty()
            && body.uses(next.into()).iter().all(|u| u.user == inst)
}

/// The position after `inst`, which is after all phis if `inst` is a phi.
pub(crate) fn position_after(body: &Body, inst: Inst) -> Option<Position> {
    let block = body.block_of(inst)?;
    Some(if body.inst(inst).kind.is_phi() { Position::AfterPhis(block) } else { Position::After(inst) })
}

/// The only predecessor of `block`.
fn only_pred(body: &Body, block: Block) -> Option<Block> {
    match Cfg::new(body).preds(block) {
        [pred] if *pred != block => Some(*pred),
        _ => None,
    }
}

/// Merges `block` into its only predecessor, if that has no other successor.
pub(crate) fn merge(editor: &mut Editor<'_>, block: Block) -> bool {
    let body = editor.body();
    let Some(pred) = only_pred(body, block) else { return false };
    let Some(branch) = body.terminator(pred) else { return false };
    if body.inst(branch).kind != InstKind::Br || Some(block) == body.entry() || body.is_pinned(block) {
        return false;
    }
    let phis: Vec<Inst> = body.phis(block).collect();
    for phi in phis {
        let value = editor.body().inst(phi).operands.first().copied();
        let Some(value) = value.filter(|v| *v != phi.into()) else { return false };
        if !editor.body().uses(phi.into()).is_empty() {
            editor.replace_uses(phi.into(), value);
        }
        editor.remove(phi);
    }
    editor.remove(branch);
    for inst in editor.body().insts(block).to_vec() {
        editor.move_to(inst, Position::End(pred));
    }
    for successor in editor.body().successors(pred).to_vec() {
        editor.replace_phi_block(successor, block, pred);
    }
    editor.remove_block(block);
    true
}

/// Adapts a cast to a changed operand or result type, or removes it.
pub(crate) fn repair_cast(editor: &mut Editor<'_>, cast: Inst) {
    let data = editor.body().inst(cast).clone();
    let InstKind::Cast(op, flags) = data.kind else { return };
    let operand = data.operands[0];
    let (Some(from), Some(to)) = (editor.body().ty(operand).int_bits(), data.ty.int_bits()) else { return };
    match (from.cmp(&to), op) {
        (std::cmp::Ordering::Equal, _) => {
            if operand == cast.into() {
                return;
            }
            if !editor.body().uses(cast.into()).is_empty() {
                editor.replace_uses(cast.into(), operand);
            }
            editor.remove(cast);
        }
        (std::cmp::Ordering::Less, CastOp::Trunc) => {
            editor.set_kind(cast, InstKind::Cast(CastOp::ZExt, CastFlags::default()));
        }
        (std::cmp::Ordering::Greater, CastOp::ZExt | CastOp::SExt) => {
            editor.set_kind(cast, InstKind::Cast(CastOp::Trunc, CastFlags::default()));
        }
        _ => editor.set_kind(cast, InstKind::Cast(op, flags)),
    }
}
