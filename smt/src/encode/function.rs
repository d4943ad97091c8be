//! Encodes one function: walks the copies of its blocks in schedule order, merging values and memory where paths join.
//!
//! A *path* is the condition under which execution reaches a point without earlier UB. Each instruction narrows the
//! path by the conditions that make it UB ([`Encoder::ub`]) and by calls that do not return. All exits of the function
//! (returns, diverging calls, UB, edges past the bound) are collected with their paths.

use crate::encode::attributes::Stated;
use crate::encode::memory::{Alloca, Memory};
use crate::encode::observe::{Indices, Observed, Plan, Watch};
use crate::encode::unroll::{Copy, Counters, EdgeEnd, Schedule};
use crate::encode::value::{Scalar, Sym, identical};
use crate::encode::world::{BLOCK_BITS, Choice, ChoiceKind, Evaluation, POINTER_BITS, Side, Uninit, World};
use crate::limits::Exhausted;
use crate::term::{Bits, Op, Term};
use backedge_ir::attr::{AttrList, FlagAttr};
use backedge_ir::body::{Body, Slots};
use backedge_ir::entity::{Block, EntitySet, FuncId, Inst, SecondaryMap};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::module::Module;
use backedge_ir::types::Type;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use thiserror::Error;

/// A feature that the encoder does not model.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{feature}")]
pub struct Unsupported {
    /// The side of the function.
    pub side: Side,
    /// The instruction; `None` for the function's signature.
    pub inst: Option<Inst>,
    /// Name of the feature.
    pub feature: String,
}

/// Why a function was not encoded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Halt {
    /// A feature is not modelled.
    Unsupported(Unsupported),
    /// A limit was reached.
    Exhausted(Exhausted),
}

/// A result, or the reason why there is none.
pub(crate) type Encoded<T> = Result<T, Halt>;

/// Values of instructions at a program point.
pub(crate) type Values = FxHashMap<Inst, Sym>;

/// A return.
#[derive(Clone, Debug)]
pub(crate) struct Return {
    pub(crate) path: Term,
    pub(crate) value: Option<Sym>,
    pub(crate) shared: Term,
    pub(crate) trace: Term,
}

/// An event that did not return, with the trace of calls up to it; or UB, with the trace up to the last earlier call
/// that might not have returned. (UB that is certain to happen may happen earlier, but not before an event that may
/// prevent it.)
#[derive(Clone, Copy, Debug)]
pub(crate) struct End {
    pub(crate) path: Term,
    pub(crate) trace: Term,
}

/// A CFG edge that one of its copies takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TakenEdge {
    pub(crate) from: Block,
    pub(crate) to: Block,
    pub(crate) path: Term,
}

/// All exits of the function.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ends {
    pub(crate) returns: Vec<Return>,
    /// Calls that did not return.
    pub(crate) stops: Vec<End>,
    /// Points of UB.
    pub(crate) ub: Vec<End>,
    /// Edges past the bound.
    pub(crate) cut: Vec<Cut>,
    /// Writes to memory that the function does not own, except writes by calls.
    pub(crate) writes: Vec<Write>,
    /// For each block, the conditions under which its copies are reached.
    pub(crate) reached: Vec<(Block, Term)>,
    /// For each edge, the conditions under which its copies are taken.
    pub(crate) taken: Vec<TakenEdge>,
    /// The bound in effect.
    pub(crate) bound: u32,
}

/// A write of some bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Write {
    pub(crate) inst: Inst,
    /// The condition under which the write is executed.
    pub(crate) path: Term,
    pub(crate) pointer: Term,
    pub(crate) bytes: Term,
}

/// A point at which a run exceeds the bound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    pub(crate) path: Term,
    /// The trace up to this point.
    pub(crate) trace: Term,
    /// The condition under which the run entered the loop through its header, and the trace before the entry.
    pub(crate) entry: Option<(Term, Term)>,
    /// The header of the loop; `None` within a library function.
    pub(crate) header: Option<Block>,
}

/// The state that arrives along an edge.
#[derive(Clone)]
pub(super) struct Incoming {
    pub(super) from: Block,
    pub(super) path: Term,
    pub(super) values: Rc<Values>,
    pub(super) memory: Memory,
    pub(super) indices: Rc<Indices>,
}

