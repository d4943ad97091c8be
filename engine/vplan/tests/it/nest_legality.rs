//! Legality of outer loops: one nest for each reason for rejection, and for each way in which lanes are shown to be
//! independent.

use crate::common::{body, formed, named};
use backedge_analysis::Analyses;
use backedge_scev::ScalarEvolution;
use backedge_vplan::legality::{Legality, LegalityMissed, Limits, check};

/// A nest: `inside` is in the inner loop, with counters `%i` and `%k`, and `latch` ends it; `behind` comes after it.
fn nest(inside: &str, latch: &str, after: &str) -> String {
    format!(
        "declare void @g()\ndeclare i32 @h(i32) memory(none)\n\
         define i32 @f(ptr noalias %p, ptr noalias %q, i64 %n, i64 %m, i64 %s) {{\nentry:\n  br label %outer\nouter:\n  \
         %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]\n  br label %inner\ninner:\n  \
         %k = phi i64 [ 0, %outer ], [ %k.next, %inner.latch ]\n{inside}  br label %inner.latch\ninner.latch:\n  \
         %k.next = add nuw nsw i64 %k, 1\n{latch}latch:\n{after}  %i.next = add nuw nsw i64 %i, 1\n  \
         %again = icmp ult i64 %i.next, %n\n  br i1 %again, label %outer, label %exit\nexit:\n  ret i32 0\n}}\n"
    )
}

const COUNTED: &str = "  %more = icmp ult i64 %k.next, %m\n  br i1 %more, label %inner, label %latch\n";
const THREE: &str = "  %more = icmp ult i64 %k.next, 3\n  br i1 %more, label %inner, label %latch\n";

/// The facts about the outer loop of `@f` as text, or the reason for its rejection.
fn found(text: &str, limits: Limits) -> Result<String, LegalityMissed> {
    let module = formed(text);
    let func = named(&module);
    let analyses = Analyses::of(func);
    let mut scev = ScalarEvolution::new(analyses.at(&module.env, body(&module, func)));
    let l = scev.loops().top_level()[0];
    check(&mut scev, l, limits).map(|legality: Legality| legality.to_text(&scev))
}

fn reason(text: &str) -> &'static str {
    match found(text, Limits::default()) {
        Ok(found) => panic!("{text}\n{found}"),
        Err(missed) => {
            assert!(!missed.to_string().is_empty());
            missed.name()
        }
    }
}

fn found_of(text: &str) -> String {
    found(text, Limits::default()).unwrap_or_else(|missed| panic!("{missed}\n{text}"))
}

/// A load, and a store `distance` bytes from it. Addresses are `lane` bytes apart between lanes and `inner` bytes apart
/// between iterations of the inner loop.
fn moved(lane: &str, inner: &str, distance: i64) -> String {
    format!(
        "  %x = mul nuw nsw i64 %i, {lane}\n  %y = mul nuw nsw i64 %k, {inner}\n  %z = add nuw nsw i64 %x, %y\n  \
         %at = getelementptr i8, ptr %p, i64 %z\n  %v = load i32, ptr %at\n  \
         %to = getelementptr i8, ptr %at, i64 {distance}\n  store i32 %v, ptr %to\n"
    )
}

#[test]
fn rows_and_columns() {
    // Rows of three: the store next to the load is in the same row.
    let rows = found_of(&nest(&moved("64", "4", 4), THREE, ""));
    assert!(rows.contains("strided by 64") && !rows.contains("lanes at most"), "{rows}");
    // The next row, and the one after it.
    assert_eq!(reason(&nest(&moved("64", "4", 64), THREE, "")), "UnsafeDep");
    assert_eq!(reason(&nest(&moved("64", "4", -64), THREE, "")), "UnsafeDep");
    for (distance, lanes) in [(128, 2), (-128, 2), (256, 4), (-256, 4)] {
        let text = found_of(&nest(&moved("64", "4", distance), THREE, ""));
        assert!(text.contains(&format!("lanes at most {lanes}\n")), "{distance}: {text}");
    }
    // Columns with distances that suffice for some number of lanes.
    let columns = found_of(&nest(&moved("4", "64", 0), THREE, ""));
    assert!(columns.contains("consecutive") && columns.contains("lanes at most 16\n"), "{columns}");
    let columns = found_of(&nest(&moved("4", "4096", 0), COUNTED, ""));
    assert!(!columns.contains("lanes at most") && columns.contains("check 0 <= "), "{columns}");
    // A diagonal: the next lane loads the value that this lane stores in its first iteration.
    assert_eq!(reason(&nest(&moved("4", "4", 0), THREE, "")), "UnsafeDep");
    assert_eq!(reason(&nest(&moved("4", "64", 4), THREE, "")), "UnsafeDep");
    assert_eq!(reason(&nest(&moved("4", "64", 60), THREE, "")), "UnsafeDep");
}

