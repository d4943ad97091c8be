//! Loop nests raised from the IR to trees and lowered again: over the corpus, no run shows a difference. The solver's
//! verdicts on some of them are in the `[[pass]]` entries of these files.

use crate::common::run_for;
use std::path::Path;
use std::time::Duration;

#[test]
fn no_round_trip_of_the_corpus_is_refuted() {
    let folders = [
        "hir",
        "exits",
        "nests",
        "forms",
        "terminology",
        "memory",
        "calls",
        "poison",
        "irreducible",
        "infinite",
        "c",
    ];
    let folders = folders.map(|folder| format!("corpus/{folder}"));
    let mut args = vec!["gate"];
    args.extend(folders.iter().map(String::as_str));
    args.extend(["--passes", "hir-roundtrip", "--no-solver", "--runs", "50", "--quiet"]);
    let answer = run_for(&args, b"", Path::new(env!("CARGO_MANIFEST_DIR")), Duration::from_secs(600));
    // With runs only, almost everything is inconclusive; 1 means that something was refuted.
    assert_eq!(answer.code, Some(0), "{}{}", answer.stdout, answer.stderr);
    let sums = answer.stdout.lines().last().unwrap_or_default();
    let judged: u32 = sums.split(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0);
    assert!(judged >= 150 && !answer.stdout.contains("refuted"), "{}", answer.stdout);
}

#[test]
fn a_remark_says_why_a_nest_is_left() {
    let args = [
        "opt",
        "-passes=hir-roundtrip",
        "--remarks",
        "corpus/irreducible/in-loop-body.ll",
        "--disable-output",
    ];
    let answer = run_for(&args, b"", Path::new(env!("CARGO_MANIFEST_DIR")), Duration::from_secs(60));
    let said = "loop %loop: hir-roundtrip: missed: not taken: the nest contains a cycle that is not a loop";
    assert!(
        answer.stdout.contains(said) || answer.stderr.contains(said),
        "{}{}",
        answer.stdout,
        answer.stderr
    );
}

/// Functions with unmodelled features may have nests too.
#[test]
fn a_remark_says_why_the_nests_of_a_function_are_left() {
    let text = "\
define void @f(ptr %p, i64 %n) {
entry:
  br label %l
l:
  %i = phi i64 [ 0, %entry ], [ %j, %l ]
  %wide = zext i64 %i to i256
  %j = add nuw i64 %i, 1
  %c = icmp ult i64 %j, %n
  br i1 %c, label %l, label %x
x:
  ret void
}
";
    let dir = tempfile::tempdir().expect("a directory");
    let args = ["opt", "-passes=hir-interchange", "--remarks", "-pass-remarks-output=r.yaml", "-", "-S"];
    let answer = run_for(&args, text.as_bytes(), dir.path(), Duration::from_secs(60));
    let said = "@f: hir-interchange: missed: nests not taken: the function is not modelled: integers of more than 128 bits (i256)";
    assert!(answer.stderr.contains(said), "{}", answer.stderr);
    let yaml = std::fs::read_to_string(dir.path().join("r.yaml")).expect("a file");
    assert!(yaml.contains("Name:            NotModelled") && !yaml.contains("Loop"), "{yaml}");
    let print = run_for(&["print", "hir", "-"], text.as_bytes(), dir.path(), Duration::from_secs(60));
    assert!(
        print.stdout.contains("; @f is not modelled: integers of more than 128 bits (i256)"),
        "{}",
        print.stdout
    );
}

#[test]
fn dependences_are_printed() {
    let print = |more: &[&str]| {
        let args = [&["print", "ddg", "corpus/hir/ddrefs-and-symbases.ll"], more].concat();
        let answer = run_for(&args, b"", Path::new(env!("CARGO_MANIFEST_DIR")), Duration::from_secs(60));
        assert_eq!(answer.code, Some(0), "{}", answer.stderr);
        answer.stdout
    };
    // The element that is read ahead is overwritten in the next iteration.
    let text = print(&[]);
    assert!(text.contains("(%b)[i1 + 1] --> <7> (%b)[i1] anti (<) (1)"), "{text}");
    assert!(!text.contains("input"), "{text}");
    assert!(print(&["--input-dependences"]).contains(" input "));
    let dot = print(&["--dot"]);
    assert!(dot.contains("digraph ddg {") && dot.contains("style=dashed"), "{dot}");
}

/// If a loop is not fused with its neighbour, a remark names the code between them, though they are two nests for
/// that reason.
#[test]
fn a_remark_says_what_stands_between_loops() {
    let text = "\
declare void @g()
define void @f(ptr noalias %p) {
entry:
  br label %a
a:
  %i = phi i64 [ 0, %entry ], [ %i.next, %a ]
  %x = getelementptr inbounds i32, ptr %p, i64 %i
  store i32 1, ptr %x
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp ult i64 %i.next, 9
  br i1 %i.more, label %a, label %between
between:
  call void @g()
  br label %b
b:
  %j = phi i64 [ 0, %between ], [ %j.next, %b ]
  %y = getelementptr inbounds i32, ptr %p, i64 %j
  store i32 2, ptr %y
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp ult i64 %j.next, 9
  br i1 %j.more, label %b, label %end
end:
  ret void
}
";
    let of = |text: &str| {
        let args = ["opt", "-passes=hir-fuse", "--remarks", "-", "--disable-output"];
        let answer = run_for(&args, text.as_bytes(), Path::new("."), Duration::from_secs(60));
        assert_eq!(answer.code, Some(0), "{}", answer.stderr);
        answer.stdout + &answer.stderr
    };
    let said = "loop %a: hir-fuse: missed: a call is between it and the next loop";
    assert!(of(text).contains(said), "{}", of(text));
    let volatile = text.replace("  call void @g()\n", "  store volatile i32 0, ptr %p\n");
    assert!(of(&volatile).contains("a volatile access is between"), "{}", of(&volatile));
    let nothing = text.replace("  call void @g()\n", "");
    assert!(of(&nothing).contains("fused"), "{}", of(&nothing));
}

/// Distribution and fusion reach a fixed point in one run: a second one changes nothing.
#[test]
fn a_second_distribution_or_fusion_changes_nothing() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["corpus/hir", "corpus/nests", "corpus/kernels"].map(|folder| root.join(folder));
    let files: Vec<_> =
        folders.iter().flat_map(|dir| backedge_testkit::files_with_extension(dir, "ll")).collect();
    let mut changed = 0;
    for file in &files {
        let file = file.to_str().expect("a name in UTF-8");
        let once = |passes: &str, input: &str, stdin: &str| {
            let answer = run_for(&["opt", passes, input], stdin.as_bytes(), root, Duration::from_secs(60));
            assert_eq!(answer.code, Some(0), "{file} {passes}: {}", answer.stderr);
            answer.stdout
        };
        let form = once("-passes=loop-simplify,lcssa", file, "");
        for pass in ["hir-distribute", "hir-distribute<force>", "hir-fuse", "hir-fuse<force>"] {
            let passes = format!("-passes={pass}");
            let first = once(&passes, "-", &form);
            assert_eq!(once(&passes, "-", &first), first, "{file}: a second {pass} changes something");
            changed += usize::from(first != form);
        }
    }
    assert!(changed > 0, "none of {} files changed", files.len());
}
