//! Generated well-defined programs behave the same before and after the canonical loop passes: the interpreter runs
//! both, and the results, checksums over values and memory, are equal. `BACKEDGE_CASES` sets the number of programs,
//! `BACKEDGE_SEED` the first seed.

use backedge_interp::chooser::ZeroChooser;
use backedge_interp::input::Input;
use backedge_interp::outcome::Outcome;
use backedge_interp::trace::NoObserver;
use backedge_interp::value::Val;
use backedge_interp::{Config, Machine, Program};
use backedge_ir::module::Module;
use backedge_ir::print::module_to_string;
use backedge_pipeline::{Nobody, Options, Summary, parse_pipeline, run};
use backedge_testkit::generate::{self, Features};
use backedge_testkit::number;
use rayon::prelude::*;

mod twins;

/// The tested pipelines.
const PIPELINES: [&str; 8] = [
    "loop-simplify,lcssa,loop-rotate",
    "loop-simplify",
    "lcssa",
    "function(loop(loop-rotate),loop-simplify,lcssa)",
    "licm",
    "loop(loop-rotate,licm)",
    "loop-mssa(licm,simple-loop-unswitch<nontrivial>)",
    "loop(loop-rotate,licm,indvars),simplifycfg<no-keep-loops>",
];

/// The result of `entry`, or the outcome without a result.
fn result(module: &Module, entry: &str) -> Result<Val, Outcome> {
    let config = Config { fuel: 20_000_000, ..Config::default() };
    let program = Program::new(module, &config);
    let mut machine = Machine::new(&program, config);
    let func = module.env.func_named(entry).expect("the entry is there");
    let run = machine
        .run(func, &Input::default(), &mut ZeroChooser, &mut NoObserver)
        .expect("there are no parameters");
    match run.outcome {
        Outcome::Returned(Some(value)) => Ok(value),
        outcome => Err(outcome),
    }
}

/// Runs one program through all pipelines; returns the number of changes by passes.
fn check(seed: u64) -> u64 {
    let generated = generate::program(seed, Features::ALL);
    let source = generated.standalone();
    let before = match backedge_ir::parse::read_module(source.as_bytes()) {
        Ok(parsed) => parsed.module,
        Err(diagnostics) => panic!("seed {seed}: {diagnostics:?}\n{source}"),
    };
    let expected =
        result(&before, &generated.entry).unwrap_or_else(|o| panic!("seed {seed}: {o:?}\n{source}"));
    let mut changed = 0;
    for text in PIPELINES {
        let pipeline = parse_pipeline(text).expect("the pipeline is right");
        let mut after = before.clone();
        let options = Options { verify_each: true, ..Options::default() };
        let summary: Summary = run(&mut after, &pipeline, options, &mut Nobody)
            .unwrap_or_else(|e| panic!("seed {seed}, {text}: {e}\n{source}"));
        changed += summary.changed;
        let got = result(&after, &generated.entry);
        assert!(
            got.as_ref() == Ok(&expected),
            "seed {seed}, {text}: {got:?}, not {expected:?}; before:\n{source}\nafter:\n{}",
            module_to_string(&after)
        );
    }
    changed
}

#[test]
fn loop_passes_keep_the_results_of_generated_programs() {
    let (first, count) = (number("BACKEDGE_SEED", 0), number("BACKEDGE_CASES", 1000));
    let changed: u64 = (first..first + count).into_par_iter().map(check).sum();
    assert!(changed >= count, "only {changed} runs of passes changed something in {count} programs");
}
