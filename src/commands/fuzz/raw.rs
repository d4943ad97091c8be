//! Converts the finding of an oracle or a command to the campaign's form: the kind of failure as a word, the details
//! that distinguish it from others of its kind, and the guilty pass.

use super::super::symptom::{FunctionFailure, Kind, without_details};
use backedge_fuzz::campaign::bucket::{BY_UNDEF, slug};
use backedge_fuzz::campaign::examine::Seen;
use backedge_fuzz::campaign::program::Program;
use backedge_fuzz::campaign::task::Raw;
use backedge_fuzz::oracle::{Finding, optimize, proof, settling};
use backedge_validate::record::Limit;
use backedge_validate::witness::Refutation;

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
    let (kind, words, pass): (&str, String, Option<&str>) = match finding {
        Finding::Text(_) => ("misread", String::new(), None),
        Finding::Optimizer(fault) => match fault {
            optimize::Fault::Panic { pass, message } => ("panic", message.clone(), pass.as_deref()),
            optimize::Fault::Invalid { pass, findings } => {
                ("invalid-ir", findings.first().cloned().unwrap_or_default(), Some(pass))
            }
            optimize::Fault::Trees { pass, problem } => ("wrong-tree", problem.to_string(), Some(pass)),
            optimize::Fault::TooMuch { pass, of, .. } => ("too-much", of.to_string(), Some(pass)),
        },
        Finding::Miscompile(miscompile) => {
            let refutation = &miscompile.refutation;
            raw.case = Some(Box::new(refutation.case.clone()));
            raw.words = words_of(refutation);
            raw.kind = kind_of(refutation);
            return raw;
        }
        Finding::Claim(wrong) => ("wrong-claim", wrong.claim.clone(), None),
        Finding::Dependence(found) => ("no-dependence", found.kind.name().to_owned(), None),
        Finding::Form(_) => ("wrong-form", String::new(), None),
        Finding::Verdict(proof::WrongVerdict::Refuted { .. }) => ("wrong-proof", String::new(), None),
        Finding::Verdict(proof::WrongVerdict::Internal(error)) => {
            ("engines-disagree", error.what.clone(), None)
        }
        Finding::Encoder(differ) => ("encoder-differs", differ.why.clone(), None),
        Finding::Settling(settling::Unsettled::Undone { passes, .. }) => ("undone", passes.join(" "), None),
        Finding::Settling(settling::Unsettled::Endless { passes, .. }) => ("endless", passes.join(" "), None),
        Finding::Again(unfinished) => ("unfinished", String::new(), Some(&unfinished.pass)),
    };
    raw.kind = kind.to_owned();
    raw.words = shortened(&without_details(&words));
    raw.pass = pass.map(str::to_owned);
    raw
}

/// The raw finding for a failure of the system on `program`.
pub(super) fn of_found(program: &Program, system: usize, found: &FunctionFailure) -> Raw {
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
            _ => "optimize",
        };
        let mut raw = raw(program, system, oracle, kind, &found.message);
        raw.words = shortened(&words);
        raw.function.clone_from(&found.function);
        return raw;
    };
    let message = backedge_fuzz::oracle::runs::Miscompile { refutation: refutation.clone() }.to_string();
    let mut raw = raw(program, system, "runs", &kind_of(refutation), &message);
    raw.function.clone_from(&found.function);
    raw.words = words_of(refutation);
    raw.case = Some(Box::new(refutation.case.clone()));
    raw
}

/// The kind of failure as a word.
pub(super) fn kind_of(refutation: &Refutation) -> String {
    let failure = slug(match refutation.failure {
        backedge_validate::verdict::Failure::MorePoisonous => "more poisonous",
        backedge_validate::verdict::Failure::MoreDefined => "undefined behaviour",
        backedge_validate::verdict::Failure::NonTermination => "does not terminate",
        backedge_validate::verdict::Failure::Termination => "terminates",
        other => other.words(),
    });
    if refutation.undef_input { format!("{failure}{BY_UNDEF}") } else { failure }
}

/// The UB rule that the target violates, if any; it distinguishes faults of different passes that all show as UB.
fn words_of(refutation: &Refutation) -> String {
    refutation.target.undefined.as_ref().map_or_else(String::new, |undefined| undefined.id.clone())
}

fn shortened(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(WORDS).collect()
}
