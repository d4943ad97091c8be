//! Dependences by objects: intrinsics that fill and copy, allocators, sweeps through an object, alias scopes, and
//! addresses of no object.

use super::{NONE, of_all_memory, of_memory, one_loop, store_and_load, two_loops};

/// Intrinsics that fill and copy bytes reach the given number of bytes.
#[test]
fn bytes_that_are_filled_and_copied() {
    let declared = "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n\
                    declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n";
    let text = |insts: &[&str]| one_loop("10", insts) + declared;
    let fill = |bytes: &str, more: &[&str]| {
        let fill = format!("call void @llvm.memset.p0.i64(ptr %to, i8 %b, i64 {bytes}, i1 false)");
        let at = "%x = mul nuw nsw i64 %i, 8\n  %to = getelementptr inbounds i8, ptr %p, i64 %x";
        of_all_memory(&text(&[&[at, &*fill], more].concat()))
    };
    assert_eq!(fill("8", &[]), NONE);
    assert_eq!(fill("9", &[]), ["output (<) (1)"]);
    assert_eq!(fill("0", &[]), NONE);
    assert_eq!(fill("%n", &[]), ["output (<) assumed"]);
    let after = "%y = add nuw nsw i64 %x, 80\n  %from = getelementptr inbounds i8, ptr %p, i64 %y";
    assert_eq!(fill("8", &[after, "store i64 %n, ptr %from, align 1"]), NONE);
    let used = ["%v = load i64, ptr %to, align 1", after, "store i64 %v, ptr %from, align 1"];
    assert_eq!(fill("8", &used), ["flow (=) (0)"]);
    let copy = "call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 8, i1 false)";
    assert_eq!(fill("8", &[after, copy]), ["output (=) (0)"]);
    // Reads the bytes that the next iteration fills.
    let next = after.replace("80", "8");
    assert_eq!(fill("8", &[&next, copy]), ["output (=) (0)", "anti (<) (1)", "anti (<) (1)"]);
    // Another object, which is never written.
    let other = "call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr @g, i64 4, i1 false)";
    let global = "@g = external constant [4 x i8]\n";
    assert_eq!(of_all_memory(&(text(&["%to = getelementptr i32, ptr %p, i64 %i", other]) + global)), NONE);
}

/// The objects of an allocator are in memory that nothing else accesses, and they are distinct.
#[test]
fn objects_that_are_made() {
    let declared = "declare noalias ptr @malloc(i64) memory(inaccessiblemem: readwrite)\n\
                    declare void @h(ptr) memory(argmem: readwrite)\ndeclare void @any(ptr)\n";
    let at = "%at = getelementptr inbounds i64, ptr %p, i64 %i";
    let text = |insts: &[&str]| of_all_memory(&(one_loop("10", &[&[at], insts].concat()) + declared));
    let made = "%new = call noalias ptr @malloc(i64 8)";
    let between = text(&[made, "store i64 1, ptr %at, align 8"]);
    assert_eq!(
        between,
        ["flow (<) assumed", "anti (<) assumed", "output (<) assumed"],
        "calls keep their order"
    );
    // A function that is passed the new object accesses it, and one that is passed `%p` accesses that.
    assert_eq!(text(&[made, "call void @h(ptr %new)", "store i64 1, ptr %at, align 8"]).len(), 6);
    assert_eq!(text(&["call void @h(ptr %p)", "store i64 1, ptr %at, align 8"]).len(), 7);
    assert_eq!(text(&["call void @any(ptr null)", "store i64 1, ptr %at, align 8"]).len(), 7);
}

/// A pointer that advances by at least its access size in each iteration never returns to an earlier address,
/// whatever the trip count: it would have left its object. An access that does not execute in each iteration gives no
/// such guarantee.
#[test]
fn through_an_object() {
    let store = |gep: &str| of_memory(&one_loop("%n", &[gep, "store i32 7, ptr %at, align 1"]));
    assert_eq!(store("%at = getelementptr i32, ptr %p, i64 %i"), NONE);
    assert_eq!(store("%at = getelementptr [5 x i32], ptr %p, i64 %i, i64 %m"), NONE);
    assert_eq!(store("%x = sub i64 %m, %i\n  %at = getelementptr i32, ptr %p, i64 %x"), NONE);
    // An advance of fewer bytes, and of none.
    assert_eq!(store("%at = getelementptr [3 x i8], ptr %p, i64 %i"), ["output (<)"]);
    assert_eq!(
        store("%x = mul i64 %i, 4611686018427387904\n  %at = getelementptr i32, ptr %p, i64 %x"),
        ["output (<)"]
    );
    // An advance that varies.
    assert_eq!(store("%x = mul i64 %i, %i\n  %at = getelementptr i32, ptr %p, i64 %x"), ["output (<)"]);
    let insts = ["%at = getelementptr i32, ptr %p, i64 %i", "%r = and i64 %i, 4611686018427387903"];
    let text = one_loop("%n", &insts).replace(
        "%i.next = add",
        "%seldom = icmp eq i64 %r, 0\n  br i1 %seldom, label %then, label %latch\nthen:\n  \
         store i32 7, ptr %at, align 1\n  br label %latch\nlatch:\n  %i.next = add",
    );
    let text = text.replace("[ %i.next, %loop ]", "[ %i.next, %latch ]");
    assert_eq!(of_memory(&text), [format!("output (<) ({})", 1u64 << 62)]);
    // The next execution of the inner loop may return to the same address.
    let store = "%at = getelementptr i32, ptr %p, i64 %j\n  store i32 7, ptr %at, align 4";
    assert_eq!(of_memory(&two_loops("%m", "%n", &[store])), ["output (<, *)"]);
}

