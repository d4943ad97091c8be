//! Tests of the reader, of the comparisons and of the rewriting.

use super::*;
use std::fs;

const FILE: &str = "\
about = \"two functions\"   # a comment
[loops]
f = \"\"\"
Loop at depth 1 containing: %loop<header><latch><exiting>
\"\"\"
g = \"\"
[hir]
f = \"\"\"
old
\"\"\"

[[run]]
function = \"f\"
args = [\"7\"]
result = \"i32 3\"
";

/// A copy of [`FILE`] and its expectations.
fn copy() -> (tempfile::TempDir, Expectations) {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("f.toml");
    fs::write(&path, FILE).expect("a file");
    let expectations = Expectations::read(&path).expect("expectations");
    (dir, expectations)
}

fn printed(expectations: &Expectations, printer: Printer, function: &str) -> Printed {
    expectations.printed(printer).find(|p| p.function == function).expect("a text")
}

/// The error for a file with these lines after `about`.
fn error(lines: &str) -> String {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("wrong.toml");
    fs::write(&path, format!("about = \"x\"\n{lines}\n")).expect("a file");
    let error = Expectations::read(&path).expect_err("an invalid file").to_string();
    assert!(error.starts_with(&path.display().to_string()), "{error}");
    error
}

#[test]
fn errors_name_the_key() {
    for (lines, words) in [
        ("abuot = 1", "unknown field `abuot`"),
        ("path = \"x\"", "unknown field `path`"),
        ("[loop]\nf = \"\"", "loop"),
        ("[hir]\nf = 1", "f = 1"),
        ("[[run]]\nfunction = \"f\"\nargs = []\nresults = \"void\"", "unknown field `results`"),
        ("[[run]]\nfunction = \"f\"\nresult = \"void\"", "missing field `args`"),
        ("[[run]]\nfunction = \"f\"\nargs = []", "[[run]] of @f needs one of"),
        (
            "[[run]]\nfunction = \"f\"\nargs = []\nresult = \"void\"\nub = \"call\"",
            "[[run]] of @f needs one of",
        ),
        ("[[tv]]\nsource = \"s\"\ntarget = \"t\"\nexpect = \"refine\"", "unknown variant `refine`"),
        ("[[tv]]\nsource = \"s\"\ntarget = \"t\"\nproof = \"none\"", "unknown variant `none`"),
        ("[[tv]]\nsource = \"s\"\ntarget = \"t\"", "no `expect` or `proof` in [[tv]] of @s"),
        ("[[loop]]\nfunction = \"f\"\nheader = \"h\"\nlatch = [\"h\"]", "unknown field `latch`"),
        ("[[pass]]\nfunction = \"f\"\npass = \"lcssa\"\nchanges = true", "unknown field `changes`"),
        ("[[measure]]\nfunction = \"f\"\nargs = []\nlevel = 1", "unknown field `level`"),
    ] {
        let error = error(lines);
        assert!(error.contains(words), "{lines}: {error}");
    }
}

#[test]
fn a_module_without_a_file_expects_nothing() {
    let dir = tempfile::tempdir().expect("a folder");
    let expectations = Expectations::beside(&dir.path().join("f.ll")).expect("no error");
    assert!(expectations.is_empty());
}

#[test]
fn texts_are_compared_by_function() {
    let (_dir, expectations) = copy();
    assert!(expectations.compare(Printer::Hir, "f", || "old\n".to_owned()));
    assert!(!expectations.compare(Printer::Hir, "g", || panic!("not printed")));
    assert!(expectations.compare(Printer::Loops, "g", String::new));
    let text = printed(&expectations, Printer::Hir, "f");
    let complaint = expectations.check_or_rewrite(&text, "new\n", false).expect_err("a difference");
    assert!(complaint.contains("f.toml: [hir] of @f was\nold\nand is now\nnew\n"), "{complaint}");
}

#[test]
fn texts_are_rewritten_in_place() {
    let (dir, expectations) = copy();
    let rewrite = |printer, function, found| {
        let text = printed(&expectations, printer, function);
        expectations.check_or_rewrite(&text, found, true).expect("a rewritten text");
    };
    // Each text has another length, so the positions of the first reading are no longer right.
    rewrite(Printer::Loops, "f", "");
    rewrite(Printer::Loops, "g", "one\n  \\22\"\"\"\"\nlast\"");
    rewrite(Printer::Hir, "f", "new\n");
    let text = fs::read_to_string(dir.path().join("f.toml")).expect("a file");
    let now = FILE
        .replace("\"\"\"\nLoop at depth 1 containing: %loop<header><latch><exiting>\n\"\"\"", "\"\"")
        .replace("g = \"\"", "g = \"\"\"\none\n  \\\\22\"\"\\\"\"\nlast\\\"\"\"\"")
        .replace("old", "new");
    assert_eq!(text, now);
    let again = Expectations::read(&dir.path().join("f.toml")).expect("expectations");
    assert_eq!(printed(&again, Printer::Loops, "g").text, "one\n  \\22\"\"\"\"\nlast\"");
    // Only the file itself is in its folder.
    assert_eq!(fs::read_dir(dir.path()).expect("a folder").count(), 1);
}

#[test]
fn texts_that_are_met_are_not_rewritten() {
    let (dir, expectations) = copy();
    let path = dir.path().join("f.toml");
    fs::remove_file(&path).expect("to remove the file");
    let text = printed(&expectations, Printer::Hir, "f");
    assert_eq!(expectations.check_or_rewrite(&text, "old\n", true), Ok(()));
    assert!(!path.exists());
}

#[test]
fn expectations_written_by_hand_are_not_rewritten() {
    let (dir, expectations) = copy();
    let ran = |text| Ran { text, ub: None, outcome: "returned" };
    let run = &expectations.runs[0];
    assert_eq!(expectations.check_or_rewrite(run, ran("i32 3"), true), Ok(()));
    let complaint = expectations.check_or_rewrite(run, ran("i32 4"), true).expect_err("a difference");
    assert!(complaint.ends_with("@f(7): i32 4, not Some(\"i32 3\")"), "{complaint}");
    assert_eq!(fs::read_to_string(dir.path().join("f.toml")).expect("a file"), FILE);
}

#[test]
fn verdicts_are_compared_with_their_failures() {
    let pair = |lines: &str| -> Pair {
        toml::from_str(&format!("source = \"s\"\ntarget = \"t\"\n{lines}")).expect("a pair")
    };
    let is_met = |pair: &Pair, verdict, failure| pair.complaint(Judged { verdict, failure }).is_none();
    let refuted = pair("expect = \"refuted\"");
    assert!(is_met(&refuted, Some(Verdict::Refuted), "event mismatch"));
    assert!(!is_met(&refuted, Some(Verdict::RefutedByUndef), "event mismatch"));
    assert!(!is_met(&refuted, None, ""));
    let value = pair("expect = \"refuted\"\nfailure = \"value mismatch\"");
    assert!(is_met(&value, Some(Verdict::Refuted), "value mismatch"));
    assert!(!is_met(&value, Some(Verdict::Refuted), "event mismatch"));
    assert!(is_met(&pair("proof = \"all\""), None, ""));
}

#[test]
fn changes_are_compared_with_verdicts_and_remarks() {
    let pass = |lines: &str| -> PassExpectation {
        toml::from_str(&format!("function = \"f\"\npass = \"lcssa\"\n{lines}")).expect("a pass")
    };
    let change = |verdict| Some(Change { verdict, remarks: &["rotated once"] });
    let changed = pass("changed = true\nexpect = \"refines\"\nremarks = [\"rotated\"]");
    assert_eq!(changed.complaint(change("refines-all")), None);
    assert_eq!(changed.complaint(change("inconclusive")), None);
    assert!(changed.complaint(change("refuted")).is_some());
    assert!(changed.complaint(None).is_some());
    assert!(pass("changed = true\nremarks = [\"peeled\"]").complaint(change("refines-all")).is_some());
    let kept = pass("changed = false");
    assert_eq!(kept.complaint(None), None);
    assert!(kept.complaint(change("refines-all")).is_some());
}

#[test]
fn instructions_are_counted_by_opcode() {
    let counts: LoopCounts = toml::from_str("header = \"h\"\nload = 2\nbr = 1").expect("counts");
    assert_eq!(counts.complaint(&["load", "add", "load", "br"]), None);
    assert_eq!(counts.complaint(&["load", "br"]).as_deref(), Some("1 `load` in place of 2"));
}
