//! Tests of `early-cse`, case by case.

use crate::common;
use backedge_ir::print::module_to_string;
use backedge_ir::verify::verify_module;
use backedge_testkit::module;
use backedge_transform::cse::EarlyCse;

/// The body of `@f` after the pass, one line per instruction.
fn after(body: &str) -> String {
    after_in("", body)
}

/// The same for a function with an attribute.
fn after_in(attribute: &str, body: &str) -> String {
    let text = format!(
        "declare void @any()\ndeclare void @reads() memory(read) nounwind willreturn\n\
         declare void @throws() memory(none)\ndeclare i32 @pure(i32) memory(none) nounwind willreturn\n\
         define i32 @f(i32 %x, i32 %y, i1 %c, ptr %p, ptr noalias %q) {attribute} {{\n{body}\n}}\n!0 = !{{i32 0, i32 9}}\n"
    );
    let mut module = module(&text);
    let func = module.env.func_named("f").expect("it has @f");
    let (env, body) = module.body_mut(func).expect("a body");
    common::run_pass(env, func, body, &EarlyCse::default());
    let printed = module_to_string(&module);
    assert_eq!(verify_module(&module), [], "{printed}");
    printed[printed.find("define").expect("a definition")..].to_owned()
}

/// Checks how often each text occurs in the result of the pass for a body.
fn counts(cases: &[(&str, &str, usize)]) {
    for (body, text, times) in cases {
        let printed = after(body);
        assert_eq!(printed.matches(text).count(), *times, "`{text}` in what became of\n{body}\n{printed}");
    }
}

#[test]
fn what_is_computed_again_goes() {
    counts(&[
        ("%a = add i32 %x, %y\n%b = add i32 %y, %x\n%r = mul i32 %a, %b\nret i32 %r", "add i32", 1),
        ("%a = sub i32 %x, %y\n%b = sub i32 %y, %x\n%r = mul i32 %a, %b\nret i32 %r", "sub i32", 2),
        // The remaining instruction has only the flags of both.
        (
            "%a = add nuw nsw i32 %x, %y\n%b = add nsw i32 %x, %y\n%r = mul i32 %a, %b\nret i32 %r",
            "add nsw",
            1,
        ),
        ("%a = add nuw i32 %x, %y\n%b = add nsw i32 %x, %y\n%r = mul i32 %a, %b\nret i32 %r", "add i32", 1),
        (
            "%a = icmp ult i32 %x, %y\n%b = icmp ugt i32 %y, %x\n%d = and i1 %a, %b\n%r = zext i1 %d to i32\nret i32 %r",
            "icmp",
            1,
        ),
        // In sequence: the products become equal once the sums are merged.
        (
            "%a = add i32 %x, 1\n%b = mul i32 %a, %y\n%d = add i32 %x, 1\n%e = mul i32 %d, %y\n%r = xor i32 %b, %e\nret i32 %r",
            "mul",
            1,
        ),
        (
            "%a = call i32 @pure(i32 %x)\n%b = call i32 @pure(i32 %x)\n%r = xor i32 %a, %b\nret i32 %r",
            "call",
            1,
        ),
        ("%a = freeze i32 %x\n%b = freeze i32 %x\n%r = xor i32 %a, %b\nret i32 %r", "freeze", 1),
    ]);
}

#[test]
fn a_coroutine_may_be_in_another_thread_for_the_second_call() {
    let twice = "%a = call i32 @pure(i32 %x)\ncall void @any()\n%b = call i32 @pure(i32 %x)\n\
                 %r = xor i32 %a, %b\nret i32 %r";
    for (attribute, calls) in [("", 1), ("presplitcoroutine", 2)] {
        let printed = after_in(attribute, twice);
        assert_eq!(printed.matches("call i32 @pure").count(), calls, "{printed}");
    }
}

#[test]
fn a_block_knows_what_dominates_it() {
    let diamond = "%a = add i32 %x, %y\nbr i1 %c, label %t, label %e\nt:\n%b = add i32 %x, %y\nbr label %j\n\
        e:\n%d = mul i32 %x, %y\nbr label %j\nj:\n%s = phi i32 [ %b, %t ], [ %d, %e ]\n%g = mul i32 %x, %y\n\
        %h = xor i32 %s, %g\n%r = xor i32 %h, %a\nret i32 %r";
    counts(&[(diamond, "add i32", 1), (diamond, "mul i32", 2)]);
}

