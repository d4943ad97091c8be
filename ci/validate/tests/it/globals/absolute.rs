//! Absolute symbols, whose addresses lie in ranges unknown to the engines and may be null.

use super::side;
use backedge_ir::parse::parse_module;
use backedge_validate::check::Options;
use backedge_validate::judge::Judge;

const SYMBOLS: &str = "
@abs = external global i8, !absolute_symbol !0
@p = global ptr @abs
!0 = !{i64 0, i64 256}
define internal i1 @is_low(ptr %q) {
  %n = ptrtoint ptr %q to i64
  %c = icmp ult i64 %n, 256
  ret i1 %c
}
";

/// The verdict on two bodies of one function.
fn verdict(head: &str, [source, target]: [&str; 2]) -> String {
    let [source, target] = [source, target].map(|body| {
        let text = format!("{SYMBOLS}\n{head} {{\n{body}\n}}\n");
        parse_module(text.as_bytes()).expect("a module").module
    });
    Judge::new(Options::default()).judge(side(&source), side(&target)).report.verdict.to_string()
}

#[test]
fn what_depends_on_the_address_of_an_absolute_symbol_is_open() {
    for (head, source, target) in [
        (
            "define i1 @f()",
            "%p = ptrtoint ptr @abs to i64\n%c = icmp ult i64 %p, 256\nret i1 %c",
            "ret i1 true",
        ),
        ("define i1 @f()", "%c = icmp eq ptr @abs, null\nret i1 %c", "ret i1 false"),
        ("define i64 @f()", "ret i64 ptrtoint (ptr @abs to i64)", "ret i64 4096"),
        ("define i1 @f()", "%c = call i1 @is_low(ptr @abs)\nret i1 %c", "ret i1 true"),
        ("define i1 @f()", "%q = load ptr, ptr @p\n%c = icmp eq ptr %q, null\nret i1 %c", "ret i1 true"),
    ] {
        let verdict = verdict(head, [source, target]);
        assert!(verdict.contains("`!absolute_symbol` of @abs"), "{verdict}: {source}");
    }
}

#[test]
fn what_does_not_look_at_it_is_judged() {
    let store = "store i8 1, ptr @abs\n%v = load i8, ptr @abs\nret i8 %v";
    let right = verdict("define i8 @f()", [store, "store i8 1, ptr @abs\nret i8 1"]);
    assert!(right.starts_with("refines"), "{right}");
    let wrong = verdict("define i8 @f()", [store, "store i8 1, ptr @abs\nret i8 2"]);
    assert!(wrong.starts_with("refuted"), "{wrong}");
}
