//! The corpus: every `[[tv]]` pair gets its expected verdict, no verdict contradicts the truth over all iterations
//! (`proof`), and every function refines itself.

use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_testkit::corpus::{self, Expectation, Expectations, Judged, Proof};
use backedge_testkit::{corpus_dir, corpus_files, every, llvm_tests, number};
use backedge_validate::batch::check_caught;
use backedge_validate::case::{Case, Replayed};
use backedge_validate::check::{Options, Side};
use backedge_validate::pairs::in_one_module;
use backedge_validate::reproducer::Reproducer;
use backedge_validate::twins::{contradict, guarded};
use backedge_validate::verdict::{Reason as Why, Verdict, VerdictKind};
use backedge_validate::witness::Refutation;
use rayon::iter::{Either, IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

fn read(path: &Path) -> Module {
    let text = std::fs::read(path).expect("a corpus file");
    parse_module(&text).unwrap_or_else(|e| panic!("{}: {e:?}", path.display())).module
}

/// A pair of the corpus.
struct Pair {
    file: PathBuf,
    expected: corpus::Pair,
}

/// Whether `verdict` contradicts the truth, or is vacuous or an internal error.
fn denies(verdict: &Verdict, proof: Proof) -> bool {
    let right = matches!(proof, Proof::All | Proof::Right);
    match verdict {
        Verdict::Vacuous { .. } | Verdict::InternalError(_) => true,
        Verdict::Refuted(_) | Verdict::RefutedByUndef { .. } => right,
        Verdict::RefinesAll { .. } => !right,
        Verdict::RefinesUpTo { .. } | Verdict::Inconclusive { .. } => false,
    }
}

/// Whether `verdict` establishes the truth.
fn establishes(verdict: &Verdict, proof: Proof) -> bool {
    match (proof, verdict) {
        (Proof::All, Verdict::RefinesAll { assumed, .. }) => assumed.is_empty(),
        (Proof::Refuted | Proof::Suspect, Verdict::Refuted(_)) => true,
        (Proof::Suspect, Verdict::Inconclusive { reason: Why::Suspect { .. } }) => true,
        (Proof::Right, verdict) => !denies(verdict, proof),
        _ => false,
    }
}

/// The pairs with an expected verdict, each with its verdict without proofs for all iterations, which take longer and
/// are not expected. The limits are the default ones, but few pairs need them: each is judged with small limits first,
/// unless a campaign takes everything.
fn judged() -> &'static [(Pair, Verdict)] {
    static JUDGED: LazyLock<Vec<(Pair, Verdict)>> = LazyLock::new(|| {
        let judge = |pair: Pair| {
            let verdict = Some(pair.verdict(&quick()))
                .filter(|quick| every(SAMPLED) > 1 && pair.expected.complaint(judged_as(quick)).is_none());
            let verdict = verdict.unwrap_or_else(|| pair.verdict(&bounded()));
            (pair, verdict)
        };
        pairs().into_par_iter().filter(|pair| pair.expected.expect.is_some()).map(judge).collect()
    });
    &JUDGED
}

fn pairs() -> Vec<Pair> {
    let of = |file: PathBuf| {
        let pairs = Expectations::of(&file).pairs.into_iter();
        pairs.map(move |expected| Pair { file: file.clone(), expected })
    };
    corpus_files().into_iter().flat_map(of).collect()
}

impl Pair {
    fn verdict(&self, options: &Options) -> Verdict {
        let module = read(&self.file);
        let side = |name: &str| {
            let func = module.env.func_named(name);
            Side {
                module: &module,
                func: func.unwrap_or_else(|| panic!("{}: no @{name}", self.file.display())),
            }
        };
        check_caught(side(&self.expected.source), side(&self.expected.target), options).verdict
    }
}

/// Without proofs for all iterations.
fn bounded() -> Options {
    Options { induction: false, ..Options::default() }
}

/// With two iterations, a tenth of the budget, and long runs of a fifth of the length.
fn quick() -> Options {
    let Options { rlimit, fuel, .. } = Options::default();
    Options { bound: 2, rlimit: rlimit / 10, fuel: fuel / 5, ..bounded() }
}

