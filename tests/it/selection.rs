//! What a gate judges: excluded files, changed files, the list of functions, accepted findings; and its exit code if it
//! judges nothing.

#![cfg(unix)]

use crate::common::{Files, LOOP, TWO};
use backedge_testkit::skip;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

const STRAIGHT: &str = "define void @straight() {\n  ret void\n}\n";

#[test]
fn a_gate_that_judged_nothing_fails_unless_that_is_allowed() {
    let files = Files::new(&[("in.ll", STRAIGHT.as_bytes()), ("loop.ll", LOOP.as_bytes())]);
    files
        .backedge("gate in.ll")
        .exits(3)
        .says("nothing was checked: no pass changed the only function (--allow-unchanged accepts this)");
    let allowed = files.backedge("gate in.ll --allow-unchanged").exits(0);
    assert_eq!(allowed.stderr, "");
    files.backedge("gate in.ll loop.ll --bound 2").exits(0);
    files.backedge("gate in.ll missing.ll --allow-unchanged").exits(2);
    files.write_script("cat \"$1\"");
    files.backedge("gate loop.ll --opt ./opt").exits(3);
    files.backedge("gate loop.ll --opt ./opt --allow-unchanged").exits(0);
}

#[test]
fn files_can_be_excluded_and_functions_listed() {
    let opaque = "define i256 @wide(i256 %x) {\n  %y = add i256 %x, 1\n  ret i256 %y\n}\ndeclare void @d()\n";
    let files =
        Files::new(&[("a.ll", LOOP.as_bytes()), ("b.tmp.ll", b"define"), ("c.ll", opaque.as_bytes())]);
    let listed = files.backedge("gate . --list --exclude '*.tmp.ll'").exits(0);
    let lines: Vec<&str> = listed.stdout.lines().collect();
    assert_eq!(lines[0], "./a.ll: @f");
    assert!(lines[1].starts_with("./c.ll: @wide: not modelled: ") && lines.len() == 2, "{lines:?}");
    files.backedge("gate . --list").exits(2).prints("./b.tmp.ll: unreadable: ");
    files.backedge("gate . --bound 2 --exclude '*.tmp.ll' --exclude c.ll").exits(0);
    files.backedge("gate . --exclude '*.ll'").exits(2).says("--exclude leaves out every file");
    files.backedge("gate . --exclude 'a['").exits(2).says("unclosed character class");
}

#[test]
fn only_changed_files_are_judged_on_request() {
    let git = |dir: &Path, args: &[&str]| {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=x", "-c", "user.email=x@x", "-c", "init.defaultBranch=main"]);
        let done = command.args(args).current_dir(dir).output().expect("git runs");
        assert!(done.status.success(), "{args:?}: {}", String::from_utf8_lossy(&done.stderr));
    };
    if Command::new("git").arg("--version").output().is_err() {
        skip("--changed-since", "git is not installed");
        return;
    }
    let files =
        Files::new(&[("a.ll", LOOP.as_bytes()), ("b.ll", STRAIGHT.as_bytes()), (".gitignore", b"out*\n")]);
    git(files.dir(), &["init", "-q"]);
    git(files.dir(), &["add", "."]);
    git(files.dir(), &["commit", "-q", "-m", "one"]);
    let none = files.backedge("gate . --changed-since HEAD --format json=out.json").exits(3);
    assert!(none.stderr.contains("no file has changed since HEAD (--allow-unchanged"), "{}", none.stderr);
    assert_eq!(files.read("out.json").lines().count(), 1);
    files.backedge("gate . --changed-since HEAD --allow-unchanged").exits(0);

    std::fs::write(files.path("a.ll"), LOOP.replace("@f", "@g")).unwrap();
    std::fs::write(files.path("\u{e4} new.ll"), TWO).unwrap();
    std::fs::write(files.path("out.ll"), TWO).unwrap();
    let listed = files.backedge("gate . --list --changed-since HEAD").exits(0);
    assert_eq!(listed.stdout, "./a.ll: @g\n./\u{e4} new.ll: @good\n./\u{e4} new.ll: @bad\n");
    // From a folder of the repository too.
    std::fs::create_dir(files.path("sub")).unwrap();
    std::fs::write(files.path("sub/d.ll"), STRAIGHT).unwrap();
    let sub = |args: &str| {
        let args: Vec<&str> = args.split(' ').collect();
        crate::common::run(&args, b"", &files.path("sub"))
    };
    assert_eq!(sub("gate .. --list --changed-since HEAD").exits(0).stdout.lines().count(), 4);

    files.backedge("gate . --changed-since nowhere").exits(2).says("--changed-since: git diff: ");
    files.backedge("gate . --changed-since=--output=x").exits(2);
    assert!(!files.names().contains(&"x".to_owned()));
    let outside = Files::new(&[("a.ll", LOOP.as_bytes())]);
    outside.backedge("gate . --changed-since HEAD").exits(2).says("not a git repository");
}

