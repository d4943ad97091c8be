//! The language tier of a function: `core` is integers, pointers, loads, stores, branches, and calls of functions that
//! are only declared.
//!
//! For LLVM's tests a table lists the tier of each function. For other files the tier is derived from the text, by
//! words that indicate features beyond the core; a test compares the two.

use anyhow::{Context, Result};
use regex::Regex;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

/// The name of the table.
pub(crate) const TABLE: &str = "llvm-loop-tests.tsv";
/// The tier of the common subset.
pub(crate) const CORE: &str = "core";
/// The tier of a function outside [`CORE`] if there is no table.
pub(crate) const BEYOND: &str = "beyond";

/// A row of the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    pub(crate) tier: String,
    /// The number of loops.
    pub(crate) loops: usize,
}

/// By file, as a path below the table's directory, and function.
pub(crate) type Table = BTreeMap<(String, String), Row>;

/// Reads the table in `dir`.
pub(crate) fn table(dir: &Path) -> Result<Table> {
    let path = dir.join(TABLE);
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let column = |name: &str| {
        let at = names.iter().position(|n| *n == name);
        at.with_context(|| format!("{} has no column {name}", path.display()))
    };
    let (file, function, tier) = (column("file")?, column("function")?, column("tier")?);
    let loops = column("n_loops")?;
    let mut table = Table::new();
    for line in lines {
        let cells: Vec<&str> = line.split('\t').collect();
        let cell = |i: usize| cells.get(i).copied().unwrap_or_default().to_owned();
        let loops = cell(loops).parse().with_context(|| format!("{}: {line}", path.display()))?;
        let row = Row { tier: cell(tier), loops };
        table.insert((cell(file), cell(function)), row);
    }
    Ok(table)
}

/// Words that indicate features beyond the core.
static WORDS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?x)
        \b(half|bfloat|float|double|fp128|x86_fp80|ppc_fp128|token|x86_amx|vscale)\b
        | \b(undef|poison|volatile|atomic|fence|cmpxchg|atomicrmw|blockaddress|indirectbr|callbr|invoke|landingpad)\b
        | \b(resume|catchswitch|cleanuppad|catchpad|asm|addrspace|extractvalue|insertvalue|musttail|va_arg)\b
        | \b(byval|sret|elementtype|inalloca|preallocated|byref)\b
        | @llvm\. | [\[<]\d+\ x\ | \{\ | %(struct|class|union)\b | \[\ \x22
        | \b(getelementptr|inttoptr|ptrtoint)\b[a-z\ ]*\(
        | \bcall\b[^@]*\ %[^,]*\(
        | \balloca\ [^,]*,\ i\d+
        ",
    )
    .expect("it is well formed")
});

/// Names of globals, `@name`, and definitions.
static GLOBALS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"@("[^"]*"|[-$.\w]+)"#).expect("it is well formed"));
static DEFINED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?m)^(?:define [^@\n]*|)@("[^"]*"|[-$.\w]+)( = (?:external|extern_weak)?|\()"#)
        .expect("it is well formed")
});

/// The tiers of the functions that `text` defines.
pub(crate) fn of_text(text: &str) -> BTreeMap<String, &'static str> {
    let plain = |name: &str| name.trim_matches('"').to_owned();
    let defined: Vec<String> = DEFINED
        .captures_iter(text)
        .filter(|found| !found[2].contains("extern"))
        .map(|found| plain(&found[1]))
        .collect();
    let mut tiers = BTreeMap::new();
    let mut current: Option<(String, bool)> = None;
    for line in text.lines() {
        let code = line.split(" ; ").next().unwrap_or_default();
        // Metadata attached to an instruction does not count.
        let code = code.split(", !").next().unwrap_or_default();
        let named = |own: &str| {
            GLOBALS.captures_iter(code).any(|g| plain(&g[1]) != own && defined.contains(&plain(&g[1])))
        };
        if let Some(rest) = line.strip_prefix("define ") {
            let name = GLOBALS.captures(rest).map(|g| plain(&g[1])).unwrap_or_default();
            let beyond = WORDS.is_match(code.trim_end_matches('{')) || named(&name);
            current = Some((name, beyond));
        } else if line.starts_with('}') {
            if let Some((name, beyond)) = current.take() {
                tiers.insert(name, if beyond { BEYOND } else { CORE });
            }
        } else if let Some((name, beyond)) = &mut current
            && !code.trim_start().starts_with([';', '#'])
        {
            *beyond = *beyond || WORDS.is_match(code) || named(name);
        }
    }
    tiers
}

#[cfg(test)]
mod tests {
    use super::*;
    use backedge_testkit::llvm_tests;

    #[test]
    fn the_core_is_told_from_the_rest() {
        let text = "@ext = external global i32\n@own = global i32 0\ndeclare void @f(ptr)\n\
            define i32 @a(ptr %p, i32 %n) {\n  call void @f(ptr %p)\n  %v = load i32, ptr @ext ; float\n  ret i32 %v\n}\n\
            define i32 @b() {\n  %v = load i32, ptr @own\n  ret i32 %v\n}\n\
            define void @c(float %x) {\n  ret void\n}\n\
            define void @d(ptr %g) {\n  call void %g(i32 1)\n  ret void\n}\n\
            define void @e() {\n  call void @c(i32 undef), !dbg !1\n  ret void\n}\n";
        let tiers = of_text(text);
        let core: Vec<&str> = tiers.iter().filter(|(_, t)| **t == CORE).map(|(n, _)| &**n).collect();
        assert_eq!(core, ["a"], "{tiers:?}");
    }

    #[test]
    fn what_is_read_off_the_text_is_what_the_table_says() {
        let Some(tests) = llvm_tests("tiers of LLVM's tests") else { return };
        let dir = tests.dir();
        let table = table(dir).unwrap();
        let (mut agree, mut differ) = (0, Vec::new());
        for ((file, function), Row { tier, .. }) in &table {
            let Ok(text) = std::fs::read_to_string(dir.join(file)) else { continue };
            let Some(own) = of_text(&text).get(function).copied() else { continue };
            if (own == CORE) == (tier == CORE) {
                agree += 1;
            } else {
                differ.push(format!("{file} @{function}: {tier}"));
            }
        }
        assert!(agree > 2000, "{agree}");
        assert!(differ.len() * 50 < agree, "{agree} agree; {} do not: {}", differ.len(), differ.join("\n"));
    }
}
