//! Evaluates the encoder's formula for one function in one situation: on given inputs, choices and answers of the
//! environment, without the solver. Tests compare the encoder with the interpreter this way.
//!
//! Variables of the formula get values in order of creation, because a choice or a call only depends on earlier ones:
//! first the inputs, then each choice, floating-point operation and external call as [`Environment`] decides. The
//! encoder's axioms are evaluated too. An axiom that does not hold is an encoder bug, because it would have excluded an
//! existing run.

use super::inputs::Given;
use super::witness::{ConcreteBlock, ConcreteByte, ConcreteValue, Pointer};
use super::{FunctionRef, Reason, halted, inputs};
use crate::encode::Byte;
use crate::encode::filling::{Filling, Open};
use crate::encode::function::{Encoder, Ends};
use crate::encode::jump::name_of;
use crate::encode::memory::POINTER_OF_INTEGER;
use crate::encode::value::Sym;
use crate::encode::world::{
    BLOCK_BITS, ChoiceKind, LOCAL_BLOCK, LibraryModel, OFFSET_BITS, POINTER_BITS, Side, UNKNOWN_BLOCK,
    Uninit, World,
};
use crate::limits::Limits;
use crate::term::{ArrayValue, Bits, Sort, Term};
use backedge_ir::body::Body;
use backedge_ir::entity::{Arg, Inst};
use backedge_ir::module::Env;
use rustc_hash::FxHashMap;
use std::collections::HashSet;
use std::sync::Arc;

pub use crate::encode::{RESUMED, THROUGH_POINTER};

/// Inputs of a run.
#[derive(Clone, Debug, Default)]
pub struct Situation {
    /// The arguments.
    pub args: Vec<ConcreteValue>,
    /// The caller's memory. Block numbers are those of [`Denotation::named_block`] for globals and for blocks of one
    /// argument, and those of [`Denotation::unnamed_block`] for other blocks.
    pub blocks: Vec<ConcreteBlock>,
}

/// An external call or volatile access as the encoder sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeenCall {
    /// The instruction.
    pub inst: Inst,
    /// Name of the callee.
    pub callee: Arc<str>,
    /// The arguments; for an indirect call, the pointer is the first one.
    pub args: Vec<ConcreteValue>,
    /// Contents of the blocks of the situation, if the call may see memory.
    pub memory: Option<Vec<Vec<ConcreteByte>>>,
    /// Whether the call is observable.
    pub observable: bool,
    /// Whether the call has a result.
    pub has_result: bool,
}

/// The environment's answer to a call.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CallAnswer {
    /// The result, if there is one.
    pub result: Option<ConcreteValue>,
    /// Whether the call returns.
    pub returns: bool,
    /// Whether the call unwinds, if it does not return.
    pub throws: bool,
    /// Bytes that the call writes, as (block number, offset, value).
    pub writes: Vec<(u32, u64, u8)>,
}

/// Decides everything that the situation leaves open.
pub trait Environment {
    /// The value of the `open` bits at a use or a freeze, packed: the lowest result bit is for the lowest open bit.
    fn choose(&mut self, inst: Inst, kind: ChoiceKind, open: u128) -> u128;
    /// The answer to a call.
    fn answer(&mut self, call: &SeenCall) -> CallAnswer;
    /// The result of the floating-point operation with the encoder's key `key`, on these operand bits.
    fn operate(&mut self, key: &str, operands: &[u128]) -> u128;
}

/// The end of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Behaviour {
    /// A return with a value, or without one for `void`.
    Returned(Option<ConcreteValue>),
    /// A call that does not return.
    Stopped,
    /// Undefined behavior.
    Undefined,
    /// An iteration past the bound.
    BeyondBound,
}

/// The behavior of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Described {
    /// The end of the run; `None` if the formula gives no end or several, which is an encoder bug.
    pub behaviour: Option<Behaviour>,
    /// Calls and volatile accesses that happen, in order, with their answers.
    pub calls: Vec<(SeenCall, CallAnswer)>,
    /// For a run with UB, the number of observable calls that surely precede it.
    pub firm_calls: usize,
    /// Final contents of the blocks of the situation, if the function returned. Bytes that nobody reads afterward are
    /// poison.
    pub memory: Vec<Vec<ConcreteByte>>,
    /// Printed axioms that do not hold in this run.
    pub broken_facts: Vec<String>,
}

