//! Hand-written true and false claims of every kind: the true ones are tested and hold, and each false one is refuted
//! by the expected evidence. LLVM 13's claim on the notes' example is refuted too.

mod guarded_sum;
mod trip_counts;
mod values;

use backedge_claim::claim::Claims;
use backedge_interp::claims::{Options, Report, Violation, check};
use backedge_interp::{Config, Program};
use backedge_ir::module::Module;
use backedge_testkit::claims::claims;
use backedge_testkit::module;

fn run(module: &Module, claims: &Claims) -> Report {
    let program = Program::new(module, &Config::default());
    let options = Options { runs: 1500, exhaustive: 1 << 12, fuel: 20_000, ..Options::default() };
    check(&program, claims, &options).expect("a function that is modelled")
}

/// All claims of `text` are tested, and none is refuted.
fn holds(source: &str, text: &str) {
    let module = module(source);
    let claims = claims(&module, text);
    let report = run(&module, &claims);
    assert_eq!(report.violations, [], "{text}");
    assert!(!report.tested.is_empty() && report.tested.iter().all(|n| *n > 0), "{text}: {:?}", report.tested);
}

/// A claim of `text` is refuted; returns the first violation shown by a value, if any.
fn refuted(source: &str, text: &str) -> Violation {
    let module = module(source);
    let claims = claims(&module, text);
    let mut violations = run(&module, &claims).violations;
    violations.sort_by_key(|v| v.hidden);
    assert!(!violations.is_empty(), "not refuted: {text}");
    violations.remove(0)
}

/// Counts from 0 up to %n in counted steps; another exit at 5.
const COUNT: &str = "
define i8 @f(i8 %n, i8 %m) {
entry:
  %sum = add i8 %n, %m
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %next, %latch ]
  %x = phi i8 [ %m, %entry ], [ %x.next, %latch ]
  %early = icmp eq i8 %i, 5
  br i1 %early, label %out, label %latch
latch:
  %next = add i8 %i, 1
  %x.next = xor i8 %x, 3
  %more = icmp ult i8 %next, %n
  br i1 %more, label %loop, label %out
out:
  %r = phi i8 [ %i, %loop ], [ %next, %latch ]
  ret i8 %r
}
";
