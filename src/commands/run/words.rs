//! Arguments of `backedge run` as the user writes them: splits lists, and rewrites arrays and strings in the text form of
//! [`backedge_interp::input::text`].
//!
//! `i32[1, -2, poison]` is a pointer to a fresh block with three elements, in the byte order of the module; `"text"` is a
//! pointer to a fresh block with these bytes and a NUL byte. `ptr["text", null, i32[1,2], @g]` is a pointer to a fresh
//! block of pointers, which may be nested. All may also be the contents of a block or global that the list defines
//! (`@g=i32[1,2]`).

use backedge_interp::input::{ArgSpec, BlockSpec};
use std::fmt::Write;

/// Maximum number of bytes of one array: as for other buffers, a short text must not allocate all memory.
const MAX_BYTES: usize = 1 << 24;
/// Maximum nesting of arrays of pointers: they are read recursively.
const MAX_DEPTH: usize = 32;

/// Splits `text` at commas outside of braces, brackets and strings.
pub(super) fn split(text: &str) -> Vec<String> {
    if text.trim().is_empty() {
        return Vec::new();
    }
    let (mut parts, mut depth, mut start, mut quoted, mut escaped) = (Vec::new(), 0i64, 0, false, false);
    for (i, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..i].to_owned());
                start = i + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].to_owned());
    parts
}

/// Whether `word` defines memory, as `block0=…` or `@name=…`.
pub(super) fn is_definition(word: &str) -> bool {
    word.find(['=', '"', '[', '{']).is_some_and(|at| word[at..].starts_with('='))
}

/// Rewrites the words of one list. Arrays of pointers become blocks after those that the list defines.
pub(super) struct Rewriter {
    big_endian: bool,
    /// The size of a pointer in bytes.
    pointer_bytes: usize,
    /// The number of blocks that the list defines.
    defined: usize,
    /// The contents of the blocks after them.
    blocks: Vec<String>,
}

impl Rewriter {
    /// A rewriter of `words`, for a module with this byte order and size of pointers.
    pub(super) fn new(words: &[String], big_endian: bool, pointer_bytes: usize) -> Self {
        let is_block = |word: &&String| is_definition(word) && word.trim_start().starts_with("block");
        Self { big_endian, pointer_bytes, defined: words.iter().filter(is_block).count(), blocks: Vec::new() }
    }

    /// `word` with its arrays and strings rewritten as bytes, and its arrays of pointers as blocks.
    ///
    /// # Errors
    ///
    /// What is wrong with an array or a string.
    pub(super) fn rewritten(&mut self, word: &str) -> Result<String, String> {
        let is_contents = is_definition(word);
        let mut out = String::with_capacity(word.len());
        let mut rest = word;
        // Whether an argument or a member may begin here.
        let mut begins = true;
        while let Some(first) = rest.chars().next() {
            let memory = if begins { self.memory(rest, 0)? } else { None };
            match memory {
                Some(Memory { contents, has_pointers, after }) => {
                    if has_pointers && !is_contents {
                        out.push_str(&self.block(contents));
                    } else {
                        out.push_str(&contents);
                    }
                    rest = after;
                }
                None => {
                    out.push(first);
                    rest = &rest[first.len_utf8()..];
                }
            }
            begins = matches!(first, '{' | ',' | '=') || first.is_whitespace();
        }
        Ok(out)
    }

    /// The definitions of the blocks that the words need.
    pub(super) fn definitions(&self) -> impl Iterator<Item = String> {
        self.blocks
            .iter()
            .enumerate()
            .map(|(nth, contents)| format!("block{}={contents}", self.defined + nth))
    }

    /// Adds a block, and returns its name.
    fn block(&mut self, contents: String) -> String {
        self.blocks.push(contents);
        format!("block{}", self.defined + self.blocks.len() - 1)
    }

