//! The counts of `compare-kernels` on the test's own kernels, and a check that the tables in docs/kernels.md are
//! current.

use backedge_testkit::{corpus_dir, peer};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn kernels(arguments: &[&str], inputs: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_backedge-compare"))
        .arg("kernels")
        .arg(inputs)
        .args(arguments)
        .output()
        .expect("it runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The cells of the tables in `text` by kind, kernel and column.
fn cells(text: &str) -> BTreeMap<(String, String, String), String> {
    let mut all = BTreeMap::new();
    let mut header: Option<Vec<String>> = None;
    for line in text.lines() {
        let Some(inner) = line.strip_prefix("| ").and_then(|l| l.strip_suffix(" |")) else {
            if !line.starts_with("|--") {
                header = None;
            }
            continue;
        };
        let row: Vec<String> = inner.split(" | ").map(str::to_owned).collect();
        match &header {
            None => header = Some(row),
            Some(header) => {
                assert_eq!(row.len(), header.len(), "{line}");
                for (column, cell) in header.iter().zip(&row).skip(1) {
                    let place = (header[0].clone(), row[0].clone(), column.clone());
                    assert!(all.insert(place, cell.clone()).is_none(), "two cells for one: {line}");
                }
            }
        }
    }
    all
}

#[test]
fn the_tables_of_the_docs_are_what_is_counted() {
    let docs = fs::read_to_string(corpus_dir().join("../docs/kernels.md")).expect("the docs");
    let (_, tables) = docs.split_once("<!-- kernels -->").expect("the tables' beginning");
    let (tables, _) = tables.split_once("<!-- /kernels -->").expect("the tables' end");
    let stand = cells(tables);
    let with_llvm = peer("opt", "LLVM's columns of docs/kernels.md");
    let mut arguments = vec!["--markdown"];
    match &with_llvm {
        Some(opt) => arguments.extend(["--opt", opt.path().to_str().expect("a path")]),
        None => arguments.push("--without-opt"),
    }
    let output = kernels(&arguments, &corpus_dir().join("kernels"));
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", String::from_utf8_lossy(&output.stderr));
    let counted = cells(&stdout(&output));
    assert!(counted.len() >= 3 * 20 * 5, "{} cells were counted", counted.len());
    let differ: Vec<String> = counted
        .iter()
        .filter(|(place, cell)| stand.get(*place) != Some(*cell))
        .map(|(place, cell)| format!("{place:?}: {cell}, not {:?}", stand.get(place)))
        .collect();
    let what =
        "docs/kernels.md is of another time: ci/compare-kernels corpus/kernels --update docs/kernels.md";
    assert!(differ.is_empty(), "{what}\n{}", differ.join("\n"));
    let of_llvm = |(_, _, column): &&(String, String, String)| column.starts_with("opt");
    let gone: Vec<_> = stand
        .keys()
        .filter(|place| with_llvm.is_some() || !of_llvm(place))
        .filter(|place| !counted.contains_key(place))
        .collect();
    assert!(gone.is_empty(), "{what}\n{gone:?}");
}

const KERNEL: &str = "define i32 @triple(ptr %a, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %exit

body:
  %p = getelementptr i32, ptr %a, i32 %i
  store i32 7, ptr %p
  %i.next = add nuw nsw i32 %i, 1
  br label %loop

exit:
  ret i32 %i
}
";

const MEASURE: &str = "[[measure]]\nfunction = \"triple\"\nargs = [\"zeros:12\", \"3\"]\n";

#[test]
fn what_is_executed_is_counted() {
    let dir = tempfile::tempdir().expect("a directory");
    fs::write(dir.path().join("k.ll"), KERNEL).expect("the kernel");
    fs::write(dir.path().join("k.toml"), MEASURE).expect("the measure");
    let output = kernels(&["--without-opt", "--markdown"], dir.path());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let cells = cells(&stdout(&output));
    let cell = |kind: &str| cells[&(kind.to_owned(), "k".to_owned(), "before".to_owned())].parse::<u64>();
    // The entry, four times the header, three times the body, and the exit.
    assert_eq!(cell("instructions"), Ok(1 + 4 * 2 + 3 * 4 + 1));
    assert_eq!(cell("branches"), Ok(1 + 4 + 3));
    assert_eq!(cell("conditional"), Ok(4));
}

#[test]
fn unmeasurable_kernels_are_errors() {
    let dir = tempfile::tempdir().expect("a directory");
    let says = |kernel: &str, measure: &str, what: &str| {
        fs::write(dir.path().join("k.ll"), kernel).expect("the kernel");
        fs::write(dir.path().join("k.toml"), measure).expect("the measure");
        let output = kernels(&["--without-opt"], dir.path());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(what), "{said}");
    };
    says(KERNEL, "", "no file says what is to be measured");
    says(KERNEL, &MEASURE.replace("triple", "double"), "no function @double");
    says(KERNEL, &MEASURE.replace("zeros:12", "zeros:8"), "the run does not return");
    says(KERNEL, &format!("{MEASURE}arg = 3\n"), "unknown field `arg`");
    says("define void @f() {\n", MEASURE, "k.ll @triple");
}

/// A stand-in for an `opt` that miscompiles the kernel.
#[cfg(unix)]
#[test]
fn miscompiled_kernels_are_errors() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().expect("a directory");
    fs::write(dir.path().join("k.ll"), KERNEL).expect("the kernel");
    fs::write(dir.path().join("k.toml"), MEASURE).expect("the measure");
    let opt = dir.path().join("opt");
    let made = |edit: &str, what: Option<&str>| {
        // `opt -S -passes=… IN -o OUT`
        fs::write(&opt, format!("#!/bin/sh\nexec sed '{edit}' \"$3\" > \"$5\"\n")).expect("a script");
        fs::set_permissions(&opt, fs::Permissions::from_mode(0o755)).expect("an executable");
        let output = kernels(&["--opt", opt.to_str().expect("a path")], dir.path());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        match what {
            Some(what) => {
                assert_eq!(output.status.code(), Some(2), "{said}");
                assert!(said.contains(what), "{said}");
            }
            None => assert!(matches!(output.status.code(), Some(0 | 1)), "{said}"),
        }
    };
    made("", None);
    made("s/ret i32 %i/ret i32 3/", None);
    made("s/ret i32 %i/ret i32 4/", Some("returns"));
    made("s/store i32 7/store i32 8/", Some("leaves other bytes"));
    made("s/store i32 7/bad/", Some("opt"));
}
