//! The edit that rotates a loop, in numbered steps. The body may be invalid between steps; it is valid after the last
//! one.

use super::check::Facts;
use crate::clone::drop_scopes_declared_in;
use crate::fold::fold;
use crate::shape::Shape;
use crate::simplify::{constant_phis, fold_phis};
use crate::ssa::{Definitions, Reaching};
use crate::undef::pinned;
use backedge_analysis::frontier::IteratedFrontier;
use backedge_analysis::loops::use_block;
use backedge_analysis::{Cfg, Dominators, LoopForest, LoopId};
use backedge_ir::body::Body;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::inst::{InstData, InstKind, Use, Value};
use backedge_ir::int::Int;
use backedge_ir::metadata::MdKind;
use backedge_ir::module::Env;
use backedge_ir::types::Type;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The values of the header's instructions in the preheader.
type Copies = FxHashMap<Inst, Value>;

/// Rotates `l`; returns whether a guard remains. The caller restores the preheader and dedicated exits afterwards.
pub(super) fn apply(env: &Env, editor: &mut Editor<'_>, shape: &Shape, l: LoopId, facts: &Facts) -> bool {
    let then = editor.body().body_epoch();
    // Step 1: drop scopes that the header declares, which would differ in the copy.
    let scopes = drop_scopes_declared_in(env, editor, &[facts.header]);
    let mut copies = first_values(editor, facts);
    copy_header(editor, &shape.loops, l, facts, &scopes, &mut copies);
    let guarded = enter_by_guard(editor, facts, &copies);
    let rotated = shape.updated(editor.body(), then);
    repair_uses(editor, &rotated, &|block| shape.loops.contains(l, block), facts, &copies);
    fold_header_phis(editor, &shape.loops, facts);
    fold_settled_phis(editor, facts);
    join_latch(editor, facts);
    guarded
}

/// Step 2: the values of the header's phis on the edge from the preheader.
fn first_values(editor: &mut Editor<'_>, facts: &Facts) -> Copies {
    let phis: Vec<Inst> = editor.body().phis(facts.header).collect();
    let mut copies = Copies::default();
    for phi in phis {
        if let Some(value) = editor.body().incoming_from(phi, facts.preheader) {
            let value = pinned(editor, value, Position::BeforeTerminator(facts.preheader));
            copies.insert(phi, value);
        }
    }
    copies
}

/// Step 3: copies the header's instructions to the end of the preheader, or moves or folds them.
fn copy_header(
    editor: &mut Editor<'_>,
    loops: &LoopForest,
    l: LoopId,
    facts: &Facts,
    skip: &[Inst],
    copies: &mut Copies,
) {
    let insts: Vec<Inst> = editor.body().insts(facts.header).to_vec();
    for inst in insts {
        let data = editor.body().inst(inst);
        if data.kind.is_phi() || data.kind.is_terminator() || skip.contains(&inst) {
            continue;
        }
        let end = Position::BeforeTerminator(facts.preheader);
        if data.kind.is_pure() && loops.has_invariant_operands(editor.body(), l, inst) {
            editor.move_to(inst, end);
            continue;
        }
        let data = copied(data, copies);
        if let Some(value) = folded(editor, &data) {
            copies.insert(inst, value);
            continue;
        }
        let copy = editor.insert(end, data);
        if let Some(name) = editor.body().value_name(inst.into()).map(str::to_owned) {
            editor.set_name(copy, &name);
        }
        copies.insert(inst, copy.into());
    }
}

/// `data` with the header's values replaced by their copies in the preheader, without loop metadata and branch
/// weights.
fn copied(data: &InstData, copies: &Copies) -> InstData {
    let mut data = data.clone();
    for operand in &mut data.operands {
        if let Some(copy) = operand.as_inst().and_then(|i| copies.get(&i)) {
            *operand = *copy;
        }
    }
    let of_loop =
        |k: &MdKind| matches!(k, MdKind::Loop | MdKind::MemParallelLoopAccess | MdKind::AccessGroup);
    data.metadata.retain(|(kind, _)| !of_loop(kind) && *kind != MdKind::Prof);
    data
}

