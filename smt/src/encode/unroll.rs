//! The order in which copies of blocks are encoded. Cycles are unrolled up to a bound and paths are merged, so that the
//! result is one acyclic graph of size blocks times bound, independent of the number of paths.
//!
//! Works for every graph, including irreducible ones. A strongly connected component is cut at its first block in
//! reverse post-order, its *header*, and the rest is decomposed recursively. A copy of a block has one counter per
//! enclosing component, outermost first. An edge to the header from inside the component increments its counter. An
//! edge into a component sets its counter to 0. An edge past the bound is cut.

use backedge_ir::body::Body;
use backedge_ir::cfg::Cfg;
use backedge_ir::entity::{Block, EntitySet, SecondaryMap};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Number of times that the header of each enclosing component has been reached again.
pub(crate) type Counters = SmallVec<[u16; 4]>;

/// A copy of a block.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Copy {
    /// The block.
    pub(crate) block: Block,
    /// Its counters, outermost component first.
    pub(crate) counters: Counters,
}

/// The target of an edge of a copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EdgeEnd {
    /// The copy at this position.
    Copy(usize),
    /// Past the bound.
    Cut,
}

/// A strongly connected component that contains a cycle.
#[derive(Debug)]
struct Component {
    header: Block,
    parts: Vec<Part>,
}

#[derive(Debug)]
enum Part {
    Block(Block),
    Cycle(Component),
}

/// The unrolled graph of a body.
#[derive(Debug)]
pub(crate) struct Schedule {
    /// Copies in topological order.
    pub(crate) copies: Vec<Copy>,
    position: FxHashMap<Copy, usize>,
    /// The headers of the components that contain each block, outermost first, including the block itself if it is a
    /// header.
    around: SecondaryMap<Block, SmallVec<[Block; 4]>>,
    bound: u16,
}

impl Schedule {
    /// The graph of `body` with at most `bound` repetitions of each header per entry of its component. The bound is
    /// lowered until there are at most `limit` copies; returns `None` if even bound 0 exceeds the limit.
    pub(crate) fn new(body: &Body, bound: u32, limit: usize) -> Option<Self> {
        let cfg = Cfg::new(body);
        let mut around = SecondaryMap::new();
        let all: EntitySet<Block> = cfg.rpo().iter().copied().collect();
        let parts = split(&cfg, &all, cfg.rpo(), &mut around, &SmallVec::new())?;
        let mut bound = u16::try_from(bound).unwrap_or(u16::MAX);
        while count(&parts, bound.into()) > limit as u128 {
            bound = bound.checked_sub(1)?;
        }
        let mut schedule = Self { copies: Vec::new(), position: FxHashMap::default(), around, bound };
        schedule.emit(&parts, &mut Counters::new());
        for (i, copy) in schedule.copies.iter().enumerate() {
            schedule.position.insert(copy.clone(), i);
        }
        Some(schedule)
    }

    /// The bound in effect.
    pub(crate) fn bound(&self) -> u32 {
        self.bound.into()
    }

    /// Whether `block` is the header of a cycle.
    pub(crate) fn is_header(&self, block: Block) -> bool {
        self.around[block].last() == Some(&block)
    }

    /// The headers of the cycles that contain `block`, outermost first, including `block` itself if it is a header.
    pub(crate) fn around(&self, block: Block) -> &[Block] {
        &self.around[block]
    }

    /// Whether `block` is in the cycle with header `header`.
    pub(crate) fn is_inside(&self, block: Block, header: Block) -> bool {
        self.around[block].contains(&header)
    }

    fn emit(&mut self, parts: &[Part], counters: &mut Counters) {
        for part in parts {
            match part {
                Part::Block(block) => self.copies.push(Copy { block: *block, counters: counters.clone() }),
                Part::Cycle(component) => {
                    for count in 0..=self.bound {
                        counters.push(count);
                        self.copies.push(Copy { block: component.header, counters: counters.clone() });
                        self.emit(&component.parts, counters);
                        counters.pop();
                    }
                }
            }
        }
    }

