//! The corpus of mutation: the `.ll` files below a directory.
//!
//! A seed determines a file and the mutant of it. Files are sorted by their relative paths, so a seed determines the
//! same mutant wherever the directory is, as long as it contains the same files.

use super::{Limits, Mutant, mutate_by};
use crate::generate::bytes_of_seed;
use crate::generate::draw::Draw;
use arbitrary::Unstructured;
use backedge_ir::module::Module;
use backedge_ir::parse::read_module;
use std::io;
use std::path::{Path, PathBuf};

/// The modules of a corpus, each with at least one function body.
#[derive(Clone, Debug, Default)]
pub struct Corpus {
    entries: Vec<Entry>,
}

/// A module of a corpus.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The path of the file, relative to the corpus directory.
    pub path: PathBuf,
    /// The module, in which at least one function has a supported body.
    pub module: Module,
}

/// A file that can't be mutated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unread {
    /// The path of the file, relative to the corpus directory.
    pub path: PathBuf,
    /// The reason.
    pub reason: String,
}

impl Corpus {
    /// Reads the `.ll` files below `dir`, or the single file `dir`, and returns them with the unusable files. The
    /// directory `but` is skipped.
    ///
    /// # Errors
    ///
    /// If the directory, one of its subdirectories or a file can't be read.
    pub fn read(dir: &Path, but: Option<&Path>) -> io::Result<(Self, Vec<Unread>)> {
        let (mut corpus, mut unread) = (Self::default(), Vec::new());
        let but = but.and_then(|but| but.canonicalize().ok());
        for file in files(dir, but.as_deref())? {
            let path = file.strip_prefix(dir).ok().filter(|p| p.file_name().is_some());
            let path = path.unwrap_or(&file).to_owned();
            match read_module(&std::fs::read(&file)?) {
                Ok(parsed) if parsed.module.bodies().next().is_none() => {
                    unread.push(Unread { path, reason: "no function has code that is modelled".to_owned() });
                }
                Ok(parsed) => corpus.entries.push(Entry { path, module: parsed.module }),
                Err(wrong) => {
                    let reason = wrong.into_iter().next().map(|d| d.message).unwrap_or_default();
                    unread.push(Unread { path, reason });
                }
            }
        }
        Ok((corpus, unread))
    }
    /// A corpus of the given modules.
    pub fn new(entries: Vec<Entry>) -> Self {
        Self { entries }
    }
    /// The modules, in the order that seeds index.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }
    /// The mutant of `seed` with its original; `None` if the corpus is empty.
    pub fn mutant(&self, seed: u64, limits: Limits) -> Option<(&Entry, Mutant)> {
        self.mutant_by(&mut Unstructured::new(&bytes_of_seed(seed)), limits)
    }
    /// Like [`Self::mutant`], for arbitrary bytes.
    pub fn mutant_by(&self, bytes: &mut Unstructured<'_>, limits: Limits) -> Option<(&Entry, Mutant)> {
        let at = |draw: &mut Draw<'_, '_>| self.entries.get(draw.below(self.entries.len().max(1)));
        let mut draw = Draw::new(bytes);
        let entry = at(&mut draw)?;
        let donors = [at(&mut draw)?, at(&mut draw)?].map(|e| &e.module);
        Some((entry, mutate_by(&entry.module, &donors, bytes, limits)))
    }
}

/// The files, sorted by path.
fn files(dir: &Path, but: Option<&Path>) -> io::Result<Vec<PathBuf>> {
    if dir.is_file() {
        return Ok(vec![dir.to_owned()]);
    }
    let mut found = Vec::new();
    let mut pending = vec![dir.to_owned()];
    while let Some(dir) = pending.pop() {
        if but.is_some() && dir.canonicalize().ok().as_deref() == but {
            continue;
        }
        for entry in std::fs::read_dir(&dir)? {
            let entry = entry?;
            let path = entry.path();
            // A link to a directory may form a cycle.
            if entry.file_type()?.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|e| e == "ll") && path.is_file() {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}
