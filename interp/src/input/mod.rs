//! Inputs of a run: arguments, the memory they point to, and contents of globals. [`mod@text`] defines the text form.

mod external;
pub mod text;

use crate::compile::op::Signature;
use crate::layout::Shape;
use crate::memory::{Contents, Liveness, Memory, Origin, Request};
use crate::observe::{Events, ObjectName};
use crate::outcome::Stop;
use crate::value::{Args, Cube, Pointer, Prov, Val, mask};
use backedge_ir::types::FloatKind;
pub use text::shortened;
use thiserror::Error;

/// Alignment in bytes of buffers whose parameter requires none: that of allocators on the usual machines.
pub const BUFFER_ALIGN: u64 = 16;

/// One argument.
#[derive(Clone, PartialEq, Debug)]
pub enum ArgSpec {
    /// An integer, or a float of that value.
    Int(i128),
    /// A float.
    Float(f64),
    /// A scalar by its bits.
    Bits(u128),
    /// Poison.
    Poison,
    /// All bits undefined.
    Undef,
    /// A scalar with some undefined bits.
    Partial {
        /// The defined bits; the others are 0.
        bits: u128,
        /// The undefined bits.
        undef: u128,
    },
    /// The null pointer.
    Null,
    /// A pointer to a fresh buffer.
    Buffer(Box<Contents>),
    /// A pointer into a fresh buffer.
    Inside {
        /// The buffer.
        contents: Box<Contents>,
        /// The offset from its start in bytes.
        offset: i64,
    },
    /// The pointer passed as an earlier argument, plus an offset in bytes.
    Alias {
        /// Index of that argument, from 0.
        arg: usize,
        /// The offset.
        offset: i64,
    },
    /// The address of a global or function, plus an offset in bytes.
    Global {
        /// The name without `@`.
        name: String,
        /// The offset.
        offset: i64,
    },
    /// A pointer into a block of the input.
    Block {
        /// The block's number.
        block: usize,
        /// The offset in bytes.
        offset: i64,
    },
    /// A pointer without an object.
    Address(u64),
    /// The members of an aggregate or vector.
    Members(Vec<ArgSpec>),
}

/// Memory of the caller: a separate block, or the contents of a global.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BlockSpec {
    /// The bytes.
    pub contents: Contents,
    /// The pointers in it.
    pub pointers: Vec<PointerBytes>,
    /// Its address; `None` for any address with the alignment.
    pub address: Option<u64>,
    /// The address is a multiple of this many bytes but not of twice as many; [`BUFFER_ALIGN`] if `None`.
    pub align: Option<u64>,
    /// Whether it is read-only.
    pub read_only: bool,
    /// Whether it was freed before the run, so that pointers to it dangle.
    pub dead: bool,
}

/// Bytes of a pointer in memory.
#[derive(Clone, PartialEq, Debug)]
pub struct PointerBytes {
    /// Offset of the first byte.
    pub at: usize,
    /// The pointer.
    pub pointer: ArgSpec,
    /// Index in the pointer of the first byte, in memory order.
    pub first: u8,
    /// Number of bytes.
    pub count: u8,
}

impl BlockSpec {
    /// A block with these contents and no pointers.
    pub fn new(contents: Contents) -> Self {
        Self { contents, ..Self::default() }
    }
    /// Whether it specifies more than contents.
    fn is_placed(&self) -> bool {
        self.address.is_some() || self.align.is_some() || self.read_only || self.dead
    }
}

/// The input of a run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Input {
    /// The arguments.
    pub args: Vec<ArgSpec>,
    /// Blocks of memory that arguments and memory point to, or that external calls return pointers to.
    pub blocks: Vec<BlockSpec>,
    /// Contents of globals that differ from their initializers; other external globals are zero.
    pub globals: Vec<(String, BlockSpec)>,
}

impl Input {
    /// An input without blocks or globals.
    pub fn new(args: Vec<ArgSpec>) -> Self {
        Self { args, ..Self::default() }
    }
    /// Whether an argument or the initial memory has undef bits.
    pub fn has_undef(&self) -> bool {
        let mut blocks = self.blocks.iter().chain(self.globals.iter().map(|(_, block)| block));
        self.args.iter().any(ArgSpec::has_undef)
            || blocks.any(|block| {
                block.contents.has_undef() || block.pointers.iter().any(|bytes| bytes.pointer.has_undef())
            })
    }
    /// Whether an argument or the initial memory has poison.
    pub fn has_poison(&self) -> bool {
        let mut blocks = self.blocks.iter().chain(self.globals.iter().map(|(_, block)| block));
        self.args.iter().any(ArgSpec::has_poison)
            || blocks.any(|block| {
                block.contents.has_poison() || block.pointers.iter().any(|bytes| bytes.pointer.has_poison())
            })
    }
}

