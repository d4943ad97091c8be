//! No wrong proofs: correct pairs of the corpus are mutated by small changes of one side, most of which are wrong.
//! Every pair that the prover accepts for all iterations is checked against all inputs at 4 and 8 bits if possible,
//! against the bounded check, and against runs.
//!
//! `BACKEDGE_CASES` sets the number of mutants (a thousand take most of an hour), `BACKEDGE_SEED` the first seed.

pub(crate) mod change;
mod pairs;

use backedge_ir::module::Module;
use backedge_ir::parse::read_module;
use backedge_smt::refinement::{FunctionRef, Uninit};
use backedge_smt::simulation::{self, Outcome};
use backedge_testkit::{Dice, number};
use backedge_testkit::{corpus_dir, corpus_files};
use backedge_validate::check::{Options, Side, SoFar, Staged, by_runs, by_solver};
use backedge_validate::panics::caught;
use backedge_validate::verdict::{Method, Verdict};
use change::mutate;
use pairs::{PairText, Width, pairs_of};
use rand::RngExt as _;
use rand::seq::IndexedRandom as _;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::time::Duration;

/// Number of mutants in an ordinary test run.
const CASES: u64 = 72;

/// Number of mutants for the proofs without the solver in an ordinary test run.
const CASES_OF_SIMULATION: u64 = 400;

/// The budget of the prover; most proofs need less.
fn prover() -> Options {
    let timeout = Duration::from_secs(600);
    Options { bound: 1, rlimit: 3_000_000, runs: 0, fuel: 4_000, timeout, ..Options::default() }
}

/// Options of the checks applied to a proof.
fn judges() -> Options {
    Options { bound: 8, rlimit: 3_000_000, runs: 3_000, fuel: 20_000, induction: false, ..prover() }
}

/// All pairs of the corpus that are correct, or expected to be.
fn right_pairs() -> Vec<PairText> {
    let wanted = [corpus_dir().join("proofs"), corpus_dir().join("pairs/right")];
    let files = corpus_files().into_iter().filter(|f| wanted.iter().any(|dir| f.starts_with(dir)));
    files.flat_map(|file| pairs_of(&file)).collect()
}

/// Whether a pair is accepted for all iterations, and whether that is under an assumption. `None` if the text is not a
/// pair.
type Prover = fn(&str) -> Option<(bool, bool)>;

