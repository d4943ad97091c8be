//! The results of `compare-dependences` and `compare-nests` for LLVM's answers: a script in place of LLVM, and the real
//! `opt-22` where it is installed.

#![cfg(unix)]

use backedge_testkit::peer;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// `@f` adds up each row of a matrix, column by column, into another; each of its accesses is independent of itself.
/// `@g` writes the same address repeatedly and reads the written value.
const MODULE: &str = "define void @f(ptr noalias %a, ptr noalias %b) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %inner

inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %p = getelementptr inbounds [100 x [100 x i32]], ptr %a, i64 0, i64 %j, i64 %i
  %q = getelementptr inbounds [100 x [100 x i32]], ptr %b, i64 0, i64 %j, i64 %i
  %v = load i32, ptr %p, align 4
  store i32 %v, ptr %q, align 4
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp ult i64 %j.next, 100
  br i1 %j.more, label %inner, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp ult i64 %i.next, 100
  br i1 %i.more, label %outer, label %exit

exit:
  ret void
}

define void @g(ptr %a) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %v = load i32, ptr %a, align 4
  %w = mul i32 %v, 3
  store i32 %w, ptr %a, align 4
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 100
  br i1 %more, label %loop, label %exit

exit:
  ret void
}
";

/// A stand-in for LLVM: it reports that all accesses of `@f` are dependent and those of `@g` independent, and
/// interchanges and flattens only `@g`.
const LLVM: &str = r#"#!/bin/sh
out= yaml= file= passes=
while [ $# -gt 0 ]; do
    case $1 in
    -passes=*) passes=${1#-passes=} ;;
    -pass-remarks-output=*) yaml=${1#*=} ;;
    -o) shift; out=$1 ;;
    *.ll) file=$1 ;;
    esac
    shift
done
pairs() {
    echo "Printing analysis 'Dependence Analysis' for function '$1':" >&2
    for pair in "$2 --> Dst:$2" "$2 --> Dst:$3" "$3 --> Dst:$3"; do
        echo "Src:$pair" >&2
        echo "  da analyze - $4" >&2
    done
}
if [ "$passes" = 'print<da>' ]; then
    load='  %v = load i32, ptr'
    pairs f "$load %p, align 4" '  store i32 %v, ptr %q, align 4' 'confused!'
    pairs g "$load %a, align 4" '  store i32 %w, ptr %a, align 4' 'none!'
    exit
fi
[ -n "$out" ] || exit 0
cp "$file" "$out"
: > "$yaml"
name=
case $passes in
*loop-interchange*) name=Interchanged ;;
*loop-flatten*) name=Flattened ;;
esac
[ -z "$name" ] || printf -- "--- !Passed\nPass: p\nName: $name\nFunction: g\n...\n" > "$yaml"
"#;

fn files() -> TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("llvm");
    fs::write(&path, LLVM).expect("a script");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("an executable");
    fs::write(dir.path().join("a.ll"), MODULE).expect("a module");
    dir
}

fn compare(command: &str, dir: &Path, opt: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output: Output = Command::new(env!("CARGO_BIN_EXE_backedge-compare"))
        .args([Path::new(command), dir, Path::new("--opt"), opt])
        .args(arguments)
        .output()
        .expect("it runs");
    let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    (output.status.code(), said.concat())
}

/// The words of the row called `name`, without the table's lines.
fn row(text: &str, name: &str) -> Vec<String> {
    let words = |l: &str| l.split(['|', '│', '┆']).map(|w| w.trim().to_owned()).collect::<Vec<_>>();
    let rows = text.lines().map(words).map(|w| w.into_iter().filter(|w| !w.is_empty()).collect::<Vec<_>>());
    rows.into_iter().find(|w: &Vec<String>| w.first().is_some_and(|w| w == name)).expect(text)[1..].to_vec()
}

#[test]
fn independences_are_counted() {
    let dir = files();
    let (code, text) = compare("dependences", dir.path(), &dir.path().join("llvm"), &["--list"]);
    // Pairs; LLVM, Backedge, both; only one of them, neither.
    assert_eq!(row(&text, "all"), ["4", "2", "2", "0", "2", "2", "0"], "{text}");
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("a.ll @g: %v = load i32, ptr %a, align 4 --> store i32 %w, ptr %a"), "{text}");
    assert!(text.contains("    LLVM: none!\n    ours: <") && text.contains("anti"), "{text}");
    let (_, text) = compare("dependences", dir.path(), &dir.path().join("llvm"), &["--input"]);
    assert_eq!(row(&text, "all"), ["6", "3", "3", "0", "3", "3", "0"], "{text}");
}

#[test]
fn that_llvm_shows_more_fails() {
    let dir = files();
    let only_g = &MODULE[MODULE.find("define void @g").expect("a function")..];
    fs::write(dir.path().join("a.ll"), only_g).expect("a module");
    let (code, text) = compare("dependences", dir.path(), &dir.path().join("llvm"), &[]);
    assert_eq!(row(&text, "all"), ["2", "2", "0", "0", "2", "0", "0"], "{text}");
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("; short\n"), "{text}");
}

#[test]
fn mismatching_files_are_skipped() {
    let dir = files();
    // LLVM sees other names for the loads.
    fs::write(dir.path().join("b.ll"), MODULE.replace("%v", "%other")).expect("a module");
    let (code, text) = compare("dependences", dir.path(), &dir.path().join("llvm"), &[]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("b.ll: @f: it has other loads and stores for LLVM\n"), "{text}");
    assert!(text.contains("1 files, 2 functions; 1 files left out"), "{text}");
}

#[test]
fn nests_that_one_side_takes_are_counted() {
    let dir = files();
    let (code, text) = compare("nests", dir.path(), &dir.path().join("llvm"), &[]);
    assert_eq!(code, Some(0), "{text}");
    // LLVM, Backedge, both; only one of them, neither; transformed by Backedge.
    assert_eq!(row(&text, "interchange"), ["1", "1", "0", "1", "1", "0", "1"], "{text}");
    assert_eq!(row(&text, "flatten"), ["1", "0", "0", "1", "0", "1", "0"], "{text}");
    assert!(text.contains("a.ll @g: %loop: it contains no loop\n"), "{text}");
    assert!(text.contains("a.ll @g: no such pass of ours\n"), "{text}");
    assert!(text.contains("  in 1 of 1: no such pass of ours\n"), "{text}");
    let (_, text) = compare("nests", dir.path(), &dir.path().join("llvm"), &["--only", "fusion"]);
    assert!(text.contains("fusion") && !text.contains("interchange"), "{text}");
}

#[test]
fn with_llvm_itself() {
    let Some(opt) = peer("opt", "dependences and nests beside LLVM's") else { return };
    let dir = files();
    let (code, text) = compare("dependences", dir.path(), opt.path(), &[]);
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(row(&text, "all"), ["4", "2", "2", "2", "0", "0", "2"], "{text}");
    let (code, text) = compare("nests", dir.path(), opt.path(), &[]);
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(row(&text, "interchange"), ["1", "1", "1", "0", "0", "1", "1"], "{text}");
}

#[test]
fn bad_arguments_are_told() {
    let dir = files();
    for command in ["dependences", "nests"] {
        let (code, text) = compare(command, dir.path(), &dir.path().join("nowhere"), &[]);
        assert_eq!(code, Some(2), "{text}");
        assert!(text.contains("nowhere can't be run"), "{text}");
    }
    let (code, text) = compare("nests", dir.path(), &dir.path().join("llvm"), &["--only", "other"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("interchange, fusion, unroll-and-jam, flatten"), "{text}");
}