impl ArgSpec {
    /// Whether the value, or the buffer that it points to, has undef bits.
    pub fn has_undef(&self) -> bool {
        match self {
            Self::Undef | Self::Partial { undef: 1.., .. } => true,
            Self::Buffer(contents) | Self::Inside { contents, .. } => contents.has_undef(),
            Self::Members(members) => members.iter().any(Self::has_undef),
            Self::Partial { .. }
            | Self::Int(_)
            | Self::Float(_)
            | Self::Bits(_)
            | Self::Poison
            | Self::Null
            | Self::Alias { .. }
            | Self::Global { .. }
            | Self::Block { .. }
            | Self::Address(_) => false,
        }
    }
    /// Whether the value, or the buffer that it points to, has poison.
    pub fn has_poison(&self) -> bool {
        match self {
            Self::Poison => true,
            Self::Buffer(contents) | Self::Inside { contents, .. } => contents.has_poison(),
            Self::Members(members) => members.iter().any(Self::has_poison),
            Self::Undef
            | Self::Partial { .. }
            | Self::Int(_)
            | Self::Float(_)
            | Self::Bits(_)
            | Self::Null
            | Self::Alias { .. }
            | Self::Global { .. }
            | Self::Block { .. }
            | Self::Address(_) => false,
        }
    }
}

/// Why an input does not fit or cannot be parsed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum InputError {
    /// The number of arguments is wrong.
    #[error("{expected} arguments are needed, {given} are given")]
    Count {
        /// Number of parameters.
        expected: usize,
        /// Number of arguments.
        given: usize,
    },
    /// An argument does not fit its parameter.
    #[error("argument {arg} (`{spec}`) does not fit its parameter")]
    Mismatch {
        /// Index of the argument, from 0.
        arg: usize,
        /// The argument.
        spec: String,
    },
    /// A global that does not exist, or whose contents have another size.
    #[error("there is no global `@{0}` with contents of that size")]
    Global(String),
    /// A block whose address is taken or impossible, or whose pointers do not fit into it.
    #[error("block{0} cannot be placed at its address, or a pointer in it does not fit or is invalid")]
    Block(usize),
    /// A block defined twice in the text, or without all blocks of lower numbers.
    #[error("block{0} is defined twice, or not all blocks of lower numbers are")]
    Numbering(usize),
    /// Text that is not an argument.
    #[error(
        "`{0}` is not an argument: integers, `poison`, `undef`, `null`, `zeros:N`, `bytes:HEX` and the like are"
    )]
    Text(String),
    /// A number out of range for every integer type.
    #[error("`{0}` is out of range: integers have at most 128 bits")]
    Range(String),
}

pub(crate) enum BindError {
    Input(InputError),
    Stop(Stop),
}

impl From<Stop> for BindError {
    fn from(stop: Stop) -> Self {
        Self::Stop(stop)
    }
}

