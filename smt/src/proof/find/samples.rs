//! Inputs to run both functions on: numbers that loops and their tests are about, and memory for pointers to lead to.
//! All is drawn from a seed.

use crate::encode::value::Sym;
use crate::encode::world::{ByteLayout, OFFSET_BITS, POINTER_BITS, UNKNOWN_BLOCK, World};
use crate::proof::lang::number::mask;
use crate::proof::vc::pair::Pair;
use crate::refinement::inputs::argument_name;
use crate::term::{ArrayValue, Bits, Value};
use backedge_ir::attr::FlagAttr;
use backedge_ir::body::Body;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Size in bytes of a block whose size is not given: far more than loops of few iterations access.
const BLOCK_BYTES: u64 = 0xf000;
/// Number of bytes of a block that get values; the others are zero.
const FILLED_BYTES: u64 = 256;
/// Blocks beyond those of arguments and globals, for pointers in memory and from calls.
const SPARE_BLOCKS: u32 = 4;
/// The number of the first spare block, after those of arguments.
const FIRST_SPARE: u32 = UNKNOWN_BLOCK + 12;
/// Most small numbers are below this: loops with such counts end within the length of a run.
const SMALL: u64 = 24;
/// In one of this many runs, bytes of memory may be poison: in the others it is defined, so that runs get far.
const POISONED: u64 = 4;
/// A pointer that is an argument leads at times so many bytes into its block, or a small multiple of that: that it is
/// aligned, or where another one leads, is not to be learned from runs.
const OFFSET_STEPS: [u64; 6] = [1, 4, 4, 8, 8, 16];
/// Limit on the multiple of a step that a pointer is moved by.
const MANY_OFFSETS: u64 = 4;
/// Limit on the constants of the code that inputs are drawn from.
const MANY_CONSTANTS: usize = 32;

/// A scalar: its bits, their number, whether it is poison.
pub(in crate::proof) type Number = (u128, u32, bool);

/// How inputs are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::proof) enum Drawing {
    /// What is likely to matter.
    Usual,
    /// What lets loops make several rounds: arguments that are not poison, small or a few rounds apart, pointers into large
    /// blocks of their own, also with room below.
    Deep,
}

/// Where blocks lie.
#[derive(Clone, Copy, Debug)]
pub(in crate::proof) struct Room {
    /// Bytes of a block whose size is not given.
    pub(in crate::proof) bytes: u64,
    /// Addresses of known blocks and of others begin here.
    pub(in crate::proof) bases: [u64; 2],
    /// They are `1 << apart` from each other.
    pub(in crate::proof) apart: u32,
    /// Where in its block a pointer that is given leads to.
    first: u64,
}

/// What both sides are given.
pub(in crate::proof) struct Input {
    pub(in crate::proof) args: Vec<Vec<Number>>,
    pub(in crate::proof) memory: Value,
    pub(in crate::proof) room: Room,
    seed: u64,
    numbers: Numbers,
}

/// Which numbers are likely.
#[derive(Clone)]
struct Numbers {
    /// The numbers that the functions speak of.
    constants: Arc<[u128]>,
    /// Small ones are below this.
    small: u64,
}

/// Draws numbers.
pub(in crate::proof) struct Dice {
    random: Xoshiro256PlusPlus,
    numbers: Numbers,
}

impl Dice {
    fn new(seed: u64, numbers: Numbers) -> Self {
        Self { random: Xoshiro256PlusPlus::seed_from_u64(seed), numbers }
    }
    /// A number below `n`.
    pub(in crate::proof) fn below(&mut self, n: u64) -> u64 {
        self.random.random_range(0..n)
    }
    /// Any number.
    pub(in crate::proof) fn any(&mut self) -> u128 {
        self.random.random()
    }
    /// Mostly a small number, at times one that the functions speak of or one near an end of the type, seldom any.
    pub(in crate::proof) fn number(&mut self, width: u32) -> u128 {
        let value = match self.below(20) {
            0..=4 => u128::from(self.below(4)),
            5..=11 => u128::from(self.below(self.numbers.small)),
            12..=13 if !self.numbers.constants.is_empty() => {
                let which = self.below(self.numbers.constants.len() as u64) as usize;
                self.numbers.constants[which].wrapping_add(u128::from(self.below(3))).wrapping_sub(1)
            }
            12..=15 => u128::MAX - u128::from(self.below(20)),
            16 => (1u128 << (width - 1)).wrapping_add(u128::from(self.below(16))).wrapping_sub(8),
            17 => u128::from(self.below(200)),
            _ => self.any(),
        };
        value & mask(width)
    }
    /// A number of rounds, or any.
    fn count(&mut self, width: u32) -> u128 {
        match self.below(8) {
            0 => self.number(width),
            1..=2 => u128::from(self.below(4)) & mask(width),
            _ => u128::from(self.below(self.numbers.small)) & mask(width),
        }
    }
    /// A pointer to a block of which nothing else is known, at times null.
    pub(in crate::proof) fn pointer(&mut self) -> u128 {
        let spare = u64::from(SPARE_BLOCKS);
        match self.below(spare + 1) {
            number if number < spare => u128::from(FIRST_SPARE + number as u32) << OFFSET_BITS,
            _ => 0,
        }
    }
}

