//! Output files and issues: their contents, and that no file is lost or overwritten.

use super::{LONG, WRONG, instructions, reduce};
use crate::common::{COUNTING, Files, endless_passes};

#[test]
fn how_it_was_found_is_told_with_all_flags() {
    let files = Files::with_script(LONG, WRONG);
    let out = ["-o", "small.ll", "--issue", "issue.md", "--opt", "./opt"];
    let with = |flags: &[&str]| {
        let flags: Vec<&str> = out.iter().chain(flags).copied().collect();
        reduce(&files, &flags)
    };
    with(&["--uninit", "poison", "--opt-memory", "999", "--runs", "99"]).exits(0);
    let issue = files.read("issue.md");
    assert!(issue.contains("gate in.ll --opt ./opt --opt-memory 999 --uninit poison --runs 99\n"), "{issue}");
    with(&["--uninit", "poison", "--corpus", "c.ll"])
        .exits(2)
        .says("--corpus can't be had with --uninit poison");
    let files = Files::new(&[("in.ll", COUNTING.as_bytes())]);
    let passes = endless_passes();
    let flags = ["--passes", &passes, "--passes-timeout", "1", "--machine", "in-order", "--max-tries", "1"];
    let flags: Vec<&str> = flags.into_iter().chain(["-o", "small.ll", "--issue", "issue.md"]).collect();
    let answer = reduce(&files, &flags);
    // A run that barely exceeds the limit may not do so each time.
    if answer.code == Some(0) {
        let issue = files.read("issue.md");
        assert!(issue.contains("--machine in-order") && issue.contains("--opt-timeout 1\n"), "{issue}");
    }
}

#[test]
fn no_output_is_written_over_another_one() {
    let files = Files::with_script(LONG, WRONG);
    std::fs::create_dir(files.path("d")).unwrap();
    std::os::unix::fs::symlink("d", files.path("e")).unwrap();
    for flags in [
        ["-o", "al.ll", "--lit", "./al.ll"],
        ["-o", "d/al.ll", "--lit", "e/al.ll"],
        ["-o", "c.toml", "--corpus", "c.ll"],
        ["--issue", "e/c.toml", "--corpus", "d/c.ll"],
    ] {
        let flags: Vec<&str> = ["--opt", "./opt"].into_iter().chain(flags).collect();
        reduce(&files, &flags).exits(2).says("one would overwrite the other");
    }
}

/// The result was expensive to compute.
#[test]
fn a_result_that_has_no_place_any_more_is_not_lost() {
    let script = format!("[ -e ran ] || mv d gone; touch ran; {WRONG}");
    let files = Files::with_script(LONG, &script);
    std::fs::create_dir(files.path("d")).unwrap();
    let answer = reduce(&files, &["--opt", "./opt", "-o", "d/small.ll", "--issue", "issue.md"]);
    let answer = answer.exits(2).says("the module is written to standard output in its place");
    assert_eq!(instructions(&answer.stdout), 2, "{}", answer.stdout);
    assert!(files.read("issue.md").contains("# value mismatch"));
}

/// Output paths are checked early, not after hours of work.
#[test]
fn places_of_results_are_checked_before_the_work() {
    let files = Files::with_script(LONG, &format!("touch ran; {WRONG}"));
    std::fs::write(files.path("there.toml"), "mine").unwrap();
    for (flags, words) in [
        (&["-o", "no/small.ll"][..], "there is no directory no"),
        (&["--lit", "no/lit.ll"], "there is no directory no"),
        (&["--issue", "."], "it is a directory"),
        (&["--corpus", "c.txt"], "does not end in .ll"),
        (&["--corpus", "there.ll"], "there.toml is there already"),
        (&["--lit", "x.ll", "--issue", "x.ll"], "x.ll is named twice"),
    ] {
        reduce(&files, &[&["--opt", "./opt"], flags].concat()).exits(2).says(words);
        assert_eq!(files.names(), ["in.ll", "opt", "there.toml"], "{flags:?}");
    }
    assert_eq!(files.read("there.toml"), "mine");
}

#[test]
fn an_issue_names_no_file_of_ours() {
    let files = Files::with_script(LONG, &format!("echo \"; ModuleID = '$1'\"; {WRONG}"));
    reduce(&files, &["--opt", "./opt", "-o", "small.ll", "--issue", "issue.md"]).exits(0);
    let issue = files.read("issue.md");
    assert!(issue.contains("; ModuleID = 'in.ll'") && issue.contains("./opt in.ll"), "{issue}");
    let files =
        Files::with_script(LONG, "grep -q sext \"$1\" && { echo \"$1:3: error\" >&2; exit 7; }; cat \"$1\"");
    reduce(&files, &["--opt", "./opt", "-o", "small.ll", "--issue", "issue.md"])
        .exits(0)
        .says("kept: @f: the optimizer refuses it: exit code 7: in.ll:3: error\n");
    let issue = files.read("issue.md");
    assert!(issue.starts_with("# the optimizer refuses it: exit code 7: in.ll:3: error\n"), "{issue}");
    assert!(!issue.contains("/in.ll"), "{issue}");
}
