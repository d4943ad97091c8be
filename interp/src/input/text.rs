//! The text form of inputs, printed by reports and read by `backedge run --args`.
//!
//! A comma-separated list of arguments. Definitions of the memory that the arguments point to may occur anywhere in
//! it.
//!
//! | argument | meaning |
//! |---|---|
//! | `7`, `-1`, `0xff` | an integer, or a float of that value |
//! | `true`, `false` | 1, 0 |
//! | `1.5`, `-2e3`, `inf`, `nan` | a float |
//! | `bits:0x7fc00000` | a float by its bits |
//! | `bits:0b1?0` | a scalar by its bits, `?` undefined |
//! | `poison`, `undef`, `null` | |
//! | `zeros:16` | a pointer to a fresh buffer of 16 zero bytes |
//! | `uninit:16` | the same, uninitialized |
//! | `bytes:00ff??pp` | a pointer to a fresh buffer with those bytes |
//! | `bytes:0011+1` | a pointer into a fresh buffer, one byte after its start (`-1`: before) |
//! | `arg0+8`, `arg0-4` | the pointer passed as argument 0, plus the offset in bytes |
//! | `@name`, `@name+4` | the address of a global or function |
//! | `block0`, `block0+4` | a pointer into a block defined in the list |
//! | `addr:0x10` | a pointer without an object |
//! | `{1, poison}` | members of an aggregate or vector |
//!
//! | definition | meaning |
//! |---|---|
//! | `block0=bytes:0011` | a block of the caller's memory; numbers count from 0 |
//! | `block0=align:2 at:0x1002 readonly dead zeros:4` | a block with attributes, each optional |
//! | `@name=bytes:0011` | the contents of a global |
//!
//! The attribute `align:2` requires an address that is a multiple of 2 and not of 4; `at:` gives the address; a
//! `readonly` block cannot be written; a `dead` block was freed before the run.
//!
//! Two digits after `bytes:` are a byte; `??` is uninitialized, `pp` is poison, and `[0011??pp]` spells a byte bit by
//! bit from the highest. In definitions `<block1+4>` is the 8 bytes of a pointer, and `<null#0..4>` the first 4 of
//! its bytes in memory order.

use super::{ArgSpec, BlockSpec, Input, InputError, PointerBytes};
use crate::memory::Contents;
use std::fmt;
use std::str::FromStr;

/// Maximum size in bytes of a buffer in text: a short text must not allocate all memory.
const MAX_BUFFER: usize = 1 << 28;
/// Bytes of a pointer if the text gives no range.
const POINTER_BYTES: u8 = 8;
/// Maximum nesting of aggregates: the parser is recursive.
const MAX_DEPTH: u32 = 32;

impl Input {
    /// Parses arguments and definitions.
    pub fn parse<S: AsRef<str>>(items: &[S]) -> Result<Self, InputError> {
        let mut input = Self::default();
        let mut blocks: Vec<(usize, BlockSpec)> = Vec::new();
        for item in items {
            let item = item.as_ref().trim();
            let bad = || InputError::Text(shortened(item));
            match item.split_once('=') {
                Some((name, block)) => {
                    let block = block.parse()?;
                    match (name.trim().strip_prefix('@'), name.trim().strip_prefix("block")) {
                        (Some(global), _) => input.globals.push((global.to_owned(), block)),
                        (None, Some(number)) => blocks.push((number.parse().map_err(|_| bad())?, block)),
                        (None, None) => return Err(bad()),
                    }
                }
                None => input.args.push(item.parse()?),
            }
        }
        blocks.sort_by_key(|(number, _)| *number);
        for (at, (number, block)) in blocks.into_iter().enumerate() {
            if at != number {
                return Err(InputError::Numbering(number));
            }
            input.blocks.push(block);
        }
        Ok(input)
    }
    /// Parses a comma-separated list.
    pub fn parse_list(text: &str) -> Result<Self, InputError> {
        if text.trim().is_empty() {
            return Ok(Self::default());
        }
        let items = split_members(text).ok_or_else(|| InputError::Text(shortened(text)))?;
        Self::parse(&items)
    }
}

/// Prints the list in text form.
impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let args = self.args.iter().map(ToString::to_string);
        let blocks = self.blocks.iter().enumerate().map(|(i, block)| format!("block{i}={block}"));
        let globals = self.globals.iter().map(|(name, block)| format!("@{name}={block}"));
        f.write_str(&args.chain(blocks).chain(globals).collect::<Vec<_>>().join(", "))
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

/// Shortens text for a message: long text is cut in the middle.
pub fn shortened(text: &str) -> String {
    /// Maximum length in characters.
    const MAX: usize = 80;
    let count = text.chars().count();
    if count <= MAX {
        return text.to_owned();
    }
    let head: String = text.chars().take(MAX / 2).collect();
    let tail: String = text.chars().skip(count - MAX / 4).collect();
    format!("{head}…{tail}")
}

