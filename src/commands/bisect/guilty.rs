//! The pass that a bisection comes to, and how it is told.

use super::super::symptom::Found;
use crate::output;
use crate::problem::visible;
use std::path::Path;

/// The pass that broke it, if it was one.
pub(crate) struct Guilty {
    /// How many there are in all.
    pub(super) total: u64,
    /// Its number, from 1; 0 if it is broken before any has run.
    pub(crate) number: u64,
    /// What is counted.
    pub(super) unit: &'static str,
    /// The pass; none if the number is 0.
    pub(crate) pass: Option<String>,
    /// What it worked on.
    pub(super) on: String,
    /// What is wrong.
    pub(crate) found: Found,
    /// Whether the pass by itself, on what was there before it, is shown to be wrong; `None` if that is not known.
    pub(super) alone: Option<bool>,
    /// Commands that give what is good, if one does, and what is bad.
    pub(super) commands: (Option<String>, String),
    /// The module before and after.
    pub(crate) texts: [Option<String>; 2],
}

/// Passes that `opt` runs by itself in front of loop passes, as `-opt-bisect-limit` calls them.
const IN_FRONT: [&str; 4] = ["LoopSimplifyPass", "LCSSAPass", "loop-simplify", "lcssa"];

/// Names in `-passes=` that stand for many passes.
const PIPELINES: [&str; 5] = ["default", "thinlto", "thinlto-pre-link", "lto", "lto-pre-link"];

/// Whether that name in `-passes=` stands for many passes.
pub(crate) fn is_pipeline(name: &str) -> bool {
    PIPELINES.contains(&name)
}

fn named(pass: String, only: &str) -> String {
    if is_pipeline(only) || IN_FRONT.contains(&&*pass) { pass } else { only.to_owned() }
}

impl Guilty {
    /// The same, called as in `-passes=`, where that names `only` this pass: what is guilty then is it, or a pass that it
    /// needs in front.
    pub(crate) fn named_as(mut self, only: &str) -> Self {
        self.pass = self.pass.map(|pass| named(pass, only));
        self
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
            None => text.push_str(&format!("{}\n", visible(&found.message))),
        }
        output::to_stdout(&text)
    }

    pub(super) fn write(&self, before: Option<&Path>, after: Option<&Path>) -> miette::Result<()> {
        for (path, text) in [before, after].into_iter().zip(&self.texts) {
            match (path, text) {
                (Some(path), Some(text)) => output::write(path, text)?,
                (Some(path), None) => {
                    output::to_stderr(&format!("{} is not written: there is no such module", path.display()));
                }
                (None, _) => {}
            }
        }
        Ok(())
    }
}

/// A function in words, or the module where none is known.
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
