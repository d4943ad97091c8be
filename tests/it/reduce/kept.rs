//! The failure is kept: miscompiles, crashes, hangs, refusals, and the function that fails; also for what is not
//! modelled.

use super::{LONG, WRONG, instructions, reduce};
use crate::common::{COUNTING, Files, backedge, endless_passes, run};
use backedge_testkit::corpus::Expectations;
use backedge_testkit::opt_of;
use std::time::Duration;

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
    let expectations = Expectations::read(&files.path("c.toml")).unwrap();
    assert_eq!(expectations.pairs[0].failure.as_deref(), Some("value mismatch"));
    let lit = files.read("lit.ll");
    let run = lit.split_once(" --version 5\n").expect("a note, as update_test_checks.py writes it").1;
    assert!(run.starts_with("; RUN: ./opt %s | FileCheck %s\n"), "{lit}");
    assert!(lit.contains("; CHECK-LABEL: define ") && lit.contains(", 5\n"), "{lit}");
    let issue = files.read("issue.md");
    for part in
        ["# value mismatch", "`./opt` miscompiles this", "divergence:", "backedge gate in.ll --opt ./opt"]
            .into_iter()
            .chain(["for `alive-tv` or `backedge tv`:", "@src(", "@tgt("])
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
        .says("the failure is not reproducible");
    assert!(files.read("small.ll").contains(" sext "));
    assert!(!files.path("small.md").exists());
    std::fs::remove_file(files.path("opt.runs")).unwrap();
    reduce(&files, &["--opt", "./opt", "-o", "small.ll"]).exits(3).says("is not reproducible");
    let test = "grep -q ' sext ' \"$1\" || exit 1; echo >> \"$0.runs\"; test $(wc -l < \"$0.runs\") -lt 9";
    let files = Files::with_script(LONG, test);
    reduce(&files, &["--test", "./opt", "-o", "small.ll"]).exits(3).says("is not reproducible");
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

/// The function that fails also stays the same.
#[test]
fn the_function_stays_the_same() {
    let other = "\ndefine i64 @other(i64 %x) {\n  %y = mul i64 %x, 3\n  ret i64 %y\n}\n";
    let files = Files::with_script(&format!("{LONG}{other}"), WRONG);
    reduce(&files, &["--opt", "./opt", "-o", "small.ll"]).exits(0).says("kept: @f: value mismatch");
    let small = files.read("small.ll");
    assert!(small.contains("@f(") && instructions(&small) == 2, "{small}");
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
        .says("no failure of in.ll to preserve: no change is refuted");
    reduce(&files, &["--opt", "./opt", "-o", "in.ll"]).exits(2).says("would overwrite");
    assert_eq!(files.read("in.ll"), LONG);
    run(&["reduce", "-", "--opt", "./opt"], b"define i32 @f( {\n", files.dir()).exits(2).says("<stdin>:2:1");
    run(&["reduce", "-", "--passes", "nonsense"], LONG.as_bytes(), files.dir()).exits(2).says("-passes");
    backedge("reduce corpus/forms/top-tested.ll --passes loop-rotate")
        .exits(2)
        .says("no failure of corpus/forms/top-tested.ll");
}
