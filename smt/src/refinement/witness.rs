//! Reads a model into plain data: the inputs of a run, the choices of each side, and the answers of the environment. An
//! interpreter runs the witness and decides whether it is a counterexample.

use crate::encode::library::LIBRARY;
use crate::encode::value::{Scalar, Sym};
use crate::encode::world::{BLOCK_BITS, ChoiceKind, OFFSET_BITS, POINTER_BITS, Side, World};
use crate::encode::{Byte, block_of, offset_of};
use crate::term::{Assignment, Evaluator, Term};
use backedge_ir::entity::Inst;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Serializes instructions as their numbers.
mod number {
    use backedge_ir::entity::{EntityId, Inst};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(inst: &Inst, serializer: S) -> Result<S::Ok, S::Error> {
        inst.index().serialize(serializer)
    }
    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Inst, D::Error> {
        u32::deserialize(deserializer).map(|number| Inst::from_index(number as usize))
    }
}

/// A pointer in a witness.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Pointer {
    /// A block number as in [`Witness::blocks`]; 0 is null.
    pub block: u32,
    /// Offset in bytes; a negative offset wraps around.
    pub offset: u64,
}

impl Pointer {
    /// The encoder's representation: the block number above the offset.
    pub fn bits(self) -> u128 {
        u128::from(self.block) << OFFSET_BITS | u128::from(self.offset)
    }
}

/// A value in a witness.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ConcreteValue {
    /// The bits of an integer or float.
    Bits {
        /// Width in bits.
        width: u32,
        /// The bits.
        bits: u128,
        /// Mask of undef bits.
        undef: u128,
    },
    /// A pointer.
    Pointer(Pointer),
    /// An undef pointer.
    UndefPointer,
    /// Poison.
    Poison,
    /// Elements of an aggregate or vector.
    List(Vec<ConcreteValue>),
}

/// A byte in a witness.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ConcreteByte {
    /// The bits.
    pub value: u8,
    /// Mask of poison bits.
    pub poison: u8,
    /// Mask of undef bits.
    pub undef: u8,
    /// If the byte is part of a pointer: the pointer, and the part number, counted from the low end.
    pub pointer: Option<(Pointer, u32)>,
}

/// A block of the caller's memory.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ConcreteBlock {
    /// Block number.
    pub number: u32,
    /// Canonical name of the global, or `%name` for the block of a `noalias` argument.
    pub name: Option<Arc<str>>,
    /// Address.
    pub base: u64,
    /// Size in bytes.
    pub size: u64,
    /// Whether the block is read-only.
    pub read_only: bool,
    /// Contents of its first bytes, at most [`MANY_BYTES`].
    pub bytes: Vec<ConcreteByte>,
}

/// A choice that a side made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ConcreteChoice {
    /// The instruction that makes the choice.
    #[serde(with = "number")]
    pub inst: Inst,
    /// The kind of choice.
    pub kind: ChoiceKind,
    /// The chosen bits, packed: the lowest bit is the choice for the lowest open bit.
    pub bits: u128,
}

/// A call or other event, with the environment's answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ConcreteCall {
    /// The instruction of the event.
    #[serde(with = "number")]
    pub inst: Inst,
    /// Name of the callee.
    pub callee: Arc<str>,
    /// The result.
    pub result: Option<ConcreteValue>,
    /// Whether the call returned.
    pub returns: bool,
    /// Whether the call unwound, if it did not return.
    #[serde(default)]
    pub throws: bool,
    /// If the call may write, the contents of the witness's blocks after the call, in the order of [`Witness::blocks`].
    pub leaves: Option<Vec<Vec<ConcreteByte>>>,
}

/// A run of both functions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Witness {
    /// The arguments.
    pub args: Vec<ConcreteValue>,
    /// The blocks that arguments, memory and answers refer to.
    pub blocks: Vec<ConcreteBlock>,
    /// Choices of source and target, in order of execution.
    pub choices: [Vec<ConcreteChoice>; 2],
    /// Calls of source and target, in order of execution.
    pub calls: [Vec<ConcreteCall>; 2],
}

