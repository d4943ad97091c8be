//! Compares the memory facts of the legality analysis with runs of random loops: the accesses that execute in each
//! iteration, the progression of their addresses, the distances in iterations at which they touch the same bytes, and
//! the ranges for run-time checks.

use crate::common::formed;
use backedge_analysis::LoopId;
use backedge_analysis::cache::Analyses;
use backedge_interp::chooser::RandomChooser;
use backedge_interp::input::{ArgSpec, Input};
use backedge_interp::memory::Contents;
use backedge_interp::outcome::Outcome;
use backedge_interp::trace::{Done, Entry, Observer};
use backedge_interp::value::Val;
use backedge_interp::{Config, Machine, Program};
use backedge_ir::entity::{Arg, Block, EntityId, FuncId, Inst};
use backedge_ir::inst::Value;
use backedge_ir::module::Module;
use backedge_scev::ScalarEvolution;
use backedge_testkit::Dice;
use backedge_vplan::legality::{Access, HeaderPhi, Legality, Limits, Pattern, check};
use std::collections::HashMap;
use std::fmt::Write;

/// The size of the buffer at `%p` in bytes.
const BUFFER: usize = 512;

/// A loop over up to 12 iterations with accesses around the middle of the buffer.
fn program(seed: u64) -> String {
    let mut dice = Dice::new(seed);
    let mut body = String::new();
    let (start, by) = (dice.between(-2, 2), dice.between(1, 2));
    let accesses = dice.below(3) + 2;
    let masked = dice.below(accesses + 2);
    // Most accesses have the same stride.
    let usual = dice.between(-4, 6);
    let mut last = "%a".to_owned();
    for n in 0..accesses {
        let size = dice.pick(&[8, 8, 16, 32]);
        let scale = if dice.one_in(8) { dice.between(-4, 6) } else { usual };
        let offset = dice.between(0, 48);
        let shift = if dice.one_in(8) { "%m" } else { "0" };
        if n == masked {
            let _ = writeln!(body, "  br i1 %odd, label %then, label %latch\nthen:");
        }
        let _ = writeln!(
            body,
            "  %s{n} = mul i64 %i, {scale}\n  %o{n} = add i64 %s{n}, {}\n  %k{n} = add i64 %o{n}, {shift}\n  \
             %at{n} = getelementptr i8, ptr %p, i64 %k{n}",
            192 + offset
        );
        if dice.one_in(2) {
            let _ = writeln!(body, "  %v{n} = load i{size}, ptr %at{n}, align 1");
            // A value loaded in a conditional block is used only in that block.
            if n < masked {
                let _ = writeln!(body, "  %w{n} = zext i{size} %v{n} to i64");
                last = format!("%w{n}");
            }
        } else {
            let _ = writeln!(
                body,
                "  %x{n} = trunc i64 {last} to i{size}\n  store i{size} %x{n}, ptr %at{n}, align 1"
            );
        }
    }
    let into = if masked < accesses { "" } else { "  br label %latch\n" };
    let more = if masked < accesses { "  br label %latch\n" } else { "" };
    format!(
        "define i64 @f(ptr %p, i64 %n, i64 %m, i64 %a) {{\nentry:\n  br label %loop\nloop:\n  \
         %i = phi i64 [ {start}, %entry ], [ %i.next, %latch ]\n  %c = phi i64 [ 0, %entry ], [ %c.next, %latch ]\n  \
         %bit = and i64 %i, 3\n  %odd = icmp eq i64 %bit, 1\n{body}{into}{more}latch:\n  \
         %i.next = add i64 %i, {by}\n  %c.next = add nuw nsw i64 %c, 1\n  %again = icmp ult i64 %c.next, %n\n  \
         br i1 %again, label %loop, label %exit\nexit:\n  ret i64 %i\n}}\n"
    )
}

/// An access that was executed.
struct Happened {
    inst: Inst,
    iteration: i128,
    address: u64,
}

/// Observes the execution of one loop.
struct Watch<'a> {
    legality: &'a Legality,
    values: HashMap<Value, u64>,
    ints: HashMap<(Inst, i128), u64>,
    iteration: i128,
    happened: Vec<Happened>,
}

