//! `backedge reduce` on optimizers that are shell scripts with known bugs.

#![cfg(unix)]

use crate::common::{Answer, COUNTING, Files, backedge, endless_passes, run};
use backedge_testkit::opt_of;
use std::time::Duration;

/// A loop with two exits and much irrelevant code. The script that replaces 3 by 5 breaks it.
const LONG: &str = "\
target triple = \"x86_64-unknown-linux-gnu\"

@g = global i32 0

declare void @seen(i32)

define i64 @f(i32 noundef %n, i64 %m, ptr %p) #0 {
entry:
  %guard = icmp sgt i32 %n, 0
  br i1 %guard, label %ph, label %exit

ph:
  %n.wide = zext i32 %n to i64
  %scaled = mul i64 %n.wide, 3
  br label %loop

loop:
  %i = phi i32 [ 0, %ph ], [ %i.next, %latch ]
  %acc = phi i64 [ %scaled, %ph ], [ %acc.next, %latch ]
  %odd = and i32 %i, 1
  %is.odd = icmp eq i32 %odd, 1
  br i1 %is.odd, label %store, label %latch

store:
  %at = getelementptr i32, ptr @g, i64 0
  store i32 %i, ptr %at
  %big = icmp ugt i64 %acc, 1000
  br i1 %big, label %exit, label %latch

latch:
  %i.wide = sext i32 %i to i64
  %acc.next = add i64 %acc, %i.wide
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  %r = phi i64 [ %m, %entry ], [ %acc, %store ], [ %acc.next, %latch ]
  ret i64 %r
}

attributes #0 = { nounwind }
";

/// Replaces a factor 3 by 5.
const WRONG: &str = "sed 's/= mul \\(.*\\), 3$/= mul \\1, 5/' \"$1\"";

fn reduce(files: &Files, flags: &[&str]) -> Answer {
    let mut args = vec!["reduce", "in.ll"];
    args.extend(flags);
    run(&args, b"", files.dir())
}

fn instructions(text: &str) -> usize {
    let inside = text.lines().filter(|l| l.starts_with("  ")).count();
    assert!(text.contains("define "), "{text}");
    inside
}

#[test]
fn a_miscompile_is_reduced_to_its_core() {
    let files = Files::with_script(LONG, WRONG);
    let flags =
        ["--opt", "./opt", "-o", "small.ll", "--lit", "lit.ll", "--issue", "issue.md", "--corpus", "c.ll"];
    reduce(&files, &flags).exits(0).says("kept: @f: value mismatch");
    let small = files.read("small.ll");
    // The product and the return.
    assert_eq!(instructions(&small), 2, "{small}");
    assert!(small.contains(", 3\n") && !small.contains("triple"), "{small}");
    // The reduced module fails in the same way, and so do the other outputs.
    files.backedge("gate small.ll --opt ./opt").exits(1).prints("value mismatch");
    files.backedge("tv c.ll").exits(1).prints("value mismatch");
    files.backedge("replay c.ll").exits(1);
    let toml: toml::Table = files.read("c.toml").parse().unwrap();
    assert_eq!(toml["tv"][0]["failure"].as_str(), Some("value mismatch"));
    let lit = files.read("lit.ll");
    assert!(lit.starts_with("; RUN: ./opt %s | FileCheck %s\n"), "{lit}");
    assert!(lit.contains("; CHECK-LABEL: define ") && lit.contains(", 5\n"), "{lit}");
    let issue = files.read("issue.md");
    for part in
        ["# value mismatch", "`./opt` miscompiles this", "they part:", "backedge gate in.ll --opt ./opt"]
    {
        assert!(issue.contains(part), "no {part:?} in\n{issue}");
    }
}

