//! `-mtriple`: replaces a module's target triple. Passes and cost models do not read it; checks of the result do, for the
//! library functions of the target.

use backedge_ir::module::{Env, TopLevel};

/// Parses a target triple. It is printed in quotes, so it has no characters that would need an escape there.
pub(crate) fn triple(text: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.+".contains(c);
    if text.is_empty() || !text.chars().all(is_plain) {
        return Err("expected a triple such as x86_64-unknown-linux-gnu".to_owned());
    }
    Ok(text.to_owned())
}

/// Replaces all `target triple` lines by one for `triple`, which [`triple`] has accepted. The line is printed after the
/// file's name and the data layout, as by LLVM.
pub(crate) fn set_triple(env: &mut Env, triple: &str) {
    let starts =
        |item: &TopLevel, with: &str| matches!(item, TopLevel::Text(text) if text.trim().starts_with(with));
    env.order.retain(|item| !starts(item, "target triple"));
    let is_header = |item: &TopLevel| starts(item, "source_filename") || starts(item, "target datalayout");
    let at = env.order.iter().rposition(is_header).map_or(0, |last| last + 1);
    env.order.insert(at, TopLevel::Text(format!("target triple = \"{triple}\"").into()));
}
