//! Twins of the registry of meanings have the verdicts that follow from it, and the interpreter and the encoder agree
//! on their functions, plain and guarded. Judges a sample by default.
//!
//! | variable | meaning |
//! |---|---|
//! | `BACKEDGE_TWINS` | number of judged twins; 0 means all |
//! | `BACKEDGE_TWINS_CLASS` | only twins whose name or class contains this text |
//! | `BACKEDGE_CASES` | number of runs for comparing the engines |
//! | `BACKEDGE_TWINS_OUT` | directory for verdicts and wrong pairs; twins with a verdict there are not judged again |

use backedge_interp::input::ArgSpec;
use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_testkit::number;
use backedge_validate::agreement::{Subject, random_case};
use backedge_validate::check::{Options, Side};
use backedge_validate::twins::{Form, Judged, Outcome, PASSING, Table, Twin, all, guarded, judge};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

/// Number of twins in an ordinary test run.
const SAMPLE: usize = 60;

fn options() -> Options {
    Options { bound: 2, runs: 400, rlimit: 1_500_000, timeout: Duration::from_secs(30), ..Options::default() }
}

/// Verdicts of an earlier run, by twin name.
fn known(file: &Path) -> HashMap<String, Judged> {
    let text = fs::read_to_string(file).unwrap_or_default();
    text.lines().filter_map(row).collect()
}

fn row(line: &str) -> Option<(String, Judged)> {
    let [name, a, b, plain, guarded] = line.split('\t').collect::<Vec<_>>().try_into().ok()?;
    let form = |letter: &str, verdict: &str| {
        Some(Form { outcome: Outcome::of_letter(letter)?, verdict: verdict.to_owned() })
    };
    Some((name.to_owned(), Judged { plain: form(a, plain)?, guarded: form(b, guarded)? }))
}

fn line(name: &str, judged: &Judged) -> String {
    let Judged { plain, guarded } = judged;
    let words = |form: &Form| form.verdict.replace(['\t', '\n'], " ");
    let letters = (plain.outcome.letter(), guarded.outcome.letter());
    format!("{name}\t{}\t{}\t{}\t{}\n", letters.0, letters.1, words(plain), words(guarded))
}

/// Verdicts on all of `twins`, some of them from the directory `out`.
fn verdicts(twins: &[Twin], out: Option<&Path>) -> Vec<Judged> {
    let file = out.map(|dir| dir.join("verdicts.tsv"));
    let earlier = file.as_deref().map(known).unwrap_or_default();
    let log = file.map(|file| {
        let log = fs::OpenOptions::new().create(true).append(true).open(file);
        Mutex::new(log.expect("the file of verdicts can be written"))
    });
    let one = |twin: &Twin| {
        earlier.get(&twin.name).cloned().unwrap_or_else(|| {
            let judged = judge(twin, &options());
            if let Some(log) = &log {
                let mut log = log.lock().expect("no thread panics with the lock");
                log.write_all(line(&twin.name, &judged).as_bytes()).expect("a line is written");
            }
            judged
        })
    };
    twins.par_iter().map(one).collect()
}

#[test]
fn twins_have_the_verdicts_of_the_registry() {
    let twins = all();
    assert!(twins.len() > 3000, "only {} twins", twins.len());
    let part = std::env::var("BACKEDGE_TWINS_CLASS").unwrap_or_default();
    let fits = |t: &&Twin| format!("{}, {}: {}", t.class.place, t.class.action, t.name).contains(&part);
    let twins: Vec<Twin> = twins.iter().filter(fits).cloned().collect();
    let count: usize = number("BACKEDGE_TWINS", SAMPLE);
    let step = twins.len().checked_div(count).map_or(1, |step| step.max(1));
    let chosen: Vec<Twin> = twins.into_iter().step_by(step).collect();
    let out = std::env::var_os("BACKEDGE_TWINS_OUT").map(PathBuf::from);
    if let Some(out) = &out {
        fs::create_dir_all(out).expect("the directory is made");
    }
    let judged = verdicts(&chosen, out.as_deref());
    let mut table = Table::default();
    for (twin, judged) in chosen.iter().zip(&judged) {
        table.add(twin, judged);
    }
    println!("{table}");
    let mut wrong = String::new();
    for (at, pair) in table.wrong.iter().enumerate() {
        let Some(out) = &out else {
            wrong.push_str(&format!("{pair}\n"));
            continue;
        };
        let file = |side: &str| out.join(format!("wrong-{at}.{side}.ll"));
        fs::write(file("src"), format!("; {}\n{}", pair.what, pair.source)).expect("a file is written");
        fs::write(file("tgt"), &pair.target).expect("a file is written");
        wrong.push_str(&format!("{}: {}\n", file("tgt").display(), pair.what));
    }
    assert!(wrong.is_empty(), "{} wrong:\n{wrong}", table.wrong.len());
}