impl Observer for Watch<'_> {
    fn call(&mut self, entry: Entry<'_>) {
        for (i, value) in entry.args.iter().enumerate() {
            if let Val::Ptr(ptr) = value {
                self.values.insert(Arg::from_index(i).into(), ptr.addr);
            }
        }
    }
    fn enter(&mut self, _: FuncId, block: Block, _: usize) {
        self.iteration += i128::from(block == self.legality.form.header);
    }
    fn step(&mut self, done: Done<'_>) {
        if let Some(access) = self.legality.access(done.inst)
            && let Some(address) = self.values.get(&access.pointer)
        {
            self.happened.push(Happened { inst: done.inst, iteration: self.iteration, address: *address });
        }
        match done.value {
            Some(Val::Ptr(ptr)) => {
                self.values.insert(done.inst.into(), ptr.addr);
            }
            Some(Val::Bits(bits)) => {
                self.ints.insert((done.inst, self.iteration), *bits);
            }
            _ => {}
        }
    }
}

/// Statistics of the comparisons.
#[derive(Default, Debug)]
struct Seen {
    legal: u32,
    refused: u32,
    limited: u32,
    checked: u32,
    overlapping: u32,
    conflicts: u32,
    masked: u32,
}

fn bytes_touch(a: (u64, u64), b: (u64, u64)) -> bool {
    a.0 < b.0 + b.1 && b.0 < a.0 + a.1
}

/// The index of the range that contains `access`.
fn range_of(legality: &Legality, inst: Inst) -> Option<usize> {
    legality.dependences.checks.as_ref()?.ranges.iter().position(|r| r.accesses.contains(&inst))
}

/// The first and last byte of a range, derived from an executed access of it.
fn extent(legality: &Legality, watch: &Watch<'_>, range: usize, taken: i128) -> Option<(i128, i128)> {
    let range = &legality.dependences.checks.as_ref()?.ranges[range];
    let of_start = watch.happened.iter().find(|h| h.inst == range.accesses[0])?;
    let start = i128::from(of_start.address) - i128::from(range.step) * of_start.iteration;
    let walked = taken * i128::from(range.step.unsigned_abs());
    let low = start + range.from - if range.step < 0 { walked } else { 0 };
    Some((low, low + range.to - range.from + walked))
}

fn judge(legality: &Legality, watch: &Watch<'_>, seen: &mut Seen) {
    let iterations = watch.iteration + 1;
    let access = |h: &Happened| -> &Access { legality.access(h.inst).expect("it is one") };
    for of in &legality.accesses {
        let own: Vec<&Happened> = watch.happened.iter().filter(|h| h.inst == of.inst).collect();
        seen.masked += u32::from(of.masked && own.len() < iterations as usize);
        assert!(of.masked || own.len() as i128 == iterations, "an access in each iteration");
        for pair in own.windows(2) {
            let apart = i128::from(pair[1].address) - i128::from(pair[0].address);
            let passed = pair[1].iteration - pair[0].iteration;
            let size = i128::from(of.bytes);
            match of.pattern {
                Pattern::Uniform => assert_eq!(apart, 0),
                Pattern::Consecutive => assert_eq!(apart, size * passed),
                Pattern::Reverse => assert_eq!(apart, -size * passed),
                Pattern::Strided(step) => assert_eq!(apart, i128::from(step) * passed),
                Pattern::Scattered => {}
            }
        }
    }
    let taken = iterations - 1;
    for h in &watch.happened {
        let Some(range) = range_of(legality, h.inst) else { continue };
        let Some((low, last)) = extent(legality, watch, range, taken) else { continue };
        let (first, end) = (i128::from(h.address), i128::from(h.address + access(h).bytes) - 1);
        assert!(low <= first && end <= last, "bytes are in their range");
    }
    for x in &watch.happened {
        for y in &watch.happened {
            let (a, b) = (access(x), access(y));
            let in_order = legality.form.position(x.inst) < legality.form.position(y.inst);
            let distance = x.iteration - y.iteration;
            // The later access of an earlier iteration touches the bytes of the earlier access.
            if !in_order || distance < 1 || !a.is_store && !b.is_store {
                continue;
            }
            if !bytes_touch((x.address, a.bytes), (y.address, b.bytes)) {
                continue;
            }
            seen.conflicts += 1;
            let pair = range_of(legality, x.inst).zip(range_of(legality, y.inst));
            let is_checked = pair.is_some_and(|(p, q)| {
                let checks = legality.dependences.checks.as_ref().expect("ranges");
                checks.pairs.contains(&(p.min(q), p.max(q)))
            });
            if is_checked {
                let (p, q) = pair.expect("a pair");
                let ends = extent(legality, watch, p, taken).zip(extent(legality, watch, q, taken));
                let overlaps = ends.is_none_or(|(p, q)| p.0 <= q.1 && q.0 <= p.1);
                assert!(overlaps, "the check fails where accesses touch the same bytes");
                seen.overlapping += 1;
                continue;
            }
            let most = legality.dependences.most_lanes.map_or(i128::MAX, i128::from);
            assert!(most <= distance, "lanes that depend on each other: {distance}, at most {most}");
        }
    }
    for (phi, kind) in &legality.phis {
        let HeaderPhi::Induction(_) = kind else { panic!("inductions alone are here") };
        let at = |i: i128| watch.ints.get(&(*phi, i)).copied();
        let step = at(1).zip(at(0)).map(|(b, a)| b.wrapping_sub(a));
        for i in 1..iterations {
            let moved = at(i).zip(at(i - 1)).map(|(b, a)| b.wrapping_sub(a));
            assert_eq!(moved, step, "one step");
        }
    }
}