/// Maximum number of bytes of a block whose contents are given: bounds the size of a witness.
pub const MANY_BYTES: u64 = 4096;

/// Maximum number of described blocks: a pointer in a block may lead to further ones.
const MANY_BLOCKS: usize = 64;

/// Reads the run that `model` describes.
pub(crate) fn read(world: &mut World, model: &Assignment, args: &[Sym]) -> Witness {
    let mut reader = Reader { world, model };
    let args: Vec<ConcreteValue> = args.iter().map(|a| reader.value(a)).collect();
    let choices = [Side::Source, Side::Target].map(|side| reader.choices(side));
    let mut calls = [Side::Source, Side::Target].map(|side| reader.calls(side));
    let mut wanted: BTreeSet<u32> = args.iter().flat_map(pointed).collect();
    wanted.extend(calls.iter().flatten().filter_map(|c| c.0.result.as_ref()).flat_map(pointed));
    let used = reader.world.used_globals.clone();
    wanted.extend(used.iter().filter_map(|name| reader.world.global(name)));
    let memories: Vec<Term> = calls.iter().flatten().filter_map(|(_, leaves)| *leaves).collect();
    let mut blocks: Vec<ConcreteBlock> = Vec::new();
    while let Some(number) = wanted.pop_first() {
        if number == 0 || blocks.len() >= MANY_BLOCKS || blocks.iter().any(|b| b.number == number) {
            continue;
        }
        let block = reader.block(number);
        let mut note = |bytes: &[ConcreteByte]| {
            wanted.extend(bytes.iter().filter_map(|b| b.pointer).map(|(p, _)| p.block));
        };
        note(&block.bytes);
        memories.iter().for_each(|memory| note(&reader.bytes(*memory, number, block.size)));
        blocks.push(block);
    }
    blocks.sort_by_key(|b| b.number);
    for (call, leaves) in calls.iter_mut().flatten() {
        if let Some(memory) = *leaves {
            let all = blocks.iter().map(|b| reader.bytes(memory, b.number, b.size)).collect();
            call.leaves = Some(all);
        }
    }
    let calls = calls.map(|list| list.into_iter().map(|(call, _)| call).collect());
    Witness { args, blocks, choices, calls }
}

/// The bits of `bits` at the set bits of `mask`, packed at the low end.
fn pack(bits: u128, mask: u128) -> u128 {
    let (mut packed, mut rest, mut at) = (0, mask, 0);
    while rest != 0 {
        packed |= (bits >> rest.trailing_zeros() & 1) << at;
        (rest, at) = (rest & (rest - 1), at + 1);
    }
    packed
}

fn pointed(value: &ConcreteValue) -> Vec<u32> {
    match value {
        ConcreteValue::Pointer(pointer) => vec![pointer.block],
        ConcreteValue::List(list) => list.iter().flat_map(pointed).collect(),
        ConcreteValue::Bits { .. } | ConcreteValue::UndefPointer | ConcreteValue::Poison => Vec::new(),
    }
}

struct Reader<'r> {
    world: &'r mut World,
    model: &'r Assignment,
}

