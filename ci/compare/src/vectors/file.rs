//! The loops that both sides vectorize in one file.
//!
//! Backedge's remarks identify a loop by its header. LLVM's remarks do not identify the loop. In a function with such
//! remarks, the vectorized loops are those that have `llvm.loop.isvectorized` after the pass, or are gone, and did not
//! have it before.

use crate::passes::functions::{Exits, LoopName, exits, of_loops};
use crate::passes::side::{Made, Optimizer};
use anyhow::{Error, Result};
use backedge_ir::loop_options::option;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The names and options of LLVM's runs.
pub(crate) const MODES: [(&str, &[&str]); 2] = [
    ("loop-vectorize", &["-force-vector-width=4", "-enable-early-exit-vectorization=false"]),
    ("with early exits", &["-force-vector-width=4", "-enable-early-exit-vectorization"]),
];

/// Backedge's pipeline.
const OURS: &str = "loop-vectorize<force-vector-width=4>";

/// The results for one file.
#[derive(Debug, Default)]
pub(crate) struct FileResult {
    /// The number of exits of each loop.
    pub(crate) exits: Exits,
    /// The loops that LLVM vectorizes, for each of its runs.
    pub(crate) llvm: [BTreeSet<LoopName>; 2],
    pub(crate) ours: BTreeSet<LoopName>,
    /// Backedge's reason for skipping a loop: its name and text.
    pub(crate) missed: BTreeMap<LoopName, (String, String)>,
    /// The number of LLVM's remarks without a matching loop.
    pub(crate) unknown: usize,
}

/// The reason why a file is skipped.
pub(crate) struct LeftOut {
    pub(crate) why: Error,
    /// Whether LLVM accepts it.
    pub(crate) fault: bool,
}

/// Runs both sides on `file`.
pub(crate) fn compare(file: &Path, ours: &Optimizer, llvm: &Optimizer) -> Result<FileResult, LeftOut> {
    let of_llvm = |why: Error| LeftOut { why, fault: false };
    let of_ours = |why: Error| LeftOut { why, fault: true };
    let dir = tempfile::tempdir().map_err(|e| of_llvm(e.into()))?;
    let named = dir.path().join("named.ll");
    let text = without_old_lifetimes(&llvm.run("function(instnamer)", &[], file).map_err(of_llvm)?.text);
    std::fs::write(&named, &text).map_err(|e| of_llvm(e.into()))?;
    let after: Vec<Made> = MODES
        .iter()
        .map(|(_, options)| llvm.run("function(loop-vectorize)", options, &named))
        .collect::<Result<_>>()
        .map_err(of_llvm)?;
    let mine = ours.run(OURS, &[], &named).map_err(of_ours)?;
    let before = marked(&text).map_err(of_ours)?;
    let mut found = FileResult { exits: exits(&text).map_err(of_ours)?, ..FileResult::default() };
    for (at, made) in after.iter().enumerate() {
        let (loops, unknown) = vectorized(&before, made).map_err(of_llvm)?;
        found.llvm[at] = loops;
        found.unknown += unknown;
    }
    for remark in mine.remarks {
        let place = (remark.function, remark.header.unwrap_or_default());
        if remark.name == "Vectorized" {
            found.ours.insert(place);
        }
    }
    for remark in mine.missed {
        let place = (remark.function, remark.header.unwrap_or_default());
        found.missed.insert(place, (remark.name, remark.text));
    }
    Ok(found)
}

/// The text without the unused declarations that LLVM 22 creates for lifetime intrinsics of older versions; their types
/// are invalid.
fn without_old_lifetimes(text: &[u8]) -> Vec<u8> {
    let is_old = |line: &str| line.starts_with("declare void @llvm.lifetime.") && line.contains(".i64(i64)");
    let text = String::from_utf8_lossy(text);
    text.lines().filter(|line| !is_old(line)).flat_map(|line| [line, "\n"]).collect::<String>().into_bytes()
}

/// The loops of a module, and whether each is marked as vectorized.
fn marked(text: &[u8]) -> Result<BTreeMap<LoopName, bool>> {
    of_loops(text, |env, body, cfg, loops, l| {
        let says = |latch| option(env, body, latch, "llvm.loop.isvectorized").is_some();
        loops.single_latch(cfg, l).is_some_and(says)
    })
}

/// The loops that LLVM has vectorized, and the number of its remarks without a matching loop.
fn vectorized(before: &BTreeMap<LoopName, bool>, made: &Made) -> Result<(BTreeSet<LoopName>, usize)> {
    let after = marked(&made.text)?;
    let mut spoken: BTreeMap<&str, usize> = BTreeMap::new();
    for remark in made.remarks.iter().filter(|r| r.name == "Vectorized") {
        *spoken.entry(&remark.function).or_default() += 1;
    }
    let mut all = BTreeSet::new();
    for (place, was) in before {
        let is_new = !was && after.get(place).is_none_or(|is| *is);
        if let Some(left) = spoken.get_mut(&*place.0).filter(|left| is_new && **left > 0) {
            *left -= 1;
            all.insert(place.clone());
        }
    }
    Ok((all, spoken.into_values().sum()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::remarks::Remark;

    const LOOPS: &str = "define void @f(i1 %c) {
entry:
  br label %a

a:
  br i1 %c, label %a, label %b

b:
  br i1 %c, label %b, label %c.0

c.0:
  br i1 %c, label %c.0, label %exit

exit:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!\"llvm.loop.isvectorized\", i32 1}
";

    fn made(text: &str, remarks: usize) -> Made {
        let one = Remark { name: "Vectorized".to_owned(), function: "f".to_owned(), ..Remark::default() };
        Made {
            text: text.as_bytes().to_vec(),
            codes: BTreeMap::new(),
            remarks: vec![one; remarks],
            missed: Vec::new(),
        }
    }

    #[test]
    fn vectorized_are_those_that_say_so_or_are_gone() {
        let before = marked(LOOPS.as_bytes()).expect("a module");
        assert_eq!(before.len(), 3);
        let after = LOOPS
            .replace("label %a, label %b\n", "label %a, label %b, !llvm.loop !0\n")
            .replace("br i1 %c, label %c.0, label %exit", "br label %exit");
        let place = |header: &str| ("f".to_owned(), header.to_owned());
        let (loops, unknown) = vectorized(&before, &made(&after, 3)).expect("a module");
        assert_eq!((loops, unknown), (BTreeSet::from([place("a"), place("c.0")]), 1));
        // No remark reports a vectorized loop.
        assert_eq!(vectorized(&before, &made(&after, 0)).expect("a module"), (BTreeSet::new(), 0));
        // A loop that was marked before was not vectorized by this run.
        let before = marked(after.as_bytes()).expect("a module");
        let (loops, unknown) = vectorized(&before, &made(&after, 1)).expect("a module");
        assert_eq!((loops.len(), unknown), (0, 1));
    }
}
