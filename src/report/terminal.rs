//! The terminal on standard output: its width, and whether to use colours.

use crate::settings::{When, settings};
use std::io::IsTerminal;

/// Width in columns without a terminal, or with one that does not know its width.
pub(crate) const USUAL: u16 = 120;

/// Width in columns of the terminal on standard output. It is never 0.
pub(crate) fn width() -> u16 {
    comfy_table::Table::new().width().filter(|width| *width > 0).unwrap_or(USUAL)
}

/// Whether standard output is a terminal.
pub(crate) fn is_terminal() -> bool {
    std::io::stdout().is_terminal()
}

/// Whether to use colours on standard output: as `--color` says, or on a terminal that has them, unless `NO_COLOR` is
/// set.
pub(crate) fn has_color() -> bool {
    match settings().color {
        When::Always => return true,
        When::Never => return false,
        When::Auto => {}
    }
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    is_terminal() && !is_set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}
