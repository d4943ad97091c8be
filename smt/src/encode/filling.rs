//! Values for the variables of a formula, given one after the other, and what terms are worth under those given so far.
//!
//! What is open beyond a run's inputs (choices, results of operations, answers of calls) is filled in the order in which it
//! was made, since what it depends on was made before it. Who fills decides on the values.

use crate::encode::value::Sym;
use crate::encode::world::{Event, Inside, OFFSET_BITS, POINTER_BITS, Side, Touched, World};
use crate::term::{ArrayValue, Assignment, Bits, Evaluator, Known, Op, Sort, Term, Value};

/// What is open in a formula beyond its inputs, by its place in the world.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Open {
    /// A choice of that side.
    Choice(Side, usize),
    /// An operation that is a function of its operands.
    Operation(usize),
    /// A call or another event.
    Event(usize),
    /// A memory with a block cleared.
    Cleared(usize),
}

/// How many bytes of a cleared block get their values: offsets beyond occur in no run with so little memory.
const MANY_CLEARED: u128 = 1 << 12;

/// An assignment that is being made.
pub(crate) struct Filling<'w> {
    pub(crate) world: &'w mut World,
    assignment: Assignment,
    known: Known,
}

impl<'w> Filling<'w> {
    /// Nothing has a value yet.
    pub(crate) fn new(world: &'w mut World) -> Self {
        Self { world, assignment: Assignment::new(), known: Known::default() }
    }
    /// All that is open for those sides, in the order in which it was made.
    pub(crate) fn open(&self, sides: &[Side]) -> Vec<Open> {
        let world = &*self.world;
        let mut open: Vec<(Term, Open)> = Vec::new();
        for &side in sides {
            let choices = world.choices[side.index()].iter().enumerate();
            open.extend(choices.map(|(i, c)| (c.var, Open::Choice(side, i))));
        }
        open.extend(world.opaque_ops.iter().enumerate().map(|(i, o)| (o.result, Open::Operation(i))));
        let events = world.events.iter().enumerate();
        open.extend(events.map(|(i, event)| (place_of(world, event), Open::Event(i))));
        open.extend(world.cleared.iter().enumerate().map(|(i, c)| (c.memory, Open::Cleared(i))));
        open.sort_by_key(|(term, _)| *term);
        open.into_iter().map(|(_, open)| open).collect()
    }
    /// Gives `variable` a value.
    pub(crate) fn put(&mut self, variable: Term, value: impl Into<Value>) {
        self.assignment.set(variable, value.into());
    }
    /// Gives `variable` a number; an array is zero everywhere.
    pub(crate) fn set(&mut self, variable: Term, value: u128) {
        let value = match self.world.terms.sort(variable) {
            Sort::Bool => Value::Bool(value != 0),
            Sort::BitVec(width) => Value::Bits(Bits::new(width, value)),
            sort @ Sort::Array { .. } => Value::zero(sort),
        };
        self.put(variable, value);
    }
    /// The same of a truth value, if `term` is a variable.
    pub(crate) fn set_if_variable(&mut self, term: Term, value: bool) {
        if matches!(self.world.terms.op(term), Op::Var(_)) {
            self.set(term, value.into());
        }
    }
    /// Gives a memory with a block cleared its value: up to [`MANY_CLEARED`] bytes of the block.
    pub(crate) fn clear(&mut self, index: usize) {
        let cleared = self.world.cleared[index];
        let (older, block) = (self.value(cleared.older), self.number(cleared.block));
        let Some(mut memory) = older.as_array().cloned() else { return };
        let inside = match cleared.inside {
            Inside::Byte(term) | Inside::Memory(term) => self.value(term),
        };
        for at in 0..MANY_CLEARED {
            let place = Bits::new(POINTER_BITS, block << OFFSET_BITS | at);
            let byte = match &inside {
                Value::Bits(byte) => byte.clone(),
                Value::Array(other) => other.get(&place).clone(),
                Value::Bool(_) => return,
            };
            memory.set(place, byte);
        }
        self.put(cleared.memory, memory);
    }
    /// Gives the memory that holds what a volatile access leaves its value: its usual bytes, or others where `other` gives one
    /// for a block and an offset.
    pub(crate) fn leave(
        &mut self,
        leaves: Term,
        touched: &Touched,
        other: impl Fn(u32, u64) -> Option<Bits>,
    ) {
        let pointer = self.number(touched.pointer);
        let (block, offset) = ((pointer >> OFFSET_BITS) as u32, pointer as u64);
        let width = self.world.layout.byte_bits();
        let mut memory = ArrayValue::constant(POINTER_BITS, Bits::zero(width));
        for (at, &usual) in (0u64..).zip(&touched.usual) {
            let offset = offset.wrapping_add(at);
            let place = Bits::new(POINTER_BITS, u128::from(block) << OFFSET_BITS | u128::from(offset));
            let value = match other(block, offset) {
                Some(byte) => Some(byte),
                None => self.value(usual).as_bits().cloned(),
            };
            if let Some(value) = value {
                memory.set(place, value);
            }
        }
        self.put(leaves, memory);
    }
    /// Forgets what terms were worth: variables that these have got other values.
    pub(crate) fn forget(&mut self) {
        self.known = Known::default();
    }
    /// What `term` is worth.
    pub(crate) fn value(&mut self, term: Term) -> Value {
        let known = std::mem::take(&mut self.known);
        let mut evaluator = Evaluator::resume(&self.world.terms, &self.assignment, known);
        let value = evaluator.value(term);
        self.known = evaluator.into_known();
        value
    }
    /// The same as a number.
    pub(crate) fn number(&mut self, term: Term) -> u128 {
        self.value(term).as_bits().and_then(Bits::to_u128).unwrap_or_default()
    }
    /// The same as a truth value.
    pub(crate) fn truth(&mut self, term: Term) -> bool {
        self.value(term).as_bool().unwrap_or_default()
    }
}

/// The earliest variable that an event makes; the last one that it depends on if it makes none.
fn place_of(world: &World, event: &Event) -> Term {
    let scalars = event.result.iter().flat_map(Sym::scalars);
    let made =
        scalars.map(|s| s.bits).chain(event.after).chain(event.leaves).chain([event.returns, event.throws]);
    let first = made.filter(|t| matches!(world.terms.op(*t), Op::Var(_))).min();
    first.unwrap_or_else(|| {
        let scalars = event.args.iter().flat_map(Sym::scalars);
        let seen = scalars.flat_map(|s| [s.bits, s.poison, s.undef]).chain(event.memory);
        let seen: Vec<Term> = seen.chain([event.happens]).collect();
        world.terms.variables(&seen).last().copied().unwrap_or(world.start)
    })
}
