//! No run refutes the claims of this project's scalar evolution on LLVM's loop tests and the corpus, whatever the order
//! of queries; and once everything is computed, the claims do not depend on that order.
//!
//! For these claims there is no excuse: a flag that is wrong by its definition counts even if no value shows it.
//! `BACKEDGE_CASES` sets the number of runs of each function, `BACKEDGE_SEED` the seed for choosing inputs,
//! `BACKEDGE_SCEV_ALL=1` runs the intermediate claims for each query order instead of one order per file.

use backedge_analysis::Analyses;
use backedge_claim::claim::Claims;
use backedge_claim::text::{Describer, PrintOptions, print_claims};
use backedge_interp::claims::{Options as RunOptions, Subject, Violation};
use backedge_interp::{Config, Program};
use backedge_ir::body::Body;
use backedge_ir::entity::FuncId;
use backedge_ir::module::Module;
use backedge_ir::parse::read_module;
use backedge_scev::ScalarEvolution;
use backedge_scev::claims::Order;
use backedge_testkit::number;
use backedge_testkit::{corpus_files, llvm_tests};
use backedge_validate::claims::{Options, Status, check_claims};
use rayon::prelude::*;
use std::path::{Path, PathBuf};

const ORDERS: [Order; 3] = [Order::Forwards, Order::Backwards, Order::CountsFirst];

/// Applies `work` to each function that has a body; the results are in the order of files.
fn each<T: Send>(files: &[PathBuf], work: impl Fn(usize, &Place<'_>) -> Vec<T> + Sync) -> Vec<T> {
    let one = |(index, file): (usize, &PathBuf)| {
        let text = std::fs::read(file).expect("a readable file");
        let Ok(parsed) = read_module(&text) else { return Vec::new() };
        let module = &parsed.module;
        let program = Program::new(module, &Config::default());
        let place = |(func, body)| Place { file, module, program: &program, func, body };
        module.bodies().flat_map(|function| work(index, &place(function))).collect()
    };
    files.par_iter().enumerate().flat_map_iter(one).collect()
}

/// A function under test.
struct Place<'a> {
    file: &'a Path,
    module: &'a Module,
    program: &'a Program<'a>,
    func: FuncId,
    body: &'a Body,
}

impl Place<'_> {
    fn name(&self) -> String {
        format!("{}: @{}", self.file.display(), self.module.env.funcs[self.func].name)
    }
    fn analyse<T>(&self, work: impl FnOnce(&mut ScalarEvolution<'_>) -> T) -> T {
        let analyses = Analyses::of(self.func);
        work(&mut ScalarEvolution::new(analyses.at(&self.module.env, self.body)))
    }
    fn text(&self, claims: &Claims) -> String {
        print_claims(self.module, claims, PrintOptions { scopes: true, ..PrintOptions::default() })
    }
}

/// Results of the claims on some functions.
#[derive(Default)]
struct Tally {
    functions: usize,
    claims: usize,
    tested: usize,
    refuted: Vec<String>,
}

impl Tally {
    fn add(mut self, other: Self) -> Self {
        self.functions += other.functions;
        self.claims += other.claims;
        self.tested += other.tested;
        self.refuted.extend(other.refuted);
        self
    }
}

fn words(place: &Place<'_>, claims: &Claims, subject: Subject, violation: &Violation) -> String {
    let describer = Describer::new(&place.module.env, place.body, claims);
    let claim = match subject {
        Subject::Claim(index) => describer.claim(index),
        Subject::Flag(flag) => describer.flag(flag),
    };
    let input: String = violation.input.to_string().chars().take(200).collect();
    format!(
        "{}: {claim}\n    {} at {:?}{}, on ({input}), {:?}, {:?}",
        place.name(),
        violation.evidence,
        violation.at,
        if violation.hidden { ", hidden" } else { "" },
        violation.environment,
        violation.outcome.name()
    )
}