/// Of the right pairs whose proofs are tested, and of the functions that are judged against themselves, the tests take
/// one of so many.
const SAMPLED: usize = 4;

/// Number of pairs whose guarded form is judged; `BACKEDGE_GUARDED` sets another number, 0 means all.
const GUARDED: usize = 3;

/// The verdicts on the plain and on the guarded form of a pair, if it has one.
fn both_verdicts(pair: &Pair) -> Option<(Verdict, Verdict)> {
    let module = read(&pair.file);
    fn side<'a>(module: &'a Module, name: &str) -> Option<Side<'a>> {
        Some(Side { module, func: module.env.func_named(name)? })
    }
    let [source, target] =
        guarded(side(&module, &pair.expected.source)?, side(&module, &pair.expected.target)?)?;
    let options = Options { rlimit: 300_000, timeout: Duration::from_secs(10), ..bounded() };
    let guarded =
        check_caught(side(&source, &pair.expected.source)?, side(&target, &pair.expected.target)?, &options)
            .verdict;
    Some((pair.verdict(&quick()), guarded))
}

#[test]
fn guarded_pairs_have_the_verdicts_of_plain_ones() {
    let count = number("BACKEDGE_GUARDED", GUARDED);
    let pairs = pairs();
    let step = pairs.len().checked_div(count).map_or(1, |step| step.max(1));
    let chosen: Vec<&Pair> = pairs.iter().step_by(step).collect();
    let verdicts: Vec<(&Pair, Verdict, Verdict)> = chosen
        .par_iter()
        .filter_map(|pair| both_verdicts(pair).map(|(plain, guarded)| (*pair, plain, guarded)))
        .collect();
    let open = verdicts.iter().filter(|(.., verdict)| verdict.reason().is_some()).count();
    let plain = verdicts.iter().filter(|(_, plain, _)| plain.reason().is_some()).count();
    let (all, chosen) = (verdicts.len(), chosen.len());
    println!("{all} of {chosen} pairs have a guarded form; inconclusive: {plain} plain, {open} guarded");
    assert!(all * 2 > chosen, "{all} of {chosen} pairs have a guarded form");
    let wrong: Vec<String> = verdicts
        .iter()
        .filter(|(_, plain, guarded)| contradict(plain, guarded))
        .map(|(pair, plain, guarded)| {
            format!("{} @{}: plain: {plain}; guarded: {guarded}", pair.file.display(), pair.expected.source)
        })
        .collect();
    assert!(wrong.is_empty(), "{} contradict:\n{}", wrong.len(), wrong.join("\n"));
}

/// The verdict in the words of the corpus.
fn judged_as(verdict: &Verdict) -> Judged<'_> {
    let (word, failure) = match verdict {
        verdict if verdict.kind() == VerdictKind::RefinesIfClaims => (corpus::Verdict::Assumed, ""),
        Verdict::RefinesAll { .. } | Verdict::RefinesUpTo { .. } => (corpus::Verdict::Refines, ""),
        Verdict::Vacuous { .. } => (corpus::Verdict::Vacuous, ""),
        Verdict::Inconclusive { .. } => (corpus::Verdict::Inconclusive, ""),
        Verdict::Refuted(r) => (corpus::Verdict::Refuted, r.failure.words()),
        Verdict::RefutedByUndef { refutation: r, .. } => (corpus::Verdict::RefutedByUndef, r.failure.words()),
        Verdict::InternalError(_) => return Judged { verdict: None, failure: "" },
    };
    Judged { verdict: Some(word), failure }
}

/// Describes a wrong verdict on `pair`; `None` if the verdict is right.
fn complaint((pair, verdict): &(Pair, Verdict)) -> Option<String> {
    let complaint = pair.expected.complaint(judged_as(verdict))?;
    Some(format!("{}: {complaint}, got {verdict}", pair.file.display()))
}

#[test]
fn pairs_get_the_verdict_that_stands_beside_them() {
    let pairs = judged();
    assert!(pairs.len() > 20, "{} pairs found", pairs.len());
    assert!(pairs.iter().any(|(pair, _)| pair.expected.is_refuted()), "no wrong pair was found");
    let complaints: Vec<_> = pairs.iter().filter_map(complaint).collect();
    assert!(complaints.is_empty(), "{} of {}:\n{}", complaints.len(), pairs.len(), complaints.join("\n"));
}