/// Adjacent and overlapping rows of three: the permitted number of lanes must match a byte-by-byte enumeration.
#[test]
fn rows_that_touch() {
    let within = 0..3i64;
    let (mut all, mut some, mut none) = (0, 0, 0);
    for lane in (4..=40).step_by(4) {
        for distance in -44..=44i64 {
            // Whether a lane loads or stores the bytes that another lane stores, `apart` lanes before or after it.
            let meets = |apart: i64| {
                within.clone().any(|k| {
                    within.clone().any(|other| {
                        let stored = lane * apart + 4 * k + distance;
                        [4 * other, 4 * other + distance].iter().any(|at| (at - stored).abs() < 4)
                    })
                })
            };
            let most = (1..16).find(|apart| meets(*apart) || meets(-apart));
            let text = nest(&moved(&lane.to_string(), "4", distance), THREE, "");
            match most {
                Some(1) => {
                    assert_eq!(reason(&text), "UnsafeDep", "{lane} {distance}");
                    none += 1;
                }
                Some(most) => {
                    let found = found_of(&text);
                    assert!(found.contains(&format!("lanes at most {most}\n")), "{lane} {distance}: {found}");
                    some += 1;
                }
                None => {
                    let found = found_of(&text);
                    assert!(!found.contains("lanes at most"), "{lane} {distance}: {found}");
                    all += 1;
                }
            }
        }
    }
    assert!(all > 50 && some > 50 && none > 50, "{all} {some} {none}");
}

#[test]
fn columns_that_are_known_at_run_time() {
    let text = found_of(&nest(&moved("4", "%s", 0), COUNTED, ""));
    assert!(text.contains("check 4 + 4 * (lanes - 1) <= %s <= 4294967296\n"), "{text}");
    assert!(text.contains(" <= 268435456\n"), "{text}");
    // Rows with a run-time stride are rejected.
    assert_eq!(reason(&nest(&moved("%s", "4", 0), THREE, "")), "UnsafeDep");
}

#[test]
fn whole_nests_are_compared() {
    let inside = "  %x = getelementptr i32, ptr %q, i64 %i\n  %y = mul nuw nsw i64 %k, %s\n  \
        %at = getelementptr i8, ptr %x, i64 %y\n  %v = load i32, ptr %at\n  %to = getelementptr i32, ptr %p, i64 %i\n  \
        store i32 %v, ptr %to\n";
    let text = nest(inside, COUNTED, "").replace("noalias ", "");
    let found = found_of(&text);
    assert!(found.contains("%q by 4, 0 to 3, inner ") && found.contains("times %s"), "{found}");
    assert!(found.contains("check 0 against 1\n"), "{found}");
}

#[test]
fn control_flow_that_is_not_uniform() {
    let until_i = "  %more = icmp ult i64 %k.next, %i\n  br i1 %more, label %inner, label %latch\n";
    assert_eq!(reason(&nest("", until_i, "")), "InnerControlFlowNotUniform");
    let branch = "  %c = icmp ult i64 %i, 5\n  br i1 %c, label %then, label %join\nthen:\n  store i32 1, ptr %p\n  \
        br label %join\njoin:\n";
    assert_eq!(reason(&nest(branch, COUNTED, "")), "InnerControlFlowNotUniform");
    let of_data = "  %at = getelementptr i32, ptr %p, i64 %i\n  %v = load i32, ptr %at\n  %c = icmp eq i32 %v, 0\n  \
        br i1 %c, label %then, label %join\nthen:\n  br label %join\njoin:\n";
    assert_eq!(reason(&nest(of_data, COUNTED, "")), "InnerControlFlowNotUniform");
    let uniform = branch.replace("%i, 5", "%k, 1");
    assert_eq!(reason(&nest(&uniform, COUNTED, "")), "UnsafeDep");
    let uniform = uniform.replace("store i32 1, ptr %p", "%w = load i32, ptr %p");
    assert!(found_of(&nest(&uniform, COUNTED, "")).contains("uniform %k, %c, %w"));
}

