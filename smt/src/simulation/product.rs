//! The product of both functions: pairs of positions with a state each, and the steps between them.
//!
//! The search ([`Product::search`]) runs both functions side by side from the entry and joins the states that arrive at
//! the same pair. The check ([`Product::check`]) runs every step again from the states found and accepts them if each
//! arriving state is described by the one at its pair, so it does not depend on how the states were found.
//!
//! A proof by steps alone would accept a target that stops while the source goes on forever. So no cycle of steps may
//! leave the target in place, unless the source must make progress in it, and none may leave the source in place.

use super::function::Why;
use super::join::{Bound, Detail, MANY_ARRIVALS, join};
use super::state::{SOURCE, State, TARGET};
use super::step::{Arrival, Both, Key};
use backedge_ir::cfg::Cfg;
use backedge_ir::entity::Block;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of joins at a pair of positions.
const MANY_JOINS: usize = 12;
/// Maximum number of repetitions of the check. The search repairs what a check rejects.
const MANY_CHECKS: usize = 6;
/// Maximum number of terms.
const MANY_TERMS: usize = 1_000_000;
/// Maximum number of pairs of positions.
const MANY_PAIRS: usize = 3_000;

/// What is known about a pair of positions.
struct Pair {
    state: State,
    joins: usize,
    /// States that arrived, those of the first iterations and the last ones.
    arrivals: Vec<State>,
}

/// A step in the product.
struct Edge {
    from: Key,
    to: Key,
    moved: [bool; 2],
    blocks: [Vec<Block>; 2],
    progress: bool,
}

/// Both functions and the states found.
pub(super) struct Product<'m> {
    both: Both<'m>,
    detail: Detail,
    /// The headers of the source's cycles in which a run that stays forever is undefined.
    pub(super) must_progress: FxHashSet<Block>,
    /// The target's blocks in such cycles.
    pub(super) target_must: FxHashSet<Block>,
    order: [FxHashMap<Block, usize>; 2],
    pairs: BTreeMap<Key, Pair>,
}

impl<'m> Product<'m> {
    pub(super) fn new(
        both: Both<'m>,
        [must_progress, target_must]: [FxHashSet<Block>; 2],
        detail: Detail,
    ) -> Self {
        let order = [0, 1].map(|side: usize| {
            let cfg = Cfg::new(both.views[side].body);
            cfg.rpo().iter().enumerate().map(|(at, block)| (*block, at)).collect()
        });
        Self { both, detail, must_progress, target_must, order, pairs: BTreeMap::new() }
    }

    /// Finds states from the state at the entry, and checks them.
    pub(super) fn prove(&mut self, start: State) -> Result<(), Why> {
        let entry = self.both.entry();
        self.pairs.insert(entry, Pair { arrivals: vec![start.clone()], state: start, joins: 0 });
        self.search(BTreeSet::from([entry]))?;
        for _ in 0..MANY_CHECKS {
            let noted = self.both.context.noted();
            let (open, edges) = self.check()?;
            if !open.is_empty() {
                self.search(open)?;
                continue;
            }
            if noted == self.both.context.noted() {
                return self.makes_progress(&edges);
            }
        }
        Err("the states of a cycle do not settle".to_owned())
    }

