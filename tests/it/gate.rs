//! The gate: records, exit codes, order, interrupts; and the expectations of the corpus on passes.

use crate::common;
use crate::common::{COUNTING, Files, LOOP, PAIRS, run};
use backedge_testkit::corpus::{Change, Expectation, Expectations, PassExpectation};
use serde_json::Value;
use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn records(files: &Files, name: &str) -> Vec<Value> {
    files.read(name).lines().map(|l| serde_json::from_str(l).expect(l)).collect()
}

#[test]
fn changes_of_a_pipeline_are_judged() {
    let files = Files::new(&[("in.ll", LOOP.as_bytes())]);
    let answer = files.backedge("gate in.ll --no-induction --json out.json").exits(0);
    assert!(answer.stdout.contains("loop-rotate") && answer.stdout.contains("refines"), "{}", answer.stdout);
    assert!(answer.stdout.lines().last().unwrap().contains("judged:"), "{}", answer.stdout);
    let records = records(&files, "out.json");
    let passes: Vec<_> = records.iter().filter_map(|r| r["pass"].as_str()).collect();
    assert_eq!(passes.last(), Some(&"loop-rotate"));
    for record in records.iter().filter(|r| r["kind"] == "validation") {
        assert_eq!(record["function"], "f");
        assert_eq!(record["verdict"]["kind"], "refines-up-to", "{record}");
        assert!(record["remarks"].as_array().is_some_and(|r| !r.is_empty()), "{record}");
    }
    let proved = files.backedge("gate in.ll --json out.json").exits(0);
    assert!(proved.stdout.contains("refines (all)"), "{}", proved.stdout);
}

#[test]
fn a_record_says_why_there_is_no_proof_if_one_was_looked_for() {
    let files = Files::new(&[("in.ll", LOOP.as_bytes()), ("counting.ll", COUNTING.as_bytes())]);
    let unproved = |args: &str| {
        files.backedge(&format!("gate {args} --runs 0 --json out.json"));
        let record = records(&files, "out.json").remove(0);
        assert_eq!(record["kind"], "validation", "{record}");
        record["unproved"].as_str().map(str::to_owned)
    };
    assert_eq!(unproved("in.ll --passes loop-rotate"), None);
    assert_eq!(unproved("in.ll --passes loop-rotate --no-induction"), None);
    // Products need the solver, which has too small a budget.
    assert_eq!(unproved("counting.ll --passes hir-roundtrip"), None);
    assert!(unproved("counting.ll --passes hir-roundtrip --rlimit 500").is_some_and(|why| !why.is_empty()));
}

/// A verdict that relies on attributes of the target only is accepted only on request, and counted separately.
#[test]
fn attributes_of_the_target_alone_are_assumed_on_request() {
    let body = "{\n  %c = icmp eq ptr %p, null\n  ret i1 %c\n}\n";
    let text = format!("define i1 @src(ptr %p) {body}define i1 @tgt(ptr captures(none) %p) {body}");
    let broken = "{\n  store i8 0, ptr %p\n  ret void\n}\n";
    let wrong = format!("define void @src(ptr %p) {broken}define void @tgt(ptr readonly %p) {broken}");
    let files = Files::new(&[("pair.ll", text.as_bytes()), ("wrong.ll", wrong.as_bytes())]);
    let answer = files.backedge("tv pair.ll --json out.json").exits(3);
    assert!(answer.stdout.contains("if parameter 0 of @tgt is captures(none)"), "{}", answer.stdout);
    assert!(
        answer.stdout.contains("1 refines (if attributes hold); 0.0 % inconclusive"),
        "{}",
        answer.stdout
    );
    let summary = records(&files, "out.json").pop().expect("a summary");
    assert_eq!(summary["counts"]["verdicts"]["refines-if-claims"], 1, "{summary}");
    files.backedge("tv pair.ll --assume-attributes").exits(0);
    let answer = files.backedge("tv wrong.ll --assume-attributes").exits(1);
    assert!(answer.stdout.contains("parameter 0 of @tgt is readonly"), "{}", answer.stdout);
}

#[test]
fn the_order_and_the_verdicts_do_not_depend_on_the_number_of_jobs() {
    let mut texts = Vec::new();
    for i in 0..6 {
        texts.push((format!("{i}.ll"), LOOP.replace("@f", &format!("@f{i}"))));
    }
    let list: Vec<_> = texts.iter().map(|(n, t)| (n.as_str(), t.as_bytes())).collect();
    let files = Files::new(&list);
    let run = |jobs: &str, out: &str| {
        files.backedge(&format!("gate . --bound 2 --jobs {jobs} --json {out}")).exits(0);
        let mut all = records(&files, out);
        for record in &mut all {
            record.as_object_mut().unwrap().remove("time_ms");
        }
        all
    };
    assert_eq!(run("1", "one.json"), run("4", "four.json"));
}

