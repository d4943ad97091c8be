//! Every `[[run]]` of the corpus must have the outcome stated next to the file.

#[path = "it/support/mod.rs"]
mod support;

use backedge_interp::Config;
use backedge_interp::chooser::ZeroChooser;
use serde::Deserialize;
use std::path::Path;

#[derive(Deserialize)]
struct Expectations {
    #[serde(default)]
    run: Vec<Expected>,
}

#[derive(Deserialize)]
struct Expected {
    function: String,
    args: Vec<String>,
    result: Option<String>,
    ub: Option<String>,
    outcome: Option<String>,
}

/// Compares all runs of one file and reports those that differ.
fn check(path: &Path) -> datatest_stable::Result<()> {
    let expectations: Expectations = toml::from_str(&std::fs::read_to_string(path)?)?;
    if expectations.run.is_empty() {
        return Ok(());
    }
    let module = support::module(&std::fs::read_to_string(path.with_extension("ll"))?);
    let mut wrong = Vec::new();
    for expected in &expectations.run {
        // Infinite loops must run out of fuel here, as the expectations state.
        let config =
            Config { detect_divergence: false, fuel: 100_000, max_events: 100_000, ..Config::default() };
        let args: Vec<&str> = expected.args.iter().map(String::as_str).collect();
        let run = support::run_with(&module, &expected.function, &args, config, &mut ZeroChooser);
        let got = support::describe(&module, &expected.function, &run);
        let fits = match (&expected.result, &expected.ub, &expected.outcome) {
            (Some(result), None, None) => *result == got,
            (None, Some(ub), None) => run.outcome.ub().is_some_and(|k| k.name() == ub || k.class() == ub),
            (None, None, Some(outcome)) => run.outcome.name() == outcome,
            _ => false,
        };
        if !fits {
            let want = expected.result.as_ref().or(expected.ub.as_ref()).or(expected.outcome.as_ref());
            wrong.push(format!("@{}({}): {got}, not {want:?}", expected.function, args.join(", ")));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

datatest_stable::harness! {
    { test = check, root = "../corpus", pattern = r".*\.toml$" },
}