    /// The target of the edge from copy `from` to block `to`.
    pub(crate) fn edge(&self, from: &Copy, to: Block) -> EdgeEnd {
        let (inner, outer) = (&self.around[from.block], &self.around[to]);
        let common = inner.iter().zip(outer).take_while(|(a, b)| a == b).count();
        let mut counters: Counters = from.counters[..common].into();
        if common > 0 && outer[common - 1] == to && outer.len() == common {
            // `to` is the header of the innermost common component, and the edge comes from inside that component.
            if counters[common - 1] == self.bound {
                return EdgeEnd::Cut;
            }
            counters[common - 1] += 1;
        }
        counters.resize(outer.len(), 0);
        EdgeEnd::Copy(self.position[&Copy { block: to, counters }])
    }

    /// The copy of `header` at the entry of the loop with that header, in the iteration of enclosing loops that
    /// contains `inside`.
    pub(crate) fn first_copy(&self, inside: &Copy, header: Block) -> Option<usize> {
        let depth = self.around[header].len();
        let mut counters: Counters = inside.counters.get(..depth)?.into();
        *counters.last_mut()? = 0;
        self.position.get(&Copy { block: header, counters }).copied()
    }
}

/// Number of copies with this bound.
fn count(parts: &[Part], bound: u128) -> u128 {
    parts
        .iter()
        .map(|p| match p {
            Part::Block(_) => 1,
            Part::Cycle(c) => (bound + 1).saturating_mul(count(&c.parts, bound).saturating_add(1)),
        })
        .fold(0, u128::saturating_add)
}

/// Maximum nesting depth of cycles, which bounds the recursion on the host's stack.
const DEEPEST_NEST: usize = 64;

/// Decomposes the blocks of `set` into components in topological order. `order` lists them in reverse post-order.
fn split(
    cfg: &Cfg,
    set: &EntitySet<Block>,
    order: &[Block],
    around: &mut SecondaryMap<Block, SmallVec<[Block; 4]>>,
    context: &SmallVec<[Block; 4]>,
) -> Option<Vec<Part>> {
    if context.len() > DEEPEST_NEST {
        return None;
    }
    let mut parts = Vec::new();
    let mut rank: SecondaryMap<Block, usize> = SecondaryMap::new();
    for (i, &block) in order.iter().enumerate() {
        rank[block] = i;
    }
    for mut component in strong_components(cfg, set, order) {
        component.sort_unstable_by_key(|b| rank[*b]);
        let first = component[0];
        let cyclic = component.len() > 1 || cfg.succs(first).contains(&first);
        if !cyclic {
            around[first] = context.clone();
            parts.push(Part::Block(first));
            continue;
        }
        let mut inner = context.clone();
        inner.push(first);
        around[first] = inner.clone();
        let rest: EntitySet<Block> = component[1..].iter().copied().collect();
        let inside = split(cfg, &rest, &component[1..], around, &inner)?;
        parts.push(Part::Cycle(Component { header: first, parts: inside }));
    }
    Some(parts)
}

/// The strongly connected components of the subgraph `set` in topological order (Tarjan 1972, without recursion).
fn strong_components(cfg: &Cfg, set: &EntitySet<Block>, order: &[Block]) -> Vec<Vec<Block>> {
    #[derive(Clone, Default)]
    struct Node {
        index: Option<u32>,
        low: u32,
        on_stack: bool,
    }
    let mut nodes: SecondaryMap<Block, Node> = SecondaryMap::new();
    let (mut stack, mut found, mut next) = (Vec::new(), Vec::new(), 0);
    for &root in order {
        if nodes[root].index.is_some() {
            continue;
        }
        let mut work = vec![(root, 0)];
        while let Some((block, at)) = work.last_mut() {
            let block = *block;
            if *at == 0 && nodes[block].index.is_none() {
                nodes[block] = Node { index: Some(next), low: next, on_stack: true };
                next += 1;
                stack.push(block);
            }
            if let Some(&succ) = cfg.succs(block).get(*at) {
                *at += 1;
                if !set.contains(succ) {
                    continue;
                }
                match nodes[succ].index {
                    None => work.push((succ, 0)),
                    Some(index) if nodes[succ].on_stack => nodes[block].low = nodes[block].low.min(index),
                    Some(_) => {}
                }
                continue;
            }
            work.pop();
            if let Some((parent, _)) = work.last() {
                nodes[*parent].low = nodes[*parent].low.min(nodes[block].low);
            }
            if nodes[block].index == Some(nodes[block].low) {
                let mut component = Vec::new();
                while let Some(member) = stack.pop() {
                    nodes[member].on_stack = false;
                    component.push(member);
                    if member == block {
                        break;
                    }
                }
                found.push(component);
            }
        }
    }
    found.reverse();
    found
}
