//! A position in one line of text. The line is bytes, because names may contain arbitrary bytes.

use super::error::TextError;

/// A position in a line.
#[derive(Copy, Clone, Debug)]
pub(super) struct Cursor<'t> {
    line: &'t [u8],
    at: usize,
    number: u64,
}

/// The maximum length of the snippet in an error, in bytes: lines with large expressions are long.
const SNIPPET: usize = 60;

impl<'t> Cursor<'t> {
    pub(super) fn new(line: &'t [u8], number: u64) -> Self {
        Self { line, at: 0, number }
    }
    pub(super) fn line_number(&self) -> u64 {
        self.number
    }
    pub(super) fn at(&self) -> usize {
        self.at
    }
    pub(super) fn rest(&self) -> &'t [u8] {
        &self.line[self.at..]
    }
    pub(super) fn since(&self, from: usize) -> &'t [u8] {
        &self.line[from..self.at]
    }
    pub(super) fn peek(&self) -> Option<u8> {
        self.line.get(self.at).copied()
    }
    pub(super) fn advance(&mut self, bytes: usize) {
        self.at = (self.at + bytes).min(self.line.len());
    }
    /// Whether `text` comes next.
    pub(super) fn sees(&self, text: &str) -> bool {
        self.rest().starts_with(text.as_bytes())
    }
    /// Takes `text` if it comes next.
    pub(super) fn eat(&mut self, text: &str) -> bool {
        let sees = self.sees(text);
        if sees {
            self.at += text.len();
        }
        sees
    }
    pub(super) fn expect(&mut self, text: &str) -> Result<(), TextError> {
        if self.eat(text) { Ok(()) } else { Err(self.error(format!("`{text}`"))) }
    }
    pub(super) fn skip_blanks(&mut self) {
        self.take_while(|b| matches!(b, b' ' | b'\t'));
    }
    pub(super) fn take_while(&mut self, like: impl Fn(u8) -> bool) -> &'t [u8] {
        let length = self.rest().iter().take_while(|b| like(**b)).count();
        let taken = &self.rest()[..length];
        self.at += length;
        taken
    }
    /// Parses a decimal number.
    pub(super) fn number<N: std::str::FromStr>(&mut self, expected: &str) -> Result<N, TextError> {
        let before = *self;
        let digits = self.take_while(|b| b.is_ascii_digit());
        let parsed = std::str::from_utf8(digits).ok().and_then(|d| d.parse().ok());
        parsed.ok_or_else(|| before.error(expected))
    }
    pub(super) fn expect_end(&self) -> Result<(), TextError> {
        if self.rest().iter().all(|b| b.is_ascii_whitespace()) {
            Ok(())
        } else {
            Err(self.error("the end of the line"))
        }
    }
    pub(super) fn error(&self, expected: impl Into<Box<str>>) -> TextError {
        let rest = self.rest();
        let shown = String::from_utf8_lossy(&rest[..rest.len().min(SNIPPET)]);
        TextError {
            line: self.number,
            column: u32::try_from(self.at + 1).unwrap_or(u32::MAX),
            snippet: shown.into(),
            expected: expected.into(),
        }
    }
}
