//! Dependence graphs against runs: each conflict of two accesses is covered by an edge that allows its direction and
//! distance. `BACKEDGE_CASES` sets the number of nests (default: 600), `BACKEDGE_SEED` the first seed.

use crate::nests;
use backedge_fuzz::oracles::dependences::{Seen, check_on, in_form};
use backedge_interp::input::{ArgSpec, Input};
use backedge_interp::memory::Contents;
use backedge_ir::parse::parse_module;
use backedge_testkit::{Dice, seeds};
use rand::RngExt;

/// Statistics of checking the functions that `look_at` visits.
fn seen(look_at: impl FnOnce(&mut nests::Look<'_>)) -> Seen {
    let mut seen = Seen::default();
    look_at(&mut |module, func, inputs, what| {
        if let Err(uncovered) = check_on(module, func, inputs, &mut seen) {
            panic!("{uncovered}\n{what}");
        }
    });
    println!("{seen:?}");
    seen
}

#[test]
fn generated_nests() {
    let seen = seen(|look| nests::in_generated(600, look));
    assert!(seen.defined * 4 > seen.runs, "{seen:?}");
    assert!(seen.conflicts > 100 && seen.said.independent > 10, "{seen:?}");
}

/// The functions of the corpus and of LLVM's loop tests.
#[test]
fn files() {
    let seen = seen(|look| nests::in_files("dependences on LLVM's loop tests", look));
    assert!(seen.defined > 100 && seen.said.all > 100, "{seen:?}");
}

/// Three loops, the inner two with `rows` and `columns` iterations, around a load and a store at the sum of the
/// iterations times `steps`. With `skips`, every second iteration of the outermost loop skips the inner ones.
fn rows(rows: &str, columns: &str, steps: [&str; 3], skips: bool) -> String {
    let skip = if skips { "br i1 %odd, label %end, label %second" } else { "br label %second" };
    let [a, b, c] = steps;
    format!(
        "define void @f(ptr %p, i64 %n, i64 %m) {{
entry:
  %base = getelementptr inbounds i32, ptr %p, i64 200
  %mn = mul i64 %m, %n
  %a = icmp ne i64 %m, 0
  %b = icmp ne i64 %n, 0
  %both = and i1 %a, %b
  br i1 %both, label %first, label %exit
first:
  %i = phi i64 [ 0, %entry ], [ %i.next, %end ]
  %odd = trunc i64 %i to i1
  {skip}
second:
  %j = phi i64 [ 0, %first ], [ %j.next, %third.end ]
  br label %third
third:
  %k = phi i64 [ 0, %second ], [ %k.next, %third ]
  %x = mul i64 %i, {a}
  %y = mul i64 %j, {b}
  %z = mul i64 %k, {c}
  %xy = add i64 %x, %y
  %at = add i64 %xy, %z
  %to = getelementptr i32, ptr %base, i64 %at
  %v = load i32, ptr %to, align 4
  %w = add i32 %v, 1
  store i32 %w, ptr %to, align 4
  %k.next = add nuw i64 %k, 1
  %k.more = icmp ult i64 %k.next, {columns}
  br i1 %k.more, label %third, label %third.end
third.end:
  %j.next = add nuw i64 %j, 1
  %j.more = icmp ult i64 %j.next, {rows}
  br i1 %j.more, label %second, label %second.end
second.end:
  br label %end
end:
  %i.next = add nuw i64 %i, 1
  %i.more = icmp ult i64 %i.next, 3
  br i1 %i.more, label %first, label %exit
exit:
  ret void
}}
"
    )
}

/// Consecutive rows that are known to be disjoint, and rows that overlap.
#[test]
fn rows_of_all_kinds() {
    let mut kinds: Vec<[&str; 6]> = vec![[""; 6]];
    let choices: [&[&str]; 6] = [
        &["%n", "2"],
        &["%m", "%n", "3"],
        &["%mn", "%m", "6"],
        &["%m", "%n", "3"],
        &["1", "2", "-1"],
        &["", "skips"],
    ];
    for (at, choices) in choices.iter().enumerate() {
        let with = |kind: [&'static str; 6], choice| {
            let mut kind = kind;
            kind[at] = choice;
            kind
        };
        kinds =
            kinds.iter().flat_map(|kind| choices.iter().map(move |choice| with(*kind, *choice))).collect();
    }
    let seen = seen(|look| {
        for [of_rows, of_columns, a, b, c, skips] in kinds {
            let text = rows(of_rows, of_columns, [a, b, c], !skips.is_empty());
            let mut module = parse_module(text.as_bytes()).expect("a module").module;
            assert!(in_form(&mut module), "{text}");
            let func = module.env.func_named("f").expect("it has @f");
            let mut inputs = [(2, 3), (3, 2), (1, 3), (3, 3)].into_iter().map(|(n, m)| {
                let buffer = ArgSpec::Buffer(Box::new(Contents::from_bytes(vec![0; 1600])));
                Input::new(vec![buffer, ArgSpec::Bits(n), ArgSpec::Bits(m)])
            });
            look(&module, func, &mut inputs, &text);
        }
    });
    assert!(seen.conflicts > 10_000 && seen.said.independent > 5, "{seen:?}");
}

