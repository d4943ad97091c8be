//! Records more about a function than its exits: values, paths and iteration numbers at each point, for claims about
//! points inside the function.
//!
//! Loops are either unrolled up to the bound, or *open*. The header of an open loop is visited once, in a state with
//! arbitrary phis, memory and iteration number, and its backedges end. Each arrival at a header during a run is then
//! one of the states that the visit describes. Properties of all of these states must be stated as invariants, which
//! the user of the record supplies and proves on the edges to the header.

use super::observed::{Index, Indices, Observed, Plan, Visit, Watch};
use crate::encode::function::{Encoded, Encoder};
use crate::encode::observed::Values;
use crate::encode::unroll::Schedule;
use crate::encode::world::BLOCK_BITS;
use crate::term::Term;
use backedge_ir::cfg::Cfg;
use backedge_ir::dominators::Dominators;
use backedge_ir::entity::{Block, EntitySet, Inst, SecondaryMap};
use backedge_ir::inst::InstKind;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Width of the iteration number for unrolled loops, in bits: more iterations than any bound.
pub(crate) const UNROLLED_INDEX_BITS: u32 = 17;

impl Encoder<'_, '_> {
    /// Starts the observation.
    pub(crate) fn start_watch(&mut self, plan: Plan, schedule: &Schedule) -> Encoded<()> {
        if plan.open.is_some() {
            let headers: EntitySet<Block> = plan.loops.iter().map(|l| l.0).collect();
            if self.body.blocks().any(|b| schedule.is_header(b) != headers.contains(b)) {
                return Err(self.unsupported("irreducible control flow in a proof by induction"));
            }
            if self.body.all_insts().any(|i| matches!(self.body.inst(i).kind, InstKind::Alloca(_))) {
                return Err(self.unsupported("an alloca in a proof by induction"));
            }
        }
        let mut observed = Observed::default();
        for &constant in &plan.constants {
            // An unmodelled constant gets no value; its user notices that.
            if let Ok(value) = self.constant(self.body.consts(), constant) {
                observed.constants.insert(constant, value);
            }
        }
        self.watch = Some(Watch { plan, indices: Indices::new(), observed });
        Ok(())
    }
    /// Adds the observed instructions to the values that are carried into each block.
    pub(crate) fn keep_watched(&self, live: &mut SecondaryMap<Block, EntitySet<Inst>>) {
        let Some(watch) = &self.watch else { return };
        if watch.plan.keep.is_empty() {
            return;
        }
        let cfg = Cfg::new(self.body);
        let dominators = Dominators::new(self.body, &cfg);
        for inst in watch.plan.keep.iter() {
            let Some(home) = self.body.block_of(inst) else { continue };
            for &block in cfg.rpo() {
                if dominators.strictly_dominates(home, block) {
                    live[block].insert(inst);
                }
            }
        }
    }
    /// At the header of an open loop, makes the state arbitrary.
    pub(crate) fn open_header(&mut self, schedule: &Schedule) -> Encoded<()> {
        let block = self.copy.block;
        let Some(width) = self.watch.as_ref().and_then(|w| w.plan.open) else { return Ok(()) };
        if !schedule.is_header(block) {
            return Ok(());
        }
        let phis: Vec<Inst> = self.body.phis(block).collect();
        for phi in phis {
            self.inst = Some(phi);
            let name = self.body.value_name(phi.into()).unwrap_or("phi").to_owned();
            let value = self.free_value(self.body.inst(phi).ty, &name)?;
            self.values.insert(phi, value);
        }
        let memory = self.w.fresh_memory();
        self.memory.shared = self.write_constant_globals(memory)?;
        self.memory.trace = self.w.fresh_trace();
        self.memory.firm = self.memory.trace;
        if self.may_free() {
            self.memory.frees = self.memory.trace;
        }
        let index = Index { count: self.w.fresh("iteration", width), beyond: self.w.fresh_bool("beyond") };
        if let Some(watch) = &mut self.watch {
            watch.indices.insert(block, index);
        }
        Ok(())
    }
    /// Constrains the addresses of all allocas to their alignment.
    pub(crate) fn align_allocas(&mut self) {
        for alloca in self.allocas.clone() {
            let block = self.w.terms.number(BLOCK_BITS, alloca.number.into());
            let base = self.w.base_of(block);
            self.w.align_base(base, alloca.align);
        }
    }
    /// Starts the record of the current copy.
    pub(crate) fn begin_visit(&mut self) {
        let Some(watch) = &mut self.watch else { return };
        watch.observed.visits.push(Visit {
            block: self.copy.block,
            counters: self.copy.counters.clone(),
            begin: self.path,
            after: FxHashMap::default(),
            edges: Vec::new(),
            values: Rc::default(),
            indices: Rc::new(watch.indices.clone()),
        });
    }
    /// Records the path after `inst`.
    pub(crate) fn executed(&mut self, inst: Inst) {
        if let Some(visit) = self.watch.as_mut().and_then(|w| w.observed.visits.last_mut()) {
            visit.after.insert(inst, self.path);
        }
    }
    /// Ends the record of the current copy.
    pub(crate) fn end_visit(&mut self, values: &Rc<Values>) {
        if let Some(visit) = self.watch.as_mut().and_then(|w| w.observed.visits.last_mut()) {
            visit.values = values.clone();
        }
    }
    /// Records that an edge of the current copy is taken under `path`. Returns the arrival numbers after the edge.
    pub(crate) fn take_edge(&mut self, to: Block, path: Term) -> Rc<Indices> {
        let Some(watch) = &mut self.watch else { return Rc::default() };
        if let Some(visit) = watch.observed.visits.last_mut() {
            visit.edges.push((to, path));
        }
        let Some((_, blocks)) = watch.plan.loops.iter().find(|l| l.0 == to) else {
            return Rc::new(watch.indices.clone());
        };
        let mut indices = watch.indices.clone();
        let terms = &mut self.w.terms;
        let width = watch.plan.open.unwrap_or(UNROLLED_INDEX_BITS);
        let zero = Index { count: terms.number(width, 0), beyond: terms.bool(false) };
        let index = match indices.get(&to) {
            Some(old) if blocks.contains(self.copy.block) => {
                let one = terms.number(width, 1);
                Index { count: terms.add(old.count, one), beyond: old.beyond }
            }
            _ => zero,
        };
        indices.insert(to, index);
        Rc::new(indices)
    }
    /// Merges the arrival numbers from one incoming edge of the current copy; `first` marks the first edge.
    pub(crate) fn join_indices(&mut self, cond: Term, new: &Rc<Indices>, first: bool) {
        let Some(watch) = &mut self.watch else { return };
        if first {
            watch.indices = (**new).clone();
            return;
        }
        let old = std::mem::take(&mut watch.indices);
        let terms = &mut self.w.terms;
        for (header, old) in old {
            if let Some(new) = new.get(&header) {
                let count = terms.ite(cond, new.count, old.count);
                let beyond = terms.ite(cond, new.beyond, old.beyond);
                watch.indices.insert(header, Index { count, beyond });
            }
        }
    }
}
