//! Spellings: names and strings in canonical form, escapes, carried text.

use super::lexer::RawName;
use std::borrow::Cow;
use std::fmt::Write as _;

fn hex(b: u8) -> Option<u8> {
    (b as char).to_digit(16).map(|d| d as u8)
}

/// The bytes that a quoted text stands for: `\XX` is a byte, `\\` a backslash, any other backslash itself.
pub(crate) fn unescape(text: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'\\', text).is_none() {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(&b) = text.get(at) {
        if b == b'\\' {
            if text.get(at + 1) == Some(&b'\\') {
                out.push(b'\\');
                at += 2;
                continue;
            }
            let digits = (text.get(at + 1).copied().and_then(hex), text.get(at + 2).copied().and_then(hex));
            if let (Some(high), Some(low)) = digits {
                out.push(high << 4 | low);
                at += 3;
                continue;
            }
        }
        out.push(b);
        at += 1;
    }
    Cow::Owned(out)
}

/// The canonical spelling of bytes: printable ASCII as it is, except that quotes, backslashes and all else are `\XX`.
pub fn escape(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for &b in bytes {
        if matches!(b, b' '..=b'~') && b != b'"' && b != b'\\' {
            out.push(b as char);
        } else {
            let _ = write!(out, "\\{b:02X}");
        }
    }
    out
}

/// The canonical spelling of what stood between quotes.
pub(crate) fn canonical_quoted(text: &[u8]) -> Cow<'_, str> {
    let plain = text.iter().all(|b| matches!(b, b' '..=b'~') && *b != b'\\' && *b != b'"');
    match std::str::from_utf8(text) {
        Ok(text) if plain => Cow::Borrowed(text),
        _ => Cow::Owned(escape(&unescape(text))),
    }
}

/// The canonical spelling of a name.
pub(crate) fn canonical<'s>(name: RawName<'s>) -> Cow<'s, str> {
    if name.quoted {
        return canonical_quoted(name.text);
    }
    String::from_utf8_lossy(name.text)
}

/// The canonical spelling of the name of a global or a type. There, digits alone are the number of an unnamed one,
/// so that a quoted name of digits has its first digit escaped.
pub(crate) fn canonical_numbered<'s>(name: RawName<'s>) -> Cow<'s, str> {
    let text = canonical(name);
    if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) {
        return Cow::Owned(format!("\\{:02X}{}", text.as_bytes()[0], &text[1..]));
    }
    text
}

/// Source text to carry. Bytes that are no UTF-8 (they stand in strings or comments) are written as escapes.
pub(crate) fn carried(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(bytes.len() + 16);
    for chunk in bytes.utf8_chunks() {
        out.push_str(chunk.valid());
        for b in chunk.invalid() {
            let _ = write!(out, "\\{b:02X}");
        }
    }
    Cow::Owned(out)
}
