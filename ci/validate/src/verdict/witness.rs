//! A refutation as data for people and machines: the input and environment for which the two functions differ, the
//! behavior of each, and the first difference. Fields are plain text; replayable data stays with the engines.

use super::case::Case;
use super::failure::Failure;
use super::schema;
use backedge_interp::trace::{Aligned, RowAt};
use backedge_smt::refinement as smt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The engine that found a refutation. The interpreter has confirmed it in each case.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FoundBy {
    /// Runs on a fixed list of inputs.
    Runs,
    /// The solver's model.
    Solver,
    /// Runs on an input suggested by a copy of the pair with narrower integers.
    Narrowed,
    /// Runs with more fuel than those on the fixed list.
    LongRuns,
    /// An earlier refutation that was replayed.
    Replay,
}

impl fmt::Display for FoundBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Runs => "found by runs",
            Self::Solver => "found by the bounded check, replayed",
            Self::Narrowed => "found by runs at a smaller width, replayed",
            Self::LongRuns => "found by long runs",
            Self::Replay => "replayed",
        })
    }
}

/// A refutation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Refutation {
    /// Kind of refinement failure.
    pub failure: Failure,
    /// The engine that found it.
    pub found_by: FoundBy,
    /// The input and the environment.
    pub witness: Witness,
    /// Whether the input has undef bits, in an argument or in the initial memory.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub undef_input: bool,
    /// The source's run.
    pub source: Run,
    /// The target's run.
    pub target: Run,
    /// The last rows of the two traces, aligned at events and loop headers, up to the first difference.
    #[serde(default)]
    #[schemars(with = "schema::Aligned")]
    pub rows: Aligned,
    /// The first step that both execute with different values.
    #[serde(default)]
    pub first_difference: Option<String>,
    /// The first point at which the two differ.
    pub divergence: String,
    /// Input, answers and choices, for rerunning.
    #[serde(default)]
    pub case: Case,
    /// The solver's counterexample, needed if the source has too many choices to try them all in a rerun. Not part of
    /// records.
    #[serde(skip)]
    pub counterexample: Option<Box<Counterexample>>,
}

/// The solver's witness.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Counterexample {
    /// The run that the model describes, in terms of the functions' instruction numbers.
    pub witness: smt::Witness,
    /// Whether it covers all choices of the source, and none of its model was approximated.
    pub exact: bool,
}

/// Inputs and choices that show a refutation.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Witness {
    /// The arguments in order.
    pub arguments: Vec<Named>,
    /// Initial contents of buffers that arguments point to, and of globals.
    pub memory: Vec<Named>,
    /// Answers of external calls, and other choices of the environment, in order.
    pub environment: Vec<String>,
    /// Results of the source's `undef` and `freeze` choices, in order.
    pub source_choices: Vec<String>,
    /// Results of the target's `undef` and `freeze` choices, in order.
    pub target_choices: Vec<String>,
}

/// A name and a value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Named {
    /// The name, with its sigil.
    pub name: String,
    /// The value.
    pub value: String,
}

/// One run.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Run {
    /// How it ended, with the value returned or the place and kind of UB.
    pub outcome: String,
    /// Its observable events in order.
    pub events: Vec<String>,
    /// The UB that it reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undefined: Option<Undefined>,
    /// Its last steps, oldest first.
    pub last_steps: Vec<String>,
    /// The rule that UB broke; the origins of relevant poison and undefined bits, and how they propagated.
    #[serde(default)]
    pub explanation: Vec<String>,
    /// [`Run::explanation`] as data: `"ub"` and `"origins"`, as in the last lines of a trace in JSON.
    #[serde(default, skip_serializing_if = "serde_json::Value::is_null")]
    pub why: serde_json::Value,
    /// The functions outside the module that it called, by name.
    #[serde(default)]
    pub called: Vec<String>,
    /// Whether one of these wrote memory, or returned a pointer to memory that it did not allocate.
    #[serde(default)]
    pub calls_acted: bool,
    /// Whether a volatile load changed the bytes at its address.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub volatile_changed: bool,
    /// The global variables that called functions wrote, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub written: Vec<String>,
    /// The promise about memory that it breaks, or that could not be checked on it; only checked for sources.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken: Option<String>,
    /// Number of steps.
    pub steps: u64,
}