impl Input {
    /// Creates the input's memory and the argument values.
    pub(crate) fn bind(
        &self,
        memory: &mut Memory,
        events: &mut Events,
        signature: &Signature,
    ) -> Result<Args, BindError> {
        let (expected, given) = (signature.params.len(), self.args.len());
        if expected != given {
            return Err(BindError::Input(InputError::Count { expected, given }));
        }
        let pointer_bits = memory.pointer_bits;
        for (number, block) in self.blocks.iter().enumerate() {
            let bad = |_| BindError::Input(InputError::Block(number));
            let index = place_block(memory, block, number as u32, pointer_bits).map_err(bad)?;
            events.add_block(index);
        }
        let mut values = Args::with_capacity(given);
        for (i, (spec, shape)) in self.args.iter().zip(&signature.params).enumerate() {
            let align = signature.param_facts[i].as_ref().map_or(0, |f| f.align).max(BUFFER_ALIGN);
            let mut binder = Binder { memory, events, values: &values, align, number: i as u32 };
            let value = binder.value(spec, shape)?;
            let mismatch =
                || BindError::Input(InputError::Mismatch { arg: i, spec: shortened(&spec.to_string()) });
            values.push(value.ok_or_else(mismatch)?);
        }
        self.fill(memory, events, &values)?;
        Ok(values)
    }
    /// Fills blocks and globals, once all objects that they may point to have addresses.
    fn fill(&self, memory: &mut Memory, events: &mut Events, values: &[Val]) -> Result<(), BindError> {
        let blocks = self
            .blocks
            .iter()
            .enumerate()
            .map(|(number, block)| (ObjectName::Block(number as u32), block, InputError::Block(number)));
        let globals = self.globals.iter().map(|(name, block)| {
            (ObjectName::Global(name.as_str().into()), block, InputError::Global(name.clone()))
        });
        for (name, block, error) in blocks.chain(globals) {
            let index = events.find(memory, &name);
            let fits = |i: &usize| {
                let alloc = memory.allocation(*i);
                alloc.contents.len() == block.contents.len()
                    && !(matches!(alloc.origin, Origin::Global(_)) && block.is_placed())
            };
            let filled = match index.filter(fits) {
                Some(index) => fill(memory, events, values, index, block)?,
                None => None,
            };
            filled.ok_or(BindError::Input(error))?;
        }
        Ok(())
    }
}

/// Creates a block without its contents.
fn place_block(
    memory: &mut Memory,
    block: &BlockSpec,
    number: u32,
    pointer_bits: u32,
) -> Result<usize, Stop> {
    let request = Request {
        origin: Origin::Block(number),
        size: block.contents.len() as u64,
        align: block.align.filter(|a| a.is_power_of_two()).unwrap_or(BUFFER_ALIGN),
        writable: !block.read_only,
        pointer_bits,
    };
    memory.allocate_at(request, block.address)?;
    let index = memory.allocations().len() - 1;
    memory.allocation_mut(index).escaped = true;
    if block.dead {
        memory.allocation_mut(index).liveness = Liveness::Freed;
    }
    Ok(index)
}

/// Writes the contents of `block` into the allocation; `None` if one of its pointers does not fit or is invalid.
fn fill(
    memory: &mut Memory,
    events: &mut Events,
    values: &[Val],
    index: usize,
    block: &BlockSpec,
) -> Result<Option<()>, Stop> {
    let (bits, big_endian) = (memory.pointer_bits, memory.big_endian);
    let mut contents = block.contents.clone();
    for bytes in &block.pointers {
        // Creates no buffers here: pointers in memory refer to named objects.
        if matches!(bytes.pointer, ArgSpec::Buffer(_) | ArgSpec::Inside { .. }) {
            return Ok(None);
        }
        let mut binder = Binder { memory, events, values, align: BUFFER_ALIGN, number: 0 };
        let Some(pointer) = binder.pointer(&bytes.pointer, bits)? else { return Ok(None) };
        let end = u32::from(bytes.first) + u32::from(bytes.count);
        if end > bits.div_ceil(8) || bytes.at + usize::from(bytes.count) > contents.len() {
            return Ok(None);
        }
        for i in 0..bytes.count {
            contents.write_ptr_byte(bytes.at + usize::from(i), pointer, bytes.first + i, bits, big_endian);
        }
    }
    *memory.allocation_mut(index).contents_mut() = contents;
    Ok(Some(()))
}

struct Binder<'a> {
    memory: &'a mut Memory,
    events: &'a mut Events,
    values: &'a [Val],
    align: u64,
    number: u32,
}

