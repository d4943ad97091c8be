//! Generated well-defined programs: the interpreter and LLVM's own execution must agree on all of them.
//!
//! Programs are run in batches, with one `lli` process per batch. All are compiled, at one of two optimization
//! levels; `lli --force-interpreter` also runs the programs that use only its supported features. The interpreter
//! runs each program with two choosers, which must give the same result. The numbers of runs are printed
//! (`--nocapture` shows them).
//!
//! Casts between vectors of three and two lanes are excluded, because LLVM 22 folds constant ones wrongly: for the
//! low half of lane 1 of `bitcast <3 x i32> <i32 7, i32 2147483647, i32 2147483647> to <2 x i48>`, `opt
//! -passes=instsimplify` gives 65535, and the code generator gives 32767, which is right.
//!
//! If native code gives another result, LLVM's `opt` optimizes the program, and it is run again. If that gives the
//! interpreter's result, LLVM contradicts itself; this is printed and may happen once in 2,000 programs. An example:
//! for the overflow bits of `sadd.with.overflow` of a constant `<8 x i8>` with itself whose first and seventh lanes
//! overflow, the code generator gives 130; for the same lanes loaded from memory it gives 65, in agreement with the
//! definition.
//!
//! `BACKEDGE_CASES` sets the total number of programs (default 8,000), `BACKEDGE_SEED` the first seed.

use crate::support;
use backedge_interp::chooser::{Chooser, RandomChooser, ZeroChooser};
use backedge_interp::outcome::Outcome;
use backedge_interp::{Config, Machine, Program, input::Input, trace::NoObserver};
use backedge_ir::module::Module;
use backedge_testkit::generate::{self, Features};
use backedge_testkit::number;
use backedge_testkit::{Peer, peer};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Programs per `lli` process.
const BATCH: usize = 50;
/// Small programs per `lli` process.
const SMALL_BATCH: usize = 200;

/// The interpreter's result of `entry` in hexadecimal, or how it failed.
fn interpret(machine: &mut Machine<'_>, module: &Module, entry: &str) -> String {
    let func = module.env.func_named(entry).expect("the entry is there");
    let mut results = Vec::new();
    for chooser in [&mut ZeroChooser as &mut dyn Chooser, &mut RandomChooser::new(1)] {
        let run =
            machine.run(func, &Input::default(), chooser, &mut NoObserver).expect("there are no parameters");
        let result = match &run.outcome {
            Outcome::Returned(Some(value)) => match value.as_int(64).and_then(|v| v.to_u64()) {
                Some(bits) => format!("{bits:016x}"),
                None => format!("returned {value:?}"),
            },
            outcome => format!("{outcome:?}"),
        };
        results.push(result);
    }
    if results[0] == results[1] { results.swap_remove(0) } else { format!("not one result: {results:?}") }
}

/// Arguments of `lli`.
type Args = &'static [&'static str];

const OPTIMIZED: Args = &["--jit-kind=mcjit", "-O2"];
const UNOPTIMIZED: Args = &["--jit-kind=mcjit", "-O0"];
const INTERPRETED: Args = &["--force-interpreter"];

/// A kind of programs, with the ways to run them.
#[derive(Copy, Clone)]
struct Way {
    runs: &'static [Args],
    features: Features,
}

/// The results of `lli` for a module of programs: one line per program.
fn run_by_lli(lli: &Peer, args: Args, text: &str, seeds: &std::ops::Range<u64>) -> Vec<String> {
    let answer = lli.run_for(args, text.as_bytes(), Duration::from_secs(120));
    assert!(answer.ok(), "lli {args:?} on seeds {seeds:?}: {answer:?}");
    let lines: Vec<String> = answer.stdout.lines().map(str::to_owned).collect();
    let count = seeds.end - seeds.start;
    assert_eq!(lines.len() as u64, count, "lli {args:?} on seeds {seeds:?}: a line for each program");
    lines
}

