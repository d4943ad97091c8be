//! Dependences, class by class: independence, distances of dependences, reaching definitions, liveness.

use backedge_analysis::Analyses;
use backedge_hir::build::{Built, build};
use backedge_hir::ddg::{Ddg, DepKind, Edge, End, Place, Refused};
use backedge_hir::node::Kind;
use backedge_hir::{Hir, Node};
use backedge_ir::parse::parse_module;
use backedge_pipeline::{Nobody, Options, parse_pipeline, run};
use backedge_scev::ScalarEvolution;

/// The nests of `@f` in that text.
fn built(text: &str) -> Built {
    let mut module = parse_module(text.as_bytes()).unwrap_or_else(|e| panic!("{e:?}\n{text}")).module;
    let problems = backedge_ir::verify::verify_module(&module);
    assert!(problems.is_empty(), "{problems:?}\n{text}");
    let form = parse_pipeline("loop-simplify,lcssa").expect("a pipeline");
    run(&mut module, &form, Options::default(), &mut Nobody).expect("the form");
    let func = module.env.func_named("f").expect("it has @f");
    let body = module.body(func).expect("it has code");
    let analyses = Analyses::of(func);
    build(&mut ScalarEvolution::new(analyses.at(&module.env, body)))
}

/// A loop that runs `trips` times, with the 64-bit counter `%i` from 0, and these instructions.
fn one_loop(trips: &str, insts: &[&str]) -> String {
    format!(
        "define void @f(ptr noalias %p, i64 %n, i64 %m, i8 %b) {{\nentry:\n  br label %loop\nloop:\n  \
         %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]\n  {}\n  %i.next = add nuw nsw i64 %i, 1\n  \
         %more = icmp ult i64 %i.next, {trips}\n  br i1 %more, label %loop, label %exit\nexit:\n  ret void\n}}\n",
        insts.join("\n  ")
    )
}

/// Two loops; the inner one has the 64-bit counter `%j`.
fn two_loops(outer: &str, inner: &str, insts: &[&str]) -> String {
    format!(
        "define void @f(ptr noalias %p, i64 %n, i64 %m, i8 %b) {{\nentry:\n  br label %outer\nouter:\n  \
         %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]\n  br label %loop\nloop:\n  \
         %j = phi i64 [ 0, %outer ], [ %j.next, %loop ]\n  {}\n  %j.next = add nuw nsw i64 %j, 1\n  \
         %more = icmp ult i64 %j.next, {inner}\n  br i1 %more, label %loop, label %latch\nlatch:\n  \
         %i.next = add nuw nsw i64 %i, 1\n  %again = icmp ult i64 %i.next, {outer}\n  \
         br i1 %again, label %outer, label %exit\nexit:\n  ret void\n}}\n",
        insts.join("\n  ")
    )
}

fn region(built: &Built) -> Node {
    built.taken.first().unwrap_or_else(|| panic!("a nest is taken: {:?}", built.missed)).region
}

/// The labels of the memory dependences between references, such as `flow (<) (1)`.
fn of_memory(text: &str) -> Vec<String> {
    let built = built(text);
    let graph = Ddg::new(&built.hir, region(&built), false).expect("a graph");
    let is_memory = |e: &&Edge| e.source.reference(&built.hir).is_some_and(|r| r.as_memory().is_some());
    let is_memory = |e: &&Edge| {
        is_memory(e)
            && matches!(e.source.place, backedge_hir::ddg::Place::Ref(_))
            && matches!(e.sink.place, backedge_hir::ddg::Place::Ref(_))
    };
    graph.edges().iter().filter(is_memory).map(Edge::label).collect()
}

/// A load through `%from` and a store through `%at`, both of `i32`, with the instructions that compute their
/// subscripts.
fn store_and_load(index_of_load: &str, index_of_store: &str) -> [String; 6] {
    [
        format!("%x = {index_of_load}"),
        "%from = getelementptr inbounds i32, ptr %p, i64 %x".to_owned(),
        "%v = load i32, ptr %from, align 4".to_owned(),
        format!("%y = {index_of_store}"),
        "%at = getelementptr inbounds i32, ptr %p, i64 %y".to_owned(),
        "%w = add i32 %v, 1\n  store i32 %w, ptr %at, align 4".to_owned(),
    ]
}

fn single(trips: &str, load: &str, store: &str) -> Vec<String> {
    let insts = store_and_load(load, store);
    of_memory(&one_loop(trips, &insts.each_ref().map(String::as_str)))
}

const NONE: [&str; 0] = [];

/// All dependences except those of variables: the ends are accesses or other memory effects of nodes.
fn of_all_memory(text: &str) -> Vec<String> {
    let built = built(text);
    let graph = Ddg::new(&built.hir, region(&built), false).expect("a graph");
    let is_memory = |end: End| {
        let is_access = || end.reference(&built.hir).is_some_and(|r| r.as_memory().is_some());
        end.place == Place::Memory || matches!(end.place, Place::Ref(_)) && is_access()
    };
    graph.edges().iter().filter(|e| is_memory(e.source) && is_memory(e.sink)).map(Edge::label).collect()
}

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

