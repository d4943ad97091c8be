//! What is recorded of a function besides how it ends: values, paths and the numbers of iterations at each point, for
//! those who have something to say about points inside.
//!
//! Either loops are unrolled up to the bound, or each of them is *open*: its header is visited once, in a state in
//! which the phis, memory and the number of the iteration are anything, and its backedges end. Each arrival at a header
//! in a run of the function is then one of the states that the visit describes; what holds of all of them must be said
//! by invariants, which the reader of the record brings and proves on the edges to the header.

use crate::encode::function::{Encoded, Encoder, Values};
use crate::encode::unroll::{Counters, Schedule};
use crate::encode::value::Sym;
use crate::encode::world::BLOCK_BITS;
use crate::term::Term;
use backedge_ir::cfg::Cfg;
use backedge_ir::dominators::Dominators;
use backedge_ir::entity::{Block, Const, EntitySet, Inst, SecondaryMap};
use backedge_ir::inst::InstKind;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What is to be observed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    /// Instructions whose results are wanted wherever they are defined, even behind their last use.
    pub(crate) keep: EntitySet<Inst>,
    /// Constants whose values are wanted.
    pub(crate) constants: Vec<Const>,
    /// The natural loops: header and blocks.
    pub(crate) loops: Vec<(Block, EntitySet<Block>)>,
    /// Whether loops are open; the width of the number of an iteration otherwise than in the unrolled form.
    pub(crate) open: Option<u32>,
}

/// How many backedges of a loop have been taken since it was entered: the number of the last arrival at its header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Index {
    /// The number; of an open loop, its low bits.
    pub(crate) count: Term,
    /// Whether the number has higher bits.
    pub(crate) beyond: Term,
}

/// The number of the last arrival at each header that has been reached on every path.
pub(crate) type Indices = BTreeMap<Block, Index>;

/// A visit of a block in one of its copies.
#[derive(Clone, Debug)]
pub(crate) struct Visit {
    pub(crate) block: Block,
    pub(crate) counters: Counters,
    /// The path behind the phis.
    pub(crate) begin: Term,
    /// The path behind each instruction that goes on.
    pub(crate) after: FxHashMap<Inst, Term>,
    /// The paths along the edges.
    pub(crate) edges: Vec<(Block, Term)>,
    /// The values at the end, which are those at each point for what is defined there.
    pub(crate) values: Rc<Values>,
    pub(crate) indices: Rc<Indices>,
}

/// The record.
#[derive(Clone, Debug, Default)]
pub(crate) struct Observed {
    /// In an order in which every edge leads forward, but for backedges of open loops.
    pub(crate) visits: Vec<Visit>,
    pub(crate) args: Vec<Sym>,
    pub(crate) constants: FxHashMap<Const, Sym>,
}

/// An observation under way.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watch {
    plan: Plan,
    indices: Indices,
    pub(crate) observed: Observed,
}

/// Width of the number of an iteration in the unrolled form.
pub(crate) const UNROLLED_INDEX_BITS: u32 = 17;

impl Encoder<'_, '_> {
    /// Observes from here on.
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
            // What is not modelled has no value: who asks for it sees that.
            if let Ok(value) = self.constant(self.body.consts(), constant) {
                observed.constants.insert(constant, value);
            }
        }
        self.watch = Some(Watch { plan, indices: Indices::new(), observed });
        Ok(())
    }
    /// Adds what is to be kept to the values that are carried into each block.
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
    /// At the header of an open loop: the state becomes any.
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
    /// Says of all allocas where they may lie: their addresses are looked at.
    pub(crate) fn align_allocas(&mut self) {
        for alloca in self.allocas.clone() {
            let block = self.w.terms.number(BLOCK_BITS, alloca.number.into());
            let base = self.w.base_of(block);
            self.w.align_base(base, alloca.align);
        }
    }
    /// Begins the record of the present copy.
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
    /// `inst` has been executed where the path goes on.
    pub(crate) fn executed(&mut self, inst: Inst) {
        if let Some(visit) = self.watch.as_mut().and_then(|w| w.observed.visits.last_mut()) {
            visit.after.insert(inst, self.path);
        }
    }
    /// Ends the record of the present copy.
    pub(crate) fn end_visit(&mut self, values: &Rc<Values>) {
        if let Some(visit) = self.watch.as_mut().and_then(|w| w.observed.visits.last_mut()) {
            visit.values = values.clone();
        }
    }
    /// An edge of the present copy is taken under `path`; the numbers of arrivals behind it.
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
    /// Takes what comes along one of the edges to the present copy, the first one or another.
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
