//! Checks that `compare-speed` prints its rows with plausible figures. Actual times are not tested.

use backedge_testkit::corpus_dir;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// A stand-in for `backedge` and `alive-tv` that uses some processor time and prints `says`.
#[cfg(unix)]
fn script(path: &Path, says: &str) {
    use std::os::unix::fs::PermissionsExt;
    let text = format!("#!/bin/sh\ni=0\nwhile [ $i -lt 3000 ]; do i=$((i + 1)); done\necho '{says}'\n");
    fs::write(path, text).expect("a script");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("an executable");
}

fn speed(arguments: &[&str], corpus: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_backedge-compare"));
    command.arg("speed").arg(corpus).args(arguments).output().expect("it runs")
}

/// The cells of the line that begins with `name`.
fn cells<'t>(text: &'t str, name: &str) -> Vec<&'t str> {
    let line = text.lines().find_map(|l| l.trim().strip_prefix(name));
    line.unwrap_or_else(|| panic!("no line {name}:\n{text}")).split_whitespace().collect()
}

#[cfg(unix)]
#[test]
fn all_rows_are_printed() {
    let dir = tempfile::tempdir().expect("a directory");
    let (ours, alive) = (dir.path().join("ours"), dir.path().join("alive-tv"));
    script(&ours, r#"{"verdict":{"kind":"refines-all"}}"#);
    script(&alive, "Transformation seems to be correct!");
    let path = |p: &Path| p.to_str().expect("a path").to_owned();
    let (ours, alive) = (path(&ours), path(&alive));
    let output =
        speed(&["--backedge", &ours, "--alive-tv", &alive, "--repeats", "1", "--list"], &corpus_dir());
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", String::from_utf8_lossy(&output.stderr));
    let mut counts = Vec::new();
    for (name, kind) in [
        ("loop-free pairs", "median"),
        ("tiny loops", "median"),
        ("both", "median"),
        ("array increment, K = 16", "sum"),
        ("right pairs", "sum"),
    ] {
        let cells = cells(&text, name);
        // pairs, kind, Backedge's time with unit, the limit with unit, decided, proved, the time of all with unit,
        // alive-tv's time with unit, answered
        assert_eq!(cells.len(), 13, "{cells:?}");
        assert_eq!(cells[1], kind);
        let number = |at: usize| cells[at].parse::<f64>().unwrap_or_else(|_| panic!("{cells:?}"));
        for at in [2, 4, 8, 10] {
            assert!(number(at) > 0.0, "{cells:?}");
        }
        for at in [6, 7, 12] {
            assert_eq!(cells[at], cells[0], "all say that it is right: {cells:?}");
        }
        counts.push(number(0));
    }
    assert_eq!(counts[0] + counts[1], counts[2]);
    assert!(counts[0] >= 10.0 && counts[1] >= 10.0, "{counts:?}");
    assert_eq!(counts[3..], [1.0, 25.0]);
    assert!(text.lines().filter(|l| l.contains("seems correct")).count() >= 40, "{text}");
}

const PAIR: &str = "define i32 @src(i32 %x) {
  ret i32 %x
}
define i32 @tgt(i32 %x) {
  ret i32 %x
}
";

#[cfg(unix)]
#[test]
fn what_is_not_decided_is_told() {
    let dir = tempfile::tempdir().expect("a directory");
    let pairs = dir.path().join("pairs");
    fs::create_dir(&pairs).expect("a directory");
    fs::write(pairs.join("p.ll"), PAIR).expect("the pair");
    fs::write(pairs.join("p.toml"), "[[tv]]\nsource = \"src\"\ntarget = \"tgt\"\nexpect = \"refines\"\n")
        .expect("what is expected");
    let ours = dir.path().join("ours");
    let ours_path = ours.to_str().expect("a path").to_owned();
    let arguments = ["--backedge", &ours_path, "--row", "small", "--repeats", "2", "--list"];
    for (says, word, decided) in [
        (r#"{"verdict":{"kind":"inconclusive","reason":{"why":"budget","rlimit":1}}}"#, "inconclusive", "0"),
        ("nothing", "no verdict, exit code 0", "0"),
        (r#"{"verdict":{"kind":"refuted"}}"#, "refuted", "1"),
    ] {
        script(&ours, says);
        let output = speed(&arguments, dir.path());
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.contains(word), "{text}");
        assert_eq!(cells(&text, "loop-free pairs")[6], decided, "{text}");
        // There is no pair of the other shape.
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(text.contains("not as demanded: tiny loops"), "{text}");
    }
    let output = speed(&["--backedge", "/no/such/file"], dir.path());
    assert_eq!(output.status.code(), Some(2));
}
