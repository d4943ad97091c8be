//! Changes by passes and pipelines: `[[pass]]` and `[[optimized]]`.

use super::{Expectation, Verdict};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The effect of a pass on a function.
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct PassExpectation {
    /// The function.
    pub function: String,
    /// The pass, which runs after the canonicalizing passes that precede it.
    pub pass: String,
    /// Whether the pass changes the function.
    pub changed: bool,
    /// The verdict on the change.
    pub expect: Option<Verdict>,
    /// Texts that remarks of the pass contain.
    #[serde(default)]
    pub remarks: Vec<String>,
}

/// A change by a pass.
#[derive(Clone, Copy, Debug)]
pub struct Change<'a> {
    /// The name of the verdict; starts with a word for a [`Verdict`].
    pub verdict: &'a str,
    /// The remarks of the pass on the function.
    pub remarks: &'a [&'a str],
}

impl Expectation for PassExpectation {
    /// `None` if the pass changed nothing.
    type Found<'a> = Option<Change<'a>>;
    fn complaint(&self, found: Option<Change<'_>>) -> Option<String> {
        if found.is_some() != self.changed {
            return Some(format!("changed is not {}", self.changed));
        }
        let Change { verdict, remarks } = found?;
        // Runs alone decide few changes, and two iterations may be too few to complete a loop.
        let is_open = verdict == "inconclusive";
        if let Some(wanted) = self.expect.filter(|w| !is_open && !verdict.starts_with(w.word())) {
            return Some(format!("expected {wanted}, got {verdict}"));
        }
        let missing = self.remarks.iter().find(|text| !remarks.iter().any(|r| r.contains(text.as_str())))?;
        Some(format!("no remark says {missing:?}: {remarks:?}"))
    }
}

/// The effect of a pipeline on a function.
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Optimized {
    /// The function.
    pub function: String,
    /// The pipeline.
    pub passes: String,
    /// A text that a remark on the function contains.
    pub remark: String,
    /// The instructions of a loop afterwards.
    #[serde(rename = "loop")]
    pub counts: Option<LoopCounts>,
}

/// The number of instructions in a loop, by opcode.
#[derive(Clone, Deserialize, Debug)]
pub struct LoopCounts {
    /// The header of the loop.
    pub header: String,
    /// Numbers of instructions; opcodes that are not listed may occur.
    #[serde(flatten)]
    pub counts: BTreeMap<String, usize>,
}

impl Expectation for LoopCounts {
    /// The opcodes of all instructions of the loop.
    type Found<'a> = &'a [&'a str];
    fn complaint(&self, found: &[&str]) -> Option<String> {
        let count = |opcode: &str| found.iter().filter(|found| **found == opcode).count();
        let (opcode, expected) = self.counts.iter().find(|(opcode, n)| count(opcode) != **n)?;
        Some(format!("{} `{opcode}` in place of {expected}", count(opcode)))
    }
}
