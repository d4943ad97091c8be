//! Translates the solver's witnesses to the interpreter's inputs and call answers.
//!
//! A caller's block that an argument points to becomes that argument's buffer if it looks like one of the interpreter's
//! buffers; every other block becomes a block of the input. New memory returned by a call is allocated when the call is
//! answered. Parts that cannot be translated are left out, and the first one is noted.

use super::inputs::integer;
use crate::pair::Side;
use backedge_interp::input::{ArgSpec, BUFFER_ALIGN, BlockSpec, Input, PointerBytes};
use backedge_interp::memory::Contents;
use backedge_interp::observe::{Answer, ObjectName, Seen, Written};
use backedge_interp::outcome::Exit;
use backedge_interp::value::Cube;
use backedge_ir::attr::FlagAttr;
use backedge_ir::entity::Inst;
use backedge_smt::refinement::{ConcreteBlock, ConcreteByte, ConcreteCall, ConcreteValue, Pointer, Witness};
use std::collections::{BTreeSet, HashMap};

/// Distance in bytes between blocks if only the page offset of the model's addresses is kept.
const APART: u64 = 1 << 24;
/// Offset added to all addresses of the model; preserves alignment.
const MOVED: u64 = 1 << 40;
/// Page size in bytes; an address modulo this value determines alignment.
const PAGE: u64 = 4096;

/// Placement of memory.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Addresses {
    /// At addresses of the interpreter's choice, with the model's alignment.
    Any,
    /// Disjoint, at the model's addresses modulo the page size, which determine alignment. The model's own blocks may
    /// overlap where that is not observed.
    Congruent,
    /// At the model's addresses plus [`MOVED`]: distances are kept, and other memory of the run is avoided.
    Moved,
    /// At the model's addresses.
    OfModel,
}

/// BlockPlace of a witness block in the interpreter.
#[derive(Copy, Clone, Debug)]
enum BlockPlace {
    /// The buffer of an argument, which points to this offset in it.
    Argument(usize, u64),
    /// A block of the input.
    Block(usize),
    /// Memory returned by a call.
    External(u32),
}

/// A witness during translation.
pub(crate) struct Translation<'w> {
    witness: &'w Witness,
    target: Side<'w>,
    addresses: Addresses,
    places: HashMap<u32, BlockPlace>,
    /// Number of calls that have returned new memory.
    externals: u32,
    /// The first part that could not be translated.
    pub(crate) left_out: Option<String>,
}

impl<'w> Translation<'w> {
    pub(crate) fn new(witness: &'w Witness, target: Side<'w>, addresses: Addresses) -> Self {
        let mut translation =
            Self { witness, target, addresses, places: HashMap::new(), externals: 0, left_out: None };
        translation.place();
        translation
    }

    fn leave_out(&mut self, what: &str) {
        self.left_out.get_or_insert_with(|| what.to_owned());
    }

