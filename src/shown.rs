//! Text from outside as it is shown: control characters, which could manipulate a terminal, are replaced.

use std::borrow::Cow;
use std::io;
use std::path::Path;

/// Replaces control characters.
pub(crate) fn visible(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\t' { '\u{fffd}' } else { c }).collect()
}

/// Replaces control characters other than line ends and tabs.
pub(crate) fn visible_lines(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && !"\n\t".contains(c) { '\u{fffd}' } else { c }).collect()
}

/// Replaces control characters other than line ends, tabs and those of sequences that set colours and styles.
pub(crate) fn visible_styled(text: &str) -> String {
    let mut parts = text.split('\x1b');
    let mut out = visible_lines(parts.next().unwrap_or_default());
    for part in parts {
        let style = part.strip_prefix('[').and_then(|rest| {
            let end = rest.find(|c: char| !c.is_ascii_digit() && c != ';')?;
            rest[end..].starts_with('m').then_some(end)
        });
        out.push(if style.is_some() { '\x1b' } else { '\u{fffd}' });
        out.push_str(&visible_lines(part));
    }
    out
}

/// The name of `path` for messages.
pub(crate) fn shown(path: &Path) -> String {
    visible(&path.display().to_string())
}

/// The reason for an error of the system, without its number.
pub(crate) fn reason(error: &io::Error) -> String {
    if error.kind() == io::ErrorKind::AlreadyExists {
        return "there is a file of that name".to_owned();
    }
    without_error_numbers(&error.to_string()).into_owned()
}

/// Removes `(os error 2)` after the words of a system error.
pub(crate) fn without_error_numbers(text: &str) -> Cow<'_, str> {
    const BEFORE: &str = " (os error ";
    let Some(at) = text.find(BEFORE) else { return Cow::Borrowed(text) };
    let after = &text[at + BEFORE.len()..];
    let rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
    match rest.strip_prefix(')') {
        Some(rest) => Cow::Owned(format!("{}{}", &text[..at], without_error_numbers(rest))),
        None => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::{visible, visible_lines, visible_styled, without_error_numbers};

    #[test]
    fn numbers_of_errors_are_removed() {
        let removed = |text| without_error_numbers(text).into_owned();
        assert_eq!(removed("a: no (os error 2)\nb: no (os error 13)"), "a: no\nb: no");
        for text in ["", "a (os error x)", "a (os error 2"] {
            assert_eq!(removed(text), text);
        }
    }

    #[test]
    fn only_line_ends_and_tabs_are_kept() {
        assert_eq!(visible_lines("a\x1b[31m\r\n\tb\u{9b}"), "a\u{fffd}[31m\u{fffd}\n\tb\u{fffd}");
        assert_eq!(visible("a\n\tb"), "a\u{fffd}\tb");
        let kept = "\x1b[1;31merror\x1b[0m: a\n\tb\x1b[m";
        assert_eq!(visible_styled(kept), kept);
        assert_eq!(
            visible_styled("\x1b]0;title\x07\x1b[2J\x1b[31\x1b\r"),
            "\u{fffd}]0;title\u{fffd}\u{fffd}[2J\u{fffd}[31\u{fffd}\u{fffd}"
        );
    }
}