impl Binder<'_> {
    /// The value of an argument; `None` if it does not fit the shape.
    fn value(&mut self, spec: &ArgSpec, shape: &Shape) -> Result<Option<Val>, Stop> {
        Ok(match (spec, shape) {
            (ArgSpec::Poison, _) => Some(shape.poison()),
            (ArgSpec::Undef, _) => Some(shape.undef()),
            (ArgSpec::Members(list), Shape::Vector { .. } | Shape::Array { .. } | Shape::Struct { .. }) => {
                let shapes: Vec<Shape> = shape.members().cloned().collect();
                if shapes.len() != list.len() {
                    return Ok(None);
                }
                let mut members = Vec::with_capacity(list.len());
                for (spec, shape) in list.iter().zip(&shapes) {
                    let Some(member) = self.value(spec, shape)? else { return Ok(None) };
                    members.push(member);
                }
                Some(Val::agg(members))
            }
            (_, Shape::Ptr(bits)) => self.pointer(spec, *bits)?.map(Val::Ptr),
            (ArgSpec::Int(value), Shape::Int(width)) => {
                int_bits(*value, *width).map(|b| Val::from_cube(*width, Cube::known(b)))
            }
            (ArgSpec::Bits(bits), Shape::Int(_) | Shape::Float(_)) => {
                let fits = bits & !mask(shape.scalar_bits().unwrap_or(128)) == 0;
                fits.then(|| shape.scalar_from(Cube::known(*bits)))
            }
            (ArgSpec::Partial { bits, undef }, Shape::Int(_) | Shape::Float(_)) => {
                let width = shape.scalar_bits().unwrap_or(128);
                let all = mask(width);
                ((bits | undef) & !all == 0).then(|| Val::from_cube(width, Cube::new(bits & !undef, *undef)))
            }
            (ArgSpec::Int(value), Shape::Float(kind)) => float_value(*kind, *value as f64),
            (ArgSpec::Float(value), Shape::Float(kind)) => float_value(*kind, *value),
            _ => None,
        })
    }
    fn pointer(&mut self, spec: &ArgSpec, bits: u32) -> Result<Option<Pointer>, Stop> {
        let offset_by = |p: Pointer, by: i64| Pointer { addr: p.addr.wrapping_add_signed(by), ..p };
        Ok(match spec {
            ArgSpec::Null | ArgSpec::Int(0) => Some(Pointer::NULL),
            ArgSpec::Address(addr) => Some(Pointer { addr: *addr, prov: Prov::NONE }),
            ArgSpec::Buffer(contents) => Some(self.buffer(contents, bits)?),
            ArgSpec::Inside { contents, offset } => Some(offset_by(self.buffer(contents, bits)?, *offset)),
            ArgSpec::Alias { arg, offset } => match self.values.get(*arg) {
                Some(Val::Ptr(ptr)) => Some(offset_by(*ptr, *offset)),
                _ => None,
            },
            ArgSpec::Global { name, offset } => {
                let name = ObjectName::Global(name.as_str().into());
                self.events.find(self.memory, &name).map(|index| {
                    let alloc = self.memory.allocation(index);
                    offset_by(Pointer { addr: alloc.base, prov: alloc.prov }, *offset)
                })
            }
            ArgSpec::Block { block, offset } => {
                let index = self
                    .events
                    .find(self.memory, &ObjectName::Block(u32::try_from(*block).unwrap_or(u32::MAX)));
                index.map(|index| {
                    let alloc = self.memory.allocation(index);
                    offset_by(Pointer { addr: alloc.base, prov: alloc.prov }, *offset)
                })
            }
            ArgSpec::Int(_)
            | ArgSpec::Float(_)
            | ArgSpec::Bits(_)
            | ArgSpec::Partial { .. }
            | ArgSpec::Poison
            | ArgSpec::Undef
            | ArgSpec::Members(_) => None,
        })
    }
    fn buffer(&mut self, contents: &Contents, pointer_bits: u32) -> Result<Pointer, Stop> {
        let number = self.events.next_buffer(self.number);
        let pointer = self.memory.allocate(Request {
            origin: Origin::Buffer(number),
            size: contents.len() as u64,
            align: self.align,
            writable: true,
            pointer_bits,
        })?;
        let index = self.memory.allocations().len() - 1;
        let alloc = self.memory.allocation_mut(index);
        alloc.contents.clone_from(contents);
        alloc.escaped = true;
        self.events.add_buffer(number, index);
        Ok(pointer)
    }
}

/// The bits of `value` at `width`, if it is in the signed or unsigned range.
fn int_bits(value: i128, width: u32) -> Option<u128> {
    let fits =
        width == 128 || value >= -(1 << (width - 1)) && value < 1i128.checked_shl(width).unwrap_or(i128::MAX);
    fits.then_some(value as u128 & mask(width))
}

fn float_value(kind: FloatKind, value: f64) -> Option<Val> {
    match kind {
        FloatKind::Float => Some(Val::Bits((value as f32).to_bits().into())),
        FloatKind::Double => Some(Val::Bits(value.to_bits())),
        FloatKind::Half | FloatKind::BFloat | FloatKind::X86Fp80 | FloatKind::Fp128 | FloatKind::PpcFp128 => {
            None
        }
    }
}
