//! Incremental CFG update after an edit: keeps the unchanged parts of the old graph and recomputes the rest within a
//! *region*.
//!
//! A region is entered at one block, its *entry*, and left to at most one block, its *exit*, which is not part of the
//! region. The entry dominates the exit. No other block outside the region is the target of an edge from it, and no
//! edge leads into the region except to the entry. All changes lie in the region. Then, outside the region:
//!
//! - reverse post-order is unchanged: the blocks first discovered from the exit are discovered in the same order,
//!   because the region discovered none of them before;
//! - immediate dominators are unchanged, except that of the exit;
//! - loops are unchanged, except that the loops around the region contain those of its blocks that reach the exit.
//!
//! A pass that changes one loop after another therefore pays for each loop and for copying tables, not for the whole
//! function. The search starts at the nearest common dominator of all changes and grows the region, inner loops first,
//! until only one block is left to extend to. If the region grows large without such an exit, the whole graph is
//! recomputed.

use super::{Cfg, Neighbours};
use crate::body::Body;
use crate::dominators::Dominators;
use crate::entity::{Block, EntitySet, SecondaryMap};
use smallvec::SmallVec;

/// Added to the limits on changed and on pending blocks in the search for a region, so that small graphs are always
/// updated in place. Beyond the limits the graph is rebuilt as a whole.
const MOST_WAYS: usize = 64;

/// The changed part of a graph.
#[derive(Clone, Debug)]
pub struct Region {
    /// The block at which the region is entered.
    pub entry: Block,
    /// The block after the region; `None` if control ends in the region or never leaves it.
    pub exit: Option<Block>,
    /// The region's blocks that precede the exit in reverse post-order, starting with the entry.
    pub before: Vec<Block>,
    /// The region's blocks that follow all blocks first discovered from the exit.
    pub after: Vec<Block>,
    /// The blocks that were in the region and have become unreachable.
    pub gone: Vec<Block>,
}

impl Region {
    /// The region's blocks in reverse post-order.
    pub fn blocks(&self) -> impl DoubleEndedIterator<Item = Block> + '_ {
        self.before.iter().chain(&self.after).copied()
    }
}

/// The difference between two successive graphs.
#[derive(Clone, Debug)]
pub enum Change {
    /// No edge of a reachable block changed.
    Nothing,
    /// All changes lie in this region.
    Within(Region),
    /// Anything may have changed.
    Whole,
}

/// The region in the old graph.
struct Before {
    entry: Block,
    exit: Option<Block>,
    blocks: EntitySet<Block>,
}

/// A depth-first search of the region in the new graph.
struct Search {
    /// The blocks in post-order.
    blocks: Vec<Block>,
    /// For each block, the number of blocks finished when it was discovered and when it was finished, not counting
    /// those discovered from the exit.
    finished: Vec<(u32, u32)>,
    /// For each block, whether the exit had been reached at those two times.
    left: Vec<(bool, bool)>,
    /// The number of blocks finished when the exit was reached.
    exit_at: usize,
}

impl Cfg {
    /// The graph of `body`, and its difference from `self`, the graph at body epoch `epoch`. `dominators` is the old
    /// dominator tree and `depth` gives the loop depth of a block. Takes time for the changes and for copying tables.
    #[must_use]
    pub fn updated(
        &self,
        body: &Body,
        epoch: u64,
        dominators: &Dominators,
        depth: impl Fn(Block) -> u32,
    ) -> (Self, Change) {
        let changed: Vec<Block> = body.changed_since(epoch).collect();
        let now = |b: Block| if body.has_block(b) { body.successors(b) } else { &[] };
        let other: Vec<Block> = changed.iter().copied().filter(|b| self.succs(*b) != now(*b)).collect();
        let whole = || (Self::new(body), Change::Whole);
        if self.rpo.first().copied() != body.entry() || other.len() > self.rpo.len() / 2 + MOST_WAYS {
            return whole();
        }
        if changed.is_empty() {
            return (self.clone(), Change::Nothing);
        }
        let mut this = self.clone();
        this.replace_edges(body, &changed, &now);
        let sources = || other.iter().copied().filter(|b| self.is_reachable(*b));
        if sources().next().is_none() {
            // Unreachable blocks can't make other blocks reachable.
            return (this, Change::Nothing);
        }
        let Some(before) = self.region_of(&other, &now, dominators, depth) else { return whole() };
        let Some(search) = this.search(&before, self) else { return whole() };
        let region = this.splice(&before, search, self);
        (this, Change::Within(region))
    }