#[test]
fn loops_that_may_not_end() {
    let by_data =
        "  %v = load i32, ptr %p\n  %more = icmp ne i32 %v, 0\n  br i1 %more, label %inner, label %latch\n";
    let text = nest("", by_data, "");
    assert_eq!(reason(&text), "InnerLoopMayNotEnd");
    found_of(&text.replace("i64 %s) {", "i64 %s) mustprogress {"));
    assert_eq!(reason(&nest("  call void @g()\n", COUNTED, "")), "CantVectorizeCall");
    // The call may not return.
    assert_eq!(reason(&nest("  %x = call i32 @h(i32 5)\n", COUNTED, "")), "CantVectorizeCall");
}

#[test]
fn other_rejections() {
    assert_eq!(reason(&nest("  store volatile i32 0, ptr %p\n", COUNTED, "")), "NonSimpleAccess");
    assert_eq!(reason(&nest("  fence seq_cst\n", COUNTED, "")), "CantVectorizeInstruction");
    // The address of the store is unknown.
    let anywhere = "  %a = getelementptr i32, ptr %q, i64 %i\n  %x = load i32, ptr %a\n  \
        %to = getelementptr i32, ptr %p, i32 %x\n  store i32 0, ptr %to\n";
    assert_eq!(reason(&nest(anywhere, COUNTED, "")), "UnsafeDep");
    // After the inner loop lanes store in order.
    found_of(&nest("", COUNTED, anywhere));
    let leaves = "  %a = getelementptr i32, ptr %q, i64 %i\n  %x = load i32, ptr %a\n  %c = icmp eq i32 %x, 0\n  \
        br i1 %c, label %out, label %rest\nout:\n  ret i32 1\nrest:\n";
    let text = nest("", COUNTED, leaves).replace("[ %i.next, %latch ]", "[ %i.next, %rest ]");
    assert_eq!(reason(&text), "EarlyExitOfNest");
    let from_within =
        "  %c = icmp eq i64 %k, 7\n  br i1 %c, label %out, label %still\nout:\n  ret i32 1\nstill:\n";
    assert_eq!(reason(&nest(from_within, COUNTED, "")), "ConditionalExit");
    let fold_tail = Limits { fold_tail: true, ..Limits::default() };
    assert_eq!(found(&nest("", COUNTED, ""), fold_tail).map_err(|m| m.name()), Err("CantFoldTail"));
}

/// Values carried between iterations of the outer loop.
#[test]
fn phis_of_the_outer_header() {
    let with = |phi: &str, inside: &str, after: &str| {
        nest(inside, COUNTED, after).replace("outer:\n", &format!("outer:\n  {phi}\n"))
    };
    let sum = "%t = phi i32 [ 0, %entry ], [ %t.next, %latch ]";
    let inner = "%u = phi i32 [ %t, %outer ], [ %u.next, %inner.latch ]";
    let collects =
        with(sum, "  %u.next = mul i32 %u, %u.of\n", "  %t.next = phi i32 [ %u.next, %inner.latch ]\n");
    let collects = collects.replace("inner:\n", &format!("inner:\n  {inner}\n"));
    let collects = collects
        .replace("%u.of", "%narrow")
        .replace("  %u.next", "  %narrow = trunc i64 %i to i32\n  %u.next");
    let text = found_of(&collects);
    assert!(text.contains("phi %t: reduction mul from 0 by %u, %u.next, %t.next"), "{text}");
    // A different operation outside the inner loop.
    let mixed = collects.replace("%t.next = phi i32 [ %u.next", "%t.end = phi i32 [ %u.next");
    let mixed = mixed.replace("  %i.next =", "  %t.next = add i32 %t.end, 1\n  %i.next =");
    assert_eq!(reason(&mixed), "NonReductionValueUsedOutsideLoop");
    let before = with(
        sum,
        "",
        "  %a = getelementptr i32, ptr %q, i64 %i\n  %t.next = load i32, ptr %a\n  store i32 %t, ptr %p\n",
    );
    assert_eq!(reason(&before), "NonReductionValueUsedOutsideLoop");
}
