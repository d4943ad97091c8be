//! Proofs for all iterations of vectorized loops with reductions in lanes: correct variants are proved, slightly wrong
//! ones never are.

use backedge_ir::parse::parse_module;
use backedge_smt::proof::{Options, Outcome, prove};
use backedge_smt::refinement::{FunctionRef, Uninit};
use std::time::Duration;

/// Why `tgt` is not proved to refine `src`, if it is not. The proof may assume inputs without undef.
fn unproved(text: &str, units: u64) -> Option<String> {
    let module = parse_module(text.as_bytes()).expect("a module").module;
    let of = |name: &str| FunctionRef { module: &module, func: module.env.func_named(name).expect("it") };
    let options = Options {
        units,
        time: Duration::from_secs(600),
        memory: 4096,
        uninit: Uninit::Undef,
        undef_inputs: true,
        poison_inputs: true,
    };
    match prove(of("src"), of("tgt"), &options).outcome {
        Outcome::Refines(_) => None,
        Outcome::NotProved(why) => Some(why),
    }
}

/// Checks that no variant of `right` with one replacement is proved; each variant is wrong.
fn none_proved(right: &str, changes: &[(&str, &str)]) {
    for (from, to) in changes {
        let wrong = right.replacen(from, to, 1);
        assert_ne!(wrong, right, "{from}");
        assert!(unproved(&wrong, SOME).is_some(), "{to}");
    }
}

/// Enough units for the correct pairs here.
const ENOUGH: u64 = 4_000_000;
/// Units for the wrong pairs.
const SOME: u64 = 400_000;

/// A reduction: the scalar and the vector operation, the neutral element, and the operation that joins the lanes.
struct Reduction {
    scalar: &'static str,
    vector: &'static str,
    neutral: &'static str,
    joined: &'static str,
}

const REDUCTIONS: [Reduction; 5] = [
    Reduction {
        scalar: "and i32 %r, %v",
        vector: "and <4 x i32> %lanes, %v",
        neutral: "-1",
        joined: "@llvm.vector.reduce.and.v4i32",
    },
    Reduction {
        scalar: "or i32 %r, %v",
        vector: "or <4 x i32> %lanes, %v",
        neutral: "0",
        joined: "@llvm.vector.reduce.or.v4i32",
    },
    Reduction {
        scalar: "xor i32 %r, %v",
        vector: "xor <4 x i32> %lanes, %v",
        neutral: "0",
        joined: "@llvm.vector.reduce.xor.v4i32",
    },
    Reduction {
        scalar: "call i32 @llvm.umin.i32(i32 %r, i32 %v)",
        vector: "call <4 x i32> @llvm.umin.v4i32(<4 x i32> %lanes, <4 x i32> %v)",
        neutral: "-1",
        joined: "@llvm.vector.reduce.umin.v4i32",
    },
    Reduction {
        scalar: "call i32 @llvm.smax.i32(i32 %r, i32 %v)",
        vector: "call <4 x i32> @llvm.smax.v4i32(<4 x i32> %lanes, <4 x i32> %v)",
        neutral: "-2147483648",
        joined: "@llvm.vector.reduce.smax.v4i32",
    },
];

