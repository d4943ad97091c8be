//! Reads the output of LLVM 22 for its own loop tests and for the corpus without errors, and prints it back unchanged.

use backedge_claim::claim::Claims;
use backedge_claim::text::{FunctionClaims, PrintOptions, Reader, print_claims};
use backedge_ir::entity::FuncId;
use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_testkit::{Peer, corpus_files, peer};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// LLVM's text for some files is endless; the test reads at most this many bytes.
const MAX_TEXT: u64 = 4 << 20;

/// The text on each function, by name, split at LLVM's headings.
fn by_function(text: &str) -> BTreeMap<String, Vec<&str>> {
    let mut found: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    let mut current = None;
    for line in text.lines() {
        if line.starts_with("Printing analysis ") {
            current = None;
        } else if let Some(name) = line.strip_prefix("Classifying expressions for: ") {
            current = Some(name.to_owned());
        } else if let Some(name) = &current {
            found.entry(name.clone()).or_default().push(line);
        }
    }
    found
}

/// Lines in a form that can be compared: instructions by name only, because metadata numbers depend on the whole
/// module.
fn comparable<'t>(lines: &[&'t str]) -> Vec<&'t str> {
    let mut kept = Vec::new();
    let mut within = false;
    for &line in lines {
        let instruction = line.starts_with("  %");
        if line.starts_with("  -->") {
            within = false;
        } else if instruction {
            within = true;
            kept.push(line.split(" = ").next().unwrap_or(line));
            continue;
        }
        if !within && !line.trim().is_empty() {
            kept.push(line.trim_end());
        }
    }
    kept
}

#[derive(Default)]
struct Tally {
    functions: usize,
    compared: usize,
    claims: usize,
    notes: BTreeMap<String, usize>,
    lossy: usize,
    failures: Vec<String>,
}

fn check_file(opt: &Peer, file: &Path, tally: &Mutex<Tally>) {
    let source = std::fs::read(file).expect("a readable file");
    let Ok(parsed) = parse_module(&source) else { return };
    let text = opt.scalar_evolution(file, MAX_TEXT);
    let lossy = String::from_utf8_lossy(&text);
    let mut expected = by_function(&lossy);
    if text.len() as u64 >= MAX_TEXT / 2 {
        // The last function's text was truncated.
        let last = lossy.lines().rev().find_map(|l| l.strip_prefix("Classifying expressions for: "));
        last.and_then(|name| expected.remove(name));
    }
    for read in Reader::new(&parsed.module, &text[..]) {
        let mut tally = tally.lock().expect("no panic");
        match read {
            Ok(FunctionClaims::Claims(claims)) => {
                tally.functions += 1;
                tally.claims += claims.claims.len();
                for note in &claims.notes {
                    let kind: String =
                        note.text.chars().map(|c| if c.is_ascii_digit() { '#' } else { c }).collect();
                    *tally.notes.entry(kind).or_default() += 1;
                }
                if claims.notes.is_empty() {
                    compare(&parsed.module, &claims, &expected, file, &mut tally);
                } else {
                    tally.lossy += 1;
                }
            }
            Ok(FunctionClaims::Skipped { .. }) => {}
            Err(error) => tally.failures.push(format!("{}: {error}", file.display())),
        }
    }
}

fn name_of(module: &Module, func: FuncId) -> String {
    let mut name = String::from("@");
    backedge_ir::print::write_global_name(&mut name, &module.env.funcs[func].name);
    name
}

fn compare(
    module: &Module,
    claims: &Claims,
    expected: &BTreeMap<String, Vec<&str>>,
    file: &Path,
    tally: &mut Tally,
) {
    let printed =
        print_claims(module, claims, PrintOptions { scopes: true, limit: usize::MAX, budget: usize::MAX });
    let name = name_of(module, claims.func);
    let Some(expected) = expected.get(&name) else { return };
    tally.compared += 1;
    let ours = by_function(&printed);
    let (ours, expected) = (comparable(&ours[&name]), comparable(expected));
    let complete = ours.len() == expected.len();
    if let Some((our, llvm)) = ours.iter().zip(&expected).find(|(a, b)| a != b) {
        tally.failures.push(format!("{}: {name}:\n  llvm: {llvm}\n  ours: {our}", file.display()));
    } else if !complete {
        let (a, b) = (ours.len(), expected.len());
        tally.failures.push(format!("{}: {name}: {a} lines of {b}", file.display()));
    }
}

fn check(files: &[PathBuf], opt: &Peer) -> Tally {
    let tally = Mutex::new(Tally::default());
    let next = Mutex::new(files.iter());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(file) = { next.lock().expect("no panic").next() } {
                    check_file(opt, file, &tally);
                }
            });
        }
    });
    tally.into_inner().expect("no panic")
}

fn verdict(what: &str, tally: &Tally, min_functions: usize) {
    let Tally { functions, compared, claims, notes, lossy, failures } = tally;
    println!(
        "{what}: {functions} functions, {compared} compared, {claims} claims, {lossy} functions with notes: {notes:#?}"
    );
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
    assert!(*functions >= min_functions, "only {functions} functions were read");
    assert!(compared + lossy + 2 >= *functions, "{compared} of {functions} functions were compared");
    assert!(lossy * 50 <= *functions, "{lossy} of {functions} functions have notes");
}

#[test]
fn llvms_text_for_its_loop_tests_is_read_and_printed_back() {
    let what = "LLVM's print<scalar-evolution> of its loop tests";
    let Some(opt) = peer("opt", what) else { return };
    let Some(tests) = backedge_testkit::llvm_tests(what) else { return };
    let tally = check(&tests.sample(), &opt);
    verdict(what, &tally, tests.part(2000));
}

#[test]
fn llvms_text_for_the_corpus_is_read_and_printed_back() {
    let what = "LLVM's print<scalar-evolution> of the corpus";
    let Some(opt) = peer("opt", what) else { return };
    verdict(what, &check(&corpus_files(), &opt), 100);
}
