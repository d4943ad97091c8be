//! A refutation as data for people and machines: the input and environment on which the two functions part, what each
//! did, and where they part. It is plain text in fields; what can be replayed stays with the engines.

use crate::verdict::Failure;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Which engine found a refutation. Either way the interpreter has confirmed it.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FoundBy {
    /// Runs on a fixed list of inputs.
    Runs,
    /// The solver's model.
    Solver,
}

/// A refutation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Refutation {
    /// In which way the target fails to refine the source.
    pub failure: Failure,
    /// Which engine found it.
    pub found_by: FoundBy,
    /// The input and the environment.
    pub witness: Witness,
    /// What the source did.
    pub source: Run,
    /// What the target did.
    pub target: Run,
    /// The first point where the two part.
    pub divergence: String,
}

/// Inputs and choices that show a refutation.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Witness {
    /// The arguments in order.
    pub arguments: Vec<Named>,
    /// Contents of buffers that arguments point to, and of globals, at the start.
    pub memory: Vec<Named>,
    /// What external calls answered, and other choices of the environment, in order.
    pub environment: Vec<String>,
    /// What the source's `undef` and `freeze` chose, in order.
    pub source_choices: Vec<String>,
    /// What the target's `undef` and `freeze` chose, in order.
    pub target_choices: Vec<String>,
}

/// A name and a value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Named {
    /// What it is called, with its sigil.
    pub name: String,
    /// What it is.
    pub value: String,
}

/// One run.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Run {
    /// How it ended, with the value returned or the place and kind of undefined behaviour.
    pub outcome: String,
    /// Its observable events in order.
    pub events: Vec<String>,
    /// Its last steps, oldest first.
    pub last_steps: Vec<String>,
    /// How many steps it took.
    pub steps: u64,
}

/// Columns for one side of the last steps.
const SIDE: usize = 58;

impl fmt::Display for Refutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let w = &self.witness;
        writeln!(f, "ERROR: {}", self.failure)?;
        let section = |f: &mut fmt::Formatter<'_>, title: &str, lines: &mut dyn Iterator<Item = String>| {
            let mut lines = lines.peekable();
            if lines.peek().is_some() {
                writeln!(f, "{title}:")?;
            }
            lines.try_for_each(|line| writeln!(f, "  {line}"))
        };
        let named = |n: &Named| format!("{} = {}", n.name, n.value);
        section(f, "input", &mut w.arguments.iter().map(named))?;
        section(f, "memory at the start", &mut w.memory.iter().map(named))?;
        section(f, "environment", &mut w.environment.iter().cloned())?;
        section(f, "choices of the source", &mut w.source_choices.iter().cloned())?;
        section(f, "choices of the target", &mut w.target_choices.iter().cloned())?;
        section(f, "events of the source", &mut self.source.events.iter().cloned())?;
        section(f, "events of the target", &mut self.target.events.iter().cloned())?;
        if !self.source.last_steps.is_empty() || !self.target.last_steps.is_empty() {
            let heading = ["last steps of the source", "last steps of the target"].map(str::to_owned);
            for (left, right) in side_by_side(&self.source.last_steps, &self.target.last_steps, heading) {
                writeln!(f, "{}", format!("  {left:<SIDE$} | {right}").trim_end())?;
            }
        }
        writeln!(f, "source: {}", self.source.outcome)?;
        writeln!(f, "target: {}", self.target.outcome)?;
        write!(f, "they part: {}", self.divergence)
    }
}

/// Two lists as rows, aligned at their ends.
fn side_by_side(left: &[String], right: &[String], heading: [String; 2]) -> Vec<(String, String)> {
    let rows = left.len().max(right.len());
    let at = |list: &[String], row: usize| {
        let missing = rows - list.len();
        row.checked_sub(missing).map_or(String::new(), |i| fit(&list[i]))
    };
    let [l, r] = heading;
    std::iter::once((l, r)).chain((0..rows).map(|row| (at(left, row), at(right, row)))).collect()
}

/// `text` cut to one side's width.
fn fit(text: &str) -> String {
    if text.chars().count() <= SIDE {
        return text.to_owned();
    }
    text.chars().take(SIDE - 1).chain(['…']).collect()
}