/// The pairs with a `proof` for which `fails` holds on the verdict under `options`, and the number of judged pairs:
/// all wrong ones, and one of `right` among the right ones.
fn proofs(options: &Options, right: usize, fails: fn(Proof, &Verdict) -> bool) -> (Vec<String>, usize) {
    let pairs = pairs();
    let stated = pairs.iter().filter_map(|p| Some((p, p.expected.proof?)));
    let (right_pairs, mut stated): (Vec<_>, Vec<_>) =
        stated.partition(|(_, proof)| matches!(proof, Proof::All | Proof::Right));
    stated.extend(right_pairs.into_iter().step_by(right));
    let failing = stated.par_iter().filter_map(|(pair, proof)| {
        let verdict = pair.verdict(options);
        let (file, source) = (pair.file.display(), &pair.expected.source);
        fails(*proof, &verdict).then(|| format!("{file}: @{source}: proof = {proof:?}, got {verdict}"))
    });
    (failing.collect(), stated.len())
}

#[test]
fn no_verdict_denies_what_is_true_of_all_iterations() {
    let options = Options { bound: 2, runs: 40, fuel: 1_000, rlimit: 600_000, ..Options::default() };
    let (denied, count) = proofs(&options, every(SAMPLED), |proof, verdict| denies(verdict, proof));
    assert!(count > 70, "{count} pairs are judged");
    assert!(denied.is_empty(), "{} of {count}:\n{}", denied.len(), denied.join("\n"));
}

#[test]
#[ignore = "takes long, and not all that is true is proved"]
fn what_is_true_of_all_iterations_is_proved() {
    let (open, count) = proofs(&Options::default(), 1, |proof, verdict| !establishes(verdict, proof));
    assert!(open.is_empty(), "{} of {count}:\n{}", open.len(), open.join("\n"));
}

/// Whether the pair fails again on its case, both parsed from the reproducer's text. It must, unless the case alone
/// does not decide: the source has too many choices to try them all.
fn replayed((pair, verdict): &(Pair, Verdict)) -> Result<bool, String> {
    let module = read(&pair.file);
    let func = |name: &str| module.env.func_named(name).expect("a function of the file");
    let side = |func| Side { module: &module, func };
    let name = format!("{}: @{}", pair.file.display(), pair.expected.source);
    let Verdict::Refuted(refutation) = verdict else { return Err(format!("{name} is not refuted")) };
    let line = refutation.case.to_line();
    let case = Case::in_text(&line).expect("it is read").expect("it is there");
    assert_eq!(case, refutation.case, "{name}");
    let sides = (side(func(&pair.expected.source)), side(func(&pair.expected.target)));
    // The solver had proved that no choice matches.
    let by_solver = refutation.counterexample.is_some();
    let text = match Reproducer::new(sides.0, sides.1, refutation, &Options::default()) {
        Ok(reproducer) => Some(reproducer.text("pair.ll")),
        // A renamed function cannot call itself or take the addresses of its blocks: it runs in its original module.
        Err(why) if why.contains("refers to itself") => None,
        Err(why) if by_solver && why.contains("does not decide it") => return Ok(false),
        Err(why) => return Err(format!("{name}: {why}")),
    };
    let alone = text.map(|text| {
        assert_eq!(Case::in_text(&text).expect("it is read").as_ref(), Some(&case), "{name}");
        parse_module(text.as_bytes()).unwrap_or_else(|e| panic!("{name}: {e:?}")).module
    });
    let (source, target) = alone.as_ref().map_or(sides, |module| {
        let pairs = in_one_module(module).pairs;
        let [found] = pairs[..] else { panic!("{name}: {} pairs", pairs.len()) };
        (Side { module, func: found.source }, Side { module, func: found.target })
    });
    match case.replay(source, target, &Options::default()).expect("the input fits") {
        Replayed::Refuted(again) => {
            // Addresses may differ in another module, but not the arguments and the course of the runs.
            let told =
                |r: &Refutation| (r.failure, r.witness.arguments.clone(), r.source.steps, r.target.steps);
            assert_eq!(told(&again), told(refutation), "{name}: {line}");
            Ok(true)
        }
        Replayed::NotRefuted(_) if by_solver => Ok(false),
        Replayed::NotRefuted(why) => Err(format!("{name}: {line}: {why}")),
    }
}

