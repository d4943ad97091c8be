//! The results of `compare-passes` for optimizers that act, crash, hang or reject files, with scripts in place of both.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// Takes `[opt] -passes=… [options] FILE -S -o OUT -pass-remarks-output=YAML`. Its own name, the pipeline and the file
/// name determine its behavior.
const OPTIMIZER: &str = r#"#!/bin/sh
me=$(basename "$0")
out= yaml= file= passes= disabled=
while [ $# -gt 0 ]; do
    case $1 in
    -passes=*) passes=${1#-passes=} ;;
    -pass-remarks-output=* | --pass-remarks-output=*) yaml=${1#*=} ;;
    -o) shift; out=$1 ;;
    *disable-output) disabled=1 ;;
    *.ll) file=$1 ;;
    esac
    shift
done
[ -n "$disabled" ] && exit 0
case $me/$(basename "$file")/$passes in
*/refused.ll/*) echo "error: it is no module" >&2; exit 1 ;;
ours/hangs.ll/*licm*) exec sleep 100 ;;
llvm/crashes.ll/*licm*) kill -SEGV $$ ;;
esac
cp "$file" "$out"
: > "$yaml"
case $me/$passes in
*/'loop(loop-rotate)') sed 's/i32 7/i32 8/' "$file" > "$out" ;;
llvm/'loop(loop-unroll-full)') printf -- '--- !Passed\nPass: loop-unroll\nName: FullyUnrolled\nFunction: f\n...\n' > "$yaml" ;;
ours/*'runtime;partial'*)
    printf -- '--- !Passed\nPass: loop-unroll\nName: PartialUnrolled\nFunction: f\nArgs:\n' > "$yaml"
    printf -- '  - S: with run-time trip count and more\n...\n' >> "$yaml" ;;
llvm/*'loop-unroll)')
    printf -- '--- !Passed\nPass: loop-unroll\nName: PartialUnrolled\nFunction: g\nArgs:\n' > "$yaml"
    printf -- '  - S: with run-time trip count\n...\n' >> "$yaml" ;;
esac
"#;

/// `@f` has a loop with two exits, `@g` has no loop.
const MODULE: &str = "define i32 @f(i1 %a, i1 %b) {
entry:
  br label %loop

loop:
  br i1 %a, label %latch, label %exit

latch:
  br i1 %b, label %loop, label %exit

exit:
  ret i32 7
}

define i32 @g() {
  ret i32 9
}
";

fn files(names: &[&str]) -> TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    for side in ["ours", "llvm"] {
        let path = dir.path().join(side);
        fs::write(&path, OPTIMIZER).expect("a script");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("an executable");
    }
    names.iter().for_each(|name| fs::write(dir.path().join(name), MODULE).expect(name));
    dir
}

fn compare(dir: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_backedge-compare"))
        .arg("passes")
        .args([dir, Path::new("--backedge"), &dir.join("ours"), Path::new("--opt"), &dir.join("llvm")])
        .args(arguments)
        .output()
        .expect("it runs")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The words of the row called `name`, without the table's lines.
fn row(text: &str, name: &str) -> Vec<String> {
    let words = |l: &str| l.split(['|', '│', '┆']).map(|w| w.trim().to_owned()).collect::<Vec<_>>();
    let rows = text.lines().map(words).map(|w| w.into_iter().filter(|w| !w.is_empty()).collect::<Vec<_>>());
    rows.into_iter().find(|w: &Vec<String>| w.first().is_some_and(|w| w == name)).expect(text)
}

#[test]
fn actions_are_counted() {
    let dir = files(&["a.ll", "b.ll"]);
    let output = compare(dir.path(), &["--list", "fully unrolled"]);
    let text = text(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    // LLVM, Backedge, both, only one of them.
    assert_eq!(row(&text, "loop-rotate")[1..], ["2", "2", "2", "0", "0"]);
    assert_eq!(row(&text, "lcssa")[1..], ["0", "0", "0", "0", "0"]);
    assert_eq!(row(&text, "fully unrolled")[1..], ["2", "0", "0", "2", "0", "2", "0"]);
    assert_eq!(row(&text, "runtime-unrolled by 4")[1..], ["2", "2", "0", "2", "2", "2", "2"]);
    assert_eq!(row(&text, "runtime-unrolled by 4, several exits")[1..], ["0", "2", "0", "0", "2", "0", "2"]);
    assert!(text.contains("fully unrolled: only LLVM:\n") && text.contains("a.ll @f\n"), "{text}");
    assert!(text.contains("2 files, 4 functions, 2 of them with a loop of several exits"), "{text}");
    assert!(text.contains("left out 0 times"), "{text}");
}

#[test]
fn what_fails_is_named_and_is_a_fault_where_llvm_does_not() {
    let dir = files(&["a.ll", "refused.ll", "crashes.ll"]);
    let output = compare(dir.path(), &[]);
    let said = text(&output);
    // Backedge need not act where LLVM does not.
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("refused.ll: no-op-function: LLVM refuses it: error: it is no module\n"), "{said}");
    assert!(said.contains("crashes.ll: licm: LLVM is ended by signal 11\n"), "{said}");
    assert!(said.contains("left out 5 times, 0 of them a fault of ours"), "{said}");

    let dir = files(&["a.ll", "hangs.ll"]);
    let output = compare(dir.path(), &["--timeout", "2"]);
    let said = text(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("left out, a fault of ours: "), "{said}");
    assert!(said.contains("hangs.ll: licm: ours takes more than 2 s\n"), "{said}");
    assert_eq!(row(&said, "licm")[1..], ["0", "0", "0", "0", "0"]);
}

#[test]
fn what_is_required_is_the_share_of_functions_with_several_exits() {
    let dir = files(&["a.ll"]);
    // With the scripts swapped, LLVM unrolls loops with several exits and Backedge does not.
    fs::rename(dir.path().join("ours"), dir.path().join("other")).expect("a file");
    fs::rename(dir.path().join("llvm"), dir.path().join("ours")).expect("a file");
    let script = OPTIMIZER.replace("Function: g", "Function: f");
    fs::write(dir.path().join("other"), script).expect("a script");
    fs::rename(dir.path().join("other"), dir.path().join("llvm")).expect("a file");
    let acts =
        fs::read_to_string(dir.path().join("ours")).expect("a script").replace("count and more", "other");
    fs::write(dir.path().join("ours"), acts).expect("a script");
    let output = compare(dir.path(), &[]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert!(row(&text(&output), "runtime-unrolled by 4, several exits").contains(&"short".to_owned()));
    let output = compare(dir.path(), &["--require", "0"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
}

#[test]
fn speed_is_that_of_whole_processes() {
    let dir = files(&["a.ll"]);
    fs::write(dir.path().join("llvm"), OPTIMIZER.replace("me=", "sleep 0.3\nme=")).expect("a script");
    let output = compare(dir.path(), &["--speed", "--repeats", "1"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(text(&output).contains("whole processes, 1 files (0 left out): ours 0."), "{}", text(&output));
    fs::rename(dir.path().join("llvm"), dir.path().join("slow")).expect("a file");
    fs::rename(dir.path().join("ours"), dir.path().join("llvm")).expect("a file");
    fs::rename(dir.path().join("slow"), dir.path().join("ours")).expect("a file");
    let output = compare(dir.path(), &["--speed", "--repeats", "1"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert!(text(&output).contains("files on which ours takes longer: 1\n"), "{}", text(&output));
}

#[test]
fn bad_arguments_are_told() {
    let dir = files(&["a.ll"]);
    let says = |arguments: &[&str], what: &str| {
        let output = compare(dir.path(), arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(what), "{said}");
    };
    says(&["--list", "rotation"], "there is no row 'rotation', but: loop-simplify");
    fs::remove_file(dir.path().join("llvm")).expect("a file");
    says(&[], "llvm can't be run");
    let empty = tempfile::tempdir().expect("a directory");
    let output = compare(empty.path(), &[]);
    assert_eq!(output.status.code(), Some(2));
}
