//! Copies a block with several predecessors for one of them, as peeling and jump threading do.

use super::ssa;
use super::work::Work;
use backedge_ir::editor::Position;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{InstData, InstKind, Use, Value};
use backedge_ir::types::{Type, TypeKind};
use rustc_hash::FxHashMap;

pub(super) fn run(work: &mut Work<'_, '_, '_>) -> Option<()> {
    let graph = work.graph.clone();
    let blocks = graph.cfg.rpo().iter().copied();
    let several =
        |b: &Block| matches!(graph.cfg.preds(*b), [first, rest @ ..] if rest.iter().any(|p| p != first));
    let several: Vec<Block> = blocks.filter(|b| several(b) && work.may_be_target(*b)).collect();
    let block = work.one_of(&several)?;
    let preds: Vec<Block> =
        graph.cfg.preds(block).iter().copied().filter(|p| graph.cfg.is_reachable(*p)).collect();
    let pred = work.one_of(&preds)?;
    let results = copy(work, block, pred)?;
    work.refresh();
    for (old, new) in results {
        let copied = work.body().block_of(new)?;
        let elsewhere: Vec<Use> = {
            let body = work.body();
            let outside = |u: &Use| {
                let at = body.block_of(u.user);
                body.inst(u.user).kind.is_phi() || (at != Some(block) && at != Some(copied))
            };
            body.uses(old.into()).iter().copied().filter(outside).collect()
        };
        ssa::reach(work, &[(block, old.into()), (copied, new.into())], None, &elsewhere);
    }
    Some(())
}

/// Copies `block` and redirects the edge from `pred` to the copy. Returns the pairs of duplicated results.
fn copy(work: &mut Work<'_, '_, '_>, block: Block, pred: Block) -> Option<Vec<(Inst, Inst)>> {
    let copy = work.editor.add_block_after(pred, Some("copy"));
    let mut values: FxHashMap<Value, Value> = FxHashMap::default();
    let mut results = Vec::new();
    for inst in work.body().insts(block).to_vec() {
        let data = work.body().inst(inst).clone();
        if data.kind.is_phi() {
            // The copied phi has a single entry, so that its result is duplicated too.
            let value = work.body().incoming_from(inst, pred)?;
            let phi = InstData::new(data.kind, data.ty, [value], [pred]);
            let new = work.editor.insert(Position::End(copy), phi);
            values.insert(inst.into(), new.into());
            results.push((inst, new));
            continue;
        }
        if matches!(data.kind, InstKind::DebugRecord(_)) || data.ty.kind() == TypeKind::Token {
            continue;
        }
        let operands = data.operands.iter().map(|v| *values.get(v).unwrap_or(v)).collect();
        let ty = data.ty;
        let new = work.editor.insert(Position::End(copy), InstData { operands, ..data });
        if ty != Type::VOID {
            values.insert(inst.into(), new.into());
            results.push((inst, new));
        }
    }
    for target in work.body().successors(copy).to_vec() {
        for phi in work.body().phis(target).collect::<Vec<_>>() {
            let value = work.body().incoming_from(phi, block)?;
            let value = *values.get(&value).unwrap_or(&value);
            work.editor.add_incoming(phi, value, copy);
        }
    }
    let edges = work.body().successors(pred).iter().filter(|s| **s == block).count();
    for _ in 0..edges {
        work.editor.remove_edge_from_phis(block, pred);
    }
    for phi in work.body().phis(copy).collect::<Vec<_>>() {
        let value = work.body().inst(phi).operands[0];
        (1..edges).for_each(|_| work.editor.add_incoming(phi, value, pred));
    }
    work.editor.redirect_edges(pred, block, copy);
    Some(results)
}
