//! Globals of one name in two modules: every engine refuses, by name, differences between the target's and the source's
//! definitions.

use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_smt::promises::beyond;
use backedge_smt::refinement::FunctionRef;
use backedge_validate::check::{Options, Side, check};
use backedge_validate::judge::Judge;
use backedge_validate::verdict::{Assumption, Verdict};

mod absolute;
mod callees;
mod features;
mod meanings;
mod nameless;
mod spelled;
mod undef;

const CODE: &str = "
define ptr @f(i8 %x) {
  ret ptr @c
}
";

fn side(module: &Module) -> Side<'_> {
    Side { module, func: module.env.func_named("f").expect("@f") }
}

/// Two modules with the same `@f` and different definitions of `@c`.
fn modules(source: &str, target: &str) -> [Module; 2] {
    [source, target]
        .map(|global| parse_module(format!("{global}\n{CODE}").as_bytes()).expect("a module").module)
}

fn verdict([source, target]: &[Module; 2]) -> Verdict {
    check(side(source), side(target), &Options::default()).verdict
}

#[test]
fn globals_of_one_name_must_agree() {
    for (source, target, what) in [
        ("@c = global i64 0, align 8", "@c = global i64 0, align 1", "alignment"),
        ("@c = global i64 0, align 1", "@c = global i64 0, align 8", "alignment"),
        ("@c = external global i64, align 4", "@c = external global i64, align 8", "alignment"),
        ("@c = global [8 x i8] zeroinitializer", "@c = global [4 x i8] zeroinitializer", "type"),
        ("@c = global i8 1", "@c = thread_local global i8 1", "`thread_local`"),
        ("@c = global i8 1", "@c = constant i8 1", "`constant`"),
        ("@c = constant i8 1", "@c = global i8 1", "`constant`"),
        ("@c = constant i8 1", "@c = constant i8 2", "initializer"),
        ("@c = external constant i8", "@c = constant i8 2", "initializer"),
        ("@c = global i8 1", "@c = unnamed_addr global i8 1", "`unnamed_addr`"),
        ("@c = weak global i8 1", "@c = global i8 1", "linkage"),
        ("@c = global i8 1", "@c = internal global i8 1", "linkage"),
    ] {
        let modules = modules(source, target);
        let verdict = verdict(&modules);
        assert!(
            matches!(verdict, Verdict::Inconclusive { .. } | Verdict::Refuted(_)),
            "{target}: {verdict:?}"
        );
        let [s, t] = modules.each_ref().map(|m| FunctionRef { module: m, func: side(m).func });
        let said: Vec<String> = beyond(s, t).iter().map(ToString::to_string).collect();
        assert_eq!(said, [format!("{what} of the global @c, which the source has otherwise")], "{target}");
    }
}

