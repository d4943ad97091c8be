//! LLVM 22's claims about its own loop tests, checked by the solver: only known exceptions are refuted, and most claims
//! are proved for all runs. The test uses a few evenly spread files; `BACKEDGE_CASES` sets their number.

use backedge_claim::claim::Claims;
use backedge_claim::json::records;
use backedge_ir::module::Module;
use backedge_smt::claims::{ClaimOptions, Method, Verdict, check_claims, subjects};
use backedge_testkit::claims::claims_of_llvm;
use backedge_testkit::{llvm_tests, number, peer};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Files with claims that the solver refutes; `backedge_testkit::claims` has the reasons. The list determines the sample:
/// the files are evenly spread over the others.
const REFUTED: [&str; 2] = ["IndVarSimplify/iv-poison.ll", "LoopUnroll/peel-loop-conditions.ll"];

/// Limit in bytes on LLVM's text for one file.
const MAX_TEXT: u64 = 1 << 18;

/// Functions with more subjects are skipped.
const MANY_SUBJECTS: usize = 150;

#[derive(Default)]
struct Tally {
    proved: usize,
    bounded: usize,
    hidden: usize,
    open: usize,
    refuted: Vec<String>,
}

fn check_function(file: &Path, module: &Module, claims: &Claims, tally: &mut Tally) {
    let options =
        ClaimOptions { bound: 3, units: 3_000_000, time: Duration::from_secs(4), ..ClaimOptions::default() };
    let subjects = subjects(claims);
    if subjects.len() > MANY_SUBJECTS {
        return;
    }
    let report = check_claims(module, claims, &subjects, &options);
    for found in &report.verdicts {
        match &found.verdict {
            Verdict::Proved(Method::SaysNothing) => {}
            Verdict::Proved(_) => tally.proved += 1,
            Verdict::Bounded { .. } => tally.bounded += 1,
            Verdict::Inconclusive(_) => tally.open += 1,
            Verdict::Refuted { hidden: true, .. } => tally.hidden += 1,
            Verdict::Refuted { witness, at, .. } => {
                let record = &records(module, claims, 300)[found.subject.claim()];
                tally.refuted.push(format!("{}: {record:?} at {at:?}: {witness:?}", file.display()));
            }
        }
    }
}

#[test]
fn llvms_claims_on_its_loop_tests_are_mostly_proved() {
    let what = "LLVM's claims on its loop tests, in the solver";
    let Some(opt) = peer("opt", what) else { return };
    let Some(tests) = llvm_tests(what) else { return };
    let count = number("BACKEDGE_CASES", 8);
    let known = |file: &PathBuf| REFUTED.iter().any(|r| file.to_string_lossy().ends_with(r));
    let files: Vec<PathBuf> = tests.files().into_iter().filter(|file| !known(file)).collect();
    let mut tally = Tally::default();
    for file in files.iter().step_by(files.len().div_ceil(count).max(1)) {
        claims_of_llvm(&opt, file, MAX_TEXT, &mut |module, all| {
            all.iter().for_each(|claims| check_function(file, module, claims, &mut tally));
        });
    }
    let Tally { proved, bounded, hidden, open, refuted } = tally;
    println!("{what}: {proved} proved, {bounded} bounded, {open} open, {hidden} refuted after poison");
    assert!(refuted.is_empty(), "{} refuted:\n{}", refuted.len(), refuted.join("\n"));
    assert!(proved > bounded + open, "few claims were proved");
}
