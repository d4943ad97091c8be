//! Vectorization plans, built and executed again at one lane: over the corpus, no run shows a difference. The
//! solver's verdicts on some of them are in the `[[pass]]` entries of the files, as are the plans' texts.

use crate::common::{Answer, run_for};
use std::path::Path;
use std::time::Duration;

fn backedge(args: &[&str]) -> Answer {
    run_for(args, b"", Path::new(env!("CARGO_MANIFEST_DIR")), Duration::from_secs(600))
}

/// Validates the changes that `passes` make to `dirs` of the corpus; at least `least` functions must change.
fn no_change_is_refuted(dirs: &[&str], passes: &str, least: u32) {
    let options = ["--passes", passes, "--no-solver", "--runs", "20", "--fuel", "2000", "--quiet"];
    let answer = backedge(&[&["gate"], dirs, &options[..]].concat());
    // With runs only, almost everything is inconclusive; 1 means that something was refuted.
    assert_eq!(answer.code, Some(0), "{}{}", answer.stdout, answer.stderr);
    let sums = answer.stdout.lines().last().unwrap_or_default();
    let judged: u32 = sums.split(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0);
    assert!(judged >= least && !answer.stdout.contains("refuted"), "{}", answer.stdout);
}

#[test]
fn no_plan_of_the_corpus_is_refuted() {
    no_change_is_refuted(&["corpus"], "vplan-roundtrip", 500);
}

#[test]
fn no_plan_with_a_landing_pad_is_refuted() {
    // The landing pad is another way to massage exits: loops with several exits show it.
    let dirs = ["corpus/exits", "corpus/nests", "corpus/vplan", "corpus/ideas"];
    no_change_is_refuted(&dirs, "vplan-roundtrip<landing-pad>", 60);
}

#[test]
fn a_remark_says_what_was_planned_and_why_a_loop_is_left() {
    let said = |file: &str| {
        let answer = backedge(&["opt", "-passes=vplan-roundtrip", "--remarks", file, "--disable-output"]);
        answer.stdout + &answer.stderr
    };
    let planned = said("corpus/vplan/triangle-and-diamond.ll");
    assert!(planned.contains("loop %header: vplan-roundtrip: planned"), "{planned}");
    assert!(planned.contains("1 loop and 2 other region(s)"), "{planned}");
    let left = said("corpus/irreducible/in-loop-body.ll");
    let why = "loop %loop: vplan-roundtrip: missed: not taken: the nest contains a cycle that is not a loop";
    assert!(left.contains(why), "{left}");
}

#[test]
fn plans_are_printed_and_drawn() {
    let file = "corpus/vplan/triangle-and-diamond.ll";
    let text = backedge(&["print", "vplan", file]).stdout;
    assert!(text.contains("\n  LOOP REGION entry .. exit, header header\n"), "{text}");
    assert!(text.contains("\n    REGION triangle .. triangle.end\n"), "{text}");
    assert!(!text.contains("; plain CFG"), "{text}");
    let steps = backedge(&["print", "vplan", "--steps", file]).stdout;
    assert!(steps.contains("; plain CFG\n") && steps.contains("; hierarchical CFG\n"), "{steps}");
    let dot = backedge(&["print", "vplan", "--dot", file]).stdout;
    let boxes = dot.matches("subgraph cluster_").count();
    assert_eq!(boxes, 4, "{dot}");
    assert!(dot.contains("label=\"LOOP REGION entry .. exit, header header\";"), "{dot}");
    assert_eq!(dot.matches('{').count(), dot.matches('}').count(), "{dot}");
    assert_eq!(backedge(&["print", "cfg", "--steps", file]).code, Some(2));
}

/// The plans printed for vector code are those that the pass weighs and chooses, for every option.
#[test]
fn plans_of_vectors_are_those_of_the_pass() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = ["corpus/kernels", "corpus/vectors"].into_iter().flat_map(|dir| {
        let entries = std::fs::read_dir(here.join(dir)).expect("a directory of the corpus");
        let paths = entries.map(|entry| entry.expect("an entry").path());
        paths.filter(|path| path.extension().is_some_and(|ext| ext == "ll")).collect::<Vec<_>>()
    });
    let asked = ["", "force-vector-width=4", "prefer-predicate-over-epilogue=predicate-else-scalar-epilogue"];
    let mut compared = [0; 3];
    for file in files {
        let file = file.to_str().expect("a name in UTF-8");
        for (params, compared) in asked.into_iter().zip(&mut compared) {
            let passes = if params.is_empty() { String::new() } else { format!("<{params}>") };
            let passes = format!("-passes=loop-simplify,lcssa,loop-vectorize{passes}");
            let said =
                backedge(&["opt", &passes, "--pass-remarks=vectorize", file, "--disable-output"]).stderr;
            let plans = backedge(&["print", "vplan", &format!("--vector={params}"), file]).stdout;
            for remark in said.lines() {
                let Some((_, remark)) = remark.split_once(": loop ") else { continue };
                let Some((header, what)) = remark.split_once(": loop-vectorize: ") else { continue };
                let Some((what, table)) = what.split_once("; ") else { continue };
                if !what.contains("for the iterations that are left") {
                    assert!(
                        plans.contains(&format!("; loop {header}: {table}\n")),
                        "{file} {params}: {remark}\n{plans}"
                    );
                    *compared += 1;
                }
            }
        }
    }
    assert!(compared.iter().all(|compared| *compared > 15), "{compared:?}");
}