#[test]
fn a_crash_is_reduced() {
    let files = Files::with_script(
        LONG,
        "if grep -q 'phi i64' \"$1\" && grep -q 'sext' \"$1\"; then kill -SEGV $$; fi; cat \"$1\"",
    );
    reduce(&files, &["--opt", "./opt", "-o", "small.ll"])
        .exits(0)
        .says("the optimizer crashes: signal 11 (SIGSEGV)");
    let small = files.read("small.ll");
    assert!(small.contains("phi i64") && small.contains("sext"), "{small}");
    assert!(instructions(&small) <= 6, "{small}");
    reduce(&files, &["--opt", "./opt", "-o", "small.ll", "--corpus", "c.ll"])
        .exits(2)
        .says("a crash is no pair of functions");
    // Some commands take their last argument as the file: no argument may follow it.
    reduce(&files, &["--opt", "./opt", "-o", "small.ll", "--lit", "lit.ll"]).exits(0);
    let lit = files.read("lit.ll");
    assert!(lit.starts_with("; RUN: not --crash ./opt %s > /dev/null\n"), "{lit}");
}

/// A release build of LLVM reports every crash in the same way, except for the functions in its stack dump.
#[test]
fn a_crash_stays_in_its_place() {
    let script = "bye() { echo 'PLEASE submit a bug report to https://x' >&2; echo 'Stack dump:' >&2\n\
                  echo \" #4 0x00007fdc732700$$ $1(llvm::Value*) (/lib/libLLVM-14.so.1+0x22)\" >&2; kill -SEGV $$; }\n\
                  grep -q ' phi i64' \"$1\" && bye llvm::PhiThing::run\n\
                  grep -q ' getelementptr' \"$1\" && bye llvm::GepThing::run\ncat \"$1\"";
    let files = Files::with_script(LONG, script);
    reduce(&files, &["--opt", "./opt", "-o", "small.ll"])
        .exits(0)
        .says("the optimizer crashes: signal 11 (SIGSEGV) ended it: in llvm::PhiThing::run\n");
    let small = files.read("small.ll");
    assert!(small.contains("phi i64") && !small.contains("getelementptr"), "{small}");
}

#[test]
fn unstable_failures_are_reported() {
    // Crashes on the first files with `sext`, and on no later ones.
    let crash = "echo >> \"$0.runs\"; if test $(wc -l < \"$0.runs\") -lt 9; then kill -SEGV $$; fi";
    let script = format!("if grep -q ' sext ' \"$1\"; then {crash}; fi; cat \"$1\"");
    let files = Files::with_script(LONG, &script);
    reduce(&files, &["--opt", "./opt", "-o", "small.ll", "--issue", "small.md"])
        .exits(3)
        .says("what was kept does not show each time");
    assert!(files.read("small.ll").contains(" sext "));
    assert!(!files.path("small.md").exists());
    std::fs::remove_file(files.path("opt.runs")).unwrap();
    reduce(&files, &["--opt", "./opt", "-o", "small.ll"]).exits(3).says("does not show each time");
    let test = "grep -q ' sext ' \"$1\" || exit 1; echo >> \"$0.runs\"; test $(wc -l < \"$0.runs\") -lt 9";
    let files = Files::with_script(LONG, test);
    reduce(&files, &["--test", "./opt", "-o", "small.ll"]).exits(3).says("does not show each time");
}

#[test]
fn a_hang_is_reduced() {
    // It sleeps longer than the test may take.
    let files = Files::with_script(LONG, "if grep -q ' sext ' \"$1\"; then sleep 600; fi; cat \"$1\"");
    let flags = ["--opt", "./opt", "--opt-timeout", "1", "--no-grow", "-o", "small.ll"];
    reduce(&files, &flags).exits(0).says("kept: @f: the optimizer takes too long");
    let small = files.read("small.ll");
    assert!(small.contains(" sext ") && instructions(&small) <= 2, "{small}");
    // The time limit covers everything except tries that are running when it ends.
    let answer = reduce(&files, &[&flags[..], &["--time", "3"]].concat()).exits(0);
    assert!(answer.stderr.contains("the limit on time was reached"), "{}", answer.stderr);
    assert!(answer.time < Duration::from_secs(30), "{:?}", answer.time);
    assert!(files.read("small.ll").contains(" sext "));
}

