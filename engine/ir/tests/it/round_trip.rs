//! Round trips through the parser and the printer for the corpus and all of LLVM's loop tests: the second print equals
//! the first, the verifier finds nothing, and LLVM parses the printed text to the same module as the original.

use backedge_ir::parse::parse_module;
use backedge_ir::print::module_to_string;
use backedge_ir::verify::verify_module;
use backedge_testkit::{Peer, corpus_files, llvm_tests, peer};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs `check` on all files, a few at a time, and fails with the error messages.
fn for_all(files: &[PathBuf], check: impl Fn(&Path) -> Result<(), String> + Sync) {
    assert!(!files.is_empty());
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(why) = check(file) {
                        let line = format!("{}: {why}", file.display());
                        failures.lock().expect("no thread panicked").push(line);
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().expect("no thread panicked");
    failures.sort();
    assert!(failures.is_empty(), "{} of {} files:\n{}", failures.len(), files.len(), failures.join("\n"));
}

fn files(what: &str) -> Vec<PathBuf> {
    let mut files = corpus_files();
    files.extend(llvm_tests(what).map(|tests| tests.files()).unwrap_or_default());
    files
}

fn print(source: &[u8]) -> Result<String, String> {
    let parsed = parse_module(source).map_err(|e| format!("it is not read: {e}"))?;
    Ok(module_to_string(&parsed.module))
}

fn first_difference(a: &str, b: &str) -> String {
    let lines = a.lines().map(Some).chain([None]).zip(b.lines().map(Some).chain([None])).enumerate();
    let found = lines.into_iter().find(|(_, (a, b))| a != b);
    found.map_or_else(|| "equal".to_owned(), |(n, (a, b))| format!("line {}: {a:?} became {b:?}", n + 1))
}

#[test]
fn printing_is_idempotent() {
    for_all(&files("round trip of LLVM's tests"), |file| {
        let first = print(&std::fs::read(file).map_err(|e| e.to_string())?)?;
        let second = print(first.as_bytes())?;
        if first == second { Ok(()) } else { Err(first_difference(&first, &second)) }
    });
}

#[test]
fn verifier_accepts_what_llvm_accepts() {
    for_all(&files("verification of LLVM's tests"), |file| {
        let source = std::fs::read(file).map_err(|e| e.to_string())?;
        let module = parse_module(&source).map_err(|e| format!("it is not read: {e}"))?.module;
        let findings: Vec<String> = verify_module(&module).iter().map(|f| f.render(&module)).collect();
        if findings.is_empty() { Ok(()) } else { Err(findings.join("\n  ")) }
    });
}

/// The text of `source` as LLVM prints it; `Err` with LLVM's message if it rejects the text.
fn through_llvm(opt: &Peer, source: &[u8]) -> Result<String, String> {
    let answer = opt.run(&["-S", "-passes=verify", "-o", "-", "-"], source);
    if answer.ok() { Ok(answer.stdout) } else { Err(answer.stderr) }
}

/// The lines of a module, independent of the order of declarations and the numbers of attribute groups: LLVM adds
/// declarations for undeclared intrinsics, including those called only in unmodelled functions.
fn same_lines(text: &str) -> Vec<String> {
    let is_free = |line: &&str| {
        let free = ["declare ", "; Function Attrs:", "attributes #"];
        free.iter().any(|start| line.starts_with(start))
    };
    let is_noise = |line: &&str| {
        line.is_empty() || line.starts_with("; ModuleID") || line.starts_with("source_filename")
    };
    let (mut free, mut lines): (Vec<&str>, Vec<&str>) =
        text.lines().filter(|l| !is_noise(l)).partition(is_free);
    free.sort_by_key(|line| without_groups(line));
    lines.append(&mut free);
    lines.into_iter().map(without_groups).collect()
}

/// `line` with `#7` replaced by `#`.
fn without_groups(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut after_hash = false;
    for c in line.chars() {
        if !(after_hash && c.is_ascii_digit()) {
            out.push(c);
            after_hash = c == '#';
        }
    }
    out
}

#[test]
fn llvm_parses_our_output_to_the_same_module() {
    let Some(opt) = peer("opt", "round trip through opt") else { return };
    let mut files = corpus_files();
    let tests = llvm_tests("round trip of LLVM's tests through opt");
    files.extend(tests.map(|tests| tests.sample()).unwrap_or_default());
    for_all(&files, |file| {
        let source = std::fs::read(file).map_err(|e| e.to_string())?;
        let Ok(before) = through_llvm(&opt, &source) else { return Ok(()) };
        let after = through_llvm(&opt, print(&source)?.as_bytes()).map_err(|e| format!("LLVM says: {e}"))?;
        let (before, after) = (same_lines(&before), same_lines(&after));
        if before == after { Ok(()) } else { Err(first_difference(&before.join("\n"), &after.join("\n"))) }
    });
}
