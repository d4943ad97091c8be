//! Inputs in bitcode, C and C++, which LLVM's programs convert.

use crate::common::{Files, backedge};
use std::process::Command;

const C: &[u8] = b"#include \"bound.h\"\nint sum(const int *a) {\n  int s = 0;\n  for (int i = 0; i < BOUND; i++) s += a[i];\n  return s;\n}\n";

/// Whether the program can be started; a missing one is no failure here.
fn has(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|answer| answer.status.success())
}

#[test]
fn bitcode_is_read() {
    if !has("llvm-as-22") || !has("llvm-dis-22") {
        return;
    }
    let files = Files::new(&[("a.ll", b"define i32 @f(i32 %x) {\n  ret i32 %x\n}\n")]);
    let made = Command::new("llvm-as-22").args(["a.ll", "-o", "a.bc"]).current_dir(files.dir()).status();
    assert!(made.unwrap().success());
    let answer = files.backedge("run a.bc 7").exits(0).prints("returns i32 7");
    answer.says("a.bc is LLVM bitcode, read with: llvm-dis-22 -o - a.bc");
    files.backedge("tv a.ll a.bc -q").exits(0);
    files.backedge("gate a.bc --passes licm --allow-unchanged").exits(0).prints("no pass changed");
    let mut broken = std::fs::read(files.path("a.bc")).unwrap();
    broken.truncate(64);
    std::fs::write(files.path("b.bc"), broken).unwrap();
    files.backedge("print ir b.bc").exits(2).says("b.bc is LLVM bitcode and can't be read").says("llvm-dis");
}

#[test]
fn c_is_compiled() {
    if !has("clang-22") {
        return;
    }
    let files =
        Files::new(&[("a.c", C), ("bound.h", b"#define BOUND 3\n"), ("b.cpp", b"int f() { return x; }\n")]);
    let answer = files.backedge("run a.c 'i32[1,2,4]'").exits(0).prints("returns i32 7");
    answer.says("a.c is C, read with: clang").says("-O1 -fno-unroll-loops").says("-emit-llvm -o - a.c");
    let quiet = files.backedge("print loops a.c -q").exits(0).prints("Loop at depth 1");
    assert!(quiet.stderr.is_empty(), "{}", quiet.stderr);
    files
        .backedge("print ir b.cpp")
        .exits(2)
        .says("b.cpp is C++ and can't be read")
        .says("undeclared identifier");
}

/// The variables name the programs; a missing program is an error with advice.
#[test]
fn programs_can_be_named_and_missing() {
    let files = Files::new(&[("a.bc", b"BC\xc0\xde"), ("a.c", b"int x;")]);
    files.write_script("printf 'define i8 @f() {\\n  ret i8 3\\n}\\n'");
    let opt = files.path("opt");
    let with = |variables: &[(&str, &str)], args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_backedge"));
        command.args(args).current_dir(files.dir()).envs(variables.iter().copied());
        let answer = command.output().unwrap();
        (
            answer.status.code(),
            String::from_utf8(answer.stdout).unwrap(),
            String::from_utf8(answer.stderr).unwrap(),
        )
    };
    let opt = format!("{} -x 'y z'", opt.display());
    for (variable, file) in [("LLVM_DIS", "a.bc"), ("CLANG", "a.c")] {
        let (code, stdout, stderr) = with(&[(variable, &opt)], &["run", file]);
        assert_eq!(code, Some(0), "{stderr}");
        assert!(stdout.contains("returns i8 3") && stderr.contains("-x 'y z'"), "{stdout}{stderr}");
    }
    let (code, _, stderr) = with(&[("PATH", "/nowhere")], &["run", "a.bc"]);
    assert_eq!(code, Some(2));
    assert!(
        stderr.contains("there is no llvm-dis or llvm-dis-14 to") && stderr.contains("LLVM_DIS"),
        "{stderr}"
    );
    let (code, _, stderr) = with(&[("PATH", "/nowhere")], &["print", "ir", "a.c"]);
    assert_eq!(code, Some(2));
    assert!(
        stderr.contains("there is no clang or clang-14 to") && stderr.contains("-S -emit-llvm a.c"),
        "{stderr}"
    );
}

#[test]
fn passes_that_only_llvm_has_are_named_by_each_command() {
    for line in [
        "opt -passes=gvn",
        "gate -passes=gvn",
        "bisect -passes=gvn",
        "reduce -passes=gvn -o /dev/null",
        "opt -gvn",
    ] {
        let (command, rest) = line.split_once(' ').unwrap();
        let answer = backedge(&format!("{command} corpus/forms/top-tested.ll {rest}")).exits(2);
        answer.says("--opt 'opt -passes=gvn -S'");
    }
}
