//! Loop nests taken out of the IR as trees and lowered again: over the corpus, no run shows a difference. What the solver
//! says of some of them stands with these files, as `[[pass]]`.

mod common;

use common::run_for;
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
    // On runs alone almost everything is inconclusive; 1 says that something was refuted.
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
    let said = "loop %loop: hir-roundtrip: missed: not taken: there is a cycle in the nest that is no loop";
    assert!(
        answer.stdout.contains(said) || answer.stderr.contains(said),
        "{}{}",
        answer.stdout,
        answer.stderr
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
    // What is read ahead is overwritten in the next iteration.
    let text = print(&[]);
    assert!(text.contains("(%b)[i1 + 1] --> <7> (%b)[i1] anti (<) (1)"), "{text}");
    assert!(!text.contains("input"), "{text}");
    assert!(print(&["--input-dependences"]).contains(" input "));
    let dot = print(&["--dot"]);
    assert!(dot.contains("digraph ddg {") && dot.contains("style=dashed"), "{dot}");
}