/// A graph exists even for more accesses than can be tested in pairs, but not if its edges would fill memory.
#[test]
fn many_accesses() {
    let stores = |count: usize| {
        let store = |k: usize| {
            format!(
                "%x{k} = mul i64 %i, {}\n  %a{k} = getelementptr i8, ptr %p, i64 %x{k}\n  store i8 1, ptr %a{k}",
                k + 1
            )
        };
        let insts: Vec<String> = (0..count).map(store).collect();
        built(&one_loop("%n", &insts.iter().map(String::as_str).collect::<Vec<_>>()))
    };
    let built = stores(600);
    let graph = Ddg::new(&built.hir, region(&built), false).expect("a graph");
    let pairs = graph.pairs;
    assert_eq!(pairs.all, 600 * 601 / 2);
    assert!(pairs.assumed > 100_000 && pairs.apart == 0, "{pairs:?}");
    let is_memory = |e: &&Edge| e.kind == DepKind::Output && matches!(e.source.place, Place::Ref(0));
    let of_pair = |e: &Edge| (e.source.node.min(e.sink.node), e.source.node.max(e.sink.node));
    let mut met: Vec<(Node, Node)> = graph.edges().iter().filter(is_memory).map(of_pair).collect();
    met.sort_unstable();
    met.dedup();
    assert_eq!(met.len() + pairs.independent, pairs.all, "what has no edge is independent");
    let is_open = |e: &&Edge| e.assumed && e.vectors.iter().any(|v| v.to_string() == "(<=)");
    assert!(graph.edges().iter().filter(is_open).count() > 100_000);
    let built = stores(1000);
    assert_eq!(Ddg::new(&built.hir, region(&built), false).err(), Some(Refused::TooLarge));
}

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

