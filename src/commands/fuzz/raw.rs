//! Converts the finding of an oracle or a command to the campaign's form: the kind of failure as a word, the details
//! that distinguish it from others of its kind, and the guilty pass.

use super::super::symptom::{FunctionFailure, Kind, without_details};
use backedge_fuzz::campaign::examine::Seen;
use backedge_fuzz::campaign::program::Program;
use backedge_fuzz::campaign::task::Raw;
use backedge_fuzz::oracles::runs::Miscompile;
use backedge_fuzz::oracles::{Evidence as _, Label, OracleId, optimize};
use backedge_validate::record::Limit;

/// Maximum number of characters in distinguishing details: they become part of a bucket.
const WORDS: usize = 300;
/// Maximum number of characters in messages for people: a command may print any amount.
const MESSAGE: usize = 4000;

/// A raw finding of `program` with the system of that index.
pub(super) fn raw(program: &Program, system: usize, oracle: &str, kind: &str, message: &str) -> Raw {
    Raw {
        seed: program.seed,
        system,
        oracle: oracle.to_owned(),
        kind: kind.to_owned(),
        words: String::new(),
        pass: None,
        function: String::new(),
        message: message.chars().take(MESSAGE).collect(),
        case: None,
    }
}

/// The raw finding for a finding of an oracle. The guilty pass of a miscompile is not known yet.
pub(super) fn of_seen(program: &Program, system: usize, seen: &Seen) -> Raw {
    let finding = &seen.finding;
    let mut raw = raw(program, system, finding.oracle(), "", &finding.to_string());
    if let Some(func) = seen.func {
        raw.function = program.module.env.funcs[func].name.to_string();
    }
    labelled(raw, finding.label())
}

/// A raw finding with that label.
fn labelled(raw: Raw, label: Label) -> Raw {
    let Label { kind, words, pass, case } = label;
    // A failing case identifies the finding by a rule's name, which has no details.
    let words = if case.is_some() { words } else { shortened(&without_details(&words)) };
    Raw { kind, words, pass, case: case.map(Box::new), ..raw }
}

/// The raw finding for a failure of the system on `program`.
pub(super) fn of_failure(program: &Program, system: usize, found: &FunctionFailure) -> Raw {
    let Some((_, refutation)) = &found.refuted else {
        let (kind, words) = match &found.symptom.kind {
            Kind::Crashed(words) => ("crash", words.clone()),
            Kind::Refused(words) => ("refused", words.clone()),
            Kind::Hung(Limit::Time) => ("hang", String::new()),
            Kind::Hung(Limit::Memory) => ("memory", String::new()),
            Kind::Hung(Limit::Output) => ("output", String::new()),
            Kind::Restless(asked) => (asked.kind(), String::new()),
            Kind::Grown => ("too-much", optimize::Quantity::Size.to_string()),
            Kind::Refuted { failure, .. } => ("refuted", failure.words().to_owned()),
        };
        let oracle = match &found.symptom.kind {
            Kind::Restless(asked) => asked.oracle().name(),
            _ => optimize::NAME,
        };
        let mut raw = raw(program, system, oracle, kind, &found.message);
        raw.words = shortened(&words);
        raw.function.clone_from(&found.function);
        return raw;
    };
    let miscompile = Miscompile { refutation: refutation.clone() };
    let mut raw = raw(program, system, OracleId::Runs.name(), "", &miscompile.to_string());
    raw.function.clone_from(&found.function);
    labelled(raw, miscompile.label())
}

fn shortened(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(WORDS).collect()
}
