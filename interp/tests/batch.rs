//! Batches give the same results as single runs, in order, and their runs allocate nothing. This is one test, so that
//! no other test allocates at the same time.

#[path = "it/support/mod.rs"]
mod support;

use backedge_interp::batch::{Batch, Exhaustive};
use backedge_interp::chooser::{RandomChooser, ZeroChooser};
use backedge_interp::input::{ArgSpec, Input, InputError};
use backedge_interp::outcome::Outcome;
use backedge_interp::trace::NoObserver;
use backedge_interp::{Config, Ended, Machine, Program};
use backedge_ir::entity::FuncId;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;

#[global_allocator]
static COUNTING: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const SOURCE: &str = "
define i8 @scalar(i8 %x, i8 %y) {
  %a = add nsw i8 %x, %y
  %b = mul i8 %a, %x
  %c = icmp slt i8 %b, %y
  %d = select i1 %c, i8 %a, i8 %b
  %e = udiv i8 %d, %y
  %f = freeze i8 %e
  ret i8 %f
}
define i32 @loop(i5 %n, i5 %x) {
entry:
  %a = alloca [16 x i32]
  %s = sext i5 %x to i32
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %k = and i32 %i, 15
  %p = getelementptr inbounds [16 x i32], ptr %a, i64 0, i32 %k
  store i32 %s, ptr %p
  %v = call i32 @helper(ptr %p, i32 %i)
  %j = add nuw nsw i32 %i, 1
  %m = zext i5 %n to i32
  %c = icmp ult i32 %j, %m
  br i1 %c, label %loop, label %exit
exit:
  ret i32 %v
}
define internal i32 @helper(ptr noundef %p, i32 noundef %i) {
  %b = alloca i32
  store i32 %i, ptr %b
  %v = load i32, ptr %p
  %w = load i32, ptr %b
  %s = add i32 %v, %w
  ret i32 %s
}
define i5 @forever(i5 %x, i5 %y) {
entry:
  br label %loop
loop:
  %a = phi i5 [ %x, %entry ], [ %b, %loop ]
  %b = add i5 %a, 2
  %c = icmp eq i5 %b, %y
  br i1 %c, label %exit, label %loop
exit:
  ret i5 %a
}
define i32 @buffer(ptr %p, i8 %i) {
  %q = getelementptr i32, ptr %p, i8 %i
  %v = load i32, ptr %q
  store i32 7, ptr %q
  ret i32 %v
}
";

#[test]
fn batches() {
    let module = support::module(SOURCE);
    let config = Config::default();
    let program = Program::new(&module, &config);
    let func = |name: &str| module.env.func_named(name).expect("it is there");
    let inputs = Exhaustive::new(vec![8, 8], true).expect("they are few");
    assert_eq!(inputs.count(), 66_049);
    let fewer = Exhaustive::new(vec![5, 5], true).expect("they are few");
    for (name, inputs) in [("scalar", &inputs), ("loop", &fewer), ("forever", &fewer)] {
        same_as_single_runs(&program, func(name), inputs);
        let count = inputs.count();
        allocates_nothing(&program, func(name), 10_000, &|i, input| inputs.fill(i % count, input));
    }
    let with_memory = |i: usize, input: &mut Input| {
        if input.args.is_empty() {
            input.args = Input::parse(&["bytes:0102030405060708", "0"]).expect("they are right").args;
        }
        input.args[1] = ArgSpec::Int((i % 3) as i128);
    };
    allocates_nothing(&program, func("buffer"), 10_000, &with_memory);
    the_first_error_is_reported(&program, func("scalar"));
}

fn same_as_single_runs(program: &Program<'_>, func: FuncId, inputs: &Exhaustive) {
    let batch = Batch::new(program, Config::default(), func);
    let chooser = |i: usize| RandomChooser::new(i as u64);
    let fill = |i: usize, input: &mut Input| inputs.fill(i, input);
    let all = batch.run(inputs.count(), fill, chooser, |i, ended, _| (i, ended)).expect("the inputs fit");
    assert_eq!(all.len(), inputs.count());
    let mut machine = Machine::new(program, Config::default());
    let mut input = Input::default();
    let mut kinds = [0, 0];
    for (n, (i, ended)) in all.iter().enumerate().step_by(inputs.count() / 1000) {
        assert_eq!(n, *i);
        inputs.fill(n, &mut input);
        let run = machine.run(func, &input, &mut chooser(n), &mut NoObserver).expect("the input fits");
        let same = Ended {
            outcome: run.outcome,
            choices: run.choices,
            environment_choices: run.environment_choices,
            narrowed: run.narrowed,
            narrowed_apart: run.narrowed_apart,
            observed_addresses: run.observed_addresses,
            steps: run.steps,
        };
        assert_eq!(*ended, same, "{input:?}");
        kinds[usize::from(matches!(ended.outcome, Outcome::Returned(_)))] += 1;
    }
    assert!(kinds.iter().all(|k| *k > 4), "{kinds:?}");
}

/// Ten times as many runs make no more allocations, apart from those of the threads.
fn allocates_nothing(
    program: &Program<'_>,
    func: FuncId,
    count: usize,
    fill: &(dyn Fn(usize, &mut Input) + Sync),
) {
    let batch = Batch::new(program, Config::default(), func);
    let run = |count| {
        let region = Region::new(COUNTING);
        let returned = batch
            .run(count, fill, |_| ZeroChooser, |_, ended, _| matches!(ended.outcome, Outcome::Returned(_)))
            .expect("the inputs fit");
        let change = region.change();
        assert!(returned.iter().any(|r| *r), "no run returned");
        change.allocations + change.reallocations
    };
    run(count);
    let (few, many) = (run(count / 10), run(count));
    assert!(
        many < few + 300 && many * 50 < count,
        "{few} allocations for {}, {many} for {count}",
        count / 10
    );
}

fn the_first_error_is_reported(program: &Program<'_>, func: FuncId) {
    let batch = Batch::new(program, Config::default(), func);
    let fill = |i: usize, input: &mut Input| {
        let large = if i >= 5000 { 1000 + i as i128 } else { 1 };
        input.args = vec![ArgSpec::Int(large), ArgSpec::Int(2)];
    };
    let error = batch.run(20_000, fill, |_| ZeroChooser, |_, _, _| ()).expect_err("it does not fit");
    assert_eq!(error, InputError::Mismatch { arg: 0, spec: "6000".to_owned() });
}
