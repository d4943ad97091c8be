//! Variables named by verbatim text: unmodelled code, and data next to functions.

use super::judged;
use backedge_ir::parse::parse_module;

/// The verdict on replacing a load of the internal variable `name` with its initializer, in modules with `rest`.
fn of_load(name: &str, rest: &str) -> String {
    let modules =
        [format!("  %v = load i32, ptr @{name}\n  ret i32 %v"), "  ret i32 5".to_owned()].map(|code| {
            let text = format!("@{name} = internal global i32 5\n{rest}\ndefine i32 @f() {{\n{code}\n}}\n");
            parse_module(text.as_bytes()).unwrap_or_else(|e| panic!("{}: {text}", e.kind)).module
        });
    judged(&modules)
}

#[test]
fn code_that_is_not_modelled_may_write_what_it_names() {
    let store = |name: &str| {
        format!(
            "define void @w(<vscale x 4 x i32> %v) {{\n  store i32 7, ptr {name} ; it's \"\n  ret void\n}}"
        )
    };
    for (name, spelled) in [
        ("g", "@g"),
        ("g", "@\"g\""),
        ("\"a b\"", "@\"a b\""),
        ("\"a b\"", "@\"\\61 b\""),
        ("\"a = b\"", "@\"a = b\""),
        ("0", "@0"),
    ] {
        let verdict = of_load(name, &store(spelled));
        assert!(!verdict.starts_with("refines"), "{spelled}: {verdict}");
    }
    for (name, spelled) in [("g", "@h"), ("g", "@\"g b\""), ("\"a b\"", "@\"a b c\"")] {
        let other = format!("{spelled} = global i32 0\n{}", store(spelled));
        let verdict = of_load(name, &other);
        assert!(verdict.starts_with("refines, all iterations"), "{spelled}: {verdict}");
    }
}

#[test]
fn data_beside_a_function_hands_out_what_it_names() {
    for rest in [
        "define void @w() prefix ptr @g {\n  ret void\n}",
        "define void @w() prologue ptr @g {\n  ret void\n}",
        "define void @w() prefix { i32, ptr } { i32 1, ptr @g } {\n  ret void\n}",
        "define void @w() personality ptr @g {\n  ret void\n}",
        "module asm \"movl $1, g\"",
    ] {
        let verdict = of_load("g", rest);
        assert!(!verdict.starts_with("refines"), "{rest}: {verdict}");
    }
}

/// A constant with any name is found by that name.
#[test]
fn constants_of_any_name_are_merged() {
    let constant = |name: &str| format!("@{name} = private unnamed_addr constant i32 5\n");
    for name in ["\"a = b\"", "\"a\\22b\"", "\"a;b\"", "\"@c\""] {
        let source = format!(
            "{}{}define ptr @f(i1 %x) {{\n  %p = select i1 %x, ptr @{name}, ptr @c\n  ret ptr %p\n}}\n",
            constant(name),
            constant("c")
        );
        let target = format!("{}define ptr @f(i1 %x) {{\n  ret ptr @c\n}}\n", constant("c"));
        let modules = [source, target].map(|text| parse_module(text.as_bytes()).expect("a module").module);
        let verdict = judged(&modules);
        assert!(verdict.starts_with("refines, all iterations"), "{name}: {verdict}");
    }
}