/// An encoded function.
pub struct Denotation {
    world: World,
    ends: Ends,
    args: Vec<Sym>,
}

impl std::fmt::Debug for Denotation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Denotation").field("terms", &self.world.terms.len()).finish_non_exhaustive()
    }
}

impl Denotation {
    /// Encodes `function` up to `bound` backedges of a loop per entry. `undef_inputs` allows undef bits in arguments
    /// and initial memory. Library functions are encoded byte by byte. Returns [`Reason::TooLarge`] as soon as the
    /// formula exceeds `most_terms` terms.
    pub fn new(
        function: FunctionRef<'_>,
        uninit: Uninit,
        undef_inputs: bool,
        bound: u32,
        most_terms: usize,
    ) -> Result<Self, Reason> {
        let encode = |undef_memory| {
            let limits = Limits::of_terms(most_terms);
            let given = Given { uninit, undef: undef_inputs, undef_memory, poison: true };
            let (mut world, args) = inputs::prepare(function, function, given, limits)?;
            world.library = LibraryModel::Bytes;
            let place = (function.module, function.func);
            let ends = Encoder::encode(&mut world, Side::Source, place, args.clone(), bound)
                .map_err(|halt| halted(halt, &world))?;
            Ok(Self { world, ends, args })
        };
        let first: Self = encode(false)?;
        if first.world.needs_undef_mask { encode(true) } else { Ok(first) }
    }
    /// The block number of a global, or of the argument `%name` if it has a block of its own.
    pub fn named_block(&self, name: &str) -> Option<u32> {
        let at = self.world.blocks.iter().position(|b| &*b.name == name)?;
        Some(at as u32 + 1)
    }
    /// The block numbers of the module's block addresses.
    pub fn labels(&self, env: &Env) -> HashSet<u32> {
        let names = env.block_addresses.values().map(|block| name_of(env, block));
        names.filter_map(|name| self.named_block(&name)).collect()
    }
    /// The block number of an argument, if it has a block of its own.
    pub fn argument_block(&self, body: &Body, arg: Arg) -> Option<u32> {
        self.named_block(&format!("%{}", inputs::argument_name(body, arg)))
    }
    /// The block number of the caller's unnamed block with index `index`.
    pub fn unnamed_block(index: u32) -> u32 {
        UNKNOWN_BLOCK + index
    }
    /// Whether bytes can be parts of pointers. If the function handles no pointers in memory, all bytes are plain
    /// numbers.
    pub fn has_pointer_bytes(&self) -> bool {
        self.world.layout.pointers
    }
    /// Whether the function converts integers to pointers, which then belong to a block.
    pub fn makes_pointers(&self) -> bool {
        self.world.approximations.iter().any(|a| *a.0 == *POINTER_OF_INTEGER)
    }
    /// Number of terms of the formula.
    pub fn terms(&self) -> usize {
        self.world.terms.len()
    }

    /// The behavior of the function in `situation`.
    pub fn describe(&mut self, situation: &Situation, environment: &mut dyn Environment) -> Described {
        let filling = Filling::new(&mut self.world);
        let mut run = DenotedRun { filling, situation, calls: Vec::new(), traces: 1 };
        run.inputs(&self.args);
        run.open_variables(environment);
        run.read(&self.ends)
    }
}

/// A run whose variables get their values from a situation and an environment.
struct DenotedRun<'d> {
    filling: Filling<'d>,
    situation: &'d Situation,
    /// Calls that happen, with their answers and the traces after them.
    calls: Vec<(SeenCall, CallAnswer, u128)>,
    traces: u128,
}

