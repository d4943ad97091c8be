//! The `[[measure]]` entries of a file of expectations.

use anyhow::{Context, Result};
use serde::Deserialize;
use std::fs;
use std::path::Path;

/// A run to measure.
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entry {
    pub(crate) function: String,
    /// The arguments, as in a `[[run]]` entry.
    pub(crate) args: Vec<String>,
}

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    measure: Vec<Entry>,
}

/// The entries in `path`; none if the file does not exist.
pub(crate) fn read(path: &Path) -> Result<Vec<Entry>> {
    if !path.is_file() {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(path).with_context(|| format!("{} can't be read", path.display()))?;
    let file: File = toml::from_str(&text).with_context(|| path.display().to_string())?;
    Ok(file.measure)
}
