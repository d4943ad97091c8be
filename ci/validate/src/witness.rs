//! A refutation as data for people and machines: the input and environment on which the two functions part, what each
//! did, and where they part. It is plain text in fields; what can be replayed stays with the engines.

use crate::case::Case;
use crate::verdict::Failure;
use backedge_interp::trace::{Aligned, RowAt};
use backedge_smt::refinement as smt;
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
    /// Runs on an input that a pair of functions with narrower integers gave as a hint.
    Narrowed,
    /// Runs with more steps than those on the fixed list have.
    LongRuns,
    /// An earlier refutation that was run again.
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
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Refutation {
    /// In which way the target fails to refine the source.
    pub failure: Failure,
    /// Which engine found it.
    pub found_by: FoundBy,
    /// The input and the environment.
    pub witness: Witness,
    /// Whether the input has undef bits, in an argument or in the initial memory.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub undef_input: bool,
    /// What the source did.
    pub source: Run,
    /// What the target did.
    pub target: Run,
    /// The last rows of the two traces, aligned at events and headers of loops, up to where they part.
    #[serde(default)]
    pub rows: Aligned,
    /// The first step that both took with different values.
    #[serde(default)]
    pub first_difference: Option<String>,
    /// The first point where the two part.
    pub divergence: String,
    /// What both were run on, to run it again.
    #[serde(default)]
    pub case: Case,
    /// What the solver found, where the case alone does not decide: the source has too many choices to try them all.
    /// Not a part of records.
    #[serde(skip)]
    pub counterexample: Option<Box<Counterexample>>,
}

/// The solver's witness.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Counterexample {
    /// The run that the model describes, in numbers of the functions' instructions.
    pub witness: smt::Witness,
    /// Whether it covers all choices of the source, and none of its model was approximated.
    pub exact: bool,
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
    /// The undefined behaviour that it came to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undefined: Option<Undefined>,
    /// Its last steps, oldest first.
    pub last_steps: Vec<String>,
    /// Which rule undefined behaviour broke; where poison and undefined bits that matter first arose, and how they came.
    #[serde(default)]
    pub explanation: Vec<String>,
    /// The same as data: `"ub"` and `"origins"`, as in the last lines of a trace in JSON.
    #[serde(default, skip_serializing_if = "serde_json::Value::is_null")]
    pub why: serde_json::Value,
    /// The functions outside the module that it called, by name.
    #[serde(default)]
    pub called: Vec<String>,
    /// Whether one of these wrote memory, or returned a pointer to memory that it did not make.
    #[serde(default)]
    pub calls_acted: bool,
    /// Whether a volatile load changed the bytes at its address.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub volatile_changed: bool,
    /// The global variables that these wrote, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub written: Vec<String>,
    /// The promise about memory that it breaks, or that could not be checked on it; looked for in sources alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken: Option<String>,
    /// How many steps it took.
    pub steps: u64,
}

/// Undefined behaviour of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Undefined {
    /// Its stable name.
    pub id: String,
    /// The rule that was broken.
    pub rule: String,
    /// The instruction; empty for the function's entry.
    pub instruction: String,
    /// Block, function and iterations, in words.
    pub place: String,
    /// The same in parts; none if no function was entered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<RowAt>,
}

impl fmt::Display for Undefined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id, rule, instruction, place, .. } = self;
        let instruction = if instruction.is_empty() { String::new() } else { format!("`{instruction}` in ") };
        write!(f, "undefined behaviour [{id}] at {instruction}{place}: {rule}")
    }
}

/// An input on which the source has undefined behaviour.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct UndefinedSource {
    /// The arguments in order.
    pub arguments: Vec<Named>,
    /// Where it is undefined.
    pub undefined: Undefined,
}

impl fmt::Display for UndefinedSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inputs: Vec<_> = self.arguments.iter().map(|n| format!("{} = {}", n.name, n.value)).collect();
        let on = if inputs.is_empty() { String::new() } else { format!("with {} ", inputs.join(", ")) };
        write!(f, "{on}{}", self.undefined)
    }
}

/// Number of different lines that are shown of the choices and of the events of each run.
const SHOWN_LINES: usize = 16;
/// Width of the two traces together, in columns.
const WIDTH: usize = 120;
/// First rows, rows around the first difference and last rows of them that are shown.
const SHOWN: (usize, usize, usize) = (4, 3, 16);

/// With `{:#}` all rows of the traces that are kept are shown.
impl fmt::Display for Refutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let w = &self.witness;
        writeln!(f, "ERROR: {}", self.failure)?;
        if let Some(undefined) = &self.source.undefined {
            writeln!(f, "the source is not defined on this input: {undefined}")?;
            writeln!(f, "  what others see of it before that, the target has to do all the same")?;
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
            section(f, "where they part", &mut text.lines().map(str::to_owned))?;
        }
        if let Some(first) = &self.first_difference {
            writeln!(f, "first value that differs: {first}")?;
        }
        for (name, run) in [("source", &self.source), ("target", &self.target)] {
            writeln!(f, "{name}: {}", run.outcome)?;
            run.explanation.iter().try_for_each(|line| writeln!(f, "  {line}"))?;
        }
        write!(f, "they part: {}", self.divergence)
    }
}

/// The lines with equal ones in a row told once, and of many different ones how many more there are.
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
