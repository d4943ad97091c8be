//! Every `[[run]]` of the corpus must have the outcome stated next to the file.

#[path = "it/support/mod.rs"]
mod support;

use backedge_interp::Config;
use backedge_interp::chooser::ZeroChooser;
use backedge_testkit::corpus::{Expectation, Expectations, Ran};
use std::path::Path;

/// Compares all runs of one file and reports those that differ.
fn check(path: &Path) -> datatest_stable::Result<()> {
    let expectations = Expectations::read(path)?;
    if expectations.runs.is_empty() {
        return Ok(());
    }
    let module = support::module(&std::fs::read_to_string(path.with_extension("ll"))?);
    let mut wrong = Vec::new();
    for expected in &expectations.runs {
        // Infinite loops must run out of fuel here, as the expectations state.
        let config =
            Config { detect_divergence: false, fuel: 100_000, max_events: 100_000, ..Config::default() };
        let args: Vec<&str> = expected.args.iter().map(String::as_str).collect();
        let run = support::run_with(&module, &expected.function, &args, config, &mut ZeroChooser);
        let text = support::describe(&module, &expected.function, &run);
        let ub = run.outcome.ub().map(|kind| [kind.name(), kind.class()]);
        wrong.extend(expected.complaint(Ran { text: &text, ub, outcome: run.outcome.name() }));
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

datatest_stable::harness! {
    { test = check, root = "../corpus", pattern = r".*\.toml$" },
}
