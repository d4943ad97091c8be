//! Parser for remark files as written by `-pass-remarks-output`, of both sides.
//!
//! Supports only the subset of YAML in these files: documents of `key: value` lines, with a list of such lines under
//! `Args`; each value is a scalar on one or several lines. Anything else is an error.

use anyhow::{Context, Result, bail};

/// A remark of a pass.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Remark {
    /// `Passed`, `Missed`, `Analysis`, …
    pub(crate) kind: String,
    pub(crate) pass: String,
    pub(crate) name: String,
    pub(crate) function: String,
    /// The loop's header, if given.
    pub(crate) header: Option<String>,
    /// The concatenated text.
    pub(crate) text: String,
}

/// All remarks in `text`.
pub(crate) fn read(text: &str) -> Result<Vec<Remark>> {
    let mut all = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let kind =
            line.strip_prefix("--- !").with_context(|| format!("not the start of a remark: {line}"))?;
        let mut remark = Remark { kind: kind.trim().to_owned(), ..Remark::default() };
        let mut in_args = false;
        loop {
            let line = lines.next().context("a remark does not end")?;
            if line == "..." {
                break;
            }
            let mut entry = line.to_owned();
            // A value continues on lines that are indented deeper than a key and are no list items.
            while lines.peek().is_some_and(|l| is_continuation(l)) {
                entry.push(' ');
                entry.push_str(lines.next().unwrap_or_default().trim());
            }
            let item = entry.strip_prefix("  - ");
            let (key, value) = item
                .unwrap_or(&entry)
                .split_once(':')
                .with_context(|| format!("not a key with a value: {entry}"))?;
            let value = scalar(value.trim())?;
            match (item.is_some(), key.trim()) {
                (false, "Args") => in_args = true,
                (false, "Pass") => remark.pass = value,
                (false, "Name") => remark.name = value,
                (false, "Function") => remark.function = value,
                (false, _) => {}
                (true, _) if !in_args => bail!("an item outside a list: {entry}"),
                // Only Backedge's remarks identify the loop.
                (true, "Loop") => remark.header = Some(value),
                (true, _) => remark.text.push_str(&value),
            }
        }
        all.push(remark);
    }
    Ok(all)
}

/// Whether a line continues the value of the previous line.
fn is_continuation(line: &str) -> bool {
    // The location of an argument is on a separate line.
    line.is_empty() || line.starts_with("   ") && !line.trim_start().starts_with("DebugLoc:")
}

/// The value of a scalar.
fn scalar(text: &str) -> Result<String> {
    let Some(quote) = text.chars().next().filter(|c| matches!(c, '\'' | '"')) else {
        return Ok(text.to_owned());
    };
    let inner = text[1..].strip_suffix(quote).with_context(|| format!("a quote is not closed: {text}"))?;
    if quote == '\'' {
        return Ok(inner.replace("''", "'"));
    }
    let mut out = String::new();
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        out.push(match c {
            '\\' => match chars.next().context("an escape is cut off")? {
                'n' => '\n',
                't' => '\t',
                'x' => {
                    let digits: String = chars.by_ref().take(2).collect();
                    char::from(u8::from_str_radix(&digits, 16).with_context(|| format!("\\x{digits}"))?)
                }
                other => other,
            },
            c => c,
        });
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "--- !Passed
Pass:            loop-unroll
Name:            PartialUnrolled
DebugLoc:        { File: 'a b.c', Line: 3, Column: 1 }
Function:        'it''s'
Args:
  - String:          'unrolled loop by a factor of '
  - UnrollCount:     '4'
    DebugLoc:        { File: a.c, Line: 3, Column: 1 }
  - String:          ' with run-time trip
      count'
...
--- !Missed
Pass:            licm
Name:            Condition
Function:        \"a\\x01b\"
Args:
  - Loop:            loop
  - String:          plain
...
";

    #[test]
    fn both_sides_forms_are_read() {
        let all = read(TEXT).expect("remarks");
        assert_eq!(all.len(), 2);
        let (unrolled, missed) = (&all[0], &all[1]);
        assert_eq!((&*unrolled.function, &*unrolled.name), ("it's", "PartialUnrolled"));
        assert_eq!(unrolled.text, "unrolled loop by a factor of 4 with run-time trip count");
        assert_eq!((&*missed.function, missed.header.as_deref()), ("a\u{1}b", Some("loop")));
        assert_eq!((&*missed.pass, &*missed.text), ("licm", "plain"));
        assert_eq!((&*unrolled.kind, &*missed.kind), ("Passed", "Missed"));
    }

    #[test]
    fn what_is_no_remark_is_an_error() {
        for text in [
            "Pass: x\n",
            "--- !Passed\nPass: x\n",
            "--- !Passed\nnothing\n...\n",
            "--- !Passed\n  - A: b\n...\n",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
