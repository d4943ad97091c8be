//! The lists of oracles and targets are complete, and the files of `fuzz` that name oracles or targets follow them.

use backedge_fuzz::campaign::shares::Shares;
use backedge_fuzz::oracles::again::Unfinished;
use backedge_fuzz::oracles::optimize::{Fault, Quantity};
use backedge_fuzz::oracles::settling::Unsettled;
use backedge_fuzz::oracles::text::Misread;
use backedge_fuzz::oracles::trees::Problem;
use backedge_fuzz::oracles::{Finding, Label, OracleId};
use backedge_fuzz::targets::Target;
use backedge_testkit::without_comments;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Files in `src/oracles` and `src/targets` that are no oracle and no target.
const BESIDES: [&str; 8] = ["mod", "label", "optimize", "oracle", "passes", "position", "subject", "target"];

/// The directory of the package for cargo-fuzz.
fn package() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn text(path: &str) -> String {
    fs::read_to_string(package().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// The names of the files and folders in `folder`, without extensions.
fn names_in(folder: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(package().join(folder)).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths.map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned()).collect()
}

fn set(names: &[&str]) -> BTreeSet<String> {
    let set: BTreeSet<String> = names.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(set.len(), names.len(), "two have one name");
    set
}

fn oracles() -> Vec<&'static str> {
    OracleId::ALL.iter().map(|oracle| oracle.name()).collect()
}

fn targets() -> Vec<&'static str> {
    Target::ALL.iter().map(|target| target.name()).collect()
}

/// Fails unless `folder` has the files of the list and those of [`BESIDES`].
fn expect_files(folder: &str, listed: &[&str]) {
    let besides = set(&BESIDES);
    let files: BTreeSet<String> = names_in(folder).difference(&besides).cloned().collect();
    assert_eq!(files, set(listed), "the files in {folder}, and the list in {folder}/mod.rs");
}

#[test]
fn the_list_of_oracles_is_complete() {
    let mut listed = oracles();
    // `trees` is a part of `optimize`.
    listed.push("trees");
    expect_files("src/oracles", &listed);
    let questions: Vec<&str> = OracleId::ALL.iter().map(|oracle| oracle.oracle().question()).collect();
    set(&questions);
    for oracle in OracleId::ALL.iter().copied() {
        assert_eq!(OracleId::named(oracle.name()), Some(oracle));
        assert!((0.0..=1.0).contains(&oracle.oracle().share()), "{}", oracle.name());
    }
    let wrong = "none".parse::<Shares>().expect_err("no oracle has that name");
    assert!(wrong.ends_with(&oracles().join(", ")), "{wrong}");
}

