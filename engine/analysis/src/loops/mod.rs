//! The loop tree: the blocks of each loop, and the nesting of loops.
//!
//! A loop is defined by LLVM's loop terminology: a strongly connected set of blocks that is entered only at its header,
//! and the largest such set with that header. So a header belongs to exactly one loop, and every latch of that header
//! is a latch of that loop; two loops are disjoint or nested. Unreachable blocks are in no loop. A cycle without a
//! dominating header is no loop: see [`crate::irreducible`].
//!
//! Requires the graph and dominators of one CFG epoch; the forest is valid for that epoch. Guarantees: every query
//! except [`LoopForest::blocks`] and those built on it takes time linear in its answer, and nothing recurses, so chains
//! and nests may have any size.
//!
//! Algorithm: finds headers innermost first (against reverse post-order). Each header collects its blocks by a backward
//! walk from its backedges that skips each previously found loop in one step (LLVM's LoopInfo; Havlak, "Nesting of
//! Reducible and Irreducible Loops", 1997), with union-find for "the outermost loop so far".
//!
//! The other files of this module define the forms of a loop (preheader, latches, exits, …) as methods of
//! [`LoopForest`].

mod form;
mod guard;
mod lcssa;
mod parallel;
mod update;

use crate::{Cfg, Dominators};
use backedge_ir::entity::{Block, EntityId, PrimaryMap, SecondaryMap};
use std::sync::OnceLock;

pub use form::Edge;
pub use lcssa::use_block;

backedge_ir::entity_ids! {
    /// A loop of a [`LoopForest`]. Ids are in preorder of the forest: a loop precedes its nested loops, and siblings
    /// are in reverse post-order of their headers.
    LoopId, "loop";
}

#[derive(Clone, Debug)]
struct LoopNode {
    header: Block,
    parent: Option<LoopId>,
    children: Vec<LoopId>,
    depth: u32,
    /// One past the last nested loop.
    end: LoopId,
    /// The range of its blocks in [`LoopForest::layout`].
    blocks: (u32, u32),
    /// Its blocks in LLVM's order, computed on demand.
    ordered: OnceLock<Box<[Block]>>,
}

/// All loops of a function, as a forest.
#[derive(Clone, Debug)]
pub struct LoopForest {
    loops: PrimaryMap<LoopId, LoopNode>,
    innermost: SecondaryMap<Block, Option<LoopId>>,
    top_level: Vec<LoopId>,
    /// Blocks of loops, grouped by innermost loop in order of loop ids: each loop's blocks are one contiguous range.
    layout: Vec<Block>,
    /// Position in reverse post-order of each block that is in a loop.
    position: SecondaryMap<Block, u32>,
}

impl LoopForest {
    /// The loops of the graph `cfg` with dominator tree `dominators`.
    pub fn new(cfg: &Cfg, dominators: &Dominators) -> Self {
        // Against reverse post-order, a block follows all blocks that it dominates.
        Discovery::among(cfg.rpo().iter().rev().copied(), cfg, dominators).into_forest(cfg)
    }

