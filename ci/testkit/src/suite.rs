//! The test suite for UB and poison: small functions with expected outcomes for given inputs.
//!
//! The files are `interp/tests/data/ub/*.ll`, one for each subject. A comment line states one run:
//!
//! ```text
//! ; @name(arguments) -> outcome
//! ; undef: @name(arguments) -> outcome
//! ; poison: @name(arguments) -> outcome | another
//! ```
//!
//! `undef:` and `poison:` select the reading of uninitialized memory for which the line holds; without either it
//! holds for both. Arguments have the interpreter's text form. Several outcomes, separated by `|`, are all possible
//! outcomes over the choices of the program and its environment.

use crate::data::files_with_extension;
use std::path::{Path, PathBuf};

/// A file of the suite.
#[derive(Clone, Debug)]
pub struct SuiteFile {
    /// Its path.
    pub path: PathBuf,
    /// Its text, a module.
    pub text: String,
    /// The runs stated in it, in order.
    pub cases: Vec<SuiteCase>,
}

/// One run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SuiteCase {
    /// The function, without `@`.
    pub function: String,
    /// The arguments.
    pub args: Vec<String>,
    /// Whether uninitialized memory is poison; `None` for both readings.
    pub uninit_poison: Option<bool>,
    /// All possible outcomes, sorted.
    pub outcomes: Vec<String>,
    /// The line, from 1.
    pub line: usize,
}

/// All files, sorted by name.
pub fn ub_suite() -> Vec<SuiteFile> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../interp/tests/data/ub");
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let lines = text.lines().enumerate();
        let cases = lines.filter_map(|(i, line)| parse_line(line, i + 1)).collect();
        SuiteFile { path, text, cases }
    };
    files_with_extension(&dir, "ll").into_iter().map(read).collect()
}

/// The run that a line states, if any.
fn parse_line(line: &str, number: usize) -> Option<SuiteCase> {
    let rest = line.strip_prefix("; ")?;
    let (uninit_poison, rest) = if let Some(rest) = rest.strip_prefix("undef: @") {
        (Some(false), rest)
    } else if let Some(rest) = rest.strip_prefix("poison: @") {
        (Some(true), rest)
    } else {
        (None, rest.strip_prefix('@')?)
    };
    let (call, outcomes) = rest.split_once(" -> ")?;
    let (function, args) = call.strip_suffix(')')?.split_once('(')?;
    let mut outcomes: Vec<String> = outcomes.split(" | ").map(|o| o.trim().to_owned()).collect();
    outcomes.sort();
    Some(SuiteCase {
        function: function.to_owned(),
        args: split_arguments(args),
        uninit_poison,
        outcomes,
        line: number,
    })
}

/// The parts separated by commas outside braces.
fn split_arguments(text: &str) -> Vec<String> {
    let (mut args, mut depth) = (vec![String::new()], 0);
    for c in text.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                args.push(String::new());
                continue;
            }
            _ => {}
        }
        args.last_mut().expect("there is one").push(c);
    }
    let args: Vec<String> = args.iter().map(|a| a.trim().to_owned()).collect();
    if args == [""] { Vec::new() } else { args }
}
