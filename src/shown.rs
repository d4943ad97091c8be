//! Text from outside as it is shown: control characters, which could manipulate a terminal, are replaced.

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

/// The name of `path` for messages.
pub(crate) fn shown(path: &Path) -> String {
    visible(&path.display().to_string())
}

/// The reason for an error of the system, without its number.
pub(crate) fn reason(error: &io::Error) -> String {
    if error.kind() == io::ErrorKind::AlreadyExists {
        return "there is a file of that name".to_owned();
    }
    let text = error.to_string();
    let end = text.find(" (os error ").unwrap_or(text.len());
    text[..end].to_owned()
}

#[cfg(test)]
mod tests {
    use super::{visible, visible_lines};

    #[test]
    fn only_line_ends_and_tabs_are_kept() {
        assert_eq!(visible_lines("a\x1b[31m\r\n\tb\u{9b}"), "a\u{fffd}[31m\u{fffd}\n\tb\u{fffd}");
        assert_eq!(visible("a\n\tb"), "a\u{fffd}\tb");
    }
}
