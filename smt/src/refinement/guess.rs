//! Tries inputs on which most functions run to their end. Evaluating a condition on them often shows that it is
//! satisfiable, without a solver query.
//!
//! A guess counts only if all conditions and all axioms evaluate to true. No guessed input is undef. A pointer points
//! to the start of its own block, or is null in some guesses.

use crate::encode::value::Sym;
use crate::encode::world::{BLOCK_BITS, OFFSET_BITS, POINTER_BITS, UNKNOWN_BLOCK, World};
use crate::term::{ArrayValue, Assignment, Bits, Evaluator, Op, Sort, Term, Value};

/// Value of an integer argument in a guess, by its position and width.
type Numbers = fn(u128, u32) -> Bits;

const GUESSES: [(Numbers, bool); 7] = [
    (|_, width| Bits::new(width, 1), true),
    (|_, width| Bits::zero(width), true),
    (|place, width| Bits::new(width, 2 + place), true),
    (|place, width| Bits::new(width, 64 >> (place % 6)), true),
    (|_, width| Bits::ones(width), true),
    (|_, width| Bits::signed_max(width), true),
    (|_, width| Bits::new(width, 1), false),
];

/// Formulas with more terms are not evaluated: a guess must be cheaper than a query.
const MANY_TERMS: usize = 20_000;
/// Formulas with more stores are not evaluated: the value of each store is an array of its own.
const MANY_STORES: usize = 400;
/// Size in bytes of a block of unknown size: far more than loops of few iterations access.
const SIZE: u128 = 4096;
/// Address of the blocks without an address of their own; it is aligned for all types.
const ELSEWHERE: u128 = 1 << 28;
/// The blocks of a guess do not fit into address spaces narrower than this.
const LEAST_ADDRESS_BITS: u32 = 32;

/// Whether some guess satisfies all `conditions` and all axioms.
pub(crate) fn is_met(world: &World, args: &[Sym], conditions: &[Term]) -> bool {
    let all: Vec<Term> = conditions.iter().chain(&world.axioms).copied().collect();
    let terms = &world.terms;
    if all.iter().any(|t| terms.as_bool(*t) == Some(false)) || world.layout.address_bits < LEAST_ADDRESS_BITS
    {
        return false;
    }
    let cone = terms.cone(&all);
    let stores = cone.iter().filter(|t| terms.op(**t) == Op::Store).count();
    if cone.len() > MANY_TERMS || stores > MANY_STORES {
        return false;
    }
    GUESSES.iter().any(|(number, pointers)| {
        let assignment = guess(world, args, *number, *pointers);
        let mut evaluator = Evaluator::new(terms, &assignment);
        all.iter().all(|t| evaluator.truth(*t))
    })
}

/// The assignment of one guess. Unassigned variables are zero.
fn guess(world: &World, args: &[Sym], number: Numbers, pointers: bool) -> Assignment {
    let terms = &world.terms;
    let mut assignment = Assignment::new();
    let mut blocks: Vec<u32> = (1..=world.blocks.len() as u32).collect();
    for (place, scalar) in args.iter().flat_map(Sym::scalars).enumerate() {
        let width = terms.width(scalar.bits);
        let is_whole = |v: &Term| terms.sort(*v) == Sort::BitVec(width);
        let Some(variable) = terms.variables(&[scalar.bits]).into_iter().find(is_whole) else { continue };
        let value = if width != POINTER_BITS {
            number(place as u128, width)
        } else if pointers {
            // The term wraps the variable in the argument's own block.
            let own = own_block(world, scalar.bits);
            let block = own.unwrap_or(UNKNOWN_BLOCK + place as u32);
            blocks.extend(own.is_none().then_some(block));
            Bits::new(POINTER_BITS, u128::from(block) << OFFSET_BITS)
        } else {
            Bits::zero(POINTER_BITS)
        };
        assignment.set(variable, Value::Bits(value));
    }
    let mut sizes = ArrayValue::constant(BLOCK_BITS, Bits::zero(OFFSET_BITS));
    let mut bases = ArrayValue::constant(BLOCK_BITS, Bits::new(OFFSET_BITS, ELSEWHERE));
    let mut read_only = ArrayValue::constant(BLOCK_BITS, Bits::zero(1));
    let null = Bits::zero(BLOCK_BITS);
    bases.set(null, Bits::zero(OFFSET_BITS));
    let mut end = SIZE;
    for number in blocks {
        let known = world.known(number);
        let size = known.and_then(|k| k.size).and_then(|s| terms.as_bits(s)?.to_u128()).unwrap_or(SIZE);
        let align = u128::from(known.map_or(1, |k| k.align)).max(SIZE);
        let base = end.next_multiple_of(align);
        end = base.saturating_add(size).saturating_add(1);
        let block = Bits::new(BLOCK_BITS, number.into());
        sizes.set(block.clone(), Bits::new(OFFSET_BITS, size));
        bases.set(block.clone(), Bits::new(OFFSET_BITS, base));
        read_only.set(block, Bits::new(1, known.and_then(|k| k.read_only).unwrap_or(false).into()));
    }
    for (variable, array) in [(world.sizes, sizes), (world.bases, bases), (world.read_only, read_only)] {
        assignment.set(variable, array.into());
    }
    assignment
}

/// The block number of a non-null pointer, if the number is constant.
fn own_block(world: &World, pointer: Term) -> Option<u32> {
    let terms = &world.terms;
    let concat = terms.args(pointer).iter().find(|t| terms.op(**t) == Op::Concat)?;
    world.block_number(terms.args(*concat)[0])
}
