//! The counts and exit codes of `compare-roundtrip`, with a script in place of LLVM's verifier.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

/// Rejects files that contain the word `wrong`.
const OPT: &str = "#!/bin/sh
for file; do :; done
if grep -q wrong \"$file\" 2>/dev/null; then echo 'error: it is wrong' >&2; exit 1; fi
";

/// A loop, and a loop with an irreducible cycle inside.
const MODULE: &str = "define void @f(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

define void @g(i1 %c) {
entry:
  br label %loop
loop:
  br i1 %c, label %a, label %b
a:
  br i1 %c, label %b, label %latch
b:
  br i1 %c, label %a, label %latch
latch:
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
";

fn roundtrip(dir: &Path, share: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_backedge-compare"))
        .arg("roundtrip")
        .arg(dir.join("in"))
        .arg("--opt")
        .arg(dir.join("opt"))
        .args(["--list", "--require", share])
        .output()
        .expect("it runs")
}

#[test]
fn shares_and_refusals() {
    let temporary = tempfile::tempdir().expect("a directory");
    let dir = temporary.path();
    fs::create_dir(dir.join("in")).expect("a directory");
    fs::write(dir.join("opt"), OPT).expect("a script");
    fs::set_permissions(dir.join("opt"), fs::Permissions::from_mode(0o755)).expect("an executable");
    fs::write(dir.join("in/a.ll"), MODULE).expect("a file");

    let output = roundtrip(dir, "0.5");
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("50.0 %"), "{said}");
    assert!(said.contains("a.ll @g %loop: the nest contains a cycle that is not a loop"), "{said}");
    assert!(said.contains("takes 1 results and refuses 0"), "{said}");
    assert_eq!(roundtrip(dir, "0.6").status.code(), Some(1), "more is asked than there is");

    // A file that the verifier rejects before the round trip does not count.
    fs::write(dir.join("in/a.ll"), MODULE.replace("@f", "@wrong")).expect("a file");
    let output = roundtrip(dir, "0.5");
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("not verified: error: it is wrong"), "{said}");
}
