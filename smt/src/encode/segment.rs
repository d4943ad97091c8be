//! Encodes what a function does from one cut to the next: all paths between two cuts as one acyclic formula, merged
//! where they join.
//!
//! A *cut* is the entry or the header of a cycle; every cycle passes one. A crossing is the state in which a path
//! arrives at a cut, its phis taken in. Who encodes several segments one after the other begins the next one at a
//! crossing of the last one, and the terms compose.

use crate::encode::function::{Encoded, Encoder, End, Incoming, Return, Values};
use crate::encode::memory::Memory;
use crate::encode::unroll::{Copy, Counters};
use crate::term::Term;
use backedge_ir::entity::{Block, EntitySet, Inst};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The state at a cut.
#[derive(Clone)]
pub(crate) struct Crossing {
    /// The cut's block.
    pub(crate) block: Block,
    /// The condition under which it is reached.
    pub(crate) path: Term,
    /// Values of instructions, phis of the block among them.
    pub(crate) values: Rc<Values>,
    pub(crate) memory: Memory,
}

/// Where a segment ends.
#[derive(Clone, Default)]
pub(crate) struct Segment {
    /// The next cuts, each once.
    pub(crate) crossings: Vec<Crossing>,
    pub(crate) returns: Vec<Return>,
    /// Calls that did not return.
    pub(crate) stops: Vec<End>,
    /// Where UB struck.
    pub(crate) ub: Vec<End>,
}

impl Encoder<'_, '_> {
    /// Computes `inst` from values that are known, where it has been executed before: the path is narrowed to where it is
    /// no UB.
    pub(crate) fn recompute(&mut self, inst: Inst) -> Encoded<()> {
        self.inst = Some(inst);
        if let Some(value) = self.instruction(inst)? {
            self.values.insert(inst, value);
        }
        self.cuts_nothing_off()
    }

    /// All paths from `start` up to the next cut. `order` lists the blocks between in an order in which every edge that
    /// leads to no cut leads forward, the start first.
    pub(crate) fn segment(
        &mut self,
        start: &Crossing,
        order: &[Block],
        cuts: &EntitySet<Block>,
    ) -> Encoded<Segment> {
        let mut incoming: FxHashMap<Block, Vec<Incoming>> = FxHashMap::default();
        let mut across: BTreeMap<Block, Vec<Incoming>> = BTreeMap::new();
        self.values = (*start.values).clone();
        self.memory = start.memory.clone();
        self.path = start.path;
        for (position, &block) in order.iter().enumerate() {
            self.within_limits()?;
            self.copy = Copy { block, counters: Counters::new() };
            if position > 0 {
                let Some(arrivals) = incoming.remove(&block) else { continue };
                self.join(&arrivals, None)?;
            }
            if self.w.terms.as_bool(self.path) == Some(false) {
                continue;
            }
            let edges = self.block()?;
            let values = Rc::new(std::mem::take(&mut self.values));
            for (to, cond) in edges {
                let path = self.w.terms.and(self.path, cond);
                if self.w.terms.as_bool(path) == Some(false) {
                    continue;
                }
                let arrival = Incoming {
                    from: block,
                    path,
                    values: values.clone(),
                    memory: self.memory.clone(),
                    indices: Rc::default(),
                };
                let list = if cuts.contains(to) {
                    across.entry(to).or_default()
                } else {
                    incoming.entry(to).or_default()
                };
                list.push(arrival);
            }
        }
        let mut crossings = Vec::new();
        for (block, arrivals) in across {
            self.copy = Copy { block, counters: Counters::new() };
            self.join(&arrivals, None)?;
            let values = Rc::new(std::mem::take(&mut self.values));
            crossings.push(Crossing { block, path: self.path, values, memory: self.memory.clone() });
        }
        self.cuts_nothing_off()?;
        let ends = std::mem::take(&mut self.ends);
        Ok(Segment { crossings, returns: ends.returns, stops: ends.stops, ub: ends.ub })
    }

    /// An error where paths are left out that the bounded check would look at up to a bound: a segment has no place for them.
    fn cuts_nothing_off(&self) -> Encoded<()> {
        if self.ends.cut.iter().all(|cut| self.w.terms.as_bool(cut.path) == Some(false)) {
            return Ok(());
        }
        Err(self.unsupported("a length that may be large, in a proof for all iterations"))
    }

    /// Several crossings of one cut as one.
    pub(crate) fn merge(&mut self, crossings: &[Crossing]) -> Encoded<Option<Crossing>> {
        let mut list = crossings.iter();
        let Some(first) = list.next() else { return Ok(None) };
        let mut merged = first.clone();
        for other in list {
            let values = self.join_values(other.path, (*other.values).clone(), &merged.values);
            let memory = self.join_memory(other.path, &other.memory, &merged.memory)?;
            let path = self.w.terms.or(merged.path, other.path);
            merged = Crossing { block: merged.block, path, values: Rc::new(values), memory };
        }
        Ok(Some(merged))
    }
}
