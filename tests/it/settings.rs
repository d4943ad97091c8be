//! Flags of every command, and defaults from `backedge.toml`.

use crate::common::{Files, LOOP, backedge};
use std::process::Command;

/// A file for which the reader warns, and one that is wrong.
const WRONG: &[u8] = b"define i32 @f() {\n  ret i32 %x\n}\n";

#[test]
fn colors_are_chosen() {
    let files = Files::new(&[("in.ll", WRONG)]);
    let always = files.backedge("print ir in.ll --color=always").exits(2);
    assert!(always.stderr.contains("\x1b["), "{}", always.stderr);
    for line in ["print ir in.ll", "--color never print ir in.ll", "print ir in.ll -color=never"] {
        let plain = files.backedge(line).exits(2);
        assert!(!plain.stderr.contains("\x1b["), "{}", plain.stderr);
    }
    let help = backedge("gate --help --color always").exits(0);
    assert!(help.stdout.contains("\x1b["), "{}", help.stdout);
    let mut command = Command::new(env!("CARGO_BIN_EXE_backedge"));
    command.args(["print", "ir", "in.ll", "--color", "auto"]).current_dir(files.dir()).env("NO_COLOR", "1");
    assert!(!String::from_utf8(command.output().unwrap().stderr).unwrap().contains("\x1b["));
    backedge("gate --color blue corpus").exits(2).says("invalid value 'blue'");
    backedge("tv -q -v x.ll").exits(2).says("cannot be used with");
}

#[test]
fn quiet_and_no_progress_hold_for_every_command() {
    let files = Files::new(&[("in.ll", LOOP.as_bytes())]);
    for line in ["-q gate in.ll", "gate -q in.ll", "gate in.ll --quiet --no-progress"] {
        let quiet = files.backedge(line).exits(0);
        assert!(!quiet.stdout.contains("loop-rotate"), "{line}\n{}", quiet.stdout);
    }
    files.backedge("gate in.ll --no-progress --all").exits(0).prints("loop-rotate");
}

#[test]
fn gate_stops_at_the_first_refutation() {
    let text =
        "define i8 @f(i8 noundef %x) {\n  ret i8 %x\n}\ndefine i8 @g(i8 noundef %x) {\n  ret i8 %x\n}\n";
    let files = Files::with_script(text, "sed 's/ret i8 %x/ret i8 1/' \"$1\"");
    let all = files.backedge("gate in.ll --opt ./opt -j 1").exits(1);
    all.prints("@g: ./opt: refuted");
    let first = files.backedge("gate in.ll --opt ./opt -j 1 --fail-fast").exits(1).says("(--fail-fast)");
    assert!(first.stdout.contains("@f: ./opt: refuted") && !first.stdout.contains("@g"), "{}", first.stdout);
}

#[test]
fn defaults_come_from_a_file() {
    let files = Files::new(&[("in.ll", LOOP.as_bytes())]);
    std::fs::create_dir(files.path("sub")).unwrap();
    let write = |text: &str| std::fs::write(files.path("backedge.toml"), text).unwrap();
    let gate = |line: &str| {
        crate::common::run(
            &shlex::split(line).unwrap().iter().map(|w| &**w).collect::<Vec<_>>(),
            b"",
            &files.path("sub"),
        )
    };

    write(
        "[all]\njobs = 1\nno-progress = true\n[gate]\npasses = \"loop-rotate\"\nquiet = false\n[tv]\nfunc = [\"f\"]\n",
    );
    let answer = gate("gate ../in.ll -v --all")
        .exits(0)
        .says("backedge.toml is read: --passes=loop-rotate --jobs=1 --no-progress");
    assert!(answer.stdout.contains("loop-rotate"), "{}", answer.stdout);
    // The command line wins, also with a flag that excludes the default.
    let answer = gate("gate ../in.ll -passes=loop-simplify --all").exits(0).prints("loop-simplify");
    assert!(!answer.stdout.contains("loop-rotate"), "{}", answer.stdout);
    files.write_script("cat \"$1\"");
    gate("gate ../in.ll --opt ../opt --allow-unchanged").exits(0);
    gate("gate ../in.ll --no-config --all").exits(0).prints("loop-simplify");
    gate("tv ../in.ll ../in.ll -v").exits(0).says("--func=f");
    gate("--help").exits(0);

    for (text, place, message) in [
        ("[gate]\npases = \"licm\"\n", "2:1", "did you mean `passes`?"),
        ("[gaet]\n", "1:2", "did you mean [gate]?"),
        ("jobs = 3\n", "1:1", "outside of a table"),
        ("[all]\nfrobnicate = 3\n", "2:1", "no long flag of any command"),
        ("[gate]\nstrict-undef = 3\n", "2:16", "the flag takes no value"),
        ("[gate]\npasses = true\n", "2:10", "needs a value"),
        ("[gate\n", "1:6", "unclosed table"),
        ("[opt]\npasses = { a = 1 }\n", "2:10", "is a string"),
        (
            "[gate]\nchanged-since = 2026-01-01\n",
            "2:17",
            "is a date, and a text needs quotes: changed-since = \"2026-01-01\"",
        ),
        ("[all]\nno-config = true\n", "2:1", "no long flag"),
    ] {
        write(text);
        let answer = gate("opt ../in.ll -S").exits(2).says(message);
        answer.says(&format!("backedge.toml:{place}]"));
    }
    write("[gate]\njobs = \"many\"\n");
    gate("gate ../in.ll").exits(2).says("invalid value 'many'").says("--no-config ignores: --jobs=many");
}
