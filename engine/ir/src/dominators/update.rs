//! Updates the dominator tree after an edit, given the old tree and the region that changed ([`crate::cfg::region`]):
//! rebuilds the region's subtree and renumbers the rest.

use super::Dominators;
use crate::cfg::Cfg;
use crate::cfg::region::Region;
use crate::entity::Block;
use crate::idom::{FlowGraph, immediate_dominators};
use rustc_hash::FxHashMap;

/// The region's blocks and its exit, numbered in reverse post-order.
struct Part<'a> {
    cfg: &'a Cfg,
    blocks: Vec<Block>,
    number: FxHashMap<Block, u32>,
    exit: Option<Block>,
}

impl FlowGraph for Part<'_> {
    fn len(&self) -> usize {
        self.blocks.len()
    }
    fn succ(&self, node: u32, index: usize) -> Option<u32> {
        let block = self.blocks[node as usize];
        // Control that passes the exit re-enters the region only through the entry.
        if Some(block) == self.exit {
            return None;
        }
        self.cfg.succs(block).get(index).and_then(|b| self.number.get(b)).copied()
    }
    fn preds(&self, node: u32) -> impl Iterator<Item = u32> {
        let preds = self.cfg.preds(self.blocks[node as usize]).iter();
        preds.filter(|b| Some(**b) != self.exit).filter_map(|b| self.number.get(b)).copied()
    }
}

impl Dominators {
    /// The dominator tree of `cfg`. `self` is the tree of the previous graph, which differs from `cfg` only within
    /// `region`.
    #[must_use]
    pub fn updated(&self, cfg: &Cfg, region: &Region) -> Self {
        let blocks: Vec<Block> =
            region.before.iter().chain(&region.exit).chain(&region.after).copied().collect();
        let number = blocks.iter().enumerate().map(|(i, b)| (*b, i as u32)).collect();
        let part = Part { cfg, blocks, number, exit: region.exit };
        let idom = immediate_dominators(&part, 0);
        let mut this = self.clone();
        for &block in &region.gone {
            this.idom[block] = None;
            this.children[block] = (0, 0);
            this.level[block] = 0;
            this.sole_entering_pred[block] = None;
        }
        let mut children: Vec<Vec<Block>> = vec![Vec::new(); part.blocks.len()];
        for (i, &block) in part.blocks.iter().enumerate().skip(1) {
            if let Some(parent) = idom[i] {
                let above = part.blocks[parent as usize];
                this.idom[block] = Some(above);
                this.level[block] = this.level[above] + 1;
                children[parent as usize].push(block);
            }
        }
        for (list, &block) in children.iter().zip(&part.blocks).filter(|(_, b)| Some(**b) != region.exit) {
            let from = this.child_list.len() as u32;
            this.child_list.extend_from_slice(list);
            this.children[block] = (from, this.child_list.len() as u32);
        }
        if let Some(exit) = region.exit {
            this.shift_levels(self, exit);
        }
        this.number_again(self, region, &part, &children);
        if this.child_list.len() > 2 * cfg.rpo().len() + 64 {
            this.list_children(cfg.rpo());
        }
        for &block in &part.blocks {
            if Some(block) != cfg.rpo().first().copied() {
                this.sole_entering_pred[block] = this.find_sole_entering_pred(cfg, block);
            }
        }
        this
    }

    /// Adjusts the depths of the blocks that `exit` dominates to the new depth of `exit`.
    fn shift_levels(&mut self, old: &Self, exit: Block) {
        let (was, now) = (old.level[exit], self.level[exit]);
        let Some((from, to)) = old.interval[exit].filter(|_| was != now) else { return };
        for (level, interval) in self.level.values_mut().zip(old.interval.iter()) {
            if interval.1.is_some_and(|(first, _)| from < first && first <= to) {
                *level = *level - was + now;
            }
        }
    }

    /// Numbers the region by its new tree; the blocks that the exit dominates keep their relative order.
    fn number_again(&mut self, old: &Self, region: &Region, part: &Part<'_>, children: &[Vec<Block>]) {
        let Some((from, to)) = old.interval[region.entry] else { return };
        let following = region.exit.and_then(|exit| old.interval[exit]);
        let mut numbers = vec![(0, 0); part.blocks.len()];
        let mut clock = from;
        numbers[0] = (from, from);
        let mut stack = vec![(0, 0)];
        while let Some((node, next)) = stack.last_mut() {
            let node = *node;
            let Some(&child) = children[node].get(*next) else {
                numbers[node].1 = clock;
                stack.pop();
                continue;
            };
            *next += 1;
            clock += 1;
            let child = part.number[&child] as usize;
            numbers[child] = (clock, clock);
            if let Some((first, last)) = following.filter(|_| Some(part.blocks[child]) == region.exit) {
                clock += last - first;
                numbers[child].1 = clock;
            } else {
                stack.push((child, 0));
            }
        }
        let exit = region.exit.map(|exit| numbers[part.number[&exit] as usize]);
        for interval in self.interval.values_mut() {
            let Some((first, last)) = interval else { continue };
            if *first > to {
                (*first, *last) = (*first - to + clock, *last - to + clock);
            } else if *first < from {
                // A block that dominates the entry dominates the whole region.
                if *last >= to {
                    *last = *last - to + clock;
                }
            } else if let (Some((was, was_last)), Some((now, _))) = (following, exit)
                && (was..=was_last).contains(first)
            {
                (*first, *last) = (*first - was + now, *last - was + now);
            }
        }
        for &block in &region.gone {
            self.interval[block] = None;
        }
        for (&block, &numbers) in part.blocks.iter().zip(&numbers) {
            self.interval[block] = Some(numbers);
        }
    }
}