    /// The number of loops.
    pub fn len(&self) -> usize {
        self.loops.len()
    }
    /// Whether there is no loop.
    pub fn is_empty(&self) -> bool {
        self.loops.is_empty()
    }
    /// All loops in preorder: outer loops before inner ones, siblings in reverse post-order of their headers.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = LoopId> + ExactSizeIterator + use<> {
        self.loops.keys()
    }
    /// The loops without a parent, in reverse post-order of their headers. (LLVM's LoopInfo lists them in the opposite
    /// order.)
    pub fn top_level(&self) -> &[LoopId] {
        &self.top_level
    }
    /// The innermost loop that contains `block`.
    pub fn innermost(&self, block: Block) -> Option<LoopId> {
        self.innermost[block]
    }
    /// The number of loops that contain `block`.
    pub fn depth_of_block(&self, block: Block) -> u32 {
        self.innermost(block).map_or(0, |l| self.depth(l))
    }
    /// The loop whose header is `block`.
    pub fn with_header(&self, block: Block) -> Option<LoopId> {
        self.innermost(block).filter(|l| self.header(*l) == block)
    }
    /// The header of `l`: its only block with edges from outside.
    pub fn header(&self, l: LoopId) -> Block {
        self.loops[l].header
    }
    /// The innermost loop around `l`.
    pub fn parent(&self, l: LoopId) -> Option<LoopId> {
        self.loops[l].parent
    }
    /// The loops nested directly in `l`, in reverse post-order of their headers.
    pub fn children(&self, l: LoopId) -> &[LoopId] {
        &self.loops[l].children
    }
    /// Whether `l` contains no other loop.
    pub fn is_innermost(&self, l: LoopId) -> bool {
        self.loops[l].children.is_empty()
    }
    /// 1 for a top-level loop, one more for each level of nesting.
    pub fn depth(&self, l: LoopId) -> u32 {
        self.loops[l].depth
    }
    /// The top-level loop that contains `l`.
    pub fn outermost(&self, l: LoopId) -> LoopId {
        self.ancestors(l).last().unwrap_or(l)
    }
    /// `l` and its ancestors, innermost first.
    pub fn ancestors(&self, l: LoopId) -> impl Iterator<Item = LoopId> + '_ {
        std::iter::successors(Some(l), |l| self.parent(*l))
    }
    /// `l` and all loops nested in it, in preorder.
    pub fn nest(&self, l: LoopId) -> impl DoubleEndedIterator<Item = LoopId> + ExactSizeIterator + use<> {
        (l.index()..self.loops[l].end.index()).map(LoopId::from_index)
    }
    /// Whether `inner` is `outer` or is nested in it.
    pub fn contains_loop(&self, outer: LoopId, inner: LoopId) -> bool {
        outer <= inner && inner < self.loops[outer].end
    }
    /// Whether `l` contains `block`, directly or in a nested loop.
    pub fn contains(&self, l: LoopId, block: Block) -> bool {
        self.innermost(block).is_some_and(|inner| self.contains_loop(l, inner))
    }
    /// The number of blocks of `l`.
    pub fn block_count(&self, l: LoopId) -> usize {
        let (from, to) = self.loops[l].blocks;
        (to - from) as usize
    }
    /// The blocks of `l` in LLVM's order: reverse post-order of the graph, so the header is first. Computed on the
    /// first call, in O(k log k) for k blocks.
    pub fn blocks(&self, l: LoopId) -> &[Block] {
        self.loops[l].ordered.get_or_init(|| {
            let mut blocks: Box<[Block]> = self.blocks_unordered(l).into();
            blocks.sort_unstable_by_key(|b| self.position[*b]);
            blocks
        })
    }
    /// The blocks of `l` that are in no nested loop, in the order of [`Self::blocks`].
    pub fn own_blocks(&self, l: LoopId) -> impl DoubleEndedIterator<Item = Block> + '_ {
        self.blocks(l).iter().copied().filter(move |b| self.innermost(*b) == Some(l))
    }
    /// The blocks of `l` with the header first and otherwise in unspecified order; takes constant time.
    pub fn blocks_unordered(&self, l: LoopId) -> &[Block] {
        let (from, to) = self.loops[l].blocks;
        &self.layout[from as usize..to as usize]
    }
    /// The loops in the order in which LLVM's loop pass manager visits them: inner loops before outer ones, siblings
    /// in reverse post-order of their headers.
    pub fn in_pass_order(&self) -> Vec<LoopId> {
        // Compute preorder with siblings reversed, then reverse it.
        let mut order = Vec::with_capacity(self.len());
        let mut stack: Vec<LoopId> = self.top_level.clone();
        while let Some(l) = stack.pop() {
            order.push(l);
            stack.extend(self.children(l));
        }
        order.reverse();
        order
    }
    /// Whether both forests are equal: the same nesting, headers, and order of blocks.
    pub fn same_as(&self, other: &Self) -> bool {
        self.len() == other.len()
            && self.layout == other.layout
            && self.ids().all(|l| {
                let (a, b) = (&self.loops[l], &other.loops[l]);
                (a.header, a.parent, a.end, a.blocks) == (b.header, b.parent, b.end, b.blocks)
                    && a.children == b.children
            })
            && self.blocks_in_loops().zip(other.blocks_in_loops()).all(|(a, b)| a == b)
            && [self, other]
                .iter()
                .all(|f| f.innermost.iter().filter(|(_, l)| l.is_some()).count() == f.layout.len())
    }
    fn blocks_in_loops(&self) -> impl Iterator<Item = (Block, u32, Option<LoopId>)> + '_ {
        self.layout.iter().map(|b| (*b, self.position[*b], self.innermost[*b]))
    }
}

/// A loop during discovery.
struct DiscoveredLoop {
    header: Block,
    parent: Option<u32>,
    /// Union-find link towards the outermost loop found so far.
    link: u32,
}

/// Loops in order of discovery: inner before outer.
struct Discovery {
    found: Vec<DiscoveredLoop>,
    loop_of: SecondaryMap<Block, Option<u32>>,
}