/// Number of engine comparisons in an ordinary test run.
const CASES: usize = 2000;
/// Inputs for each function, in each form.
const INPUTS: u64 = 4;

/// The module of a twin's side, and its guarded form.
fn forms(text: &str) -> [Option<Module>; 2] {
    let Ok(parsed) = parse_module(text.as_bytes()) else { return [None, None] };
    let module = parsed.module;
    let side = module.env.func_named("f").map(|func| Side { module: &module, func });
    let with_guard = side.and_then(|side| guarded(side, side)).map(|[module, _]| module);
    [Some(module), with_guard]
}

/// Compares the engines on runs of one side of a twin: counts by kind of run, and disagreements.
fn compare(text: &str, first: u64) -> (BTreeMap<String, usize>, Vec<String>) {
    let (mut counts, mut wrong) = (BTreeMap::new(), Vec::new());
    for (form, module) in forms(text).iter().enumerate() {
        let Some(module) = module else { continue };
        let func = module.env.func_named("f").expect("it has @f");
        let Some(mut subject) = Subject::new(module, module, func) else { continue };
        for case in 0..INPUTS {
            let Some((mut input, choices)) = random_case(module, func, first + case) else { continue };
            if form == 1
                && let Some(key) = input.args.last_mut()
            {
                *key = ArgSpec::Bits(PASSING.into());
            }
            match subject.check(&input, choices) {
                Ok(agreement) => *counts.entry(agreement.to_string()).or_default() += 1,
                Err(why) => {
                    let args: Vec<String> = input.args.iter().map(ToString::to_string).collect();
                    let form = ["plain", "guarded"][form];
                    wrong.push(format!("{form}, {}: {why}\n@f({})\n{text}", first + case, args.join(", ")));
                }
            }
        }
    }
    (counts, wrong)
}

#[test]
fn interpreter_and_encoder_agree_on_twins() {
    let part = std::env::var("BACKEDGE_TWINS_CLASS").unwrap_or_default();
    let fits = |t: &Twin| format!("{}, {}: {}", t.class.place, t.class.action, t.name).contains(&part);
    let twins = all().into_iter().filter(fits);
    // In the encoder, a partly undefined pointer is entirely undefined, so it may be null or misaligned.
    let has_promise = |text: &String| ["!nonnull", "!align"].iter().any(|promise| text.contains(promise));
    let is_coarse = |text: &String| text.contains("load ptr") && has_promise(text);
    let texts = twins.flat_map(|twin| [twin.source, twin.target]).filter(|text| !is_coarse(text));
    let texts: BTreeSet<String> = texts.collect();
    let texts: Vec<String> = texts.into_iter().collect();
    let cases: usize = number("BACKEDGE_CASES", CASES);
    let functions = cases.div_ceil(2 * INPUTS as usize);
    let seed: u64 = number("BACKEDGE_SEED", 0);
    let step = (texts.len() / functions.max(1)).max(1);
    let chosen: Vec<(u64, &String)> = (seed..).zip(texts.iter().step_by(step)).collect();
    // More cases than functions and inputs: further rounds use other inputs.
    let rounds = functions.div_ceil(chosen.len().max(1)) as u64;
    let jobs: Vec<(u64, &String)> = (0..rounds)
        .flat_map(|round| chosen.iter().map(move |(at, text)| ((at + round * 1_000_003) * INPUTS, *text)))
        .collect();
    let found: Vec<_> = jobs.par_iter().map(|(first, text)| compare(text, *first)).collect();
    let (mut counts, mut wrong) = (BTreeMap::<String, usize>::new(), Vec::new());
    for (more, differ) in found {
        for (kind, count) in more {
            *counts.entry(kind).or_default() += count;
        }
        wrong.extend(differ);
    }
    for (kind, count) in &counts {
        println!("{count:6} {kind}");
    }
    println!("{:6} in all", counts.values().sum::<usize>());
    let shown = wrong.iter().take(number("BACKEDGE_SHOW", 3));
    let shown: Vec<_> = shown.cloned().collect();
    assert!(wrong.is_empty(), "{} differ; some of them:\n{}", wrong.len(), shown.join("\n"));
}