impl Input {
    /// The input that `seed` gives, in memory laid out as in `world`; of globals those in `used` are filled.
    pub(in crate::proof) fn new(
        pair: &Pair<'_>,
        (world, params): (&World, &[Sym]),
        used: &FxHashSet<Arc<str>>,
        (seed, drawing): (u64, Drawing),
    ) -> Self {
        let room = room(world.layout.address_bits, drawing, seed);
        let constants = constants(&[pair.source.body, pair.target.body]).into();
        let numbers = Numbers { constants, small: SMALL.max(3 * round(pair)) };
        let mut dice = Dice::new(seed, numbers.clone());
        let mut memory = ArrayValue::constant(POINTER_BITS, Bits::zero(world.layout.byte_bits()));
        let mut args = Vec::new();
        // Drawn for themselves: the numbers are the same with them as without.
        let mut offsets = Dice::new(seed.rotate_left(32), numbers.clone());
        for (i, (sym, arg)) in params.iter().zip(pair.source.body.args()).enumerate() {
            let env = &pair.source.function.module.env;
            let attrs = env.funcs[pair.source.function.func].param_attrs.get(i);
            let noundef = attrs.is_some_and(|l| env.has_attr(l, FlagAttr::NoUndef));
            let mut lanes = Vec::new();
            for scalar in sym.scalars() {
                let width = world.terms.width(scalar.bits);
                if width != POINTER_BITS {
                    let number = match drawing {
                        Drawing::Usual => {
                            let poison = !noundef && dice.below(10) == 0;
                            (dice.number(width), width, poison)
                        }
                        Drawing::Deep => (far(&mut dice, &args, width), width, false),
                    };
                    lanes.push(number);
                    continue;
                }
                let name = format!("%{}", argument_name(pair.source.body, arg));
                let own = world.blocks.iter().position(|b| *b.name == *name);
                let alias = drawing == Drawing::Usual && i > 0 && dice.below(6) == 0;
                let shared = if alias { 0 } else { i as u32 };
                let block = own.map_or(UNKNOWN_BLOCK + 1 + shared, |at| at as u32 + 1);
                let first = if own.is_some() { 0 } else { room.first };
                fill(&mut memory, &mut dice, world, block, (first.saturating_sub(FILLED_BYTES), room.bytes));
                if first > 0 {
                    fill(&mut memory, &mut dice, world, block, (first, room.bytes));
                }
                let further = if own.is_none() && offsets.below(3) == 0 {
                    let step = OFFSET_STEPS[offsets.below(OFFSET_STEPS.len() as u64) as usize];
                    step * (1 + offsets.below(MANY_OFFSETS))
                } else {
                    0
                };
                lanes.push((u128::from(block) << OFFSET_BITS | u128::from(first + further), width, false));
            }
            args.push(lanes);
        }
        for (i, block) in world.blocks.iter().enumerate().filter(|(_, b)| used.contains(&b.name)) {
            let size = block.size.and_then(|s| world.terms.as_bits(s)).and_then(Bits::to_u128);
            let bytes = size.and_then(|s| u64::try_from(s).ok()).unwrap_or(room.bytes);
            fill(&mut memory, &mut dice, world, i as u32 + 1, (0, bytes));
        }
        for number in 0..SPARE_BLOCKS {
            fill(&mut memory, &mut dice, world, FIRST_SPARE + number, (0, room.bytes));
        }
        if seed % POISONED == POISONED - 1 {
            let mut dice = Dice::new(!seed, numbers.clone());
            poison_some(&mut memory, &mut dice, world.layout);
        }
        Self { args, memory: memory.into(), room, seed, numbers }
    }
    /// What the environment answers to a question.
    pub(in crate::proof) fn answer(&self, question: impl Hash) -> Dice {
        let mut hasher = FxHasher::default();
        (self.seed, question).hash(&mut hasher);
        Dice::new(hasher.finish(), self.numbers.clone())
    }
}