/// The buckets of the findings in a file of records.
fn buckets(files: &Files, name: &str) -> Vec<String> {
    let records = files.read(name);
    let records = records.lines().map(|line| serde_json::from_str::<Value>(line).expect(line));
    records.filter_map(|record| record["bucket"].as_str().map(str::to_owned)).collect()
}

#[test]
fn a_baseline_accepts_findings_until_a_day() {
    let files = Files::with_script(TWO, "sed 's/ 20/ 21/; s/ 10/ 11/' \"$1\"");
    let answer = files.backedge("gate in.ll --opt ./opt --json out.json").exits(1);
    let [first, second] = &buckets(&files, "out.json")[..] else { panic!("{}", files.read("out.json")) };
    assert!(first.starts_with("opt-value-mismatch-") && first != second, "{first} {second}");
    assert!(answer.stdout.contains(&format!("bucket: {first}\n")), "{}", answer.stdout);
    let entry = |bucket: &str, day: &str, more: &str| {
        format!("[[accepted]]\nbucket = \"{bucket}\"\nreason = \"issue 1\"\nexpires = {day}\n{more}\n")
    };
    let gate = |baseline: &str, flags: &str| {
        std::fs::write(files.path("base.toml"), baseline).unwrap();
        files.backedge(&format!("gate in.ll --opt ./opt --baseline base.toml --json out.json {flags}"))
    };
    let both = entry(first, "2199-01-01", "") + &entry(second, "2199-01-01", "example = \"in.ll\"");
    let accepted = gate(&both, "--format sarif=a.sarif").exits(0);
    assert!(
        accepted.stdout.contains("refuted: value mismatch (found by runs) (accepted: issue 1)"),
        "{}",
        accepted.stdout
    );
    assert!(
        accepted.stdout.contains("2 refuted; 0.0 % inconclusive; 2 accepted by the baseline;"),
        "{}",
        accepted.stdout
    );
    assert!(files.read("out.json").contains("\"accepted\":\"issue 1\""));
    assert!(files.read("a.sarif").contains("\"justification\": \"issue 1\""));

    gate(&entry(first, "2199-01-01", ""), "").exits(1);
    gate(&(entry(first, "2199-01-01", "") + &entry(second, "2001-01-01", "")), "").exits(1);
    gate(&entry(first, "2199-01-01", "example = \"other.ll\""), "").exits(1);
    // An entry that no finding needs any more.
    let stale = both.clone() + &entry("licm-crash-0123456789", "2199-01-01", "");
    gate(&stale, "").exits(6).prints("stale: line 12: licm-crash-0123456789 (issue 1) is not found any more");
    let elsewhere = both + &entry("licm-crash-0123456789", "2199-01-01", "example = \"other.ll\"");
    gate(&elsewhere, "").exits(0);
    gate("[[accepted]]\nbucket = \"x\"\n", "").exits(2).says("base.toml can't be parsed");
    files.backedge("gate in.ll --baseline missing.toml").exits(2).says("missing.toml can't be read");
}