impl DenotedRun<'_> {
    fn inputs(&mut self, args: &[Sym]) {
        let situation = self.situation;
        for (sym, value) in args.iter().zip(&situation.args) {
            self.argument(sym, value);
        }
        self.memory();
        let at = |number: u32| Bits::new(BLOCK_BITS, number.into());
        let offset = |value: u64| Bits::new(OFFSET_BITS, value.into());
        // Blocks owned by the function are far from all other blocks and from each other.
        let mut sizes = ArrayValue::constant(BLOCK_BITS, Bits::zero(OFFSET_BITS));
        let mut bases = ArrayValue::constant(BLOCK_BITS, offset(0x3000_0000));
        let mut read_only = ArrayValue::constant(BLOCK_BITS, Bits::zero(1));
        let mut blocks = ArrayValue::constant(OFFSET_BITS, Bits::zero(BLOCK_BITS));
        // Start addresses and distances (as shifts) of the blocks of each kind, and the size of a block without a known
        // size.
        let narrow = self.filling.world.layout.address_bits < 32;
        let (locals, known, apart, size) =
            if narrow { (0x4004, 0x8000, 8, 0x80) } else { (0x3100_0004, 0x3800_0000, 16, 0x1000) };
        for local in 0..64 {
            // The alignment is that of allocas without an explicit alignment.
            bases.set(at(LOCAL_BLOCK + local), offset(locals + (u64::from(local) << apart)));
        }
        bases.set(at(0), offset(0));
        let mut free: u64 = known + (1 << apart);
        for number in 1..=self.filling.world.blocks.len() as u32 {
            let block = self.filling.world.blocks[number as usize - 1].clone();
            let size = block.size.map_or(size, |size| self.filling.number(size));
            sizes.set(at(number), Bits::new(OFFSET_BITS, size));
            read_only.set(at(number), Bits::new(1, block.read_only.unwrap_or(false).into()));
            let multiple = free.checked_next_multiple_of(block.align.max(1 << apart)).unwrap_or(free);
            let base = multiple.saturating_add(block.align);
            bases.set(at(number), offset(base));
            free = base.saturating_add(u64::try_from(size).unwrap_or(u64::MAX)).saturating_add(1);
        }
        for block in &situation.blocks {
            sizes.set(at(block.number), offset(block.size));
            bases.set(at(block.number), offset(block.base));
            read_only.set(at(block.number), Bits::new(1, block.read_only.into()));
            for i in 0..=block.size {
                blocks.set(offset(block.base + i), at(block.number));
            }
        }
        let world = &self.filling.world;
        let arrays = [
            (world.sizes, sizes),
            (world.bases, bases),
            (world.read_only, read_only),
            (world.int_to_block, blocks),
        ];
        for (variable, array) in arrays {
            self.filling.put(variable, array);
        }
        self.filling.forget();
    }
    fn argument(&mut self, sym: &Sym, value: &ConcreteValue) {
        match (sym, value) {
            (Sym::List(list), ConcreteValue::List(values)) => {
                list.iter().zip(values).for_each(|(s, v)| self.argument(s, v));
            }
            (Sym::List(list), value) => list.iter().for_each(|s| self.argument(s, value)),
            (Sym::Scalar(scalar), value) => {
                let width = self.filling.world.terms.width(scalar.bits);
                let (bits, poison, undef) = match value {
                    ConcreteValue::Poison | ConcreteValue::List(_) => (0, true, 0),
                    ConcreteValue::UndefPointer => (0, false, 1),
                    ConcreteValue::Bits { bits, undef, .. } => (*bits, false, *undef),
                    ConcreteValue::Pointer(p) => (p.bits(), false, 0),
                };
                // The term wraps the variable in the argument's own block.
                let variables = self.filling.world.terms.variables(&[scalar.bits]);
                for variable in variables {
                    if self.filling.world.terms.sort(variable) == Sort::BitVec(width) {
                        self.filling.set(variable, bits);
                    }
                }
                self.filling.set_if_variable(scalar.poison, poison);
                for variable in self.filling.world.terms.variables(&[scalar.undef]) {
                    self.filling.set(variable, undef);
                }
            }
        }
    }
    fn byte(&mut self, byte: ConcreteByte) -> Bits {
        let layout = self.filling.world.layout;
        let terms = &mut self.filling.world.terms;
        let [value, poison, undef] = [byte.value, byte.poison, byte.undef].map(|b| terms.number(8, b.into()));
        let term = match byte.pointer {
            None => layout.plain(terms, value, poison, undef),
            Some((pointer, part)) => {
                let pointer = terms.number(POINTER_BITS, pointer.bits());
                layout.of_pointer(terms, pointer, part, poison, undef)
            }
        };
        self.filling.world.terms.as_bits(term).expect("of constants").clone()
    }
    fn memory(&mut self) {
        let situation = self.situation;
        let mut memory =
            ArrayValue::constant(POINTER_BITS, Bits::zero(self.filling.world.layout.byte_bits()));
        for block in &situation.blocks {
            for (at, byte) in block.bytes.iter().enumerate() {
                let byte = self.byte(*byte);
                memory.set(place(block.number, at as u64), byte);
            }
        }
        self.filling.put(self.filling.world.memory, memory);
        self.filling.set(self.filling.world.start, 0);
    }

    /// Gives values to all open variables, in order of creation.
    fn open_variables(&mut self, environment: &mut dyn Environment) {
        for item in self.filling.open(&[Side::Source]) {
            match item {
                Open::Choice(side, i) => {
                    let choice = self.filling.world.choices[side.index()][i].clone();
                    let mask = self.filling.number(choice.open);
                    let mut bits = 0;
                    if mask != 0 && self.filling.truth(choice.made) {
                        bits = unpack(environment.choose(choice.inst, choice.kind, mask), mask);
                    }
                    self.filling.set(choice.var, bits);
                }
                Open::Operation(i) => {
                    let op = self.filling.world.opaque_ops[i].clone();
                    let operands: Vec<u128> = op.args.iter().map(|a| self.filling.number(*a)).collect();
                    let result = environment.operate(&op.key, &operands);
                    self.filling.set(op.result, result);
                }
                Open::Event(i) => self.event(i, environment),
                Open::Cleared(i) => self.filling.clear(i),
            }
        }
    }
    fn event(&mut self, index: usize, environment: &mut dyn Environment) {
        let event = self.filling.world.events[index].clone();
        self.traces += 1;
        if let Some(after) = event.after {
            self.filling.set(after, self.traces);
        }
        if !self.filling.truth(event.happens) {
            return;
        }
        let call = SeenCall {
            inst: event.inst,
            callee: event.callee.clone(),
            args: event.args.iter().map(|a| self.concrete(a)).collect(),
            memory: event.memory.map(|m| self.contents(m)),
            observable: event.after.is_some(),
            has_result: event.result.is_some(),
        };
        let answer = environment.answer(&call);
        if let (Some(sym), Some(value)) = (&event.result, &answer.result) {
            self.argument(sym, value);
        }
        self.filling.set_if_variable(event.returns, answer.returns);
        self.filling.set_if_variable(event.throws, answer.throws);
        if let (Some(leaves), Some(touched)) = (event.leaves, &event.touched) {
            let bytes: FxHashMap<(u32, u64), Bits> = answer
                .writes
                .iter()
                .map(|&(block, offset, value)| {
                    let byte = ConcreteByte { value, poison: 0, undef: 0, pointer: None };
                    ((block, offset), self.byte(byte))
                })
                .collect();
            self.filling.leave(leaves, touched, |block, offset| bytes.get(&(block, offset)).cloned());
        } else if let (Some(leaves), Some(before)) = (event.leaves, event.memory) {
            let before = self.filling.value(before);
            let mut after = before.as_array().expect("memory is an array").clone();
            for &(block, offset, value) in &answer.writes {
                let byte = self.byte(ConcreteByte { value, poison: 0, undef: 0, pointer: None });
                after.set(place(block, offset), byte);
            }
            self.filling.put(leaves, after);
        }
        self.calls.push((call, answer, self.traces));
    }

    fn concrete(&mut self, sym: &Sym) -> ConcreteValue {
        let scalar = match sym {
            Sym::List(list) => return ConcreteValue::List(list.iter().map(|e| self.concrete(e)).collect()),
            Sym::Scalar(scalar) => *scalar,
        };
        if self.filling.truth(scalar.poison) {
            return ConcreteValue::Poison;
        }
        let width = self.filling.world.terms.width(scalar.bits);
        let (bits, undef) = (self.filling.number(scalar.bits), self.filling.number(scalar.undef));
        match width {
            POINTER_BITS if undef != 0 => ConcreteValue::UndefPointer,
            POINTER_BITS => ConcreteValue::Pointer(pointer(bits)),
            _ => ConcreteValue::Bits { width, bits: bits & !undef, undef },
        }
    }
    /// Contents of the blocks of the situation in `memory`.
    fn contents(&mut self, memory: Term) -> Vec<Vec<ConcreteByte>> {
        let value = self.filling.value(memory);
        let array = value.as_array().expect("memory is an array");
        let blocks = &self.situation.blocks;
        blocks
            .iter()
            .map(|block| {
                let bytes = 0..block.bytes.len() as u64;
                bytes
                    .map(|at| concrete_byte(self.filling.world, array.get(&place(block.number, at))))
                    .collect()
            })
            .collect()
    }
    /// Sets bytes of `memory` to poison if nobody reads them after the function ends.
    fn bury(&mut self, memory: &mut [Vec<ConcreteByte>]) {
        if self.filling.world.dead.is_empty() {
            return;
        }
        for (block, bytes) in self.situation.blocks.iter().zip(memory) {
            for (byte, at) in bytes.iter_mut().zip(0..) {
                let world = &mut *self.filling.world;
                let place = world.terms.constant(place(block.number, at));
                let dead = world.is_dead(place);
                if self.filling.truth(dead) {
                    *byte = ConcreteByte { value: 0, poison: 0xff, undef: 0, pointer: None };
                }
            }
        }
    }
    fn read(mut self, ends: &Ends) -> Described {
        let mut found = Vec::new();
        let mut memory = Vec::new();
        for end in &ends.returns {
            if self.filling.truth(end.path) {
                let value = end.value.as_ref().map(|v| self.concrete(v));
                memory = self.contents(end.shared);
                self.bury(&mut memory);
                found.push(Behaviour::Returned(value));
            }
        }
        let mut firm_calls = 0;
        for end in &ends.ub {
            if self.filling.truth(end.path) {
                let trace = self.filling.number(end.trace);
                firm_calls = self.calls.iter().filter(|c| c.0.observable && c.2 <= trace).count();
                found.push(Behaviour::Undefined);
            }
        }
        let stops = ends.stops.iter().filter(|e| self.filling.truth(e.path)).count();
        found.extend(std::iter::repeat_n(Behaviour::Stopped, stops));
        let cut = ends.cut.iter().filter(|e| self.filling.truth(e.path)).count();
        found.extend(std::iter::repeat_n(Behaviour::BeyondBound, cut));
        let behaviour = if found.len() == 1 { found.pop() } else { None };
        let axioms = self.filling.world.axioms.clone();
        let broken = axioms.into_iter().filter(|a| !self.filling.truth(*a)).collect::<Vec<_>>();
        let broken_facts = broken.into_iter().map(|a| self.filling.world.terms.to_smtlib(&[a])).collect();
        let calls = self.calls.into_iter().map(|(call, answer, _)| (call, answer)).collect();
        Described { behaviour, calls, firm_calls, memory, broken_facts }
    }
}