fn run_on(module: &Module, legality: &Legality, args: [u128; 3], seen: &mut Seen) {
    let func = module.env.func_named("f").expect("it has @f");
    let config = Config { fuel: 5000, ..Config::default() };
    let program = Program::new(module, &config);
    let mut machine = Machine::new(&program, config);
    let buffer = ArgSpec::Buffer(Box::new(Contents::from_bytes((0..BUFFER).map(|b| b as u8).collect())));
    let ints = args.map(ArgSpec::Bits);
    let input = Input::new(std::iter::once(buffer).chain(ints).collect());
    let (values, ints, happened) = (HashMap::new(), HashMap::new(), Vec::new());
    let mut watch = Watch { legality, values, ints, iteration: -1, happened };
    let run = machine.run(func, &input, &mut RandomChooser::new(1), &mut watch).expect("a run");
    if matches!(run.outcome, Outcome::Returned(_)) {
        judge(legality, &watch, seen);
    }
}

fn legality_of(module: &Module) -> Option<Legality> {
    let func = module.env.func_named("f").expect("it has @f");
    let analyses = Analyses::of(func);
    let mut scev = ScalarEvolution::new(analyses.at(&module.env, module.body(func).expect("code")));
    let l: LoopId = scev.loops().ids().next().expect("a loop");
    check(&mut scev, l, Limits::default()).ok()
}

#[test]
fn what_is_said_of_memory_is_so() {
    let mut seen = Seen::default();
    let seeds = backedge_testkit::seeds(1500);
    for seed in seeds {
        let text = program(seed);
        let module = formed(&text);
        let Some(legality) = legality_of(&module) else {
            seen.refused += 1;
            continue;
        };
        seen.legal += 1;
        seen.limited += u32::from(legality.dependences.most_lanes.is_some());
        seen.checked += u32::from(legality.dependences.checks.is_some());
        for (n, m) in [(12, 0), (9, 40), (5, 7), (1, 3), (12, 17)] {
            let judged = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                run_on(&module, &legality, [n, m, seed.into()], &mut seen);
            }));
            assert!(judged.is_ok(), "seed {seed}, n {n}, m {m}:\n{text}");
        }
    }
    println!("{seen:?}");
    assert!(seen.legal > 500 && seen.refused > 50 && seen.limited > 50 && seen.checked > 50, "{seen:?}");
    assert!(seen.conflicts > 500 && seen.overlapping > 100 && seen.masked > 100, "{seen:?}");
}
