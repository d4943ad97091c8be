//! Removes code that became unreachable.

use backedge_analysis::{Cfg, Dominators, LoopForest};
use backedge_ir::editor::Editor;
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::inst::{InstData, InstKind};
use backedge_ir::types::Type;
use smallvec::SmallVec;

/// Removes blocks that became unreachable since `before`, or that were created since and are unreachable, and the
/// blocks that lead to them. A block whose address is taken stays, but ends in `unreachable`.
pub(super) fn remove_dead(editor: &mut Editor<'_>, before: &Cfg, made: &EntitySet<Block>) {
    let body = editor.body();
    let cfg = Cfg::new(body);
    let was_live = |b: &Block| made.contains(*b) || before.is_reachable(*b);
    let mut dead: Vec<Block> = body.blocks().filter(|b| !cfg.is_reachable(*b)).collect();
    let mut goes: EntitySet<Block> = dead.iter().copied().filter(was_live).collect();
    // No reachable block leads to an unreachable one, so these predecessors are unreachable too.
    let mut work: Vec<Block> = goes.iter().collect();
    while let Some(block) = work.pop() {
        work.extend(cfg.preds(block).iter().copied().filter(|pred| goes.insert(*pred)));
    }
    dead.retain(|b| goes.contains(*b));
    for &block in &dead {
        let successors: SmallVec<[Block; 4]> = editor.body().successors(block).into();
        for successor in successors {
            editor.remove_edge_from_phis(successor, block);
        }
    }
    for &block in &dead {
        if editor.body().is_pinned(block) {
            keep_pinned(editor, block);
        } else {
            editor.remove_block(block);
        }
    }
}

/// Ends a pinned block in `unreachable`; its phis without entries become poison.
fn keep_pinned(editor: &mut Editor<'_>, block: Block) {
    editor.set_terminator(block, InstData::new(InstKind::Unreachable, Type::VOID, [], []));
    let phis: Vec<Inst> = editor.body().phis(block).collect();
    for phi in phis {
        if editor.body().inst(phi).operands.is_empty() {
            editor.remove(phi);
        }
    }
}

/// Replaces single-entry phis of `blocks`, unless this would break LCSSA form.
pub(super) fn fold_single_phis(editor: &mut Editor<'_>, blocks: &[Block]) {
    let cfg = Cfg::new(editor.body());
    let dominators = Dominators::new(editor.body(), &cfg);
    let loops = LoopForest::new(&cfg, &dominators);
    for &block in blocks {
        if !editor.body().has_block(block) {
            continue;
        }
        let phis: Vec<Inst> = editor.body().phis(block).collect();
        for phi in phis {
            let body = editor.body();
            let [value] = *body.inst(phi).operands else { continue };
            let of = value.as_inst().and_then(|i| body.block_of(i)).and_then(|b| loops.innermost(b));
            let closes = of.is_some_and(|l| !loops.contains(l, block));
            if !closes && value != phi.into() && !crate::undef::has_undef(body, value) {
                editor.replace_uses(phi.into(), value);
                editor.remove(phi);
            }
        }
    }
}
