//! Checks pairs of the corpus against their expectations with the solver alone: nearly all wrong pairs, and a sample
//! of the others. The tests of the portfolio in `ci/validate` judge all pairs, and each function against itself.

use backedge_ir::entity::FuncId;
use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_smt::promises::{self, calls::all_promises, metadata};
use backedge_smt::refinement::{FunctionRef, LibraryModel, Options, Outcome, Reason, Report, check};
use backedge_testkit::corpus::{Expectations, Pair, Verdict};
use backedge_testkit::{corpus_files, every};
use rayon::prelude::*;
use std::path::{Path, PathBuf};

fn read(path: &Path) -> Module {
    let text = std::fs::read(path).expect("a corpus file");
    parse_module(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display())).module
}

fn named(module: &Module, name: &str) -> FuncId {
    module.env.func_named(name).unwrap_or_else(|| panic!("no function {name}"))
}

/// The outcome as a verdict of the corpus, and the failure or reason.
fn word(outcome: &Outcome) -> (Verdict, String) {
    match outcome {
        Outcome::Refines { .. } => (Verdict::Refines, String::new()),
        Outcome::Refuted { failure, .. } => (Verdict::Refuted, failure.to_string()),
        Outcome::Vacuous => (Verdict::Vacuous, String::new()),
        Outcome::Inconclusive(reason) => (Verdict::Inconclusive, format!("{reason:?}")),
    }
}

/// The units decide, not the clock.
const LONG: std::time::Duration = std::time::Duration::from_secs(1200);

/// Pairs that no bounded check can decide: they differ in runs that do not end or that differ only late.
const BEYOND_ANY_BOUND: [&str; 10] = [
    "division-over-an-endless-loop",
    "infinite-loop-introduced",
    "infinite-loop-removed",
    "never-ends",
    "progress-around-an-endless-loop",
    "progress-of-an-irreducible-cycle",
    "ring-of-another-size",
    "side-effect-dropped",
    "side-effect-loop-removed",
    "target-beyond-the-bound",
];

/// Pairs that depend on linkage or on unmodelled features, which the encoder leaves to its callers.
const LEFT_TO_CALLERS: [&str; 5] = [
    "global-of-another-module",
    "null-of-another-space",
    "range-of-an-address",
    "volatile-left-to-runs",
    "weak-symbol-is-not-null",
];

/// Whether a side makes promises that the encoder leaves to its callers.
fn promises(source: FunctionRef<'_>, target: FunctionRef<'_>) -> bool {
    !promises::beyond(source, target).is_empty()
        || !promises::open(source, &[]).is_empty()
        || !metadata::promises(source).is_empty()
        || !all_promises(source).is_empty()
}

/// The solver's answer. If a counterexample relies on unknown library functions, they are encoded byte by byte.
fn checked(source: FunctionRef<'_>, target: FunctionRef<'_>) -> Report {
    let options = Options { time: LONG, ..Options::default() };
    let report = check(source, target, &options);
    if !report.unknown_library || !matches!(report.outcome, Outcome::Refuted { .. }) {
        return report;
    }
    check(source, target, &Options { library: LibraryModel::Bytes, ..options })
}

/// The discrepancy between the solver's answer on `pair` and its expectation, if any.
fn complaint(module: &Module, pair: &Pair) -> Option<String> {
    let expect = pair.expect.expect("a verdict");
    let function = |name: &str| FunctionRef { module, func: named(module, name) };
    let (source, target) = (function(&pair.source), function(&pair.target));
    let report = checked(source, target);
    let (got, detail) = word(&report.outcome);
    // A refutation that relies on an approximation is for the interpreter to confirm; it leaves open what it cannot
    // replay.
    let is_left = expect == Verdict::Inconclusive || !report.approximations.is_empty();
    let coarse = got == Verdict::Refuted && expect != Verdict::Refuted && is_left;
    let is_wrong = got != expect && !coarse && !promises(source, target);
    is_wrong.then(|| format!("@{}: {got} {detail}, not {expect}", pair.source))
}

/// The pairs of the file at `path` with an expectation that a bounded check can decide.
fn stated(path: &Path) -> Vec<Pair> {
    let stem = path.file_stem().and_then(|s| s.to_str()).expect("a name");
    if BEYOND_ANY_BOUND.contains(&stem) || LEFT_TO_CALLERS.contains(&stem) {
        return Vec::new();
    }
    // A bounded check cannot decide expectations about all iterations.
    Expectations::of(path).pairs.into_iter().filter(|pair| pair.proof.is_none()).collect()
}

/// Of the right pairs, and of the wrong ones after the first [`WRONG`] of a file, the test takes one of so many.
const SAMPLED: usize = 4;

/// The number of wrong pairs of a file that the test always takes. The files with more of them are about the library's
/// functions on bytes, where a pair takes the solver seconds.
const WRONG: usize = 8;

/// Nearly all wrong pairs with their files, and a sample of the right ones: runs of the interpreter refute most wrong
/// pairs before the solver is asked, so no other test shows that the encoder does not accept them.
fn chosen() -> Vec<(PathBuf, Pair)> {
    let (mut chosen, mut others) = (Vec::new(), Vec::new());
    for path in corpus_files() {
        let (right, mut wrong): (Vec<_>, Vec<_>) =
            stated(&path).into_iter().partition(|pair| pair.expect == Some(Verdict::Refines));
        let many = wrong.split_off(wrong.len().min(WRONG));
        chosen.extend(wrong.into_iter().map(|pair| (path.clone(), pair)));
        others.extend(many.into_iter().chain(right).map(|pair| (path.clone(), pair)));
    }
    chosen.extend(others.into_iter().step_by(every(SAMPLED)));
    chosen
}

#[test]
fn pairs_are_judged_as_expected() {
    let complaints: Vec<Option<String>> = chosen()
        .par_iter()
        .map(|(path, pair)| Some(format!("{}: {}", path.display(), complaint(&read(path), pair)?)))
        .collect();
    let count = complaints.len();
    let wrong: Vec<String> = complaints.into_iter().flatten().collect();
    assert!(count > 300, "{count} pairs were found");
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}

/// Each use of `%x` in the target may see another value: a proof for a single choice of the undef bits would be wrong.
#[test]
fn what_holds_for_undef_chosen_once_is_not_proved() {
    let text = "define i64 @src() {\n  ret i64 0\n}\ndefine i64 @tgt() {\n  %x = mul i64 undef, 6\n  \
                %r = sub i64 %x, %x\n  ret i64 %r\n}\n";
    let module = parse_module(text.as_bytes()).expect("a module").module;
    let [source, target] =
        ["src", "tgt"].map(|name| FunctionRef { module: &module, func: named(&module, name) });
    let report = check(source, target, &Options { time: LONG, ..Options::default() });
    assert!(
        matches!(report.outcome, Outcome::Inconclusive(Reason::UndefChosenOnce)),
        "{:?}",
        word(&report.outcome)
    );
}
