//! All inputs at small widths, compared with direct definitions in the integers: arithmetic with every set of flags,
//! and the effect of undefined operand bits on results.

use crate::support;
use backedge_interp::chooser::ZeroChooser;
use backedge_interp::input::{ArgSpec, Input};
use backedge_interp::memory::Contents;
use backedge_interp::outcome::{Outcome, UbKind};
use backedge_interp::trace::NoObserver;
use backedge_interp::value::{Cube, Val};
use backedge_interp::{Config, Machine, Program};

/// The result of an operation.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Meaning {
    Value(i128),
    Poison,
    Ub(UbKind),
}

const OPS: [(&str, &[&str]); 13] = [
    ("add", &["nuw", "nsw"]),
    ("sub", &["nuw", "nsw"]),
    ("mul", &["nuw", "nsw"]),
    ("shl", &["nuw", "nsw"]),
    ("udiv", &["exact"]),
    ("sdiv", &["exact"]),
    ("urem", &[]),
    ("srem", &[]),
    ("lshr", &["exact"]),
    ("ashr", &["exact"]),
    ("and", &[]),
    ("or", &["disjoint"]),
    ("xor", &[]),
];

/// The operations with each set of their flags.
fn variants() -> Vec<(&'static str, Vec<&'static str>)> {
    let mut all = Vec::new();
    for (op, flags) in OPS {
        for set in 0..1u32 << flags.len() {
            let chosen = flags.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1).map(|(_, f)| *f);
            all.push((op, chosen.collect()));
        }
    }
    all
}

fn signed(x: i128, width: u32) -> i128 {
    if x >> (width - 1) & 1 == 1 { x - (1 << width) } else { x }
}

/// LangRef's sections on the instructions, in the integers; `x` and `y` are unsigned.
fn meaning(op: &str, flags: &[&str], width: u32, x: i128, y: i128) -> Meaning {
    let has = |f| flags.contains(&f);
    let size = 1i128 << width;
    let (sx, sy) = (signed(x, width), signed(y, width));
    let unsigned_fits = |v: i128| (0..size).contains(&v);
    let signed_fits = |v: i128| (-size / 2..size / 2).contains(&v);
    let wrapping = |u: i128, s: i128| {
        if has("nuw") && !unsigned_fits(u) || has("nsw") && !signed_fits(s) {
            Meaning::Poison
        } else {
            Meaning::Value(u.rem_euclid(size))
        }
    };
    let exact = |quotient: i128, back: i128, of: i128| {
        if has("exact") && back != of { Meaning::Poison } else { Meaning::Value(quotient.rem_euclid(size)) }
    };
    match op {
        "add" => wrapping(x + y, sx + sy),
        "sub" => wrapping(x - y, sx - sy),
        "mul" => wrapping(x * y, sx * sy),
        "shl" | "lshr" | "ashr" if y >= width.into() => Meaning::Poison,
        "shl" => wrapping(x << y, sx << y),
        "lshr" => exact(x >> y, x >> y << y, x),
        "ashr" => exact(sx >> y, sx >> y << y, sx),
        "udiv" | "urem" | "sdiv" | "srem" if y == 0 => Meaning::Ub(UbKind::DivisionByZero),
        "sdiv" | "srem" if sx == -size / 2 && sy == -1 => Meaning::Ub(UbKind::DivisionOverflow),
        "udiv" => exact(x / y, x / y * y, x),
        "sdiv" => exact(sx / sy, sx / sy * sy, sx),
        "urem" => Meaning::Value(x % y),
        "srem" => Meaning::Value((sx % sy).rem_euclid(size)),
        "and" => Meaning::Value(x & y),
        "or" if has("disjoint") && x & y != 0 => Meaning::Poison,
        "or" => Meaning::Value(x | y),
        _ => Meaning::Value(x ^ y),
    }
}

#[test]
fn arithmetic_with_all_flags() {
    for width in [1, 3, 4] {
        for (op, flags) in variants() {
            // Two forms: scalars of up to 64 bits take the fast path, vectors the general one.
            let text = format!(
                "define i{width} @f(i{width} %x, i{width} %y) {{\n%r = {op} {0} i{width} %x, %y\nret i{width} %r\n}}\n\
                 define <1 x i{width}> @v(<1 x i{width}> %x, <1 x i{width}> %y) {{\n%r = {op} {0} <1 x i{width}> %x, %y\nret <1 x i{width}> %r\n}}",
                flags.join(" ")
            );
            let module = support::module(&text);
            let program = Program::new(&module, &Config::default());
            let mut machine = Machine::new(&program, Config::default());
            let ids = ["f", "v"].map(|n| module.env.func_named(n).expect("it is there"));
            for x in 0..1i128 << width {
                for y in 0..1i128 << width {
                    let want = meaning(op, &flags, width, x, y);
                    for (form, id) in ids.into_iter().enumerate() {
                        let args = [x, y].map(|n| match form {
                            0 => ArgSpec::Int(n),
                            _ => ArgSpec::Members(vec![ArgSpec::Int(n)]),
                        });
                        let run =
                            machine.run(id, &Input::new(args.into()), &mut ZeroChooser, &mut NoObserver);
                        let got = read(&run.expect("the input fits").outcome);
                        assert_eq!(got, want, "{op} {flags:?} i{width} {x}, {y}");
                    }
                }
            }
        }
    }
}