/// How many rounds of the source's loops go with one of the target's, at most, as far as that can be guessed: a loop that
/// takes several at once rounds the number of all down to a multiple, which the source does not.
pub(in crate::proof) fn round(pair: &Pair<'_>) -> u64 {
    /// Limit on the power of two that a mask rounds down to: a number of iterations per round.
    const MOST: u128 = 32;
    let masks = |body: &Body| -> Vec<u128> {
        let ints = body.consts().iter().filter_map(|(id, _)| body.consts().as_int(id));
        let negated =
            ints.filter(|n| (8..=64).contains(&n.width())).map(|n| n.sext(128).bits().wrapping_neg());
        negated.filter(|n| n.is_power_of_two() && *n <= MOST).collect()
    };
    let known = masks(pair.source.body);
    let new = masks(pair.target.body).into_iter().filter(|n| !known.contains(n));
    new.max().map_or(1, |n| n as u64)
}

/// The numbers that the functions speak of.
fn constants(bodies: &[&Body]) -> Vec<u128> {
    let ints = bodies.iter().flat_map(|b| b.consts().iter().filter_map(|(id, _)| b.consts().as_int(id)));
    let mut found: Vec<u128> =
        ints.filter(|n| n.width() <= 64).map(|n| n.sext(128).bits()).filter(|n| *n > 2).collect();
    found.sort_unstable();
    found.dedup();
    found.truncate(MANY_CONSTANTS);
    found
}

/// Makes some of the bytes poison that are no parts of pointers: what is read from memory may be.
fn poison_some(memory: &mut ArrayValue, dice: &mut Dice, layout: ByteLayout) {
    let places: Vec<Bits> = memory.elements().map(|(place, _)| place.clone()).collect();
    for place in places {
        let byte = memory.get(&place).to_u128().unwrap_or(0);
        if dice.below(8) == 0 && byte >> layout.plain_bits() == 0 {
            memory.set(place, Bits::new(layout.byte_bits(), byte | layout.poisoned()));
        }
    }
}

/// A number beside those that are given already: a few rounds, or a few rounds from one of these.
fn far(dice: &mut Dice, args: &[Vec<Number>], width: u32) -> u128 {
    let others: Vec<u128> = args.iter().flatten().filter(|n| n.1 == width).map(|n| n.0).collect();
    let by = dice.count(width);
    match others.last() {
        Some(other) if dice.below(2) == 0 => other.wrapping_add(by) & mask(width),
        _ => by,
    }
}

/// Where blocks lie, in so many bits of an address.
fn room(address_bits: u32, drawing: Drawing, seed: u64) -> Room {
    let room = Room { bytes: BLOCK_BYTES, bases: [0x1000_0000, 0x2000_0000], apart: 16, first: 0 };
    // In every second run there is room below pointers too.
    let below = drawing == Drawing::Deep && seed % 2 == 1;
    match drawing {
        Drawing::Deep if address_bits >= 32 => Room {
            bytes: 0xf0_0000,
            bases: [0x1000_0000, 0x8000_0000],
            apart: 24,
            first: if below { 0x40_0000 } else { 0 },
        },
        Drawing::Usual | Drawing::Deep => Room { first: if below { 0x4000 } else { 0 }, ..room },
    }
}

/// Gives the bytes of a block values, from one on: numbers of one size, and pointers where memory can hold them.
fn fill(memory: &mut ArrayValue, dice: &mut Dice, world: &World, block: u32, (from, bytes): (u64, u64)) {
    let layout = world.layout;
    let size = [1, 2, 4, 4, 8][dice.below(5) as usize];
    let some_pointers = layout.pointers && dice.below(3) > 0;
    let base = u128::from(block) << OFFSET_BITS;
    let mut at = from;
    while at < bytes.min(from + FILLED_BYTES) {
        let mut set = |offset: u64, byte: u128| {
            let place = Bits::new(POINTER_BITS, base | u128::from(at + offset));
            memory.set(place, Bits::new(layout.byte_bits(), byte));
        };
        if some_pointers && at % 8 == 0 && dice.below(2) == 0 {
            let pointer = dice.pointer();
            for part in 0..8 {
                let head = 1 | u128::from(part) << 1 | pointer << 4;
                set(part, head << layout.plain_bits());
            }
            at += 8;
            continue;
        }
        let number = dice.number(8 * size as u32);
        for i in 0..size.min(bytes - at) {
            let place = if layout.big_endian { size - 1 - i } else { i };
            set(i, number >> (8 * place) & 0xff);
        }
        at += size;
    }
}