/// Functions of one name whose addresses the pair compares.
#[test]
fn functions_whose_address_is_taken_must_agree() {
    let module = |function: &str, code: &str| {
        let text = format!("define internal void @c() {function} {{\n  ret void\n}}\n{code}");
        parse_module(text.as_bytes()).expect("a module").module
    };
    let compared = "define i1 @f(ptr %p) {\n  %r = icmp eq ptr %p, @c\n  ret i1 %r\n}\n";
    let called = "define void @f(ptr %p) {\n  call void @c()\n  ret void\n}\n";
    for (source, target, what) in [
        ("", "unnamed_addr", "`unnamed_addr`"),
        ("", "local_unnamed_addr", "`local_unnamed_addr`"),
        ("align 16", "", "less alignment"),
        ("align 16", "align 8", "less alignment"),
        ("", "align 16", "alignment"),
    ] {
        let said = |code: &str| {
            let [s, t] = &[module(source, code), module(target, code)];
            let [s, t] = [s, t].map(|m| FunctionRef { module: m, func: side(m).func });
            beyond(s, t).iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(said(compared), [format!("{what} of the function @c, which the source has otherwise")]);
        assert_eq!(said(called), [] as [String; 0]);
    }
}

/// Other modules may compare the address of a function that they can name.
#[test]
fn the_address_of_the_function_itself_counts_where_others_name_it() {
    let verdict = |linkage: &str, words: [&str; 2]| {
        judged(&words.map(|word| {
            let text = format!("define {linkage} void @f() {word} {{\n  ret void\n}}\n");
            parse_module(text.as_bytes()).expect("a module").module
        }))
    };
    for before in ["", "local_unnamed_addr"] {
        let found = verdict("", [before, "unnamed_addr"]);
        assert!(found.starts_with("refines") && found.ends_with(", if @f is unnamed_addr"), "{found}");
    }
    for (linkage, words) in [
        ("", ["unnamed_addr", ""]),
        ("", ["unnamed_addr", "unnamed_addr"]),
        ("", ["", "local_unnamed_addr"]),
        ("internal", ["", "unnamed_addr"]),
        ("", ["", "align 16"]),
        ("internal", ["align 16", ""]),
    ] {
        let found = verdict(linkage, words);
        assert!(found.starts_with("refines") && !found.contains(", if "), "{words:?}: {found}");
    }
    let found = verdict("", ["align 16", "align 8"]);
    assert!(found.starts_with("inconclusive") && found.contains("less alignment"), "{found}");
}

/// Runs place globals apart that the linker may merge.
#[test]
fn where_merged_globals_lie_refutes_nothing() {
    let text = |words: &str, result: &str| {
        let [a, b] = ["a", "b"].map(|name| format!("@{name} = internal {words} constant i32 1\n"));
        let head = format!("{a}{b}define i1 @f(ptr %p) {{\n");
        [
            format!("{head}  %r = icmp eq ptr @a, @b\n  ret i1 %r\n}}\n"),
            format!("{head}  ret i1 {result}\n}}\n"),
        ]
        .map(|text| parse_module(text.as_bytes()).expect("a module").module)
    };
    assert!(matches!(verdict(&text("unnamed_addr", "true")), Verdict::Inconclusive { .. }));
    assert!(matches!(verdict(&text("", "true")), Verdict::Refuted(_)));
}

/// Prefix data is read through the function's address; prologue data is executed before the function.
#[test]
fn data_beside_the_code_must_agree() {
    let module = |data: &str, code: &str| {
        let text = format!("define void @f() {data} {{\n  ret void\n}}\n{code}");
        parse_module(text.as_bytes()).expect("a module").module
    };
    for (source, target, what) in [
        ("prefix i32 7", "prefix i32 8", "prefix"),
        ("prologue i8 -61", "prologue i8 -52", "prologue"),
        ("prologue i8 -61", "", "prologue"),
    ] {
        let verdict = verdict(&[module(source, ""), module(target, "")]);
        let said = format!("`{what}` data, which the source has otherwise");
        assert!(verdict.to_string().contains(&said), "{verdict}");
    }
    let same = verdict(&[module("prefix i32 7", ""), module("prefix i32 7", "")]);
    assert!(matches!(same, Verdict::RefinesAll { .. }), "{same}");
    let read = "define i32 @g() {\n  %p = getelementptr i32, ptr @f, i32 -1\n  %v = load i32, ptr %p\n  ret i32 %v\n}\n";
    let [s, t] = [read, "define i32 @g() {\n  unreachable\n}\n"].map(|code| module("prefix i32 7", code));
    let [s, t] = [&s, &t].map(|m| Side { module: m, func: m.env.func_named("g").expect("@g") });
    let verdict = check(s, t, &Options::default()).verdict;
    assert!(matches!(verdict, Verdict::Inconclusive { .. }), "{verdict}");
}

/// The solver's verdict on a caller assumes that its callees refine, if they differ.
#[test]
fn a_caller_refines_if_what_it_calls_does() {
    let module = |callee: &str, more: &str| {
        let caller = "define i64 @f(i64 noundef %n) {\n  %r = call i64 @k(i64 %n)\n  ret i64 %r\n}\n";
        let text = format!("{caller}define i64 @k(i64 %n) {{\n{callee}}}\n{more}");
        parse_module(text.as_bytes()).expect("a module").module
    };
    let own = "  ret i64 %n\n";
    let other =
        "  %c = icmp eq i64 %n, 81985529216486895\n  %r = select i1 %c, i64 7, i64 %n\n  ret i64 %r\n";
    let options = Options { runs: 8, ..Options::default() };
    let of = |s: &Module, t: &Module| check(side(s), side(t), &options).verdict;
    let verdict = of(&module(own, ""), &module(other, ""));
    let Verdict::RefinesAll { assumed, .. } = &verdict else { panic!("{verdict}") };
    assert_eq!(*assumed, [Assumption::Callees(vec!["k".to_owned()])]);
    assert!(verdict.to_string().ends_with(", if @k refines too"), "{verdict}");
    let verdict = of(&module(own, ""), &module(own, ""));
    assert!(matches!(&verdict, Verdict::RefinesAll { assumed, .. } if assumed.is_empty()), "{verdict}");
    // A function that only the target's module defines has nothing to refine: this one breaks its promise for one
    // argument.
    let parse = |text: &str| parse_module(text.as_bytes()).expect("a module").module;
    let promises = "memory(none) nounwind speculatable willreturn";
    let calls = "define i64 @f(i64 noundef %n) {\n  call void @h(i64 %n)\n  ret i64 %n\n}\n";
    let declared = format!("{calls}declare void @h(i64) {promises}\n");
    let defined = format!(
        "{calls}define void @h(i64 %n) {promises} {{\n  %c = icmp eq i64 %n, 81985529216486895\n  \
         br i1 %c, label %l, label %x\nl:\n  br label %l\nx:\n  ret void\n}}\n"
    );
    let verdict = of(&parse(&declared), &parse(&defined));
    assert!(verdict.to_string().contains("@h, which the source's module does not define"), "{verdict}");
}

/// The verdict on `@f` of two modules, with few runs so that the solver is asked.
fn of_two(source: &str, target: &str) -> Verdict {
    let [source, target] =
        [source, target].map(|text| parse_module(text.as_bytes()).expect("a module").module);
    let options = Options { runs: 8, ..Options::default() };
    check(side(&source), side(&target), &options).verdict
}

/// A target that may call itself where its source does not can run forever although each call is correct by itself.
#[test]
fn nothing_is_said_of_a_recursion_that_is_speculated() {
    let promises = "memory(none) willreturn nounwind";
    let source = |with: &str| {
        format!(
            "define i32 @f(i32 noundef %n) {promises} {with} {{\n  %z = icmp eq i32 %n, 0\n  \
             br i1 %z, label %a, label %b\na:\n  ret i32 0\nb:\n  %m = lshr i32 %n, 1\n  \
             %r = call i32 @f(i32 %m)\n  %s = add i32 %r, 1\n  ret i32 %s\n}}\n"
        )
    };
    let target = |callee: &str, with: &str| {
        format!(
            "define i32 @f(i32 noundef %n) {promises} {with} {{\n  %m = lshr i32 %n, 1\n  \
             %r = call i32 @{callee}(i32 %m)\n  %s = add i32 %r, 1\n  %z = icmp eq i32 %n, 0\n  \
             %t = select i1 %z, i32 0, i32 %s\n  ret i32 %t\n}}\n"
        )
    };
    let verdict = of_two(&source("speculatable"), &target("f", "speculatable"));
    assert!(verdict.to_string().contains("a recursion through @f, which is speculatable"), "{verdict}");
    // Through another function, and through a name that the pair does not have on both sides.
    let other = |calls: &str| {
        format!(
            "define i32 @g(i32 %n) {promises} speculatable {{\n  %r = call i32 @{calls}(i32 %n)\n  ret i32 %r\n}}\n"
        )
    };
    let through = source("speculatable").replace("call i32 @f", "call i32 @g") + &other("f");
    let verdict = of_two(&through, &(target("g", "speculatable") + &other("f")));
    assert!(verdict.to_string().contains("a recursion through @"), "{verdict}");
    // Through a table, part of a table, an alias, an argument, and a declared function.
    let loads = |from: &str| {
        format!(
            "define internal i32 @g(i32 %n) {promises} speculatable {{\n  %p = load ptr, ptr {from}\n  \
             %r = call i32 %p(i32 %n) {promises}\n  ret i32 %r\n}}\n"
        )
    };
    let given = |text: String| text.replace("@g(i32 %m)", "@g(i32 %m, ptr @f)");
    for (rest, pass) in [
        (loads("@t") + "@t = internal constant ptr @f\n", false),
        (
            loads("getelementptr (i8, ptr @t, i64 8)")
                + "@t = internal constant [2 x ptr] [ptr null, ptr @f]\n",
            false,
        ),
        (other("fa") + "@fa = alias i32 (i32), ptr @f\n", false),
        (
            format!(
                "define internal i32 @g(i32 %n, ptr %p) {promises} speculatable {{\n  \
                 %r = call i32 %p(i32 %n) {promises}\n  ret i32 %r\n}}\n"
            ),
            true,
        ),
        (format!("declare i32 @g(i32, ptr) {promises} speculatable\n"), true),
    ] {
        let [guarded, speculated] =
            [source("").replace("call i32 @f", "call i32 @g"), target("g", "")].map(|text| text + &rest);
        let [guarded, speculated] =
            if pass { [given(guarded), given(speculated)] } else { [guarded, speculated] };
        let verdict = of_two(&guarded, &speculated);
        assert!(
            verdict.to_string().contains("a recursion through @g, which is speculatable"),
            "{verdict}\n{rest}"
        );
    }
    // A declared function does not call back by name.
    let declared = format!("declare i32 @g(i32) {promises} speculatable\n");
    let verdict = of_two(
        &(source("").replace("call i32 @f", "call i32 @g") + &declared),
        &(target("g", "") + &declared),
    );
    assert!(matches!(verdict, Verdict::RefinesAll { .. }), "{verdict}");
    // It is no obstacle if the source makes the same calls.
    let verdict =
        of_two(&source("speculatable"), &source("speculatable").replace("add i32 %r, 1", "add i32 1, %r"));
    assert!(verdict.to_string().contains("a recursion through @f"), "{verdict}");
    let verdict = of_two(&source(""), &source("").replace("add i32 %r, 1", "add i32 1, %r"));
    assert!(matches!(verdict, Verdict::RefinesAll { .. }), "{verdict}");
    let verdict = of_two(&source(""), &target("f", ""));
    assert!(matches!(verdict, Verdict::Inconclusive { .. } | Verdict::Refuted(_)), "{verdict}");
}

/// A function with the name of the other side's function is not the pair itself.
#[test]
fn a_helper_may_have_the_name_of_the_other_side() {
    let body = |name: &str, calls: &str| {
        format!(
            "define i32 @{name}(i32 noundef %x) {{\n  %m = mul i32 %x, 1640531527\n  \
             %c = icmp eq i32 %m, 305419896\n  br i1 %c, label %a, label %b\na:\n  \
             %r = call i32 @{calls}(i32 %x)\n  ret i32 %r\nb:\n  ret i32 0\n}}\n"
        )
    };
    let helper = |name: &str| format!("define i32 @{name}(i32 %x) {{\n  ret i32 7\n}}\n");
    let check_named = |source: &str, target: &str| {
        let [s, t] = [source, target].map(|text| parse_module(text.as_bytes()).expect("a module").module);
        let source = Side { module: &s, func: s.env.func_named("src").expect("@src") };
        let target = Side { module: &t, func: t.env.func_named("tgt").expect("@tgt") };
        let options = Options { runs: 8, ..Options::default() };
        check(source, target, &options).verdict.to_string()
    };
    let verdict = check_named(&(body("src", "tgt") + &helper("tgt")), &body("tgt", "tgt"));
    assert!(verdict.ends_with(", if @tgt refines too"), "{verdict}");
    let verdict = check_named(&body("src", "src"), &(body("tgt", "src") + &helper("src")));
    assert!(verdict.ends_with(", if @src refines too"), "{verdict}");
}

/// The pair's callees must exist on both sides, with the same calling convention.
#[test]
fn callees_must_be_there() {
    let with = |callee: &str| {
        format!(
            "define i64 @f(i64 noundef %n) {{\n  %c = icmp eq i64 %n, 81985529216486895\n  \
             br i1 %c, label %a, label %b\na:\n  %r = call i64 @k(i64 %n)\n  ret i64 %r\nb:\n  ret i64 0\n}}\n{callee}"
        )
    };
    let defined = |how: &str| with(&format!("define {how} @k(i64 %n) {{\n  ret i64 1\n}}\n"));
    let declared = with("declare i64 @k(i64)\n");
    for (source, said) in [
        ("internal i64", "@k, which the target's module does not define any more"),
        ("linkonce_odr i64", "@k, which the target's module does not define any more"),
    ] {
        let verdict = of_two(&defined(source), &declared);
        assert!(verdict.to_string().contains(said), "{verdict}");
    }
    let verdict = of_two(&defined("available_externally i64"), &declared);
    assert!(matches!(verdict, Verdict::RefinesAll { .. }), "{verdict}");
    let verdict = of_two(&defined("internal i64"), &defined("internal fastcc i64"));
    assert!(verdict.to_string().contains("calling convention of the function @k"), "{verdict}");
    // A callee that the target no longer reaches need not exist.
    let unused = |code: &str| format!("define i64 @f(i64 %n) {{\n{code}  ret i64 %n\n}}\n");
    let dead = "define internal i64 @k(i64 %n) memory(none) willreturn nounwind {\n  ret i64 1\n}\n";
    let verdict = of_two(&(unused("  %r = call i64 @k(i64 %n)\n") + dead), &unused(""));
    assert!(
        matches!(&verdict, Verdict::RefinesAll { assumed, .. } if assumed.iter().all(|a| !matches!(a, Assumption::Callees(_)))),
        "{verdict}"
    );
}

/// A run of each module starts with that module's definitions: if they differ, a failure need not be the pair's.
#[test]
fn runs_of_two_modules_may_begin_in_two_states() {
    let calls = "define i32 @f() {\n  %r = call i32 @k()\n  ret i32 %r\n}\n";
    let elsewhere = format!("{calls}define available_externally i32 @k() {{\n  ret i32 1\n}}\n");
    let declared = format!("{calls}declare i32 @k()\n");
    for (source, target) in [(&elsewhere, &declared), (&declared, &elsewhere)] {
        let verdict = of_two(source, target);
        assert!(matches!(verdict, Verdict::Inconclusive { .. } | Verdict::RefinesAll { .. }), "{verdict}");
    }
    let loads = "define i32 @f() {\n  %v = load i32, ptr @b\n  ret i32 %v\n}\n";
    let settled = |value| format!("@b = internal global i32 {value}\ndefine i32 @f() {{\n  ret i32 7\n}}\n");
    for (source, target) in [
        // The contents now include the effect of a constructor.
        (format!("@b = global i32 2\n{loads}"), format!("@b = global i32 7\n{loads}")),
        (format!("@b = internal global i32 2\n{loads}"), format!("@b = internal global i32 7\n{loads}")),
    ] {
        let verdict = of_two(&source, &target);
        assert!(verdict.to_string().contains("starts with the initializer of @b"), "{verdict}");
    }
    // If the definitions agree or are constant, a failure is a refutation.
    let verdict = of_two(&format!("@b = internal global i32 2\n{loads}"), &settled(2));
    assert!(matches!(verdict, Verdict::Refuted(_)), "{verdict}");
    let constant = |value| format!("@b = constant i32 {value}\n{loads}");
    let verdict = of_two(&constant(2), &constant(7));
    assert!(matches!(verdict, Verdict::Refuted(_)), "{verdict}");
}

/// An ifunc is not an alias of its resolver.
#[test]
fn what_an_ifunc_stands_for_is_not_known() {
    let text = |resolves: &str| {
        format!(
            "define internal i32 @k2(i32 %x) {{\n  ret i32 1\n}}\ndefine internal ptr @res() {{\n  ret ptr @{resolves}\n}}\n\
             @k = internal ifunc i32 (i32), ptr @res\ndefine i32 @f(i32 %x) {{\n  %r = call i32 @k(i32 %x)\n  ret i32 %r\n}}\n"
        )
    };
    let plain = "define i32 @f(i32 %x) {\n  ret i32 1\n}\n";
    for (source, target) in [(plain, &*text("k2")), (&*text("k2"), plain)] {
        let verdict = of_two(source, target);
        assert!(verdict.to_string().contains("an ifunc"), "{verdict}");
    }
}

#[test]
fn what_nothing_depends_on_may_differ() {
    for (source, target) in [
        ("@c = global i64 0, align 8", "@c = dso_local local_unnamed_addr global i64 0, align 8"),
        ("@c = unnamed_addr global i8 0", "@c = global i8 0"),
        ("@c = external global i64, align 8", "@c = external global i64, align 4"),
        (
            "%t = type { i8, i8 }\n@c = global %t { i8 1, i8 2 }",
            "%t = type { i8, i8 }\n@c = global %t { i8 1, i8 2 }",
        ),
    ] {
        let verdict = verdict(&modules(source, target));
        assert!(matches!(verdict, Verdict::RefinesAll { .. }), "{source} and {target}: {verdict:?}");
    }
}

/// An extracted pair does not show where else the address of its function escapes.
#[test]
fn what_a_declared_function_may_have_got_from_the_module_counts() {
    let promises = "memory(none) willreturn nounwind";
    let rest = format!("declare i32 @g(i32) {promises} speculatable\n");
    let source = format!(
        "define i32 @f(i32 noundef %n) {promises} {{\n  %z = icmp eq i32 %n, 0\n  br i1 %z, label %a, label %b\n\
         a:\n  ret i32 0\nb:\n  %m = lshr i32 %n, 1\n  %r = call i32 @g(i32 %m)\n  ret i32 %r\n}}\n{rest}"
    );
    let target = format!(
        "define i32 @f(i32 noundef %n) {promises} {{\n  %m = lshr i32 %n, 1\n  %r = call i32 @g(i32 %m)\n  \
         %z = icmp eq i32 %n, 0\n  %t = select i1 %z, i32 0, i32 %r\n  ret i32 %t\n}}\n{rest}"
    );
    let judged = |also: &str| {
        let [s, t] = [&source, &target]
            .map(|text| parse_module(format!("{text}{also}").as_bytes()).expect("a module").module);
        let judge = Judge::new(Options { runs: 8, ..Options::default() });
        judge.judge(side(&s), side(&t)).report.verdict
    };
    let verdict =
        judged("@n = constant i32 7\ndefine i32 @h() {\n  %r = call i32 @f(i32 3)\n  ret i32 %r\n}\n");
    assert!(matches!(verdict, Verdict::RefinesAll { .. }), "{verdict}");
    for also in [
        "@vt = constant { i32, ptr } { i32 7, ptr @f }\n",
        "@fa = alias i32 (i32), ptr @f\n",
        "define ptr @h() {\n  ret ptr @f\n}\n",
        "define void @h() prefix ptr @f {\n  ret void\n}\n",
        "module asm \".quad f\"\n",
    ] {
        let verdict = judged(also);
        assert!(
            verdict.to_string().contains("a recursion through @g, which is speculatable"),
            "{verdict}\n{also}"
        );
    }
}

fn judged([source, target]: &[Module; 2]) -> String {
    Judge::new(Options::default()).judge(side(source), side(target)).report.verdict.to_string()
}

/// A layout on one side applies to both, and is an assumption if the functions depend on it.
#[test]
fn a_layout_on_one_side_counts_for_both() {
    const BIG: &str = "target datalayout = \"E-p:32:32\"\n";
    const TRIPLE: &str = "target triple = \"of-somewhere\"\n";
    let sum = "define i32 @f(i32 noundef %x) {\n  %r = add i32 %x, 1\n  ret i32 %r\n}\n";
    let load = "define i8 @f(ptr %p) {\n  %r = load i8, ptr %p\n  ret i8 %r\n}\n";
    let parsed = |text: String| parse_module(text.as_bytes()).expect("a module").module;
    let verdict = |heads: [&str; 2], code: &str| judged(&heads.map(|head| parsed(format!("{head}{code}"))));
    let both = format!("{BIG}{TRIPLE}");
    let assumed = ", if both modules have one data layout";
    for heads in [["", BIG], [BIG, ""]] {
        assert!(verdict(heads, load).ends_with(assumed), "{}", verdict(heads, load));
        let plain = verdict(heads, sum);
        assert!(plain.starts_with("refines") && !plain.contains(assumed), "{plain}");
    }
    let same_triple = verdict([TRIPLE, &both], load);
    assert!(same_triple.starts_with("refines") && !same_triple.contains(assumed), "{same_triple}");
    // The byte order determines where a cast puts the elements of a vector.
    let cast = "define i8 @f(i16 noundef %x) {\n  %v = bitcast i16 %x to <2 x i8>\n  \
                %e = extractelement <2 x i8> %v, i32 0\n  ret i8 %e\n}";
    let order = verdict(["", BIG], cast);
    assert!(order.ends_with(assumed), "{order}");
    let differ = verdict([BIG, "target datalayout = \"e-p:32:32\"\n"], load);
    assert!(differ.starts_with("inconclusive"), "{differ}");
}

/// A target may over-align a definition; its claims about other variables, and about observed addresses, are
/// assumptions.
#[test]
fn what_the_target_says_of_a_variable_is_proved_or_assumed() {
    let load = "define i32 @f() {\n  %r = load i32, ptr @c, align 4\n  ret i32 %r\n}\n";
    let aligned = "define i32 @f() {\n  %r = load i32, ptr @c, align 16\n  ret i32 %r\n}\n";
    let looks = "define i1 @f(ptr %p) {\n  %r = icmp eq ptr %p, @c\n  ret i1 %r\n}\n";
    let parsed =
        |global: &str, code: &str| parse_module(format!("{global}\n{code}").as_bytes()).expect("a module");
    let verdict = |source: (&str, &str), target: (&str, &str)| {
        judged(&[parsed(source.0, source.1).module, parsed(target.0, target.1).module])
    };
    let assumes = |verdict: &str, claim: &str| verdict.starts_with("refines") && verdict.ends_with(claim);
    let refines = |verdict: &str| verdict.starts_with("refines") && !verdict.contains("if @c");
    let (low, high) = ("@c = global i32 0, align 4", "@c = global i32 0, align 16");
    for found in [verdict((low, load), (high, aligned)), verdict((low, load), (high, load))] {
        assert!(refines(&found), "{found}");
    }
    let declared = ("@c = external global i32, align 4", "@c = external global i32, align 16");
    let found = verdict((declared.0, load), (declared.1, aligned));
    assert!(assumes(&found, ", if @c is align 16"), "{found}");
    let weak =
        verdict(("@c = weak global i32 0, align 4", load), ("@c = weak global i32 0, align 16", aligned));
    assert!(!refines(&weak), "{weak}");
    for word in ["unnamed_addr", "local_unnamed_addr"] {
        let global = format!("@c = {word} global i32 0, align 4");
        let found = verdict((low, load), (&global, load));
        // Other modules may compare the address of a variable that they can name.
        let is_assumed = word == "unnamed_addr";
        assert_eq!(!is_assumed, refines(&found), "{found}");
        let found = verdict((low, looks), (&global, looks));
        assert!(assumes(&found, &format!(", if @c is {word}")), "{found}");
        let [own, named] = ["", word].map(|word| format!("@c = internal {word} global i32 0, align 4"));
        let found = verdict((&own, load), (&named, load));
        assert!(refines(&found), "{found}");
    }
    // A smaller alignment is refused.
    let found = verdict((high, load), (low, load));
    assert!(found.starts_with("inconclusive"), "{found}");
}
