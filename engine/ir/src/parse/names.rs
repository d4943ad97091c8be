//! Spellings: names and strings in canonical form, escapes, verbatim text and the globals that it mentions.

use super::lexer::{RawName, is_label_byte};
use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::Range;

fn hex(b: u8) -> Option<u8> {
    (b as char).to_digit(16).map(|d| d as u8)
}

/// The bytes that a quoted text denotes: `\XX` is a byte, `\\` a backslash; any other backslash denotes itself.
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

/// The canonical spelling of bytes: printable ASCII unchanged, except that quotes, backslashes and all other bytes
/// become `\XX`.
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

/// The canonical spelling of the text between quotes.
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

/// The canonical spelling of the name of a global or a type. An unquoted number is an unnamed global or type, so in a
/// quoted name of digits the first digit is escaped.
pub(crate) fn canonical_numbered<'s>(name: RawName<'s>) -> Cow<'s, str> {
    let text = canonical(name);
    if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) {
        return Cow::Owned(format!("\\{:02X}{}", text.as_bytes()[0], &text[1..]));
    }
    text
}

/// The canonical spelling of a quoted name of a global or a type, given the text between the quotes.
pub(crate) fn canonical_quoted_name(text: &str) -> Cow<'_, str> {
    canonical_numbered(RawName { text: text.as_bytes(), quoted: true })
}

/// The globals that a text in IR syntax mentions, in order: the range of each mention, including the sigil, and the
/// canonical name. Ignores strings and comments.
pub fn named_globals(text: &str) -> impl Iterator<Item = (Range<usize>, Cow<'_, str>)> {
    let bytes = text.as_bytes();
    let mut at = 0;
    // The quote that closes the one at `open`, or the end of the text.
    let closing = move |open: usize| {
        memchr::memchr(b'"', &bytes[open + 1..]).map_or(bytes.len(), |length| open + 1 + length)
    };
    std::iter::from_fn(move || {
        loop {
            let start = at + bytes.get(at..)?.iter().position(|b| matches!(b, b'"' | b';' | b'/' | b'@'))?;
            at = match (bytes[start], bytes.get(start + 1)) {
                (b'"', _) => closing(start) + 1,
                (b';', _) => memchr::memchr(b'\n', &bytes[start..]).map_or(bytes.len(), |end| start + end),
                (b'/', Some(b'*')) => memchr::memmem::find(&bytes[start + 2..], b"*/")
                    .map_or(bytes.len(), |end| start + end + 4),
                (b'@', Some(b'"')) => {
                    let close = closing(start + 1);
                    at = (close + 1).min(bytes.len());
                    return Some((start..at, canonical_quoted_name(&text[start + 2..close])));
                }
                (b'@', Some(_)) => {
                    let name = bytes[start + 1..].iter().take_while(|b| is_label_byte(**b)).count();
                    at = start + 1 + name;
                    if name == 0 {
                        continue;
                    }
                    return Some((start..at, Cow::Borrowed(&text[start + 1..at])));
                }
                _ => start + 1,
            };
        }
    })
}

/// Source text to be kept verbatim. Bytes that are not UTF-8 (they occur in strings or comments) become escapes.
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

#[cfg(test)]
mod tests {
    use super::named_globals;

    #[test]
    fn globals_are_named_outside_strings_and_comments() {
        let text = r#"call @f(ptr @"a b", ptr @"\63d", ptr @7, ptr @"7") c"@x" ; @y " @z
            /* @w " */ @-$._g, @ @"open"#;
        let found: Vec<_> =
            named_globals(text).map(|(place, name)| (&text[place], name.into_owned())).collect();
        let expected = [
            ("@f", "f"),
            (r#"@"a b""#, "a b"),
            (r#"@"\63d""#, "cd"),
            ("@7", "7"),
            (r#"@"7""#, r"\37"),
            ("@-$._g", "-$._g"),
            (r#"@"open"#, "open"),
        ];
        assert_eq!(found, expected.map(|(spelled, name)| (spelled, name.to_owned())));
    }
}