#[test]
fn exit_codes_say_how_it_went() {
    let hard = "\
define i64 @src(i64 %x, i64 %y) {
  %q = udiv i64 %x, %y
  %p = mul i64 %q, %y
  %r = sub i64 %x, %p
  ret i64 %r
}

define i64 @tgt(i64 %x, i64 %y) {
  %r = urem i64 %x, %y
  ret i64 %r
}
";
    let files = Files::new(&[
        ("in.ll", LOOP.as_bytes()),
        ("bad.ll", b"define"),
        ("pairs.ll", PAIRS.as_bytes()),
        ("hard.ll", hard.as_bytes()),
    ]);
    files.backedge("tv pairs.ll").exits(1).prints("target is more poisonous than source");
    files.backedge("tv pairs.ll --src-fn src_right --tgt-fn tgt_right").exits(0);
    files.backedge("tv pairs.ll --src-fn src_right --tgt-fn nowhere").exits(2).says("@tgt_wrong");
    files.backedge("tv pairs.ll --self --json self.json").exits(1);
    let own = records(&files, "self.json")
        .into_iter()
        .filter(|r| r["kind"] == "validation" && r["function"] == r["pass"]);
    let own: Vec<_> = own.collect();
    assert_eq!(own.len(), 4);
    assert!(own.iter().all(|r| r["verdict"]["kind"] == "refines-all"), "{own:?}");
    files.backedge("tv in.ll").exits(2).says("no pair");
    files.backedge("tv hard.ll --rlimit 1000").exits(3).prints("inconclusive: solver budget of 1000 units");
    files.backedge("gate in.ll bad.ll").exits(2).prints("unreadable");
    files.backedge("gate in.ll --rlimit 1 --runs 0 --no-induction").exits(3).prints("inconclusive");
    files
        .backedge("gate in.ll --rlimit 1 --runs 0 --no-induction -q")
        .exits(3)
        .prints(": inconclusive: solver budget of 1 unit");
    files.backedge("gate in.ll --rlimit 1 --runs 0 --no-induction --max-inconclusive 1").exits(0);
}

#[test]
fn runs_alone_say_how_many_were_defined() {
    // This function stores to null for every input.
    let undefined =
        LOOP.replace("@f(", "@never(ptr %p, ").replace("entry:\n", "entry:\n  store i8 0, ptr null\n");
    let files = Files::new(&[("in.ll", LOOP.as_bytes()), ("undefined.ll", undefined.as_bytes())]);
    let gate = |rest: &str| {
        files.backedge(&format!("gate {rest} --passes loop-simplify,loop-rotate --no-solver --no-induction"))
    };
    let summary = |file: &str| records(&files, file).pop().expect("a summary")["counts"].clone();

    gate("in.ll undefined.ll --json both.json").exits(0);
    gate("in.ll undefined.ll --max-inconclusive 0.05").exits(3);
    let both = summary("both.json");
    let judged: u64 = both["verdicts"].as_object().expect("counts").values().filter_map(|n| n.as_u64()).sum();
    let without = both["without_defined_run"].as_u64().expect("a number");
    assert_eq!(without * 2, judged, "{both}");
    let (runs, defined) = (both["runs"].as_u64(), both["defined_runs"].as_u64().expect("a number"));
    assert!(runs.is_some_and(|n| n > defined) && defined > 0, "{both}");
    let said = format!("{defined} defined; {without} judged with a defined run, {without} without\n");
    gate("in.ll undefined.ll --max-inconclusive 1").exits(0).prints(&said);

    // A campaign without a single defined run fails.
    gate("undefined.ll --max-inconclusive 1").exits(3).says("no run was defined").prints("; 0 judged with");
    gate("in.ll --max-inconclusive 1").exits(0).prints(", 0 without");
}

#[test]
fn a_gate_that_checked_nothing_says_so() {
    let opaque = "define i256 @a(i256 %x) {\n  %y = add i256 %x, 1\n  ret i256 %y\n}\n";
    let straight = "define void @a() {\n  ret void\n}\n";
    let files = Files::new(&[
        ("opaque.ll", opaque.as_bytes()),
        ("declared.ll", b"declare void @a()\n"),
        ("empty.ll", b""),
        ("straight.ll", straight.as_bytes()),
    ]);
    files.backedge("gate opaque.ll").exits(3).says("nothing was checked").prints("1 not modelled");
    for file in ["declared.ll", "empty.ll", "declared.ll empty.ll"] {
        files.backedge(&format!("gate {file}")).exits(2).says("no function is defined");
    }
    files.backedge("gate straight.ll opaque.ll").exits(3).prints("1 not modelled");
    files.backedge("gate straight.ll opaque.ll --allow-unchanged").exits(0).prints("1 not modelled");
    files.backedge("gate straight.ll --passes verify,no-op-module").exits(2).says("nothing would be checked");
    run(&["gate", "straight.ll", "--passes", ""], b"", files.dir()).exits(2).says("nothing would be checked");
}

