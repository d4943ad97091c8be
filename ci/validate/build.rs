//! Passes the directory of the Z3 library to the linker as the run path of this package's tests, and gives the library
//! a hash of all sources that a verdict depends on (`BACKEDGE_ENCODER`), so that a cache never answers for a changed
//! checker.

use std::fs;
use std::path::{Path, PathBuf};

/// Everything a verdict depends on, relative to the workspace root.
const SOURCES: [&str; 7] = [
    "engine/ir/src",
    "engine/claim/src",
    "interp/src",
    "smt/src",
    "ci/validate/src",
    "ci/validate/build.rs",
    "Cargo.lock",
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if let Ok(directory) = std::env::var("DEP_BACKEDGE_Z3_PATH_RUN_PATH") {
        println!("cargo::rustc-link-arg=-Wl,-rpath,{directory}");
    }
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut hasher = blake3::Hasher::new();
    for source in SOURCES {
        let path = top.join(source);
        println!("cargo::rerun-if-changed={}", path.display());
        add(&mut hasher, &top, &path);
    }
    println!("cargo::rustc-env=BACKEDGE_ENCODER={}", hasher.finalize().to_hex());
}

/// Adds a file, or all files of a directory in order of their names.
fn add(hasher: &mut blake3::Hasher, top: &Path, path: &Path) {
    if path.is_dir() {
        let entries = fs::read_dir(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
        paths.sort();
        return paths.iter().for_each(|path| add(hasher, top, path));
    }
    let name = path.strip_prefix(top).unwrap_or(path).display().to_string();
    let contents = fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    for part in [name.as_bytes(), &contents] {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
}