/// A byte of memory as plain data.
fn concrete_byte(world: &mut World, bits: &Bits) -> ConcreteByte {
    let layout = world.layout;
    let terms = &mut world.terms;
    let term = terms.constant(bits.clone());
    let byte = Byte::of(terms, layout, term);
    let number = |term: Term| terms.as_bits(term).and_then(Bits::to_u128).unwrap_or_default();
    let part_of = byte.pointer.filter(|(is, ..)| terms.as_bool(*is) == Some(true));
    let of = part_of.map(|(_, part, whole)| (pointer(number(whole)), number(part) as u32));
    let [value, poison, undef] = [byte.value, byte.poison, byte.undef].map(|f| number(f) as u8);
    ConcreteByte { value, poison, undef, pointer: of }
}

fn pointer(bits: u128) -> Pointer {
    Pointer { block: (bits >> OFFSET_BITS) as u32, offset: bits as u64 }
}

/// Spreads the low bits of `packed` over the set bits of `mask`.
fn unpack(packed: u128, mask: u128) -> u128 {
    let (mut bits, mut rest, mut at) = (0, mask, 0);
    while rest != 0 {
        bits |= (packed >> at & 1) << rest.trailing_zeros();
        (rest, at) = (rest & (rest - 1), at + 1);
    }
    bits
}

fn place(block: u32, offset: u64) -> Bits {
    Bits::new(POINTER_BITS, Pointer { block, offset }.bits())
}