/// Passes that do not terminate must run in a separate process.
#[test]
fn a_hang_of_passes_of_ours_is_reduced() {
    let passes = endless_passes();
    let files = Files::new(&[("in.ll", COUNTING.as_bytes())]);
    let flags = ["--passes", &passes, "--passes-timeout", "1", "--max-tries", "40", "-o", "small.ll"];
    reduce(&files, &flags).exits(0).says("the optimizer takes too long");
    // The size depends on what takes that long on this machine.
    let small = files.read("small.ll");
    assert!(instructions(&small) < instructions(COUNTING) && small.contains("br "), "{small}");
}

#[test]
fn any_number_of_threads_comes_to_the_same() {
    let files = Files::with_script(LONG, WRONG);
    let by = |jobs: &str, out: &str| {
        reduce(&files, &["--opt", "./opt", "-o", out, "--jobs", jobs]).exits(0);
        files.read(out)
    };
    assert_eq!(by("1", "one.ll"), by("4", "four.ll"));
}

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

/// Runs the RUN line of a lit test as lit does, with LLVM's `not` and `FileCheck`; `None` if they are not installed.
fn run_lit(files: &Files, test: &str) -> Option<bool> {
    let tools = "/usr/lib/llvm-14/bin";
    if !std::path::Path::new(tools).join("FileCheck").is_file() {
        backedge_testkit::skip("running a lit test", "there is no FileCheck of LLVM 14");
        return None;
    }
    let text = files.read(test);
    let line = text.lines().find_map(|line| line.strip_prefix("; RUN: ")).expect("a line");
    // Percent signs of the command are doubled.
    let line = line.replace("%%", "\0").replace("%s", test).replace("%t", "lit.tmp").replace('\0', "%");
    let exe = std::path::Path::new(env!("CARGO_BIN_EXE_backedge")).parent().expect("a directory");
    let path = format!("{tools}:{}:{}", exe.display(), std::env::var("PATH").expect("a path"));
    let mut shell = std::process::Command::new("bash");
    shell.args(["-c", &format!("set -o pipefail; {line}")]).env("PATH", path).current_dir(files.dir());
    Some(shell.status().expect("a shell").success())
}

#[test]
fn a_lit_test_passes_as_long_as_it_fails_so() {
    let lit = [
        "--opt-timeout",
        "1",
        "-o",
        "small.ll",
        "--lit",
        "lit.ll",
        "--issue",
        "issue.md",
        "--max-tries",
        "60",
    ];
    for (command, script, run) in [
        // Output to a file, by a command that accepts `-` and by one that does not.
        (
            "./opt -o out.ll",
            "[ $2 = - ] && exec sed 's/, 3$/, 5/' \"$3\"; sed 's/, 3$/, 5/' \"$3\" > $2",
            "-o - %s | FileCheck %s",
        ),
        ("./opt -o out.ll", "sed 's/, 3$/, 5/' \"$3\" > \"$2\"", "-o %t %s && FileCheck %s --input-file=%t"),
        ("./opt", "grep -q ' sext ' \"$1\" && kill -SEGV $$; cat \"$1\"", "not --crash ./opt %s > /dev/null"),
        ("./opt", "grep -q ' sext ' \"$1\" && exit 134; cat \"$1\"", "not ./opt %s > /dev/null"),
        ("./opt", "grep -q ' sext ' \"$1\" && exit 7; cat \"$1\"", "not ./opt %s > /dev/null"),
        (
            "./opt",
            "grep -q ' sext ' \"$1\" && sleep 9; cat \"$1\"",
            "sh -c 'timeout 1 ./opt %s > /dev/null; test $? -eq 124'",
        ),
    ] {
        let files = Files::with_script(LONG, script);
        let mut flags = vec!["--opt", command];
        flags.extend(lit);
        reduce(&files, &flags).exits(0);
        let first = files.read("lit.ll").lines().next().expect("a line").to_owned();
        assert!(first.contains(run), "{first}");
        assert_ne!(run_lit(&files, "lit.ll"), Some(false), "{first}");
        let issue = files.read("issue.md");
        assert!(issue.contains(" --opt-timeout 1\n"), "{issue}");
        // Once the bug is fixed, the test fails.
        files.write_script("for f; do :; done; case $2 in ''|-) exec cat \"$f\";; *.ll) exec cat \"$f\";; *) cat \"$f\" > $2;; esac");
        assert_ne!(run_lit(&files, "lit.ll"), Some(true), "{first}");
    }
}

