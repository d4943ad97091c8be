//! The metadata that passes leave on changed code, seen in the module that `backedge opt` writes.

use crate::common::run;

fn optimized(passes: &str, text: &str) -> String {
    let dir = tempfile::tempdir().expect("a directory");
    run(&["opt", &format!("-passes={passes}"), "-S", "-"], text.as_bytes(), dir.path()).exits(0).stdout
}

const FILL: &str = "\
define void @f(ptr noalias %p, i64 %n) {
entry:
  br label %l
l:
  %i = phi i64 [ 0, %entry ], [ %j, %l ]
  %q = getelementptr inbounds i8, ptr %p, i64 %i
  store i8 0, ptr %q, align 1, !nontemporal !0
  %j = add nuw i64 %i, 1
  %c = icmp ult i64 %j, %n
  br i1 %c, label %l, label %x
x:
  ret void
}
!0 = !{i32 1}
";

#[test]
fn stores_past_the_cache_are_no_fill() {
    assert!(optimized("loop-idiom", &FILL.replace(", !nontemporal !0", "")).contains("@llvm.memset"));
    let kept = optimized("loop-idiom", FILL);
    assert!(kept.contains("!nontemporal") && !kept.contains("@llvm.memset"), "{kept}");
}

#[test]
fn the_main_loop_and_its_rest_have_nodes_of_their_own() {
    let after = optimized("loop-unroll<runtime;count=4;no-upperbound>", FILL);
    let nodes: Vec<&str> = after.lines().filter_map(|line| Some(line.split_once("!llvm.loop ")?.1)).collect();
    assert_eq!(nodes.len(), 2, "{after}");
    assert_ne!(nodes[0], nodes[1], "{after}");
}

#[test]
fn that_a_condition_can_not_be_foreseen_is_said_of_the_whole_of_it() {
    let unswitched = |condition: &str| {
        let text = format!(
            "declare void @g()
define void @f(i1 noundef %a, i32 %n) {{
entry:
  br label %l
l:
  %i = phi i32 [ 0, %entry ], [ %j, %m ]
  %odd = trunc i32 %i to i1
  %both = and i1 %a, %odd
  br i1 {condition}, label %x, label %m, !unpredictable !0
m:
  call void @g()
  %j = add nuw i32 %i, 1
  %c = icmp ult i32 %j, %n
  br i1 %c, label %l, label %x
x:
  ret void
}}
!0 = !{{}}
"
        );
        let after = optimized("loop-mssa(simple-loop-unswitch<nontrivial>)", &text);
        let entry = after.split_once("entry:").expect("the entry").1.to_owned();
        let branch = entry.lines().find(|line| line.contains("br ")).expect("a branch").to_owned();
        assert!(branch.contains("br i1"), "{after}");
        branch
    };
    assert!(unswitched("%a").contains("!unpredictable"));
    assert!(!unswitched("%both").contains("!unpredictable"));
}

/// LLVM itself leaves unused declarations with the intrinsic names of older versions.
#[test]
fn a_declaration_that_nothing_names_may_have_any_type() {
    let text = "declare void @llvm.lifetime.start.i64(i64)\ndefine void @f() {\n  ret void\n}\n";
    assert!(optimized("dce", text).contains("define void @f"));
    let calls = text.replace("  ret void", "  call void @llvm.lifetime.start.i64(i64 1)\n  ret void");
    let dir = tempfile::tempdir().expect("a directory");
    run(&["opt", "-passes=dce", "-S", "-"], calls.as_bytes(), dir.path()).exits(2).says("can't have type");
}

const HINTS: &str = include_str!("../../engine/pipeline/tests/cases/hir-hints-strips.ll");

/// Metadata of branches belongs to the same successors after a nest was raised to a tree and lowered, and an `i1`
/// condition is used directly.
#[test]
fn branches_of_trees_say_what_they_said() {
    let after = optimized("hir-roundtrip", HINTS);
    let (_, body) = after.split_once("loop:").expect("a loop");
    let is_said = |line: &&str| line.contains("!prof") || line.contains("!unpredictable");
    let said: Vec<&str> = body.lines().filter(is_said).map(str::trim).collect();
    let begins = |line: &str| line.split(", label").next().unwrap_or_default().to_owned();
    let ends = |line: &str| line.rsplit(", ").next().unwrap_or_default().to_owned();
    let all: Vec<(String, String)> = said.iter().map(|line| (begins(line), ends(line))).collect();
    let of_truth = |what: &str| all.contains(&("br i1 %k".to_owned(), what.to_owned()));
    assert!(of_truth("!unpredictable !3") && of_truth("!prof !0"), "{after}");
    assert!(said.contains(&"], !prof !1"), "{after}");
    // The first successor continues the loop, as before.
    let latch = said.iter().find(|line| line.ends_with("!prof !2")).expect("the latch");
    assert!(latch.contains(", label %loop, label"), "{after}");
    // For a negative number nothing is done.
    let (_, asked) = body.split_once("icmp slt i32 %v, 0").expect("a comparison");
    let branch = asked.lines().find(|line| line.contains("br i1")).expect("a branch");
    assert!(branch.ends_with("!prof !0"), "{after}");
    assert_eq!(said.len(), 5, "{after}");
}

const RECORDS: &str = include_str!("../../engine/pipeline/tests/cases/hir-records-moved.ll");

/// Records of sums have the value at the start of an iteration, and records of stored values the value at the store.
#[test]
fn debug_records_of_trees_are_kept() {
    let after = optimized("hir-roundtrip", RECORDS);
    let told: Vec<&str> = after.lines().filter(|line| line.contains("#dbg_")).collect();
    assert_eq!(told.len(), 6, "{after}");
    assert!(told.iter().all(|line| !line.contains("poison")), "{after}");
}
