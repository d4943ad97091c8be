//! Choices of the source: all of them count, and a value that depends on one choice implies nothing about another.

use backedge_ir::parse::parse_module;
use backedge_smt::refinement::{FunctionRef, Options, Outcome, check};
use std::time::Duration;

fn judged(text: &str) -> Outcome {
    let module = parse_module(text.as_bytes()).expect("it parses").module;
    let side =
        |name| FunctionRef { module: &module, func: module.env.func_named(name).expect("it is there") };
    // The budget's units decide, whatever the load of the machine.
    let options = Options { time: Duration::from_secs(600), ..Options::default() };
    check(side("src"), side("tgt"), &options).outcome
}

#[test]
fn opaque_results_for_two_choices_are_not_one_and_the_same() {
    // The source returns n+1 or m+1, the target 7 where these differ.
    let text = "define float @src(float noundef %n, float noundef %m) {
  %a = freeze i32 poison
  %c = icmp eq i32 %a, 12345
  %x = select i1 %c, float %n, float %m
  %r = fadd float %x, 1.0
  ret float %r
}
define float @tgt(float noundef %n, float noundef %m) {
  %p = fadd float %n, 1.0
  %q = fadd float %m, 1.0
  %pi = bitcast float %p to i32
  %qi = bitcast float %q to i32
  %c = icmp eq i32 %pi, %qi
  %r = select i1 %c, float %p, float 7.0
  ret float %r
}
";
    let outcome = judged(text);
    assert!(!matches!(outcome, Outcome::Refines { .. } | Outcome::Vacuous), "{outcome:?}");
    // A target that returns one of the two is correct.
    let right = judged(&text.replace("float %p, float 7.0", "float %p, float %q"));
    assert!(matches!(right, Outcome::Refines { .. }), "{right:?}");
}

#[test]
fn a_refutation_says_whether_all_choices_were_looked_at() {
    let pair = |result: &str| {
        format!(
            "declare i64 @h(i64)
define i64 @src() {{
  %a = freeze i64 poison
  %o = or i64 %a, 1
  %b = call i64 @h(i64 %o)
  %r = xor i64 %o, %b
  ret i64 %r
}}
define i64 @tgt() {{
  %b = call i64 @h(i64 {result})
  %r = xor i64 %b, {result}
  ret i64 %r
}}
"
        )
    };
    // The answers of calls depend on the choice, so the check does not claim that every choice fails.
    match judged(&pair("6")) {
        Outcome::Refuted { all_choices, .. } => assert!(!all_choices),
        Outcome::Inconclusive(_) => {}
        other => panic!("{other:?}"),
    }
    let right = judged(&pair("123456789012345"));
    assert!(matches!(right, Outcome::Refines { .. }), "{right:?}");
    let closed = "define i64 @src() {
  %a = freeze i64 poison
  %o = or i64 %a, 1
  ret i64 %o
}
define i64 @tgt() {
  ret i64 6
}
";
    match judged(closed) {
        Outcome::Refuted { all_choices, .. } => assert!(all_choices),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_choice_that_the_target_does_not_hint_at_is_found() {
    let pair = |result: &str| {
        format!(
            "declare void @g(i64)
define i64 @src() {{
  %a = freeze i64 poison
  %b = xor i64 %a, 255
  call void @g(i64 %b)
  ret i64 %a
}}
define i64 @tgt() {{
  call void @g(i64 7)
  ret i64 {result}
}}
"
        )
    };
    let right = judged(&pair("248"));
    assert!(matches!(right, Outcome::Refines { .. }), "{right:?}");
    let wrong = judged(&pair("249"));
    assert!(!matches!(wrong, Outcome::Refines { .. } | Outcome::Vacuous), "{wrong:?}");
}

/// One choice of the source must explain everything compared: the result and memory, at all memory locations.
#[test]
fn one_choice_of_the_source_explains_all_that_the_target_does() {
    let both = |result: &str, first: &str, second: &str, stored: &str| {
        format!(
            "define i64 @src(ptr noundef %p) {{
  %x = freeze i64 poison
  %y = freeze i64 poison
  store i64 {stored}, ptr %p
  ret i64 %x
}}
define i64 @tgt(ptr noundef %p) {{
  %{first} = freeze i64 poison
  %{second} = freeze i64 poison
  store i64 %y, ptr %p
  ret i64 {result}
}}
"
        )
    };
    // Matching by names explains only the result; matching by order explains only memory.
    for (text, right) in [
        (both("%x", "y", "x", "%x"), false),
        (both("%y", "y", "x", "%x"), true),
        (both("%x", "y", "x", "%y"), true),
        (both("%x", "x", "y", "%x"), false),
    ] {
        let outcome = judged(&text);
        assert_eq!(matches!(outcome, Outcome::Refines { .. }), right, "{text}{outcome:?}");
        assert!(right || matches!(outcome, Outcome::Refuted { all_choices: true, .. }), "{text}{outcome:?}");
    }
    let two_places = |first: &str, second: &str| {
        format!(
            "define void @src(ptr noundef %p, ptr noundef %q) {{
  %x = freeze i64 poison
  store i64 %x, ptr %p
  store i64 %x, ptr %q
  ret void
}}
define void @tgt(ptr noundef %p, ptr noundef %q) {{
  %a = freeze i64 poison
  %b = freeze i64 poison
  store i64 {first}, ptr %p
  store i64 {second}, ptr %q
  ret void
}}
"
        )
    };
    for (text, right) in
        [(two_places("%a", "%b"), false), (two_places("%b", "%b"), true), (two_places("%a", "%a"), true)]
    {
        let outcome = judged(&text);
        assert_eq!(matches!(outcome, Outcome::Refines { .. }), right, "{text}{outcome:?}");
    }
}

