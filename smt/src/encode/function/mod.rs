//! Encodes one function: walks the copies of its blocks in schedule order, merging values and memory where paths join.
//!
//! A *path* is the condition under which execution reaches a point without earlier UB. Each instruction narrows the
//! path by the conditions that make it UB ([`Encoder::ub`]) and by calls that do not return. All exits of the function
//! (returns, diverging calls, UB, edges past the bound) are collected with their paths.

mod choices;
mod ends;
mod halt;
mod join;
mod terminator;

use super::observed::Values;
use crate::encode::memory::{Alloca, Memory};
use crate::encode::observed::{Observed, Plan, Watch};
use crate::encode::stated::Stated;
use crate::encode::unroll::{Copy, Counters, EdgeEnd, Schedule};
use crate::encode::value::{Scalar, Sym};
use crate::encode::world::Side;
use crate::encode::world::{ChoiceKind, POINTER_BITS, World};
use crate::term::Term;
use backedge_ir::body::{Body, Slots};
use backedge_ir::entity::{EntitySet, FuncId, Inst};
use backedge_ir::inst::Value;
use backedge_ir::module::Module;
use backedge_ir::types::Type;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

pub(crate) use choices::choose;
pub(crate) use ends::{Cut, End, Ends, Return, TakenEdge, Write};
pub use halt::Unsupported;
pub(crate) use halt::{Encoded, Halt};
pub(super) use join::Incoming;
pub(crate) use join::live_in;
pub(super) use terminator::merge_edges;

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

/// Maximum number of block copies; the bound is lowered if there are more.
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
