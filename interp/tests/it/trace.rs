//! Explanations in traces: where poison and undefined bits arose and how they propagated, and which rule UB violated.
//! The expected texts are in `snapshots/`; `INSTA_UPDATE=always` rewrites them.

use crate::trace_data::origins::ORIGINS;
use crate::trace_data::struck::STRUCK;
use crate::trace_data::{source, traced};
use backedge_interp::outcome::UbKind;
use backedge_interp::trace::{CauseKind, Detail};
use std::collections::BTreeSet;

#[test]
fn origins_of_poison_and_undef() {
    let mut all = String::new();
    let mut kinds = BTreeSet::new();
    for case in ORIGINS {
        let (header, body, args, expected) = case;
        traced(&source(header, body), ("f", args), (1000, &[]), |trace, _| {
            let subject =
                trace.explanation.subjects.first().unwrap_or_else(|| panic!("{body}: nothing is said"));
            let mut story = &subject.story;
            assert_eq!(story.cause.kind.name(), *expected, "{body}: {:?}", story.cause);
            loop {
                kinds.insert(story.cause.kind);
                let Some(because) = &story.because else { break };
                story = because;
            }
            let lines = trace.explanation.lines().join("\n");
            all.push_str(&format!("define {header} {{\n{body}\n}}\n; {args:?}\n{lines}\n\n"));
        });
    }
    insta::assert_snapshot!("origins", all);
    // A table does not cover the environment's answers and dropped steps.
    let rest = [CauseKind::Environment, CauseKind::NotKept, CauseKind::Other];
    let missing: Vec<_> = CauseKind::ALL.iter().filter(|k| !kinds.contains(k) && !rest.contains(k)).collect();
    assert!(missing.is_empty(), "no case arises from {missing:?}");
}

#[test]
fn every_kind_of_undefined_behaviour_is_explained() {
    let mut all = String::new();
    for (kind, header, body, args, answers) in STRUCK {
        traced(&source(header, body), ("f", args), (1000, answers), |trace, _| {
            let ub = trace.explanation.ub.as_ref().unwrap_or_else(|| panic!("{body}: {}", trace.ending));
            assert_eq!(ub.kind, *kind, "{body}");
            let lines = trace.explanation.lines().join("\n");
            all.push_str(&format!("define {header} {{\n{body}\n}}\n; {args:?}\n{lines}\n\n"));
        });
    }
    let shown: BTreeSet<UbKind> = STRUCK.iter().map(|(kind, ..)| *kind).collect();
    let missing: Vec<_> = UbKind::ALL.iter().filter(|k| !shown.contains(k)).collect();
    assert!(missing.is_empty(), "no function has {missing:?}");
    insta::assert_snapshot!("struck", all);
}

#[test]
fn the_end_is_kept_and_origins_survive_what_is_dropped() {
    let case = (
        "i8 @f(i8 %n)",
        "%x = add nsw i8 %n, 100\nbr label %l\nl:\n%i = phi i16 [ 0, %0 ], [ %j, %l ]\n%s = phi i8 [ %x, %0 ], [ %t, %l ]\n%j = add i16 %i, 1\n%t = xor i8 %s, 1\n%c = icmp ult i16 %j, 1000\nbr i1 %c, label %l, label %e\ne:\n%z = udiv i8 1, %t\nret i8 %z",
        &["100"] as &[&str],
        "nsw",
    );
    traced(&source(case.0, case.1), ("f", case.2), (40, &[]), |trace, run| {
        assert_eq!(run.outcome.ub(), Some(UbKind::DivisionByPoison));
        let lines = trace.lines(Detail::Long);
        assert_eq!(lines.len(), 41);
        assert_eq!(lines[0], "@f(%n = i8 100):");
        assert!(lines.iter().any(|l| l.starts_with("… ") && l.ends_with(" more steps")));
        assert_eq!(lines.last().map(String::as_str), Some("%e:"));
        assert!(trace.struck().is_some_and(|l| l.contains("%z = udiv i8 1, %t => undefined behaviour")));
        let text = trace.explanation.lines().join("\n");
        assert!(text.contains("arose in step 1, `%x = add nsw i8 %n, 100`"), "{text}");
        assert!(text.contains("nsw violated: 100 + 100 overflows i8"), "{text}");
        assert!(text.contains("more steps on the way"), "{text}");
    });
}
