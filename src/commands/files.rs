//! Finds the input files of commands that accept directories.

use crate::output;
use std::io;
use std::path::{Path, PathBuf};

/// The `.ll` files of `paths`, sorted for each path.
pub(crate) fn find_files(paths: &[PathBuf]) -> miette::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            refuse_missing(path)?;
            files.push(path.clone());
            continue;
        }
        let mut found = Vec::new();
        let mut pending = vec![path.clone()];
        while let Some(dir) = pending.pop() {
            let unreadable = |e: io::Error| {
                miette::miette!("{} can't be read: {}", crate::shown::shown(&dir), crate::shown::reason(&e))
            };
            for entry in std::fs::read_dir(&dir).map_err(unreadable)? {
                let entry = entry.map_err(unreadable)?;
                let path = entry.path();
                // Links to directories are not followed, because they may form cycles.
                if entry.file_type().is_ok_and(|t| t.is_dir()) {
                    pending.push(path);
                } else if path.extension().is_some_and(|e| e == "ll") && may_be_read(&path) {
                    found.push(path);
                }
            }
        }
        if found.is_empty() {
            miette::bail!(
                help = "only files whose names end in .ll are searched for; another file can be named itself",
                "no .ll file in the directory {}",
                crate::shown::shown(path)
            );
        }
        found.sort();
        files.extend(found);
    }
    Ok(files)
}

/// Fails if there is no file at `path`, so that a typo is reported before any work is done.
fn refuse_missing(path: &Path) -> miette::Result<()> {
    match std::fs::symlink_metadata(path) {
        Err(e) if path != Path::new("-") && e.kind() == io::ErrorKind::NotFound => {
            miette::bail!("{} can't be read: {}", crate::shown::shown(path), crate::shown::reason(&e))
        }
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Whether `path`, found in a directory, may be read: not if it is a pipe or a device, which might never end. Other
/// errors are left to the reader.
fn may_be_read(path: &Path) -> bool {
    match std::fs::metadata(path) {
        Ok(meta) if !meta.is_file() && !meta.is_dir() => {
            output::to_stderr(&format!(
                "warning: {} is skipped: it is not a regular file",
                crate::shown::shown(path)
            ));
            false
        }
        Ok(meta) => meta.is_file(),
        Err(_) => true,
    }
}