#[test]
fn json_lines_may_go_to_standard_output() {
    let files = Files::new(&[("in.ll", LOOP.as_bytes())]);
    let answer = files.backedge("gate in.ll --json -").exits(0);
    let lines: Vec<Value> = answer.stdout.lines().map(|l| serde_json::from_str(l).expect(l)).collect();
    assert_eq!(lines.last().unwrap()["kind"], "summary");
    assert_eq!(files.names(), ["in.ll"]);
}

#[test]
fn what_is_only_declared_is_called_so() {
    let files = Files::new(&[
        ("a.ll", b"define i8 @f(i8 %x) {\n  ret i8 %x\n}\ndeclare void @g()\n"),
        ("b.ll", b"declare i8 @f(i8)\ndefine void @g() {\n  ret void\n}\n"),
        ("c.ll", b"define i8 @src(i8 %x) {\n  ret i8 %x\n}\ndeclare i8 @tgt(i8)\n"),
    ]);
    let answer = files.backedge("tv a.ll b.ll").exits(2).says("no pair");
    assert!(
        answer.stderr.contains("@f can't be compared: its target @f is only declared"),
        "{}",
        answer.stderr
    );
    assert!(
        answer.stderr.contains("@g can't be compared: its source @g is only declared"),
        "{}",
        answer.stderr
    );
    files.backedge("tv c.ll").exits(2).says("@src can't be compared: its target @tgt is only declared");
    files.backedge("tv a.ll --src-fn f --tgt-fn g").exits(2).says("@g is only declared");
    files.backedge("run a.ll --function g").exits(2).says("@g is only declared");
    files.backedge("print loops a.ll --function g").exits(2).says("@g is only declared");
}

#[test]
fn two_files_are_matched_by_name() {
    let first = "define i8 @f(i8 %x) {\n  ret i8 %x\n}\ndefine i8 @lost(i8 %x) {\n  ret i8 %x\n}\n";
    let second = "define i8 @f(i8 %x) {\n  %r = add i8 %x, 0\n  ret i8 %r\n}\n";
    let files = Files::new(&[("a.ll", first.as_bytes()), ("b.ll", second.as_bytes())]);
    let answer = files.backedge("tv a.ll b.ll").exits(0).says("@lost has no target");
    assert!(answer.stdout.contains("@f => @f: refines ("), "{}", answer.stdout);
    let with = |text: &str, value: &str| format!("@v = global i8 {value}\n{text}");
    let (first, second) = (with(second, "1"), with(second, "2"));
    let files = Files::new(&[("a.ll", first.as_bytes()), ("b.ll", second.as_bytes())]);
    files
        .backedge("tv a.ll b.ll")
        .exits(0)
        .says("@v is defined differently, which no pair of functions shows");
}

#[test]
fn a_run_tells_what_it_does() {
    let files = Files::new(&[("in.ll", LOOP.as_bytes())]);
    files.backedge("run in.ll --args 3,true").exits(0).prints("returns i32 3");
    files.backedge("run in.ll --args -3,1").exits(0).prints("returns i32 0");
    files.backedge("run in.ll --args 3,poison").exits(0).prints("branch-on-poison");
    files
        .backedge("run in.ll --function f --args 2,1 --trace")
        .exits(0)
        .prints("%i.next = add nsw i32 %i, 1 => i32 2");
    files.backedge("run in.ll --args 1000,1 --fuel 50").exits(3).prints("out of fuel");
    files.backedge("run in.ll --args 3").exits(2).says("@f takes 2 arguments (i32, i1), 1 is given");
    files.backedge("run in.ll --args 3,maybe").exits(2).says("maybe");
    files.backedge("run in.ll --function g").exits(2).says("@f");
}

