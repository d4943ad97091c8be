//! The result of a bisection, and its output.

use super::super::symptom::FunctionFailure;
use crate::output;
use crate::report::events::Event;
use crate::shown::{visible, visible_lines};
use std::path::Path;

/// The guilty pass, or the fact that the file is broken before any pass runs.
pub(crate) struct Guilty {
    /// Total number of passes or applications.
    pub(super) total: u64,
    /// The number of the guilty pass, from 1; 0 if the file is broken before any pass runs.
    pub(crate) number: u64,
    /// The unit that is counted.
    pub(super) unit: &'static str,
    /// The pass; `None` if the number is 0.
    pub(crate) pass: Option<String>,
    /// The IR unit that it ran on.
    pub(super) on: String,
    /// The failure.
    pub(crate) found: FunctionFailure,
    /// Whether the pass alone, on the code before it, is refuted; `None` if unknown.
    pub(super) alone: Option<bool>,
    /// Commands that produce the last good result, if there is one, and the first bad one.
    pub(super) commands: (Option<String>, String),
    /// The module before and after the pass.
    pub(crate) texts: [Option<String>; 2],
}

/// Passes that `opt` runs automatically before loop passes, under their `-opt-bisect-limit` names.
const IN_FRONT: [&str; 4] = ["LoopSimplifyPass", "LCSSAPass", "loop-simplify", "lcssa"];

/// Names in `-passes=` that denote whole pipelines.
const PIPELINES: [&str; 5] = ["default", "thinlto", "thinlto-pre-link", "lto", "lto-pre-link"];

/// Whether a name in `-passes=` denotes a whole pipeline.
pub(crate) fn is_pipeline(name: &str) -> bool {
    PIPELINES.contains(&name)
}

fn named(pass: String, only: &str) -> String {
    if is_pipeline(only) || IN_FRONT.contains(&&*pass) { pass } else { only.to_owned() }
}

impl Guilty {
    /// Renames the pass as in `-passes=` if that text contains `only` this pass; the guilty pass is then this one or
    /// one that it requires.
    pub(crate) fn named_as(mut self, only: &str) -> Self {
        self.pass = self.pass.map(|pass| named(pass, only));
        self
    }
    /// The record of the result.
    pub(super) fn event(&self) -> Event {
        let (good, bad) = &self.commands;
        Event::Guilty {
            pass: self.pass.clone(),
            number: self.number,
            total: self.total,
            on: self.on.clone(),
            function: self.found.function.clone(),
            failure: self.found.to_string(),
            refutation: self.found.refuted.as_ref().map(|(_, refutation)| refutation.clone()),
            good: good.clone(),
            bad: bad.clone(),
        }
    }
    pub(super) fn show(&self, trace: bool) -> miette::Result<()> {
        let Self { total, number, unit, pass, on, found, .. } = self;
        let mut text = match pass {
            Some(pass) => format!("guilty: {pass} on {on}, {unit} {number} of {total}\n"),
            None if *total == 0 => format!("guilty: no pass: the command alone breaks {on}\n"),
            None => format!("guilty: no pass: the command alone breaks {on}, {unit} 0 of {total}\n"),
        };
        text.push_str(&format!("{}: {}\n", subject(&found.function), visible(&found.to_string())));
        if let Some(false) = self.alone {
            text.push_str(
                "the pass alone, on what was there before it, is not refuted: what is wrong may have come before and not shown\n",
            );
        }
        let (good, bad) = &self.commands;
        text.extend(good.iter().map(|good| format!("good: {good}\n")));
        text.push_str(&format!("bad:  {bad}\n"));
        match &found.refuted {
            Some((_, refutation)) if trace => text.push_str(&format!("{refutation:#}\n")),
            Some((_, refutation)) => text.push_str(&format!("{refutation}\n")),
            None => text.push_str(&format!("{}\n", found.message)),
        }
        output::to_stdout(&visible_lines(&text))
    }

    pub(super) fn write(&self, before: Option<&Path>, after: Option<&Path>) -> miette::Result<()> {
        for (path, text) in [before, after].into_iter().zip(&self.texts) {
            match (path, text) {
                (Some(path), Some(text)) => output::write(path, text)?,
                (Some(path), None) => {
                    output::to_stderr(&format!("{} is not written: the pass left no module", path.display()));
                }
                (None, _) => {}
            }
        }
        Ok(())
    }
}

/// Describes a function, or the module if no function is known.
pub(super) fn subject(function: &str) -> String {
    if function.is_empty() { "the module".to_owned() } else { format!("@{function}") }
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn the_only_pass_is_called_as_it_was_asked_for() {
        assert_eq!(named("GVNPass".to_owned(), "gvn"), "gvn");
        assert_eq!(named("LCSSAPass".to_owned(), "licm"), "LCSSAPass");
        assert_eq!(named("GVNPass".to_owned(), "default"), "GVNPass");
    }
}
