//! Infinite runs are distinguished from long ones, regardless of allocations, calls and choices in between;
//! `musttail` calls need no memory.

use crate::support;
use backedge_interp::chooser::{ReplayChooser, ZeroChooser};
use backedge_interp::input::{ArgSpec, Input};
use backedge_interp::outcome::{Limit, Outcome, UbKind};
use backedge_interp::trace::{NoObserver, Recorder};
use backedge_interp::{Config, Machine, Program};

const TEXT: &str = include_str!("../data/divergence.ll");

/// The outcome of `@name` on `args`, which an observed run must share.
fn outcome(name: &str, args: &[u64]) -> Outcome {
    let module = support::module(TEXT);
    let config = Config { fuel: 20_000_000, ..Config::default() };
    let program = Program::new(&module, &config);
    let mut machine = Machine::new(&program, config);
    let func = module.env.func_named(name).expect("the function");
    let input = Input::new(args.iter().map(|a| ArgSpec::Bits((*a).into())).collect());
    let run = machine.run(func, &input, &mut ZeroChooser, &mut NoObserver).expect("the arguments fit");
    let mut recorder = Recorder::new(&program, 100);
    let watched = machine.run(func, &input, &mut ZeroChooser, &mut recorder).expect("the arguments fit");
    assert_eq!(run.outcome, watched.outcome, "@{name}");
    run.outcome
}

fn assert_diverges(name: &str) {
    let outcome = outcome(name, &[]);
    assert!(matches!(outcome, Outcome::Diverges { .. }), "@{name}: {outcome:?}");
}

#[test]
fn freed_objects_do_not_distinguish_states() {
    for name in [
        "callee_with_alloca",
        "pointer_to_callee_alloca",
        "saved_stack",
        "pointer_in_memory",
        "vector_of_pointers",
    ] {
        assert_diverges(name);
    }
}

#[test]
fn different_states_are_distinguished() {
    // Each counts in a separate place: a callee's alloca never, the caller's through a pointer, an offset, a call.
    for (name, expected) in
        [("counts_through_callee", 200u64), ("counts_by_offset", 200), ("counts_in_saved_stack", 200)]
    {
        let outcome = outcome(name, &[]);
        let Outcome::Returned(Some(value)) = &outcome else { panic!("@{name}: {outcome:?}") };
        assert_eq!(value.as_int(64).and_then(|v| v.to_u64()), Some(expected), "@{name}");
    }
    // The stack grows, so no state is repeated.
    let outcome = outcome("grows", &[]);
    assert!(matches!(outcome, Outcome::OutOfFuel | Outcome::LimitExceeded(Limit::Memory)), "{outcome:?}");
}

#[test]
fn tail_calls_take_the_place_of_their_callers() {
    let Outcome::Returned(Some(value)) = outcome("deep_sum", &[1_000_000, 0]) else { panic!("@deep_sum") };
    assert_eq!(value.as_int(64).and_then(|v| v.to_u64()), Some(500_000_500_000));
    for name in ["tail_forever", "tail_in_turn", "tail_with_alloca"] {
        assert_diverges(name);
    }
    let ub = |name, kind| assert_eq!(outcome(name, &[]).ub(), Some(kind), "@{name}");
    // The callers' constraints on results and on leaving still apply.
    ub("noundef_of_tail", UbKind::NoUndefViolated);
    ub("noreturn_of_tail", UbKind::NoReturnReturned);
    ub("willreturn_of_tail", UbKind::WillReturnViolated);
    ub("mustprogress_of_tail", UbKind::NoProgress);
    ub("alloca_of_caller", UbKind::UseAfterFree);
}

#[test]
fn choices_that_are_all_alike_do_not_hide_a_state() {
    assert_diverges("chooses");
    let module = support::module(TEXT);
    let config = Config::default();
    let program = Program::new(&module, &config);
    let mut machine = Machine::new(&program, config);
    let func = module.env.func_named("chooses").expect("the function");
    let mut late = ReplayChooser::new([vec![0; 5000], vec![1]].concat());
    let run = machine.run(func, &Input::default(), &mut late, &mut NoObserver).expect("no arguments");
    assert!(matches!(run.outcome, Outcome::Returned(_)), "{:?}", run.outcome);
    let mut never = ReplayChooser::new(vec![0; 50]);
    let run = machine.run(func, &Input::default(), &mut never, &mut NoObserver).expect("no arguments");
    assert!(matches!(run.outcome, Outcome::Diverges { .. }), "{:?}", run.outcome);
}
