//! Compares the interpreter with LLVM's constant folder: `opt` folds operations on constant floats of all formats to
//! the interpreter's result. NaN results are excluded, because their payload is nondeterministic.

use crate::support;
use crate::support::describe;
use backedge_interp::chooser::ZeroChooser;
use backedge_interp::input::Input;
use backedge_interp::trace::NoObserver;
use backedge_interp::{Config, Machine, Program, Run};
use backedge_ir::module::Module;
use backedge_testkit::{Dice, peer};
use rand::RngExt;

/// A format: its name, the suffix of intrinsics, the prefix of constants, and the number of digits.
const FORMATS: [(&str, &str, &str, usize); 5] = [
    ("half", "f16", "0xH", 4),
    ("bfloat", "bf16", "0xR", 4),
    ("float", "f32", "0x", 16),
    ("double", "f64", "0x", 16),
    ("fp128", "f128", "0xL", 32),
];
/// Number of cases per kind of operation and format.
const CASES: u64 = 40;

/// A constant with few bits set at both ends, so that results are often rounded, tied or subnormal.
fn constant((name, _, prefix, digits): (&str, &str, &str, usize), dice: &mut Dice) -> String {
    let width = if name == "float" { 32 } else { 4 * digits as u32 };
    let (exponent_bits, bias): (u32, i64) = match name {
        "half" => (5, 15),
        "bfloat" | "float" => (8, 127),
        "double" => (11, 1023),
        _ => (15, 16383),
    };
    let fraction_bits = width - 1 - exponent_bits;
    let near = dice.random_range(-12..=12);
    let exponent = match dice.random_range(0..8) {
        0 => 0,
        1 => dice.random_range(1..(1u128 << exponent_bits) - 1),
        _ => (bias + near) as u128,
    };
    let mask = (1u128 << fraction_bits) - 1;
    let fraction = match dice.random_range(0..3) {
        0 => dice.random::<u128>() & mask,
        1 => (dice.random_range(0..8u128) << (fraction_bits - 3)) & mask,
        _ => dice.random_range(0..8u128),
    };
    let sign: u128 = dice.random_range(0..2);
    let bits = sign << (width - 1) | exponent << fraction_bits | fraction;
    match name {
        // LLVM writes `float` as a double, and `fp128` with its low half first.
        "float" => format!("{prefix}{:016X}", f64::from(f32::from_bits(bits as u32)).to_bits()),
        "fp128" => format!("{prefix}{:016X}{:016X}", bits as u64, bits >> 64),
        _ => format!("{prefix}{bits:0digits$X}"),
    }
}

/// Bodies of functions that each return the result of one operation, with their types.
fn operations(dice: &mut Dice) -> Vec<(String, String)> {
    let mut out = Vec::new();
    for format in FORMATS {
        let (ty, suffix, ..) = format;
        for _ in 0..CASES {
            let [a, b, c] = [0; 3].map(|_| constant(format, dice));
            for op in ["fadd", "fsub", "fmul", "fdiv", "frem"] {
                out.push((ty.to_owned(), format!("{op} {ty} {a}, {b}")));
            }
            for op in ["olt", "ueq", "one", "ule"] {
                out.push(("i1".to_owned(), format!("fcmp {op} {ty} {a}, {b}")));
            }
            for (to, ..) in FORMATS.iter().filter(|f| f.0 != ty) {
                let bits = |name: &str| match name {
                    "half" | "bfloat" => 16,
                    "float" => 32,
                    "double" => 64,
                    _ => 128,
                };
                if bits(to) != bits(ty) {
                    let op = if bits(to) < bits(ty) { "fptrunc" } else { "fpext" };
                    out.push(((*to).to_owned(), format!("{op} {ty} {a} to {to}")));
                }
            }
            let int = dice.random_range(-70000..70000);
            out.push((ty.to_owned(), format!("sitofp i64 {int} to {ty}")));
            out.push((ty.to_owned(), format!("uitofp i64 {} to {ty}", dice.random::<u64>())));
            for name in ["floor", "ceil", "trunc", "rint", "round", "roundeven", "fabs"] {
                out.push((ty.to_owned(), format!("call {ty} @llvm.{name}.{suffix}({ty} {a})")));
            }
            for name in ["minimum", "maximum", "copysign", "minimumnum", "maximumnum"] {
                out.push((ty.to_owned(), format!("call {ty} @llvm.{name}.{suffix}({ty} {a}, {ty} {b})")));
            }
            out.push((ty.to_owned(), format!("call {ty} @llvm.fma.{suffix}({ty} {a}, {ty} {b}, {ty} {c})")));
            for sign in ["u", "s"] {
                out.push((
                    "i16".to_owned(),
                    format!("call i16 @llvm.fpto{sign}i.sat.i16.{suffix}({ty} {a})"),
                ));
            }
            let by = dice.random_range(-40..40);
            out.push((ty.to_owned(), format!("call {ty} @llvm.ldexp.{suffix}.i32({ty} {a}, i32 {by})")));
            let class = dice.random_range(0..1024);
            out.push(("i1".to_owned(), format!("call i1 @llvm.is.fpclass.{suffix}({ty} {a}, i32 {class})")));
        }
    }
    out
}

