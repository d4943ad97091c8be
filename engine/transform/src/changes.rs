//! Which blocks of a function changed since its loops were in form, so that only these need be examined again.
//!
//! A block has changed if its instructions changed, if its reachability changed, or if it is in other loops than
//! before. This is computed from the editor's block epochs and the two loop forests, so no edit of a pass is missed.
//! The cost is one visit per block, which is small compared with building the loop forest.

use crate::shape::Shape;
use backedge_analysis::LoopId;
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, EntityId, EntitySet, Inst};
use std::sync::Arc;

/// A state of a function in which all its loops were in form.
#[derive(Debug, Clone)]
pub(crate) struct Formed {
    /// The body epoch.
    pub(crate) epoch: u64,
    /// The shape.
    pub(crate) shape: Arc<Shape>,
}

/// The blocks that changed.
#[derive(Debug)]
pub(crate) struct Changes {
    blocks: Vec<Block>,
}

impl Changes {
    /// The blocks that changed between `before` and `body`, whose shape is `now`.
    pub(crate) fn since(before: &Formed, body: &Body, now: &Shape) -> Self {
        let old = &before.shape;
        let kept = kept_loops(old, now);
        let in_other_loops = |b: Block| match (old.loops.innermost(b), now.loops.innermost(b)) {
            (None, None) => false,
            (Some(was), Some(is)) => !kept[is.index()] || old.loops.header(was) != now.loops.header(is),
            (Some(_), None) | (None, Some(_)) => true,
        };
        let changed = |b: &Block| {
            body.has_changed_since(*b, before.epoch)
                || old.cfg.is_reachable(*b) != now.cfg.is_reachable(*b)
                || in_other_loops(*b)
        };
        Self { blocks: body.blocks().filter(changed).collect() }
    }
    /// Whether no block changed.
    pub(crate) fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }
    /// The loops that contain or adjoin a changed block, and all their ancestors, in pass order. Whether a loop is in
    /// simplify form depends on its blocks, their successors and the predecessors of those.
    pub(crate) fn loops(&self, shape: &Shape) -> Vec<LoopId> {
        let Shape { cfg, loops, .. } = shape;
        let mut near: EntitySet<Block> = self.blocks.iter().copied().collect();
        near.extend(self.blocks.iter().flat_map(|b| cfg.succs(*b)).copied());
        let before: Vec<Block> = near.iter().flat_map(|b| cfg.preds(b)).copied().collect();
        near.extend(before);
        let mut found = vec![false; loops.len()];
        for inner in near.iter().filter_map(|b| loops.innermost(b)) {
            for l in loops.ancestors(inner) {
                if std::mem::replace(&mut found[l.index()], true) {
                    break;
                }
            }
        }
        if !found.contains(&true) {
            return Vec::new();
        }
        loops.in_pass_order().into_iter().filter(|l| found[l.index()]).collect()
    }
    /// The instructions that may have new uses outside their loop: those in changed blocks, and the operands of those
    /// instructions and of phis on edges out of changed blocks.
    pub(crate) fn values(&self, body: &Body, shape: &Shape) -> EntitySet<Inst> {
        let mut found = EntitySet::new();
        let used = |inst: Inst| body.inst(inst).operands.iter().filter_map(|v| v.as_inst());
        for &block in &self.blocks {
            for &inst in body.insts(block) {
                found.insert(inst);
                found.extend(used(inst));
            }
            let phis = shape.cfg.succs(block).iter().flat_map(|b| body.phis(*b));
            found.extend(phis.flat_map(used));
        }
        found
    }
}

/// For each loop of `now`, whether it existed before with the same ancestors.
fn kept_loops(old: &Shape, now: &Shape) -> Vec<bool> {
    let mut kept: Vec<bool> = Vec::with_capacity(now.loops.len());
    // Loops come before those nested in them.
    for l in now.loops.ids() {
        let was = old.loops.with_header(now.loops.header(l));
        let parents = was.map(|was| (old.loops.parent(was), now.loops.parent(l)));
        kept.push(match parents {
            Some((None, None)) => true,
            Some((Some(was), Some(is))) => kept[is.index()] && old.loops.header(was) == now.loops.header(is),
            Some((Some(_), None) | (None, Some(_))) | None => false,
        });
    }
    kept
}