    /// Sets the successors of `changed` to `now` and updates the predecessors.
    fn replace_edges<'b>(&mut self, body: &Body, changed: &[Block], now: &impl Fn(Block) -> &'b [Block]) {
        let mut targets: Vec<Block> = Vec::new();
        let is_changed: EntitySet<Block> = changed.iter().copied().collect();
        for &block in changed {
            targets.extend_from_slice(self.succs.of(block));
            targets.extend_from_slice(now(block));
            self.succs.replace(block, now(block));
        }
        targets.sort_unstable();
        targets.dedup();
        let mut edges: Vec<(Block, Block)> =
            changed.iter().flat_map(|from| now(*from).iter().map(move |to| (*to, *from))).collect();
        edges.sort_unstable();
        let mut order: Option<SecondaryMap<Block, u32>> = None;
        for target in targets {
            let kept = self.preds.of(target).iter().copied().filter(|b| !is_changed.contains(*b));
            let mut preds: SmallVec<[Block; 8]> = kept.collect();
            let first = edges.partition_point(|(to, _)| *to < target);
            preds.extend(edges[first..].iter().take_while(|(to, _)| *to == target).map(|(_, from)| *from));
            if preds.len() > 1 {
                let order = order.get_or_insert_with(|| text_order(body));
                preds.sort_by_key(|b| order[*b]);
            }
            self.preds.replace(target, &preds);
        }
        if self.succs.is_wasteful(body) {
            self.succs = Neighbours::successors(body, |b| body.successors(b));
        }
        if self.preds.is_wasteful(body) {
            self.preds = Neighbours::predecessors(body, &self.succs);
        }
    }

    /// Finds the region in the old graph around the blocks `other`, whose successors changed.
    fn region_of<'b>(
        &self,
        other: &[Block],
        now: &impl Fn(Block) -> &'b [Block],
        dominators: &Dominators,
        depth: impl Fn(Block) -> u32,
    ) -> Option<Before> {
        let was = |b: &Block| self.is_reachable(*b);
        let sources: Vec<Block> = other.iter().copied().filter(was).collect();
        let ends = other.iter().flat_map(|b| self.succs(*b).iter().chain(now(*b))).copied();
        let targets: Vec<Block> = ends.filter(was).collect();
        let mut all = sources.iter().chain(&targets).copied();
        let first = all.next()?;
        let entry = all.try_fold(first, |at, b| dominators.common(at, b))?;
        let mut region = Before { entry, exit: None, blocks: EntitySet::new() };
        let most = self.rpo.len() / 4 + MOST_WAYS;
        let mut ways = vec![entry];
        loop {
            let next = ways.iter().copied().enumerate();
            let next = next.max_by_key(|(_, b)| (depth(*b), std::cmp::Reverse(self.position(*b))));
            let Some((index, block)) = next else { return Some(region) };
            let is_inside = |b: &Block| region.blocks.contains(*b) || !self.is_reachable(*b);
            let is_entered_at_entry = |b| b == entry || self.preds(b).iter().all(is_inside);
            let is_last = ways.len() == 1
                && sources.iter().all(is_inside)
                && targets.iter().all(|b| *b == block || is_inside(b))
                && region.blocks.iter().all(is_entered_at_entry);
            if is_last {
                region.exit = Some(block);
                return Some(region);
            }
            ways.swap_remove(index);
            region.blocks.insert(block);
            for &to in self.succs(block) {
                if to != entry && !dominators.strictly_dominates(entry, to) {
                    return None;
                }
                if !region.blocks.contains(to) && !ways.contains(&to) {
                    ways.push(to);
                }
            }
            if region.blocks.len() > most || ways.len() > MOST_WAYS {
                return None;
            }
        }
    }

    /// Searches the region in the new graph; `None` if it has exits other than the old one, or no path to the exit.
    fn search(&self, before: &Before, old: &Self) -> Option<Search> {
        let mut found: EntitySet<Block> = EntitySet::new();
        let mut this = Search { blocks: Vec::new(), finished: Vec::new(), left: Vec::new(), exit_at: 0 };
        let mut left = false;
        let mut stack = vec![(before.entry, 0, (0, false))];
        found.insert(before.entry);
        while let Some((block, next, start)) = stack.last_mut() {
            let Some(&target) = self.succs(*block).get(*next) else {
                let count = this.blocks.len() as u32;
                this.blocks.push(*block);
                this.finished.push((start.0, count));
                this.left.push((start.1, left));
                stack.pop();
                continue;
            };
            *next += 1;
            if Some(target) == before.exit {
                if !left {
                    left = true;
                    this.exit_at = this.blocks.len();
                }
            } else if found.insert(target) {
                if old.is_reachable(target) && !before.blocks.contains(target) {
                    return None;
                }
                stack.push((target, 0, (this.blocks.len() as u32, left)));
            }
        }
        (left == before.exit.is_some()).then_some(this)
    }

    /// Replaces the old region's range in reverse post-order with the new one.
    fn splice(&mut self, before: &Before, search: Search, old: &Self) -> Region {
        let (from, to) = old.places[before.entry];
        let following = before.exit.map_or((to, to), |exit| old.places[exit]);
        let after_count = following.1 - following.0;
        let (head, chunk) = (from as usize, following.0 as usize..following.1 as usize);
        let new_to = from + search.blocks.len() as u32 + after_count;
        let Search { blocks, finished, left, exit_at } = search;
        let exit_at = if before.exit.is_some() { exit_at } else { 0 };
        let (after, inner): (Vec<Block>, Vec<Block>) = (
            blocks[..exit_at].iter().rev().copied().collect(),
            blocks[exit_at..].iter().rev().copied().collect(),
        );
        let new_chunk = from + inner.len() as u32;
        for block in before.blocks.iter() {
            self.reachable.remove(block);
            self.places[block] = (0, 0);
        }
        let gone = |rpo: &[Block], reachable: &EntitySet<Block>| -> Vec<Block> {
            rpo.iter().copied().filter(|b| !reachable.contains(*b)).collect()
        };
        for (i, &block) in blocks.iter().enumerate() {
            self.reachable.insert(block);
            let more = |left: bool| if left { after_count } else { 0 };
            let (found, done) = (finished[i].0 + more(left[i].0), finished[i].1 + more(left[i].1));
            self.places[block] = (new_to - 1 - done, new_to - found);
        }
        let mut was = gone(&old.rpo[head..chunk.start], &self.reachable);
        was.extend(gone(&old.rpo[chunk.end..to as usize], &self.reachable));
        for &block in &old.rpo[chunk.clone()] {
            let (at, end) = old.places[block];
            self.places[block] = (at - following.0 + new_chunk, end - following.0 + new_chunk);
        }
        for &block in &old.rpo[..head] {
            let (_, end) = &mut self.places[block];
            if *end >= to {
                *end = *end - to + new_to;
            }
        }
        for &block in &old.rpo[to as usize..] {
            let (at, end) = old.places[block];
            self.places[block] = (at - to + new_to, end - to + new_to);
        }
        let placed = inner.iter().chain(&old.rpo[chunk]).chain(&after).copied();
        drop(self.rpo.splice(from as usize..to as usize, placed));
        Region { entry: before.entry, exit: before.exit, before: inner, after, gone: was }
    }
}

/// The index of each block in text order.
fn text_order(body: &Body) -> SecondaryMap<Block, u32> {
    let mut order = SecondaryMap::new();
    for (i, block) in body.blocks().enumerate() {
        order[block] = i as u32;
    }
    order
}

impl Neighbours {
    /// Replaces the slice of `block` with `list`.
    fn replace(&mut self, block: Block, list: &[Block]) {
        if self.of(block) == list {
            return;
        }
        let from = self.list.len() as u32;
        self.list.extend_from_slice(list);
        self.parts[block] = if list.is_empty() { (0, 0) } else { (from, self.list.len() as u32) };
    }
    /// Whether most of the list is unused.
    fn is_wasteful(&self, body: &Body) -> bool {
        self.list.len() > 4 * body.block_count() + 64
    }
}
