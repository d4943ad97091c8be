//! Lit tests, `--lit`: each passes while the command fails as it did, and fails once the bug is fixed.

use super::{LONG, WRONG, reduce, run_lit};
use crate::common::Files;

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
            "[ $2 = - ] && exec sed '/^;/d; s/, 3$/, 5/' \"$3\"; sed '/^;/d; s/, 3$/, 5/' \"$3\" > $2",
            "-o - %s | FileCheck %s",
        ),
        (
            "./opt -o out.ll",
            "sed '/^;/d; s/, 3$/, 5/' \"$3\" > \"$2\"",
            "-o %t %s && FileCheck %s --input-file=%t",
        ),
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
        let lit = files.read("lit.ll");
        let first = lit.lines().find(|line| line.starts_with("; RUN: ")).expect("a line").to_owned();
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
        (
            "./opt",
            "if grep -q sext \"$1\"; then echo 'source_filename = \"x\"'; else cat \"$1\"; fi",
            "cat \"$1\"",
        ),
        (
            "./opt -o o.ll",
            "if grep -q sext \"$3\"; then echo 'source_filename = \"x\"' > \"$2\"; else cat \"$3\" > \"$2\"; fi",
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
    assert!(files.read("lit.ll").contains("\n; RUN: ./opt -x=%%p %s | FileCheck %s\n"));
    assert_ne!(run_lit(&files, "lit.ll"), Some(false));
    assert!(files.read("i.md").contains("./opt -x=%p in.ll"));
}