/// The RUN line fails for a command that stays within the limit, whether fixed or wrong in another way.
#[test]
fn a_lit_test_of_too_much_shows_it() {
    let endless =
        "while :; do echo 'one line of many that are all the same, and none of them is the last one'; done";
    let script =
        |what: &str| format!("for f; do :; done; if grep -q ' sext ' \"$f\"; then {what}; fi; cat \"$f\"");
    let to_file = |what: &str| format!("{{ {}; }} > \"$2\"", script(what));
    let takes = "exec python3 -c 'x = bytearray(700 << 20); print(len(x))'";
    for (command, broken, mended, run) in [
        (
            "./opt",
            script(takes),
            script(":"),
            "; RUN: not sh -c 'ulimit -v 409600; ./opt %s > /dev/null || exit 1'",
        ),
        (
            "./opt",
            script(endless),
            script("exit 1"),
            "; RUN: sh -c 'test $(./opt %s 2>&1 | head -c 4194304 | wc -c) -eq 4194304'",
        ),
        (
            "./opt -o o.ll",
            to_file(endless),
            to_file("exit 1"),
            "; RUN: sh -c 'ulimit -f 8192; ./opt -o %t %s > /dev/null 2>&1; test $(head -c 4194304 %t | wc -c) -eq 4194304'",
        ),
    ] {
        let files = Files::with_script(LONG, &broken);
        let flags = ["--opt", command, "--opt-memory", "400", "--opt-output", "4", "--max-tries", "4"];
        reduce(&files, &[&flags[..], &["-o", "small.ll", "--lit", "lit.ll"]].concat()).exits(0);
        let first = files.read("lit.ll").lines().next().expect("a line").to_owned();
        assert_eq!(first, run);
        assert_ne!(run_lit(&files, "lit.ll"), Some(false), "{first}");
        files.write_script(&mended);
        assert_ne!(run_lit(&files, "lit.ll"), Some(true), "{first}");
    }
}

/// If the output is too large, the test counts its lines; otherwise it would contain all of them.
#[test]
fn a_lit_test_of_what_is_left_counts_it() {
    let grows = "awk '{ print } / sext / { for (n = 0; n < 9000; n++) print \"  %g\" n \" = freeze i8 0\" }'";
    for (command, broken, mended, run) in [
        ("./opt", format!("{grows} \"$1\""), "cat \"$1\"", "; RUN: sh -c 'test $(./opt %s | sed -n "),
        (
            "./opt -o o.ll",
            format!("{grows} \"$3\" > \"$2\""),
            "cat \"$3\" > \"$2\"",
            "; RUN: sh -c './opt -o %t %s > /dev/null && test $(sed -n ",
        ),
    ] {
        let files = Files::with_script(LONG, &broken);
        reduce(&files, &["--opt", command, "-o", "small.ll", "--lit", "lit.ll", "--issue", "i.md"]).exits(0);
        let lit = files.read("lit.ll");
        assert!(lit.starts_with(run) && lit.lines().count() < 20, "{lit}");
        assert_ne!(run_lit(&files, "lit.ll"), Some(false), "{lit}");
        assert!(files.read("i.md").contains("backedge reduce in.ll --opt "), "{}", files.read("i.md"));
        files.write_script(mended);
        assert_ne!(run_lit(&files, "lit.ll"), Some(true), "{lit}");
    }
}

