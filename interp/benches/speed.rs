//! Execution speed: dynamic instructions per second in loops; runs per second of a function of ten instructions, with
//! and without a record of the run; and all 66,049 inputs of two i8 arguments, including poison, as a batch.

use backedge_interp::batch::{Batch, Exhaustive};
use backedge_interp::chooser::ZeroChooser;
use backedge_interp::input::{ArgSpec, Input};
use backedge_interp::memory::Contents;
use backedge_interp::outcome::Outcome;
use backedge_interp::trace::NoObserver;
use backedge_interp::{Config, Machine, Program};
use backedge_ir::entity::FuncId;
use divan::counter::ItemsCount;

const SOURCE: &str = "
define i32 @arith(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %s = phi i32 [ 1, %entry ], [ %t, %loop ]
  %a = mul i32 %s, 1103515245
  %b = add i32 %a, 12345
  %x = lshr i32 %b, 3
  %t = xor i32 %b, %x
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, %n
  br i1 %c, label %loop, label %exit
exit:
  ret i32 %t
}
define i32 @memory(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %k = and i32 %i, 1023
  %w = zext i32 %k to i64
  %q = getelementptr inbounds i32, ptr %p, i64 %w
  %v = load i32, ptr %q
  %u = add i32 %v, %i
  store i32 %u, ptr %q
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, %n
  br i1 %c, label %loop, label %exit
exit:
  ret i32 %u
}
define internal i32 @step(i32 %x, i32 %y) {
  %c = icmp slt i32 %x, %y
  %r = select i1 %c, i32 %x, i32 %y
  ret i32 %r
}
define i32 @calls(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %s = phi i32 [ 0, %entry ], [ %t, %loop ]
  %t = call i32 @step(i32 %s, i32 %i)
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, %n
  br i1 %c, label %loop, label %exit
exit:
  ret i32 %t
}
define i8 @short(i8 %x, i8 %y) {
  %a = add i8 %x, %y
  %b = mul i8 %a, %x
  %c = icmp slt i8 %b, %y
  %d = select i1 %c, i8 %a, i8 %b
  %e = xor i8 %d, %x
  %f = and i8 %e, 15
  %g = shl i8 %f, 1
  %h = or i8 %g, 1
  %k = sub i8 %h, %y
  ret i8 %k
}
";

fn main() {
    divan::main();
}

fn with_machine(name: &str, act: impl FnOnce(FuncId, &mut Machine<'_>)) {
    let module = backedge_ir::parse::parse_module(SOURCE.as_bytes()).expect("the source is right").module;
    let config = Config { fuel: u64::MAX, ..Config::default() };
    let program = Program::new(&module, &config);
    let id = module.env.func_named(name).expect("the function is there");
    act(id, &mut Machine::new(&program, config));
}

fn measure(bencher: divan::Bencher<'_, '_>, name: &str, input: &Input) {
    with_machine(name, |id, machine| {
        let run = machine.run(id, input, &mut ZeroChooser, &mut NoObserver).expect("the input fits");
        bencher
            .counter(ItemsCount::new(run.steps))
            .bench_local(|| machine.run(id, input, &mut ZeroChooser, &mut NoObserver));
    });
}

#[divan::bench(sample_count = 10)]
fn arithmetic(bencher: divan::Bencher<'_, '_>) {
    measure(bencher, "arith", &Input::new(vec![ArgSpec::Int(1_000_000)]));
}

#[divan::bench(sample_count = 10)]
fn memory(bencher: divan::Bencher<'_, '_>) {
    let buffer = ArgSpec::Buffer(Box::new(Contents::zeroed(4096)));
    measure(bencher, "memory", &Input::new(vec![buffer, ArgSpec::Int(1_000_000)]));
}

#[divan::bench(sample_count = 10)]
fn calls(bencher: divan::Bencher<'_, '_>) {
    measure(bencher, "calls", &Input::new(vec![ArgSpec::Int(500_000)]));
}

/// Runs per second: one item is one run.
#[divan::bench]
fn short_run_with_record(bencher: divan::Bencher<'_, '_>) {
    with_machine("short", |id, machine| {
        let input = Input::new(vec![ArgSpec::Int(3), ArgSpec::Int(9)]);
        bencher
            .counter(ItemsCount::new(1u32))
            .bench_local(|| machine.run(id, &input, &mut ZeroChooser, &mut NoObserver));
    });
}

/// Runs per second: one item is one run.
#[divan::bench]
fn short_run_to_end(bencher: divan::Bencher<'_, '_>) {
    with_machine("short", |id, machine| {
        let input = Input::new(vec![ArgSpec::Int(3), ArgSpec::Int(9)]);
        bencher
            .counter(ItemsCount::new(1u32))
            .bench_local(|| machine.run_to_end(id, &input, &mut ZeroChooser));
    });
}

/// One item is one run; on one thread, and on all available threads.
#[divan::bench(args = [1, 0], sample_count = 10)]
fn exhaustive_i8_i8(bencher: divan::Bencher<'_, '_>, threads: usize) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let inputs = Exhaustive::new(vec![8, 8], true).expect("they are few");
    with_machine("short", |id, machine| {
        let batch = Batch::new(machine.program(), Config::default(), id);
        bencher.counter(ItemsCount::new(inputs.count())).bench_local(|| {
            let all = pool.install(|| {
                let read = |_, ended: backedge_interp::Ended, _: &_| {
                    u32::from(matches!(ended.outcome, Outcome::Returned(_)))
                };
                batch.run(inputs.count(), |i, input| inputs.fill(i, input), |_| ZeroChooser, read)
            });
            all.expect("the inputs fit").iter().sum::<u32>()
        });
    });
}
