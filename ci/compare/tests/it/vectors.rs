//! The results of `compare-vectors` for optimizers that vectorize or reject files, with scripts in place of both.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// Takes `[opt] -passes=… [options] FILE -S -o OUT -pass-remarks-output=YAML`. As LLVM it vectorizes the loop `%a` of
/// `@f`, and also `%b` with early exits; as Backedge it vectorizes `%b` and reports the reason against `%a`.
const OPTIMIZER: &str = r#"#!/bin/sh
me=$(basename "$0")
out= yaml= file= passes= early=
while [ $# -gt 0 ]; do
    case $1 in
    -passes=*) passes=${1#-passes=} ;;
    -pass-remarks-output=* | --pass-remarks-output=*) yaml=${1#*=} ;;
    -enable-early-exit-vectorization) early=1 ;;
    -o) shift; out=$1 ;;
    *.ll) file=$1 ;;
    esac
    shift
done
cp "$file" "$out"
: > "$yaml"
done='--- !Passed\nPass: loop-vectorize\nName: Vectorized\nFunction: f\n...\n'
case $me/$passes in
*instnamer*) ;;
llvm/*)
    printf -- "$done" > "$yaml"
    [ -n "$early" ] && printf -- "$done" >> "$yaml"
    sed "s/%a, label %b$/&, !llvm.loop !0/${early:+; s/%b, label %exit$/&, !llvm.loop !0/}" "$file" > "$out" ;;
ours/*)
    grep -q refused "$file" && exit 1
    printf -- '--- !Passed\nPass: loop-vectorize\nName: Vectorized\nFunction: f\nArgs:\n  - Loop: b\n...\n' > "$yaml"
    printf -- '--- !Missed\nPass: loop-vectorize\nName: Call\nFunction: f\nArgs:\n  - Loop: a\n  - S: 17 calls\n...\n' >> "$yaml" ;;
esac
"#;

/// `%a` has two exits, `%b` has one.
const MODULE: &str = "define void @f(i1 %c) {
entry:
  br label %a

a:
  br i1 %c, label %latch, label %exit

latch:
  br i1 %c, label %a, label %b

b:
  br i1 %c, label %b, label %exit

exit:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!\"llvm.loop.isvectorized\", i32 1}
";

fn files(modules: &[(&str, &str)]) -> TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    for side in ["ours", "llvm"] {
        let path = dir.path().join(side);
        fs::write(&path, OPTIMIZER).expect("a script");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("an executable");
    }
    modules.iter().for_each(|(name, text)| fs::write(dir.path().join(name), text).expect(name));
    dir
}

fn compare(dir: &Path, arguments: &[&str]) -> (Output, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_backedge-compare"))
        .arg("vectors")
        .args([dir, Path::new("--backedge"), &dir.join("ours"), Path::new("--opt"), &dir.join("llvm")])
        .args(arguments)
        .output()
        .expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (output, text)
}

/// The words of the row called `name`, without the table's lines.
fn row(text: &str, name: &str) -> Vec<String> {
    let words = |l: &str| l.split(['|', '│', '┆']).map(|w| w.trim().to_owned()).collect::<Vec<_>>();
    let rows = text.lines().map(words).map(|w| w.into_iter().filter(|w| !w.is_empty()).collect::<Vec<_>>());
    rows.into_iter().find(|w: &Vec<String>| w.first().is_some_and(|w| w == name)).expect(text)
}

#[test]
fn vectorized_loops_are_counted() {
    let dir = files(&[("a.ll", MODULE)]);
    let (output, text) = compare(dir.path(), &["--list", "--require", "0"]);
    // LLVM, Backedge, both.
    assert_eq!(row(&text, "loop-vectorize")[1..], ["1", "1", "0", "0.0 %"]);
    assert_eq!(row(&text, "loop-vectorize, several exits")[1..], ["1", "0", "0", "0.0 %"]);
    assert_eq!(row(&text, "with early exits")[1..], ["2", "1", "1", "50.0 %"]);
    assert_eq!(row(&text, "Call")[1..], ["NN calls", "1"]);
    assert!(text.contains("Call: ") && text.contains("a.ll @f %a: 17 calls\n"), "{text}");
    assert!(
        text.contains("1 files, 2 loops; 0 remarks of LLVM's without a loop; left out 0 files"),
        "{text}"
    );
    // Fewer loops with several exits than LLVM.
    assert_eq!(output.status.code(), Some(1), "{text}");
}

#[test]
fn the_share_is_asked_for() {
    // Without the second exit, and with the marks where LLVM's script puts them.
    let one = MODULE.replace("br i1 %c, label %latch, label %exit", "br label %latch");
    let dir = files(&[("a.ll", &one)]);
    for (share, code) in [("0", 0), ("0.5", 1)] {
        let (output, text) = compare(dir.path(), &["--require", share]);
        assert_eq!(output.status.code(), Some(code), "{share}: {text}");
    }
}

#[test]
fn what_ours_refuses_is_a_fault() {
    let refused = format!("{MODULE}; refused\n");
    let one = MODULE.replace("br i1 %c, label %latch, label %exit", "br label %latch");
    let dir = files(&[("a.ll", &one), ("b.ll", &refused)]);
    let (output, text) = compare(dir.path(), &["--require", "0"]);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("left out, a fault of ours: "), "{text}");
    assert!(text.contains("left out 1 files, 1 of them a fault of ours"), "{text}");
}