    /// The string or array at the start of `text`; `None` if there is none.
    fn memory<'t>(&mut self, text: &'t str, depth: usize) -> Result<Option<Memory<'t>>, String> {
        let mut contents = "bytes:".to_owned();
        if let Some(inner) = text.strip_prefix('"') {
            let (bytes, after) = string(inner)?;
            bytes.iter().for_each(|byte| _ = write!(contents, "{byte:02x}"));
            return Ok(Some(Memory { contents, has_pointers: false, after }));
        }
        let Some((element, inner)) = array_start(text) else { return Ok(None) };
        let close = closing(inner).ok_or_else(|| format!("`{text}` has no closing ]"))?;
        let (list, after) = (&inner[..close], &inner[close + 1..]);
        let has_pointers = element == "ptr";
        if has_pointers {
            self.push_pointers(&mut contents, list, depth)?;
        } else {
            push_array(&mut contents, element, list, self.big_endian)?;
        }
        Ok(Some(Memory { contents, has_pointers, after }))
    }

    /// Appends the bytes of an array of pointers.
    fn push_pointers(&mut self, out: &mut String, list: &str, depth: usize) -> Result<(), String> {
        if depth >= MAX_DEPTH {
            return Err(format!("arrays of pointers are nested at most {MAX_DEPTH} deep"));
        }
        let items = split(list);
        if items.len().saturating_mul(self.pointer_bytes) > MAX_BYTES {
            return Err(too_large());
        }
        for (nth, item) in items.iter().enumerate() {
            let item = item.trim();
            let pointer = match item {
                "poison" | "undef" => {
                    let pair = if item == "poison" { "pp" } else { "??" };
                    out.push_str(&pair.repeat(self.pointer_bytes));
                    continue;
                }
                _ => self
                    .pointer(item, depth)
                    .map_err(|what| format!("element {} of ptr[…]: {what}", nth + 1))?,
            };
            let _ = match self.pointer_bytes {
                8 => write!(out, "<{pointer}>"),
                bytes => write!(out, "<{pointer}#0..{bytes}>"),
            };
        }
        Ok(())
    }

    /// The element `item` of an array of pointers, in the syntax of the interpreter. Memory becomes a block.
    fn pointer(&mut self, item: &str, depth: usize) -> Result<String, String> {
        let is_buffer = ["zeros:", "uninit:", "bytes:"].iter().any(|kind| item.starts_with(kind));
        let pointer = match self.memory(item, depth + 1)? {
            Some(Memory { contents, after, .. }) => self.block(contents) + after,
            None if is_buffer && item.parse::<BlockSpec>().is_ok() => self.block(item.to_owned()),
            None => item.to_owned(),
        };
        match pointer.parse() {
            Ok(
                ArgSpec::Null
                | ArgSpec::Global { .. }
                | ArgSpec::Block { .. }
                | ArgSpec::Alias { .. }
                | ArgSpec::Address(_),
            ) => Ok(pointer),
            _ => {
                Err(format!("`{item}` is not a pointer: null, \"text\", i32[1,2], ptr[null], @name, block0"))
            }
        }
    }
}

/// A string or an array.
struct Memory<'t> {
    /// Its bytes, in the syntax of the interpreter.
    contents: String,
    has_pointers: bool,
    /// The text after it.
    after: &'t str,
}

/// The element type and the text after the bracket, if an array starts here.
fn array_start(text: &str) -> Option<(&str, &str)> {
    let (element, inner) = text.split_once('[')?;
    let is_type = element.chars().all(|c| c.is_ascii_alphanumeric());
    is_type.then_some((element, inner))
}

/// The position of the bracket that closes the array whose elements `text` begins with.
fn closing(text: &str) -> Option<usize> {
    let (mut depth, mut quoted, mut escaped) = (0, false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '[' => depth += 1,
            ']' if depth == 0 => return Some(at),
            ']' => depth -= 1,
            _ => {}
        }
    }
    None
}

fn too_large() -> String {
    format!("an array has at most {} MB", MAX_BYTES >> 20)
}

