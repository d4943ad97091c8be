//! Dependences by subscripts, class by class: ZIV, SIV, MIV, wrapping subscripts, access sizes, and unknowns.

use super::{NONE, of_memory, one_loop, single, store_and_load, two_loops};

#[test]
fn no_induction_variable() {
    assert_eq!(single("10", "add i64 0, 1", "add i64 0, 2"), ["output (<)"]);
    assert_eq!(single("10", "add i64 %n, 1", "add i64 %n, 2"), ["output (<)"]);
    assert_eq!(single("10", "add i64 0, 1", "add i64 0, 1"), ["anti (<=)", "flow (<)", "output (<)"]);
}

#[test]
fn strong() {
    for trips in ["10", "%n"] {
        assert_eq!(single(trips, "add i64 %i, 1", "add i64 %i, 0"), ["anti (<) (1)"], "{trips}");
        assert_eq!(single(trips, "add i64 %i, 0", "add i64 %i, 0"), ["anti (=) (0)"], "{trips}");
    }
    assert_eq!(single("10", "add i64 %i, 0", "add i64 %i, 3"), ["flow (<) (3)"]);
    // A distance beyond the trip count.
    assert_eq!(single("10", "add i64 %i, 10", "add i64 %i, 0"), NONE);
    assert_eq!(single("11", "add i64 %i, 10", "add i64 %i, 0"), ["anti (<) (10)"]);
    // A negative stride.
    assert_eq!(single("10", "sub i64 10, %i", "sub i64 11, %i"), ["anti (<) (1)"]);
    // An unknown distance, possibly nonzero.
    let text =
        one_loop("8", &store_and_load("or i64 %i, 0", "add i64 %i, %n").each_ref().map(String::as_str));
    assert!(of_memory(&text).len() >= 2, "{:?}", of_memory(&text));
}

/// A variable that varies between iterations is replaced by its definition, if that executes in the same iteration.
#[test]
fn computed_subscripts() {
    let text = |more: &str| {
        let insts = [
            "%j32 = trunc i64 %j to i32",
            "%i32 = trunc i64 %i to i32",
            "%m32 = trunc i64 %m to i32",
            "%s = mul i32 %m32, %i32",
            "%sum = add i32 %s, %j32",
            "%x = sext i32 %sum to i64",
            "%from = getelementptr inbounds i32, ptr %p, i64 %x",
            "%v = load i32, ptr %from, align 4",
            more,
            "%at = getelementptr inbounds i32, ptr %p, i64 %y",
            "store i32 %v, ptr %at, align 4",
        ];
        of_memory(&two_loops("5", "7", &insts))
    };
    // Distance one within a row; rows may coincide or overlap.
    assert_eq!(text("%y = add i64 %x, 1"), ["anti (<, *)", "flow (<, *) | (=, <) (0, 1)", "output (<, *)"]);
    assert_eq!(text("%y = sub i64 %x, 2"), ["anti (<, *) | (=, <) (0, 2)", "flow (<, *)", "output (<, *)"]);
    assert_eq!(text("%y = sub i64 %x, 7"), ["anti (<, *)", "flow (<, *)", "output (<, *)"]);
}

#[test]
fn weak() {
    // One subscript never has the constant value of the other.
    assert_eq!(single("5", "add i64 0, 5", "add i64 %i, 0"), NONE);
    assert_eq!(single("5", "add i64 0, 4", "add i64 %i, 0"), ["anti (<=)"]);
    assert_eq!(single("5", "add i64 0, 0", "add i64 %i, 0"), ["anti (=) (0)", "flow (<)"]);
    // Crossing: equal in the middle iteration, and on both sides of it.
    assert_eq!(single("5", "sub i64 9, %i", "add i64 %i, 0"), NONE);
    assert_eq!(single("5", "sub i64 8, %i", "add i64 %i, 0"), ["anti (=) (0)"]);
    assert_eq!(single("5", "sub i64 7, %i", "add i64 %i, 0"), ["anti (<) (1)", "flow (<) (1)"]);
}

#[test]
fn divisors_and_bounds() {
    assert_eq!(single("100", "shl i64 %i, 1", "mul i64 %i, 3"), ["anti (=) (0)", "flow (<)"]);
    let odd = "%odd = add i64 %even, 1";
    let mut insts = store_and_load("shl i64 %i, 2", "add i64 %odd, 0").to_vec();
    insts.insert(0, format!("%even = shl i64 %i, 1\n  {odd}"));
    let insts: Vec<&str> = insts.iter().map(String::as_str).collect();
    assert_eq!(of_memory(&one_loop("%n", &insts)), NONE);
    // After 2^63 iterations the subscript would wrap to an earlier value; the object ends before.
    let endless = one_loop("%n", &insts).replace("add nuw nsw", "add");
    assert_eq!(of_memory(&endless), NONE);
    // Two levels: beyond the combined range of both counters.
    let far = ["%s = add i64 %i, %j", "%t = add i64 %s, 19"];
    let near = ["%s = add i64 %i, %j", "%t = add i64 %s, 18"];
    for (sums, expected) in [(far, 0), (near, 1)] {
        let rest = store_and_load("add i64 %t, 0", "add i64 %s, 0");
        let insts: Vec<&str> = sums.into_iter().chain(rest.iter().map(String::as_str)).collect();
        let found = of_memory(&two_loops("10", "10", &insts));
        let found: Vec<&String> = found.iter().filter(|l| !l.starts_with("output")).collect();
        assert_eq!(found.len(), expected, "{found:?}");
    }
}

