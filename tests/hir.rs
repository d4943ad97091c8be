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
    // On runs alone almost everything is inconclusive, which is the exit code 3; 1 says that something was refuted.
    assert_eq!(answer.code, Some(3), "{}{}", answer.stdout, answer.stderr);
    let sums = answer.stdout.lines().last().unwrap_or_default();
    let judged: u32 = sums.split(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0);
    assert!(judged >= 150 && !answer.stdout.contains("refuted"), "{}", answer.stdout);
}
