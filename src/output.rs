//! Writing: files appear whole or not at all, and a reader that goes away is no error.

use miette::{IntoDiagnostic, WrapErr};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

/// Writes `text` to standard output. A closed pipe ends the output quietly: whoever reads has seen enough.
pub(crate) fn to_stdout(text: &str) -> miette::Result<()> {
    let mut out = io::stdout().lock();
    quiet_on_closed_pipe(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
        .into_diagnostic()
        .wrap_err("standard output can't be written")
}

/// Treats a closed pipe as success.
pub(crate) fn quiet_on_closed_pipe(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(e) if e.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// Writes `text` to the file `path`, or to standard output if `path` is `-`.
pub(crate) fn write(path: &Path, text: &str) -> miette::Result<()> {
    if path == Path::new("-") {
        return to_stdout(text);
    }
    let mut file = PendingFile::create(path)?;
    file.write(text.as_bytes())?;
    file.finish()
}

/// A file that is written under a temporary name in its directory and takes its own name when it is finished. If it
/// is dropped before, an existing file of that name stays as it was.
pub(crate) struct PendingFile<'a> {
    path: &'a Path,
    /// `None` for what can't be replaced by renaming, like a terminal or `/dev/null`.
    temp: Option<tempfile::NamedTempFile>,
    direct: Option<std::fs::File>,
}

impl<'a> PendingFile<'a> {
    /// Starts to write `path`.
    pub(crate) fn create(path: &'a Path) -> miette::Result<Self> {
        let what = || format!("{} can't be written", path.display());
        if let Ok(meta) = std::fs::metadata(path) {
            if meta.is_dir() {
                return Err(miette::miette!("{} can't be written: it is a directory", path.display()));
            }
            if !meta.is_file() {
                let direct = std::fs::OpenOptions::new()
                    .write(true)
                    .open(path)
                    .into_diagnostic()
                    .wrap_err_with(what)?;
                return Ok(Self { path, temp: None, direct: Some(direct) });
            }
        }
        let dir = path.parent().filter(|d| !d.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        builder.prefix(".backedge-");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // What a file has that is created in the ordinary way; the process' mask applies.
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let temp = builder.tempfile_in(dir).into_diagnostic().wrap_err_with(what)?;
        Ok(Self { path, temp: Some(temp), direct: None })
    }

    /// Appends `bytes`.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> miette::Result<()> {
        let result = match (&mut self.temp, &mut self.direct) {
            (Some(temp), _) => temp.write_all(bytes),
            (None, Some(file)) => quiet_on_closed_pipe(file.write_all(bytes)),
            (None, None) => Ok(()),
        };
        result.into_diagnostic().wrap_err_with(|| format!("{} can't be written", self.path.display()))
    }

    /// Gives the file its name.
    pub(crate) fn finish(self) -> miette::Result<()> {
        let Some(temp) = self.temp else { return Ok(()) };
        temp.as_file()
            .sync_data()
            .and_then(|()| temp.persist(self.path).map(drop).map_err(|e| e.error))
            .into_diagnostic()
            .wrap_err_with(|| format!("{} can't be written", self.path.display()))
    }
}

/// Writes `text` and a line end to standard error, as far as that can be done.
pub(crate) fn to_stderr(text: &str) {
    // Standard error is the last place to complain to.
    let _ = writeln!(io::stderr().lock(), "{text}");
}
