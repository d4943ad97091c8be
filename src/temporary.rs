//! Temporary folders and files: none outlives this process for long, however it ends.
//!
//! A folder is removed when it is dropped, or when the process ends while a thread still uses it ([`discard`]). What a
//! killed process left is removed by the next one that needs a temporary file in the same place: names contain
//! the [`mark`] of their process.

use backedge_process::owner::{is_stale, mark};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tempfile::TempDir;

/// The beginning of the names of folders in the system's temporary directory.
const FOLDER: &str = "backedge-";
/// The beginning of the names of files next to an output.
const FILE: &str = ".backedge-";
/// How often a folder that a dying command still writes to is removed.
const ATTEMPTS: usize = 3;

/// The temporary folders of this process.
struct Registry {
    folders: BTreeSet<PathBuf>,
    /// Directories in which leftovers were searched for.
    swept: BTreeSet<PathBuf>,
    /// Whether the process is about to end: no folder is created any more.
    is_closed: bool,
}

static REGISTRY: Mutex<Registry> =
    Mutex::new(Registry { folders: BTreeSet::new(), swept: BTreeSet::new(), is_closed: false });

fn registry<T>(act: impl FnOnce(&mut Registry) -> T) -> T {
    act(&mut REGISTRY.lock().unwrap_or_else(PoisonError::into_inner))
}

/// A temporary folder.
#[derive(Debug)]
pub(crate) struct Folder(TempDir);

impl Folder {
    /// Creates a folder in the system's temporary directory.
    pub(crate) fn new() -> io::Result<Self> {
        sweep(&std::env::temp_dir(), FOLDER);
        // The lock is held during the creation, so that `discard` misses no folder.
        registry(|all| {
            if all.is_closed {
                return Err(io::Error::new(io::ErrorKind::Interrupted, "the program is about to end"));
            }
            let folder = tempfile::Builder::new().prefix(&prefix(FOLDER)).tempdir()?;
            all.folders.insert(folder.path().to_owned());
            Ok(Self(folder))
        })
    }

    /// The path.
    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        registry(|all| all.folders.remove(self.0.path()));
    }
}

/// The beginning of the name of a temporary file next to an output in `dir`; removes leftovers there.
pub(crate) fn file_prefix(dir: &Path) -> String {
    sweep(dir, FILE);
    prefix(FILE)
}

fn prefix(start: &str) -> String {
    format!("{start}{}-", mark())
}

/// Removes all temporary folders, before this process ends.
pub(crate) fn discard() {
    let folders = registry(|all| {
        all.is_closed = true;
        std::mem::take(&mut all.folders)
    });
    for folder in folders {
        // A folder that remains is a leftover for the next process.
        let _ = (0..ATTEMPTS).find(|_| fs::remove_dir_all(&folder).is_ok());
    }
}

/// Removes what processes that have ended left in `dir`, once. Files of others can't be removed, which does not matter.
fn sweep(dir: &Path, start: &str) {
    if !registry(|all| all.swept.insert(dir.to_owned())) {
        return;
    }
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        if !entry.file_name().to_str().is_some_and(|name| is_leftover(name, start)) {
            continue;
        }
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let _ = if is_folder { fs::remove_dir_all(entry.path()) } else { fs::remove_file(entry.path()) };
    }
}

/// Whether `name` is that of a temporary file or folder of a process that has ended.
fn is_leftover(name: &str, start: &str) -> bool {
    let marked = name.strip_prefix(start);
    let mark = marked.and_then(|rest| rest.match_indices('-').nth(2).map(|(at, _)| &rest[..at]));
    mark.is_some_and(is_stale)
}

#[cfg(test)]
mod tests {
    use super::{FILE, Folder, file_prefix, is_leftover, mark};
    use std::fs;

    #[test]
    fn only_marked_names_of_ended_processes_are_leftovers() {
        assert!(!is_leftover(&format!("{FILE}{}-x", mark()), FILE));
        for name in [".backedge-", ".backedge-x", ".backedge-1-2-3", "a.ll", "backedge-fuzz-12-34-56"] {
            assert!(!is_leftover(name, FILE), "{name}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn leftovers_are_removed_once_and_nothing_else() {
        let folder = Folder::new().expect("a folder");
        let [system, _, start] =
            <[&str; 3]>::try_from(mark().split('-').collect::<Vec<_>>()).expect("a mark");
        // No process has this id.
        let left = folder.path().join(format!("{FILE}{system}-4294967295-{start}-abc"));
        let kept = folder.path().join(format!("{FILE}{}-abc", mark()));
        fs::write(&left, "").expect("a file");
        fs::write(&kept, "").expect("a file");
        assert!(file_prefix(folder.path()).starts_with(FILE));
        assert!(!left.exists() && kept.exists());
    }
}