/// Encodes one side.
pub(crate) struct Encoder<'w, 'm> {
    pub(crate) w: &'w mut World,
    pub(crate) side: Side,
    pub(crate) module: &'m Module,
    pub(crate) func: FuncId,
    pub(crate) body: &'m Body,
    pub(crate) args: Vec<Sym>,
    slots: Slots,
    /// The condition under which the current point is reached.
    pub(crate) path: Term,
    pub(crate) memory: Memory,
    pub(crate) values: Values,
    pub(crate) copy: Copy,
    pub(crate) inst: Option<Inst>,
    /// Operands of the current call whose attributes change their value.
    pub(super) constrained: Vec<(Value, Sym)>,
    pub(crate) allocas: Vec<Alloca>,
    /// Allocas whose address does not escape.
    pub(crate) kept: EntitySet<Inst>,
    /// The subset of `kept` that is only accessed as whole values at fixed offsets.
    pub(crate) slotted: EntitySet<Inst>,
    choice_counts: FxHashMap<(Inst, Counters, ChoiceKind), u32>,
    /// Whether a proof step is encoded, rather than the whole function up to a bound.
    pub(crate) is_step: bool,
    /// Whether the encoding depends on the set of freed blocks.
    pub(crate) depends_on_frees: bool,
    /// Whether the encoded instructions were executed before, so that their choices are fixed.
    pub(crate) holds_results: bool,
    pub(crate) ends: Ends,
    /// Sink for observations, if any are requested.
    pub(crate) watch: Option<Watch>,
    /// Blocks that calls returned as new memory and whose address does not escape; null on paths without the call.
    pub(crate) owned: Vec<Term>,
    /// The condition under which the current call unwinds to a landing pad.
    pub(super) unwound: Option<Term>,
    /// Whether the function is returning, so that its own memory is dead.
    leaves: bool,
}

/// Maximum number of block copies: the formula grows with them. The bound is lowered if there are more.
const MANY_COPIES: usize = 4000;

