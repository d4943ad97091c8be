//! How `check-claims` handles processes that succeed, crash, hang, grow or refuse; a script replaces the checker.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// Behaves as the file name says, and writes the lines of that file as its records.
const CHECKER: &str = r#"#!/bin/sh
[ "$1 $2 $4" = "scev check --json" ] || exit 7
cat "$3" > "$5"
case $3 in
*refused.ll) echo "it is no module" >&2; exit 2 ;;
*hangs.ll) exec sleep 100 ;;
*crashes.ll) kill -SEGV $$ ;;
*grows.ll) exec awk 'BEGIN { x = "0123456789abcdef"; while (1) x = x x }' ;;
*refuted.ll) exit 1 ;;
esac
"#;

fn record(property: &str, status: &str, more: &str) -> String {
    format!(
        r#"{{"function":"f","claim":"it is","property":"{property}","status":"{status}","detail":"told"{more}}}"#
    ) + "\n"
}

/// A directory with the checker and these files.
fn files(list: &[(&str, String)]) -> TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    let checker = dir.path().join("checker");
    fs::write(&checker, CHECKER).expect("the checker");
    fs::set_permissions(&checker, fs::Permissions::from_mode(0o755)).expect("an executable");
    for (name, text) in list {
        fs::write(dir.path().join(name), text).expect(name);
    }
    dir
}

fn census(dir: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_backedge-census"))
        .args([dir, Path::new("--backedge"), &dir.join("checker")])
        .args(arguments)
        .output()
        .expect("it runs")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The cells of the row of `property`, without the table's lines.
fn row(text: &str, property: &str) -> Vec<String> {
    let words = |l: &str| l.split(['|', '│', '┆']).map(|w| w.trim().to_owned()).collect::<Vec<_>>();
    let rows = text.lines().map(words).map(|w| w.into_iter().filter(|w| !w.is_empty()).collect::<Vec<_>>());
    rows.into_iter().find(|w: &Vec<String>| w.first().is_some_and(|w| w == property)).expect(text)
}

fn good() -> String {
    record("P3", "proved", r#","by":"by induction""#)
        + &record("P3", "proved", r#","by":"it says nothing""#)
        + &record("P6", "bounded", r#","reason":"not inductive""#)
        + &record("P6", "inconclusive", r#","reason":"budget used up""#)
}

#[test]
fn sums_are_by_property_and_end() {
    let dir = files(&[("a.ll", good()), ("b.ll", good())]);
    let output = census(dir.path(), &["-j", "2", "--max-inconclusive", "0.25"]);
    let text = text(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert_eq!(row(&text, "P3"), ["P3", "4", "2", "2", "0", "0", "0", "0"]);
    assert_eq!(row(&text, "P6"), ["P6", "4", "0", "0", "2", "2", "0", "0"]);
    assert_eq!(row(&text, "all"), ["all", "8", "2", "2", "2", "2", "0", "0"]);
    assert!(text.contains("2 budget used up") && text.contains("2 not inductive"), "{text}");
    let strict = census(dir.path(), &["--max-inconclusive", "0.2"]);
    assert_eq!(strict.status.code(), Some(3));
}

#[test]
fn a_refutation_is_told_with_its_input_and_fails() {
    let more = r#","args":"7, 9","environment":["@g() gives i32 5"],"evidence":"found i32 4""#;
    let dir = files(&[("a.ll", good()), ("refuted.ll", record("P6", "refuted", more))]);
    let output = census(dir.path(), &["--json", dir.path().join("all").to_str().expect("a name")]);
    let text = text(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    for words in ["refuted.ll @f: P6: told: it is", "--args 7, 9", "@g() gives i32 5", "found i32 4"] {
        assert!(text.contains(words), "no {words:?} in\n{text}");
    }
    let lines = fs::read_to_string(dir.path().join("all")).expect("the records");
    assert_eq!(lines.lines().count(), 5);
    assert_eq!(lines.matches("refuted.ll\"").count(), 1);
}

#[test]
fn processes_that_do_not_end_well_fail() {
    for (name, words) in [
        ("hangs.ll", "out of time"),
        ("crashes.ll", "crashed"),
        #[cfg(target_os = "linux")]
        ("grows.ll", "out of memory"),
    ] {
        let dir = files(&[("a.ll", good()), (name, good())]);
        let output = census(dir.path(), &["--file-timeout", "5", "--file-memory", "100"]);
        let text = text(&output);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(text.contains(&format!("{name}: {words}")), "{text}");
        assert_eq!(row(&text, "all")[1], "4", "{text}");
    }
}

#[test]
fn what_is_refused_is_left_out() {
    let dir = files(&[("a.ll", good()), ("refused.ll", good())]);
    let output = census(dir.path(), &[]);
    let text = text(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("refused.ll: it is no module"), "{text}");
    let dir = files(&[("refused.ll", good())]);
    assert_eq!(census(dir.path(), &[]).status.code(), Some(2));
}