fn folded(editor: &mut Editor<'_>, data: &InstData) -> Option<Value> {
    let ints: Option<SmallVec<[Int; 3]>> = data.operands.iter().map(|v| editor.body().as_int(*v)).collect();
    let value = fold(&data.kind, data.ty, &ints?)?;
    Some(editor.int(value))
}

/// Step 4: the preheader ends in a copy of the header's branch, or in a branch into the loop if the copy has a known
/// outcome. The phis of both successors are updated.
fn enter_by_guard(editor: &mut Editor<'_>, facts: &Facts, copies: &Copies) -> bool {
    let Facts { header, preheader, new_header, exit, .. } = *facts;
    let Some(branch) = editor.body().terminator(header) else { return false };
    let guard = copied(editor.body().inst(branch), copies);
    let taken = editor.body().as_int(guard.operands[0]).map(|c| guard.blocks[usize::from(c.is_zero())]);
    let guarded = taken != Some(new_header);
    if guarded {
        editor.set_terminator(preheader, guard);
        add_edge_to_phis(editor, exit, facts, copies);
    } else {
        editor.set_terminator(preheader, InstData::new(InstKind::Br, Type::VOID, [], [new_header]));
    }
    add_edge_to_phis(editor, new_header, facts, copies);
    editor.remove_edge_from_phis(header, preheader);
    editor.retain_metadata(branch, |kind| *kind != MdKind::Prof && *kind != MdKind::Loop);
    guarded
}

/// Adds entries for the new edge from the preheader to the phis of `block`, a successor of the header.
fn add_edge_to_phis(editor: &mut Editor<'_>, block: Block, facts: &Facts, copies: &Copies) {
    let phis: Vec<Inst> = editor.body().phis(block).collect();
    for phi in phis {
        if let Some(value) = editor.body().incoming_from(phi, facts.header) {
            let value = value.as_inst().and_then(|i| copies.get(&i)).copied().unwrap_or(value);
            editor.add_incoming(phi, value, facts.preheader);
        }
    }
}

/// Step 5: rewrites other uses of the header's values, which preheader and header both define now. `inside` tells
/// whether a block is in the loop.
fn repair_uses(
    editor: &mut Editor<'_>,
    shape: &Shape,
    inside: &dyn Fn(Block) -> bool,
    facts: &Facts,
    copies: &Copies,
) {
    let (cfg, dominators): (&Cfg, &Dominators) = (&shape.cfg, &shape.dominators);
    let frontier = IteratedFrontier::new(cfg, dominators);
    let body = editor.body();
    let insts = body.insts(facts.header).iter();
    let all_inside =
        insts.flat_map(|i| body.code_uses((*i).into())).filter_map(|u| use_block(body, u)).all(inside);
    // All uses are in the loop, as in LCSSA form: the preheader dominates it, so joins after the loop are not needed.
    let joins = if all_inside {
        frontier.of_where(&[facts.header], inside)
    } else {
        frontier.of(&[facts.preheader, facts.header])
    };
    let joins: EntitySet<Block> = joins.into_iter().filter(|b| *b != facts.header).collect();
    let insts: Vec<Inst> = editor.body().insts(facts.header).to_vec();
    for inst in insts {
        let Some(&copy) = copies.get(&inst) else { continue };
        let value: Value = inst.into();
        let at_end = |block: Block| match block {
            b if b == facts.header => Some(value),
            b if b == facts.preheader => Some(copy),
            _ => None,
        };
        let definitions = Definitions { cfg, dominators, at_end: &at_end, joins: &joins };
        repair_uses_of(editor, inst, facts.header, definitions);
    }
}