#[test]
fn loads_of_what_is_known_go() {
    counts(&[
        ("store i32 %x, ptr %p\n%a = load i32, ptr %p\nret i32 %a", "load", 0),
        ("%a = load i32, ptr %p\n%b = load i32, ptr %p\n%r = add i32 %a, %b\nret i32 %r", "load", 1),
        // Nothing else may have written there.
        (
            "%a = load i32, ptr %p\ncall void @any()\n%b = load i32, ptr %p\n%r = add i32 %a, %b\nret i32 %r",
            "load",
            2,
        ),
        (
            "%a = load i32, ptr %p\ncall void @reads()\n%b = load i32, ptr %p\n%r = add i32 %a, %b\nret i32 %r",
            "load",
            1,
        ),
        (
            "%a = load i32, ptr %p\n%o = getelementptr i32, ptr %p, i32 %x\nstore i32 1, ptr %o\n%b = load i32, ptr %p\n\
             %r = add i32 %a, %b\nret i32 %r",
            "load",
            2,
        ),
        (
            "%a = load i32, ptr %p\nstore i32 1, ptr %q\n%b = load i32, ptr %p\n%r = add i32 %a, %b\nret i32 %r",
            "load",
            1,
        ),
        // Another type; volatile; atomic.
        ("store i32 %x, ptr %p\n%a = load float, ptr %p\n%r = fptosi float %a to i32\nret i32 %r", "load", 1),
        ("store i32 %x, ptr %p\n%a = load volatile i32, ptr %p\nret i32 %a", "load", 1),
        ("store i32 %x, ptr %p\n%a = load atomic i32, ptr %p unordered, align 4\nret i32 %a", "load", 1),
        // Metadata of the remaining load must hold for both.
        (
            "%a = load i32, ptr %p, !range !0\n%b = load i32, ptr %p\n%r = add i32 %a, %b\nret i32 %r",
            "!range",
            0,
        ),
        (
            "%a = load i32, ptr %p, !range !0\n%b = load i32, ptr %p, !range !0\n\
             %r = add i32 %a, %b\nret i32 %r",
            "!range",
            1,
        ),
    ]);
}

#[test]
fn memory_is_known_along_one_way() {
    let on = |other: &str| {
        format!(
            "store i32 %x, ptr %p\nbr i1 %c, label %t, label %e\nt:\n%a = load i32, ptr %p\nbr label %j\ne:\n{other}\n\
             br label %j\nj:\n%b = load i32, ptr %p\nret i32 %b"
        )
    };
    let quiet = on("");
    // Memory contents are unknown at the join; before it, the store is the only predecessor path.
    counts(&[(&quiet, "load", 1), (&on("call void @any()"), "load", 1)]);
    let around = "store i32 %x, ptr %p\nbr label %l\nl:\n%a = load i32, ptr %p\n%n = add i32 %a, 1\n\
        store i32 %n, ptr %p\n%d = icmp eq i32 %n, 9\nbr i1 %d, label %o, label %l\no:\nret i32 %n";
    counts(&[(around, "load", 1), (around, "store", 2)]);
}

#[test]
fn stores_that_change_nothing_go() {
    counts(&[
        ("store i32 5, ptr %p\nstore i32 5, ptr %p\nret i32 0", "store", 1),
        ("%a = load i32, ptr %p\nstore i32 %a, ptr %p\nret i32 0", "store", 0),
        // The store clears the bits of the byte that do not belong to the value.
        ("%a = load i7, ptr %p\nstore i7 %a, ptr %p\nret i32 0", "store", 1),
        ("%a = trunc i32 %x to i7\nstore i7 %a, ptr %p\nstore i7 %a, ptr %p\nret i32 0", "store", 1),
        ("store i32 5, ptr %p\ncall void @reads()\nstore i32 5, ptr %p\nret i32 0", "store", 1),
        ("store i32 5, ptr %p\ncall void @any()\nstore i32 5, ptr %p\nret i32 0", "store", 2),
        ("store i32 5, ptr %p\nstore volatile i32 5, ptr %p\nret i32 0", "store", 2),
    ]);
}

#[test]
fn stores_that_nobody_sees_go() {
    counts(&[
        ("store i32 5, ptr %p\nstore i32 6, ptr %p\nret i32 0", "store i32 5", 0),
        // A call, an exception handler or another load observes the store.
        ("store i32 5, ptr %p\ncall void @reads()\nstore i32 6, ptr %p\nret i32 0", "store", 2),
        ("store i32 5, ptr %p\ncall void @throws()\nstore i32 6, ptr %p\nret i32 0", "store", 2),
        (
            "store i32 5, ptr %p\n%a = load i8, ptr %p\nstore i32 6, ptr %p\n%r = zext i8 %a to i32\nret i32 %r",
            "store",
            2,
        ),
        // The store is not overwritten completely.
        ("store i32 5, ptr %p\nstore i8 6, ptr %p\nret i32 0", "store", 2),
        // The load in between does not observe the store once its value is known.
        (
            "store i32 %x, ptr %p\n%a = load i32, ptr %p\n%b = add i32 %a, 1\nstore i32 %b, ptr %p\nret i32 0",
            "store",
            1,
        ),
        // The other path needs the store.
        (
            "store i32 5, ptr %p\nbr i1 %c, label %t, label %e\nt:\nstore i32 6, ptr %p\nret i32 1\ne:\nret i32 0",
            "store",
            2,
        ),
    ]);
}

#[test]
fn values_of_loops_get_no_uses_outside() {
    let text = "br label %l\nl:\n%i = phi i32 [ 0, %0 ], [ %n, %l ]\n%n = add i32 %i, 1\n%s = mul i32 %x, %y\n\
        store i32 %s, ptr %p\n%d = icmp eq i32 %n, %x\nbr i1 %d, label %o, label %l\no:\n%t = mul i32 %x, %y\n\
        %v = load i32, ptr %p\n%r = add i32 %t, %v\nret i32 %r";
    counts(&[(text, "mul", 2), (text, "load", 1)]);
}