/// UB of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Undefined {
    /// Stable name.
    pub id: String,
    /// The violated rule.
    pub rule: String,
    /// The instruction; empty for the function's entry.
    pub instruction: String,
    /// Block, function and iterations, in words.
    pub place: String,
    /// The place as data; `None` if no function was entered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<schema::RowAt>")]
    pub at: Option<RowAt>,
}

impl fmt::Display for Undefined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id, rule, instruction, place, .. } = self;
        let instruction = if instruction.is_empty() { String::new() } else { format!("`{instruction}` in ") };
        write!(f, "undefined behaviour [{id}] at {instruction}{place}: {rule}")
    }
}

/// An input on which the source is UB.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct UndefinedSource {
    /// The arguments in order.
    pub arguments: Vec<Named>,
    /// The UB and its place.
    pub undefined: Undefined,
}

impl fmt::Display for UndefinedSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inputs: Vec<_> = self.arguments.iter().map(|n| format!("{} = {}", n.name, n.value)).collect();
        let on = if inputs.is_empty() { String::new() } else { format!("with {} ", inputs.join(", ")) };
        write!(f, "{on}{}", self.undefined)
    }
}

/// Number of distinct lines shown of the choices and of each run's events.
const SHOWN_LINES: usize = 16;
/// Columns of the two traces.
const WIDTH: usize = 120;
/// Trace rows shown: first rows, rows around the first difference, and last rows.
const SHOWN: (usize, usize, usize) = (4, 3, 16);

/// `{:#}` shows all recorded rows of the traces.
impl fmt::Display for Refutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let w = &self.witness;
        writeln!(f, "ERROR: {}", self.failure)?;
        if let Some(undefined) = &self.source.undefined {
            writeln!(f, "the source is not defined on this input: {undefined}")?;
            writeln!(f, "  the target must still produce its visible events before that")?;
        }
        let section = |f: &mut fmt::Formatter<'_>, title: &str, lines: &mut dyn Iterator<Item = String>| {
            let mut lines = lines.peekable();
            if lines.peek().is_some() {
                writeln!(f, "{title}:")?;
            }
            lines.try_for_each(|line| writeln!(f, "  {line}"))
        };
        let named = |n: &Named| format!("{} = {}", n.name, n.value);
        if self.undef_input {
            writeln!(f, "the counterexample needs an undef input; each use of undef may see another value")?;
        }
        section(f, "input", &mut w.arguments.iter().map(named))?;
        section(f, "memory at the start", &mut w.memory.iter().map(named))?;
        let lists = [
            ("environment", &w.environment),
            ("choices of the source", &w.source_choices),
            ("choices of the target", &w.target_choices),
            ("events of the source", &self.source.events),
            ("events of the target", &self.target.events),
        ];
        for (title, lines) in lists {
            let shown = if f.alternate() { lines.clone() } else { folded(lines) };
            section(f, title, &mut shown.into_iter())?;
        }
        if !self.rows.rows.is_empty() {
            let (first, around, last) = SHOWN;
            let excerpt = (!f.alternate()).then(|| self.rows.excerpt(first, around, last));
            let text = excerpt
                .as_ref()
                .unwrap_or(&self.rows)
                .render(["the source's steps", "the target's steps"], WIDTH - 2);
            section(f, "divergence", &mut text.lines().map(str::to_owned))?;
        }
        if let Some(first) = &self.first_difference {
            writeln!(f, "first value that differs: {first}")?;
        }
        for (name, run) in [("source", &self.source), ("target", &self.target)] {
            writeln!(f, "{name}: {}", run.outcome)?;
            run.explanation.iter().try_for_each(|line| writeln!(f, "  {line}"))?;
        }
        write!(f, "divergence: {}", self.divergence)
    }
}

/// The lines with runs of equal lines merged; the number of lines beyond [`SHOWN_LINES`] is stated.
fn folded(lines: &[String]) -> Vec<String> {
    let mut told: Vec<String> = Vec::new();
    let mut rest = lines;
    while let Some(first) = rest.first() {
        if told.len() == SHOWN_LINES {
            told.push(format!("... and {} more", rest.len()));
            break;
        }
        let times = rest.iter().take_while(|line| *line == first).count();
        told.push(if times == 1 { first.clone() } else { format!("{first} ({times} times)") });
        rest = &rest[times..];
    }
    told
}
