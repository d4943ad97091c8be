//! A nest of the tree, with maps from its code to its nodes, bounds and strides.

use backedge_analysis::LoopId;
use backedge_analysis::cache::At;
use backedge_hir::build::Taken;
use backedge_hir::canon::Level;
use backedge_hir::ddref::MemRef;
use backedge_hir::node::{Kind, LoopKind};
use backedge_hir::{CanonExpr, Hir, Node};
use backedge_ir::entity::Inst;
use std::collections::HashMap;

/// A nest, with maps from its code to its tree.
pub(super) struct Nest {
    pub(super) taken: Taken,
    pub(super) nodes: HashMap<Inst, Node>,
    /// The backedge-taken counts of counted loops.
    pub(super) uppers: HashMap<LoopId, CanonExpr>,
    /// The stride of an access in bytes, by the level of the loop.
    pub(super) strides: HashMap<(Inst, Level), CanonExpr>,
}

impl Nest {
    pub(super) fn new(at: At<'_>, hir: &mut Hir, taken: &Taken) -> Self {
        let forest = at.loops();
        let named: HashMap<&str, LoopId> = (taken.extent.loops.iter().flat_map(|l| forest.nest(*l)))
            .filter_map(|l| Some((at.body.block_name(forest.header(l))?, l)))
            .collect();
        let mut uppers = HashMap::new();
        for node in hir.nodes_in(taken.region) {
            let Kind::Loop(of) = hir.kind(node) else { continue };
            let LoopKind::Do { upper, .. } = &of.kind else { continue };
            let form = upper.as_terminal().filter(|_| of.is_normalized());
            uppers.extend(named.get(&*of.name).copied().zip(form.cloned()));
        }
        let mut strides = HashMap::new();
        for (inst, node) in &taken.nodes {
            let Some(memory) = access(hir, *node).cloned() else { continue };
            let depth = hir.loops_around(*node).count() as Level;
            for level in 1..=depth {
                if let Ok(stride) = memory.stride_at_level(level, &mut hir.blobs) {
                    strides.insert((*inst, level), stride);
                }
            }
        }
        Self { taken: taken.clone(), nodes: taken.nodes.iter().copied().collect(), uppers, strides }
    }
}

/// The memory reference of a load or store.
pub(super) fn access(hir: &Hir, node: Node) -> Option<&MemRef> {
    let mut all = hir.kind(node).refs().into_iter().filter_map(|of| of.as_memory());
    all.find(|memory| memory.is_access())
}
