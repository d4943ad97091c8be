//! Short and full forms of operations are equivalent. An observed run executes every operation in its full form, an
//! unobserved run uses the short forms; both must be the same run, down to the last choice, step and byte.
//!
//! Checked on generated programs, on small functions over all inputs that distinguish cases, on functions with more
//! registers than short forms can address, and on LLVM's loop tests if `BACKEDGE_LLVM_TESTS` is set.

use crate::support;
use backedge_interp::chooser::RandomChooser;
use backedge_interp::input::{ArgSpec, Input};
use backedge_interp::memory::Contents;
use backedge_interp::outcome::Outcome;
use backedge_interp::trace::{Done, NoObserver, Observer};
use backedge_interp::value::Val;
use backedge_interp::{Config, Machine, Program, Run};
use backedge_ir::entity::{Block, FuncId};
use backedge_ir::module::Module;
use backedge_testkit::generate::{self, Features};
use std::fmt::Write as _;

/// Observes everything and counts it.
#[derive(Default)]
struct Counter(u64);

impl Observer for Counter {
    fn enter(&mut self, _: FuncId, _: Block, _: usize) {
        self.0 += 1;
    }
    fn step(&mut self, _: Done<'_>) {
        self.0 += 1;
    }
}

/// Runs `func` both ways, in two machines, and asserts that the runs are equal. `None` if the input does not fit.
fn both(machines: &mut [Machine<'_>; 2], func: FuncId, input: &Input, seed: u64, what: &str) -> Option<Run> {
    let [short, full] = machines;
    let mut seen = Counter::default();
    let watched = full.run(func, input, &mut RandomChooser::new(seed), &mut seen);
    let alone = short.run(func, input, &mut RandomChooser::new(seed), &mut NoObserver);
    let (Ok(watched), Ok(alone)) = (watched, alone) else { return None };
    assert_eq!(alone, watched, "{what}: {input:?}");
    // The instruction that ends a run is not a step: the first one may be UB, or an allocation that throws.
    let ended = alone.outcome.ub().is_some() || matches!(alone.outcome, Outcome::DidNotReturn { .. });
    assert!(seen.0 > 0 || alone.outcome.shows_nothing() || ended, "{what}");
    Some(alone)
}

fn with_machines<T>(module: &Module, fuel: u64, act: impl FnOnce(&mut [Machine<'_>; 2]) -> T) -> T {
    let config = Config { fuel, max_bytes: 1 << 24, ..Config::default() };
    let program = Program::new(module, &config);
    act(&mut [Machine::new(&program, config.clone()), Machine::new(&program, config)])
}

#[test]
fn generated_programs() {
    for seed in 0..150 {
        let generated = generate::program(seed, Features::ALL);
        let module = support::module(&generated.standalone());
        let entry = module.env.func_named(&generated.entry).expect("the entry is there");
        for fuel in [20_000_000, 1000] {
            with_machines(&module, fuel, |machines| {
                both(machines, entry, &Input::default(), seed, &format!("seed {seed}"))
            })
            .expect("there are no parameters");
        }
    }
}

/// All operations on two integers with short forms, at a width.
fn operations(width: u32) -> Vec<String> {
    let binary = [
        "add",
        "add nuw",
        "add nsw",
        "add nuw nsw",
        "sub",
        "sub nuw",
        "sub nsw",
        "sub nuw nsw",
        "mul",
        "mul nuw",
        "mul nsw",
        "mul nuw nsw",
        "shl",
        "shl nuw",
        "shl nsw",
        "shl nuw nsw",
        "lshr",
        "lshr exact",
        "ashr",
        "ashr exact",
        "and",
        "or",
        "or disjoint",
        "xor",
        "udiv",
        "udiv exact",
        "sdiv",
        "sdiv exact",
        "urem",
        "srem",
    ];
    let mut all: Vec<String> = binary.iter().map(|op| format!("%r = {op} i{width} %x, %y\n")).collect();
    let (less, more) = (width - 1, width + 1);
    for pred in ["eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle", "samesign ult"] {
        all.push(format!("%c = icmp {pred} i{width} %x, %y\n%r = select i1 %c, i{width} %y, i{width} 1\n"));
        all.push(format!("%c = icmp {pred} i{width} %x, %y\n%r = zext i1 %c to i{width}\n"));
        all.push(format!(
            "%c = icmp {pred} i{width} %x, %y\nbr i1 %c, label %a, label %b\na:\nret i{width} %x\nb:\n%r = sext i1 %c to i{width}\n"
        ));
    }
    for flags in ["", "nuw", "nsw"] {
        all.push(format!("%t = trunc {flags} i{width} %x to i{less}\n%r = sext i{less} %t to i{width}\n"));
        all.push(format!("%t = trunc {flags} i{width} %x to i{less}\n%r = zext i{less} %t to i{width}\n"));
    }
    for name in ["umin", "umax", "smin", "smax"] {
        all.push(format!("%r = call i{width} @llvm.{name}.i{width}(i{width} %x, i{width} %y)\n"));
    }
    let cases = [0, 1, 3].map(|n| if width == 2 || n < 2 { n } else { n + 2 });
    let cases = cases.map(|n| format!("i{width} {n}, label %{}", if n == 1 { "a" } else { "b" })).join(" ");
    all.push(format!(
        "switch i{width} %x, label %c [ {cases} ]\na:\nbr label %c\nb:\nret i{width} %y\nc:\n\
         %r = phi i{width} [ 1, %0 ], [ %y, %a ]\n"
    ));
    for flags in ["", "nneg"] {
        all.push(format!("%t = zext {flags} i{width} %x to i{more}\n%r = trunc i{more} %t to i{width}\n"));
    }
    all
}

#[test]
fn integers_of_many_widths() {
    let mut runs = 0;
    for width in [2, 5, 8, 31, 32, 33, 63, 64] {
        let mut text = String::new();
        let all = operations(width);
        for (i, body) in all.iter().enumerate() {
            let ty = format!("i{width}");
            writeln!(text, "define {ty} @f{i}({ty} %x, {ty} %y) {{\n{body}ret {ty} %r\n}}")
                .expect("a string");
        }
        let module = support::module(&text);
        let top = 1i128 << (width - 1);
        let numbers =
            [0, 1, 2, 3, top - 2, top - 1, top, top + 1, 2 * top - 2, 2 * top - 1, i128::from(width) - 1];
        let values: Vec<ArgSpec> =
            numbers.map(ArgSpec::Int).into_iter().chain([ArgSpec::Poison, ArgSpec::Undef]).collect();
        with_machines(&module, 1000, |machines| {
            for (i, body) in all.iter().enumerate() {
                let func = module.env.func_named(&format!("f{i}")).expect("it is there");
                for (x, y) in values.iter().flat_map(|x| values.iter().map(move |y| (x, y))) {
                    let input = Input::new(vec![x.clone(), y.clone()]);
                    both(machines, func, &input, 7, body).expect("the input fits");
                    runs += 1;
                }
            }
        });
    }
    assert!(runs > 80_000, "{runs}");
}

const MEMORY: &str = "
@constant = constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@global = global [4 x i32] [i32 5, i32 6, i32 7, i32 8]
define i32 @load(ptr %p, i32 %i) {
  %q = getelementptr inbounds i32, ptr %p, i32 %i
  %v = load i32, ptr %q
  ret i32 %v
}
define i32 @load_nuw(ptr %p, i64 %i) {
  %q = getelementptr nuw i32, ptr %p, i64 %i
  %v = load i32, ptr %q, align 1
  ret i32 %v
}
define i64 @store(ptr %p, i64 %i, i64 %v) {
  %q = getelementptr i64, ptr %p, i64 %i
  store i64 %v, ptr %q, align 4
  %w = load i64, ptr %p, align 4
  ret i64 %w
}
define i8 @bytes(ptr %p, i8 %i) {
  %q = getelementptr inbounds nuw i8, ptr %p, i8 %i
  store i8 %i, ptr %q
  %r = getelementptr inbounds i8, ptr %q, i64 1
  %v = load i8, ptr %r
  store i16 3, ptr %r, align 1
  %w = load i16, ptr %q, align 1
  %t = trunc i16 %w to i8
  %s = add i8 %t, %v
  ret i8 %s
}
define i32 @local(i32 %n) {
entry:
  %a = alloca [8 x i32]
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %q = getelementptr inbounds [8 x i32], ptr %a, i64 0, i32 %i
  store i32 %i, ptr %q
  %j = add i32 %i, 1
  %c = icmp ne i32 %j, %n
  br i1 %c, label %loop, label %exit
exit:
  %e = getelementptr inbounds [8 x i32], ptr %a, i64 0, i32 2
  %v = load i32, ptr %e
  %f = freeze i32 %v
  ret i32 %f
}
define i64 @mixed(ptr %p, ptr %q) {
  store ptr %q, ptr %p
  %a = load i64, ptr %p
  store i64 7, ptr %p
  %b = load i64, ptr %p
  %s = add i64 %a, %b
  ret i64 %s
}
define i64 @pointers(ptr %p, ptr %q, i64 %i) {
  %a = getelementptr i8, ptr %p, i64 %i
  store ptr %q, ptr %a, align 1
  %b = load ptr, ptr %p
  %c = icmp eq ptr %b, %q
  store i8 0, ptr %a
  %d = load ptr, ptr %p
  %e = icmp eq ptr %d, null
  %x = zext i1 %c to i64
  %y = zext i1 %e to i64
  %s = add i64 %x, %y
  %f = load i16, ptr %p
  %z = zext i16 %f to i64
  %t = add i64 %s, %z
  ret i64 %t
}
define i1 @order(ptr %p, ptr %q) {
  %l = alloca i32
  %m = getelementptr i8, ptr %p, i64 4
  %c = icmp ult ptr %p, %m
  %d = icmp ne ptr %p, %q
  %e = icmp eq ptr %l, %p
  %f = and i1 %c, %d
  %g = xor i1 %e, %f
  ret i1 %g
}
define i32 @noalias(ptr noalias %p, ptr %q) {
  store i32 1, ptr %p
  %v = load i32, ptr %q
  ret i32 %v
}
define i32 @reader(ptr %p, ptr %q) memory(read) {
  %v = load i32, ptr %q
  store i32 %v, ptr %p
  ret i32 %v
}
";

/// Loads, stores and address arithmetic through pointers of all kinds.
#[test]
fn memory_of_many_kinds() {
    let module = support::module(MEMORY);
    let mut odd = Contents::zeroed(16);
    odd.set_poison(4, 1);
    odd.set_undef(8, 2);
    let buffer = |c: Contents| ArgSpec::Buffer(Box::new(c));
    let inside = ArgSpec::Inside { contents: Box::new(Contents::zeroed(16)), offset: 8 };
    let global = |name: &str, offset| ArgSpec::Global { name: name.to_owned(), offset };
    let pointers = [
        buffer(Contents::zeroed(16)),
        buffer(odd),
        inside,
        ArgSpec::Null,
        ArgSpec::Poison,
        ArgSpec::Undef,
        ArgSpec::Address(0x1000),
        global("constant", 0),
        global("global", 4),
        global("load", 0),
        ArgSpec::Alias { arg: 0, offset: 0 },
    ];
    let numbers = [0, 1, 2, 3, 4, 5, 8, -1, -2, 127].map(ArgSpec::Int);
    let numbers: Vec<_> = numbers.into_iter().chain([ArgSpec::Poison, ArgSpec::Undef]).collect();
    let (mut runs, mut returned) = (0, 0);
    with_machines(&module, 500, |machines| {
        for (func, body) in module.bodies() {
            let choices: Vec<&[ArgSpec]> = body
                .args()
                .map(|a| if body.ty(a.into()).is_ptr() { &pointers[..] } else { &numbers[..] })
                .collect();
            let total: usize = choices.iter().map(|c| c.len()).product();
            for mut n in 0..total {
                let mut args = Vec::new();
                for list in &choices {
                    args.push(list[n % list.len()].clone());
                    n /= list.len();
                }
                let name = &module.env.funcs[func].name;
                let Some(run) = both(machines, func, &Input::new(args), 5, name) else { continue };
                runs += 1;
                returned += usize::from(matches!(run.outcome, Outcome::Returned(_)));
            }
        }
    });
    assert!(runs > 1500 && returned > 300 && returned < runs, "{returned} of {runs}");
}

#[test]
fn floats_of_both_kinds() {
    let mut text = String::new();
    let all: Vec<(&str, &str)> = ["float", "double"]
        .into_iter()
        .flat_map(|ty| ["fadd", "fsub", "fmul", "fdiv", "frem", "fadd nnan", "fmul nsz"].map(|op| (ty, op)))
        .collect();
    for (i, (ty, op)) in all.iter().enumerate() {
        writeln!(text, "define {ty} @f{i}({ty} %x, {ty} %y) {{\n%r = {op} {ty} %x, %y\nret {ty} %r\n}}")
            .expect("a string");
    }
    let module = support::module(&text);
    let values =
        [0.0, -0.0, 1.0, -1.5, 3.0e38, -2.5e-45, 1.0e-310, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    let values: Vec<ArgSpec> =
        values.map(ArgSpec::Float).into_iter().chain([ArgSpec::Poison, ArgSpec::Undef]).collect();
    with_machines(&module, 100, |machines| {
        for (i, (ty, op)) in all.iter().enumerate() {
            let func = module.env.func_named(&format!("f{i}")).expect("it is there");
            for (x, y) in values.iter().flat_map(|x| values.iter().map(move |y| (x, y))) {
                let input = Input::new(vec![x.clone(), y.clone()]);
                both(machines, func, &input, 9, &format!("{op} {ty}")).expect("the input fits");
            }
        }
    });
}

/// A chain of additions so long that most registers have numbers beyond 16 bits, in a loop, with memory and calls.
#[test]
fn more_registers_than_short_forms_can_name() {
    let mut text = String::from(
        "define i32 @id(i32 %x) {\nret i32 %x\n}\ndefine i32 @f(i32 %n, ptr %p) {\nentry:\nbr label %loop\nloop:\n\
         %i = phi i32 [ 0, %entry ], [ %j, %loop ]\n%s = phi i32 [ 1, %entry ], [ %u, %loop ]\n%v0 = add i32 %s, %i\n",
    );
    const LENGTH: u32 = 70_000;
    for k in 1..LENGTH {
        writeln!(text, "%v{k} = add i32 %v{}, {}", k - 1, k % 7).expect("a string");
    }
    writeln!(
        text,
        "%w = call i32 @id(i32 %v{last})\n%q = getelementptr inbounds i32, ptr %p, i32 %i\nstore i32 %w, ptr %q\n\
         %u = load i32, ptr %q\n%j = add i32 %i, 1\n%c = icmp ult i32 %j, %n\n\
         br i1 %c, label %loop, label %exit\nexit:\n%d = icmp eq i32 %u, 5\n%r = select i1 %d, i32 0, i32 %u\nret i32 %r\n}}",
        last = LENGTH - 1
    )
    .expect("a string");
    let module = support::module(&text);
    let func = module.env.func_named("f").expect("it is there");
    let sum: u32 = (1..LENGTH).map(|k| k % 7).sum();
    let want = 1 + (1 + 2) + 3 * sum;
    let input = Input::new(vec![ArgSpec::Int(3), ArgSpec::Buffer(Box::new(Contents::zeroed(12)))]);
    let run = with_machines(&module, 1_000_000, |machines| both(machines, func, &input, 0, "far registers"));
    assert_eq!(run.expect("the input fits").value(), Some(&Val::Bits(want.into())));
}

#[test]
fn functions_of_llvm_tests() {
    let Some(tests) = backedge_testkit::llvm_tests("short and full forms on LLVM's loop tests") else {
        return;
    };
    let mut runs = 0;
    for path in tests.files() {
        let source = std::fs::read(&path).expect("the file can be read");
        let Ok(parsed) = backedge_ir::parse::read_module(&source) else { continue };
        let module = parsed.module;
        with_machines(&module, 3000, |machines| {
            for (func, body) in module.bodies() {
                for variant in 0..3 {
                    let args = body.args().map(|a| {
                        let ty = body.ty(a.into());
                        match (ty.is_ptr(), ty.int_bits()) {
                            (true, _) => ArgSpec::Buffer(Box::new(Contents::zeroed(256))),
                            (_, Some(1..=5)) => ArgSpec::Int(variant & 1),
                            (_, Some(_)) => ArgSpec::Int([3, 0, 17][variant as usize]),
                            _ => [ArgSpec::Undef, ArgSpec::Poison, ArgSpec::Undef][variant as usize].clone(),
                        }
                    });
                    let input = Input::new(args.collect());
                    runs +=
                        usize::from(both(machines, func, &input, 3, &path.display().to_string()).is_some());
                }
            }
        });
    }
    assert!(runs > 1000, "{runs}");
}