/// Whether the text is spelled as an integer.
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
            parts.into_iter().map(|p| if depth < MAX_DEPTH { parse_arg(p.trim(), depth + 1) } else { None });
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
    if let Some(rest) = text.strip_prefix("block") {
        let (number, offset) = split_offset(rest)?;
        return Some(ArgSpec::Block { block: number.parse().ok()?, offset });
    }
    if is_number(text) {
        return parse_int(text);
    }
    text.parse().ok().map(ArgSpec::Float)
}

/// Splits a list at its outermost commas.
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

fn parse_tagged(kind: &str, rest: &str) -> Option<ArgSpec> {
    match kind {
        "zeros" | "uninit" | "bytes" => {
            let (bytes, offset) = split_offset(rest)?;
            let (contents, pointers) = parse_contents(kind, bytes)?;
            let contents = Box::new(contents);
            (pointers.is_empty() && bytes.len() == rest.len())
                .then(|| ArgSpec::Buffer(contents.clone()))
                .or_else(|| pointers.is_empty().then_some(ArgSpec::Inside { contents, offset }))
        }
        "addr" => parse_address(rest).map(ArgSpec::Address),
        "bits" => match rest.strip_prefix("0b") {
            Some(digits) => {
                let (bits, undef, poison) = parse_bits(digits)?;
                (poison == 0).then_some(ArgSpec::Partial { bits, undef })
            }
            None => u128::from_str_radix(rest.strip_prefix("0x")?, 16).ok().map(ArgSpec::Bits),
        },
        _ => None,
    }
}

impl FromStr for BlockSpec {
    type Err = InputError;
    fn from_str(text: &str) -> Result<Self, InputError> {
        parse_block(text).ok_or_else(|| InputError::Text(shortened(text.trim())))
    }
}

fn parse_block(text: &str) -> Option<BlockSpec> {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    let (kind, rest) = words.pop()?.split_once(':')?;
    let (contents, pointers) = parse_contents(kind, rest)?;
    let mut block = BlockSpec { pointers, ..BlockSpec::new(contents) };
    for word in words {
        match word.split_once(':') {
            None if word == "readonly" => block.read_only = true,
            None if word == "dead" => block.dead = true,
            Some(("at", address)) => block.address = Some(parse_address(address)?),
            Some(("align", align)) => {
                block.align = Some(align.parse().ok().filter(|a: &u64| a.is_power_of_two())?);
            }
            _ => return None,
        }
    }
    Some(block)
}

fn parse_contents(kind: &str, rest: &str) -> Option<(Contents, Vec<PointerBytes>)> {
    let size = || rest.parse::<usize>().ok().filter(|n| *n <= MAX_BUFFER);
    match kind {
        "zeros" => Some((Contents::zeroed(size()?), Vec::new())),
        "uninit" => {
            let mut contents = Contents::zeroed(size()?);
            contents.set_undef(0, contents.len());
            Some((contents, Vec::new()))
        }
        "bytes" => parse_bytes(rest),
        _ => None,
    }
}

fn parse_bytes(text: &str) -> Option<(Contents, Vec<PointerBytes>)> {
    if !text.is_ascii() {
        return None;
    }
    let mut bytes: Vec<(u8, u8, u8)> = Vec::new();
    let mut pointers = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        if let Some(inner) = rest.strip_prefix('<') {
            let (pointer, rest_after) = inner.split_once('>')?;
            let pointer = parse_pointer(pointer, bytes.len())?;
            bytes.resize(bytes.len() + usize::from(pointer.count), (0, 0, 0));
            pointers.push(pointer);
            rest = rest_after;
        } else if let Some(inner) = rest.strip_prefix('[') {
            let (digits, rest_after) = inner.split_once(']')?;
            let (value, undef, poison) = parse_bits(digits).filter(|_| digits.len() == 8)?;
            bytes.push((value as u8, undef as u8, poison as u8));
            rest = rest_after;
        } else {
            let (digits, rest_after) = rest.split_at_checked(2)?;
            bytes.push(match digits {
                "??" => (0, 0xff, 0),
                "pp" => (0, 0, 0xff),
                hex => (u8::from_str_radix(hex, 16).ok()?, 0, 0),
            });
            rest = rest_after;
        }
    }
    let mut contents = Contents::zeroed(bytes.len());
    for (at, byte) in bytes.into_iter().enumerate() {
        if byte != (0, 0, 0) {
            contents.set_bits(at, byte);
        }
    }
    Some((contents, pointers))
}

/// Parses the text between `<` and `>`.
fn parse_pointer(text: &str, at: usize) -> Option<PointerBytes> {
    let (pointer, (first, end)) = match text.split_once('#') {
        None => (text, (0, POINTER_BYTES)),
        Some((pointer, range)) => {
            let (first, end) = range.split_once("..")?;
            (pointer, (first.parse().ok()?, end.parse().ok()?))
        }
    };
    let count = u8::checked_sub(end, first)?;
    Some(PointerBytes { at, pointer: parse_arg(pointer, 0)?, first, count })
}