/// The bytes of the string literal `text`, which starts after its quote, with the NUL byte, and the text after the literal.
fn string(text: &str) -> Result<(Vec<u8>, &str), String> {
    let mut bytes = Vec::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => {
                bytes.push(0);
                return Ok((bytes, &text[at + 1..]));
            }
            '\\' => match chars.next().map(|(_, c)| c) {
                Some('n') => bytes.push(b'\n'),
                Some('t') => bytes.push(b'\t'),
                Some('r') => bytes.push(b'\r'),
                Some('0') => bytes.push(0),
                Some(c @ ('\\' | '"')) => bytes.push(c as u8),
                Some('x') => {
                    let digits: String = chars.by_ref().take(2).map(|(_, c)| c).collect();
                    let byte = u8::from_str_radix(&digits, 16).ok().filter(|_| digits.len() == 2);
                    bytes.push(byte.ok_or_else(|| format!("`\\x{digits}` is not \\x and two digits"))?);
                }
                other => {
                    let other = other.map(String::from).unwrap_or_default();
                    return Err(format!("`\\{other}` is none of \\n \\t \\r \\0 \\\\ \\\" \\xHH"));
                }
            },
            c => bytes.extend(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    Err(format!("the string `\"{text}` has no closing quote"))
}

/// Appends the bytes of an array.
fn push_array(out: &mut String, element: &str, list: &str, big_endian: bool) -> Result<(), String> {
    let Some(kind) = Element::of(element) else {
        return Err(match element {
            "" => format!("`[{list}]` needs the type of its elements, as in i32[{list}]"),
            _ => format!("`{element}[…]` is no array: elements are i1 to i128, float, double or ptr"),
        });
    };
    let items: Vec<&str> = if list.trim().is_empty() { Vec::new() } else { list.split(',').collect() };
    if items.len().saturating_mul(kind.bytes()) > MAX_BYTES {
        return Err(too_large());
    }
    for (nth, item) in items.iter().enumerate() {
        let item = item.trim();
        let wrong = |what: String| format!("element {} of {element}[…]: {what}", nth + 1);
        match item {
            "poison" | "undef" => {
                let pair = if item == "poison" { "pp" } else { "??" };
                out.push_str(&pair.repeat(kind.bytes()));
                continue;
            }
            _ => {}
        }
        let bits = kind.bits(item).map_err(wrong)?;
        let little = bits.to_le_bytes();
        let mut bytes = little[..kind.bytes()].to_vec();
        if big_endian {
            bytes.reverse();
        }
        for byte in bytes {
            let _ = write!(out, "{byte:02x}");
        }
    }
    Ok(())
}

/// The type of an element.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Element {
    Int(u32),
    Float,
    Double,
}

impl Element {
    fn of(text: &str) -> Option<Self> {
        match text {
            "float" => Some(Self::Float),
            "double" => Some(Self::Double),
            _ => {
                let width: u32 = text.strip_prefix('i')?.parse().ok()?;
                (1..=128).contains(&width).then_some(Self::Int(width))
            }
        }
    }

    /// The distance of two elements in bytes: as in memory, a power of two.
    fn bytes(self) -> usize {
        match self {
            Self::Int(width) => (width.div_ceil(8) as usize).next_power_of_two(),
            Self::Float => 4,
            Self::Double => 8,
        }
    }

    /// The bits of the element `text`.
    fn bits(self, text: &str) -> Result<u128, String> {
        let no_number = || format!("`{text}` is not a number");
        match self {
            Self::Float => text.parse::<f32>().map(|value| value.to_bits().into()).map_err(|_| no_number()),
            Self::Double => text.parse::<f64>().map(|value| value.to_bits().into()).map_err(|_| no_number()),
            Self::Int(width) => {
                let range = Range { width };
                let value = integer(text).ok_or_else(no_number)?;
                range.bits(value).ok_or_else(|| format!("{text} is out of range, which is {range}"))
            }
        }
    }
}

/// An integer in the spelling of arguments: its magnitude, and whether it is negative.
fn integer(text: &str) -> Option<(bool, u128)> {
    match text {
        "true" => return Some((false, 1)),
        "false" => return Some((false, 0)),
        _ => {}
    }
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    let magnitude = match digits.strip_prefix("0x") {
        Some(hex) => u128::from_str_radix(hex, 16).ok()?,
        None if digits.bytes().all(|b| b.is_ascii_digit()) => digits.parse().ok()?,
        None => return None,
    };
    Some((negative, magnitude))
}

/// The values of an integer type, as a signed or unsigned number.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Range {
    pub(super) width: u32,
}

