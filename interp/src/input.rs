//! What a function is run on: arguments, memory behind them, contents of globals; and their text form.
//!
//! | text | meaning |
//! |---|---|
//! | `7`, `-1`, `0xff` | an integer, or a float of that value |
//! | `true`, `false` | 1, 0 |
//! | `1.5`, `-2e3`, `inf`, `nan` | a float |
//! | `bits:0x7fc00000` | a float by its bits |
//! | `poison`, `undef`, `null` | |
//! | `zeros:16` | a pointer to a fresh buffer of 16 zero bytes |
//! | `uninit:16` | the same, uninitialised |
//! | `bytes:00ff??pp` | a pointer to a fresh buffer with those bytes; `??` is uninitialised, `pp` poison |
//! | `bytes:0011+1` | a pointer into a fresh buffer, so many bytes behind its start (or `-1`, before) |
//! | `arg0+8`, `arg0-4` | the pointer that argument 0 is, and so many bytes on |
//! | `@name`, `@name+4` | the address of a global or function |
//! | `addr:0x10` | a pointer without an object |
//! | `{1, poison}` | members of an aggregate or vector |

use crate::compile::op::Signature;
use crate::layout::Shape;
use crate::memory::{Contents, Memory, Origin, Request};
use crate::observe::{Events, ObjectName};
use crate::outcome::Stop;
use crate::value::{Args, Cube, Pointer, Prov, Val, mask};
use backedge_ir::types::FloatKind;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Alignment in bytes of buffers whose parameter does not ask for more.
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
    /// The pointer that an earlier argument is, with an offset in bytes.
    Alias {
        /// The number of the argument, from 0.
        arg: usize,
        /// The offset.
        offset: i64,
    },
    /// The address of a global or function, with an offset in bytes.
    Global {
        /// The name without `@`.
        name: String,
        /// The offset.
        offset: i64,
    },
    /// A pointer without an object.
    Address(u64),
    /// The members of an aggregate or vector.
    Members(Vec<ArgSpec>),
}

/// What a function is run on.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Input {
    /// The arguments.
    pub args: Vec<ArgSpec>,
    /// Contents of globals where they are not those of the initializer; external globals are zero otherwise.
    pub globals: Vec<(String, Contents)>,
}

impl Input {
    /// An input without memory of its own.
    pub fn new(args: Vec<ArgSpec>) -> Self {
        Self { args, globals: Vec::new() }
    }
    /// Reads arguments in their text form.
    pub fn parse<S: AsRef<str>>(args: &[S]) -> Result<Self, InputError> {
        args.iter().map(|a| a.as_ref().parse()).collect::<Result<_, _>>().map(Self::new)
    }
}

/// Why an input does not fit, or is not understood.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum InputError {
    /// The number of arguments is wrong.
    #[error("{expected} arguments are needed, {given} are given")]
    Count {
        /// How many the function takes.
        expected: usize,
        /// How many there are.
        given: usize,
    },
    /// An argument does not fit its parameter.
    #[error("argument {arg} (`{spec}`) does not fit its parameter")]
    Mismatch {
        /// Which, from 0.
        arg: usize,
        /// The argument.
        spec: String,
    },
    /// A global that does not exist, or whose contents have another size.
    #[error("there is no global `@{0}` with contents of that size")]
    Global(String),
    /// Text that is no argument.
    #[error(
        "`{0}` is not an argument: integers, `poison`, `undef`, `null`, `zeros:N`, `bytes:HEX` and the like are"
    )]
    Text(String),
    /// A number that no integer type has.
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
    /// Makes the memory of the input and the values of the arguments.
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
        for (name, contents) in &self.globals {
            let global = events.find(memory, &ObjectName::Global(name.as_str().into()));
            let fits = global.filter(|i| memory.allocation(*i).contents.len() == contents.len());
            let index = fits.ok_or_else(|| BindError::Input(InputError::Global(name.clone())))?;
            memory.allocation_mut(index).contents_mut().clone_from(contents);
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
        Ok(values)
    }
}

struct Binder<'a> {
    memory: &'a mut Memory,
    events: &'a mut Events,
    values: &'a [Val],
    align: u64,
    number: u32,
}

