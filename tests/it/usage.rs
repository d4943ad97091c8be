//! Help, flags as LLVM users type them, and usage errors.

use crate::common::{Files, LOOP, backedge, lacks_opt, run, write_my_opt};

const COMMANDS: [&str; 5] = ["opt", "run", "tv", "print", "gate"];

#[test]
fn every_example_of_the_help_works() {
    let corpus = backedge_testkit::corpus_dir();
    for command in COMMANDS {
        let help = backedge(&format!("{command} --help")).exits(0).stdout;
        let examples: Vec<_> = help.lines().filter_map(|l| l.strip_prefix("  backedge ")).collect();
        assert!(!examples.is_empty(), "no example in the help of {command}:\n{help}");
        for example in examples {
            let files = Files::new(&[]);
            std::os::unix::fs::symlink(&corpus, files.path("corpus")).unwrap();
            write_my_opt(files.dir());
            if lacks_opt(example, files.dir()) {
                continue;
            }
            let answer = files.backedge(example);
            // The example of `tv` shows a refutation.
            let expected = if command == "tv" { 1 } else { 0 };
            assert_eq!(
                answer.code,
                Some(expected),
                "backedge {example}\n{}\n{}",
                answer.stdout,
                answer.stderr
            );
        }
    }
}

#[test]
fn one_dash_is_as_good_as_two() {
    let files = Files::new(&[("in.ll", LOOP.as_bytes())]);
    let two = files.backedge("opt --passes=lcssa,loop-rotate in.ll -S -o -").exits(0);
    let one = files.backedge("opt -passes=lcssa,loop-rotate in.ll -S -o -").exits(0);
    let apart = files.backedge("opt -passes lcssa,loop-rotate -S in.ll").exits(0);
    assert_eq!(two.stdout, one.stdout);
    assert_eq!(two.stdout, apart.stdout);
    assert!(two.stdout.contains("define i32 @f"));
    files.backedge("print -help").exits(0);
}

#[test]
fn analyses_are_printed() {
    let files = Files::new(&[("in.ll", LOOP.as_bytes())]);
    files.backedge("print values in.ll").exits(0).prints("Values of function 'f':");
    files.backedge("print mustexecute in.ll").exits(0).prints("; (mustexec in: ");
    files.backedge("print hir in.ll --symbases").exits(0).prints("BEGIN REGION");
    files.backedge("print ir in.ll --symbases").exits(2);
    files.backedge("print hir in.ll --queries").exits(0).prints("invariant at");
    files.backedge("print ddg in.ll --queries").exits(2);
    files.backedge("print alias in.ll --function f").exits(0).prints("Function: f: ");
    files.backedge("print cfg in.ll --vector").exits(2).says("--vector go with print vplan");
    files.backedge("print vplan in.ll --vector --machine in-order").exits(0).prints("; Function: f");
    files.backedge("print vplan in.ll --vector=force-vector-width=8").exits(0).prints("; Function: f");
    files.backedge("print vplan in.ll --vector=width=8").exits(2).says("has no parameter 'width=8'");
    files.backedge("print vplan in.ll --machine in-order").exits(2).says("requires print vplan --vector");
    files.backedge("print loops in.ll --machine ooo").exits(2).says("print vplan --vector");
    files.backedge("print --help").exits(0).prints("mustexecute");
}