impl Reduction {
    /// The reduction in four lanes, with a scalar loop for the remainder.
    fn pair(&self) -> String {
        let Self { scalar, vector, neutral, joined } = self;
        format!(
            "
define i32 @src(i32 noundef %n, i32 noundef %s, i32 noundef %k) {{
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %r = phi i32 [ %s, %entry ], [ %r.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit
body:
  %v = add i32 %i, %k
  %r.next = {scalar}
  %i.next = add nuw i32 %i, 1
  br label %loop
exit:
  ret i32 %r
}}
define i32 @tgt(i32 noundef %n, i32 noundef %s, i32 noundef %k) {{
entry:
  %most = and i32 %n, -4
  %first = insertelement <4 x i32> splat (i32 {neutral}), i32 %s, i64 0
  %k0 = insertelement <4 x i32> poison, i32 %k, i64 0
  %ks = shufflevector <4 x i32> %k0, <4 x i32> poison, <4 x i32> zeroinitializer
  br label %vector.header
vector.header:
  %index = phi i32 [ 0, %entry ], [ %index.next, %vector.body ]
  %lanes = phi <4 x i32> [ %first, %entry ], [ %lanes.next, %vector.body ]
  %all = icmp eq i32 %index, %most
  br i1 %all, label %middle, label %vector.body
vector.body:
  %t0 = insertelement <4 x i32> poison, i32 %index, i64 0
  %ts = shufflevector <4 x i32> %t0, <4 x i32> poison, <4 x i32> zeroinitializer
  %at = add <4 x i32> %ts, <i32 0, i32 1, i32 2, i32 3>
  %v = add <4 x i32> %at, %ks
  %lanes.next = {vector}
  %index.next = add nuw i32 %index, 4
  br label %vector.header
middle:
  %joined = call i32 {joined}(<4 x i32> %lanes)
  br label %loop
loop:
  %i = phi i32 [ %most, %middle ], [ %i.next, %body ]
  %r = phi i32 [ %joined, %middle ], [ %r.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit
body:
  %v.1 = add i32 %i, %k
  %r.next = {rest}
  %i.next = add nuw i32 %i, 1
  br label %loop
exit:
  ret i32 %r
}}
declare i32 @llvm.umin.i32(i32, i32)
declare i32 @llvm.smax.i32(i32, i32)
declare <4 x i32> @llvm.umin.v4i32(<4 x i32>, <4 x i32>)
declare <4 x i32> @llvm.smax.v4i32(<4 x i32>, <4 x i32>)
declare i32 {joined}(<4 x i32>)
",
            rest = scalar.replace("%v", "%v.1"),
        )
    }
}

#[test]
fn vectorized_reductions_are_proved() {
    for reduction in &REDUCTIONS {
        assert_eq!(unproved(&reduction.pair(), ENOUGH), None, "{}", reduction.joined);
    }
}

#[test]
fn lanes_that_begin_or_gather_or_are_joined_otherwise_are_not() {
    // One reduction for which repeated elements matter, and one for which they do not.
    for reduction in REDUCTIONS.iter().skip(2).step_by(2) {
        let right = reduction.pair();
        let neutral = format!("splat (i32 {})", reduction.neutral);
        for (from, to) in [
            (&*neutral, "splat (i32 5)"),
            ("<i32 0, i32 1, i32 2, i32 3>", "<i32 0, i32 1, i32 2, i32 4>"),
            ("[ %joined, %middle ]", "[ %s, %middle ]"),
            ("[ %most, %middle ]", "[ 0, %middle ]"),
            (reduction.vector, "add <4 x i32> %lanes, %v"),
            ("%most = and i32 %n, -4", "%most = and i32 %n, -2"),
        ] {
            // Repeating elements is harmless for an idempotent reduction.
            let again = from == "[ %most, %middle ]" && !reduction.joined.contains("xor");
            let wrong = right.replacen(from, to, 1);
            assert_ne!(wrong, right, "{from}");
            assert!(again || unproved(&wrong, SOME).is_some(), "{}: {to}", reduction.joined);
        }
    }
}

/// A trip count that runs do not reach, over a large global whose size is only known from its type.
const FAR: &str = "
@b = external global [32000 x i32], align 16
define void @src() {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %at = shl nsw i64 %i, 2
  %p = getelementptr inbounds i8, ptr getelementptr inbounds ([32000 x i32], ptr @b, i64 0, i64 16000), i64 %at
  store i32 -1, ptr %p, align 4
  %i.next = add i64 %i, 1
  %done = icmp eq i64 %i.next, 16000
  br i1 %done, label %exit, label %loop
exit:
  ret void
}
define void @tgt() {
entry:
  br label %vector.body
vector.body:
  %index = phi i64 [ 0, %entry ], [ %index.next, %vector.body ]
  %at = shl i64 %index, 2
  %p = getelementptr i8, ptr getelementptr inbounds ([32000 x i32], ptr @b, i64 0, i64 16000), i64 %at
  store <4 x i32> splat (i32 -1), ptr %p, align 4
  %index.next = add nuw i64 %index, 4
  %done = icmp eq i64 %index.next, 16000
  br i1 %done, label %exit, label %vector.body
exit:
  ret void
}";

#[test]
fn blocks_in_runs_are_as_large_as_loops_need() {
    assert_eq!(unproved(FAR, ENOUGH), None);
    none_proved(
        FAR,
        &[
            ("%done = icmp eq i64 %index.next, 16000", "%done = icmp eq i64 %index.next, 15996"),
            ("%done = icmp eq i64 %index.next, 16000", "%done = icmp eq i64 %index.next, 16004"),
            ("splat (i32 -1)", "<i32 -1, i32 -1, i32 0, i32 -1>"),
        ],
    );
}

/// The address of the source's store is undef or depends on the counter; the target uses a constant for the former.
const ANYWHERE: &str = "
@d = external global [32 x i16], align 2
define void @src(i1 noundef %c) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %at = select i1 %c, i64 undef, i64 %i
  %p = getelementptr inbounds [32 x i16], ptr @d, i16 0, i64 %at
  store i16 7, ptr %p, align 2
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i, 31
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
define void @tgt(i1 noundef %c) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %at = select i1 %c, i64 0, i64 %i
  %p = getelementptr inbounds [32 x i16], ptr @d, i16 0, i64 %at
  store i16 7, ptr %p, align 2
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i, 31
  br i1 %more, label %loop, label %exit
exit:
  ret void
}";

#[test]
fn a_constant_may_stand_for_undef_and_for_nothing_else() {
    assert_eq!(unproved(ANYWHERE, ENOUGH), None);
    none_proved(
        ANYWHERE,
        &[
            ("i64 undef, i64 %i", "i64 %i, i64 %i"),
            ("%at = select i1 %c, i64 0, i64 %i", "%at = select i1 %c, i64 0, i64 0"),
            ("%at = select i1 %c, i64 0, i64 %i", "%at = select i1 %c, i64 poison, i64 %i"),
        ],
    );
}

/// A value that the source freezes once and returns twice, and the target's version of it.
fn frozen(first: &str, second: &str) -> String {
    format!(
        "
@d = external global [32 x i16], align 2
define i16 @src(i64 noundef %n) {{
entry:
  %u = freeze i16 undef
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %i.next = add nuw i64 %i, 1
  %more = icmp ult i64 %i, %n
  br i1 %more, label %loop, label %exit
exit:
  store i16 %u, ptr @d
  ret i16 %u
}}
define i16 @tgt(i64 noundef %n) {{
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %i.next = add nuw i64 %i, 1
  %more = icmp ult i64 %i, %n
  br i1 %more, label %loop, label %exit
exit:
  store i16 {first}, ptr @d
  ret i16 {second}
}}"
    )
}

#[test]
fn what_is_chosen_once_is_not_two_numbers() {
    assert_eq!(unproved(&frozen("0", "0"), ENOUGH), None);
    assert!(unproved(&frozen("0", "1"), SOME).is_some());
    assert!(unproved(&frozen("1", "0"), SOME).is_some());
}

/// The outer loop executes one iteration: inside, the counter never wraps around to its start, so the vectorized loop
/// is not reached again either.
const ONCE: &str = "
define void @src() {
entry:
  br label %outer
outer:
  %end = phi i16 [ -1, %entry ], [ %end.next, %outer.latch ]
  br label %inner
inner:
  %i = phi i16 [ -1, %outer ], [ %i.next, %inner ]
  %i.next = add nsw i16 %i, 1
  %back = icmp eq i16 %i.next, %end
  br i1 %back, label %outer.latch, label %inner
outer.latch:
  %end.next = add nsw i16 %end, 1
  %last = icmp eq i16 %end.next, 1
  br i1 %last, label %exit, label %outer
exit:
  ret void
}
define void @tgt() {
entry:
  br label %outer
outer:
  %end = phi i16 [ -1, %entry ], [ %end.next, %outer.latch ]
  %end.frozen = freeze i16 %end
  %rounds = add i16 %end.frozen, 1
  %enough = icmp uge i16 %rounds, 8
  br i1 %enough, label %vector.ph, label %rest
vector.ph:
  %most = and i16 %rounds, -8
  br label %vector.body
vector.body:
  %index = phi i16 [ 0, %vector.ph ], [ %index.next, %vector.body ]
  %index.next = add nuw i16 %index, 8
  %vector.done = icmp eq i16 %index.next, %most
  br i1 %vector.done, label %middle, label %vector.body
middle:
  %from = add i16 -1, %most
  %all = icmp eq i16 %rounds, %most
  br i1 %all, label %outer.latch, label %rest
rest:
  %resume = phi i16 [ -1, %outer ], [ %from, %middle ]
  br label %inner
inner:
  %i = phi i16 [ %i.next, %inner ], [ %resume, %rest ]
  %i.next = add nsw i16 %i, 1
  %back = icmp eq i16 %i.next, %end
  br i1 %back, label %outer.latch, label %inner
outer.latch:
  %end.next = add nsw i16 %end, 1
  %last = icmp eq i16 %end.next, 1
  br i1 %last, label %exit, label %outer
exit:
  ret void
}";

#[test]
fn after_an_unreachable_step_everything_holds() {
    assert_eq!(unproved(ONCE, ENOUGH), None);
    // If the source's counter does wrap around, the target's must not be poison then.
    none_proved(ONCE, &[("%i.next = add nsw i16 %i, 1", "%i.next = add i16 %i, 1")]);
}
