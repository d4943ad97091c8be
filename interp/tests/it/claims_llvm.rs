//! LLVM 22's claims about its own loop tests and the corpus are refuted by no run, except for those known to be wrong.
//!
//! Flags that a phi's recurrence takes from its increment, and the ranges derived from them, are refuted if the phi's
//! poison is not UB; but they hold whenever the phi is not poison. These cases are counted.

use backedge_claim::claim::Claims;
use backedge_claim::json::records;
use backedge_interp::claims::{Options, Report, Subject, Violation, check};
use backedge_interp::{Config, Program};
use backedge_ir::module::Module;
use backedge_testkit::claims::{claims_of_llvm, is_wrong_in_llvm};
use backedge_testkit::{Peer, corpus_files, llvm_tests, number, peer};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Limit in bytes on LLVM's text for one file.
const MAX_TEXT: u64 = 1 << 20;

#[derive(Default)]
struct Tally {
    functions: usize,
    with_runs: usize,
    subjects: usize,
    tested: usize,
    hidden: usize,
    known: usize,
    refuted: Vec<String>,
}

fn describe(module: &Module, claims: &Claims, violation: &Violation) -> String {
    let record = &records(module, claims, 500)[violation.subject.claim()];
    let flag = match violation.subject {
        Subject::Claim(_) => String::new(),
        Subject::Flag(flag) => {
            let body = module.body(claims.func).expect("a body");
            let printer = backedge_claim::text::ExprPrinter::new(&module.env, body, 500);
            format!(" {} of {}", flag.flag.name(), printer.to_string(&claims.exprs, flag.expr))
        }
    };
    let args: Vec<String> =
        violation.input.args.iter().map(|a| a.to_string().chars().take(40).collect()).collect();
    format!(
        "{record:?}{flag}\n    {} at {:?}, on ({}), {:?}, {:?}",
        violation.evidence,
        violation.at,
        args.join(", "),
        violation.environment,
        violation.outcome.name()
    )
}

fn check_file(opt: &Peer, file: &Path, options: &Options, tally: &Mutex<Tally>) {
    claims_of_llvm(opt, file, MAX_TEXT, &mut |module, all| {
        let program = Program::new(module, &Config::default());
        for claims in all {
            let report = check(&program, claims, options);
            add(file, module, claims, report, &mut tally.lock().expect("no panic"));
        }
    });
}

fn add(file: &Path, module: &Module, claims: &Claims, report: Option<Report>, tally: &mut Tally) {
    tally.functions += 1;
    let Some(report) = report else { return };
    tally.with_runs += usize::from(report.conclusive > 0);
    tally.subjects += report.tested.len();
    tally.tested += report.tested.iter().filter(|t| **t > 0).count();
    let name = &module.env.funcs[claims.func].name;
    for violation in &report.violations {
        if violation.hidden {
            tally.hidden += 1;
        } else if is_wrong_in_llvm(file, name) {
            tally.known += 1;
        } else {
            let what = describe(module, claims, violation);
            tally.refuted.push(format!("{}: @{name}: {what}", file.display()));
        }
    }
}

fn check_files(files: &[PathBuf], opt: &Peer) -> Tally {
    let runs = number("BACKEDGE_CASES", 16);
    let seed = number("BACKEDGE_SEED", 0);
    let options = Options {
        exhaustive: 1 << 8,
        runs,
        seed,
        fuel: 10_000,
        all_fuel: 10_000 * runs as u64,
        ..Options::default()
    };
    let tally = Mutex::new(Tally::default());
    let next = Mutex::new(files.iter());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(file) = { next.lock().expect("no panic").next() } {
                    check_file(opt, file, &options, &tally);
                }
            });
        }
    });
    tally.into_inner().expect("no panic")
}

fn verdict(what: &str, tally: &Tally) {
    let Tally { functions, with_runs, subjects, tested, hidden, known, refuted } = tally;
    println!(
        "{what}: {functions} functions, {with_runs} with runs that count; {tested} of {subjects} claims put to the test, {hidden} flags and ranges refuted after poison, {known} refuted as is known"
    );
    assert!(refuted.is_empty(), "{} refuted:\n{}", refuted.len(), refuted.join("\n"));
    assert!(tested * 2 > *subjects, "few claims were put to the test");
}

#[test]
fn llvms_claims_on_its_loop_tests_hold() {
    let what = "LLVM's claims on its loop tests, on runs";
    let Some(opt) = peer("opt", what) else { return };
    let Some(tests) = llvm_tests(what) else { return };
    verdict(what, &check_files(&tests.sample(), &opt));
}

#[test]
fn llvms_claims_on_the_corpus_hold() {
    let what = "LLVM's claims on the corpus, on runs";
    let Some(opt) = peer("opt", what) else { return };
    verdict(what, &check_files(&corpus_files(), &opt));
}