#[test]
fn usage_errors_exit_with_2() {
    for line in [
        "",
        "frobnicate",
        "opt",
        "opt --frobnicate x.ll",
        "gate",
        "gate corpus --bound 0",
        "gate corpus --max-inconclusive 2",
        "gate corpus --jobs x",
        "print trees x.ll",
        "run corpus/forms/top-tested.ll",
        "tv - -",
        "gate - -",
    ] {
        let answer = backedge(line).exits(2);
        assert!(!answer.stderr.is_empty(), "{line:?} says nothing");
    }
    for (flag, range) in [
        ("--bound 4294967296", "between 1 and 1024"),
        ("--min-bound 0", "between 1 and 1024"),
        ("--min-bound 4 --bound 2", "--min-bound 4 is more than --bound 2"),
        ("--bound 8 --max-bound 2", "--bound 8 is more than --max-bound 2"),
        ("--min-bound 8 --max-bound 2", "--min-bound 8 is more than --max-bound 2"),
        ("--timeout 0", "between 1 and 604800"),
        ("--timeout 18446744073709551615", "between 1 and 604800"),
        ("--memory 4294967295", "between 1 and 1048576"),
        ("--rlimit 0", "expected at least 1"),
        ("--fuel 18446744073709551615", "1000000000000"),
        ("--runs 99999999999999999999", "the number is too large"),
        ("--jobs 18446744073709551615", "between 0 and 1024"),
        ("-j 1025", "between 0 and 1024"),
        ("-j -1", "expected a whole number"),
        ("--max-inconclusive NaN", "not between 0 and 1"),
    ] {
        backedge(&format!("gate corpus {flag}")).exits(2).says(range);
    }
    backedge("tv - -").exits(2).says("standard input (-) is named twice");
    backedge("gate -O2 x.ll").exits(2).says("-passes=");
}

#[test]
fn version_and_help_exit_with_0() {
    backedge("--version").exits(0).prints("backedge ");
    backedge("--help").exits(0).prints("75 interrupted");
    backedge("help gate").exits(0).prints("--max-inconclusive");
}

#[test]
fn errors_in_a_pipeline_show_their_place() {
    let files = Files::new(&[("in.ll", LOOP.as_bytes())]);
    for (passes, place) in
        [("lcssa,loop-rotat", "1:7"), ("lcssa,,lcssa", "1:7"), ("function(lcssa", "1:9"), ("lcssa)", "1:6")]
    {
        for command in [format!("opt -passes={passes} in.ll"), format!("gate in.ll --passes {passes}")] {
            files.backedge(&command).exits(2).says(&format!("-passes:{place}"));
        }
    }
    files.backedge("opt -passes=loop-rotat in.ll").exits(2).says("loop-rotate");
}

#[test]
fn what_is_wrong_is_told_with_the_names_of_blocks() {
    let text = LOOP.replace("phi i32 [ 0,", "phi i32 [ 7, %exit ], [ 0,");
    let files = Files::new(&[("in.ll", text.as_bytes())]);
    let answer = files.backedge("opt -passes=lcssa in.ll").exits(2);
    answer.says("entries for %exit, from which 0 edges come");
}

#[test]
fn standard_input_is_a_file_too() {
    let dir = Files::new(&[]);
    let answer = run(&["opt", "-passes=lcssa", "-", "-S", "-o", "-"], LOOP.as_bytes(), dir.dir()).exits(0);
    assert!(answer.stdout.contains("define i32 @f"));
    run(&["print", "loops", "-"], LOOP.as_bytes(), dir.dir()).exits(0).prints("Loop at depth 1 containing");
    run(&["print", "ir", "-"], b"define", dir.dir()).exits(2).says("<stdin>:1:");
}

#[test]
fn what_is_not_modelled_is_warned_of_once_and_left_alone() {
    let opaque = "define i256 @a(i256 %x) {\n  %y = add i256 %x, 1\n  ret i256 %y\n}\n";
    let text = opaque.to_owned() + &opaque.replace("@a", "@b").replace("%x, 1", "%x, 2") + LOOP;
    let files = Files::new(&[("in.ll", text.as_bytes())]);
    let answer = files.backedge("opt -passes=loop-rotate in.ll -S").exits(0).says("i256").says("in.ll:1:");
    assert!(answer.stderr.contains("1 more warnings"), "{}", answer.stderr);
    assert!(answer.stdout.contains("%y = add i256 %x, 1"), "{}", answer.stdout);
    files.backedge("print loops in.ll").exits(0).prints("@b is not modelled");
    files.backedge("gate in.ll --bound 2").exits(0).prints("2 not modelled");
    files.backedge("tv in.ll --src-fn a --tgt-fn b").exits(3).prints("unsupported");
}
