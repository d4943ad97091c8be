//! Growing steps, for when no other pass makes progress: each is applied, everything is tried again, and the step is
//! undone unless the outcome is smaller than before.

use super::super::edit::{position_after, stands};
use super::super::program::Program;
use super::super::search::{Edit, Search};
use super::arguments::added;
use super::optimize::by_passes;
use super::{on_body, shrink};
use backedge_ir::body::Body;
use backedge_ir::cfg::Cfg;
use backedge_ir::constant::ConstData;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{Block, FuncId, Inst};
use backedge_ir::inst::{InstData, InstKind, Use, Value};
use backedge_ir::types::Type;

/// Number of steps of each kind tried at a time: each is followed by a whole reduction.
const EACH: usize = 4;

/// Pipelines that may grow a module.
const GROWING: [&str; 4] = [
    "loop-simplify,lcssa",
    "loop(loop-peel<count=1>),instsimplify,simplifycfg",
    "loop-unroll",
    "simple-loop-unswitch<nontrivial>",
];

/// Tries the growing steps; returns whether one led to a smaller program.
pub(crate) fn grow(search: &mut Search<'_>) -> bool {
    for step in steps(search) {
        if search.is_over() {
            return false;
        }
        if search.by_growing(step, &shrink) {
            return true;
        }
    }
    false
}

fn steps(search: &Search<'_>) -> Vec<Edit> {
    let mut steps: Vec<Edit> = Vec::new();
    for (func, body) in search.best.program.module.bodies() {
        let cfg = Cfg::new(body);
        let shared = body.blocks().filter(|b| cfg.preds(*b).len() > 1 && body.successors(*b).is_empty());
        for block in shared.take(EACH) {
            steps.push(on_body(func, move |editor| split_end(editor, block)));
        }
        let twice = body.all_insts().filter(|i| is_copied(body, *i));
        for inst in twice.take(EACH) {
            steps.push(on_body(func, move |editor| copy_for_each_use(editor, inst)));
        }
    }
    for (func, body) in search.best.program.module.bodies() {
        let given = body.all_insts().filter(|i| constants(body, *i).next().is_some());
        for inst in given.take(EACH) {
            steps.push(Box::new(move |program: &mut Program| constants_to_arguments(program, func, &[inst])));
        }
        let insts: Vec<Inst> = body.all_insts().collect();
        steps.push(Box::new(move |program: &mut Program| constants_to_arguments(program, func, &insts)));
    }
    steps.extend(GROWING.iter().map(|text| by_passes(text)));
    steps
}

/// The constant operands of `inst` that could be arguments instead.
fn constants(body: &Body, inst: Inst) -> impl Iterator<Item = Use> + '_ {
    let fixed = matches!(body.inst(inst).kind, InstKind::Switch | InstKind::Alloca(_))
        || body.inst(inst).call().is_some();
    let operands = body.inst(inst).operands.iter().enumerate().filter(move |_| !fixed);
    operands.filter_map(move |(index, value)| {
        let plain = matches!(
            body.constant(value.as_const()?).data,
            ConstData::Int(_) | ConstData::Zero | ConstData::Float(_)
        );
        plain.then_some(Use { user: inst, index: index as u32 })
    })
}

/// Replaces each constant operand of `insts` with a new argument of `func`.
fn constants_to_arguments(program: &mut Program, func: FuncId, insts: &[Inst]) -> bool {
    let Some(body) = program.module.body(func) else { return false };
    let there = insts.iter().filter(|i| stands(body, **i));
    let uses: Vec<Use> = there.flat_map(|i| constants(body, *i)).collect();
    if uses.is_empty() {
        return false;
    }
    let types: Vec<Type> =
        uses.iter().map(|u| body.ty(body.inst(u.user).operands[u.index as usize])).collect();
    let Some(new) = added(program, func, &types) else { return false };
    let Some(body) = program.body_mut(func) else { return false };
    let mut editor = Editor::new(body);
    for (use_, arg) in uses.into_iter().zip(new) {
        editor.set_operand(use_, arg.into());
    }
    true
}

/// Duplicates `block`, at which the function ends, for each incoming edge.
fn split_end(editor: &mut Editor<'_>, block: Block) -> bool {
    let preds: Vec<Block> = Cfg::new(editor.body()).preds(block).to_vec();
    let mut changed = false;
    for &pred in preds.iter().skip(1) {
        if pred == preds[0] {
            continue;
        }
        let copy = editor.add_block_after(block, None);
        let mut values: Vec<(Inst, Value)> = Vec::new();
        for inst in editor.body().insts(block).to_vec() {
            let data = editor.body().inst(inst).clone();
            if data.kind.is_phi() {
                values.extend(editor.body().incoming_from(inst, pred).map(|v| (inst, v)));
                continue;
            }
            let new = |v: &Value| {
                let found = values.iter().find(|(i, _)| Some(*i) == v.as_inst());
                found.map_or(*v, |(_, value)| *value)
            };
            let operands: Vec<Value> = data.operands.iter().map(new).collect();
            let data = InstData { operands: operands.into(), ..data };
            let made = editor.insert(Position::End(copy), data);
            values.push((inst, made.into()));
        }
        let edges = editor.body().successors(pred).iter().filter(|s| **s == block).count();
        for _ in 0..edges {
            editor.remove_edge_from_phis(block, pred);
        }
        editor.redirect_edges(pred, block, copy);
        changed = true;
    }
    changed
}

/// Whether `inst` has several uses and is cheap to duplicate for each.
fn is_copied(body: &Body, inst: Inst) -> bool {
    use backedge_ir::inst::InstKind as K;
    let plain = matches!(
        body.inst(inst).kind,
        K::Binary(..) | K::Cast(..) | K::ICmp { .. } | K::Select(_) | K::Gep { .. } | K::FloatBinary(..)
    );
    plain && body.uses(inst.into()).len() > 1
}

fn copy_for_each_use(editor: &mut Editor<'_>, inst: Inst) -> bool {
    let mut uses = editor.body().uses(inst.into()).to_vec();
    uses.sort_unstable();
    for &use_ in uses.iter().skip(1) {
        let data = editor.body().inst(inst).clone();
        let Some(position) = position_after(editor.body(), inst) else { return false };
        let copy = editor.insert(position, data);
        editor.set_operand(use_, copy.into());
    }
    uses.len() > 1
}

#[cfg(test)]
mod tests {
    use super::GROWING;
    use backedge_pipeline::parse_pipeline;

    #[test]
    fn the_pipelines_can_be_read() {
        for text in GROWING {
            assert!(parse_pipeline(text).is_ok(), "{text}");
        }
    }
}