/// Contiguous rows that are swept completely: no element is visited twice, whatever the row lengths are, even modulo
/// 2^64.
#[test]
fn through_rows_of_an_object() {
    let rows = |inner: &str, index: &[&str]| {
        let insts =
            [index, &["%at = getelementptr i32, ptr %p, i64 %x", "store i32 7, ptr %at, align 4"]].concat();
        of_memory(
            &two_loops("%n", inner, &insts)
                .replace("br label %outer", "br i1 %some, label %outer, label %exit")
                .replace(
                    "entry:\n",
                    "entry:\n  %a = icmp ne i64 %n, 0\n  %b2 = icmp ne i64 %m, 0\n  %some = and i1 %a, %b2\n",
                ),
        )
    };
    let row = ["%r = mul i64 %i, %m", "%x = add i64 %r, %j"];
    assert_eq!(rows("%m", &row), NONE);
    // With constant length, and backwards.
    assert_eq!(rows("5", &["%r = mul i64 %i, 5", "%x = add i64 %r, %j"]), NONE);
    assert_eq!(rows("%m", &["%r = mul i64 %i, %m", "%y = add i64 %r, %j", "%x = sub i64 %n, %y"]), NONE);
    // A part of a row, or more than one row; other strides.
    let again = ["output (<, *)"];
    assert_eq!(rows("%n", &row), again);
    assert_eq!(rows("%m", &["%r = mul i64 %i, %n", "%x = add i64 %r, %j"]), again);
    assert_eq!(rows("%m", &["%r = mul i64 %i, %m", "%k = mul i64 %j, 2", "%x = add i64 %r, %k"]), again);
    // A row that is swept in some iterations only.
    let text = two_loops(
        "%n",
        "%m",
        &[
            "%r = mul i64 %i, %m",
            "%x = add i64 %r, %j",
            "%at = getelementptr i32, ptr %p, i64 %x",
            "store i32 7, ptr %at, align 4",
        ],
    );
    let skipped = text
        .replace("  br label %loop\nloop:", "  %odd = trunc i64 %i to i1\n  br i1 %odd, label %pre, label %latch\npre:\n  br label %loop\nloop:")
        .replace("[ 0, %outer ]", "[ 0, %pre ]")
        .replace("ult i64 %j.next, %m", "ult i64 %j.next, %m1")
        .replace("entry:\n", "entry:\n  %m1 = add nuw i64 %m, 0\n");
    assert_eq!(of_memory(&skipped), again, "{skipped}");
    // A load and a store of the same element.
    let both = [
        "%r = mul i64 %i, %m",
        "%x = add i64 %r, %j",
        "%at = getelementptr i32, ptr %p, i64 %x",
        "%v = load i32, ptr %at, align 4",
    ];
    let both = [&both[..], &["%w = add i32 %v, 1", "store i32 %w, ptr %at, align 4"]].concat();
    let text = two_loops("%n", "%m", &both)
        .replace("br label %outer", "br i1 %some, label %outer, label %exit")
        .replace("entry:\n", "entry:\n  %some = icmp ne i64 %m, 0\n");
    assert_eq!(of_memory(&text), ["anti (=, =) (0, 0)"]);
    // Eight bytes at a stride of four: overlap.
    assert_eq!(
        of_memory(
            &text
                .replace("load i32", "load i64")
                .replace("add i32", "add i64")
                .replace("store i32", "store i64")
        )
        .len(),
        3
    );
}

/// Facts from alias scopes hold for one execution of the scope: one iteration, if the scope is declared in the loop.
#[test]
fn scopes() {
    let of = |declaration: &str| {
        let insts = store_and_load("add i64 %i, 0", "add i64 %i, 1");
        let mut insts: Vec<String> = insts.into_iter().collect();
        insts[2] += ", !alias.scope !0";
        insts[5] += ", !noalias !0";
        insts.insert(0, declaration.to_owned());
        let text = one_loop("%n", &insts.iter().map(String::as_str).collect::<Vec<_>>());
        of_memory(&format!(
            "{text}declare void @llvm.experimental.noalias.scope.decl(metadata)\n\
             !0 = !{{!1}}\n!1 = distinct !{{!1, !2}}\n!2 = distinct !{{!2}}\n"
        ))
    };
    assert_eq!(of("%other = add i64 %i, 0"), NONE);
    assert_eq!(of("call void @llvm.experimental.noalias.scope.decl(metadata !0)"), ["flow (<) (1)"]);
}

/// An access through a pointer that is no address is UB and has no dependences.
#[test]
fn accesses_of_nowhere() {
    let of = |base: &str| {
        let at = format!("%at = getelementptr i8, ptr {base}, i64 %i");
        of_memory(&one_loop(
            "%n",
            &[
                &at,
                "store i8 1, ptr %at",
                "%k = and i64 %i, 1",
                "%b2 = getelementptr i8, ptr %at, i64 %k",
                "store i8 2, ptr %b2",
            ],
        ))
    };
    for base in ["null", "undef", "poison"] {
        assert_eq!(of(base), [""; 0], "{base}");
    }
    assert_ne!(of("%p"), [""; 0]);
}
