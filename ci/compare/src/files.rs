//! The input files: their names, their contents, and a progress bar.

use anyhow::{Context, Result, anyhow, ensure};
use backedge_ir::module::Module;
use indicatif::{ParallelProgressIterator, ProgressBar, ProgressStyle};
use rayon::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};

/// All .ll files among `inputs` and below the directories, sorted. Fails if there are none.
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

/// The results of `one` on each file, computed in parallel, in the order of the files.
pub(crate) fn each<T: Send>(
    files: &[PathBuf],
    one: impl Fn(&Path) -> T + Sync + Send,
) -> Result<Vec<(PathBuf, T)>> {
    let progress = progress(files.len())?;
    Ok(files.par_iter().progress_with(progress).map(|file| (file.clone(), one(file))).collect())
}

/// A progress bar with that many steps.
pub(crate) fn progress(count: usize) -> Result<ProgressBar> {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {eta}")?;
    Ok(ProgressBar::new(count as u64).with_style(style))
}

/// Parses a module.
pub(crate) fn parse(text: &[u8]) -> Result<Module> {
    Ok(backedge_ir::parse::parse_module(text).map_err(|e| anyhow!("{e}"))?.module)
}