fn repair_uses_of(editor: &mut Editor<'_>, inst: Inst, header: Block, definitions: Definitions<'_>) {
    let cfg = definitions.cfg;
    let elsewhere = |body: &Body, u: &Use| {
        use_block(body, *u).filter(|b| *b != header && cfg.is_reachable(*b)).map(|b| (*u, b))
    };
    let body = editor.body();
    let mut uses: Vec<(Use, Block)> =
        body.uses(inst.into()).iter().filter_map(|u| elsewhere(body, u)).collect();
    uses.sort_unstable();
    let name = body.value_name(inst.into()).map(str::to_owned);
    let mut reaching = Reaching::new(definitions, body.inst(inst).ty, name.as_deref());
    let is_record = |body: &Body, u: Use| matches!(body.inst(u.user).kind, InstKind::DebugRecord(_));
    for &(use_, block) in uses.iter().filter(|(u, _)| !is_record(editor.body(), *u)).collect::<Vec<_>>() {
        let new = if editor.body().inst(use_.user).kind.is_phi() {
            reaching.at_end(editor, block)
        } else {
            reaching.at_start(editor, block)
        };
        editor.set_operand(use_, new);
    }
    // Debug records do not justify a phi: without an existing value, the variable becomes unknown.
    for &(use_, block) in uses.iter().filter(|(u, _)| is_record(editor.body(), *u)).collect::<Vec<_>>() {
        let existing = reaching.existing_at_start(block);
        let new = existing.unwrap_or_else(|| editor.poison(editor.body().inst(inst).ty));
        editor.set_operand(use_, new);
    }
}

/// Step 6: the header has the latch as its only predecessor, so its phis equal their incoming values. In a nest whose
/// inner loop is not simplified, the value may be defined in the inner loop; then the phi is an LCSSA phi and stays.
fn fold_header_phis(editor: &mut Editor<'_>, loops: &LoopForest, facts: &Facts) {
    let phis: Vec<Inst> = editor.body().phis(facts.header).collect();
    for phi in phis {
        let body = editor.body();
        let Some(&value) = body.inst(phi).operands.first() else { continue };
        let defined_in = value.as_inst().and_then(|i| body.block_of(i)).and_then(|b| loops.innermost(b));
        if defined_in.is_some_and(|l| !loops.contains(l, facts.header)) {
            continue;
        }
        let value = pinned(editor, value, Position::AfterPhis(facts.header));
        editor.replace_uses(phi.into(), value);
        editor.remove(phi);
    }
}

/// Step 7: folds phis of the new header that never change their initial value. If the initial value may have been
/// `undef`, the old phi made one choice for all iterations; it is frozen before the loop by now.
fn fold_settled_phis(editor: &mut Editor<'_>, facts: &Facts) {
    loop {
        let phis = constant_phis(editor.body(), facts.new_header);
        if phis.is_empty() {
            break;
        }
        fold_phis(editor, &phis);
    }
}

/// Step 8: merges the header into the latch if the latch has no other successor, and moves the loop metadata to the
/// new latch's branch.
fn join_latch(editor: &mut Editor<'_>, facts: &Facts) {
    let Facts { header, latch, .. } = *facts;
    let Some(old) = editor.body().terminator(latch) else { return };
    let metadata = editor.body().inst(old).metadata_of(&MdKind::Loop).copied();
    editor.retain_metadata(old, |kind| *kind != MdKind::Loop);
    if let (Some(metadata), Some(branch)) = (metadata, editor.body().terminator(header)) {
        editor.set_metadata(branch, MdKind::Loop, metadata);
    }
    let only_way = matches!(editor.body().inst(old).kind, InstKind::Br);
    if !only_way || editor.body().is_pinned(header) || editor.body().phis(header).next().is_some() {
        return;
    }
    editor.remove(old);
    let insts: Vec<Inst> = editor.body().insts(header).to_vec();
    for inst in insts {
        editor.move_to(inst, Position::End(latch));
    }
    for successor in [facts.new_header, facts.exit] {
        editor.replace_phi_block(successor, header, latch);
    }
    editor.remove_block(header);
}