#[test]
fn memory_that_a_call_returns_as_new_is_not_an_arguments() {
    let text = |noalias: &str| {
        let body = |result: &str| {
            format!(
                "  %p = call {noalias} ptr @make(i64 4)
  store i8 1, ptr %p
  store i8 2, ptr %q
  %v = load i8, ptr %p
  ret i8 {result}
}}
"
            )
        };
        format!(
            "declare ptr @make(i64)\ndefine i8 @src(ptr %q) {{\n{}define i8 @tgt(ptr %q) {{\n{}",
            body("%v"),
            body("1")
        )
    };
    let right = judged(&text("noalias"));
    assert!(matches!(right, Outcome::Refines { .. }), "{right:?}");
    let wrong = judged(&text(""));
    assert!(matches!(wrong, Outcome::Refuted { .. }), "{wrong:?}");
}

#[test]
fn attributes_of_a_value_apply_to_all_its_choices() {
    let all_in_range = "define range(i32 0, 256) i32 @src() {
  %a = alloca i8
  %x = load i8, ptr %a
  %y = zext i8 %x to i32
  ret i32 %y
}
define range(i32 0, 256) i32 @tgt() {
  ret i32 poison
}
";
    let poisoned = judged(all_in_range);
    assert!(matches!(poisoned, Outcome::Refuted { .. }), "{poisoned:?}");
    for other in ["i32 0, 255", "i32 1, 256", "i32 5, 3", "i32 -1, 255"] {
        let outcome = judged(&all_in_range.replace("i32 0, 256", other));
        assert!(matches!(outcome, Outcome::Refines { .. } | Outcome::Vacuous), "{other}: {outcome:?}");
    }
    // An undef pointer is not known to be aligned, non-null or dereferenceable.
    let pointer = |said: &str| {
        format!(
            "define ptr @src() {{
  %a = alloca ptr
  %p = load ptr, ptr %a
  ret ptr %p
}}
define ptr @tgt() {{
  %a = alloca ptr
  %p = load ptr, ptr %a{said}
  ret ptr %p
}}
!0 = !{{i64 8}}
!1 = !{{}}
"
        )
    };
    assert!(matches!(judged(&pointer("")), Outcome::Refines { .. }));
    for said in [", !align !0", ", !nonnull !1", ", !dereferenceable !0", ", !dereferenceable_or_null !0"] {
        let outcome = judged(&pointer(said));
        assert!(matches!(outcome, Outcome::Refuted { .. }), "{said}: {outcome:?}");
    }
}