impl Discovery {
    /// The loops whose headers are among `blocks`, which must be ordered against reverse post-order.
    fn among(blocks: impl Iterator<Item = Block>, cfg: &Cfg, dominators: &Dominators) -> Self {
        let mut this = Self { found: Vec::new(), loop_of: SecondaryMap::new() };
        let mut work = Vec::new();
        for header in blocks {
            let is_latch = |b: &Block| cfg.is_reachable(*b) && dominators.dominates(header, *b);
            work.extend(cfg.preds(header).iter().copied().filter(is_latch));
            if !work.is_empty() {
                let id = this.found.len() as u32;
                this.found.push(DiscoveredLoop { header, parent: None, link: id });
                this.collect(cfg, id, &mut work);
            }
        }
        this
    }

    /// Walks backwards from the latches in `work` to the header of `id`; all visited blocks belong to `id`.
    fn collect(&mut self, cfg: &Cfg, id: u32, work: &mut Vec<Block>) {
        let header = self.found[id as usize].header;
        while let Some(block) = work.pop() {
            let Some(inner) = self.loop_of[block] else {
                if cfg.is_reachable(block) {
                    self.loop_of[block] = Some(id);
                    if block != header {
                        work.extend(cfg.preds(block));
                    }
                }
                continue;
            };
            let outermost = self.outermost(inner);
            if outermost != id {
                let loop_ = &mut self.found[outermost as usize];
                loop_.parent = Some(id);
                loop_.link = id;
                let preds = cfg.preds(loop_.header).iter().copied();
                let loop_of = &self.loop_of;
                work.extend(preds.filter(|p| loop_of[*p] != Some(outermost)));
            }
        }
    }

    fn outermost(&mut self, mut id: u32) -> u32 {
        while self.found[id as usize].link != id {
            let link = self.found[id as usize].link;
            let next = self.found[link as usize].link;
            self.found[id as usize].link = next;
            id = next;
        }
        id
    }

    fn into_forest(self, cfg: &Cfg) -> LoopForest {
        // Discovery was against reverse post-order of headers, so pop in the opposite order: parents first, siblings in
        // order.
        let mut children: Vec<Vec<u32>> = vec![Vec::new(); self.found.len()];
        let mut stack = Vec::new();
        for (i, found) in self.found.iter().enumerate() {
            match found.parent {
                Some(parent) => children[parent as usize].push(i as u32),
                None => stack.push((i as u32, None)),
            }
        }
        let mut forest = LoopForest {
            loops: PrimaryMap::new(),
            innermost: SecondaryMap::new(),
            top_level: Vec::new(),
            layout: Vec::new(),
            position: SecondaryMap::new(),
        };
        let mut id_of = vec![LoopId(0); self.found.len()];
        while let Some((found, parent)) = stack.pop() {
            let id = forest.add_loop(self.found[found as usize].header, parent);
            id_of[found as usize] = id;
            stack.extend(children[found as usize].iter().map(|c| (*c, Some(id))));
        }
        forest.close_nests();
        for (i, &block) in cfg.rpo().iter().enumerate() {
            if let Some(found) = self.loop_of[block] {
                forest.innermost[block] = Some(id_of[found as usize]);
                forest.position[block] = i as u32;
            }
        }
        forest.lay_out(cfg);
        forest
    }
}

/// The steps of building a forest, in order.
impl LoopForest {
    fn add_loop(&mut self, header: Block, parent: Option<LoopId>) -> LoopId {
        let id = self.loops.push(LoopNode {
            header,
            parent,
            children: Vec::new(),
            depth: parent.map_or(1, |p| self.depth(p) + 1),
            end: LoopId(0),
            blocks: (0, 0),
            ordered: OnceLock::new(),
        });
        match parent {
            Some(parent) => self.loops[parent].children.push(id),
            None => self.top_level.push(id),
        }
        id
    }
    /// Sets the end of each loop's range of descendants.
    fn close_nests(&mut self) {
        for id in self.loops.keys().rev() {
            let end = match self.loops[id].children.last() {
                Some(last) => self.loops[*last].end,
                None => LoopId(id.0 + 1),
            };
            self.loops[id].end = end;
        }
    }
    /// Groups the blocks of loops by innermost loop, each group in reverse post-order.
    fn lay_out(&mut self, cfg: &Cfg) {
        let mut starts = vec![0u32; self.loops.len() + 1];
        let of_loops = || cfg.rpo().iter().filter_map(|b| Some((*b, self.innermost[*b]?)));
        for (_, l) in of_loops() {
            starts[l.index() + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let Some(&entry) = cfg.rpo().first() else { return };
        let mut layout = vec![entry; starts[self.loops.len()] as usize];
        let mut next = starts.clone();
        for (block, l) in of_loops() {
            layout[next[l.index()] as usize] = block;
            next[l.index()] += 1;
        }
        self.layout = layout;
        for (id, node) in self.loops.iter_mut() {
            node.blocks = (starts[id.index()], starts[node.end.index()]);
        }
    }
}
