//! The initial state of an interpreter run in the encoder's terms: arguments, blocks, and object names.

use backedge_interp::input::{ArgSpec, Input};
use backedge_interp::memory::{Contents, Memory, Origin};
use backedge_interp::observe::{FURTHER_BUFFERS, ObjectName, Seen};
use backedge_interp::value::{Prov, Val};
use backedge_ir::attr::{Attr, TypeAttr};
use backedge_ir::entity::FuncId;
use backedge_ir::module::Module;
use backedge_smt::refinement::denotation::{Denotation, Situation};
use backedge_smt::refinement::{ConcreteBlock, ConcreteByte, ConcreteValue, Pointer};
use std::collections::{HashMap, HashSet};

/// A caller's object with its address and contents.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    pub(crate) origin: Origin,
    pub(crate) base: u64,
    pub(crate) size: u64,
    pub(crate) writable: bool,
    pub(crate) contents: Contents,
}

/// The caller's objects at the start of a run.
pub(crate) fn placed(memory: &Memory) -> Vec<Placed> {
    let outlives = |o: &Origin| matches!(o, Origin::Global(_) | Origin::Buffer(_) | Origin::Function(_));
    let all = memory.allocations().iter().filter(|a| outlives(&a.origin));
    all.map(|a| Placed {
        origin: a.origin.clone(),
        base: a.base,
        // A function's bytes are inaccessible.
        size: if matches!(a.origin, Origin::Function(_)) { 0 } else { a.size },
        writable: a.writable,
        contents: if matches!(a.origin, Origin::Function(_)) {
            Contents::default()
        } else {
            a.contents.clone()
        },
    })
    .collect()
}

/// The encoder's block numbers of the caller's objects.
pub(crate) struct Numbers {
    buffers: HashMap<u32, u32>,
    globals: HashMap<String, u32>,
    /// Variables of unknown size, such as those of other modules: block number, declared size in bytes, and whether the
    /// variable is constant.
    declared: Vec<(u32, u64, bool)>,
    /// Addresses of the encoder's blocks.
    bases: HashMap<u32, u64>,
    big_endian: bool,
    /// Mask of the bits of an offset.
    offsets: u64,
    /// Indices of `byval` parameters: the encoder's block is the copy, the interpreter's buffer is the caller's object.
    copied: HashSet<u32>,
    /// The encoder's block numbers of `blockaddress` targets.
    labels: HashSet<u32>,
    /// Whether the encoder distinguishes bytes of pointers from other bytes.
    pub(crate) has_pointer_bytes: bool,
    /// [`Denotation::makes_pointers`].
    makes_pointers: bool,
}

