//! Compares dynamic instructions per second of the interpreter and of `lli --force-interpreter` on the same programs:
//! loop nests of i32 and i64 arithmetic, a sieve over memory, loops with calls and selects. The start-up time of
//! `lli` is subtracted.

use backedge_interp::chooser::ZeroChooser;
use backedge_interp::input::Input;
use backedge_interp::outcome::Outcome;
use backedge_interp::trace::NoObserver;
use backedge_interp::{Config, Machine, Program};
use backedge_testkit::{Peer, peer};
use std::time::{Duration, Instant};

const NEST: &str = "
define i64 @run() {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %a = phi i32 [ 1, %entry ], [ %c, %latch ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  %b = phi i32 [ %a, %outer ], [ %c, %inner ]
  %m = mul i32 %b, 1103515245
  %x = lshr i32 %m, 7
  %y = xor i32 %m, %x
  %c = add i32 %y, %j
  %j.next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %j.next, 3000
  br i1 %more, label %inner, label %latch
latch:
  %i.next = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %i.next, 2500
  br i1 %again, label %outer, label %exit
exit:
  %r = zext i32 %c to i64
  ret i64 %r
}
";

/// As compilers emit it: with flags on operations known not to wrap.
const NEST_64: &str = "
define i64 @run() {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %a = phi i64 [ 1, %entry ], [ %e, %latch ]
  %row = mul nuw nsw i64 %i, 2500
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %b = phi i64 [ %a, %outer ], [ %e, %inner ]
  %k = add nuw nsw i64 %row, %j
  %s = shl i64 %b, 13
  %x = xor i64 %b, %s
  %t = ashr i64 %x, 7
  %y = sub i64 %t, %k
  %z = and i64 %y, 1048575
  %q = urem i64 %z, 97
  %e = or i64 %y, %q
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp slt i64 %j.next, 2500
  br i1 %more, label %inner, label %latch
latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp slt i64 %i.next, 2000
  br i1 %again, label %outer, label %exit
exit:
  ret i64 %e
}
";

const SIEVE: &str = "
@flags = internal global [400000 x i8] zeroinitializer
define i64 @run() {
entry:
  br label %rounds
rounds:
  %round = phi i64 [ 0, %entry ], [ %round.next, %rounds.latch ]
  call void @llvm.memset.p0.i64(ptr @flags, i8 1, i64 400000, i1 false)
  br label %candidates
candidates:
  %p = phi i64 [ 2, %rounds ], [ %p.next, %candidates.latch ]
  %n = phi i64 [ 0, %rounds ], [ %n.next, %candidates.latch ]
  %at = getelementptr inbounds i8, ptr @flags, i64 %p
  %flag = load i8, ptr %at
  %prime = icmp ne i8 %flag, 0
  %first = add i64 %p, %p
  %inside = icmp ult i64 %first, 400000
  %strike = and i1 %prime, %inside
  br i1 %strike, label %multiples, label %candidates.latch
multiples:
  %q = phi i64 [ %first, %candidates ], [ %q.next, %multiples ]
  %to = getelementptr inbounds i8, ptr @flags, i64 %q
  store i8 0, ptr %to
  %q.next = add i64 %q, %p
  %more = icmp ult i64 %q.next, 400000
  br i1 %more, label %multiples, label %candidates.latch
candidates.latch:
  %one = zext i1 %prime to i64
  %n.next = add i64 %n, %one
  %p.next = add i64 %p, 1
  %go = icmp ult i64 %p.next, 400000
  br i1 %go, label %candidates, label %rounds.latch
rounds.latch:
  %round.next = add i64 %round, 1
  %again = icmp ult i64 %round.next, 6
  br i1 %again, label %rounds, label %exit
exit:
  ret i64 %n.next
}
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
";

const CALLS: &str = "
define internal i32 @step(i32 %x, i32 %y) {
  %c = icmp slt i32 %x, %y
  %d = sub i32 %x, %y
  %s = add i32 %x, 7
  %r = select i1 %c, i32 %s, i32 %d
  ret i32 %r
}
define i64 @run() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %a = phi i32 [ 0, %entry ], [ %b, %loop ]
  %k = and i32 %i, 63
  %b = call i32 @step(i32 %a, i32 %k)
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, 5000000
  br i1 %more, label %loop, label %exit
exit:
  %r = zext i32 %b to i64
  ret i64 %r
}
";

/// A program that ends at once, to measure the start-up time of `lli`.
const NOTHING: &str = "define i64 @run() {\n  ret i64 0\n}\n";

const MAIN: &str = "
@format = private constant [8 x i8] c\"%016lx\\0A\\00\"
declare i32 @printf(ptr, ...)
define i32 @main() {
  %r = call i64 @run()
  %n = call i32 (ptr, ...) @printf(ptr @format, i64 %r)
  ret i32 0
}
";

/// The result, the executed instructions, and the best time of three runs.
fn here(source: &str) -> (String, u64, Duration) {
    let module = backedge_ir::parse::parse_module(source.as_bytes()).expect("the source is right").module;
    let config = Config { fuel: u64::MAX, ..Config::default() };
    let program = Program::new(&module, &config);
    let mut machine = Machine::new(&program, config);
    let func = module.env.func_named("run").expect("the function is there");
    let mut best = Duration::MAX;
    let mut result = (String::new(), 0);
    for _ in 0..3 {
        let start = Instant::now();
        let run = machine
            .run(func, &Input::default(), &mut ZeroChooser, &mut NoObserver)
            .expect("there are no parameters");
        best = best.min(start.elapsed());
        let Outcome::Returned(Some(value)) = &run.outcome else { panic!("{:?}", run.outcome) };
        let bits = value.as_int(64).and_then(|v| v.to_u64()).expect("the result is defined");
        result = (format!("{bits:016x}"), run.steps);
    }
    (result.0, result.1, best)
}

/// The result and the best time of three runs of `lli --force-interpreter`.
fn there(lli: &Peer, source: &str) -> (String, Duration) {
    let text = format!("{source}{MAIN}");
    let mut best = Duration::MAX;
    let mut result = String::new();
    for _ in 0..3 {
        let start = Instant::now();
        let answer = lli.run(&["--force-interpreter"], text.as_bytes());
        best = best.min(start.elapsed());
        assert!(answer.ok(), "{answer:?}");
        answer.stdout.trim().clone_into(&mut result);
    }
    (result, best)
}

fn main() {
    // `cargo test --benches` only checks that this builds.
    if std::env::args().any(|a| a == "--test") {
        return;
    }
    let lli = peer("lli", "the ratio to lli --force-interpreter");
    let start = lli.as_ref().map_or(Duration::ZERO, |lli| there(lli, NOTHING).1);
    let programs =
        [("i32 loop nest", NEST), ("i64 loop nest", NEST_64), ("sieve", SIEVE), ("calls and selects", CALLS)];
    for (name, source) in programs {
        let (result, steps, time) = here(source);
        let rate = |time: Duration| steps as f64 / time.as_secs_f64() / 1e6;
        print!(
            "{name:>18}: {:5.1} million instructions, {:6.1} million a second",
            steps as f64 / 1e6,
            rate(time)
        );
        if let Some(lli) = &lli {
            let (expected, lli_time) = there(lli, source);
            assert_eq!(result, expected, "{name}: the result");
            let lli_time = lli_time.saturating_sub(start);
            let ratio = lli_time.as_secs_f64() / time.as_secs_f64();
            print!("; lli --force-interpreter: {:5.1}, ratio {ratio:4.1}", rate(lli_time));
        }
        println!();
    }
}
