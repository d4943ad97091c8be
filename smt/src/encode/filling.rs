//! Assigns values to the variables of a formula one by one, and evaluates terms under the values given so far.
//!
//! Open variables beyond the inputs of a run (choices, results of operations, answers of calls) are filled in order of
//! creation, because each depends only on earlier ones. The caller chooses the values.

use crate::encode::value::Sym;
use crate::encode::world::{Event, Inside, OFFSET_BITS, POINTER_BITS, Side, Touched, World};
use crate::term::{ArrayValue, Assignment, Bits, Evaluator, Known, Op, Sort, Term, Value};

/// An open variable of a formula beyond its inputs, identified by its place in the world.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Open {
    /// A choice of this side.
    Choice(Side, usize),
    /// An operation modelled as a function of its operands.
    Operation(usize),
    /// A call or another event.
    Event(usize),
    /// A memory with a block cleared.
    Cleared(usize),
}

/// Maximum number of bytes of a cleared block that get values. Larger offsets occur in no run with so little memory.
const MANY_CLEARED: u128 = 1 << 12;

/// An assignment under construction.
pub(crate) struct Filling<'w> {
    pub(crate) world: &'w mut World,
    assignment: Assignment,
    known: Known,
}

impl<'w> Filling<'w> {
    /// A filling without values.
    pub(crate) fn new(world: &'w mut World) -> Self {
        Self { world, assignment: Assignment::new(), known: Known::default() }
    }
    /// All open variables of these sides, in order of creation.
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
    /// Sets the value of `variable`.
    pub(crate) fn put(&mut self, variable: Term, value: impl Into<Value>) {
        self.assignment.set(variable, value.into());
    }
    /// Sets `variable` to a number; an array becomes zero everywhere.
    pub(crate) fn set(&mut self, variable: Term, value: u128) {
        let value = match self.world.terms.sort(variable) {
            Sort::Bool => Value::Bool(value != 0),
            Sort::BitVec(width) => Value::Bits(Bits::new(width, value)),
            sort @ Sort::Array { .. } => Value::zero(sort),
        };
        self.put(variable, value);
    }
    /// Sets `term` to a truth value, if it is a variable.
    pub(crate) fn set_if_variable(&mut self, term: Term, value: bool) {
        if matches!(self.world.terms.op(term), Op::Var(_)) {
            self.set(term, value.into());
        }
    }
    /// Sets the memory with a cleared block: up to [`MANY_CLEARED`] bytes of the block.
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
    /// Sets the memory after a volatile access: its usual bytes, or the bytes that `other` gives for a block and an
    /// offset.
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
    /// Discards cached values of terms, because their variables have changed.
    pub(crate) fn forget(&mut self) {
        self.known = Known::default();
    }
    /// The value of `term`.
    pub(crate) fn value(&mut self, term: Term) -> Value {
        let known = std::mem::take(&mut self.known);
        let mut evaluator = Evaluator::resume(&self.world.terms, &self.assignment, known);
        let value = evaluator.value(term);
        self.known = evaluator.into_known();
        value
    }
    /// The value of `term` as a number.
    pub(crate) fn number(&mut self, term: Term) -> u128 {
        self.value(term).as_bits().and_then(Bits::to_u128).unwrap_or_default()
    }
    /// The value of `term` as a truth value.
    pub(crate) fn truth(&mut self, term: Term) -> bool {
        self.value(term).as_bool().unwrap_or_default()
    }
}

/// The earliest variable that an event creates, or the last variable that the event depends on if it creates none.
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