/// If the function is missing in the output, the test checks only for its presence.
#[test]
fn a_lit_test_of_what_is_lost_asks_for_it() {
    for (command, broken, mended) in [
        ("./opt", "if grep -q sext \"$1\"; then echo no IR; else cat \"$1\"; fi", "cat \"$1\""),
        (
            "./opt -o o.ll",
            "if grep -q sext \"$3\"; then echo no IR > \"$2\"; else cat \"$3\" > \"$2\"; fi",
            "cat \"$3\" > \"$2\"",
        ),
    ] {
        let files = Files::with_script(LONG, broken);
        reduce(&files, &["--opt", command, "-o", "small.ll", "--lit", "lit.ll"]).exits(0);
        let lit = files.read("lit.ll");
        assert!(lit.starts_with("; RUN: not sh -c "), "{lit}");
        assert_ne!(run_lit(&files, "lit.ll"), Some(false), "{lit}");
        files.write_script(mended);
        assert_ne!(run_lit(&files, "lit.ll"), Some(true), "{lit}");
    }
}

/// lit expands `%p` to the directory of the test.
#[test]
fn a_percent_sign_of_the_command_is_none_of_lits() {
    let files = Files::with_script(LONG, &format!("[ \"$1\" = -x=%p ] || exit 9; shift; {WRONG}"));
    reduce(&files, &["--opt", "./opt -x=%p", "-o", "small.ll", "--lit", "lit.ll", "--issue", "i.md"])
        .exits(0);
    assert!(files.read("lit.ll").starts_with("; RUN: ./opt -x=%%p %s | FileCheck %s\n"));
    assert_ne!(run_lit(&files, "lit.ll"), Some(false));
    assert!(files.read("i.md").contains("./opt -x=%p in.ll"));
}

/// Output for an older LLVM is written in a form that it can read.
#[test]
fn what_is_written_is_spelled_as_the_command_reads_it() {
    let script = "if [ \"$1\" = --version ]; then echo 'LLVM version 14.0.6'; exit; fi\n\
                  if grep -q 'memory(' \"$1\"; then echo 'error: memory' >&2; exit 1; fi; sed 's/, 3$/, 5/' \"$1\"";
    let input = "declare i8 @g() memory(none)\n\ndefine i8 @f(i8 %x) {\n  %g = call i8 @g()\n  %y = mul i8 %g, 3\n  \
                 ret i8 %y\n}\n";
    let files = Files::with_script(input, script);
    let flags =
        ["--opt", "./opt", "-o", "small.ll", "--lit", "lit.ll", "--issue", "issue.md", "--max-tries", "0"];
    reduce(&files, &flags).exits(0);
    for name in ["small.ll", "lit.ll", "issue.md"] {
        let text = files.read(name);
        assert!(text.contains("readnone") && !text.contains("memory("), "{name}: {text}");
    }
    assert_ne!(run_lit(&files, "lit.ll"), Some(false), "{}", files.read("lit.ll"));
}

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

#[test]
fn a_pair_is_reduced_on_both_sides() {
    let files = Files::new(&[]);
    let from = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/pairs/wrong/lcssa-wrong-edge.ll");
    let answer = run(&["reduce", from, "-o", "small.ll", "--corpus", "c.ll"], b"", files.dir()).exits(0);
    let small = files.read("small.ll");
    assert!(instructions(&small) <= 16, "{small}\n{}", answer.stderr);
    files.backedge("tv small.ll").exits(1).prints("value mismatch");
    files.backedge("tv c.ll").exits(1).prints("value mismatch");
    // The cause is still there, another value on one of two edges, and there is no other difference.
    let (source, target) = small.split_once("@tgt(").unwrap();
    let source = source.split_once("@src(").unwrap().1;
    let differ = source.lines().zip(target.lines()).filter(|(s, t)| s != t).count();
    assert!(differ == 1 && source.contains("br i1 %") && target.contains("br i1 %"), "{small}");
    run(&["reduce", from, "--lit", "l.ll"], b"", files.dir()).exits(2).says("a pair has no RUN line");
}

