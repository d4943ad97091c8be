//! The files that are asked for.

use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::PathBuf;

/// All .ll files among `inputs` and below the directories, sorted. It is an error if there are none.
pub(crate) fn collect(inputs: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut work = inputs.to_vec();
    while let Some(path) = work.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).with_context(|| format!("{} can't be read", path.display()))?;
            for entry in entries {
                let path = entry?.path();
                if path.is_dir() || path.extension().is_some_and(|e| e == "ll") {
                    work.push(path);
                }
            }
        } else {
            files.push(path);
        }
    }
    files.sort();
    ensure!(!files.is_empty(), "there is no .ll file");
    Ok(files)
}