impl Numbers {
    pub(crate) fn new(module: &Module, func: FuncId, denotation: &Denotation, input: &Input) -> Self {
        let body = module.body(func).expect("a function with a body");
        let named = |name: &str| denotation.named_block(name);
        let mut buffers = HashMap::new();
        for (i, arg) in body.args().enumerate() {
            if matches!(input.args.get(i), Some(ArgSpec::Buffer(_) | ArgSpec::Inside { .. })) {
                let own = denotation.argument_block(body, arg);
                let number = own.unwrap_or(Denotation::unnamed_block(i as u32));
                buffers.insert(i as u32, number);
            }
        }
        // The first buffer of an aggregate argument has the argument's number; its other buffers are numbered after all
        // arguments.
        let mut further = 0;
        for (i, arg) in input.args.iter().enumerate() {
            let ArgSpec::Members(members) = arg else { continue };
            let count = members.iter().map(buffers_of).sum::<u32>();
            if count > 0 {
                buffers.insert(i as u32, Denotation::unnamed_block(i as u32));
            }
            for _ in 1..count {
                let number = Denotation::unnamed_block(input.args.len() as u32 + further);
                buffers.insert(FURTHER_BUFFERS + further, number);
                further += 1;
            }
        }
        let names =
            module.env.vars.values().map(|v| &v.name).chain(module.env.funcs.values().map(|f| &f.name));
        let globals = names.filter_map(|n| Some((n.to_string(), named(n)?))).collect();
        let env = &module.env;
        let size = |ty| env.layout.alloc_bytes(&env.types, ty).unwrap_or(0);
        let declared = env.vars.values().filter(|v| !v.is_definitive());
        let declared = declared.filter_map(|v| Some((named(&v.name)?, size(v.ty), v.is_constant))).collect();
        let is_copied = |i: &u32| {
            let list = env.funcs[func].param_attrs.get(*i as usize);
            list.is_some_and(|l| env.attrs(l).any(|a| matches!(a, Attr::Type(TypeAttr::ByVal, _))))
        };
        Self {
            buffers,
            globals,
            declared,
            bases: HashMap::new(),
            big_endian: env.layout.big_endian,
            offsets: u64::MAX >> (64 - env.layout.pointer(0).bits.clamp(1, 64)),
            copied: (0..input.args.len() as u32).filter(is_copied).collect(),
            labels: denotation.labels(env),
            has_pointer_bytes: denotation.has_pointer_bytes(),
            makes_pointers: denotation.makes_pointers(),
        }
    }
    /// The block number of a caller's object.
    pub(crate) fn of(&self, name: &ObjectName) -> Option<u32> {
        match name {
            ObjectName::Global(n) | ObjectName::Function(n) => self.globals.get(&**n).copied(),
            ObjectName::Buffer(n) if self.copied.contains(n) => None,
            ObjectName::Buffer(n) => self.buffers.get(n).copied(),
            ObjectName::Block(_) | ObjectName::Local(_) | ObjectName::External(_) => None,
        }
    }
    fn of_origin(&self, origin: &Origin) -> Option<u32> {
        match origin {
            Origin::Global(n) | Origin::Function(n) => self.globals.get(&**n).copied(),
            Origin::Buffer(n) => self.buffers.get(n).copied(),
            Origin::Block(_) | Origin::Local(_) | Origin::Heap(_) | Origin::External(_) => None,
        }
    }
    /// Whether both engines' pointers agree. A pointer to a local object of one engine matches a pointer to any local
    /// object of the other.
    pub(crate) fn is_same_pointer(&self, seen: &Seen, pointer: Pointer) -> bool {
        let is_same_offset = |offset: u64| (pointer.offset ^ offset) & self.offsets == 0;
        match seen {
            Seen::Ptr(name @ (ObjectName::Local(_) | ObjectName::External(_)), offset) => {
                self.of(name).is_none() && is_same_offset(*offset) && pointer.block >= 1
            }
            Seen::Ptr(ObjectName::Buffer(n), offset) if self.copied.contains(n) => {
                self.buffers.get(n) == Some(&pointer.block) && is_same_offset(*offset)
            }
            // The interpreter resolves the object of a pointer cast from an integer at its use.
            Seen::Ptr(name, offset) if pointer.block == 0 && self.makes_pointers => self
                .of(name)
                .and_then(|block| self.bases.get(&block))
                .is_some_and(|base| is_same_offset(offset.wrapping_add(*base))),
            Seen::Ptr(name, offset) => self.of(name) == Some(pointer.block) && is_same_offset(*offset),
            // The encoder chooses the addresses of basic blocks.
            Seen::Address(_) if self.labels.contains(&pointer.block) => pointer.offset == 0,
            // In the encoder, a pointer cast from an integer belongs to no object before its use.
            Seen::Address(address) => {
                let base = self.bases.get(&pointer.block).copied().unwrap_or(0);
                base.wrapping_add(pointer.offset) == *address
            }
            Seen::Poison | Seen::Bits(_) | Seen::Agg(_) => false,
        }
    }
    /// A byte of the pointer's address, in memory order; `None` if the object's address is unknown.
    pub(crate) fn address_byte(&self, pointer: Pointer, part: u32) -> Option<u8> {
        let base = if pointer.block == 0 { 0 } else { *self.bases.get(&pointer.block)? };
        let mut bytes = base.wrapping_add(pointer.offset).to_le_bytes();
        if self.big_endian {
            bytes.reverse();
        }
        bytes.get(part as usize).copied()
    }
    /// Records the addresses of a situation's blocks.
    pub(crate) fn note_addresses(&mut self, situation: &Situation) {
        self.bases = situation.blocks.iter().map(|b| (b.number, b.base)).collect();
    }
    /// The initial state of a run: `args` are the interpreter's argument values, `objects` its memory.
    pub(crate) fn situation(&self, input: &Input, args: &[Val], objects: &[Placed]) -> Situation {
        let blocks = objects.iter().filter_map(|object| {
            let number = self.of_origin(&object.origin)?;
            Some(ConcreteBlock {
                number,
                name: None,
                base: object.base,
                size: object.size,
                read_only: !object.writable,
                bytes: self.bytes(&object.contents, objects),
            })
        });
        let args = (0..).zip(&input.args).zip(args).map(|((i, spec), value)| {
            // A `byval` argument points to a copy of its buffer; the encoder has only the buffer.
            match (spec, value, self.buffers.get(&i)) {
                (ArgSpec::Buffer(_), Val::Ptr(_), Some(&block)) => {
                    ConcreteValue::Pointer(Pointer { block, offset: 0 })
                }
                _ => self.argument(spec, value, objects),
            }
        });
        Situation { args: args.collect(), blocks: blocks.collect() }
    }
    /// The initial state of a run that failed at its arguments; addresses have the usual alignment of buffers.
    pub(crate) fn unstarted(&self, input: &Input) -> Situation {
        let mut blocks = Vec::new();
        // The contents are irrelevant. The variables lie far from all other objects, as far as the pointer width
        // permits.
        let mut base = if self.offsets > u32::MAX.into() { 0x1_0000_0000 } else { 0x1000_0000 };
        for &(number, size, read_only) in &self.declared {
            blocks.push(ConcreteBlock { number, name: None, base, size, read_only, bytes: Vec::new() });
            base = base.saturating_add(size.saturating_add(0x1_0000) & !0xffff);
        }
        let mut args: Vec<ConcreteValue> = Vec::new();
        for (i, spec) in input.args.iter().enumerate() {
            let number = self.buffers.get(&(i as u32)).copied().unwrap_or(0);
            let base = 0x1_0000 * (i as u64 + 1) + 16;
            let mut block = |contents: &Contents| {
                let size = contents.len() as u64;
                let bytes = self.bytes(contents, &[]);
                blocks.push(ConcreteBlock { number, name: None, base, size, read_only: false, bytes });
            };
            let pointer = |block, offset: i64| {
                ConcreteValue::Pointer(Pointer { block, offset: offset as u64 & self.offsets })
            };
            args.push(match spec {
                ArgSpec::Poison => ConcreteValue::Poison,
                ArgSpec::Undef => ConcreteValue::Bits { width: 128, bits: 0, undef: u128::MAX },
                ArgSpec::Null => pointer(0, 0),
                ArgSpec::Address(at) => pointer(0, *at as i64),
                ArgSpec::Bits(bits) => ConcreteValue::Bits { width: 128, bits: *bits, undef: 0 },
                ArgSpec::Int(value) => ConcreteValue::Bits { width: 128, bits: *value as u128, undef: 0 },
                ArgSpec::Buffer(contents) => {
                    block(contents);
                    pointer(number, 0)
                }
                ArgSpec::Inside { contents, offset } => {
                    block(contents);
                    pointer(number, *offset)
                }
                ArgSpec::Global { name, offset } => {
                    pointer(self.globals.get(name).copied().unwrap_or(0), *offset)
                }
                ArgSpec::Alias { arg, offset } => match &args[*arg] {
                    ConcreteValue::Pointer(p) => pointer(p.block, p.offset as i64 + offset),
                    other => other.clone(),
                },
                ArgSpec::Members(list) => {
                    let inner = Input::new(list.clone());
                    ConcreteValue::List(self.unstarted(&inner).args)
                }
                ArgSpec::Partial { .. } | ArgSpec::Block { .. } => panic!("no such argument is made here"),
                ArgSpec::Float(value) => {
                    ConcreteValue::Bits { width: 64, bits: value.to_bits().into(), undef: 0 }
                }
            });
        }
        Situation { args, blocks }
    }
    fn argument(&self, spec: &ArgSpec, value: &Val, objects: &[Placed]) -> ConcreteValue {
        match (spec, value) {
            (ArgSpec::Poison, _) => ConcreteValue::Poison,
            (_, Val::Ptr(ptr)) => ConcreteValue::Pointer(self.pointer(ptr.addr, objects)),
            (ArgSpec::Members(specs), Val::Agg(members)) => {
                let both = specs.iter().zip(members.iter());
                ConcreteValue::List(both.map(|(s, m)| self.argument(s, m, objects)).collect())
            }
            _ => value_of(value),
        }
    }
    fn bytes(&self, contents: &Contents, objects: &[Placed]) -> Vec<ConcreteByte> {
        let plane = |plane: &[u8], at: usize| plane.get(at).copied().unwrap_or(0);
        let byte = |at: usize| ConcreteByte {
            value: contents.bytes[at],
            poison: plane(&contents.poison, at),
            undef: plane(&contents.undef, at),
            pointer: self.pointer_at(contents, at, objects),
        };
        (0..contents.len()).map(byte).collect()
    }
    /// The pointer that byte `at` is a fragment of, and the fragment's index.
    fn pointer_at(&self, contents: &Contents, at: usize, objects: &[Placed]) -> Option<(Pointer, u32)> {
        let piece = contents.fragments.get(at).filter(|f| self.has_pointer_bytes && f.prov != Prov::NONE)?;
        let start = at.checked_sub(piece.index.into())?;
        let mut bytes: [u8; 8] = contents.bytes.get(start..)?.first_chunk().copied()?;
        if self.big_endian {
            bytes.reverse();
        }
        Some((self.pointer(u64::from_le_bytes(bytes), objects), piece.index.into()))
    }
    fn pointer(&self, address: u64, objects: &[Placed]) -> Pointer {
        // Arguments point into their object or slightly outside: the gaps between objects are wider.
        const NEAR: u64 = 8;
        let near = |o: &&Placed| address + NEAR >= o.base && address <= o.base + o.size + NEAR;
        let found = objects.iter().filter(near).min_by_key(|o| {
            let inside = address >= o.base && address <= o.base + o.size;
            (!inside, address.abs_diff(o.base))
        });
        match found.and_then(|o| Some((self.of_origin(&o.origin)?, o.base))) {
            Some((block, base)) => Pointer { block, offset: address.wrapping_sub(base) & self.offsets },
            None => Pointer { block: 0, offset: address },
        }
    }
}

/// The number of buffers of an argument.
fn buffers_of(arg: &ArgSpec) -> u32 {
    match arg {
        ArgSpec::Buffer(_) | ArgSpec::Inside { .. } => 1,
        ArgSpec::Members(members) => members.iter().map(buffers_of).sum(),
        _ => 0,
    }
}

/// Converts a value without pointers to objects.
pub(crate) fn value_of(value: &Val) -> ConcreteValue {
    match value {
        Val::Poison => ConcreteValue::Poison,
        Val::Bits(bits) => ConcreteValue::Bits { width: 64, bits: u128::from(*bits), undef: 0 },
        Val::Wide(cube) => ConcreteValue::Bits { width: 128, bits: cube.bits, undef: cube.undef },
        Val::Ptr(ptr) => ConcreteValue::Pointer(Pointer { block: 0, offset: ptr.addr }),
        Val::Agg(members) => ConcreteValue::List(members.iter().map(value_of).collect()),
    }
}