fn run_all(module: &Module, count: usize) -> Vec<String> {
    let config = Config::default();
    let program = Program::new(module, &config);
    let mut machine = Machine::new(&program, config);
    let mut results = Vec::with_capacity(count);
    for i in 0..count {
        let name = format!("f{i}");
        let func = module.env.func_named(&name).expect("the function");
        let input = Input::new(Vec::new());
        let run: Run = machine.run(func, &input, &mut ZeroChooser, &mut NoObserver).expect("no arguments");
        results.push(describe(module, &name, &run));
    }
    results
}

#[test]
fn operations_on_constants_have_the_value_that_llvm_folds_them_to() {
    let Some(opt) = peer("opt", "folding constants") else { return };
    let mut dice = Dice::new(7);
    let operations = operations(&mut dice);
    let source: String = operations
        .iter()
        .enumerate()
        .map(|(i, (ty, op))| format!("define {ty} @f{i}() {{\n  %r = {op}\n  ret {ty} %r\n}}\n"))
        .collect();
    let answer = opt.run(&["-passes=instsimplify", "-S", "-o", "-"], source.as_bytes());
    assert!(answer.ok(), "{}", answer.stderr);
    let (ours, folded) = (support::module(&source), support::module(&answer.stdout));
    let (got, wanted) = (run_all(&ours, operations.len()), run_all(&folded, operations.len()));
    let folded_away = |i: usize| {
        let func = folded.env.func_named(&format!("f{i}")).expect("the function");
        folded.body(func).is_some_and(|b| b.all_insts().count() == 1)
    };
    let is_nan = |text: &str| {
        let (ty, bits) = text.split_once(' ').unwrap_or(("", ""));
        let bits = u128::from_str_radix(bits.trim_start_matches("0x"), 16).unwrap_or(0);
        match ty {
            "half" => bits & 0x7fff > 0x7c00,
            "bfloat" => bits & 0x7fff > 0x7f80,
            "fp128" => bits << 1 > 0x7fff << 113,
            _ => text.ends_with("NaN"),
        }
    };
    let (mut compared, mut wrong) = (0, Vec::new());
    for (i, (_, op)) in operations.iter().enumerate() {
        if !folded_away(i) || is_nan(&got[i]) && is_nan(&wanted[i]) {
            continue;
        }
        compared += 1;
        if got[i] != wanted[i] {
            wrong.push(format!("{op}: {}, LLVM says {}", got[i], wanted[i]));
        }
    }
    println!("{compared} of {} operations are folded by LLVM and compared", operations.len());
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong[..wrong.len().min(30)].join("\n"));
    assert!(compared * 10 > operations.len() * 7, "{compared} of {}", operations.len());
}
