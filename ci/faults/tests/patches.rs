//! The patches still apply, are numerous enough, and have complete heads. `ci/faults/run` builds each one and checks
//! that the fault is found.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn patches() -> Vec<(String, PathBuf, String)> {
    let files = std::fs::read_dir(folder()).expect("a folder").map(|f| f.expect("a file").path());
    let mut patches: Vec<PathBuf> = files.filter(|p| p.extension().is_some_and(|e| e == "patch")).collect();
    patches.sort();
    let name = |p: &Path| p.file_stem().expect("a name").to_string_lossy().into_owned();
    patches.into_iter().map(|p| (name(&p), p.clone(), std::fs::read_to_string(&p).expect("text"))).collect()
}

/// The parts of a patch's head: lines that begin with a keyword, each joined with its continuation lines.
fn head(text: &str) -> Vec<(&str, String)> {
    let mut parts: Vec<(&str, String)> = Vec::new();
    for line in text.lines().take_while(|l| !l.starts_with("--- ")) {
        match (line.strip_prefix("  "), line.split_once(": "), parts.last_mut()) {
            (Some(more), _, Some((_, words))) => *words += &format!(" {more}"),
            (None, Some((part, words)), _) => parts.push((part, words.to_owned())),
            _ => assert!(line.is_empty(), "a line of no part: {line}"),
        }
    }
    parts
}

#[test]
fn there_are_enough_and_each_has_its_number_and_name() {
    let patches = patches();
    assert!(patches.len() >= 40, "{} faults", patches.len());
    let names: BTreeSet<&str> = patches.iter().map(|(name, ..)| name.get(3..).unwrap_or("")).collect();
    assert_eq!(names.len(), patches.len(), "a name is there twice");
    for (n, (name, ..)) in (1..).zip(&patches) {
        assert!(name.starts_with(&format!("{n:02}-")), "{name} is number {n}");
    }
}

#[test]
fn heads_are_complete() {
    for (name, _, text) in patches() {
        let head = head(&text);
        let parts: Vec<&str> = head.iter().map(|(part, _)| *part).collect();
        assert_eq!(parts, ["Mistake", "In", "Seen by"], "{name}");
        assert!(head.iter().all(|(_, words)| words.len() > 3), "{name}: {head:?}");
        assert!(head[0].1.ends_with('.'), "{name}: a mistake is a sentence");
    }
}

#[test]
fn each_changes_a_little_of_one_source_of_the_engine() {
    for (name, _, text) in patches() {
        let files: Vec<&str> = text.lines().filter_map(|l| l.strip_prefix("+++ b/")).collect();
        let [file] = files[..] else { panic!("{name} changes {files:?}") };
        assert!(file.starts_with("engine/") && file.ends_with(".rs"), "{name} changes {file}");
        let added = text.lines().filter(|l| l.starts_with('+') && !l.starts_with("+++")).count();
        let removed = text.lines().filter(|l| l.starts_with('-') && !l.starts_with("---")).count();
        assert!((1..=6).contains(&added.max(removed)), "{name} is not small: +{added} -{removed}");
    }
}

#[test]
fn each_applies() {
    for (name, path, _) in patches() {
        let run = Command::new("git")
            .args(["apply", "--check"])
            .arg(&path)
            .current_dir(folder().join("../.."))
            .output()
            .expect("git");
        assert!(run.status.success(), "{name}: {}", String::from_utf8_lossy(&run.stderr));
    }
}