/// The result of native code for a program optimized by `opt`.
fn run_optimized(lli: &Peer, program: &generate::Program, seeds: &std::ops::Range<u64>) -> Option<String> {
    let opt = peer("opt", "a second opinion of LLVM")?;
    let text = generate::module(std::slice::from_ref(program));
    let answer = opt.run_for(&["-O2", "-S"], text.as_bytes(), Duration::from_secs(60));
    assert!(answer.ok(), "opt on one of seeds {seeds:?}: {answer:?}");
    let one = program.seed..program.seed + 1;
    run_by_lli(lli, UNOPTIMIZED, &answer.stdout, &one).pop()
}

/// Results of many programs.
#[derive(Default)]
struct Tally {
    /// Programs on which the two differ.
    wrong: Vec<String>,
    /// Programs on which LLVM's code generator differs from its optimizer, which agrees with the interpreter.
    contradictions: Vec<u64>,
}

/// Runs a batch in the interpreter and in all ways of `way`.
fn batch(lli: &Peer, way: Way, seeds: std::ops::Range<u64>) -> Tally {
    let programs: Vec<_> = seeds.clone().map(|seed| generate::program(seed, way.features)).collect();
    let text = generate::module(&programs);
    let expected: Vec<(Args, Vec<String>)> =
        way.runs.iter().map(|args| (*args, run_by_lli(lli, args, &text, &seeds))).collect();

    let module = support::module(&text);
    let config = Config { fuel: 20_000_000, ..Config::default() };
    let program = Program::new(&module, &config);
    let mut machine = Machine::new(&program, config);
    let mut tally = Tally::default();
    for (i, generated) in programs.iter().enumerate() {
        let got = interpret(&mut machine, &module, &generated.entry);
        for (args, lines) in expected.iter().filter(|(_, lines)| lines[i] != got) {
            if *args != INTERPRETED && run_optimized(lli, generated, &seeds).as_ref() == Some(&got) {
                tally.contradictions.push(generated.seed);
                continue;
            }
            tally.wrong.push(format!(
                "seed {} ({:?}): {got} here, {} by lli {args:?}\n{}",
                generated.seed,
                way.features,
                lines[i],
                generated.standalone()
            ));
        }
    }
    tally
}

/// Compares a share of the programs, from `low` to `high` percent, with several batches in parallel.
fn compare(what: &str, way: Way, low: usize, high: usize) {
    let Some(lli) = peer("lli", what) else { return };
    let total = number("BACKEDGE_CASES", 4000);
    let first = number("BACKEDGE_SEED", 0) + total * low / 100;
    let count = total * (high - low) / 100;
    let next = AtomicUsize::new(0);
    let size = if way.features.small { SMALL_BATCH } else { BATCH };
    let threads = std::thread::available_parallelism().map_or(2, usize::from).min(8);
    let work = || {
        let mut tally = Tally::default();
        loop {
            let at = next.fetch_add(size, Ordering::Relaxed);
            if at >= count {
                return tally;
            }
            let seeds = (first + at) as u64..(first + (at + size).min(count)) as u64;
            let Tally { wrong, contradictions } = batch(&lli, way, seeds);
            tally.wrong.extend(wrong);
            tally.contradictions.extend(contradictions);
        }
    };
    let tallies: Vec<Tally> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().map(|w| w.join().expect("a worker")).collect()
    });
    let contradictions: Vec<u64> = tallies.iter().flat_map(|t| t.contradictions.iter().copied()).collect();
    let wrong: Vec<&str> = tallies.iter().flat_map(|t| t.wrong.iter().map(String::as_str)).collect();
    for args in way.runs {
        println!("{count} of {total} programs were run by lli {}", args.join(" "));
    }
    if !contradictions.is_empty() {
        println!("LLVM's native code contradicts its optimizer, which agrees, on seeds {contradictions:?}");
    }
    assert!(contradictions.len() <= count.div_ceil(2000), "LLVM contradicts itself on {contradictions:?}");
    let shown: Vec<&str> = wrong.iter().take(3).copied().collect();
    assert!(
        wrong.is_empty(),
        "{} of {count} programs differ; some of them:\n{}",
        wrong.len(),
        shown.join("\n")
    );
}

#[test]
fn programs_agree_with_optimized_native_code() {
    let way = Way { runs: &[OPTIMIZED], features: Features { lane_casts: false, ..Features::SMALL } };
    compare("programs against lli -O2", way, 0, 20);
}

