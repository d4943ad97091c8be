//! Limits end the check of a pair, whatever its formula, and the verdict names the limit.

use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_validate::check::{Options, Side, check};
use backedge_validate::verdict::{Reason, Verdict};
use std::time::Duration;

#[path = "limits/past.rs"]
mod past;

/// Loads and stores in a doubly nested loop, at addresses that depend on memory.
const NESTED: &str = "
define i32 @f(ptr %p, i32 %n) {
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
  ret i32 0
}
";

fn module(addends: &str) -> Module {
    parse_module(NESTED.replace("ADDENDS", addends).as_bytes()).expect("a module").module
}

fn side(module: &Module) -> Side<'_> {
    Side { module, func: module.env.func_named("f").expect("the function") }
}

fn verdict(options: &Options) -> Verdict {
    let (source, target) = (module("%v, %w"), module("%w, %v"));
    check(side(&source), side(&target), options).verdict
}

#[test]
fn a_formula_too_large_for_the_budget_is_inconclusive() {
    // The formula is too large for every bound down to the least one.
    let options = Options {
        bound: 64,
        min_bound: 32,
        rlimit: 300_000,
        timeout: Duration::from_secs(3600),
        runs: 10,
        induction: false,
        ..Options::default()
    };
    let verdict = verdict(&options);
    let Verdict::Inconclusive { reason: Reason::Solver { word } } = &verdict else { panic!("{verdict}") };
    assert!(word.contains("too large"), "{word}");
}

#[test]
fn a_lower_bound_is_tried_where_the_formula_is_too_large() {
    let options = Options {
        bound: 64,
        min_bound: 1,
        rlimit: 2_000_000,
        timeout: Duration::from_secs(3600),
        runs: 10,
        induction: false,
        ..Options::default()
    };
    let verdict = verdict(&options);
    let Verdict::RefinesUpTo { bound, .. } = verdict else { panic!("{verdict}") };
    assert!((1..64).contains(&bound), "{bound}");
}

#[test]
fn the_clock_is_over_for_all_bounds_together() {
    let options = Options {
        bound: 64,
        timeout: Duration::from_millis(1),
        rlimit: u32::MAX,
        induction: false,
        ..Options::default()
    };
    let verdict = verdict(&Options { runs: 10, ..options });
    let Verdict::Inconclusive { reason: Reason::Time { limit_ms: 1 } } = verdict else { panic!("{verdict}") };
}

/// The widest modelled integers have no narrow copies with constants near their own.
#[test]
fn constants_of_128_bits_are_no_trouble() {
    let text = "
define i32 @src(i32 noundef %n) {
entry:
  br label %h
h:
  %i = phi i128 [ 1, %entry ], [ %j, %h ]
  %j = add i128 %i, 340282366920938463463374607431768200000
  %hi = lshr i128 %j, 100
  %c = icmp ugt i128 %hi, 268435400
  br i1 %c, label %h, label %x
x:
  ret i32 1
}
define i32 @tgt(i32 noundef %n) {
  ret i32 1
}
";
    let module = parse_module(text.as_bytes()).expect("a module").module;
    let [source, target] = ["src", "tgt"]
        .map(|name| Side { module: &module, func: module.env.func_named(name).expect("a function") });
    let options = Options { solver: false, runs: 20, fuel: 500, ..Options::default() };
    let verdict = check(source, target, &options).verdict;
    assert!(!matches!(verdict, Verdict::InternalError(_) | Verdict::Refuted(_)), "{verdict}");
}
