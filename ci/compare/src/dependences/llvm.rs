//! Parser for the output of LLVM's `print<da>`.
//!
//! For each function it prints all pairs of instructions that may access memory, each instruction with itself and with
//! all later ones in the order of the text, followed by the run-time assumptions for all of them, if any:
//!
//! ```text
//! Printing analysis 'Dependence Analysis' for function 'f':
//! Src:  %v = load i32, ptr %p, align 4 --> Dst:  store i32 %v, ptr %q, align 4
//!   da analyze - none!
//! ```
//!
//! Instructions are identified by position, because two of them may have the same text.

use crate::process;
use anyhow::{Context, Result, ensure};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// The results for the pairs of one function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Said {
    /// The printed instructions, in the order of the text.
    pub(crate) insts: Vec<String>,
    /// The result for each pair of instruction indices; the first is not greater than the second.
    pub(crate) pairs: BTreeMap<(usize, usize), String>,
    /// Whether the results hold only under assumptions on run-time values.
    pub(crate) assumes: bool,
}

/// The text before the result of a pair.
const VERDICT: &str = "da analyze - ";

/// The result that two accesses never touch a common byte, except in one execution of a single instruction.
pub(crate) const NONE: &str = "none!";

/// The results of `opt` for the functions of `file`, by name.
pub(crate) fn dependences(opt: &Path, file: &Path, limit: Duration) -> Result<BTreeMap<String, Said>> {
    let mut command = Command::new(opt);
    command.args(["-passes=print<da>", "-disable-output"]).arg(file);
    let (ended, text) = process::run_with_stderr(&mut command, limit)?;
    ended.of_llvm(limit)?;
    read(&text)
}

/// Parses the output of `print<da>`.
pub(crate) fn read(text: &str) -> Result<BTreeMap<String, Said>> {
    let mut all = BTreeMap::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let name = line
            .strip_prefix("Printing analysis 'Dependence Analysis' for function '")
            .and_then(|rest| rest.strip_suffix("':"));
        let Some(name) = name else { continue };
        let mut rows: Vec<(String, String, String)> = Vec::new();
        let mut assumes = false;
        while let Some(line) = lines.next_if(|l| !l.starts_with("Printing analysis")) {
            if let Some(pair) = line.strip_prefix("Src:") {
                // An `invoke` continues on the next line.
                let mut pair = pair.to_owned();
                while let Some(more) = lines.next_if(|l| !l.trim_start().starts_with(VERDICT)) {
                    pair = format!("{pair} {}", more.trim_start());
                }
                let (source, sink) =
                    pair.split_once(" --> Dst:").with_context(|| format!("not a pair: {line}"))?;
                rows.push((source.trim().to_owned(), sink.trim().to_owned(), String::new()));
            } else if let Some(verdict) = line.trim_start().strip_prefix(VERDICT) {
                let row = rows.last_mut().with_context(|| format!("said of no pair: {line}"))?;
                row.2 = verdict.trim().to_owned();
            }
            assumes |= line.starts_with("Runtime Assumptions:");
        }
        let said = numbered(rows, assumes).with_context(|| format!("the pairs of @{name}"))?;
        all.insert(name.to_owned(), said);
    }
    Ok(all)
}

/// The rows of a function with numbered instructions. The rows are the upper triangle of a matrix.
fn numbered(rows: Vec<(String, String, String)>, assumes: bool) -> Result<Said> {
    let mut count = 0;
    while count * (count + 1) / 2 < rows.len() {
        count += 1;
    }
    ensure!(count * (count + 1) / 2 == rows.len(), "{} of them are not all", rows.len());
    let insts: Vec<String> = rows.iter().take(count).map(|(_, sink, _)| sink.clone()).collect();
    let places = (0..count).flat_map(|a| (a..count).map(move |b| (a, b)));
    let mut said = Said { insts, pairs: BTreeMap::new(), assumes };
    for ((a, b), (source, sink, verdict)) in places.zip(rows) {
        ensure!(said.insts[a] == source && said.insts[b] == sink, "{source} --> {sink} is out of its place");
        ensure!(!verdict.is_empty(), "nothing is said of {source} --> {sink}");
        said.pairs.insert((a, b), verdict);
    }
    Ok(said)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Printing analysis 'Dependence Analysis' for function 'a b':
Src:  store i32 0, ptr %p, align 4 --> Dst:  store i32 0, ptr %p, align 4
  da analyze - consistent output [S]!
Src:  store i32 0, ptr %p, align 4 --> Dst:  store i32 0, ptr %p, align 4
  da analyze - output [S|<]!
Src:  store i32 0, ptr %p, align 4 --> Dst:  store i32 0, ptr %p, align 4
  da analyze - none!
Runtime Assumptions:
Equal predicate: %a == 0
Printing analysis 'Dependence Analysis' for function 'empty':
";

    #[test]
    fn pairs_are_told_apart_by_their_places() {
        let all = read(TEXT).expect("pairs");
        assert_eq!(all.keys().collect::<Vec<_>>(), ["a b", "empty"]);
        let said = &all["a b"];
        assert_eq!(said.insts.len(), 2);
        let verdicts: Vec<_> = said.pairs.iter().map(|(place, verdict)| (*place, &**verdict)).collect();
        assert_eq!(verdicts, [((0, 0), "consistent output [S]!"), ((0, 1), "output [S|<]!"), ((1, 1), NONE)]);
        assert!(said.assumes);
        assert_eq!(all["empty"], Said::default());
    }

    #[test]
    fn instructions_of_several_lines_are_read() {
        let text = "Printing analysis 'Dependence Analysis' for function 'f':
Src:  invoke void @g()
          to label %a unwind label %b --> Dst:  invoke void @g()
          to label %a unwind label %b
  da analyze - confused!
";
        let said = &read(text).expect("a pair")["f"];
        assert_eq!(said.insts, ["invoke void @g() to label %a unwind label %b"]);
        assert_eq!(said.pairs[&(0, 0)], "confused!");
    }

    #[test]
    fn truncated_output_is_an_error() {
        let lines: Vec<&str> = TEXT.lines().collect();
        // A pair without its result, two of three pairs, a result without a pair.
        for cut in [2, 5] {
            assert!(read(&lines[..cut].join("\n")).is_err(), "{cut} lines");
        }
        assert!(read(&[lines[0], lines[2]].join("\n")).is_err());
        assert!(read(&TEXT.replacen("--> Dst:  store i32 0", "--> Dst:  store i32 1", 1)).is_err());
    }
}