/// If a command refuses every file, there is no failure that a smaller file could show.
#[test]
fn a_command_that_refuses_everything_is_reported() {
    let files = Files::with_script(LONG, "echo 'unknown pass' >&2; exit 1");
    reduce(&files, &["--opt", "./opt", "-o", "small.ll"])
        .exits(4)
        .says("the command does not take a function that does nothing: exit code 1: unknown pass");
    assert!(!files.path("small.ll").exists());
}

/// Two wrong passes: `first` breaks a product if a wide value exists, `second` breaks any sum. The script counts
/// passes as `-opt-bisect-limit` does, `simplify` once for each phi.
const TWO_WRONG: &str = "\
limit=-1; passes=first,second
for word; do case $word in
  -opt-bisect-limit=*) limit=${word#*=}; tell=1;;
  -passes=*) passes=${word#*=};;
  *) file=$word;;
esac; done
script='s/none/none/'; n=0
step() {
  n=$((n + 1))
  if [ $limit -lt 0 ] || [ $n -le $limit ]; then script=\"$script;$2\"; not=; else not='NOT '; fi
  if [ \"$tell$COUNTS\" = 11 ]; then echo \"BISECT: ${not}running pass ($n) $1 on f\" >&2; fi
}
for phi in $(grep -o ' phi ' \"$file\"); do step simplify 's/none/none/'; done
for pass in $(echo $passes | tr , ' '); do case $pass in
  first) if grep -q ' sext ' \"$file\"; then step first 's/= mul \\(.*\\), 3$/= mul \\1, 5/'; fi;;
  second) step second 's/= add nsw \\(.*\\), 1$/= add \\1, 2/';;
esac; done
sed \"$script\" \"$file\"";

/// The guilty pass before the reduction is the guilty pass after it.
#[test]
fn the_guilty_pass_stays_the_same() {
    for (counts, command, guilty, kept) in [
        ("0", "./opt -passes=first,second", "first, 1 of 2", " sext "),
        ("0", "./opt -passes=none,second,first", "second, 2 of 3", "add nsw"),
        ("1", "./opt", "first, 4 of 5", " sext "),
    ] {
        let files = Files::with_script(LONG, &format!("COUNTS={counts}\n{TWO_WRONG}"));
        let answer = reduce(&files, &["--opt", command, "-o", "small.ll", "--issue", "issue.md"]).exits(0);
        let answer = answer.says(&format!("guilty, and kept so: {guilty}\n"));
        let name = guilty.split(',').next().expect("a name");
        let answer = answer.says(&format!("guilty, as at first: {name}\n"));
        let small = files.read("small.ll");
        assert!(small.contains(kept) && instructions(&small) <= 4, "{command}: {small}\n{}", answer.stderr);
        let issue = files.read("issue.md");
        assert!(issue.contains(&format!("Guilty, by bisection: {name}.\n")), "{issue}");
        files
            .backedge(&format!("bisect small.ll --opt '{command}'"))
            .exits(1)
            .prints(&format!("guilty: {name} on @f"));
    }
    // If no pass can be blamed, this is reported.
    let odd = "[ \"$1\" = --version ] && exit 1; [ -e ran ] && exec cat \"$2\"; touch ran; sed 's/, 3$/, 5/' \"$2\"";
    let files = Files::with_script(LONG, odd);
    reduce(&files, &["--opt", "./opt -passes=first,second", "-o", "small.ll"])
        .exits(2)
        .says("guilty pass: unknown; it may change during the reduction");
}