/// Result for the mutant of a seed.
#[derive(Debug)]
enum Case {
    /// The mutant is no valid module, or does not fit the width.
    Invalid,
    /// The prover does not accept the mutant.
    NotProved,
    /// The prover accepts the mutant, with the result of the checks.
    Proved { width: Width, confirmed: Confirmed },
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Confirmed {
    /// Confirmed by running all inputs.
    ByAllInputs,
    /// Confirmed by the bounded check and some runs.
    UpToBound,
    /// Wrong.
    Denied(String),
}

fn module(text: &str) -> Option<Module> {
    read_module(text.as_bytes()).ok().map(|parsed| parsed.module)
}

fn sides(module: &Module) -> Option<(Side<'_>, Side<'_>)> {
    let side = |name| module.env.func_named(name).map(|func| Side { module, func });
    Some((side("src")?, side("tgt")?))
}

/// Whether the prover accepts the pair for all iterations, and whether it does so under an assumption.
fn proves(text: &str) -> Option<(bool, bool)> {
    let module = module(text)?;
    let (source, target) = sides(&module)?;
    let report = caught(|| by_solver(source, target, &prover(), &SoFar::default()))
        .unwrap_or_else(|p| panic!("{p}\n{text}"));
    match report.verdict {
        Verdict::RefinesAll { method: Method::Induction, assumed } => Some((true, !assumed.is_empty())),
        Verdict::InternalError(error) => panic!("{error}\n{text}"),
        _ => Some((false, false)),
    }
}

/// Whether both functions run side by side.
fn simulates(text: &str) -> Option<(bool, bool)> {
    let module = module(text)?;
    let (source, target) = sides(&module)?;
    let [s, t] = [source, target].map(|side| FunctionRef { module: side.module, func: side.func });
    let options = simulation::Options { uninit: Uninit::Undef };
    let outcome = caught(|| simulation::prove(s, t, &options)).unwrap_or_else(|p| panic!("{p}\n{text}"));
    Some((outcome == Outcome::Refines, false))
}

/// Checks an accepted pair with runs and the bounded check.
fn hold_against(text: &str, assumes: bool) -> Confirmed {
    let module = module(text).expect("it was read before");
    let (source, target) = sides(&module).expect("they were there before");
    let options = judges();
    let denies = |verdict: &Verdict| match verdict {
        Verdict::RefutedByUndef { .. } => !assumes,
        Verdict::Refuted(_) | Verdict::InternalError(_) => true,
        _ => false,
    };
    match by_runs(source, target, &options) {
        Staged::Decided(report) if denies(&report.verdict) => {
            return Confirmed::Denied(report.verdict.to_string());
        }
        Staged::Decided(report)
            if matches!(report.verdict, Verdict::RefinesAll { .. } | Verdict::Vacuous { .. }) =>
        {
            return Confirmed::ByAllInputs;
        }
        Staged::Decided(_) | Staged::Open(_) => {}
    }
    let report = by_solver(source, target, &options, &SoFar::default());
    if denies(&report.verdict) { Confirmed::Denied(report.verdict.to_string()) } else { Confirmed::UpToBound }
}

fn case(pairs: &[PairText], seed: u64, proves: Prover) -> (Case, String) {
    let mut random = Dice::new(seed);
    let pair = pairs.choose(&mut random).expect("the corpus has pairs");
    let width = *pair.widths().choose(&mut random).expect("there is one");
    let mut mutant = pair.clone();
    if random.random_bool(0.6) {
        mutant.no_poison_arguments();
    }
    for _ in 0..*[1, 1, 1, 2].choose(&mut random).expect("there are some") {
        let side = usize::from(random.random_bool(0.7));
        if let Some(changed) = mutate(&mutant.functions[side], &mut random) {
            mutant.functions[side] = changed;
        }
    }
    let text = mutant.text(width);
    let shown = format!("seed {seed}: {} at {width:?}:\n{text}", pair.name);
    if mutant == *pair {
        return (Case::Invalid, shown);
    }
    let case = match proves(&text) {
        None => Case::Invalid,
        Some((false, _)) => Case::NotProved,
        Some((true, assumes)) => Case::Proved { width, confirmed: hold_against(&text, assumes) },
    };
    (case, shown)
}

#[test]
fn what_is_proved_of_mutants_is_true() {
    hold_mutants_against(number("BACKEDGE_CASES", CASES), proves, 20);
}

#[test]
fn what_is_simulated_of_mutants_is_true() {
    hold_mutants_against(number("BACKEDGE_CASES", CASES_OF_SIMULATION), simulates, 40);
}

/// Judges mutants, of which at least one in `least` has to be proved.
fn hold_mutants_against(cases: u64, prover: Prover, least: u64) {
    let pairs = right_pairs();
    assert!(pairs.len() > 80, "{} pairs", pairs.len());
    let first = number("BACKEDGE_SEED", 1);
    let (mut valid, mut proved, mut wrong) = (0, 0, Vec::new());
    let mut confirmed: BTreeMap<String, u64> = BTreeMap::new();
    let mut next = first;
    while valid < cases {
        let seeds: Vec<u64> = (next..next + (cases - valid).max(8)).collect();
        next += seeds.len() as u64;
        let found: Vec<_> = seeds.par_iter().map(|seed| case(&pairs, *seed, prover)).collect();
        for (case, shown) in found {
            match case {
                Case::Invalid => continue,
                Case::NotProved => {}
                Case::Proved { width, confirmed: how } => {
                    proved += 1;
                    if let Confirmed::Denied(why) = &how {
                        wrong.push(format!("{why}\n{shown}"));
                    }
                    let how = if matches!(how, Confirmed::Denied(_)) {
                        "denied".into()
                    } else {
                        format!("{how:?}")
                    };
                    *confirmed.entry(format!("{width:?} {how}")).or_default() += 1;
                }
            }
            valid += 1;
        }
        assert!(next - first < 20 * cases + 1000, "{valid} of {} mutants are valid", next - first);
    }
    println!("{valid} mutants, {proved} called right for all iterations: {confirmed:?}");
    assert!(wrong.is_empty(), "{} wrong proofs:\n{}", wrong.len(), wrong.join("\n\n"));
    assert!(
        proved * least >= valid,
        "only {proved} of {valid} mutants are proved: what is there to be held against?"
    );
}

/// The checks detect wrong pairs; otherwise the tests above would be meaningless.
#[test]
fn wrong_pairs_are_denied() {
    let right: Vec<_> = right_pairs().into_iter().filter(|p| p.fits(Width::Bits8)).collect();
    let breaks = |pair: &PairText| {
        let mut wrong = pair.clone();
        // The target returns one more than the source.
        let (head, value) = wrong.functions[1].rsplit_once("  ret i")?;
        let (ty, rest) = value.split_once(' ')?;
        let (value, end) = rest.split_once('\n')?;
        wrong.functions[1] =
            format!("{head}  %more.by.one = add i{ty} {value}, 1\n  ret i{ty} %more.by.one\n{end}");
        module(&wrong.text(Width::Bits8)).map(|_| wrong.text(Width::Bits8))
    };
    let broken: Vec<String> = right.iter().filter_map(breaks).step_by(4).take(12).collect();
    assert!(broken.len() >= 8, "{}", broken.len());
    let kept: Vec<&String> =
        broken.par_iter().filter(|text| !matches!(hold_against(text, false), Confirmed::Denied(_))).collect();
    assert!(
        kept.len() * 6 <= broken.len(),
        "{}",
        kept.iter().map(|t| t.as_str()).collect::<Vec<_>>().join("\n")
    );
}