impl Binder<'_> {
    /// The value of an argument; `None` if it does not fit.
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
            ArgSpec::Int(_)
            | ArgSpec::Float(_)
            | ArgSpec::Bits(_)
            | ArgSpec::Poison
            | ArgSpec::Undef
            | ArgSpec::Members(_) => None,
        })
    }
    fn buffer(&mut self, contents: &Contents, pointer_bits: u32) -> Result<Pointer, Stop> {
        let pointer = self.memory.allocate(Request {
            origin: Origin::Buffer(self.number),
            size: contents.len() as u64,
            align: self.align,
            writable: true,
            pointer_bits,
        })?;
        let index = self.memory.allocations().len() - 1;
        let alloc = self.memory.allocation_mut(index);
        alloc.contents.clone_from(contents);
        alloc.escaped = true;
        self.events.add_buffer(self.number, index);
        Ok(pointer)
    }
}

/// The bits of `value` at `width`, if it is a signed or unsigned value of the type.
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

impl FromStr for ArgSpec {
    type Err = InputError;
    fn from_str(text: &str) -> Result<Self, InputError> {
        let text = text.trim();
        parse_arg(text, 0).ok_or_else(|| {
            let words = text.split(|c: char| matches!(c, ',' | '{' | '}') || c.is_whitespace());
            match words.into_iter().find(|w| is_number(w) && parse_int(w).is_none()) {
                Some(number) => InputError::Range(shortened(number)),
                None => InputError::Text(shortened(text)),
            }
        })
    }
}

/// Text for a message: what is long is cut in the middle.
pub fn shortened(text: &str) -> String {
    const MAX: usize = 80;
    let count = text.chars().count();
    if count <= MAX {
        return text.to_owned();
    }
    let head: String = text.chars().take(MAX / 2).collect();
    let tail: String = text.chars().skip(count - MAX / 4).collect();
    format!("{head}…{tail}")
}

/// Whether the text is spelled as a whole number.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    match digits.strip_prefix("0x") {
        Some(hex) => !hex.is_empty() && hex.bytes().all(|b| b.is_ascii_hexdigit()),
        None => !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()),
    }
}

fn parse_arg(text: &str, depth: u32) -> Option<ArgSpec> {
    match text {
        "poison" => return Some(ArgSpec::Poison),
        "undef" => return Some(ArgSpec::Undef),
        "null" => return Some(ArgSpec::Null),
        "true" => return Some(ArgSpec::Int(1)),
        "false" => return Some(ArgSpec::Int(0)),
        _ => {}
    }
    if let Some(inner) = text.strip_prefix('{').and_then(|t| t.strip_suffix('}')) {
        let parts = split_members(inner)?;
        let members =
            parts.into_iter().map(|p| if depth < 32 { parse_arg(p.trim(), depth + 1) } else { None });
        return members.collect::<Option<_>>().map(ArgSpec::Members);
    }
    if let Some((kind, rest)) = text.split_once(':') {
        return parse_tagged(kind, rest);
    }
    if let Some(rest) = text.strip_prefix('@') {
        let (name, offset) = split_offset(rest)?;
        return Some(ArgSpec::Global { name: name.to_owned(), offset });
    }
    if let Some(rest) = text.strip_prefix("arg") {
        let (number, offset) = split_offset(rest)?;
        return Some(ArgSpec::Alias { arg: number.parse().ok()?, offset });
    }
    if is_number(text) {
        return parse_int(text);
    }
    text.parse().ok().map(ArgSpec::Float)
}