#[test]
fn witnesses_replay_from_their_text() {
    let wrong: Vec<_> = judged().iter().filter(|(pair, _)| pair.expected.is_refuted()).collect();
    assert!(wrong.len() > 10, "{} wrong pairs", wrong.len());
    let (again, complaints): (Vec<bool>, Vec<String>) =
        wrong.par_iter().map(|judged| replayed(judged)).partition_map(|r| match r {
            Ok(again) => Either::Left(again),
            Err(complaint) => Either::Right(complaint),
        });
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    let failing = again.iter().filter(|again| **again).count();
    assert!(failing * 4 > again.len() * 3, "{failing} of {} fail again", again.len());
}

/// Judges every modelled function of `files` against itself with the engines. Returns the number of judged functions,
/// and how many verdicts were inconclusive for a reason other than an unsupported feature.
fn reflexive(files: &[PathBuf], options: &Options) -> (usize, usize) {
    let options = &Options { identity: false, ..options.clone() };
    let judged: Vec<(String, Verdict)> = files
        .par_iter()
        .map(|file| {
            let module = read(file);
            let bodies: Vec<_> = module.bodies().map(|(func, _)| func).collect();
            let judge = |func| {
                let side = Side { module: &module, func };
                let name = format!("{}: @{}", file.display(), side.name());
                (name, check_caught(side, side, options).verdict)
            };
            bodies.into_iter().map(judge).collect::<Vec<_>>()
        })
        .flatten()
        .collect();
    let wrong: Vec<_> = judged
        .iter()
        .filter(|(_, v)| matches!(v.kind(), VerdictKind::Refuted | VerdictKind::InternalError))
        .map(|(name, v)| format!("{name}: {v}"))
        .collect();
    assert!(wrong.is_empty(), "functions that don't refine themselves:\n{}", wrong.join("\n"));
    let undecided = judged.iter().filter(|(_, v)| match v {
        Verdict::Inconclusive { reason: Why::Unsupported { .. } } => false,
        v => v.kind() == VerdictKind::Inconclusive,
    });
    let undecided: Vec<_> = undecided.map(|(name, v)| format!("{name}: {v}")).collect();
    eprintln!("{} judged, {} undecided:\n{}", judged.len(), undecided.len(), undecided.join("\n"));
    (judged.len(), undecided.len())
}

#[test]
fn corpus_functions_refine_themselves() {
    let options = Options { bound: 2, rlimit: 600_000, runs: 50, fuel: 1_000, ..bounded() };
    let (proofs, others): (Vec<_>, Vec<_>) =
        corpus_files().into_iter().partition(|f| f.starts_with(corpus_dir().join("proofs")));
    let others: Vec<PathBuf> = others.into_iter().step_by(every(SAMPLED)).collect();
    let (judged, undecided) = reflexive(&others, &options);
    assert!(judged > 100, "{judged} functions were judged");
    assert!(undecided * 10 <= judged, "{undecided} of {judged} are inconclusive");
    // Many similar loops; most exhaust the fuel, and several have no run of two iterations.
    let proofs: Vec<PathBuf> = proofs.into_iter().step_by(every(2 * SAMPLED)).collect();
    let (judged, undecided) = reflexive(&proofs, &Options { runs: 20, fuel: 1_000, ..options });
    assert!(judged > 40, "{judged} functions were judged");
    assert!(undecided * 8 <= judged, "{undecided} of {judged} are inconclusive");
}

#[test]
fn llvm_functions_refine_themselves() {
    let Some(tests) = llvm_tests("source against source on LLVM's loop tests") else { return };
    let options = Options {
        bound: 2,
        rlimit: 100_000,
        timeout: Duration::from_secs(20),
        runs: 25,
        fuel: 2_000,
        ..bounded()
    };
    let step = every(16);
    let files: Vec<PathBuf> = tests.files().into_iter().step_by(step).collect();
    let (judged, _) = reflexive(&files, &options);
    assert!(judged > 2000 / step, "{judged} functions were judged");
}