#[test]
fn programs_agree_with_unoptimized_native_code() {
    let way = Way { runs: &[UNOPTIMIZED], features: Features { lane_casts: false, ..Features::SMALL } };
    compare("programs against lli -O0", way, 20, 65);
}

#[test]
fn large_programs_agree_with_native_code() {
    let way = Way { runs: &[OPTIMIZED], features: Features { lane_casts: false, ..Features::ALL } };
    compare("large programs against lli -O2", way, 65, 70);
}

#[test]
fn programs_agree_with_the_interpreter_of_llvm_and_native_code() {
    let features = Features { small: true, ..Features::INTERPRETED };
    let way = Way { runs: &[INTERPRETED, UNOPTIMIZED], features };
    compare("programs against lli --force-interpreter", way, 70, 97);
}

#[test]
fn large_programs_agree_with_the_interpreter_of_llvm_and_native_code() {
    let way = Way { runs: &[INTERPRETED, OPTIMIZED], features: Features::INTERPRETED };
    compare("large programs against lli --force-interpreter", way, 97, 100);
}

/// Changes of a program's text that only the interpreter sees: in floats, vectors, calls, memory, control flow and
/// integers.
const FAULTS: [(&str, &str); 24] = [
    (" = fadd ", " = fsub "),
    (" = fmul ", " = fdiv "),
    (" fcmp olt ", " fcmp ole "),
    (" fcmp ult ", " fcmp olt "),
    (" = sitofp ", " = uitofp "),
    ("llvm.minimum.", "llvm.maximum."),
    ("llvm.fptosi.sat.", "llvm.fptoui.sat."),
    ("llvm.vector.reduce.fadd.", "llvm.vector.reduce.fmul."),
    ("llvm.vector.reduce.smin.", "llvm.vector.reduce.umin."),
    (", i32 0\n", ", i32 1\n"),
    ("x i32> <i32 0,", "x i32> <i32 1,"),
    (".fns0, ptr ", ".fns1, ptr "),
    (" atomicrmw add ", " atomicrmw sub "),
    (" atomicrmw umax ", " atomicrmw max "),
    (", 0\n", ", 1\n"),
    (" = sext ", " = zext "),
    (" = ashr ", " = lshr "),
    (" icmp slt ", " icmp sle "),
    ("llvm.fshl.", "llvm.fshr."),
    ("llvm.sadd.sat.", "llvm.ssub.sat."),
    (" inbounds i16, ptr ", " inbounds i8, ptr "),
    ("llvm.smax.", "llvm.umax."),
    (" icmp ne ", " icmp eq "),
    ("llvm.cttz.", "llvm.ctlz."),
];

/// Number of programs tried to find a fault.
const FOR_FAULTS: u64 = 400;

#[test]
fn a_fault_of_the_interpreter_is_found() {
    let Some(lli) = peer("lli", "programs with faults") else { return };
    let features = Features { lane_casts: false, ..Features::SMALL };
    let programs: Vec<_> = (0..FOR_FAULTS).map(|seed| generate::program(seed, features)).collect();
    let text = generate::module(&programs);
    let answer = lli.run_for(UNOPTIMIZED, text.as_bytes(), Duration::from_secs(120));
    assert!(answer.ok(), "{answer:?}");
    let expected: Vec<&str> = answer.stdout.lines().collect();
    let finds = |(from, to): &(&str, &str)| {
        programs.iter().zip(&expected).any(|(program, expected)| {
            let text = program.standalone();
            // A change that makes the text invalid is not counted.
            let changed = text.replace(from, to);
            let parsed = (changed != text).then(|| backedge_ir::parse::read_module(changed.as_bytes()).ok());
            let Some(Some(parsed)) = parsed else { return false };
            let config = Config { fuel: 1_000_000, ..Config::default() };
            let compiled = Program::new(&parsed.module, &config);
            let mut machine = Machine::new(&compiled, config);
            interpret(&mut machine, &parsed.module, &program.entry) != *expected
        })
    };
    let missed: Vec<&str> = FAULTS.iter().filter(|fault| !finds(fault)).map(|(from, _)| *from).collect();
    assert!(missed.is_empty(), "faults that no program shows: {missed:?}");
}
