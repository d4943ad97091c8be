//! What passes leave of the metadata of what they change, seen in the module that `backedge opt` writes.

mod common;

use common::run;

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

/// What older versions called an intrinsic is left behind by LLVM itself where nothing calls it any more.
#[test]
fn a_declaration_that_nothing_names_may_have_any_type() {
    let text = "declare void @llvm.lifetime.start.i64(i64)\ndefine void @f() {\n  ret void\n}\n";
    assert!(optimized("dce", text).contains("define void @f"));
    let calls = text.replace("  ret void", "  call void @llvm.lifetime.start.i64(i64 1)\n  ret void");
    let dir = tempfile::tempdir().expect("a directory");
    run(&["opt", "-passes=dce", "-S", "-"], calls.as_bytes(), dir.path()).exits(2).says("can't have type");
}
