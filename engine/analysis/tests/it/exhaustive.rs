//! Judges the claims about whole functions on all inputs: small integers, every argument with every value and poison,
//! and every choice of undefined bits up to a limit per input.
//!
//! `BACKEDGE_CASES` sets the number of functions (default 1500), `BACKEDGE_SEED` the first seed.

use crate::common::judge::{Judge, Tally};
use crate::common::runs::Steps;
use backedge_analysis::cache::Analyses;
use backedge_interp::batch::Exhaustive;
use backedge_interp::chooser::EnumeratingChooser;
use backedge_interp::input::Input;
use backedge_interp::{Config, Machine, Program};
use backedge_testkit::generate::enumerable;
use backedge_testkit::{module, seeds};

/// Limit on the number of choices per input.
const CHOICES: usize = 8;

/// Judges the function of a seed on all inputs. Returns the number of inputs with more choices than the limit.
fn judge(seed: u64, tally: &mut Tally) -> u64 {
    let made = enumerable(seed, 10 + (seed % 4) as usize * 8);
    let module = module(&made.text);
    let func = module.env.func_named("f").expect("there is @f");
    let analyses = Analyses::of(func);
    let at = analyses.at(&module.env, module.body(func).expect("it has a body"));
    let mut judge = Judge::new(at, func, &made.text, tally);
    let config = Config { fuel: 400, ..Config::default() };
    let program = Program::new(&module, &config);
    let mut machine = Machine::new(&program, config);
    let inputs = Exhaustive::new(made.widths, true).expect("few bits");
    let (mut input, mut cut) = (Input::default(), 0);
    for number in 0..inputs.count() {
        inputs.fill(number, &mut input);
        let mut chooser = EnumeratingChooser::new();
        for choice in 0.. {
            if choice == CHOICES {
                cut += 1;
                break;
            }
            let mut steps = Steps::default();
            let result = machine.run(func, &input, &mut chooser, &mut steps).expect("the input fits");
            assert!(judge.result(&result, steps), "{result:?}\n{}", made.text);
            if !chooser.advance() {
                break;
            }
        }
    }
    cut
}

#[test]
fn whole_functions_on_all_inputs() {
    let (mut tally, mut cut) = (Tally::default(), 0);
    for seed in seeds(1500) {
        cut += judge(seed, &mut tally);
    }
    println!("{tally:?}, {cut} inputs with more choices");
    assert!(tally.without_ub * 10 > tally.runs, "too few runs end well: {tally:?}");
    assert!(tally.informative > 1_000_000 && tally.at_uses > 1_000_000, "{tally:?}");
    assert!(tally.conditions > 10_000 && tally.executed > 100_000 && tally.poison > 10_000, "{tally:?}");
    assert!(tally.transfers > 10_000 && tally.branches > 10_000, "{tally:?}");
}
