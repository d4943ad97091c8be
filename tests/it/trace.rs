//! Traces through the command line: as text, as JSON lines, two side by side; limits and messages of `run`.

use crate::common::{Files, backedge, run};
use backedge_validate::record::Record;
use serde_json::Value;
use std::time::Duration;

/// A long-running function, one that creates poison in a loop, a correct version of it, and a declaration.
const MODULE: &str = "\
define i64 @spin(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret i64 %i
}

define i8 @tgt(i8 %n) {
entry:
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %next, %loop ]
  %s = phi i8 [ 100, %entry ], [ %sum, %loop ]
  %sum = add nsw i8 %s, 10
  %next = add i8 %i, 1
  %more = icmp ult i8 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret i8 %sum
}

define i8 @src(i8 %n) {
entry:
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %next, %loop ]
  %s = phi i8 [ 100, %entry ], [ %sum, %loop ]
  %sum = add i8 %s, 10
  %next = add i8 %i, 1
  %more = icmp ult i8 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret i8 %sum
}

declare i8 @elsewhere(i8)
";

fn files() -> Files {
    Files::new(&[("m.ll", MODULE.as_bytes()), ("old.json", b"old")])
}

const CAUSE: &str = "nsw violated: 120 + 10 overflows i8";

#[test]
fn text_and_json_tell_the_same() {
    let files = files();
    let text = files.backedge("run m.ll --function tgt --args 3 --trace").exits(0);
    assert!(text.stdout.contains("%loop: ; iteration 3 of %loop"), "{}", text.stdout);
    assert!(text.stdout.contains(&format!("[nsw] {CAUSE}")), "{}", text.stdout);
    let json = files.backedge("run m.ll --function tgt --args 3 --trace=json").exits(0).stdout;
    let lines: Vec<Value> = json.lines().map(|l| serde_json::from_str(l).expect(l)).collect();
    let origin = lines.iter().find(|l| l["kind"] == "origin").expect("the poison is explained");
    assert_eq!((&origin["cause"], &origin["detail"]), (&"nsw".into(), &CAUSE.into()));
    assert_eq!(origin["links"][0]["via"], "arose");
    assert_eq!(lines.last().expect("lines")["kind"], "outcome");
    let written = files.backedge("run m.ll --function tgt --args 3 --trace-json old.json").exits(0);
    assert!(written.stdout.starts_with("returns poison"), "{}", written.stdout);
    assert_eq!(files.read("old.json"), json);
    let piped = files.backedge("run m.ll --function tgt --args 3 --trace-json -").exits(0);
    assert_eq!(piped.stdout, json);
    let operands = files.backedge("run m.ll --function tgt --args 1 --trace --trace-operands").exits(0);
    assert!(operands.stdout.contains("=> i8 110  ; %s = i8 100"), "{}", operands.stdout);
    files.backedge("run m.ll --function tgt --args x --trace-json old.json").exits(2);
    assert_eq!(files.read("old.json"), json);
}

#[test]
fn two_runs_stand_side_by_side() {
    let files = files();
    let same = files.backedge("run m.ll --function src --with-function tgt --args 2").exits(0);
    assert!(same.stdout.contains("what the second one did is allowed"), "{}", same.stdout);
    for more in ["", " --with m.ll"] {
        let parted =
            files.backedge(&format!("run m.ll --function src --with-function tgt --args 3{more}")).exits(0);
        assert!(
            parted.stdout.contains("%sum = add : i8 -126 / %sum = add : poison after `%loop: [3]`"),
            "{}",
            parted.stdout
        );
        assert!(parted.stdout.contains(CAUSE), "{}", parted.stdout);
        assert!(
            parted.stdout.contains("divergence: in the returned value: 130 in the source, poison"),
            "{}",
            parted.stdout
        );
        assert!(parted.stdout.lines().all(|l| !l.contains(" / ") || l.chars().count() <= 120));
    }
}

#[test]
fn refutations_are_explained() {
    let files = files();
    let answer = files.backedge("tv m.ll --trace --json tv.json").exits(1);
    assert!(answer.stdout.contains(CAUSE) && answer.stdout.contains("%loop: [3]"), "{}", answer.stdout);
    let text = files.read("tv.json");
    let line = text.lines().next().expect("a record");
    let record: Record = serde_json::from_str(line).expect("a record");
    assert_eq!(record.to_json(), line);
    // Older records, without explanations, can be read too.
    let mut old: Value = serde_json::from_str(line).expect("JSON");
    let verdict = old["verdict"].as_object_mut().expect("an object");
    assert!(verdict.remove("rows").is_some() && verdict.remove("first_difference").is_some());
    let explanation = verdict["target"].as_object_mut().and_then(|run| run.remove("explanation"));
    assert!(explanation.is_some_and(|e| e.to_string().contains(CAUSE)));
    serde_json::from_value::<Record>(old).expect("an old record");
}

#[test]
fn runs_can_be_stopped() {
    let files = files();
    let long = "run m.ll --function spin --args 9000000000000 --fuel 1000000000000 --timeout 0.2";
    let plain = files.backedge(long).exits(3);
    assert!(plain.stdout.contains("was stopped") && plain.time < Duration::from_secs(30), "{plain:?}");
    let traced = files.backedge(&format!("{long} --trace --trace-steps 12")).exits(3);
    assert!(traced.stdout.contains(" more steps") && traced.stdout.lines().count() < 20, "{}", traced.stdout);
    files.backedge("run m.ll --function spin --args 3 --timeout 100").exits(0).prints("returns i64 2");
    files.backedge("run m.ll --function spin --args 3 --timeout -1").exits(2);
}

#[test]
fn what_does_not_fit_is_named_as_it_was_written() {
    let files = files();
    let number = "123456789012345678901234567890123456789012345";
    files
        .backedge(&format!("run m.ll --function spin --args {number}"))
        .exits(2)
        .says(number)
        .says("integers have at most 128 bits");
    let all_ones = "340282366920938463463374607431768211455";
    files.backedge(&format!("run m.ll --function spin --args {all_ones}")).exits(2).says(all_ones);
    files.backedge("run m.ll --function tgt --args 256").exits(2).says("256").says("@tgt");
    files.backedge("run m.ll --function elsewhere --args 1").exits(2).says("only declared");
    let long = "z".repeat(100_000);
    for args in [long.clone(), format!("{{{long}"), format!("1,{long},2"), format!("bytes:{long}")] {
        let answer = run(&["run", "m.ll", "--function", "spin", "--args", &args], b"", files.dir()).exits(2);
        assert!(answer.stderr.len() < 2000, "{} bytes", answer.stderr.len());
    }
    backedge("run corpus/forms/top-tested.ll --function f --args 5 --trace=json --with-function f").exits(2);
}