impl Range {
    /// The bits of a value; `None` out of range.
    fn bits(self, (negative, magnitude): (bool, u128)) -> Option<u128> {
        let mask = u128::MAX >> (128 - self.width);
        let most = if negative { 1u128 << (self.width - 1) } else { mask };
        let value = if negative { magnitude.wrapping_neg() } else { magnitude };
        (magnitude <= most).then_some(value & mask)
    }
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let least = 1u128 << (self.width - 1);
        write!(f, "-{least} to {}", u128::MAX >> (128 - self.width))
    }
}

#[cfg(test)]
mod tests {
    use super::{Rewriter, is_definition, split};

    fn rewritten(word: &str, big_endian: bool) -> Result<String, String> {
        Rewriter::new(&[], big_endian, 8).rewritten(word)
    }

    #[test]
    fn lists_are_split_outside_of_brackets_and_strings() {
        assert_eq!(split(r#"i8[1,2], {3, 4}, "a,\"b", 5"#), ["i8[1,2]", " {3, 4}", r#" "a,\"b""#, " 5"]);
        assert_eq!(split(" "), [""; 0]);
    }

    #[test]
    fn arrays_and_strings_are_bytes() {
        let little = |word| rewritten(word, false);
        for (word, text) in [
            ("7", "7"),
            ("i16[1,-2, poison]", "bytes:0100feffpppp"),
            ("i24[1]", "bytes:01000000"),
            ("i1[true,0]", "bytes:0100"),
            ("{i8[1], \"a\"}", "{bytes:01, bytes:6100}"),
            ("@g=i8[255]", "@g=bytes:ff"),
            ("block0=readonly \"\\x41\\n\"", "block0=readonly bytes:410a00"),
            ("bytes:00[0?1p0011]", "bytes:00[0?1p0011]"),
            ("float[1.5]", "bytes:0000c03f"),
            ("i32[]", "bytes:"),
        ] {
            assert_eq!(little(word).as_deref(), Ok(text), "{word}");
        }
        assert_eq!(rewritten("i32[1]", true).as_deref(), Ok("bytes:00000001"));
        for (word, message) in [
            ("[1,2]", "needs the type of its elements, as in i32[1,2]"),
            ("i8[1,300]", "element 2 of i8[…]: 300 is out of range, which is -128 to 255"),
            ("i8[x]", "`x` is not a number"),
            ("i8[1", "no closing ]"),
            ("\"a", "no closing quote"),
            ("\"\\q\"", "is none of"),
            ("x[1]", "elements are i1 to i128, float, double or ptr"),
            ("ptr[null", "no closing ]"),
            ("ptr[null, 5]", "element 2 of ptr[…]: `5` is not a pointer"),
            (
                "ptr[ptr[i8[300]]]",
                "element 1 of ptr[…]: element 1 of ptr[…]: element 1 of i8[…]: 300 is out of range",
            ),
            (&("ptr[".repeat(40) + &"]".repeat(40)), "nested at most 32 deep"),
        ] {
            let error = little(word).unwrap_err();
            assert!(error.contains(message), "{word}: {error}");
        }
    }

    #[test]
    fn arrays_of_pointers_are_blocks() {
        let words =
            ["{ptr[\"a]\", null], 1}", "block0=ptr[@g+4]", "ptr[ptr[i8[1,2]]+8, undef]+8"].map(str::to_owned);
        let mut rewriter = Rewriter::new(&words, false, 8);
        let out: Vec<String> = words.iter().map(|word| rewriter.rewritten(word).expect(word)).collect();
        assert_eq!(out, ["{block2, 1}", "block0=bytes:<@g+4>", "block5+8"]);
        assert_eq!(
            rewriter.definitions().collect::<Vec<_>>(),
            [
                "block1=bytes:615d00",
                "block2=bytes:<block1><null>",
                "block3=bytes:0102",
                "block4=bytes:<block3>",
                "block5=bytes:<block4+8>????????????????",
            ]
        );
        let mut narrow = Rewriter::new(&[], false, 4);
        assert_eq!(narrow.rewritten("@g=ptr[null]").as_deref(), Ok("@g=bytes:<null#0..4>"));
        assert!(!is_definition("\"a=b\"") && !is_definition("ptr[\"a=b\"]") && is_definition("@g=\"a\""));
    }
}
