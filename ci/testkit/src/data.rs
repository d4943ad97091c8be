//! Test data: the corpus of the checkout, and LLVM's loop tests if `BACKEDGE_LLVM_TESTS` names their directory.

use crate::{every, skip};
use std::path::{Path, PathBuf};

/// The `corpus` folder of the checkout.
pub fn corpus_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../corpus")
        .canonicalize()
        .expect("the checkout has a corpus")
}

/// All `.ll` files of the corpus, sorted.
pub fn corpus_files() -> Vec<PathBuf> {
    files_with_extension(&corpus_dir(), "ll")
}

/// All files below `dir` with the extension `extension`, sorted.
pub fn files_with_extension(dir: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = vec![dir.to_path_buf()];
    while let Some(dir) = pending.pop() {
        let entries = std::fs::read_dir(&dir).unwrap_or_else(|e| panic!("{}: {e}", dir.display()));
        for entry in entries {
            let path = entry.expect("a directory entry").path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|e| e == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The distance between the files of a [`LlvmTests::sample`].
const QUARTER: usize = 4;

/// LLVM's loop tests: files, and a table of their functions.
#[derive(Debug)]
pub struct LlvmTests {
    dir: PathBuf,
}

/// A function of LLVM's loop tests, as a row of `llvm-loop-tests.tsv`.
#[derive(Clone, Debug)]
pub struct Row {
    columns: Vec<String>,
    header: std::rc::Rc<Vec<String>>,
}

impl Row {
    /// The cell in the column called `name`.
    pub fn get(&self, name: &str) -> &str {
        let index = self.header.iter().position(|h| h == name).unwrap_or_else(|| panic!("no column {name}"));
        self.columns.get(index).map_or("", String::as_str)
    }
    /// The cell in the column called `name` as a number.
    pub fn number(&self, name: &str) -> u64 {
        self.get(name).parse().unwrap_or_else(|_| panic!("{name} is not a number: {:?}", self.get(name)))
    }
}

/// LLVM's loop tests, if `BACKEDGE_LLVM_TESTS` names their directory; otherwise reports that `what` is skipped.
pub fn llvm_tests(what: &str) -> Option<LlvmTests> {
    match std::env::var_os("BACKEDGE_LLVM_TESTS") {
        Some(dir) => {
            let dir = PathBuf::from(dir);
            assert!(
                dir.is_absolute() && dir.is_dir(),
                "BACKEDGE_LLVM_TESTS must be the absolute path of a directory"
            );
            Some(LlvmTests { dir })
        }
        None => {
            skip(what, "BACKEDGE_LLVM_TESTS does not name the directory of LLVM's loop tests");
            None
        }
    }
}

impl LlvmTests {
    /// The directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }
    /// All `.ll` files, sorted.
    pub fn files(&self) -> Vec<PathBuf> {
        files_with_extension(&self.dir, "ll")
    }
    /// A quarter of the files, or as many as `BACKEDGE_EVERY` says: for tests that start a process for each file or ask
    /// the solver.
    pub fn sample(&self) -> Vec<PathBuf> {
        self.files().into_iter().step_by(every(QUARTER)).collect()
    }
    /// The part of `count` that a [`LlvmTests::sample`] has, where all files have `count`.
    pub fn part(&self, count: usize) -> usize {
        count / every(QUARTER)
    }
    /// The table of functions.
    pub fn rows(&self) -> Vec<Row> {
        let text =
            std::fs::read_to_string(self.dir.join("llvm-loop-tests.tsv")).expect("the table of functions");
        let mut lines = text.lines().map(|l| l.split('\t').map(str::to_owned).collect::<Vec<_>>());
        let header = std::rc::Rc::new(lines.next().expect("a header"));
        lines.map(|columns| Row { columns, header: header.clone() }).collect()
    }
}
