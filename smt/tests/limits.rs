//! A check also respects its limits outside the solver, and reports which limit it reached.

use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_smt::refinement::{FunctionRef, Options, Outcome, Reason, check};
use std::time::Duration;

/// Loads and stores in a doubly nested loop, at addresses that depend on memory: each access is compared with all
/// earlier ones, so the formula grows with the fourth power of the bound.
const NESTED: &str = "
define void @f(ptr %p, i32 %n) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i2, %latch ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j2, %inner ]
  %k = mul i32 %i, %j
  %g = getelementptr i32, ptr %p, i32 %k
  %v = load i32, ptr %g
  %h = getelementptr i32, ptr %p, i32 %v
  %w = load i32, ptr %h
  %s = add i32 ADDENDS
  store i32 %s, ptr %g
  %j2 = add i32 %j, 1
  %c = icmp ult i32 %j2, %n
  br i1 %c, label %inner, label %latch
latch:
  %i2 = add i32 %i, 1
  %d = icmp ult i32 %i2, %n
  br i1 %d, label %outer, label %exit
exit:
  ret void
}
";

fn module(addends: &str) -> Module {
    parse_module(NESTED.replace("ADDENDS", addends).as_bytes()).expect("a module").module
}

fn ask(options: &Options) -> Outcome {
    let (source, target) = (module("%v, %w"), module("%w, %v"));
    fn function(module: &Module) -> FunctionRef<'_> {
        FunctionRef { module, func: module.env.func_named("f").expect("the function") }
    }
    check(function(&source), function(&target), options).outcome
}

/// The units decide, not the clock.
const LONG: Duration = Duration::from_secs(3600);

#[test]
fn a_formula_beyond_the_budget_is_not_built() {
    let outcome = ask(&Options { bound: 64, units: 1000, time: LONG, ..Options::default() });
    let Outcome::Inconclusive(Reason::TooLarge { terms, bound }) = outcome else { panic!("{outcome:?}") };
    // The check gives up early, not after the formula is complete.
    assert!(terms < 100_000, "{terms} terms");
    assert!((1..64).contains(&bound), "{bound} iterations were too many");
    // The outcome names a bound that is too large, so a check with that bound fails in the same way. The formula built
    // so far does not show that smaller bounds are too large.
    let smaller = ask(&Options { bound, units: 1000, time: LONG, ..Options::default() });
    assert!(matches!(smaller, Outcome::Inconclusive(Reason::TooLarge { .. })), "{smaller:?}");
}

#[test]
fn a_larger_budget_takes_a_larger_formula() {
    let largest = |units| {
        let outcome = ask(&Options { bound: 64, units, time: LONG, ..Options::default() });
        let Outcome::Inconclusive(Reason::TooLarge { terms, .. }) = outcome else { panic!("{outcome:?}") };
        terms
    };
    assert!(largest(1000) < largest(4_000_000));
}

#[test]
fn the_clock_ends_the_encoding_and_says_so() {
    for time in [Duration::ZERO, Duration::from_millis(2)] {
        let outcome = ask(&Options { bound: 64, units: u64::MAX, time, ..Options::default() });
        assert!(matches!(outcome, Outcome::Inconclusive(Reason::Time)), "{outcome:?}");
    }
}

#[test]
fn the_limits_leave_a_small_bound_alone() {
    let outcome = ask(&Options { bound: 1, units: 1_000_000_000, time: LONG, ..Options::default() });
    assert!(matches!(outcome, Outcome::Refines { .. }), "{outcome:?}");
}
