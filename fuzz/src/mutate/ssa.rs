//! Repairs uses that their definitions no longer dominate. Such a use gets the reaching definition; on paths that
//! bypass the definition it gets a value that is available at the entry. Phis merge the two.

use super::work::{Graph, Work};
use backedge_analysis::frontier::IteratedFrontier;
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::inst::{InstKind, Use, Value};
use backedge_ir::types::Type;
use backedge_transform::ssa::{Definitions, Reaching};
use std::collections::BTreeMap;

/// Repairs all uses.
pub(super) fn mend(work: &mut Work<'_, '_, '_>) {
    work.refresh();
    let graph = work.graph.clone();
    for (def, uses) in wrong(work.body(), &graph) {
        let ty = work.body().inst(def).ty;
        let Some(initial) = initial(work, ty) else { continue };
        let Some(block) = work.body().block_of(def) else { continue };
        if work.body().inst(def).kind.is_terminator() || Some(block) == work.body().entry() {
            uses.into_iter().for_each(|u| work.editor.set_operand(u, initial));
        } else {
            reach(work, &[(block, def.into())], Some(initial), &uses);
        }
    }
}

/// The non-dominated uses, by definition.
fn wrong(body: &Body, graph: &Graph) -> BTreeMap<Inst, Vec<Use>> {
    let mut found: BTreeMap<Inst, Vec<Use>> = BTreeMap::new();
    for user in body.all_insts() {
        let data = body.inst(user);
        if matches!(data.kind, InstKind::DebugRecord(_)) {
            continue;
        }
        for (index, operand) in data.operands.iter().enumerate() {
            let use_ = Use { user, index: index as u32 };
            if let Value::Inst(def) = *operand
                && !graph.dominators.dominates_use(body, *operand, use_)
            {
                found.entry(def).or_default().push(use_);
            }
        }
    }
    found
}

/// A value of type `ty` that is available at the entry: an argument, a constant, undef or poison.
fn initial(work: &mut Work<'_, '_, '_>, ty: Type) -> Option<Value> {
    let body = work.body();
    let args: Vec<Value> = body.args().map(Value::from).filter(|a| body.ty(*a) == ty).collect();
    match work.draw.below(4) {
        0 | 1 => work.one_of(&args).or_else(|| work.constant(ty)),
        2 => work.constant(ty),
        _ if work.draw.bool() => Some(work.editor.poison(ty)),
        _ => Some(work.editor.consts().undef(ty).into()),
    }
}

/// Rewrites each of `uses` to the reaching definition among `defs`, which are available at the end of their blocks,
/// or to `initial` where none reaches.
pub(super) fn reach(
    work: &mut Work<'_, '_, '_>,
    defs: &[(Block, Value)],
    initial: Option<Value>,
    uses: &[Use],
) {
    let graph = work.graph.clone();
    let (Some(entry), Some((_, first))) = (work.body().entry(), defs.first()) else { return };
    let ty = work.body().ty(*first);
    let mut all = defs.to_vec();
    if let Some(initial) = initial {
        all.push((entry, initial));
    }
    let blocks: Vec<Block> = all.iter().map(|(b, _)| *b).collect();
    let frontier = IteratedFrontier::new(&graph.cfg, &graph.dominators);
    let joins: EntitySet<Block> = frontier.of(&blocks).into_iter().collect();
    let at_end = |block: Block| all.iter().find(|(b, _)| *b == block).map(|(_, v)| *v);
    let definitions =
        Definitions { cfg: &graph.cfg, dominators: &graph.dominators, at_end: &at_end, joins: &joins };
    let mut reaching = Reaching::new(definitions, ty, None);
    for &use_ in uses {
        let data = work.body().inst(use_.user);
        let from = data.blocks.get(use_.index as usize).copied().filter(|_| data.kind.is_phi());
        let value = match (from, work.body().block_of(use_.user)) {
            (Some(from), _) => reaching.at_end(&mut work.editor, from),
            (None, Some(block)) => reaching.at_start(&mut work.editor, block),
            (None, None) => continue,
        };
        work.editor.set_operand(use_, value);
    }
}
