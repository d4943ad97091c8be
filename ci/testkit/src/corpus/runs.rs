//! Runs: `[[run]]` and `[[measure]]`.

use super::{Expectation, ReadErrorKind};
use serde::Deserialize;

/// A run of the interpreter with one expected ending: a result, undefined behaviour, or another outcome.
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// The function.
    pub function: String,
    /// The arguments.
    pub args: Vec<String>,
    /// The returned value, such as `i32 3`, `poison` or `void`.
    pub result: Option<String>,
    /// The kind of undefined behaviour.
    pub ub: Option<String>,
    /// The name of another outcome.
    pub outcome: Option<String>,
}

/// The ending of a run.
#[derive(Clone, Copy, Debug)]
pub struct Ran<'a> {
    /// The result or the description of the ending.
    pub text: &'a str,
    /// The name and the class of the undefined behaviour, if there is any.
    pub ub: Option<[&'a str; 2]>,
    /// The name of the outcome.
    pub outcome: &'a str,
}

impl Run {
    pub(super) fn check_keys(&self) -> Result<(), ReadErrorKind> {
        let given = [&self.result, &self.ub, &self.outcome].into_iter().flatten().count();
        let message = || format!("[[run]] of @{} needs one of `result`, `ub` and `outcome`", self.function);
        if given == 1 { Ok(()) } else { Err(ReadErrorKind::Conflict(message())) }
    }
}

impl Expectation for Run {
    type Found<'a> = Ran<'a>;
    fn complaint(&self, found: Ran<'_>) -> Option<String> {
        let is_met = match (&self.result, &self.ub, &self.outcome) {
            (Some(result), None, None) => result == found.text,
            (None, Some(ub), None) => found.ub.is_some_and(|names| names.contains(&ub.as_str())),
            (None, None, Some(outcome)) => outcome == found.outcome,
            _ => false,
        };
        let expected = self.result.as_ref().or(self.ub.as_ref()).or(self.outcome.as_ref());
        (!is_met).then(|| {
            format!("@{}({}): {}, not {expected:?}", self.function, self.args.join(", "), found.text)
        })
    }
}

/// A run whose instructions and branches are counted before and after passes.
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Measure {
    /// The function.
    pub function: String,
    /// The arguments, as in a [`Run`].
    pub args: Vec<String>,
}
