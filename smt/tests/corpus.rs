//! Checks the pairs of the corpus against their expectations, and that each function refines itself.

use backedge_ir::entity::FuncId;
use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_smt::promises::{self, calls::all_promises, metadata};
use backedge_smt::refinement::{FunctionRef, LibraryModel, Options, Outcome, Reason, Report, check};
use backedge_testkit::corpus::{Expectations, Pair, Verdict};
use backedge_testkit::{corpus_dir, corpus_files};
use rayon::prelude::*;
use std::path::Path;

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

#[test]
fn pairs_are_judged_as_expected() {
    let complaints: Vec<Option<String>> = corpus_files()
        .par_iter()
        .flat_map_iter(|path| {
            let pairs = stated(path);
            let module = (!pairs.is_empty()).then(|| read(path));
            let judge = |pair: &Pair| {
                let complaint = complaint(module.as_ref()?, pair)?;
                Some(format!("{}: {complaint}", path.display()))
            };
            pairs.iter().map(judge).collect::<Vec<_>>()
        })
        .collect();
    let count = complaints.len();
    let wrong: Vec<String> = complaints.into_iter().flatten().collect();
    assert!(count > 500, "{count} pairs were found");
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}

/// The result of checking a function against itself.
enum Itself {
    Refuted(String),
    Decided,
    Open(String),
}

fn against_itself(module: &Module, func: FuncId, what: &str, options: &Options) -> Itself {
    let function = FunctionRef { module, func };
    let name = format!("{what} @{}", module.env.funcs[func].name);
    match check(function, function, options).outcome {
        Outcome::Refuted { failure, .. } => Itself::Refuted(format!("{name}: {failure}")),
        Outcome::Inconclusive(Reason::Broken(error)) => panic!("{name}: {error}"),
        // That no run ends within the bound is an answer too.
        Outcome::Refines { .. } | Outcome::Vacuous | Outcome::Inconclusive(Reason::PastBound { .. }) => {
            Itself::Decided
        }
        Outcome::Inconclusive(reason) => Itself::Open(format!("{name}: {reason:?}")),
    }
}

/// Skips the folder `proofs`, whose many loops are similar; the tests of the whole portfolio cover it.
#[test]
fn each_function_refines_itself() {
    let options = Options { bound: 2, units: 2_000_000, time: LONG, ..Options::default() };
    let files: Vec<_> =
        corpus_files().into_iter().filter(|f| !f.starts_with(corpus_dir().join("proofs"))).collect();
    let found: Vec<Itself> = files
        .par_iter()
        .flat_map_iter(|path| {
            let module = read(path);
            let what = path.display().to_string();
            let all: Vec<FuncId> = module.bodies().map(|(func, _)| func).collect();
            all.into_iter().map(|func| against_itself(&module, func, &what, &options)).collect::<Vec<_>>()
        })
        .collect();
    let (mut refuted, mut open, mut decided) = (Vec::new(), Vec::new(), 0);
    for one in found {
        match one {
            Itself::Refuted(what) => refuted.push(what),
            Itself::Open(what) => open.push(what),
            Itself::Decided => decided += 1,
        }
    }
    assert!(refuted.is_empty(), "{}", refuted.join("\n"));
    assert!(decided > 400, "{decided} functions were decided");
    assert!(
        open.len() * 20 < decided,
        "{} of {} are open:\n{}",
        open.len(),
        open.len() + decided,
        open.join("\n")
    );
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
