//! Reduction by a command of the user, `--test`: its exit code decides.

use super::{LONG, instructions, reduce};
use crate::common::{Files, run};
use std::time::Duration;

#[test]
fn a_command_says_what_is_interesting() {
    let script = "test \"$1\" = -x && test \"$2\" = 'two words' && grep -q 'store i32' \"$3\"";
    let files = Files::with_script(LONG, script);
    let flags = [
        "--test",
        "./opt",
        "--test-arg",
        "-x",
        "--test-arg",
        "two words",
        "-o",
        "small.ll",
        "--issue",
        "issue.md",
    ];
    let answer = reduce(&files, &flags).exits(0);
    let small = files.read("small.ll");
    assert_eq!(instructions(&small), 2, "{small}");
    assert!(answer.stderr.contains("to 2 instructions, 1 blocks"), "{}", answer.stderr);
    let issue = files.read("issue.md");
    assert!(
        issue.starts_with("# `./opt -x 'two words' in.ll` exits with 0\n") && issue.contains(&*small),
        "{issue}"
    );
    // The test's output is discarded, and its writes do not change the user's file.
    let files = Files::with_script(LONG, "echo noise; grep -q 'store i32' \"$1\"");
    let answer = reduce(&files, &["--test", "./opt"]).exits(0);
    assert_eq!(answer.stdout, small);
    let files = Files::with_script(LONG, "echo 'no store' >&2; exit 1");
    reduce(&files, &["--test", "./opt"]).exits(2).says("in.ll is not interesting").says("no store");
    files.write_script("kill -SEGV $$");
    reduce(&files, &["--test", "./opt"]).exits(2).says("signal 11");
    files.write_script("sleep 60");
    reduce(&files, &["--test", "./opt", "--test-timeout", "1"]).exits(2).says("it took longer than 1 s");
    reduce(&files, &["--test", "./no-such-command"]).exits(125).says("can't be run");
    reduce(&files, &["--test", "./opt", "--opt", "./opt"]).exits(2);
}

/// llvm-reduce's contract: only the exit code decides, and the arguments are passed unchanged.
#[test]
fn a_test_gets_its_words_as_they_are() {
    let check = |script: &str, words: &[&str]| {
        let files = Files::with_script(LONG, script);
        let mut flags = vec!["--test", "./opt", "-o", "small.ll"];
        words.iter().for_each(|word| flags.extend(["--test-arg", word]));
        reduce(&files, &flags).exits(0);
        assert_eq!(instructions(&files.read("small.ll")), 2);
    };
    let is_right = "grep -q 'store i32' \"$file\"";
    for words in [&["-o", "x.ll"][..], &["-o=x"], &["{}"], &["a{}b"], &["-o"]] {
        let pattern: String = words.iter().map(|word| format!(" <{word}>")).collect();
        let script = format!(
            "seen=; for w; do file=$w; done; while [ $# -gt 1 ]; do seen=\"$seen <$1>\"; shift; done\n\
             [ \"$seen\" = '{pattern}' ] && {is_right}"
        );
        check(&script, words);
    }
    // Output of any kind: non-text, bitcode, more than a command may write.
    check(&format!("file=$1; printf 'BC\\300\\336\\000\\377'; {is_right}"), &[]);
    check(&format!("file=$1; echo 'Stack dump:' >&2; {is_right}"), &[]);
}

/// A test that exceeds the time limit is not awaited, and the best result so far is written.
#[test]
fn a_test_that_is_running_when_time_is_over_is_ended() {
    let mark = format!("sleep 96{}", std::process::id());
    let script = format!("test $(wc -l < \"$1\") -gt 20 || {mark}");
    let files = Files::with_script(LONG, &script);
    let flags = ["--test", "./opt", "--test-timeout", "600", "--time", "2", "-j", "1", "-o", "small.ll"];
    let answer = reduce(&files, &flags).exits(0).says("the limit on time was reached");
    assert!(answer.time < Duration::from_secs(60), "{:?}", answer.time);
    assert!(files.read("small.ll").lines().count() > 20);
    let left = std::process::Command::new("pgrep").args(["-f", &mark]).output().expect("pgrep");
    assert!(left.stdout.is_empty(), "it still runs");
}

