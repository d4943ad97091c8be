//! Checks of the source tree: allowed crate dependencies, a header in every source file, and a limit on file length.

use backedge_testkit::files_with_extension;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the checkout")
}

const SOURCE_DIRS: [&str; 7] = ["engine", "interp", "smt", "ci", "fuzz/src", "fuzz/fuzz_targets", "src"];

fn sources() -> Vec<PathBuf> {
    let files: Vec<PathBuf> =
        SOURCE_DIRS.iter().flat_map(|d| files_with_extension(&root().join(d), "rs")).collect();
    assert!(files.len() > 20, "the sources were not found");
    files
}

/// The workspace crates that the package in `dir` depends on, dev-dependencies excluded.
fn dependencies(dir: &str) -> BTreeSet<String> {
    let text = std::fs::read_to_string(root().join(dir).join("Cargo.toml")).expect("a manifest");
    let mut section = "";
    let mut found = BTreeSet::new();
    for line in text.lines() {
        if line.starts_with('[') {
            section = line;
        } else if section == "[dependencies]"
            && let Some(rest) = line.strip_prefix("backedge-")
        {
            let end = rest.find(['.', ' ', '=']).unwrap_or(rest.len());
            found.insert(rest[..end].to_owned());
        }
    }
    found
}

#[test]
fn what_must_not_know_what() {
    let allowed: [(&str, &[&str]); 11] = [
        ("engine/ir", &[]),
        ("engine/claim", &["ir"]),
        ("engine/analysis", &["ir"]),
        ("engine/scev", &["ir", "claim", "analysis"]),
        ("engine/transform", &["ir", "analysis", "scev"]),
        ("engine/hir", &["ir", "analysis", "scev"]),
        ("engine/vplan", &["ir", "analysis", "scev", "transform"]),
        ("engine/pipeline", &["ir", "claim", "analysis", "scev", "transform", "hir", "vplan"]),
        ("interp", &["ir", "claim"]),
        ("smt", &["ir", "claim", "z3-path"]),
        ("ci/validate", &["ir", "claim", "interp", "smt", "z3-path"]),
    ];
    for (dir, allowed) in allowed {
        for dependency in dependencies(dir) {
            assert!(allowed.contains(&dependency.as_str()), "{dir} must not know backedge-{dependency}");
        }
    }
    assert!(dependencies("engine/transform").contains("analysis"), "manifests were read");
}

#[test]
fn every_file_has_a_header() {
    for path in sources() {
        let text = std::fs::read_to_string(&path).expect("a source file");
        assert!(text.starts_with("//! "), "{} has no header", path.display());
    }
}

#[test]
fn no_file_holds_two_things() {
    for path in sources() {
        let lines = std::fs::read_to_string(&path).expect("a source file").lines().count();
        assert!(lines <= 1000, "{} has {lines} lines: split it", path.display());
    }
}

/// Failing cases of property tests must be stored.
#[test]
fn laws_keep_what_they_failed_on() {
    let mut laws = 0;
    for path in sources() {
        let text = std::fs::read_to_string(&path).expect("a source file");
        for (at, _) in text.match_indices("\nproptest! {\n") {
            let inside = text[at..].lines().nth(2).unwrap_or_default();
            let keeps = inside.trim_start().starts_with("#![proptest_config(backedge_testkit::kept(");
            assert!(keeps, "{}: a block of laws begins with {inside:?}", path.display());
            laws += 1;
        }
    }
    assert!(laws > 10, "the laws were not found");
}

#[test]
fn versions_stand_in_one_place() {
    let root = root();
    for dir in SOURCE_DIRS.iter().map(|d| root.join(d)) {
        for manifest in files_with_extension(&dir, "toml").iter().filter(|p| p.ends_with("Cargo.toml")) {
            let text = std::fs::read_to_string(manifest).expect("a manifest");
            let mut section = "";
            for line in text.lines() {
                if line.starts_with('[') {
                    section = line;
                } else if section.ends_with("dependencies]") && line.contains('=') {
                    let shared = line.contains("workspace = true");
                    assert!(shared, "{}: `{line}` names a version of its own", manifest.display());
                }
            }
        }
    }
}
