//! Checks that `compare-proofs` keeps its results; a script in place of `backedge gate` logs its calls.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

/// Takes `gate FILE --passes PASS … --json OUT --rlimit N`. `hard.ll` needs more than one unit.
const GATE: &str = r#"#!/bin/sh
file=$2
while [ $# -gt 0 ]; do
    case $1 in
    --json) shift; out=$1 ;;
    --rlimit) shift; units=$1 ;;
    esac
    shift
done
echo "$(basename "$file") $units" >> "$(dirname "$0")/asked"
case $(basename "$file")/$units in
hard.ll/1) verdict='{"kind":"inconclusive","reason":{"why":"budget"}}' ;;
*) verdict='{"kind":"refines-all","method":"induction"}' ;;
esac
echo '{"kind":"validation","function":"f","time_ms":1,"verdict":'"$verdict"'}' > "$out"
"#;

/// Compares both files with that many units; returns the calls of the script.
fn compare(dir: &Path, units: &str, flags: &[&str]) -> (Output, Vec<String>) {
    let path = |name: &str| dir.join(name).display().to_string();
    let _ = fs::remove_file(path("asked"));
    let output = Command::new(env!("CARGO_BIN_EXE_backedge-compare"))
        .args(["proofs", &path("easy.ll"), &path("hard.ll"), "--row", "licm", "-j", "1"])
        .args(["--backedge", &path("gate"), "--json", &path("results")])
        .args(flags)
        .args(["--", "--rlimit", units])
        .output()
        .expect("it runs");
    let asked = fs::read_to_string(path("asked")).unwrap_or_default();
    (output, asked.lines().map(str::to_owned).collect())
}

#[test]
fn only_what_is_open_is_judged_again() {
    let temporary = tempfile::tempdir().expect("a directory");
    let dir = temporary.path();
    fs::write(dir.join("gate"), GATE).expect("a script");
    fs::set_permissions(dir.join("gate"), fs::Permissions::from_mode(0o755)).expect("an executable");
    for name in ["easy.ll", "hard.ll"] {
        fs::write(dir.join(name), "define void @f() {\n  ret void\n}\n").expect("a file");
    }
    let (output, asked) = compare(dir, "1", &[]);
    assert_eq!(output.status.code(), Some(1), "half of two is less than is asked");
    assert_eq!(asked, ["easy.ll 1", "hard.ll 1"]);

    let (output, asked) = compare(dir, "2", &["--resume"]);
    assert_eq!((output.status.code(), asked.len()), (Some(2), 0), "results of other arguments");

    let (output, asked) = compare(dir, "2", &["--again"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
    assert_eq!(asked, ["hard.ll 2"]);

    let (output, asked) = compare(dir, "2", &["--resume"]);
    assert_eq!((output.status.code(), asked.len()), (Some(0), 0), "all is there");

    fs::write(dir.join("results"), "no results\n{}\n").expect("a file");
    let (output, asked) = compare(dir, "2", &["--again"]);
    assert_eq!((output.status.code(), asked.len()), (Some(2), 0), "what holds no results is left alone");
    assert_eq!(fs::read_to_string(dir.join("results")).expect("a file"), "no results\n{}\n");
}