/// cvise's contract: the test gets no argument, and finds the file by its name in its working directory.
#[test]
fn in_cvises_order_the_test_comes_first() {
    let files =
        Files::with_script(LONG, "test $# -eq 0 && test \"$(ls)\" = in.ll && grep -q 'store i32' in.ll");
    let cvise = |flags: &[&str]| {
        let mut args = vec!["reduce", "./opt", "in.ll"];
        args.extend(flags);
        run(&args, b"", files.dir())
    };
    cvise(&["-o", "small.ll", "--issue", "issue.md"]).exits(0);
    assert_eq!(instructions(&files.read("small.ll")), 2);
    assert!(files.read("issue.md").contains("/opt` exits with 0\n"), "{}", files.read("issue.md"));
    assert_eq!(files.read("in.ll"), LONG, "with -o the input stays");
    cvise(&[]).exits(0);
    assert_eq!(files.read("in.ll"), files.read("small.ll"));
    assert_eq!(files.read("in.ll.orig"), LONG);
    cvise(&["--test", "./opt"]).exits(2).says("two files are given");
}

/// Files in the wrong places are refused, and an input that stays as it is is not copied.
#[test]
fn in_cvises_order_wrong_files_leave_no_copy() {
    let files = Files::with_script(LONG, "false");
    std::fs::copy(files.path("in.ll"), files.path("other.ll")).expect("a copy");
    let cvise = |first: &str, second: &str| run(&["reduce", first, second], b"", files.dir()).exits(2);
    cvise("./opt", "in.ll").says("in.ll is not interesting");
    cvise("in.ll", "./opt").says("in.ll is a module").says("`backedge reduce ./opt in.ll`");
    cvise("in.ll", "other.ll").says("in.ll and other.ll are both modules");
    assert_eq!(files.names(), ["in.ll", "opt", "other.ll"]);
    std::fs::write(files.path("in.ll.orig"), "mine").expect("a file");
    cvise("./opt", "in.ll");
    assert!(files.path("in.ll.orig").exists(), "a file of the user's is not removed");
}

#[test]
fn the_result_replaces_the_input_if_it_shall() {
    let files = Files::with_script(LONG, "grep -q 'store i32' \"$1\"");
    reduce(&files, &["--test", "./opt", "-o", "small.ll"]).exits(0);
    reduce(&files, &["--test", "./opt", "--in-place"]).exits(0);
    assert_eq!(files.read("in.ll"), files.read("small.ll"));
    reduce(&files, &["--test", "./opt", "--in-place", "-o", "x.ll"]).exits(2);
    run(&["reduce", "-", "--test", "./opt", "--in-place"], LONG.as_bytes(), files.dir())
        .exits(2)
        .says("- is no .ll file");
}

#[test]
fn delta_passes_are_chosen_by_name() {
    let files = Files::with_script(LONG, "grep -q 'store i32' \"$1\"");
    let names = run(&["reduce", "--print-delta-passes"], b"", files.dir()).exits(0).stdout;
    assert!(names.lines().count() == 16 && names.contains("\nblocks "), "{names}");
    let left = |flags: &str| {
        let mut all = vec!["--test", "./opt", "-o", "small.ll", "--no-grow"];
        all.extend(flags.split_whitespace());
        reduce(&files, &all).exits(0);
        files.read("small.ll")
    };
    let only = left("-delta-passes=attributes,items");
    assert!(only.contains("phi i64") && !only.contains("noundef"), "{only}");
    let all_but =
        left("--skip-delta-passes attributes,attributes-each,arguments,results --max-pass-iterations 1");
    assert!(all_but.contains("#0") && !only.contains("#0"), "{all_but}\n{only}");
    assert!(instructions(&left("--max-pass-iterations 1")) >= 2);
    reduce(&files, &["--test", "./opt", "--delta-passes", "block"]).exits(2).says("did you mean 'blocks'?");
    let none = ["--test", "./opt", "--delta-passes", "blocks", "--skip-delta-passes", "blocks"];
    reduce(&files, &none).exits(2).says("no delta pass is left");
}