fn one(rng: &mut Dice, of: &[&'static str]) -> &'static str {
    of[rng.random_range(0..of.len())]
}

const PREDS: [&str; 10] = ["sgt", "sge", "slt", "sle", "ugt", "uge", "ult", "ule", "ne", "eq"];

/// A loop around a store and a load at sums of the iteration, the length and an argument. The length is known from a
/// guard, from an extension or truncation, or not at all. The loop is alone, or after another loop, so that the guard
/// is in the region.
fn guarded(rng: &mut Dice) -> String {
    let ty = one(rng, &["i8", "i8", "i64"]);
    let lengths: &[&str] = match ty {
        "i8" => &["add i8 %n, 0", "add i8 %n, 1", "add nuw i8 %n, 1", "sub i8 %m, %n", "and i8 %n, 7"],
        _ => &["zext i8 %n to i64", "sext i8 %n to i64", "zext i4 %cut to i64", "sext i4 %cut to i64"],
    };
    let length = one(rng, lengths);
    let guards = guard(rng, ty, "%g0") + &guard(rng, ty, "%g1");
    let both = one(rng, &["and i1 %g0, %g1", "and i1 %g0, true", "and i1 %g0, true", "or i1 true, true"]);
    let more = one(rng, &["ult", "ult", "slt", "ne"]);
    let flags = one(rng, &["", "nuw ", "nsw ", "nuw nsw "]);
    let body = accesses(rng, ty);
    let before = one(rng, &["", "%g", "%g"]);
    let (before, from) = match before {
        "" => (String::new(), "entry"),
        _ => (
            format!(
                "  br i1 %g, label %first, label %start\nfirst:\n  %k = phi {ty} [ 0, %entry ], [ %k.next, %first ]\n  \
                 store i8 0, ptr @sink\n  %k.next = add {ty} %k, 1\n  %k.more = icmp {more} {ty} %k.next, %len\n  \
                 br i1 %k.more, label %first, label %start\nstart:\n"
            ),
            "start",
        ),
    };
    let arg = if ty == "i8" { "add i8 %m, 0" } else { "sext i8 %m to i64" };
    format!(
        "@sink = global i8 0\ndefine void @f(ptr %p, i8 %n, i8 %m) {{\nentry:\n  \
         %base = getelementptr inbounds i16, ptr %p, i64 400\n  %cut = trunc i8 %n to i4\n  %arg = {arg}\n  %len = {length}\n\
         {guards}  %g = {both}\n{before}  br i1 %g, label %loop, label %exit\nloop:\n  \
         %i = phi {ty} [ 0, %{from} ], [ %i.next, %latch ]\n  %twice = shl {ty} %i, 1\n{}{}  \
         br label %latch\nlatch:\n  store i8 1, ptr @sink\n  %i.next = add {flags}{ty} %i, 1\n  %more = icmp {more} {ty} %i.next, %len\n  \
         br i1 %more, label %loop, label %exit\nexit:\n  ret void\n}}\n",
        body[0], body[1]
    )
}

/// A comparison of the length with a constant or an argument.
fn guard(rng: &mut Dice, ty: &str, name: &str) -> String {
    let (pred, with) = (one(rng, &PREDS), one(rng, &["0", "0", "-1", "4", "-3", "100", "-120", "%arg"]));
    let pred = if with == "0" { one(rng, &["sgt", "ne", "ugt", pred]) } else { pred };
    let (left, right) = if one(rng, &["", "turned"]).is_empty() { ("%len", with) } else { (with, "%len") };
    format!("  {name} = icmp {pred} {ty} {left}, {right}\n")
}

/// A store and a load, or two stores, in any order. Some are under a condition.
fn accesses(rng: &mut Dice, ty: &str) -> [String; 2] {
    let extended = one(rng, &["sext", "zext"]);
    let (store, load) = (address(rng, ty, extended, "s"), address(rng, ty, extended, "l"));
    let mut body = [
        format!("{store}  store i16 1, ptr %s, align 1\n"),
        format!(
            "{load}  %v = load i16, ptr %l, align 1\n  %w = trunc i16 %v to i8\n  store i8 %w, ptr @sink\n"
        ),
    ];
    if one(rng, &["", "turned"]).is_empty() {
        body.swap(0, 1);
    }
    // Subscripts that wrap in some iterations and are constant in the others.
    let is_one_place = one(rng, &["", "one place"]) == "one place";
    if is_one_place {
        let (place, less) = (one(rng, &["-1", "-1", "-4", "3"]), one(rng, &["-1", "-1", "-4", "1"]));
        let at = |what: &str, index: &str, used: &str| {
            format!(
                "  %{what}0 = add {ty} {index}\n  %{what}1 = {extended} {ty} %{what}0 to i128\n  \
                 %{what}2 = trunc i128 %{what}1 to i64\n  %{what} = getelementptr i16, ptr %base, i64 %{what}2\n{used}"
            )
        };
        let used = ["  store i16 1, ptr %s, align 1\n", "  store i16 2, ptr %l, align 1\n"];
        body = [at("s", &format!("{place}, 0"), used[0]), at("l", &format!("%i, {less}"), used[1])];
    }
    // Puts one of them under a condition, on either side of the branch.
    for (number, part) in body.iter_mut().enumerate() {
        if is_one_place && number == 1 || !is_one_place && one(rng, &["", "if"]).is_empty() {
            continue;
        }
        let (pred, left) = (one(rng, &PREDS), one(rng, &["%i", "%i", "%len", "%arg", "%twice"]));
        let right = one(rng, &["0", "0", "0", "3", "3", "-3", "100", "-120", "%len", "%arg"]);
        let (pred, left) = if is_one_place { (one(rng, &["ne", "sgt", pred]), "%i") } else { (pred, left) };
        let ways = if one(rng, &["", "else"]).is_empty() { ["in", "on"] } else { ["on", "in"] };
        *part = format!(
            "  %h{number} = icmp {pred} {ty} {left}, {right}\n  \
             br i1 %h{number}, label %{}{number}, label %{}{number}\nin{number}:\n{part}  br label %on{number}\non{number}:\n",
            ways[0], ways[1]
        );
    }
    body
}

/// An address at a sum of the iteration, the length and an argument.
fn address(rng: &mut Dice, ty: &str, extended: &str, name: &str) -> String {
    let terms =
        [one(rng, &["%i", "%i", "%i", "%twice", "0"]), one(rng, &["%len", "%len", "0", "0", "%arg", "-1"])];
    let also = one(rng, &["0", "0", "0", "0", "-1", "-4", "%arg"]);
    let wide = match ty {
        "i8" => format!("{extended} i8 %{name}1 to i64"),
        _ => format!("add i64 %{name}1, 0"),
    };
    let inbounds = one(rng, &["inbounds ", ""]);
    format!(
        "  %{name}0 = add {ty} {}, {}\n  %{name}1 = add {ty} %{name}0, {also}\n  %{name}2 = {wide}\n  \
         %{name} = getelementptr {inbounds}i16, ptr %base, i64 %{name}2\n",
        terms[0], terms[1]
    )
}

/// Lengths and guards of all kinds, with all values of a few bits.
#[test]
fn guarded_lengths() {
    let seen = seen(|look| {
        for seed in seeds(800) {
            let mut rng = Dice::new(seed);
            let text = guarded(&mut rng);
            let mut module = parse_module(text.as_bytes()).unwrap_or_else(|e| panic!("{e:?}\n{text}")).module;
            assert!(in_form(&mut module), "{text}");
            let func = module.env.func_named("f").expect("it has @f");
            let values: Vec<i8> = (-3..7).chain([127, -128, 100, rng.random()]).collect();
            let arg = |of: i8| ArgSpec::Bits(u128::from(of as u8));
            let mut inputs =
                values.iter().flat_map(|n| [0, 3, n.wrapping_neg()].map(|m| (*n, m))).map(|(n, m)| {
                    let buffer = ArgSpec::Buffer(Box::new(Contents::from_bytes(vec![0; 1600])));
                    Input::new(vec![buffer, arg(n), arg(m)])
                });
            look(&module, func, &mut inputs, &text);
        }
    });
    assert!(seen.conflicts > 3_000 && seen.said.independent > 90, "{seen:?}");
}
