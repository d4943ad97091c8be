//! Graphs of dependences against runs: no two accesses conflict that no edge covers with a direction and distance that
//! allows it. `BACKEDGE_CASES` sets how many nests are made (600 without), `BACKEDGE_SEED` the first.

mod nests;

use backedge_fuzz::oracle::dependences::{Seen, check_on, in_form};
use backedge_interp::input::{ArgSpec, Input};
use backedge_interp::memory::Contents;
use backedge_ir::parse::parse_module;

/// What was seen by looking at functions in that way.
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

/// Three loops of which the inner two run `rows` and `columns` times, around a load and a store at the sum of the iterations times
/// `steps`; in each second iteration of the outermost one the others are passed by, if `skips`.
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

/// Rows that lie one behind the other, of which it is known that they have nothing in common; and rows that overlap.
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