impl<'w, 'm> Encoder<'w, 'm> {
    /// Encodes function `func` of `module`, called with `args`.
    pub(crate) fn encode(
        w: &'w mut World,
        side: Side,
        function: (&'m Module, FuncId),
        args: Vec<Sym>,
        bound: u32,
    ) -> Encoded<Ends> {
        let (mut encoder, schedule) = Self::new(w, side, function, args, bound)?;
        encoder.run(&schedule)?;
        Ok(encoder.ends)
    }
    /// Like [`Self::encode`], and also collects the observations of `plan`.
    pub(crate) fn encode_observed(
        w: &'w mut World,
        function: (&'m Module, FuncId),
        args: Vec<Sym>,
        bound: u32,
        plan: Plan,
    ) -> Encoded<(Ends, Observed)> {
        let (mut encoder, schedule) = Self::new(w, Side::Source, function, args, bound)?;
        encoder.start_watch(plan, &schedule)?;
        encoder.run(&schedule)?;
        encoder.align_allocas();
        let observed = encoder.watch.take().map(|w| w.observed).unwrap_or_default();
        Ok((encoder.ends, Observed { args: encoder.args, ..observed }))
    }
    fn new(
        w: &'w mut World,
        side: Side,
        function: (&'m Module, FuncId),
        args: Vec<Sym>,
        bound: u32,
    ) -> Encoded<(Self, Schedule)> {
        let mut encoder = Self { is_step: false, ..Self::bare(w, side, function, args)? };
        let schedule = Schedule::new(encoder.body, bound, MANY_COPIES)
            .ok_or_else(|| encoder.unsupported("a function of too many blocks"))?;
        encoder.ends.bound = schedule.bound();
        Ok((encoder, schedule))
    }
    /// An encoder at the entry of the function, before any instruction.
    pub(crate) fn bare(
        w: &'w mut World,
        side: Side,
        (module, func): (&'m Module, FuncId),
        args: Vec<Sym>,
    ) -> Encoded<Self> {
        let bare =
            |feature: &str| Halt::Unsupported(Unsupported { side, inst: None, feature: feature.to_owned() });
        let body = module.body(func).ok_or_else(|| bare("a function without a modelled body"))?;
        let entry = body.entry().ok_or_else(|| bare("a function without a block"))?;
        let yes = w.terms.bool(true);
        let uninit = w.layout.uninit(&mut w.terms, w.uninit);
        let local = w.terms.const_array(POINTER_BITS, uninit);
        let memory = Memory {
            shared: w.memory,
            local,
            slots: BTreeMap::new(),
            alive: Vec::new(),
            trace: w.start,
            firm: w.start,
            frees: w.start,
        };
        Ok(Self {
            w,
            side,
            module,
            func,
            body,
            args,
            slots: body.slots(),
            path: yes,
            memory,
            values: Values::default(),
            copy: Copy { block: entry, counters: Counters::new() },
            inst: None,
            constrained: Vec::new(),
            allocas: Vec::new(),
            kept: EntitySet::new(),
            slotted: EntitySet::new(),
            choice_counts: FxHashMap::default(),
            is_step: true,
            depends_on_frees: false,
            holds_results: false,
            ends: Ends::default(),
            watch: None,
            owned: Vec::new(),
            unwound: None,
            leaves: false,
        })
    }
    fn run(&mut self, schedule: &Schedule) -> Encoded<()> {
        self.kept = self.non_escaping_allocas();
        self.slotted = self.allocas_in_slots();
        self.memory.shared = self.write_constant_globals(self.memory.shared)?;
        self.check_arguments()?;
        self.walk(schedule)
    }

    /// Applies the parameters' attributes to the arguments.
    pub(crate) fn check_arguments(&mut self) -> Encoded<()> {
        let module = self.module;
        let header = &module.env.funcs[self.func];
        let types: Vec<Type> = self.body.args().map(|a| self.body.ty(a.into())).collect();
        for (i, ty) in types.into_iter().enumerate() {
            if let Some(list) = header.param_attrs.get(i) {
                let value = self.args[i].clone();
                self.args[i] = self.constrain(Stated { lists: &[list], metadata: &[] }, ty, value)?;
            }
        }
        Ok(())
    }

    fn walk(&mut self, schedule: &Schedule) -> Encoded<()> {
        let mut live = live_in(self.body);
        self.keep_watched(&mut live);
        let mut incoming: Vec<Vec<Incoming>> = vec![Vec::new(); schedule.copies.len()];
        // For each loop, the condition under which it is entered through its header, and the trace before.
        let mut begun: FxHashMap<usize, (Term, Term)> = FxHashMap::default();
        for (position, copy) in schedule.copies.iter().enumerate() {
            let arrivals = std::mem::take(&mut incoming[position]);
            if position > 0 && arrivals.is_empty() {
                continue;
            }
            self.copy = copy.clone();
            self.w.repeated = copy.counters.iter().copied().fold(self.w.repeated, u16::max);
            self.within_limits()?;
            if position > 0 {
                self.join(&arrivals, Some(&live[copy.block]))?;
                if self.w.terms.as_bool(self.path) == Some(false) {
                    continue;
                }
            }
            self.open_header(schedule)?;
            self.ends.reached.push((copy.block, self.path));
            if schedule.is_header(copy.block) && copy.counters.last() == Some(&0) {
                begun.insert(position, (self.path, self.memory.trace));
            }
            self.begin_visit();
            let edges = self.block()?;
            let values = Rc::new(std::mem::take(&mut self.values));
            self.end_visit(&values);
            for (to, cond) in edges {
                let path = self.w.terms.and(self.path, cond);
                if self.w.terms.as_bool(path) == Some(false) {
                    continue;
                }
                self.ends.taken.push(TakenEdge { from: copy.block, to, path });
                let indices = self.take_edge(to, path);
                match schedule.edge(copy, to) {
                    EdgeEnd::Cut => {
                        let entry = schedule.first_copy(copy, to).and_then(|at| begun.get(&at).copied());
                        let trace = self.memory.trace;
                        self.ends.cut.push(Cut { path, trace, entry, header: Some(to) });
                    }
                    EdgeEnd::Copy(next) => incoming[next].push(Incoming {
                        from: copy.block,
                        path,
                        values: values.clone(),
                        memory: self.memory.clone(),
                        indices,
                    }),
                }
            }
        }
        Ok(())
    }

    /// Stops if a limit has been reached.
    pub(super) fn within_limits(&mut self) -> Encoded<()> {
        self.w.exhausted().map_or(Ok(()), |limit| Err(Halt::Exhausted(limit)))
    }

    /// Merges the states that arrive at the current copy; of the values only the `live` ones, if given.
    pub(super) fn join(&mut self, arrivals: &[Incoming], live: Option<&EntitySet<Inst>>) -> Encoded<()> {
        let block = self.copy.block;
        let phis: Vec<Inst> = self.body.phis(block).collect();
        let mut values: Option<Values> = None;
        let (mut memory, mut path) = (arrivals[0].memory.clone(), self.w.terms.bool(false));
        for arrival in arrivals {
            self.within_limits()?;
            let mut here: Values = match live {
                Some(live) => {
                    live.iter().filter_map(|inst| Some((inst, arrival.values.get(&inst)?.clone()))).collect()
                }
                None => (*arrival.values).clone(),
            };
            self.values = (*arrival.values).clone();
            for &phi in &phis {
                self.inst = Some(phi);
                let value = self.body.incoming_from(phi, arrival.from);
                let value = value.ok_or_else(|| self.unsupported("a phi without an entry for an edge"))?;
                let mut value = self.value(value)?;
                if let InstKind::Phi(fast) = self.body.inst(phi).kind {
                    value = self.moved_float(self.body.inst(phi).ty, value, fast);
                }
                here.insert(phi, value);
            }
            self.join_indices(arrival.path, &arrival.indices, values.is_none());
            values = Some(match values {
                None => here,
                Some(old) => {
                    memory = self.join_memory(arrival.path, &arrival.memory, &memory)?;
                    self.join_values(arrival.path, here, &old)
                }
            });
            path = self.w.terms.or(path, arrival.path);
        }
        self.values = values.unwrap_or_default();
        self.memory = memory;
        self.path = path;
        Ok(())
    }
    pub(super) fn join_values(&mut self, cond: Term, new: Values, old: &Values) -> Values {
        let mut joined = Values::default();
        let mut keys: Vec<Inst> = new.keys().copied().filter(|k| old.contains_key(k)).collect();
        keys.sort_unstable();
        for key in keys {
            joined.insert(key, Sym::ite(&mut self.w.terms, cond, &new[&key], &old[&key]));
        }
        joined
    }
    pub(super) fn join_memory(&mut self, cond: Term, new: &Memory, old: &Memory) -> Encoded<Memory> {
        let mut slots = BTreeMap::new();
        for (&slot, value) in new.slots.iter().chain(&old.slots) {
            if slots.contains_key(&slot) {
                continue;
            }
            let joined = match (new.slots.get(&slot), old.slots.get(&slot)) {
                (Some(new), Some(old)) => Sym::ite(&mut self.w.terms, cond, new, old),
                (new, old) => {
                    let uninit = self.uninit_like(value);
                    Sym::ite(&mut self.w.terms, cond, new.unwrap_or(&uninit), old.unwrap_or(&uninit))
                }
            };
            slots.insert(slot, joined);
        }
        let terms = &mut self.w.terms;
        let no = terms.bool(false);
        let count = new.alive.len().max(old.alive.len());
        let at = |alive: &[Term], i: usize| alive.get(i).copied().unwrap_or(no);
        Ok(Memory {
            shared: terms.ite(cond, new.shared, old.shared),
            local: terms.ite(cond, new.local, old.local),
            slots,
            alive: (0..count).map(|i| terms.ite(cond, at(&new.alive, i), at(&old.alive, i))).collect(),
            trace: terms.ite(cond, new.trace, old.trace),
            firm: terms.ite(cond, new.firm, old.firm),
            frees: terms.ite(cond, new.frees, old.frees),
        })
    }
    /// An uninitialized value with the shape of `value`.
    fn uninit_like(&mut self, value: &Sym) -> Sym {
        let rule = self.w.uninit;
        let terms = &mut self.w.terms;
        value.map(&mut |s| {
            let width = terms.width(s.bits);
            match rule {
                Uninit::Undef => Scalar::undef(terms, width),
                Uninit::Poison => Scalar::poison(terms, width),
            }
        })
    }

    /// Encodes the current block; returns the condition of each edge, one entry per successor.
    pub(super) fn block(&mut self) -> Encoded<Vec<(Block, Term)>> {
        let body = self.body;
        for &inst in body.insts(self.copy.block) {
            let data = body.inst(inst);
            if data.kind.is_phi() {
                continue;
            }
            self.inst = Some(inst);
            self.within_limits()?;
            if data.kind.is_terminator() {
                return self.terminator(inst);
            }
            if let Some(value) = self.instruction(inst)? {
                self.values.insert(inst, value);
            }
            self.executed(inst);
        }
        Err(self.unsupported("a block without a terminator"))
    }

    fn terminator(&mut self, inst: Inst) -> Encoded<Vec<(Block, Term)>> {
        let data = self.body.inst(inst);
        let yes = self.w.terms.bool(true);
        match &data.kind {
            InstKind::Br => Ok(vec![(data.blocks[0], yes)]),
            InstKind::CondBr => {
                let condition = self.branch_operand(data.operands[0])?;
                let taken = self.w.terms.is_nonzero(condition);
                let not_taken = self.w.terms.not(taken);
                Ok(merge_edges(&mut self.w.terms, [(data.blocks[0], taken), (data.blocks[1], not_taken)]))
            }
            InstKind::Switch => {
                let condition = self.branch_operand(data.operands[0])?;
                let (mut edges, mut other) = (Vec::new(), yes);
                for (case, &block) in data.operands[1..].iter().zip(&data.blocks[1..]) {
                    let case = self.scalar(*case)?;
                    let taken = self.w.terms.eq(condition, case.bits);
                    edges.push((block, taken));
                    let not_taken = self.w.terms.not(taken);
                    other = self.w.terms.and(other, not_taken);
                }
                edges.push((data.blocks[0], other));
                Ok(merge_edges(&mut self.w.terms, edges))
            }
            InstKind::Ret => {
                let value = data.operands.first().map(|v| self.value(*v)).transpose()?;
                self.ret(value)?;
                Ok(Vec::new())
            }
            InstKind::Unreachable => {
                self.ub(yes);
                Ok(Vec::new())
            }
            InstKind::IndirectBr => self.indirect_br(inst),
            InstKind::Invoke(_) => self.invoke(inst),
            InstKind::CallBr(_) => self.call_br(inst),
            InstKind::Resume => {
                let exception = self.value(data.operands[0])?;
                self.resume(inst, exception);
                Ok(Vec::new())
            }
            _ => Err(self.unsupported(&format!("the instruction `{}`", data.kind.mnemonic()))),
        }
    }
    /// The condition of a branch: UB if it is poison or undef.
    pub(super) fn branch_operand(&mut self, value: Value) -> Encoded<Term> {
        let condition = self.scalar(value)?;
        let undef = condition.has_undef(&mut self.w.terms);
        let bad = self.w.terms.or(condition.poison, undef);
        self.ub(bad);
        Ok(condition.bits)
    }
    /// Whether a block belongs to the function that is returning: an alloca, or the copy for a `byval` parameter.
    pub(crate) fn is_left(&mut self, block: Term) -> Term {
        if !self.leaves {
            return self.w.terms.bool(false);
        }
        let mut own = self.w.terms.bit(block, BLOCK_BITS - 1);
        let numbers: Vec<u32> = self.allocas.iter().map(|alloca| alloca.number).collect();
        let copies = self.w.copies.clone();
        let numbers =
            numbers.into_iter().map(|n| self.w.terms.number(BLOCK_BITS, n.into())).collect::<Vec<_>>();
        for other in numbers.into_iter().chain(copies) {
            let same = self.w.terms.eq(block, other);
            own = self.w.terms.or(own, same);
        }
        own
    }
    fn ret(&mut self, value: Option<Sym>) -> Encoded<()> {
        let header = &self.module.env.funcs[self.func];
        let broken = self.module.env.has_attr(&header.attrs, FlagAttr::NoReturn);
        let broken = self.w.terms.bool(broken);
        self.ub(broken);
        let value = match value {
            Some(value) => {
                let value = self.as_returned(value)?;
                self.leaves = true;
                let stated = Stated { lists: &[&header.ret_attrs], metadata: &[] };
                Some(self.constrain(stated, header_return(self.module, self.func), value)?)
            }
            None => None,
        };
        self.leaves = false;
        let shared = self.without_owned(self.memory.shared);
        self.ends.returns.push(Return { path: self.path, value, shared, trace: self.memory.trace });
        Ok(())
    }

    /// The returned value: poison if a `returned` parameter has another value.
    fn as_returned(&mut self, value: Sym) -> Encoded<Sym> {
        let header = &self.module.env.funcs[self.func];
        let Some(i) = self.returned_of(&header.param_attrs) else { return Ok(value) };
        let types = self.module.env.types.signature(header.ty);
        if types.is_none_or(|(ret, params, _)| params.get(i) != Some(&ret)) {
            return Err(self.unsupported("`returned` on a parameter of another type than the result's"));
        }
        let same = identical(&mut self.w.terms, &self.args[i], &value);
        let other = self.w.terms.not(same);
        Ok(value.map(&mut |s| s.or_poison(&mut self.w.terms, other)))
    }
    /// The index of the parameter or argument with the attribute `returned`.
    pub(crate) fn returned_of(&self, lists: &[AttrList]) -> Option<usize> {
        lists.iter().position(|list| self.module.env.has_attr(list, FlagAttr::Returned))
    }

    /// Records UB under `cond` and narrows the path to the rest.
    pub(crate) fn ub(&mut self, cond: Term) {
        let terms = &mut self.w.terms;
        if terms.as_bool(cond) == Some(false) {
            return;
        }
        let here = terms.and(self.path, cond);
        let fine = terms.not(cond);
        self.path = terms.and(self.path, fine);
        let trace = self.memory.firm;
        match self.ends.ub.last_mut() {
            Some(last) if last.trace == trace => last.path = terms.or(last.path, here),
            _ => self.ends.ub.push(End { path: here, trace }),
        }
    }
    /// Narrows the path to `cond`; the other runs stop here.
    pub(crate) fn stop_unless(&mut self, cond: Term, trace: Term) {
        let stops = self.w.terms.not(cond);
        let here = self.w.terms.and(self.path, stops);
        if self.w.terms.as_bool(here) != Some(false) {
            self.ends.stops.push(End { path: here, trace });
        }
        self.path = self.w.terms.and(self.path, cond);
    }

    /// A choice of this side for the bits in `open`.
    pub(crate) fn choice(&mut self, kind: ChoiceKind, open: Term) -> Term {
        self.choice_for(kind, open, None)
    }
    /// A choice for an evaluation. If the encoded instructions were executed before, the choice is already fixed and is
    /// not added to the open choices.
    pub(crate) fn choice_for(&mut self, kind: ChoiceKind, open: Term, of: Option<Evaluation>) -> Term {
        let width = self.w.terms.width(open);
        let inst = self.inst.expect("choices are made at instructions");
        let count = self.choice_counts.entry((inst, self.copy.counters.clone(), kind)).or_insert(0);
        let index = *count;
        *count += 1;
        let label = self.label(inst);
        let var = self.w.fresh(&format!("choice {label}"), width);
        let choice = Choice {
            inst,
            label,
            counters: self.copy.counters.clone(),
            kind,
            index,
            var,
            open,
            made: self.path,
            of,
        };
        match (self.holds_results, self.side) {
            (false, side) => self.w.choices[side.index()].push(choice),
            (true, Side::Target) => self.w.held.push(choice),
            (true, Side::Source) => {}
        }
        var
    }
    /// The name or number of an instruction, or its position if it has no result.
    pub(crate) fn label(&self, inst: Inst) -> Arc<str> {
        if let Some(name) = self.body.value_name(inst.into()) {
            return name.into();
        }
        match self.slots.insts[inst] {
            Some(number) => number.to_string().into(),
            None => {
                let block = self.copy.block;
                let at = self.body.insts(block).iter().position(|i| *i == inst).unwrap_or_default();
                format!("{}:{at}", self.slots.block_label(self.body, block)).into()
            }
        }
    }
    /// One use of a scalar: chooses its undef bits.
    pub(crate) fn used(&mut self, scalar: Scalar) -> Scalar {
        if self.w.terms.as_bits(scalar.undef).is_some_and(crate::term::Bits::is_zero) {
            return scalar;
        }
        self.w.approximate("undef bits are chosen once for all uses of a value computed from them");
        let width = self.w.terms.width(scalar.bits);
        let chosen = self.choice(ChoiceKind::Undef, scalar.undef);
        let terms = &mut self.w.terms;
        Scalar {
            bits: choose(terms, scalar.bits, scalar.undef, chosen),
            undef: terms.number(width, 0),
            ..scalar
        }
    }

    /// The value of an operand.
    pub(crate) fn value(&mut self, value: Value) -> Encoded<Sym> {
        if let Some((_, constrained)) = self.constrained.iter().find(|(of, _)| *of == value) {
            return Ok(constrained.clone());
        }
        match value {
            Value::Arg(arg) => Ok(self.args[backedge_ir::entity::EntityId::index(arg)].clone()),
            Value::Const(c) => self.constant(self.body.consts(), c),
            Value::Inst(inst) => match self.values.get(&inst) {
                Some(value) => Ok(value.clone()),
                // No definition reaches this use, so the use is unreachable.
                None => self.poison_of(self.body.inst(inst).ty),
            },
        }
    }
    /// The value of an operand that is a scalar.
    pub(crate) fn scalar(&mut self, value: Value) -> Encoded<Scalar> {
        match self.value(value)? {
            Sym::Scalar(scalar) => Ok(scalar),
            Sym::List(_) => Err(self.unsupported("an aggregate in place of a scalar")),
        }
    }
    /// The type of an operand.
    pub(crate) fn ty(&self, value: Value) -> Type {
        self.body.ty(value)
    }
}

/// `chosen` where `mask` is set, else `bits`.
pub(crate) fn choose(terms: &mut crate::term::Terms, bits: Term, mask: Term, chosen: Term) -> Term {
    if terms.op(mask) == Op::Ite {
        let [which, then, other] = [terms.args(mask)[0], terms.args(mask)[1], terms.args(mask)[2]];
        let is = |arm: Term, test: fn(&Bits) -> bool| terms.as_bits(arm).is_some_and(test);
        // The mask has all bits or none set: this form folds as soon as one of the two is known.
        if is(then, Bits::is_ones) && is(other, Bits::is_zero) {
            return terms.ite(which, chosen, bits);
        }
        if is(then, Bits::is_zero) && is(other, Bits::is_ones) {
            return terms.ite(which, bits, chosen);
        }
    }
    let fixed = terms.bv_not(mask);
    let (kept, new) = (terms.bv_and(bits, fixed), terms.bv_and(chosen, mask));
    terms.bv_or(kept, new)
}

/// The return type of a function.
fn header_return(module: &Module, func: FuncId) -> Type {
    let env = &module.env;
    env.types.signature(env.funcs[func].ty).map_or(Type::VOID, |(ret, ..)| ret)
}

/// Merges edges with the same target; their conditions are joined by `or`.
pub(super) fn merge_edges(
    terms: &mut crate::term::Terms,
    edges: impl IntoIterator<Item = (Block, Term)>,
) -> Vec<(Block, Term)> {
    let mut merged: Vec<(Block, Term)> = Vec::new();
    for (block, cond) in edges {
        match merged.iter_mut().find(|(b, _)| *b == block) {
            Some(entry) => entry.1 = terms.or(entry.1, cond),
            None => merged.push((block, cond)),
        }
    }
    merged
}

/// The live-in values of each block: values used in the block or after it. A phi operand counts as a use at the end of
/// its predecessor.
pub(crate) fn live_in(body: &Body) -> SecondaryMap<Block, EntitySet<Inst>> {
    let mut live: SecondaryMap<Block, EntitySet<Inst>> = SecondaryMap::new();
    // For each definition, walk backward from its uses to the definition.
    let mut work = Vec::new();
    for def in body.all_insts() {
        let home = body.block_of(def);
        for use_ in body.uses(def.into()) {
            let user = body.inst(use_.user);
            let from = match user.kind {
                InstKind::Phi(_) => Some(user.blocks[use_.index as usize]),
                _ => body.block_of(use_.user),
            };
            let Some(block) = from else { continue };
            if Some(block) != home {
                work.push((block, def));
            }
        }
    }
    let cfg = backedge_ir::cfg::Cfg::new(body);
    while let Some((block, def)) = work.pop() {
        if Some(block) == body.block_of(def) || !live[block].insert(def) {
            continue;
        }
        for &pred in cfg.preds(block) {
            work.push((pred, def));
        }
    }
    live
}