#[test]
fn each_oracle_draws_with_its_own_salts() {
    let salts = OracleId::ALL.iter().flat_map(|oracle| {
        let path = format!("src/oracles/{}", oracle.name());
        let is_folder = package().join(&path).is_dir();
        let code = text(&if is_folder { format!("{path}/mod.rs") } else { format!("{path}.rs") });
        let lines = code.lines().filter_map(|line| {
            let (name, salt) = line.strip_prefix("const ")?.split_once(": u64 = ")?;
            name.ends_with("SALT").then(|| salt.trim_end_matches(';').to_owned())
        });
        lines.collect::<Vec<_>>()
    });
    let salts: Vec<String> = salts.collect();
    set(&salts.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(salts.len() >= 5, "the salts are misread: {salts:?}");
}

#[test]
fn the_list_of_targets_is_complete() {
    expect_files("src/targets", &targets());
    let properties: Vec<&str> = Target::ALL.iter().map(|target| target.property()).collect();
    set(&properties);
}

#[test]
fn each_target_has_an_executable() {
    assert_eq!(names_in("fuzz_targets"), set(&targets()));
    for target in Target::ALL {
        let name = target.name();
        let expected = format!(
            "//! See `src/targets/{name}.rs`.\n#![no_main]\n\nuse backedge_fuzz::input::Input;\n\
             use backedge_fuzz::targets::Target;\n\n\
             libfuzzer_sys::fuzz_target!(|input: Input<{{ Target::{target:?} as usize }}>| input.fuzz());\n"
        );
        assert_eq!(text(&format!("fuzz_targets/{name}.rs")), expected, "fuzz_targets/{name}.rs");
    }
    let bins = targets().into_iter().map(|name| {
        format!(
            "\n[[bin]]\nname = \"{name}\"\npath = \"fuzz_targets/{name}.rs\"\ntest = false\ndoc = false\nbench = false\n"
        )
    });
    let manifest = text("Cargo.toml");
    let start = manifest.find("\n[[bin]]").expect("executables");
    assert_eq!(manifest[start..], bins.collect::<String>(), "the executables in fuzz/Cargo.toml");
}

#[test]
fn the_readme_names_oracles_and_targets() {
    let readme = text("README.md");
    let rows = OracleId::ALL.iter().map(|oracle| (oracle.name(), oracle.oracle().question()));
    let rows = rows.chain(Target::ALL.iter().map(|target| (target.name(), target.property())));
    for (name, says) in rows {
        let row = format!("\n| `{name}` | {says} |\n");
        assert!(readme.contains(&row), "fuzz/README.md has no line{row}");
    }
    let rows = readme.lines().filter(|line| line.starts_with("| `")).count();
    assert_eq!(rows, OracleId::ALL.len() + Target::ALL.len(), "the tables in fuzz/README.md");
    let mut sorted = targets();
    sorted.sort_unstable();
    let listed = format!("$ cargo +nightly fuzz list\n{}\n```\n", sorted.join("\n"));
    assert!(readme.contains(&listed), "fuzz/README.md does not show\n{listed}");
}

/// Everything that is known of an oracle is in its file or in the list: no other file of the library names one, except
/// for runs and proofs, whose limits are settings.
#[test]
fn the_library_names_oracles_in_few_places() {
    for file in backedge_testkit::files_with_extension(&package().join("src/campaign"), "rs") {
        let code = without_comments(&fs::read_to_string(&file).expect("a source file"));
        let code = code.split("#[cfg(test)]").next().unwrap_or_default();
        for oracle in OracleId::ALL.iter().filter(|o| !matches!(o, OracleId::Runs | OracleId::Proof)) {
            assert!(!code.contains(&format!("OracleId::{oracle:?}")), "{} names {oracle:?}", file.display());
        }
    }
}

/// The kind, the words and the pass of a finding determine its bucket, so they must not change.
#[test]
fn findings_are_labelled() {
    let label = |finding: Finding| {
        let Label { kind, words, pass, case } = finding.label();
        assert!(case.is_none());
        format!("{} {kind} [{words}] {}", finding.oracle(), pass.unwrap_or_default())
    };
    let (pass, passes) = (|| "licm".to_owned(), || vec!["licm".to_owned(), "dce".to_owned()]);
    let text = || "text".to_owned();
    assert_eq!(label(Misread::Rejected { text: text(), error: text() }.into()), "text misread [] ");
    let panic = Fault::Panic { pass: Some(pass()), message: text() };
    assert_eq!(label(panic.into()), "optimize panic [text] licm");
    let invalid = Fault::Invalid { pass: pass(), findings: vec![text(), pass()] };
    assert_eq!(label(invalid.into()), "optimize invalid-ir [text] licm");
    let tree = Fault::Trees { pass: pass(), problem: Problem::NotClosed(text()) };
    assert_eq!(label(tree.into()), "optimize wrong-tree [the nest at %text is not in LCSSA form] licm");
    let much = Fault::TooMuch { pass: pass(), of: Quantity::Work, amount: 2, bound: 1 };
    assert_eq!(label(much.into()), "optimize too-much [edits] licm");
    let undone = Unsettled::Undone { rounds: 0, passes: passes(), code: text() };
    assert_eq!(label(undone.into()), "settling undone [licm dce] ");
    let endless = Unsettled::Endless { rounds: 5, passes: passes(), before: text(), after: text() };
    assert_eq!(label(endless.into()), "settling endless [licm dce] ");
    let unfinished = Unfinished { pass: pass(), first: text(), second: text() };
    assert_eq!(label(unfinished.into()), "again unfinished [] licm");
}
