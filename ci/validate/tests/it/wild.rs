//! Passes on generated functions that are UB about half of the time: the output of a pass refines its input, as far as
//! runs show. `BACKEDGE_CASES` sets the number of functions, `BACKEDGE_SEED` the first seed.

use backedge_ir::module::Module;
use backedge_pipeline::{Nobody, Options as RunOptions, parse_pipeline, run};
use backedge_testkit::generate::wild_module;
use backedge_testkit::number;
use backedge_validate::check::{Options, Side, check};
use backedge_validate::verdict::Verdict;
use rayon::prelude::*;

/// The tested pipelines, each after `loop-simplify,lcssa`.
const PIPELINES: [&str; 5] =
    ["licm", "loop(loop-rotate,licm)", "early-cse", "simplifycfg<no-keep-loops>", "loop(licm,indvars)"];

/// Runs the pipeline `text` on `module`; returns whether anything changed.
fn apply(module: &mut Module, text: &str, seed: u64) -> bool {
    let pipeline = parse_pipeline(text).expect("the pipeline is right");
    let options = RunOptions { verify_each: true, ..RunOptions::default() };
    let summary =
        run(module, &pipeline, options, &mut Nobody).unwrap_or_else(|e| panic!("seed {seed}, {text}: {e}"));
    summary.changed > 0
}

/// Checks the function of one seed; returns the number of pipelines that changed it.
fn check_seed(seed: u64) -> u64 {
    let text = wild_module(seed);
    let mut before = match backedge_ir::parse::read_module(text.as_bytes()) {
        Ok(parsed) => parsed.module,
        Err(diagnostics) => panic!("seed {seed}: {diagnostics:?}\n{text}"),
    };
    apply(&mut before, "loop-simplify,lcssa", seed);
    let options = Options { solver: false, runs: 300, fuel: 2_000, ..Options::default() };
    let mut changed = 0;
    for pipeline in PIPELINES {
        let mut after = before.clone();
        if !apply(&mut after, pipeline, seed) {
            continue;
        }
        changed += 1;
        let (source, target) = (side(&before), side(&after));
        match check(source, target, &options).verdict {
            Verdict::Refuted(refutation) | Verdict::RefutedByUndef { refutation, .. } => {
                let (before, after) = [&before, &after].map(backedge_ir::print::module_to_string).into();
                panic!("seed {seed}, {pipeline}: {refutation:?}\nbefore:\n{before}\nafter:\n{after}");
            }
            Verdict::InternalError(error) => panic!("seed {seed}, {pipeline}: {error:?}"),
            Verdict::RefinesAll { .. }
            | Verdict::RefinesUpTo { .. }
            | Verdict::Vacuous { .. }
            | Verdict::Inconclusive { .. } => {}
        }
    }
    changed
}

fn side(module: &Module) -> Side<'_> {
    Side { module, func: module.env.func_named("f").expect("it has @f") }
}

#[test]
fn passes_refine_wild_functions() {
    let (first, count) = (number("BACKEDGE_SEED", 0), number("BACKEDGE_CASES", 700));
    let changed: u64 = (first..first + count).into_par_iter().map(check_seed).sum();
    assert!(changed >= count / 4, "only {changed} runs of passes changed something in {count} functions");
}