    fn block(&self, number: u32) -> Option<&'w ConcreteBlock> {
        self.witness.blocks.iter().find(|b| b.number == number)
    }

    /// Assigns a place to each block that is not a global.
    fn place(&mut self) {
        let witness = self.witness;
        for (i, arg) in witness.args.iter().enumerate() {
            if let ConcreteValue::Pointer(pointer) = arg
                && let Some(block) = self.block(pointer.block)
                && self.addresses == Addresses::Any
                && global_name(block).is_none()
                && like_a_buffer(block)
            {
                self.places.entry(block.number).or_insert(BlockPlace::Argument(i, pointer.offset));
            }
        }
        let known = self.known();
        let mut count = 0;
        for block in &witness.blocks {
            let placed = global_name(block).is_some() || self.places.contains_key(&block.number);
            if !placed && known.contains(&block.number) {
                self.places.insert(block.number, BlockPlace::Block(count));
                count += 1;
            }
        }
    }

    /// The blocks that exist from the start: all but new memory returned by calls.
    fn known(&self) -> BTreeSet<u32> {
        let witness = self.witness;
        let mut known: BTreeSet<u32> = witness.args.iter().flat_map(pointed).collect();
        known.extend(witness.blocks.iter().filter(|b| global_name(b).is_some()).map(|b| b.number));
        let returned = witness.calls[1].iter().filter(|call| !self.returns_new_memory(call.inst));
        let returned = returned.filter_map(|call| call.result.as_ref()).flat_map(pointed);
        // A block that has a local name and is not an argument's is memory of the function itself.
        known.extend(returned.filter(|number| self.block(*number).is_some_and(|b| b.name.is_none())));
        let mut pending: Vec<u32> = known.iter().copied().collect();
        while let Some(number) = pending.pop() {
            let bytes = self.block(number).map_or(&[][..], |b| &b.bytes);
            let found = bytes.iter().filter_map(|b| b.pointer).map(|(pointer, _)| pointer.block);
            pending.extend(found.filter(|number| known.insert(*number)));
        }
        known
    }

    /// Whether the call's result is `noalias`, that is, new memory.
    fn returns_new_memory(&self, inst: Inst) -> bool {
        let env = &self.target.module.env;
        let Some(body) = self.target.module.body(self.target.func) else { return false };
        let Some(view) = body.inst(inst).call() else { return false };
        let callee = body.called_function(view.callee()).map(|func| &env.funcs[func].ret_attrs);
        callee.into_iter().chain([&view.info.ret_attrs]).any(|list| env.has_attr(list, FlagAttr::NoAlias))
    }

    pub(crate) fn input(&mut self) -> Input {
        let witness = self.witness;
        let args = witness.args.iter().enumerate().map(|(i, a)| self.arg(a, Some(i))).collect();
        let mut input = Input::new(args);
        for block in &witness.blocks {
            let place = self.places.get(&block.number).copied();
            match (global_name(block), place) {
                (Some(name), _) if !block.read_only && block.size > 0 => {
                    let held = self.held(block);
                    input.globals.push((name.to_owned(), held));
                }
                (None, Some(BlockPlace::Block(_))) => {
                    let mut held = self.held(block);
                    held.read_only = block.read_only;
                    held.align = alignment(block).filter(|a| *a != BUFFER_ALIGN);
                    held.address = match self.addresses {
                        Addresses::Any => None,
                        Addresses::Congruent => {
                            Some((input.blocks.len() as u64 + 1) * APART + block.base % PAGE)
                        }
                        Addresses::Moved => Some(block.base.wrapping_add(MOVED)),
                        Addresses::OfModel => Some(block.base),
                    };
                    input.blocks.push(held);
                }
                (Some(_), _) | (None, Some(BlockPlace::Argument(..) | BlockPlace::External(_)) | None) => {}
            }
        }
        input
    }

    /// Translates an argument; `index` is `None` for a member of an aggregate.
    fn arg(&mut self, value: &ConcreteValue, index: Option<usize>) -> ArgSpec {
        match value {
            ConcreteValue::Poison => ArgSpec::Poison,
            ConcreteValue::UndefPointer => ArgSpec::Undef,
            ConcreteValue::Bits { width, bits, undef: 0 } => {
                if index.is_some_and(|i| self.is_int(i)) {
                    integer(*width, *bits)
                } else {
                    ArgSpec::Bits(*bits)
                }
            }
            ConcreteValue::Bits { width, undef, .. } if undef.count_ones() == *width => ArgSpec::Undef,
            ConcreteValue::Bits { bits, undef, .. } => {
                ArgSpec::Partial { bits: bits & !undef, undef: *undef }
            }
            ConcreteValue::List(list) => ArgSpec::Members(list.iter().map(|v| self.arg(v, None)).collect()),
            ConcreteValue::Pointer(pointer) => self.pointer(*pointer, index),
        }
    }

    fn is_int(&self, parameter: usize) -> bool {
        let env = &self.target.module.env;
        let signature = env.types.signature(env.funcs[self.target.func].ty);
        signature.is_some_and(|(_, params, _)| params.get(parameter).is_some_and(|ty| ty.is_int()))
    }

    /// Translates a pointer; `index` is its argument number, if it is an argument.
    fn pointer(&mut self, pointer: Pointer, index: Option<usize>) -> ArgSpec {
        let Pointer { block: number, offset } = pointer;
        let signed = offset as i64;
        if number == 0 {
            return if offset == 0 { ArgSpec::Null } else { ArgSpec::Address(offset) };
        }
        let Some(block) = self.block(number) else {
            self.leave_out("a pointer to a block that is not described");
            return ArgSpec::Address(offset);
        };
        if let Some(name) = global_name(block) {
            // The source's module may lack the target, which has another name there.
            let is_target = self.target.module.env.func_named(name) == Some(self.target.func);
            if is_target && self.addresses == Addresses::OfModel {
                self.leave_out("a pointer to the target itself");
                return ArgSpec::Address(block.base.wrapping_add(offset));
            }
            return ArgSpec::Global { name: name.to_owned(), offset: signed };
        }
        match self.places.get(&number).copied() {
            Some(BlockPlace::Argument(arg, _)) if index == Some(arg) => {
                let contents = Box::new(self.held(block).contents);
                if offset == 0 {
                    ArgSpec::Buffer(contents)
                } else {
                    ArgSpec::Inside { contents, offset: signed }
                }
            }
            Some(BlockPlace::Argument(arg, at)) => {
                ArgSpec::Alias { arg, offset: signed.wrapping_sub(at as i64) }
            }
            Some(BlockPlace::Block(block)) => ArgSpec::Block { block, offset: signed },
            Some(BlockPlace::External(_)) | None => {
                self.leave_out("a pointer to memory that a call is still to return");
                ArgSpec::Address(offset)
            }
        }
    }

    /// The initial contents of a block.
    fn held(&mut self, block: &ConcreteBlock) -> BlockSpec {
        if block.size > block.bytes.len() as u64 {
            self.leave_out("a block of more bytes than are described");
        }
        let mut contents = Contents::from_bytes(block.bytes.iter().map(|b| b.value).collect());
        let mut pointers: Vec<PointerBytes> = Vec::new();
        for (at, byte) in block.bytes.iter().enumerate() {
            match byte.pointer.filter(|_| byte.poison == 0) {
                Some((pointer, part)) => {
                    let spec = self.pointer(pointer, None);
                    let first = self.memory_order(part);
                    match pointers.last_mut() {
                        Some(last)
                            if last.pointer == spec
                                && last.at + usize::from(last.count) == at
                                && last.first + last.count == first =>
                        {
                            last.count += 1;
                        }
                        _ => pointers.push(PointerBytes { at, pointer: spec, first, count: 1 }),
                    }
                    contents.set_bits(at, (0, 0, 0));
                }
                None => contents.set_bits(at, (byte.value, byte.undef, byte.poison)),
            }
        }
        BlockSpec { pointers, ..BlockSpec::new(contents) }
    }

    /// The index in memory order of the pointer byte that is the `part`th from the low end.
    fn memory_order(&self, part: u32) -> u8 {
        let layout = &self.target.module.env.layout;
        let bytes = layout.pointer(0).bits.div_ceil(8);
        let index = if layout.big_endian { (bytes - 1).saturating_sub(part) } else { part };
        u8::try_from(index).unwrap_or(u8::MAX)
    }

    /// The interpreter's answer to the call.
    pub(crate) fn answer(&mut self, call: &ConcreteCall) -> Answer {
        let fresh = match &call.result {
            Some(ConcreteValue::Pointer(pointer)) if call.returns => {
                self.new_memory(call.inst, pointer.block)
            }
            Some(_) | None => None,
        };
        let result = call.result.as_ref().filter(|_| call.returns).map(|r| self.seen(r));
        let mut writes = Vec::new();
        for (block, after) in self.witness.blocks.iter().zip(call.leaves.iter().flatten()) {
            let Some(name) = self.object(block.number).filter(|_| !block.read_only) else { continue };
            for (at, byte) in after.iter().enumerate() {
                let byte = self.written(byte);
                writes.push((name.clone(), at as u64, byte));
            }
        }
        let exit = if call.throws { Exit::Threw } else { Exit::Exited };
        Answer { exit: (!call.returns).then_some(exit), result, writes, fresh }
    }

    /// Size and alignment of the memory that the call returns, if it is new.
    fn new_memory(&mut self, inst: Inst, number: u32) -> Option<(u64, u64)> {
        if number == 0 || !self.returns_new_memory(inst) {
            return None;
        }
        let Some(block) = self.block(number).filter(|b| !self.places.contains_key(&b.number)) else {
            self.leave_out("a call that returns as new memory what is known already");
            return None;
        };
        self.places.insert(number, BlockPlace::External(self.externals));
        self.externals += 1;
        Some((block.size, alignment(block).unwrap_or(BUFFER_ALIGN)))
    }

    fn written(&mut self, byte: &ConcreteByte) -> Written {
        match byte.pointer.filter(|_| byte.poison == 0) {
            Some((pointer, part)) => Written::Pointer {
                pointer: self.seen(&ConcreteValue::Pointer(pointer)),
                index: self.memory_order(part),
            },
            None => Written::Bits { value: byte.value, undef: byte.undef, poison: byte.poison },
        }
    }

    /// The interpreter's name of a block.
    fn object(&self, number: u32) -> Option<ObjectName> {
        if let Some(name) = self.block(number).and_then(global_name) {
            return Some(ObjectName::Global(name.into()));
        }
        Some(match self.places.get(&number)? {
            BlockPlace::Argument(arg, _) => ObjectName::Buffer(*arg as u32),
            BlockPlace::Block(block) => ObjectName::Block(*block as u32),
            BlockPlace::External(n) => ObjectName::External(*n),
        })
    }

    fn seen(&mut self, value: &ConcreteValue) -> Seen {
        match value {
            ConcreteValue::Poison => Seen::Poison,
            ConcreteValue::UndefPointer => Seen::Bits(Cube::new(0, u64::MAX.into())),
            ConcreteValue::Bits { bits, undef, .. } => Seen::Bits(Cube::new(*bits & !undef, *undef)),
            ConcreteValue::List(list) => Seen::Agg(list.iter().map(|v| self.seen(v)).collect()),
            ConcreteValue::Pointer(p) if p.block == 0 => Seen::Address(p.offset),
            ConcreteValue::Pointer(p) => match self.object(p.block) {
                Some(object) => Seen::Ptr(object, p.offset),
                None => {
                    self.leave_out("a call that returns a pointer to memory of the function");
                    Seen::Address(0)
                }
            },
        }
    }
}

/// The name of the global or function, if the block is one.
fn global_name(block: &ConcreteBlock) -> Option<&str> {
    block.name.as_deref().filter(|name| !name.starts_with('%'))
}

/// Whether the block can be represented by an interpreter buffer.
fn like_a_buffer(block: &ConcreteBlock) -> bool {
    let plain = block.bytes.iter().all(|b| b.pointer.is_none());
    plain && !block.read_only && block.base.is_multiple_of(BUFFER_ALIGN)
}

/// The largest power of two, up to a page, that divides the address; `None` if the block has no address.
fn alignment(block: &ConcreteBlock) -> Option<u64> {
    const PAGE: u64 = 4096;
    (block.base != 0).then(|| (1 << block.base.trailing_zeros()).min(PAGE))
}

/// The blocks that a value points to.
fn pointed(value: &ConcreteValue) -> Vec<u32> {
    match value {
        ConcreteValue::Pointer(pointer) => vec![pointer.block],
        ConcreteValue::List(list) => list.iter().flat_map(pointed).collect(),
        ConcreteValue::Bits { .. } | ConcreteValue::UndefPointer | ConcreteValue::Poison => Vec::new(),
    }
}
