//! Irreducible cycles: cycles of the CFG without a header that dominates them. LLVM's terminology never calls such a
//! cycle a loop, and the loop tree does not contain it; an algorithm that must see all cycles queries this module.
//!
//! The result is a nesting of strongly connected sets. At each level of the loop tree (the top level, and the body of
//! each loop without its header, where each nested loop counts as one node) every strongly connected component of more
//! than one node is an irreducible cycle: a component with a single entry would be a loop. The *entries* of a cycle are
//! its blocks with edges from outside. The components that remain inside the cycle after removal of the entries are
//! nested cycles, and so on (Steensgaard, "Sequentializing Program Dependence Graphs for Irreducible Programs", 1993).
//! So a function is reducible exactly when the result is empty, and every cycle of the graph without a dominating block
//! lies in a reported cycle and passes one of its entries.
//!
//! An irreducible cycle may lie in a loop, contain loops, and lie between a loop and a loop nested in it.
//!
//! Cost: near linear for the levels of the loop tree at any depth; nested irreducible cycles cost their size once per
//! level. Nothing recurses.

use crate::scc::{Numbering, components};
use crate::{Cfg, LoopForest, LoopId};
use backedge_ir::entity::{Block, SecondaryMap};

/// An irreducible cycle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IrreducibleCycle {
    /// The blocks with edges from outside, two or more, in reverse post-order.
    pub entries: Vec<Block>,
    /// All blocks, including those of nested loops and cycles, in reverse post-order.
    pub blocks: Vec<Block>,
    /// The innermost loop that contains it.
    pub in_loop: Option<LoopId>,
    /// Index of the innermost irreducible cycle with the same [`IrreducibleCycle::in_loop`] that contains this cycle.
    pub parent: Option<usize>,
}

/// The irreducible cycles of the graph `cfg` with loops `loops`: outer cycles before nested ones, otherwise in reverse
/// post-order of their first blocks.
pub fn cycles(cfg: &Cfg, loops: &LoopForest) -> Vec<IrreducibleCycle> {
    Search::new(cfg, loops).run()
}

/// A node represents a block or, if the block is a loop header, the whole loop as one node of the surrounding level.
struct Search<'a> {
    cfg: &'a Cfg,
    loops: &'a LoopForest,
    /// Edges between nodes of one level.
    succs: SecondaryMap<Block, Vec<Block>>,
    position: SecondaryMap<Block, u32>,
    numbering: Numbering,
}

impl<'a> Search<'a> {
    fn new(cfg: &'a Cfg, loops: &'a LoopForest) -> Self {
        let mut this = Self {
            cfg,
            loops,
            succs: SecondaryMap::new(),
            position: SecondaryMap::new(),
            numbering: Numbering::new(),
        };
        for (i, &from) in cfg.rpo().iter().enumerate() {
            this.position[from] = i as u32;
            for &to in cfg.succs(from) {
                if let Some(node) = this.node_before(from, to).filter(|n| *n != to) {
                    this.succs[node].push(to);
                }
            }
        }
        this
    }

    /// The loop whose level contains the node of `block`; `None` for the top level.
    fn level(&self, block: Block) -> Option<LoopId> {
        match self.loops.innermost(block) {
            Some(l) if self.loops.header(l) == block => self.loops.parent(l),
            l => l,
        }
    }

    /// For the edge `from` → `to`: the node of `from` at the level of the node of `to`; `None` for a backedge. For an
    /// edge from the header of the level's own loop the result is that header. The header is not a node of the level,
    /// so no path inside the level leads back to it.
    fn node_before(&self, from: Block, to: Block) -> Option<Block> {
        let loops = self.loops;
        let level = match loops.innermost(to) {
            Some(l) if loops.header(l) == to => {
                if loops.contains(l, from) {
                    return None;
                }
                loops.parent(l)
            }
            l => l,
        };
        let inner = loops.innermost(from);
        if inner == level {
            return Some(from);
        }
        // `from` is in a loop nested in this level, since loops are entered at headers only.
        let siblings = level.map_or(loops.top_level(), |l| loops.children(l));
        let at = siblings.partition_point(|s| Some(*s) <= inner);
        Some(loops.header(siblings[at.checked_sub(1)?]))
    }

    fn run(mut self) -> Vec<IrreducibleCycle> {
        let mut found: Vec<IrreducibleCycle> = Vec::new();
        let mut work = self.components(self.cfg.rpo(), None);
        while let Some((nodes, parent)) = work.pop() {
            let (entries, inside) = self.split_entries(&nodes);
            let index = found.len();
            found.push(IrreducibleCycle {
                entries,
                blocks: self.blocks_of(&nodes),
                in_loop: self.level(nodes[0]),
                parent,
            });
            let nested = self.components(&inside, Some(index));
            work.extend(nested);
        }
        found
    }

    /// The components of `nodes` that are cycles, the last in reverse post-order first; the nodes of each are sorted.
    fn components(&mut self, nodes: &[Block], parent: Option<usize>) -> Vec<(Vec<Block>, Option<usize>)> {
        let succs = &self.succs;
        let all = components(nodes, |b| &succs[b], &mut self.numbering);
        let mut cycles: Vec<_> = all.into_iter().filter(|c| c.len() > 1).map(|c| (c, parent)).collect();
        for (cycle, _) in &mut cycles {
            cycle.sort_unstable_by_key(|b| self.position[*b]);
        }
        cycles.sort_unstable_by_key(|(cycle, _)| std::cmp::Reverse(self.position[cycle[0]]));
        cycles
    }

    /// Splits a cycle into the nodes with edges from outside the cycle and the other nodes.
    fn split_entries(&self, nodes: &[Block]) -> (Vec<Block>, Vec<Block>) {
        let inside: std::collections::HashSet<Block, rustc_hash::FxBuildHasher> =
            nodes.iter().copied().collect();
        nodes.iter().partition(|&&node| {
            let preds = self.cfg.preds(node).iter().filter(|p| self.cfg.is_reachable(**p));
            let mut outer =
                preds.filter(|p| !self.loops.with_header(node).is_some_and(|l| self.loops.contains(l, **p)));
            outer.any(|p| self.node_before(*p, node).is_none_or(|before| !inside.contains(&before)))
        })
    }

    fn blocks_of(&self, nodes: &[Block]) -> Vec<Block> {
        let mut blocks = Vec::with_capacity(nodes.len());
        for &node in nodes {
            match self.loops.with_header(node) {
                Some(l) => blocks.extend_from_slice(self.loops.blocks_unordered(l)),
                None => blocks.push(node),
            }
        }
        blocks.sort_unstable_by_key(|b| self.position[*b]);
        blocks
    }
}

/// Whether every cycle of the graph has a dominating header.
pub fn is_reducible(cfg: &Cfg, loops: &LoopForest) -> bool {
    // A retreating edge that is no backedge identifies irreducible control flow.
    let mut position: SecondaryMap<Block, u32> = SecondaryMap::new();
    cfg.rpo().iter().enumerate().all(|(i, &from)| {
        position[from] = i as u32 + 1;
        cfg.succs(from).iter().all(|to| {
            let retreats = position[*to] > 0;
            !retreats || loops.with_header(*to).is_some_and(|l| loops.contains(l, from))
        })
    })
}