/// Unknown and known ranges of variables.
#[test]
fn variables() {
    let text = |index: &str| {
        let guarded = one_loop("%n", &store_and_load(index, "add i64 %i, 0").each_ref().map(String::as_str));
        // The loop runs if %n is positive.
        guarded.replace(
            "entry:\n  br label %loop",
            "entry:\n  %c = icmp sgt i64 %n, 0\n  br i1 %c, label %loop, label %exit",
        )
    };
    // i + n is beyond the range of i.
    assert_eq!(of_memory(&text("add i64 %i, %n")), NONE);
    assert_eq!(of_memory(&text("add i64 %n, 0")), NONE);
    assert!(!of_memory(&text("add i64 %i, %m")).is_empty());
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

/// `accesses` stores in a nest of `depth` loops, with sums of the counters as subscripts; they store constants or
/// loaded values.
fn deep(depth: usize, accesses: usize, loads: bool) -> String {
    let mut text = "define void @f(ptr noalias %p, i64 %n, i64 %m) {\nentry:\n  br label %h0\n".to_owned();
    for l in 0..depth {
        let before = if l == 0 { "entry".to_owned() } else { format!("h{}", l - 1) };
        text += &format!("h{l}:\n  %i{l} = phi i64 [ 0, %{before} ], [ %n{l}, %t{l} ]\n  ");
        text += &if l + 1 < depth { format!("br label %h{}\n", l + 1) } else { String::new() };
    }
    for at in 0..accesses {
        let mut sum = format!("{at}");
        for l in 0..depth {
            let by = ["2", "3", "%m", "5", "-1", "100", "7"][(at * 5 + l * 3) % 7];
            text +=
                &format!("%x{at}.{l} = mul i64 %i{l}, {by}\n  %y{at}.{l} = add i64 {sum}, %x{at}.{l}\n  ");
            sum = format!("%y{at}.{l}");
        }
        let stored = if loads { format!("%v{at}") } else { at.to_string() };
        let load = if loads { format!("{stored} = load i32, ptr %g{at}\n  ") } else { String::new() };
        text += &format!(
            "%g{at} = getelementptr i32, ptr %p, i64 {sum}\n  {load}store i32 {stored}, ptr %g{at}\n  "
        );
    }
    text += &format!("br label %t{}\n", depth - 1);
    for l in (0..depth).rev() {
        let out = if l == 0 { "exit".to_owned() } else { format!("t{}", l - 1) };
        text += &format!("t{l}:\n  %n{l} = add nuw nsw i64 %i{l}, 1\n  %c{l} = icmp ult i64 %n{l}, 50\n  ");
        text += &format!("br i1 %c{l}, label %h{l}, label %{out}\n");
    }
    text += "exit:\n  ret void\n}\n";
    text
}

/// The cost of a graph is bounded for any number of accesses in a nest of any depth: the graph covers all of them,
/// some assumed, and is the same each time.
#[test]
fn many_accesses_in_a_deep_nest() {
    let accesses = 30;
    let text = deep(4, accesses, false);
    let built = built(&text);
    let graph = |built: &Built| Ddg::new(&built.hir, region(built), false).expect("a graph");
    let first = graph(&built);
    assert_eq!(first.pairs.all, accesses * (accesses + 1) / 2);
    assert!(first.pairs.assumed > 0 && first.pairs.assumed < first.pairs.all, "{:?}", first.pairs);
    assert_eq!(graph(&self::built(&text)).edges(), first.edges());
    // Graphs of one tree share the step budget.
    let last = (0..4).map(|_| graph(&built)).last().expect("a graph");
    assert_eq!(last.pairs.assumed, last.pairs.all);
}

/// Variables of a deep nest have few kinds of dependences. Edges share lists of vectors instead of having one each.
#[test]
fn variables_of_a_deep_nest() {
    let depth = 40;
    let built = built(&deep(depth, 5, true));
    let graph = Ddg::new(&built.hir, region(&built), false).expect("a graph");
    let is_of_variables = |e: &&Edge| {
        !matches!(e.source.place, Place::Memory)
            && e.source
                .reference(&built.hir)
                .is_some_and(|r| matches!(e.source.place, Place::Blob(..)) || r.as_memory().is_none())
    };
    let edges: Vec<&Edge> = graph.edges().iter().filter(is_of_variables).collect();
    let lists: std::collections::BTreeSet<_> = edges.iter().map(|e| e.vectors.as_ptr()).collect();
    assert!(edges.len() > 10 && lists.len() <= 4, "{} in {} edges", lists.len(), edges.len());
}

#[test]
fn definitions_and_indexed_references() {
    let text = "define void @f(ptr noalias %a, ptr noalias %b) {\nentry:\n  br label %loop\nloop:\n  \
        %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]\n  \
        %at = getelementptr inbounds i64, ptr %b, i64 %i\n  %x = load i64, ptr %at\n  \
        %y = add i64 %x, 1\n  %to = getelementptr inbounds float, ptr %a, i64 %y\n  \
        store float 1.0, ptr %to\n  %i.next = add nuw nsw i64 %i, 1\n  \
        %more = icmp ult i64 %i.next, 8\n  br i1 %more, label %loop, label %exit\nexit:\n  ret void\n}\n";
    let built = built(text);
    let hir: &Hir = &built.hir;
    let graph = hir.ddg(region(&built)).expect("a graph");
    let store = hir
        .nodes_in(region(&built))
        .into_iter()
        .find(|n| matches!(hir.kind(*n), Kind::Inst(i) if i.lval.as_ref().is_some_and(|l| l.as_memory().is_some())))
        .expect("a store");
    let loads = graph.indexed_by(hir, store, 0);
    let texts: Vec<String> = loads.iter().map(|end| end.text(hir)).collect();
    assert_eq!(texts.len(), 1, "{texts:?}\n{}", graph.text(hir));
    assert!(texts[0].ends_with("(%b)[i1]"), "{texts:?}");
    let kinds: Vec<DepKind> = graph.outgoing(loads[0]).map(|e| e.kind).collect();
    assert_eq!(kinds, []);
    // The graph is cached until the tree changes.
    let again = hir.ddg(region(&built)).expect("a graph");
    assert!(std::rc::Rc::ptr_eq(&graph, &again));
    let input = hir.ddg_with_input(region(&built)).expect("a graph");
    assert!(!std::rc::Rc::ptr_eq(&graph, &input));
    assert!(std::rc::Rc::ptr_eq(&input, &hir.ddg_with_input(region(&built)).expect("a graph")));
}

#[test]
fn live_variables() {
    let text = "define i32 @f(ptr %p, i32 %start, i32 %by) {\nentry:\n  br label %loop\nloop:\n  \
        %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]\n  %s = phi i32 [ %start, %entry ], [ %t, %loop ]\n  \
        %v = load i32, ptr %p\n  %u = mul i32 %v, %by\n  %t = xor i32 %s, %u\n  %i.next = add nuw nsw i32 %i, 1\n  \
        %more = icmp ult i32 %i.next, 8\n  br i1 %more, label %loop, label %exit\nexit:\n  \
        %r = phi i32 [ %t, %loop ]\n  ret i32 %r\n}\n";
    let built = built(text);
    let hir = &built.hir;
    let region = region(&built);
    let l = hir.nodes_in(region).into_iter().find(|n| matches!(hir.kind(*n), Kind::Loop(_))).expect("a loop");
    let names = |temps: Vec<backedge_hir::Temp>| -> Vec<String> {
        let mut names: Vec<String> = temps.into_iter().map(|t| hir.blobs.temp(t).name.to_string()).collect();
        names.sort();
        names
    };
    assert_eq!(names(hir.live_in(region)), ["%by", "%p", "%start"], "{}", hir.text());
    assert_eq!(names(hir.live_in(l)), ["%by", "%p", "%s"], "{}", hir.text());
    assert_eq!(names(hir.live_out(region)), ["%r"], "{}", hir.text());
    assert_eq!(names(hir.live_out(l)), ["%r"], "{}", hir.text());
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