/// Tests `claims` on a few runs.
fn on_runs(place: &Place<'_>, claims: &Claims) -> Tally {
    let runs = number("BACKEDGE_CASES", 20);
    let runs = RunOptions {
        exhaustive: 1 << 8,
        runs: usize::try_from(runs).expect("a small number"),
        seed: number("BACKEDGE_SEED", 0),
        fuel: 5_000,
        all_fuel: 2_500 * runs,
        ..RunOptions::default()
    };
    let options = Options { runs, solver: None, deadline: None };
    let report = check_claims(place.program, claims, &options);
    let mut tally =
        Tally { functions: usize::from(report.runs > 0), claims: report.results.len(), ..Tally::default() };
    for result in &report.results {
        match &result.status {
            Status::Refuted(violation) => {
                tally.refuted.push(words(place, claims, result.subject, violation));
            }
            Status::Contradiction { text } => {
                tally.refuted.push(format!("{}: {text}", place.name()));
            }
            Status::Inconclusive { runs, .. } => tally.tested += usize::from(runs.contains("do not refute")),
            Status::Proved { .. } | Status::Bounded { .. } => tally.tested += 1,
        }
    }
    tally
}

fn verdict(what: &str, tallies: Vec<Tally>) -> Tally {
    let tally = tallies.into_iter().fold(Tally::default(), Tally::add);
    let Tally { functions, claims, tested, refuted } = &tally;
    println!("{what}: {functions} functions ran; {tested} of {claims} claims put to the test");
    assert!(refuted.is_empty(), "{what}: {} refuted:\n{}", refuted.len(), refuted.join("\n"));
    tally
}

fn settled(place: &Place<'_>) -> Claims {
    place.analyse(|scev| scev.claims(place.func))
}

#[test]
fn our_claims_on_the_corpus_hold() {
    let tallies = each(&corpus_files(), |_, place| vec![on_runs(place, &settled(place))]);
    let tally = verdict("our claims on the corpus", tallies);
    assert!(tally.functions > 200 && tally.tested * 2 > tally.claims, "few claims were put to the test");
}

#[test]
fn our_claims_on_llvms_loop_tests_hold() {
    let Some(tests) = llvm_tests("our claims on LLVM's loop tests, on runs") else { return };
    let tallies = each(&tests.files(), |_, place| vec![on_runs(place, &settled(place))]);
    let tally = verdict("our claims on LLVM's loop tests", tallies);
    assert!(tally.functions > 2_000 && tally.tested * 2 > tally.claims, "few claims were put to the test");
}

#[test]
fn what_is_asked_first_does_not_matter_in_the_end() {
    let mut files = corpus_files();
    files.extend(llvm_tests("orders of questions on LLVM's loop tests").map_or_else(Vec::new, |t| t.files()));
    let differing = each(&files, |_, place| {
        let fresh = place.text(&settled(place));
        let differs = |order: &Order| {
            let later = place.analyse(|scev| {
                _ = scev.claims_unsettled(place.func, *order);
                scev.claims(place.func)
            });
            let later = place.text(&later);
            let line = fresh.lines().zip(later.lines()).find(|(fresh, later)| fresh != later);
            (fresh != later).then(|| format!("{}, asked {order:?} before: {line:?}", place.name()))
        };
        ORDERS.iter().filter_map(differs).collect()
    });
    assert!(differing.is_empty(), "{} differ:\n{}", differing.len(), differing.join("\n"));
}

#[test]
fn what_is_said_on_the_way_holds() {
    let mut files = corpus_files();
    files.extend(llvm_tests("claims on the way on LLVM's loop tests").map_or_else(Vec::new, |t| t.files()));
    let all = number("BACKEDGE_SCEV_ALL", 0) == 1;
    let tallies = each(&files, |index, place| {
        let asked = ORDERS.iter().enumerate().filter(|(number, _)| all || index % 12 == *number);
        let one = |(_, order): (usize, &Order)| {
            on_runs(place, &place.analyse(|scev| scev.claims_unsettled(place.func, *order)))
        };
        asked.map(one).collect()
    });
    let tally = verdict("claims on the way", tallies);
    assert!(tally.functions > 50, "{} functions ran", tally.functions);
}