/// The parts of a list between its outermost commas.
fn split_members(text: &str) -> Option<Vec<&str>> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0u32, 0);
    for (i, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.checked_sub(1)?,
            ',' if depth == 0 => {
                parts.push(&text[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    Some(parts)
}

/// Buffers in text are at most this large.
const MAX_BUFFER: usize = 1 << 28;

fn parse_tagged(kind: &str, rest: &str) -> Option<ArgSpec> {
    if let ("zeros" | "uninit" | "bytes", Some((buffer, offset))) = (kind, split_offset(rest))
        && buffer.len() < rest.len()
    {
        let ArgSpec::Buffer(contents) = parse_tagged(kind, buffer)? else { return None };
        return Some(ArgSpec::Inside { contents, offset });
    }
    let size = || rest.parse::<usize>().ok().filter(|n| *n <= MAX_BUFFER);
    match kind {
        "zeros" => Some(ArgSpec::Buffer(Box::new(Contents::zeroed(size()?)))),
        "uninit" => {
            let mut contents = Contents::zeroed(size()?);
            contents.set_undef(0, contents.len());
            Some(ArgSpec::Buffer(Box::new(contents)))
        }
        "bytes" => parse_bytes(rest).map(|c| ArgSpec::Buffer(Box::new(c))),
        "addr" => match parse_int(rest) {
            Some(ArgSpec::Int(n)) => u64::try_from(n).ok().map(ArgSpec::Address),
            _ => None,
        },
        "bits" => u128::from_str_radix(rest.strip_prefix("0x")?, 16).ok().map(ArgSpec::Bits),
        _ => None,
    }
}

fn parse_bytes(text: &str) -> Option<Contents> {
    if !text.is_ascii() || !text.len().is_multiple_of(2) {
        return None;
    }
    let mut contents = Contents::zeroed(text.len() / 2);
    for i in 0..text.len() / 2 {
        match &text[2 * i..2 * i + 2] {
            "??" => contents.set_undef(i, 1),
            "pp" => contents.set_poison(i, 1),
            hex => contents.bytes[i] = u8::from_str_radix(hex, 16).ok()?,
        }
    }
    Some(contents)
}

fn split_offset(text: &str) -> Option<(&str, i64)> {
    match text.rfind(['+', '-']).filter(|i| *i > 0) {
        Some(at) if text[at + 1..].bytes().all(|b| b.is_ascii_digit()) => {
            Some((&text[..at], text[at..].parse().ok()?))
        }
        _ => Some((text, 0)),
    }
}

/// A whole number; `None` beyond 128 bits.
fn parse_int(text: &str) -> Option<ArgSpec> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let magnitude = match digits.strip_prefix("0x") {
        Some(hex) => u128::from_str_radix(hex, 16).ok()?,
        None if digits.bytes().all(|b| b.is_ascii_digit()) => digits.parse().ok()?,
        None => return None,
    };
    match (negative, i128::try_from(magnitude)) {
        (false, Ok(value)) => Some(ArgSpec::Int(value)),
        (true, Ok(value)) => Some(ArgSpec::Int(-value)),
        // Fits as an unsigned number of 128 bits only.
        (false, Err(_)) => Some(ArgSpec::Bits(magnitude)),
        (true, Err(_)) => (magnitude == 1 << 127).then_some(ArgSpec::Int(i128::MIN)),
    }
}

impl fmt::Display for ArgSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(value) => write!(f, "{value}"),
            Self::Float(value) => write!(f, "{value:?}"),
            Self::Bits(bits) => write!(f, "bits:{bits:#x}"),
            Self::Poison => f.write_str("poison"),
            Self::Undef => f.write_str("undef"),
            Self::Null => f.write_str("null"),
            Self::Buffer(contents) => write_buffer(f, contents),
            Self::Inside { contents, offset } => {
                write_buffer(f, contents)?;
                write!(f, "{offset:+}")
            }
            Self::Alias { arg, offset } => write!(f, "arg{arg}{offset:+}"),
            Self::Global { name, offset: 0 } => write!(f, "@{name}"),
            Self::Global { name, offset } => write!(f, "@{name}{offset:+}"),
            Self::Address(addr) => write!(f, "addr:{addr:#x}"),
            Self::Members(members) => {
                f.write_str("{")?;
                for (i, member) in members.iter().enumerate() {
                    write!(f, "{}{member}", if i == 0 { "" } else { ", " })?;
                }
                f.write_str("}")
            }
        }
    }
}

/// Bytes of which only some bits are undefined or poison are written as if all were.
fn write_buffer(f: &mut fmt::Formatter<'_>, contents: &Contents) -> fmt::Result {
    if contents.is_plain() && contents.bytes.iter().all(|b| *b == 0) {
        return write!(f, "zeros:{}", contents.len());
    }
    f.write_str("bytes:")?;
    for (i, byte) in contents.bytes.iter().enumerate() {
        let set = |plane: &[u8]| plane.get(i).is_some_and(|b| *b != 0);
        if set(&contents.poison) {
            f.write_str("pp")?;
        } else if set(&contents.undef) {
            f.write_str("??")?;
        } else {
            write!(f, "{byte:02x}")?;
        }
    }
    Ok(())
}