    fn search(&mut self, mut work: BTreeSet<Key>) -> Result<(), Why> {
        while let Some(key) = self.first(&work) {
            work.remove(&key);
            let state = self.pairs[&key].state.clone();
            self.within_limits()?;
            for arrival in self.both.step(key, &state)? {
                work.extend(self.arrive(arrival)?);
            }
        }
        Ok(())
    }
    fn within_limits(&self) -> Result<(), Why> {
        if self.pairs.len() > MANY_PAIRS {
            return Err("too many pairs of positions".to_owned());
        }
        if self.both.context.terms.len() > MANY_TERMS {
            return Err("too many values".to_owned());
        }
        Ok(())
    }
    /// The pair that is first in the order of blocks.
    fn first(&self, work: &BTreeSet<Key>) -> Option<Key> {
        let rank = |key: &Key| {
            let at = |side: usize| self.order[side].get(&key.places[side].block).copied().unwrap_or(0);
            (at(TARGET), at(SOURCE), key.lead)
        };
        work.iter().min_by_key(|key| rank(key)).copied()
    }
    /// Adds a state to its pair; returns the pair if its state is new.
    fn arrive(&mut self, arrival: Arrival) -> Result<Option<Key>, Why> {
        let Arrival { key, state, .. } = arrival;
        let Some(pair) = self.pairs.get_mut(&key) else {
            self.pairs.insert(key, Pair { arrivals: vec![state.clone()], state, joins: 0 });
            return Ok(Some(key));
        };
        if Bound::of(&mut self.both.context.terms, &pair.state, &state).is_ok() {
            return Ok(None);
        }
        pair.joins += 1;
        if pair.joins > MANY_JOINS {
            return Err(format!("the values at {} do not settle", self.label(key)));
        }
        if pair.arrivals.len() == MANY_ARRIVALS {
            pair.arrivals.remove(MANY_ARRIVALS / 2);
        }
        pair.arrivals.push(state);
        match join(&mut self.both.context.terms, &pair.state, &pair.arrivals, self.detail) {
            Some(joined) => pair.state = joined,
            None => return Err(format!("the states at {} have nothing in common", self.label(key))),
        }
        Ok(Some(key))
    }
    fn label(&self, key: Key) -> String {
        let [s, t] = [0, 1].map(|side: usize| self.both.views[side].label(key.places[side].block));
        if s == t { format!("%{s}") } else { format!("%{s} of the source and %{t} of the target") }
    }

    /// Runs all steps again. Returns the pairs whose states do not describe what arrives, with states that do.
    fn check(&mut self) -> Result<(BTreeSet<Key>, Vec<Edge>), Why> {
        let keys: Vec<Key> = self.pairs.keys().copied().collect();
        let (mut open, mut edges) = (BTreeSet::new(), Vec::new());
        for from in keys {
            let state = self.pairs[&from].state.clone();
            for arrival in self.both.step(from, &state)? {
                let Arrival { key: to, moved, progress, .. } = arrival;
                edges.push(Edge { from, to, moved, blocks: arrival.blocks.clone(), progress });
                open.extend(self.arrive(arrival)?);
            }
        }
        Ok((open, edges))
    }

    /// Rejects cycles in which one side stays in place.
    fn makes_progress(&self, edges: &[Edge]) -> Result<(), Why> {
        for side in [SOURCE, TARGET] {
            // Steps in which the other side moves are not part of such a cycle.
            let alone: Vec<&Edge> = edges.iter().filter(|edge| !edge.moved[1 - side]).collect();
            let steps = cycles(&alone);
            let Some(first) = steps.first() else { continue };
            // Each cycle of the source passes a header.
            if side == TARGET || !self.must_leave(&steps) {
                let label = self.label(first.from);
                let (stays, goes) = if side == SOURCE { ("target", "source") } else { ("source", "target") };
                return Err(format!(
                    "that the {stays} also goes on while the {goes} runs in a cycle at {label}"
                ));
            }
        }
        // A cycle of the target that must make progress is undefined if it does not end. So must be the source's.
        let silent: Vec<&Edge> = edges
            .iter()
            .filter(|edge| {
                !edge.progress && edge.blocks[TARGET].iter().all(|block| self.target_must.contains(block))
            })
            .collect();
        let steps = cycles(&silent);
        if steps.iter().any(|edge| !edge.blocks[TARGET].is_empty()) && !self.must_leave(&steps) {
            return Err("that a loop of the source makes progress, as the target's must".to_owned());
        }
        Ok(())
    }
    /// Whether a run of the source that takes these steps forever is undefined: it passes a header again and again.
    fn must_leave(&self, steps: &[&Edge]) -> bool {
        let blocks = steps.iter().flat_map(|edge| &edge.blocks[SOURCE]);
        blocks
            .filter(|block| self.both.headers[SOURCE].contains(block))
            .all(|b| self.must_progress.contains(b))
    }
}

/// The steps on cycles, and on ways from one cycle to another: what is left after steps to and from nowhere are
/// removed.
fn cycles<'e>(edges: &[&'e Edge]) -> Vec<&'e Edge> {
    let mut left: Vec<&Edge> = edges.to_vec();
    loop {
        let starts: FxHashSet<Key> = left.iter().map(|edge| edge.from).collect();
        let ends: FxHashSet<Key> = left.iter().map(|edge| edge.to).collect();
        let before = left.len();
        left.retain(|edge| ends.contains(&edge.from) && starts.contains(&edge.to));
        if left.len() == before {
            return left;
        }
    }
}
