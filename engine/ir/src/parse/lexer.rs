//! The lexer: converts bytes to tokens, one at a time, without copying. Its only state is its position, so the parser
//! can skip a part by matching brackets and return to it later.
//!
//! The rules are those of LLVM's assembly language (LangRef, "Lexical format" and "Identifiers"). A word or string
//! immediately followed by `:` is a label; field names of metadata nodes have the same form. Strings and comments may
//! contain any bytes; elsewhere only ASCII is valid. Time is linear; no recursion.

use super::error::{PResult, ParseError, ParseErrorKind};
use super::spans::Span;

/// A name after a sigil, as spelled.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct RawName<'s> {
    /// The bytes, without quotes.
    pub(crate) text: &'s [u8],
    /// Whether it was quoted, in which case `\XX` are escapes.
    pub(crate) quoted: bool,
}

/// A token.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Tok<'s> {
    /// The end of the text.
    Eof,
    /// A keyword, an integer type, or any other word.
    Word(&'s str),
    /// `name:`, `"name":` or `5:`.
    Label(RawName<'s>),
    /// `%name`.
    LocalName(RawName<'s>),
    /// `%5`.
    LocalId(u32),
    /// `@name`.
    GlobalName(RawName<'s>),
    /// `@5`.
    GlobalId(u32),
    /// `$name`.
    Comdat(RawName<'s>),
    /// `!name`, with escapes as spelled.
    MdName(&'s str),
    /// `!` before any other token.
    Bang,
    /// `#5`.
    AttrGroup(u32),
    /// `#` before a word.
    Hash,
    /// `^5`.
    Summary(u32),
    /// `"…"`, without the quotes.
    Str(&'s [u8]),
    /// `c"…"`, without the quotes.
    Bytes(&'s [u8]),
    /// An integer: `-?[0-9]+`, `u0x…`, `s0x…`.
    Int(&'s str),
    /// A decimal floating-point number.
    Float(&'s str),
    /// `0x…` and its variants, `f0x…`.
    HexFloat(&'s str),
    /// `...`.
    Ellipsis,
    /// One of `, = ( ) [ ] { } < > * | : ? + -` and the like.
    Punct(u8),
}

/// Reads tokens from a source.
#[derive(Clone, Debug)]
pub(crate) struct Lexer<'s> {
    pub(crate) source: &'s [u8],
    pub(crate) pos: usize,
}

/// `[-a-zA-Z$._0-9]`: the bytes permitted in unquoted names and labels.
pub(super) const fn is_label_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'-' | b'$' | b'.' | b'_')
}

static LABEL_BYTE: [bool; 256] = {
    let mut table = [false; 256];
    let mut i = 0;
    while i < 256 {
        table[i] = is_label_byte(i as u8);
        i += 1;
    }
    table
};

/// Converts bytes that are known to be ASCII.
fn ascii(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap_or_default()
}

impl<'s> Lexer<'s> {
    pub(crate) fn new(source: &'s [u8]) -> Self {
        Self { source, pos: 0 }
    }
    fn byte(&self, at: usize) -> u8 {
        self.source.get(at).copied().unwrap_or(0)
    }
    fn error(&self, start: usize, end: usize, kind: ParseErrorKind, label: &str) -> ParseError {
        ParseError::new(Span::new(start, end.min(self.source.len())), kind, label)
    }

    /// Skips white space and comments.
    pub(crate) fn skip_trivia(&mut self) -> PResult<()> {
        while let Some(&b) = self.source.get(self.pos) {
            match b {
                b' ' | b'\t' | b'\n' | b'\r' | 0 => self.pos += 1,
                b';' => self.pos = line_end(self.source, self.pos),
                b'/' if self.byte(self.pos + 1) == b'*' => self.pos = self.block_comment_end(self.pos)?,
                _ => break,
            }
        }
        Ok(())
    }
    fn block_comment_end(&self, start: usize) -> PResult<usize> {
        match memchr::memmem::find(&self.source[start + 2..], b"*/") {
            Some(at) => Ok(start + 2 + at + 2),
            None => {
                let kind = ParseErrorKind::UnexpectedEnd { inside: "a comment" };
                Err(self.error(start, start + 2, kind, "this comment is not closed").into())
            }
        }
    }

    /// The next token and its span.
    pub(crate) fn next(&mut self) -> PResult<(Tok<'s>, Span)> {
        self.skip_trivia()?;
        let start = self.pos;
        let Some(&b) = self.source.get(start) else { return Ok((Tok::Eof, Span::new(start, start))) };
        let tok = match b {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.word(start)?,
            b'0'..=b'9' | b'-' | b'+' => self.number(start)?,
            b'%' => match self.sigil_name(start)? {
                SigilName::Name(name) => Tok::LocalName(name),
                SigilName::Id(id) => Tok::LocalId(id),
                SigilName::None => return Err(self.bare_sigil(start)),
            },
            b'@' => match self.sigil_name(start)? {
                SigilName::Name(name) => Tok::GlobalName(name),
                SigilName::Id(id) => Tok::GlobalId(id),
                SigilName::None => return Err(self.bare_sigil(start)),
            },
            b'"' => self.string(start)?,
            b'!' => self.metadata(start),
            b'#' if self.byte(start + 1).is_ascii_digit() => Tok::AttrGroup(self.sigil_id(start)?),
            b'#' => self.punct(start, Tok::Hash),
            b'^' if self.byte(start + 1).is_ascii_digit() => Tok::Summary(self.sigil_id(start)?),
            b'$' => self.dollar(start)?,
            b'.' => self.dot(start)?,
            b',' | b'=' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'<' | b'>' | b'*' | b'|' | b':' => {
                self.punct(start, Tok::Punct(b))
            }
            0x80.. => {
                let kind = ParseErrorKind::InvalidText(b);
                return Err(self
                    .error(start, start + 1, kind, "only strings and comments may hold this")
                    .into());
            }
            _ => {
                let kind = ParseErrorKind::BadByte(b);
                return Err(self.error(start, start + 1, kind, "no token begins like this").into());
            }
        };
        Ok((tok, Span::new(start, self.pos)))
    }

    fn punct(&mut self, start: usize, tok: Tok<'s>) -> Tok<'s> {
        self.pos = start + 1;
        tok
    }
    fn bare_sigil(&self, start: usize) -> Box<super::error::Stop> {
        let kind = ParseErrorKind::BadByte(self.byte(start));
        self.error(start, start + 1, kind, "a name or number must follow").into()
    }
    /// The end of the run of label bytes that starts at `at`.
    fn label_run(&self, at: usize) -> usize {
        let rest = self.source.get(at..).unwrap_or_default();
        at + rest.iter().position(|b| !LABEL_BYTE[*b as usize]).unwrap_or(rest.len())
    }

    fn word(&mut self, start: usize) -> PResult<Tok<'s>> {
        let end = self.label_run(start);
        if self.byte(end) == b':' {
            self.pos = end + 1;
            return Ok(Tok::Label(RawName { text: &self.source[start..end], quoted: false }));
        }
        let text = &self.source[start..end];
        if text[0] == b'c' && self.byte(start + 1) == b'"' {
            let close = self.close_quote(start + 1)?;
            self.pos = close + 1;
            return Ok(Tok::Bytes(&self.source[start + 2..close]));
        }
        let len = text.iter().position(|b| !b.is_ascii_alphanumeric() && *b != b'_').unwrap_or(text.len());
        self.pos = start + len;
        let text = ascii(&text[..len]);
        Ok(match text.as_bytes() {
            [b'u' | b's', b'0', b'x', hex @ ..] if is_hex(hex) => Tok::Int(text),
            [b'f', b'0', b'x', hex @ ..] if is_hex(hex) => Tok::HexFloat(text),
            _ => Tok::Word(text),
        })
    }

    fn number(&mut self, start: usize) -> PResult<Tok<'s>> {
        let s = self.source;
        let digits_from = start + usize::from(!s[start].is_ascii_digit());
        let digits = |from: usize| {
            let rest = s.get(from..).unwrap_or_default();
            from + rest.iter().position(|b| !b.is_ascii_digit()).unwrap_or(rest.len())
        };
        let int_end = digits(digits_from);
        let next = self.byte(int_end);
        if s[start] != b'+' && (LABEL_BYTE[next as usize] || next == b':') {
            let end = self.label_run(start);
            if self.byte(end) == b':' {
                self.pos = end + 1;
                return Ok(Tok::Label(RawName { text: &s[start..end], quoted: false }));
            }
        }
        if int_end == digits_from {
            let kind = ParseErrorKind::BadByte(s[start]);
            return Err(self.error(start, start + 1, kind, "a number must follow").into());
        }
        if s[start] == b'0' && int_end == start + 1 && next == b'x' {
            let kind = usize::from(matches!(self.byte(start + 2), b'H' | b'K' | b'L' | b'M' | b'R'));
            let rest = &s[start + 2 + kind..];
            let len = rest.iter().position(|b| !b.is_ascii_hexdigit()).unwrap_or(rest.len());
            self.pos = start + 2 + kind + len;
            if len == 0 {
                let kind = ParseErrorKind::Invalid("a hexadecimal number without digits".into());
                return Err(self.error(start, self.pos, kind, "digits must follow").into());
            }
            return Ok(Tok::HexFloat(ascii(&s[start..self.pos])));
        }
        if next != b'.' {
            self.pos = int_end;
            if s[start] == b'+' {
                let kind = ParseErrorKind::BadByte(b'+');
                return Err(self.error(start, start + 1, kind, "an integer has no plus sign").into());
            }
            return Ok(Tok::Int(ascii(&s[start..int_end])));
        }
        let mut end = digits(int_end + 1);
        if matches!(self.byte(end), b'e' | b'E') {
            let sign = usize::from(matches!(self.byte(end + 1), b'+' | b'-'));
            if self.byte(end + 1 + sign).is_ascii_digit() {
                end = digits(end + 1 + sign);
            }
        }
        self.pos = end;
        Ok(Tok::Float(ascii(&s[start..end])))
    }

    /// Lexes the name or number after the sigil at `start`.
    fn sigil_name(&mut self, start: usize) -> PResult<SigilName<'s>> {
        match self.byte(start + 1) {
            b'"' => {
                let close = self.close_quote(start + 1)?;
                self.pos = close + 1;
                let text = &self.source[start + 2..close];
                Ok(SigilName::Name(RawName { text, quoted: true }))
            }
            b'0'..=b'9' => Ok(SigilName::Id(self.sigil_id(start)?)),
            b if is_label_byte(b) => {
                self.pos = self.label_run(start + 1);
                let text = &self.source[start + 1..self.pos];
                Ok(SigilName::Name(RawName { text, quoted: false }))
            }
            _ => Ok(SigilName::None),
        }
    }
    fn sigil_id(&mut self, start: usize) -> PResult<u32> {
        let rest = &self.source[start + 1..];
        let len = rest.iter().position(|b| !b.is_ascii_digit()).unwrap_or(rest.len());
        self.pos = start + 1 + len;
        let text = ascii(&rest[..len]);
        text.parse().map_err(|_| {
            let kind = ParseErrorKind::NumberTooLarge(text.into());
            self.error(start, self.pos, kind, "numbers end at 4294967295").into()
        })
    }

    fn close_quote(&self, open: usize) -> PResult<usize> {
        match memchr::memchr(b'"', &self.source[open + 1..]) {
            Some(at) => Ok(open + 1 + at),
            None => {
                let kind = ParseErrorKind::UnterminatedString;
                Err(self.error(open, open + 1, kind, "this string is not closed").into())
            }
        }
    }
    fn string(&mut self, start: usize) -> PResult<Tok<'s>> {
        let close = self.close_quote(start)?;
        let text = &self.source[start + 1..close];
        if self.byte(close + 1) == b':' {
            self.pos = close + 2;
            return Ok(Tok::Label(RawName { text, quoted: true }));
        }
        self.pos = close + 1;
        Ok(Tok::Str(text))
    }
    fn metadata(&mut self, start: usize) -> Tok<'s> {
        let first = self.byte(start + 1);
        if !(first == b'\\' || is_label_byte(first) && !first.is_ascii_digit()) {
            return self.punct(start, Tok::Bang);
        }
        let rest = &self.source[start + 1..];
        let len = rest.iter().position(|b| !is_label_byte(*b) && *b != b'\\').unwrap_or(rest.len());
        self.pos = start + 1 + len;
        Tok::MdName(ascii(&rest[..len]))
    }
    fn dollar(&mut self, start: usize) -> PResult<Tok<'s>> {
        let end = self.label_run(start);
        if self.byte(end) == b':' {
            self.pos = end + 1;
            return Ok(Tok::Label(RawName { text: &self.source[start..end], quoted: false }));
        }
        match self.byte(start + 1) {
            b'"' => {
                let close = self.close_quote(start + 1)?;
                self.pos = close + 1;
                Ok(Tok::Comdat(RawName { text: &self.source[start + 2..close], quoted: true }))
            }
            b if is_label_byte(b) => {
                self.pos = end;
                Ok(Tok::Comdat(RawName { text: &self.source[start + 1..end], quoted: false }))
            }
            _ => Err(self.bare_sigil(start)),
        }
    }
    fn dot(&mut self, start: usize) -> PResult<Tok<'s>> {
        let end = self.label_run(start);
        if self.byte(end) == b':' {
            self.pos = end + 1;
            return Ok(Tok::Label(RawName { text: &self.source[start..end], quoted: false }));
        }
        if self.source[start..].starts_with(b"...") {
            self.pos = start + 3;
            return Ok(Tok::Ellipsis);
        }
        let kind = ParseErrorKind::BadByte(b'.');
        Err(self.error(start, start + 1, kind, "no token begins like this").into())
    }

    /// The position of the closing brace that matches the opening one at `open`, skipping strings and comments; `None`
    /// if the text ends first.
    pub(crate) fn closing_brace(&self, open: usize) -> Option<usize> {
        let s = self.source;
        let mut at = open + 1;
        let mut depth = 1usize;
        while let Some(&b) = s.get(at) {
            match b {
                b'{' => depth += 1,
                b'}' => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(at);
                    }
                }
                b'"' => at = at + 1 + memchr::memchr(b'"', &s[at + 1..])?,
                b';' => {
                    at = line_end(s, at);
                    continue;
                }
                b'/' if s.get(at + 1) == Some(&b'*') => {
                    at = at + 2 + memchr::memmem::find(&s[at + 2..], b"*/")? + 1;
                }
                _ => {}
            }
            at += 1;
        }
        None
    }
}

enum SigilName<'s> {
    Name(RawName<'s>),
    Id(u32),
    None,
}

fn is_hex(bytes: &[u8]) -> bool {
    !bytes.is_empty() && bytes.iter().all(u8::is_ascii_hexdigit)
}

/// The position of the line feed that ends the line of `at`, or the end of the text.
fn line_end(source: &[u8], at: usize) -> usize {
    memchr::memchr2(b'\n', b'\r', &source[at..]).map_or(source.len(), |i| at + i)
}
