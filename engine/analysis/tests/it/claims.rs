//! Judges the claims about values and control by executions on random inputs: known bits and ranges of every result and
//! of every operand at its uses, claims on edges, conditions, must-execute, and poison.
//!
//! A violation counts only if the execution ends without UB. `BACKEDGE_CASES` sets the number of functions (default
//! 400).

use crate::common::judge::{Judge, Tally};
use crate::common::runs::{Steps, input, input_for, modules};
use backedge_analysis::cache::Analyses;
use backedge_interp::chooser::RandomChooser;
use backedge_interp::{Config, Machine, Program};
use backedge_ir::body::Body;
use backedge_testkit::generate::{Mix, effectful};
use backedge_testkit::{Dice, module, seeds};

fn judge(seed: u64, mix: Mix, runs: usize, tally: &mut Tally) {
    let text = effectful(seed, mix);
    let module = module(&text);
    let func = module.env.func_named("f").expect("there is @f");
    let body: &Body = module.body(func).expect("it has a body");
    let analyses = Analyses::of(func);
    let mut judge = Judge::new(analyses.at(&module.env, body), func, &text, tally);
    let config = Config { fuel: 3000, ..Config::default() };
    let program = Program::new(&module, &config);
    let mut machine = Machine::new(&program, config);
    let mut dice = Dice::new(seed ^ 0xabcdef);
    for run in 0..runs {
        let input = input(&mut dice);
        let mut steps = Steps::default();
        let mut chooser = RandomChooser::new(seed * 1000 + run as u64);
        let result = machine.run(func, &input, &mut chooser, &mut steps).expect("the input fits");
        assert!(judge.result(&result, steps), "{result:?}\n{text}");
    }
}

/// The functions of the corpus and of LLVM's loop tests on random inputs.
#[test]
fn files() {
    let mut tally = Tally::default();
    for (name, module) in modules("claims on LLVM's loop tests") {
        let config = Config { fuel: 1000, max_bytes: 1 << 20, ..Config::default() };
        let program = Program::new(&module, &config);
        let mut machine = Machine::new(&program, config);
        for (func, body) in module.bodies() {
            let text = format!("{name}, @{}", module.env.funcs[func].name);
            let analyses = Analyses::of(func);
            let mut dice = Dice::new(7);
            let Some(_) = input_for(body, &mut dice) else { continue };
            let mut judge = Judge::new(analyses.at(&module.env, body), func, &text, &mut tally);
            for run in 0..6 {
                let Some(input) = input_for(body, &mut dice) else { break };
                let mut steps = Steps::default();
                let mut chooser = RandomChooser::new(run);
                let Ok(result) = machine.run(func, &input, &mut chooser, &mut steps) else { break };
                if !judge.result(&result, steps) {
                    break;
                }
            }
        }
    }
    println!("{tally:?}");
    assert!(tally.without_ub > 100 && tally.facts > 1000, "{tally:?}");
}

#[test]
fn generated_functions() {
    let mut tally = Tally::default();
    for seed in seeds(400) {
        let mix = match seed % 3 {
            0 => Mix { memory: 0, calls: 10, size: 30 },
            1 => Mix { memory: 10, calls: 20, size: 50 },
            _ => Mix { memory: 25, calls: 5, size: 80 },
        };
        judge(seed, mix, 60, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.without_ub * 20 > tally.runs, "too few runs end well: {tally:?}");
    assert!(tally.conditions > 1000 && tally.executed > 10_000 && tally.poison > 1000, "{tally:?}");
    assert!(tally.transfers > 10_000 && tally.branches > 1000, "{tally:?}");
}