/// `A[i][j]` with rows of 16: accesses within one row and across rows.
#[test]
fn two_levels() {
    let access = |i: &str, j: &str, inner: &str| {
        let text = two_loops(
            "10",
            inner,
            &[
                &format!("%a = {i}\n  %b2 = {j}"),
                "%from = getelementptr inbounds [16 x i32], ptr %p, i64 %a, i64 %b2",
                "%v = load i32, ptr %from, align 4",
                "%at = getelementptr inbounds [16 x i32], ptr %p, i64 %i, i64 %j",
                "store i32 %v, ptr %at, align 4",
            ],
        );
        of_memory(&text)
    };
    assert_eq!(access("add i64 %i, 0", "add i64 %j, 1", "15"), ["anti (=, <) (0, 1)"]);
    assert_eq!(access("add i64 %i, 1", "add i64 %j, 0", "16"), ["anti (<, =) (1, 0)"]);
    assert_eq!(access("sub i64 %i, 1", "add i64 %j, 1", "15"), ["flow (<, >) (1, -1)"]);
    // Past the end of the row, the next one begins.
    assert_eq!(access("add i64 %i, 0", "add i64 %j, 1", "16"), ["anti (<, >) (1, -15) | (=, <) (0, 1)"]);
}

/// Subscripts of 8 bits wrap.
#[test]
fn what_wraps_around() {
    let narrow = |step: i64, how: &str, trips: &str| {
        let text = one_loop(
            trips,
            &[
                &format!("%t = trunc i64 %i to i8\n  %k = mul i8 %t, {step}\n  %x = {how} i8 %k to i64"),
                "%at = getelementptr i32, ptr %p, i64 %x",
                "store i32 1, ptr %at, align 4",
            ],
        );
        of_memory(&text)
    };
    // 64 times 4 is zero modulo 256: every fourth iteration repeats an address.
    assert_eq!(narrow(64, "zext", "4"), NONE);
    assert_eq!(narrow(64, "zext", "5"), ["output (<) (4)"]);
    assert_eq!(narrow(1, "sext", "256"), NONE);
    assert_eq!(narrow(1, "sext", "257"), ["output (<) (256)"]);
    assert_eq!(narrow(-1, "sext", "256"), NONE);
    assert_eq!(narrow(85, "zext", "256"), NONE);
    assert_eq!(narrow(0, "zext", "2"), ["output (<) (1)"]);
    assert_eq!(narrow(-128, "sext", "3"), ["output (<) (2)"]);
}

/// Accesses of different sizes overlap partially.
#[test]
fn sizes() {
    let bytes = |load: &str, at: i64, of: i64| {
        let text = one_loop(
            "10",
            &[
                &format!("%x = mul i64 %i, {of}\n  %y = add i64 %x, {at}"),
                "%from = getelementptr inbounds i8, ptr %p, i64 %y",
                &format!("%v = load {load}, ptr %from, align 1\n  %c = trunc {load} %v to i8"),
                "%to = getelementptr inbounds i32, ptr %p, i64 %i",
                "%w = zext i8 %c to i32\n  store i32 %w, ptr %to, align 1",
            ],
        );
        of_memory(&text)
    };
    assert_eq!(bytes("i32", 4, 4), ["anti (<) (1)"]);
    assert_eq!(bytes("i32", 2, 4), ["anti (<=)"]);
    assert_eq!(bytes("i64", 0, 4), ["anti (<=)"]);
    assert_eq!(bytes("i16", 40, 4), NONE);
    assert_eq!(bytes("i16", 38, 4), ["anti (<) (9)"]);
}

/// Unbounded unknowns in subscripts and in loop bounds, one an extension of the other.
#[test]
fn unknowns_in_subscripts_and_bounds() {
    let text = |load: &str, store: &str, length: &str| {
        let looped = one_loop("%len", &store_and_load(load, store).each_ref().map(String::as_str))
            + "declare i64 @llvm.umin.i64(i64, i64)\n";
        let guard = if length.contains("sext") || length.contains("add i64 %n") { "sgt" } else { "ne" };
        looped.replace(
            "entry:\n  br label %loop",
            &format!(
                "entry:\n{length}\n  %c = icmp {guard} i64 %len, 0\n  br i1 %c, label %loop, label %exit"
            ),
        )
    };
    let (same, beyond) = ("add i64 %i, 0", "add nsw i64 %i, %len");
    let lengths = [
        "  %len = add i64 %n, 0",
        "  %few = trunc i64 %n to i32\n  %len = zext i32 %few to i64",
        "  %few = trunc i64 %n to i32\n  %wide = zext i32 %few to i64\n  %len = add nuw nsw i64 %wide, 1",
        "  %few = trunc i64 %n to i32\n  %len = sext i32 %few to i64",
        "  %len = lshr i64 %n, 1",
        "  %len = call i64 @llvm.umin.i64(i64 %n, i64 4294967295)",
    ];
    for length in lengths {
        assert_eq!(of_memory(&text(same, beyond, length)), NONE, "{length}");
        assert_eq!(of_memory(&text(beyond, same, length)), NONE, "{length}");
        // One less: the element that the last iteration reads, which all earlier iterations wrote.
        let met = ["anti (=) (0)", "flow (<)", "output (<)"];
        assert_eq!(of_memory(&text(same, "sub nsw i64 %len, 1", length)), met, "{length}");
    }
}