/// Parses bits, highest first: values, undefined bits, poison bits.
fn parse_bits(digits: &str) -> Option<(u128, u128, u128)> {
    if digits.is_empty() || digits.len() > 128 {
        return None;
    }
    digits.chars().try_fold((0, 0, 0), |(value, undef, poison), digit| {
        let (v, u, p) = match digit {
            '0' => (0, 0, 0),
            '1' => (1, 0, 0),
            '?' => (0, 1, 0),
            'p' => (0, 0, 1),
            _ => return None,
        };
        Some((value << 1 | v, undef << 1 | u, poison << 1 | p))
    })
}

fn split_offset(text: &str) -> Option<(&str, i64)> {
    match text.rfind(['+', '-']).filter(|i| *i > 0) {
        Some(at) if text[at + 1..].bytes().all(|b| b.is_ascii_digit()) => {
            Some((&text[..at], text[at..].parse().ok()?))
        }
        _ => Some((text, 0)),
    }
}

fn parse_address(text: &str) -> Option<u64> {
    match parse_int(text) {
        Some(ArgSpec::Int(n)) => u64::try_from(n).ok(),
        _ => None,
    }
}

/// Parses an integer; `None` beyond 128 bits.
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
        // Fits only as an unsigned 128-bit number.
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
            Self::Partial { bits, undef } => {
                let width = (128 - (bits | undef).leading_zeros()).max(1);
                f.write_str("bits:0b")?;
                write_bits(f, width, (*bits, *undef, 0))
            }
            Self::Poison => f.write_str("poison"),
            Self::Undef => f.write_str("undef"),
            Self::Null => f.write_str("null"),
            Self::Buffer(contents) => write_contents(f, contents, &[]),
            Self::Inside { contents, offset } => {
                write_contents(f, contents, &[])?;
                write!(f, "{offset:+}")
            }
            Self::Alias { arg, offset } => write!(f, "arg{arg}{offset:+}"),
            Self::Global { name, offset: 0 } => write!(f, "@{name}"),
            Self::Global { name, offset } => write!(f, "@{name}{offset:+}"),
            Self::Block { block, offset: 0 } => write!(f, "block{block}"),
            Self::Block { block, offset } => write!(f, "block{block}{offset:+}"),
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

impl fmt::Display for BlockSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(align) = self.align {
            write!(f, "align:{align} ")?;
        }
        if let Some(address) = self.address {
            write!(f, "at:{address:#x} ")?;
        }
        f.write_str(if self.read_only { "readonly " } else { "" })?;
        f.write_str(if self.dead { "dead " } else { "" })?;
        write_contents(f, &self.contents, &self.pointers)
    }
}

fn write_contents(f: &mut fmt::Formatter<'_>, contents: &Contents, pointers: &[PointerBytes]) -> fmt::Result {
    // An all-zero plane is equivalent to a missing one.
    let planes = [&contents.bytes, &contents.undef, &contents.poison];
    let is_number = pointers.is_empty() && contents.fragments.is_empty();
    if is_number && planes.iter().all(|plane| plane.iter().all(|byte| *byte == 0)) {
        return write!(f, "zeros:{}", contents.len());
    }
    f.write_str("bytes:")?;
    let mut at = 0;
    while at < contents.len() {
        if let Some(bytes) = pointers.iter().find(|p| p.at == at && p.count > 0) {
            let PointerBytes { pointer, first, count, .. } = bytes;
            match (*first, *count) {
                (0, POINTER_BYTES) => write!(f, "<{pointer}>")?,
                (first, count) => write!(f, "<{pointer}#{first}..{}>", u32::from(first) + u32::from(count))?,
            }
            at += usize::from(*count);
            continue;
        }
        let plane = |plane: &[u8]| plane.get(at).copied().unwrap_or(0);
        match (contents.bytes[at], plane(&contents.undef), plane(&contents.poison)) {
            (_, _, 0xff) => f.write_str("pp")?,
            (_, 0xff, _) => f.write_str("??")?,
            (value, 0, 0) => write!(f, "{value:02x}")?,
            (value, undef, poison) => {
                f.write_str("[")?;
                write_bits(f, 8, (value.into(), undef.into(), poison.into()))?;
                f.write_str("]")?;
            }
        }
        at += 1;
    }
    Ok(())
}

fn write_bits(
    f: &mut fmt::Formatter<'_>,
    width: u32,
    (value, undef, poison): (u128, u128, u128),
) -> fmt::Result {
    for bit in (0..width).rev() {
        let set = |plane: u128| plane >> bit & 1 != 0;
        f.write_str(match (set(poison), set(undef), set(value)) {
            (true, ..) => "p",
            (_, true, _) => "?",
            (_, _, true) => "1",
            (..) => "0",
        })?;
    }
    Ok(())
}