/// An interrupt leaves complete lines, and a summary that records the interrupt.
#[cfg(unix)]
#[test]
fn an_interrupt_leaves_a_readable_report() {
    let hard =
        std::fs::read_to_string(backedge_testkit::corpus_dir().join("c/matrix-transpose-o1.ll")).unwrap();
    let files = Files::new(&[("a.ll", LOOP.as_bytes()), ("b.ll", hard.as_bytes())]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_backedge"))
        .args(["gate", ".", "--jobs", "1", "--json", "out.json", "--bound", "64", "--min-bound", "64"])
        .args(["--rlimit", "4000000000", "--timeout", "600", "--no-induction"])
        .current_dir(files.dir())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_secs(5));
    assert!(child.try_wait().unwrap().is_none(), "it was done too soon to be interrupted");
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let start = Instant::now();
    let code = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status.code();
        }
        if start.elapsed() > Duration::from_secs(20) {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("an interrupt did not end it");
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    assert_eq!(code, Some(75));
    let records = records(&files, "out.json");
    assert_eq!(records.last().unwrap()["interrupted"], true);
    // The results up to the interrupt are kept: the changes of the small file, whichever thread was first.
    let counts = &records.last().unwrap()["counts"]["verdicts"];
    let counted: u64 = counts.as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum();
    assert_eq!(counted as usize, records.len() - 1);
    assert!(records.iter().any(|r| r["file"] == "./a.ll" && r["kind"] == "validation"), "{records:?}");
    assert_eq!(files.names(), ["a.ll", "b.ll", "out.json"]);
}

const CANONICAL: [&str; 3] = ["loop-simplify", "lcssa", "loop-rotate"];

/// The changes that `passes` make in `files` of the corpus, by file, function and pass.
fn changes(passes: &str, files: &[&str]) -> BTreeMap<(String, String, String), Value> {
    let out = Files::new(&[]);
    let json = out.path("out.json").display().to_string();
    // The solver judges the same changes in `ci/gate`.
    let options = [
        "--no-solver",
        "--allow-unchanged",
        "--passes",
        passes,
        "--json",
        &json,
        "--max-inconclusive",
        "1",
        "--runs",
        "100",
        "--fuel",
        "2000",
    ];
    let args: Vec<&str> = ["gate"].iter().chain(files).chain(&options).copied().collect();
    let corpus = backedge_testkit::corpus_dir();
    common::run_for(&args, b"", &corpus, Duration::from_secs(1800)).exits(0);
    let records = records(&out, "out.json");
    let changes = records.into_iter().filter(|r| r["kind"] == "validation").map(|record| {
        let text = |key: &str| record[key].as_str().unwrap().trim_start_matches("./").to_owned();
        ((text("file"), text("function"), text("pass")), record)
    });
    changes.collect()
}

/// The difference between the change that a pass made, if any, and the expectation.
fn complaint(change: Option<&Value>, expected: &PassExpectation) -> Option<String> {
    let remarks = change.into_iter().flat_map(|c| c["remarks"].as_array().unwrap());
    let remarks: Vec<&str> = remarks.map(|r| r.as_str().unwrap()).collect();
    let verdict = change.map(|c| c["verdict"]["kind"].as_str().unwrap());
    let complaint = expected.complaint(verdict.map(|verdict| Change { verdict, remarks: &remarks }))?;
    Some(format!("{complaint}: {}", change.map_or(&Value::Null, |c| &c["verdict"])))
}

#[test]
fn passes_do_to_the_corpus_what_is_expected_of_them() {
    let corpus = backedge_testkit::corpus_dir();
    let files = backedge_testkit::corpus_files();
    let expected = files.iter().flat_map(|file| {
        let name = file.strip_prefix(&corpus).unwrap().display().to_string();
        let passes = Expectations::of(file).passes.into_iter();
        passes.map(move |e| ((name.clone(), e.function.clone(), e.pass.clone()), e))
    });
    let expected: BTreeMap<(String, String, String), PassExpectation> = expected.collect();
    // Changes without an expectation are left to the gate (`ci/gate`).
    let mut canonical: Vec<&str> = expected
        .keys()
        .filter(|(_, _, pass)| CANONICAL.contains(&pass.as_str()))
        .map(|(f, ..)| f.as_str())
        .collect();
    canonical.dedup();
    let mut got = changes(&CANONICAL.join(","), &canonical);
    let mut others: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (file, _, pass) in expected.keys().filter(|(_, _, pass)| !CANONICAL.contains(&pass.as_str())) {
        others.entry(pass).or_default().push(file);
    }
    for (pass, mut files) in others {
        files.dedup();
        got.extend(changes(&format!("{},{pass}", CANONICAL.join(",")), &files));
    }
    let complaints: Vec<String> = expected
        .iter()
        .filter_map(|(key @ (file, function, pass), expected)| {
            Some(format!("{file} @{function} {pass}: {}", complaint(got.get(key), expected)?))
        })
        .collect();
    assert!(expected.len() > 100, "{} expectations were found", expected.len());
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
