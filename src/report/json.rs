//! JSON lines of commands, written as they arise.

use crate::output::{self, PendingFile};
use std::path::{Path, PathBuf};

/// The destination of JSON lines.
pub(crate) enum JsonLines<'a> {
    /// A file, which gets its final name when it is complete.
    File(PendingFile<'a>),
    /// Standard output.
    Stdout,
}

impl<'a> JsonLines<'a> {
    /// The file `path`, or standard output if `path` is `-`.
    ///
    /// # Errors
    ///
    /// If the file can't be written, or is one of `inputs`.
    pub(crate) fn open(path: &'a Path, inputs: &[PathBuf]) -> miette::Result<Self> {
        if path == Path::new("-") {
            return Ok(Self::Stdout);
        }
        output::refuse_to_overwrite(path, inputs)?;
        PendingFile::create(path).map(Self::File)
    }

    /// Writes one line.
    pub(crate) fn line(&mut self, json: &str) -> miette::Result<()> {
        let line = format!("{json}\n");
        match self {
            Self::File(file) => file.write(line.as_bytes()),
            Self::Stdout => output::to_stdout(&line),
        }
    }

    /// Writes complete lines; nothing for an empty text.
    pub(crate) fn lines(&mut self, lines: &str) -> miette::Result<()> {
        match lines.strip_suffix('\n') {
            Some(lines) => self.line(lines),
            None => Ok(()),
        }
    }

    /// Completes the output.
    pub(crate) fn finish(self) -> miette::Result<()> {
        match self {
            Self::File(file) => file.finish(),
            Self::Stdout => Ok(()),
        }
    }
}

/// Whether JSON lines go to standard output, where other text would break them.
pub(crate) fn is_on_stdout(path: Option<&Path>) -> bool {
    path == Some(Path::new("-"))
}
