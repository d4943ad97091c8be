//! Guards of accesses: conditions, zero-trip tests, and cases that exclude each other.

use super::{NONE, of_memory, one_loop};

/// Guards from ifs and zero-trip tests.
#[test]
fn guards() {
    let text = |condition: &str, ways: &str| {
        format!(
            "define void @f(ptr noalias %p, i64 %n, i64 %m) {{\nentry:\n  br label %loop\nloop:\n  \
             %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]\n  %to = getelementptr inbounds i32, ptr %p, i64 %i\n  \
             store i32 1, ptr %to, align 4\n  {condition}\n  br i1 %c, {ways}\nin:\n  \
             %y = add nsw i64 %i, 100\n  %from = getelementptr inbounds i32, ptr %p, i64 %y\n  \
             %v = load i32, ptr %from, align 4\n  store i32 %v, ptr @x, align 4\n  br label %latch\nlatch:\n  \
             %i.next = add nuw nsw i64 %i, 1\n  %more = icmp ult i64 %i.next, 150\n  \
             br i1 %more, label %loop, label %exit\nexit:\n  ret void\n}}\n@x = global i32 0\n"
        )
    };
    let of_p = |text: &str| -> Vec<String> {
        of_memory(text).into_iter().filter(|edge| !edge.starts_with("output")).collect()
    };
    let (then, otherwise) = ("label %in, label %latch", "label %latch, label %in");
    let known = |way: &str, condition: &str| of_p(&text(&format!("%c = {condition}"), way));
    // The load reads the element that the store writes 100 iterations later.
    assert_eq!(known(then, "icmp ult i64 %i, 50"), ["anti (<) (100)"]);
    assert_eq!(known(then, "icmp ugt i64 %i, 49"), NONE);
    assert_eq!(known(otherwise, "icmp ult i64 %i, 50"), NONE);
    assert_eq!(known(otherwise, "icmp ule i64 50, %i"), ["anti (<) (100)"]);
    assert_eq!(known(then, "icmp eq i64 %i, 50"), NONE);
    assert_eq!(known(then, "icmp slt i64 %i, %n"), ["anti (<) (100)"]);
}

/// A guard of one access does not restrict the iterations of the other, whose subscript wraps there.
#[test]
fn guards_of_one_access() {
    let text = |guard: &str, at: u32, less: i32, trips: u32| {
        format!(
            "define void @f(ptr %p) {{\nentry:\n  br label %loop\nloop:\n  \
             %i = phi i8 [ 0, %entry ], [ %i.next, %latch ]\n  %c = icmp {guard}\n  \
             br i1 %c, label %in, label %latch\nin:\n  %q = getelementptr i8, ptr %p, i64 {at}\n  \
             store i8 101, ptr %q\n  br label %latch\nlatch:\n  %x = add i8 %i, {less}\n  \
             %z = zext i8 %x to i64\n  %to = getelementptr i8, ptr %p, i64 %z\n  store i8 102, ptr %to\n  \
             %i.next = add nuw i8 %i, 1\n  %more = icmp ult i8 %i.next, {trips}\n  \
             br i1 %more, label %loop, label %exit\nexit:\n  ret void\n}}\n"
        )
    };
    // The other access has that address in the first iterations, the guarded one after them.
    for (guard, at, less, trips) in [("ne i8 %i, 0", 255, -1, 100), ("sgt i8 %i, 3", 253, -4, 200)] {
        let edges = of_memory(&text(guard, at, less, trips));
        assert!(edges.iter().filter(|edge| *edge == "output (<)").count() >= 2, "{guard}: {edges:?}");
    }
}

/// Of two accesses under an invariant condition and its opposite, only one executes.
#[test]
fn cases_of_one_condition() {
    let of = |condition: &str, other: &str| {
        of_memory(
            &one_loop(
                "%n",
                &[
                    &format!(
                        "%c = {condition}\n  br i1 %c, label %in, label %else\nin:\n  store i8 1, ptr %p"
                    ),
                    "br label %on\nelse:",
                    &format!("{other}\n  br label %on\non:"),
                ],
            )
            .replace("[ %i.next, %loop ]", "[ %i.next, %on ]")
            .replace("  %c = icmp ult i64 %m, 5 ; before\n", "")
            .replace(
                "entry:",
                if condition.ends_with("before") { "entry:\n  %c = icmp ult i64 %m, 5" } else { "entry:" },
            ),
        )
    };
    let other = "%m1 = and i64 %m, 1\n  %at = getelementptr i8, ptr %p, i64 %m1\n  store i8 2, ptr %at";
    // The last condition is computed before the loop.
    for condition in ["icmp ult i64 %m, 5", "icmp eq i64 %m, 0", "icmp ult i64 %m, 5 ; before"] {
        assert_eq!(of(condition, "store i8 2, ptr %p"), ["output (<)"; 2], "{condition}");
    }
    assert!(of("icmp ult i64 %i, 5", other).len() > 2);
}
