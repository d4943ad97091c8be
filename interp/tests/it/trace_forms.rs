//! Output formats of traces: JSON lines, iteration counters, two traces side by side. The expected texts are in
//! `snapshots/`; `INSTA_UPDATE=always` rewrites them.

use crate::trace_data::origins::ORIGINS;
use crate::trace_data::struck::STRUCK;
use crate::trace_data::{source, traced};
use backedge_interp::refine::divergence;
use backedge_interp::trace::{Detail, side_by_side};
use serde_json::Value;

/// Each step in JSON agrees with its line of text, and the other lines agree with the explanation.
#[test]
fn json_agrees_with_the_text() {
    let origins = ORIGINS.iter().map(|(header, body, args, _)| (source(header, body), *args, &[] as &[u128]));
    let struck =
        STRUCK.iter().map(|(_, header, body, args, answers)| (source(header, body), *args, *answers));
    for (source, args, answers) in origins.chain(struck) {
        traced(&source, ("f", args), (1000, answers), |trace, run| {
            let json = trace.to_json_lines();
            let lines: Vec<Value> = json.lines().map(|l| serde_json::from_str(l).expect(l)).collect();
            assert!(lines.iter().all(|l| l["schema"] == 1));
            let of = |kind: &str| lines.iter().filter(|l| l["kind"] == kind).collect::<Vec<_>>();
            let texts: Vec<String> = trace
                .lines(Detail::Long)
                .into_iter()
                .filter(|l| !l.trim_start().starts_with(['%', '@']) || l.contains(" = ") && !l.ends_with(':'))
                .collect();
            let steps = of("step");
            assert_eq!(steps.len(), texts.len(), "{texts:#?}");
            for (step, text) in steps.iter().zip(&texts) {
                let depth = step["depth"].as_u64().expect("a number") as usize;
                let mut line = "  ".repeat(depth + 1) + step["instruction"].as_str().expect("a text");
                if let Some(value) = step["value"].as_str() {
                    line.push_str(&format!(" => {value}"));
                }
                if let Some(event) = step["event"].as_u64() {
                    line.push_str(&format!("  ; event {event}"));
                }
                assert_eq!(line, *text);
            }
            let explained = trace.explanation.lines().join("\n");
            for origin in of("origin") {
                let head = format!(
                    "why {} is {}:",
                    origin["what"].as_str().unwrap(),
                    origin["value"].as_str().unwrap()
                );
                let cause =
                    format!("[{}] {}", origin["cause"].as_str().unwrap(), origin["detail"].as_str().unwrap());
                assert!(explained.contains(&head) && explained.contains(&cause), "{origin}");
            }
            assert_eq!(of("origin").len(), trace.explanation.subjects.len());
            assert_eq!(of("ub").len(), usize::from(run.outcome.ub().is_some()));
            let last = lines.last().expect("the outcome");
            assert_eq!((&last["kind"], &last["name"]), (&"outcome".into(), &run.outcome.name().into()));
            assert_eq!(last["text"], trace.ending.as_str());
        });
    }
}

const NESTS: &str = "
define i8 @nest(i8 %n) {
entry:
  br label %outer
outer:
  %i = phi i8 [ 0, %entry ], [ %i.next, %latch ]
  br label %inner
inner:
  %j = phi i8 [ 0, %outer ], [ %j.next, %inner ]
  %j.next = add i8 %j, 1
  %c = icmp ult i8 %j.next, 2
  br i1 %c, label %inner, label %latch
latch:
  %i.next = add i8 %i, 1
  %d = icmp ult i8 %i.next, %n
  br i1 %d, label %outer, label %exit
exit:
  ret i8 %i
}
define i8 @two-entries(i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  %x = phi i8 [ 0, %entry ], [ %z, %b ]
  %y = add i8 %x, 1
  br label %b
b:
  %z = phi i8 [ 0, %entry ], [ %y, %a ]
  %d = icmp ult i8 %z, 2
  br i1 %d, label %a, label %exit
exit:
  ret i8 %z
}
";

/// Function and argument, then each arrival at a block with its counters.
#[test]
fn iterations_are_counted_in_nests_and_irreducible_cycles() {
    let cases = [
        (
            "nest",
            "2",
            "outer[1] inner[1,1] inner[1,2] latch[1] outer[2] inner[2,1] inner[2,2] latch[2] exit[]",
        ),
        // One of the two entries is the target of a retreating edge; all arrivals at it count.
        ("two-entries", "true", "a[1] b[1] a[2] b[2] exit[]"),
        ("two-entries", "false", "b[] a[1] b[1] a[2] b[2] exit[]"),
    ];
    for (func, arg, expected) in cases {
        traced(NESTS, (func, &[arg]), (1000, &[]), |trace, _| {
            let json = trace.to_json_lines();
            let lines = json.lines().map(|l| serde_json::from_str::<Value>(l).expect(l));
            let arrivals: Vec<String> = lines
                .filter(|l| l["kind"] == "block")
                .map(|l| {
                    let counts = l["iterations"].as_array().expect("a list").iter();
                    let counts: Vec<String> = counts.map(|i| i["count"].to_string()).collect();
                    let block = l["block"].as_str().expect("a name").trim_start_matches('%').to_owned();
                    format!("{block}[{}]", counts.join(","))
                })
                .collect();
            assert_eq!(arrivals.join(" "), expected, "@{func}({arg})");
        });
    }
}

#[test]
fn two_traces_are_aligned() {
    let source = "
declare i1 @more(i8)
define i8 @src(i8 %n) {
entry:
  br label %header
header:
  %i = phi i8 [ 0, %entry ], [ %i.next, %body ]
  %m = call i1 @more(i8 %i)
  br i1 %m, label %body, label %exit
body:
  %i.next = add i8 %i, 1
  br label %header
exit:
  ret i8 %i
}
define i8 @tgt(i8 %n) {
entry:
  br label %header
header:
  %i = phi i8 [ 0, %entry ], [ %i.next, %body ]
  %m = call i1 @more(i8 %i)
  br i1 %m, label %body, label %exit
body:
  %two = shl i8 %i, 1
  %i.next = add i8 %two, 2
  br label %header
exit:
  ret i8 %i
}
";
    // The call returns (0) true (1), writes nothing; then the same again.
    let answers: &[u128] = &[0, 1, 0, 1, 0, 0];
    traced(source, ("src", &["1"]), (1000, answers), |left, s| {
        traced(source, ("tgt", &["1"]), (1000, answers), |right, t| {
            let (mismatch, point) = divergence(s, t).expect("they part");
            let rows = side_by_side(left, right, Some(&point));
            let text = format!(
                "{}first: {}\n{mismatch}, {point:?}\n",
                rows.render(["@src", "@tgt"], 100),
                rows.first_difference().unwrap_or_default()
            );
            insta::assert_snapshot!("side-by-side", text);
            let narrow = rows.render(["@src", "@tgt"], 40);
            assert!(narrow.lines().all(|l| l.chars().count() <= 40), "{narrow}");
            let same = side_by_side(left, left, None);
            assert!(same.rows.iter().all(|r| r.left == r.right) && same.first_difference().is_none());
        });
    });
}
