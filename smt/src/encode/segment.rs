//! Encodes the part of a function from one cut to the next: all paths between two cuts as one acyclic formula, merged
//! at joins.
//!
//! A *cut* is the function entry or the header of a cycle; every cycle passes a cut. A crossing is the state in which a
//! path arrives at a cut, after its phis. To encode consecutive segments, start each one at a crossing of the previous
//! one; the terms compose.

use crate::encode::function::{Encoded, Encoder, End, Incoming, Return};
use crate::encode::memory::Memory;
use crate::encode::observed::Values;
use crate::encode::unroll::{Copy, Counters};
use crate::term::Term;
use backedge_ir::entity::{Block, EntitySet, Inst};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The state at a cut.
#[derive(Clone)]
pub(crate) struct Crossing {
    /// The block of the cut.
    pub(crate) block: Block,
    /// The condition under which the cut is reached.
    pub(crate) path: Term,
    /// Values of instructions, including the phis of the block.
    pub(crate) values: Rc<Values>,
    pub(crate) memory: Memory,
}

/// The exits of a segment.
#[derive(Clone, Default)]
pub(crate) struct Segment {
    /// Crossings of the next cuts, at most one per cut.
    pub(crate) crossings: Vec<Crossing>,
    pub(crate) returns: Vec<Return>,
    /// Calls that did not return.
    pub(crate) stops: Vec<End>,
    /// Points of UB.
    pub(crate) ub: Vec<End>,
}

impl Encoder<'_, '_> {
    /// Recomputes `inst`, which has been executed before, from known values. The path is narrowed to the runs without
    /// UB.
    pub(crate) fn recompute(&mut self, inst: Inst) -> Encoded<()> {
        self.inst = Some(inst);
        if let Some(value) = self.instruction(inst)? {
            self.values.insert(inst, value);
        }
        self.cuts_nothing_off()
    }

    /// Encodes all paths from `start` to the next cut. `order` lists the blocks in between in topological order,
    /// ignoring edges to cuts, with the start first.
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

    /// An error if paths are cut off, which only the bounded check supports.
    fn cuts_nothing_off(&self) -> Encoded<()> {
        if self.ends.cut.iter().all(|cut| self.w.terms.as_bool(cut.path) == Some(false)) {
            return Ok(());
        }
        Err(self.unsupported("a length that may be large, in a proof for all iterations"))
    }

    /// Merges several crossings of one cut.
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