impl Reader<'_> {
    fn number(&mut self, term: Term) -> u128 {
        let value = Evaluator::new(&self.world.terms, self.model).value(term);
        value.as_bits().and_then(crate::term::Bits::to_u128).unwrap_or_default()
    }
    fn truth(&mut self, term: Term) -> bool {
        Evaluator::new(&self.world.terms, self.model).truth(term)
    }
    fn value(&mut self, value: &Sym) -> ConcreteValue {
        match value {
            Sym::Scalar(scalar) => self.scalar(*scalar),
            Sym::List(list) => ConcreteValue::List(list.iter().map(|e| self.value(e)).collect()),
        }
    }
    fn scalar(&mut self, scalar: Scalar) -> ConcreteValue {
        if self.truth(scalar.poison) {
            return ConcreteValue::Poison;
        }
        let width = self.world.terms.width(scalar.bits);
        // No integer or float is as wide as a pointer except x86_fp80, which cannot be distinguished by its width
        // alone. Its bits would be read as a pointer; the replay then fails rather than confirming a wrong witness.
        if width == POINTER_BITS {
            if self.number(scalar.undef) != 0 {
                return ConcreteValue::UndefPointer;
            }
            return ConcreteValue::Pointer(self.pointer(scalar.bits));
        }
        ConcreteValue::Bits { width, bits: self.number(scalar.bits), undef: self.number(scalar.undef) }
    }
    fn pointer(&mut self, bits: Term) -> Pointer {
        let terms = &mut self.world.terms;
        let (block, offset) = (block_of(terms, bits), offset_of(terms, bits));
        Pointer { block: self.number(block) as u32, offset: self.number(offset) as u64 }
    }
    fn choices(&mut self, side: Side) -> Vec<ConcreteChoice> {
        let choices = self.world.choices[side.index()].clone();
        let mut made = Vec::new();
        for choice in choices {
            let open = self.number(choice.open);
            if open != 0 && self.truth(choice.made) {
                let bits = pack(self.number(choice.var), open);
                made.push(ConcreteChoice { inst: choice.inst, kind: choice.kind, bits });
            }
        }
        made
    }
    fn calls(&mut self, side: Side) -> Vec<(ConcreteCall, Option<Term>)> {
        let events: Vec<_> = self.world.events.iter().filter(|e| e.side == side).cloned().collect();
        let mut calls = Vec::new();
        for event in events {
            // The environment does not choose the behavior of library functions.
            if !event.promises.iter().any(|p| p == LIBRARY) && self.truth(event.happens) {
                let result = event.result.as_ref().map(|r| self.value(r));
                let returns = self.truth(event.returns);
                let call = ConcreteCall {
                    inst: event.inst,
                    callee: event.callee.clone(),
                    result,
                    returns,
                    throws: !returns && self.truth(event.throws),
                    leaves: None,
                };
                calls.push((call, event.leaves));
            }
        }
        calls
    }
    fn block(&mut self, number: u32) -> ConcreteBlock {
        let term = self.world.terms.number(BLOCK_BITS, number.into());
        let size = self.world.size_of(term);
        let base = self.world.base_of(term);
        let read_only = self.world.is_read_only(term);
        let (size, base, read_only) =
            (self.number(size) as u64, self.number(base) as u64, self.truth(read_only));
        let name = self.world.known(number).map(|k| k.name.clone());
        let memory = self.world.memory;
        ConcreteBlock { number, name, base, size, read_only, bytes: self.bytes(memory, number, size) }
    }
    fn bytes(&mut self, memory: Term, block: u32, size: u64) -> Vec<ConcreteByte> {
        (0..size.min(MANY_BYTES))
            .map(|at| {
                let terms = &mut self.world.terms;
                let block = terms.number(BLOCK_BITS, block.into());
                let offset = terms.number(OFFSET_BITS, at.into());
                let place = terms.concat(block, offset);
                let byte = terms.select(memory, place);
                self.byte(byte)
            })
            .collect()
    }
    fn byte(&mut self, byte: Term) -> ConcreteByte {
        let layout = self.world.layout;
        let byte = Byte::of(&mut self.world.terms, layout, byte);
        let pointer = match byte.pointer {
            Some((is, part, pointer)) if self.truth(is) => {
                Some((self.pointer(pointer), self.number(part) as u32))
            }
            _ => None,
        };
        ConcreteByte {
            value: self.number(byte.value) as u8,
            poison: self.number(byte.poison) as u8,
            undef: self.number(byte.undef) as u8,
            pointer,
        }
    }
}