fn read(outcome: &Outcome) -> Meaning {
    match outcome {
        Outcome::Ub { kind, .. } => Meaning::Ub(*kind),
        Outcome::Returned(Some(value)) => match value {
            Val::Agg(members) => read(&Outcome::Returned(Some(members[0].clone()))),
            Val::Bits(bits) => Meaning::Value((*bits).into()),
            other => {
                assert_eq!(*other, Val::Poison);
                Meaning::Poison
            }
        },
        other => panic!("{other:?}"),
    }
}

/// A buffer of one byte with undefined bits.
fn byte(cube: Cube) -> ArgSpec {
    let mut contents = Contents::from_bytes(vec![cube.bits as u8]);
    contents.undef = vec![cube.undef as u8];
    ArgSpec::Buffer(Box::new(contents))
}

fn cubes(width: u32) -> impl Iterator<Item = Cube> + Clone {
    (0..1u128 << width).flat_map(move |undef| {
        (0..1u128 << width).filter(move |bits| bits & undef == 0).map(move |bits| Cube::new(bits, undef))
    })
}

fn members(cube: Cube, width: u32) -> impl Iterator<Item = i128> {
    (0..1i128 << width).filter(move |x| (*x as u128 ^ cube.bits) & !cube.undef == 0)
}

/// For all sets of operands: UB if some choice has it, else poison if some choice gives it, else exactly the set of
/// results, or one of them if the run reports narrowing.
#[test]
fn undefined_bits_of_operands() {
    const WIDTH: u32 = 3;
    let mut exact = 0u32;
    for (op, flags) in variants() {
        let text = format!(
            "define i3 @f(ptr %p, ptr %q) {{\n%x = load i3, ptr %p\n%y = load i3, ptr %q\n%r = {op} {} i3 %x, %y\nret i3 %r\n}}",
            flags.join(" ")
        );
        let module = support::module(&text);
        let program = Program::new(&module, &Config::default());
        let mut machine = Machine::new(&program, Config::default());
        let id = module.env.func_named("f").expect("it is there");
        for (a, b) in cubes(WIDTH).flat_map(|a| cubes(WIDTH).map(move |b| (a, b))) {
            let mut results = Vec::new();
            for x in members(a, WIDTH) {
                results.extend(members(b, WIDTH).map(|y| meaning(op, &flags, WIDTH, x, y)));
            }
            let input = Input::new(vec![byte(a), byte(b)]);
            let run = machine.run(id, &input, &mut ZeroChooser, &mut NoObserver).expect("the input fits");
            let place = format!("{op} {flags:?} {a:?}, {b:?}: {:?}", run.outcome);
            if let Some(ub) = results.iter().find(|r| matches!(r, Meaning::Ub(_))) {
                assert!(
                    run.outcome.ub().is_some_and(|k| Meaning::Ub(k) == *ub || k == UbKind::DivisionByZero),
                    "{place}"
                );
                continue;
            }
            let value = run.value().unwrap_or_else(|| panic!("{place}"));
            let Some(cube) = value.cube() else {
                assert!(results.contains(&Meaning::Poison), "{place}");
                continue;
            };
            // A division by a set of divisors, or an exact division of a set, is narrowed first.
            assert!(
                !results.contains(&Meaning::Poison) || flags.contains(&"exact") && run.narrowed,
                "{place}"
            );
            let got: Vec<i128> = members(cube, WIDTH).collect();
            assert!(got.iter().all(|v| results.contains(&Meaning::Value(*v))), "{place}");
            if !run.narrowed {
                exact += 1;
                assert!(results.iter().all(|r| matches!(r, Meaning::Value(v) if got.contains(v))), "{place}");
            }
        }
    }
    assert!(exact > 3000, "only {exact} sets are exact");
}

#[test]
fn comparisons_of_undefined_bits() {
    const WIDTH: u32 = 3;
    for pred in ["eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"] {
        let text = format!(
            "define i1 @f(ptr %p, ptr %q) {{\n%x = load i3, ptr %p\n%y = load i3, ptr %q\n%r = icmp {pred} i3 %x, %y\nret i1 %r\n}}"
        );
        let module = support::module(&text);
        let program = Program::new(&module, &Config::default());
        let mut machine = Machine::new(&program, Config::default());
        let id = module.env.func_named("f").expect("it is there");
        for (a, b) in cubes(WIDTH).flat_map(|a| cubes(WIDTH).map(move |b| (a, b))) {
            let holds = |x: i128, y: i128| {
                let (sx, sy) = (signed(x, WIDTH), signed(y, WIDTH));
                match pred {
                    "eq" => x == y,
                    "ne" => x != y,
                    "ugt" => x > y,
                    "uge" => x >= y,
                    "ult" => x < y,
                    "ule" => x <= y,
                    "sgt" => sx > sy,
                    "sge" => sx >= sy,
                    "slt" => sx < sy,
                    _ => sx <= sy,
                }
            };
            let any = |want: bool| members(a, WIDTH).any(|x| members(b, WIDTH).any(|y| holds(x, y) == want));
            let want = match (any(true), any(false)) {
                (true, false) => Val::Bits(1),
                (false, true) => Val::Bits(0),
                _ => Val::undef(1),
            };
            let input = Input::new(vec![byte(a), byte(b)]);
            let run = machine.run(id, &input, &mut ZeroChooser, &mut NoObserver).expect("the input fits");
            assert_eq!(run.value(), Some(&want), "icmp {pred} {a:?}, {b:?}");
            assert!(!run.narrowed);
        }
    }
}
