//! Proofs without the solver: a small random function is changed at one or two places, and each pair that the simulation
//! proves is held against runs on all inputs, undef ones included.
//!
//! `BACKEDGE_CASES` sets the number of pairs, `BACKEDGE_SEED` the first seed.

use crate::mutants::change::mutate;
use backedge_ir::module::Module;
use backedge_ir::parse::read_module;
use backedge_smt::refinement::{FunctionRef, Uninit};
use backedge_smt::simulation::{self, Outcome};
use backedge_testkit::generate::{Mix, effectful, enumerable};
use backedge_testkit::{Dice, number};
use backedge_validate::check::{Options, Side, check};
use backedge_validate::verdict::Verdict;
use rand::RngExt as _;
use rayon::prelude::*;
use std::time::Duration;

/// Number of pairs in an ordinary test run.
const CASES: u64 = 4_000;

fn module(text: &str) -> Option<Module> {
    read_module(text.as_bytes()).ok().map(|parsed| parsed.module)
}

/// A pair of functions `@src` and `@tgt`; `None` if a change does not fit.
fn pair(seed: u64) -> Option<String> {
    let mut random = Dice::new(seed);
    let size = random.random_range(2..9);
    let text = match random.random_range(0..3) {
        0 => effectful(seed, Mix { memory: 40, calls: 10, size }),
        _ => enumerable(seed, size).text,
    };
    let end = text.find("\n}\n")? + 3;
    let (function, rest) = text.split_at(end);
    let start = function.find("define ")?;
    let (before, function) = function.split_at(start);
    let mut sides = [function.to_owned(), function.to_owned()];
    for _ in 0..random.random_range(1..4) {
        let side = usize::from(random.random_bool(0.6));
        sides[side] = mutate(&sides[side], &mut random)?;
    }
    (sides[0] != sides[1]).then(|| {
        let [source, target] = sides;
        format!("{before}{}{}{rest}", source.replacen("@f(", "@src(", 1), target.replacen("@f(", "@tgt(", 1))
    })
}

/// Why the pair is wrong, if it is proved and a run shows that it is wrong; `None` if it is not proved.
fn judge(text: &str) -> Option<Option<String>> {
    let module = module(text)?;
    let func = |name| module.env.func_named(name);
    let (source, target) = (func("src")?, func("tgt")?);
    let reference = |func| FunctionRef { module: &module, func };
    let options = simulation::Options { uninit: Uninit::Undef };
    if simulation::prove(reference(source), reference(target), &options) != Outcome::Refines {
        return None;
    }
    let timeout = Duration::from_secs(60);
    let options = Options {
        induction: false,
        bound: 1,
        rlimit: 1,
        runs: 3_000,
        fuel: 5_000,
        timeout,
        ..Options::default()
    };
    let side = |func| Side { module: &module, func };
    let verdict = check(side(source), side(target), &options).verdict;
    let is_wrong =
        matches!(verdict, Verdict::Refuted(_) | Verdict::RefutedByUndef { .. } | Verdict::InternalError(_));
    Some(is_wrong.then(|| verdict.to_string()))
}

#[test]
fn what_is_simulated_is_true() {
    let (cases, first) = (number("BACKEDGE_CASES", CASES), number("BACKEDGE_SEED", 1));
    let found: Vec<(bool, Option<String>)> = (first..first + cases)
        .into_par_iter()
        .filter_map(|seed| {
            let text = pair(seed)?;
            let wrong = judge(&text);
            let proved = wrong.is_some();
            Some((proved, wrong.flatten().map(|why| format!("seed {seed}: {why}\n{text}"))))
        })
        .collect();
    let proved = found.iter().filter(|(proved, _)| *proved).count();
    let wrong: Vec<&str> = found.iter().filter_map(|(_, wrong)| wrong.as_deref()).collect();
    println!("{} pairs, {proved} proved", found.len());
    assert!(wrong.is_empty(), "{} wrong proofs:\n{}", wrong.len(), wrong.join("\n\n"));
    assert!(proved * 10 >= found.len(), "only {proved} of {} pairs are proved", found.len());
}