/// A single pass is necessarily the guilty one; no search is made.
#[test]
fn a_pass_alone_is_not_searched_for() {
    let files = Files::with_script(LONG, &format!("echo \"$*\" >> said\n{TWO_WRONG}"));
    let answer =
        reduce(&files, &["--opt", "./opt -passes=second", "-o", "small.ll", "--max-tries", "9"]).exits(0);
    assert!(!answer.stderr.contains("guilty") && !files.read("said").contains("bisect"), "{}", answer.stderr);
}

/// The function that fails also stays the same.
#[test]
fn the_function_stays_the_same() {
    let other = "\ndefine i64 @other(i64 %x) {\n  %y = mul i64 %x, 3\n  ret i64 %y\n}\n";
    let files = Files::with_script(&format!("{LONG}{other}"), WRONG);
    reduce(&files, &["--opt", "./opt", "-o", "small.ll"]).exits(0).says("kept: @f: value mismatch");
    let small = files.read("small.ll");
    assert!(small.contains("@f(") && instructions(&small) == 2, "{small}");
}

/// Accepts opaque pointers only with a flag, as LLVM 14 does, and is wrong about `mul`.
const TYPED: &str = "\
for word; do case $word in -opaque-pointers) new=1;; *) file=$word;; esac; done
if [ -z \"$new\" ] && grep -q 'ptr' \"$file\"; then echo \"$file:1:2: expected type\" >&2; exit 1; fi
sed 's/= mul \\(.*\\), 3$/= mul \\1, 5/' \"$file\"";

/// A refusal of our spelling of the file is not a finding: only the command's result for the original file counts.
#[test]
fn a_refusal_of_our_spelling_is_not_kept() {
    let input = "define i8 @f(i8 %x, i8* %p) {\n  %y = mul i8 %x, 3\n  store i8 %x, i8* %p\n  ret i8 %y\n}\n";
    let files = Files::with_script(input, TYPED);
    let flags = ["--opt", "./opt", "-o", "small.ll", "--lit", "lit.ll", "--issue", "issue.md"];
    reduce(&files, &flags)
        .exits(0)
        .says("it is given -opaque-pointers as well")
        .says("kept: @f: value mismatch");
    assert!(files.read("small.ll").contains("mul i"), "{}", files.read("small.ll"));
    assert!(files.read("lit.ll").starts_with("; RUN: ./opt -opaque-pointers %s | FileCheck %s\n"));
    assert_ne!(run_lit(&files, "lit.ll"), Some(false));
    assert!(files.read("issue.md").contains("`./opt -opaque-pointers` miscompiles this"));
    // A command that does not accept our spelling with any flag.
    files.write_script(&TYPED.replace("-opaque-pointers) new=1;;", "-opaque-pointers) ;;"));
    std::fs::remove_file(files.path("small.ll")).unwrap();
    reduce(&files, &flags)
        .exits(4)
        .says("the command takes in.ll, but not in the spelling that is tried: exit code 1: in.ll:1:2: expected type");
    assert!(!files.path("small.ll").exists());
    // Another failure, caused by the flag, is not that of the file.
    files.write_script(&TYPED.replace("new=1;;", "new=1; echo no file >&2; kill -SEGV $$;;"));
    reduce(&files, &flags).exits(2).says("does not show with -opaque-pointers: there is nothing to keep");
    // If the file itself has opaque pointers, the message says what the command lacks.
    let files = Files::with_script(&input.replace("i8*", "ptr"), TYPED);
    reduce(&files, &flags).exits(4).says("the command does not take pointers without a type (LLVM 13 and 14");
    // A refusal of the file for another reason is a finding.
    let files =
        Files::with_script(input, &format!("for f; do :; done; grep -q ' mul ' \"$f\" && exit 7\n{TYPED}"));
    reduce(&files, &flags).exits(0).says("kept: @f: the optimizer refuses it: exit code 7");
}

/// With LLVM's own `opt`, on the README's loop as LLVM 14 prints it.
#[test]
fn a_file_with_typed_pointers_is_reduced_for_llvm_14() {
    if opt_of(14, "reducing what LLVM 14 takes without a flag").is_none() {
        return;
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/poison/unswitch-needs-freeze.ll");
    let text = std::fs::read_to_string(path).expect("the file");
    let typed = text.replace("i32, ptr %", "i32, i32* %").replace("ptr %", "i32* %");
    let files = Files::new(&[("in.ll", typed.as_bytes())]);
    reduce(&files, &["--opt", "opt-14 -passes=simple-loop-unswitch<nontrivial> -S", "-o", "small.ll"])
        .exits(0)
        .says("kept: @sum: source is more defined than target");
    assert_eq!(instructions(&files.read("small.ll")), 5, "{}", files.read("small.ll"));
}

/// A function with an unmodelled feature; only LLVM can check the validity of candidates.
#[test]
fn what_is_not_modelled_is_reduced_too() {
    let Some(opt) = opt_of(22, "having LLVM say that what is left is valid") else { return };
    let work = (0..40).map(|n| format!("  %w{} = add i32 %w{n}, %n\n", n + 1)).collect::<String>();
    let assembler = "%q = call i32 asm \"mov $1, $0\", \"=r,r\"(i32 %w40)";
    let scalable =
        "%q = call i32 @llvm.vscale.i32()\n  %v = insertelement <vscale x 4 x i32> poison, i32 %w40, i32 0";
    for (what, mark, most) in [(assembler, "asm", 5), (scalable, "vscale x", 5)] {
        let text = format!(
            "declare i32 @llvm.vscale.i32()\n\ndefine i32 @f(i32 %n) {{\nentry:\n  %w0 = mul i32 %n, %n\n{work}  {what}\n  \
             br label %loop\n\nloop:\n  %i = phi i32 [ 0, %entry ], [ %next, %loop ]\n  %next = add i32 %i, %q\n  \
             %more = icmp ult i32 %next, %n\n  br i1 %more, label %loop, label %exit\n\nexit:\n  ret i32 %next\n}}\n"
        );
        let valid =
            format!("grep -q '{mark}' \"$1\" && {} -passes=verify -disable-output \"$1\"", opt.display());
        for script in [valid.clone(), format!("grep -q '{mark}' \"$1\"")] {
            let files = Files::with_script(&text, &script);
            reduce(&files, &["--test", "./opt", "-o", "small.ll"]).exits(0);
            let small = files.read("small.ll");
            assert!(small.lines().count() <= most && !small.contains("%w"), "{small}");
            // The result is valid whether the test checks validity or not.
            files.write_script(&valid);
            assert!(
                std::process::Command::new(files.path("opt"))
                    .arg(files.path("small.ll"))
                    .status()
                    .unwrap()
                    .success()
            );
        }
    }
}

#[test]
fn limits_and_bad_inputs_are_told() {
    let files = Files::with_script(LONG, WRONG);
    reduce(&files, &["--opt", "./opt", "--max-tries", "3", "-o", "small.ll"])
        .exits(0)
        .says("the limit on tries was reached");
    files.backedge("gate small.ll --opt ./opt").exits(1);
    reduce(&Files::with_script(LONG, "cat \"$1\""), &["--opt", "./opt"])
        .exits(2)
        .says("nothing is found to be wrong");
    reduce(&files, &["--opt", "./opt", "-o", "in.ll"]).exits(2).says("would overwrite");
    assert_eq!(files.read("in.ll"), LONG);
    run(&["reduce", "-", "--opt", "./opt"], b"define i32 @f( {\n", files.dir()).exits(2).says("<stdin>:2:1");
    run(&["reduce", "-", "--passes", "nonsense"], LONG.as_bytes(), files.dir()).exits(2).says("-passes");
    backedge("reduce corpus/forms/top-tested.ll --passes loop-rotate").exits(2).says("nothing is found");
}
