//! Output: files are written atomically, and a closed pipe is not an error.

use crate::settings::settings;
use crate::shown::{reason, shown, visible_lines, visible_styled, without_error_numbers};
use crate::temporary;
use miette::{IntoDiagnostic, WrapErr};
use std::borrow::Cow;
use std::fs;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Writes `text` to standard output. A closed pipe ends the output without an error. On a terminal, control characters
/// are replaced, since names in modules and the output of commands may contain any.
pub(crate) fn to_stdout(text: &str) -> miette::Result<()> {
    let is_terminal = io::stdout().is_terminal();
    styled_to_stdout(&if is_terminal { Cow::Owned(visible_lines(text)) } else { Cow::Borrowed(text) })
}

/// Like [`to_stdout`], for text with colours: the caller has replaced all other control characters.
pub(crate) fn styled_to_stdout(text: &str) -> miette::Result<()> {
    let mut out = io::stdout().lock();
    quiet_on_closed_pipe(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
        .into_diagnostic()
        .wrap_err("standard output can't be written")
}

/// Fails if standard output was closed at the start of the program, so that a result would be lost. The standard library
/// then opens `/dev/null` in its place for reading and writing; a shell's redirection opens it for writing only.
fn refuse_closed_stdout() -> miette::Result<()> {
    let is_null = || fs::read_link("/proc/self/fd/1").is_ok_and(|target| target == Path::new("/dev/null"));
    let is_read_and_written = || {
        let info = fs::read_to_string("/proc/self/fdinfo/1").ok()?;
        let flags = info.lines().find_map(|line| line.strip_prefix("flags:"))?;
        // O_RDWR is 2 of the two bits of the access mode.
        u32::from_str_radix(flags.trim(), 8).ok().map(|flags| flags & 3 == 2)
    };
    if is_null() && is_read_and_written() == Some(true) {
        miette::bail!(
            help = "-o FILE writes to a file, and -o /dev/null discards the result",
            "standard output is closed: the result can't be written"
        );
    }
    Ok(())
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
        refuse_closed_stdout()?;
        return to_stdout(text);
    }
    let mut file = PendingFile::create(path)?;
    file.write(text.as_bytes())?;
    file.finish()
}

/// Writes `text` to the file `path`, which must not exist.
pub(crate) fn write_new(path: &Path, text: &str) -> miette::Result<()> {
    let mut file = PendingFile::create(path)?;
    file.write(text.as_bytes())?;
    check_new(path)?;
    file.finish()
}

/// Fails if the file `path` can't be written or exists.
pub(crate) fn check_new(path: &Path) -> miette::Result<()> {
    if fs::symlink_metadata(path).is_ok() {
        miette::bail!(
            help = "remove it, or choose another name",
            "{} is there already, and is not overwritten",
            shown(path)
        );
    }
    check(path)
}

/// Fails if `path` can't be written; for a check before long work starts.
pub(crate) fn check(path: &Path) -> miette::Result<()> {
    // The reader of a pipe must not see its end yet.
    let is_special = || fs::metadata(path).is_ok_and(|m| !m.is_file() && !m.is_dir());
    if path == Path::new("-") || is_special() { Ok(()) } else { PendingFile::create(path).map(drop) }
}

/// Fails if writing `output` would overwrite one of `inputs`, under any name. Terminals and other special files can't
/// be overwritten.
pub(crate) fn refuse_to_overwrite(output: &Path, inputs: &[PathBuf]) -> miette::Result<()> {
    let is_file = |path: &Path| fs::metadata(path).is_ok_and(|m| m.is_file());
    if output == Path::new("-") || !is_file(output) {
        return Ok(());
    }
    let Some(input) = inputs.iter().find(|i| i.as_os_str() != "-" && is_same_file(i, output)) else {
        return Ok(());
    };
    miette::bail!(
        help = "write to another file",
        "{} can't be written: it would overwrite the input {}",
        output.display(),
        input.display()
    );
}

/// Fails if two of the outputs are the same file, under any names.
pub(crate) fn refuse_twice(outputs: Vec<&PathBuf>) -> miette::Result<()> {
    let files: Vec<&PathBuf> = outputs.into_iter().filter(|path| path.as_os_str() != "-").collect();
    for (nth, path) in files.iter().enumerate() {
        let is_same = |other: &&&PathBuf| whole_name(other) == whole_name(path);
        let Some(other) = files[..nth].iter().find(is_same) else { continue };
        if other == path {
            miette::bail!("{} is named twice: one would overwrite the other", path.display());
        }
        miette::bail!(
            "{} and {} are one file: one would overwrite the other",
            other.display(),
            path.display()
        );
    }
    Ok(())
}

/// The absolute path of a file, which need not exist.
fn whole_name(path: &Path) -> PathBuf {
    let of_folder = || {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some(fs::canonicalize(folder).ok()?.join(path.file_name()?))
    };
    fs::canonicalize(path).ok().or_else(of_folder).unwrap_or_else(|| path.to_owned())
}

#[cfg(unix)]
fn is_same_file(a: &Path, b: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |path: &Path| fs::metadata(path).map(|m| (m.dev(), m.ino()));
    matches!((id(a), id(b)), (Ok(a), Ok(b)) if a == b)
}

#[cfg(not(unix))]
fn is_same_file(a: &Path, b: &Path) -> bool {
    matches!((fs::canonicalize(a), fs::canonicalize(b)), (Ok(a), Ok(b)) if a == b)
}

/// Temporary names of files in progress.
static PENDING: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn pending<T>(act: impl FnOnce(&mut Vec<PathBuf>) -> T) -> T {
    act(&mut PENDING.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Removes all files in progress; for a process that is about to exit immediately.
pub(crate) fn discard_pending() {
    for path in pending(std::mem::take) {
        // Nobody needs the file, so a failure does not matter.
        let _ = fs::remove_file(path);
    }
}

/// A file that is written under a temporary name in its directory and renamed when it is complete. If it is dropped
/// before, an existing file of its final name stays unchanged.
pub(crate) struct PendingFile<'a> {
    path: &'a Path,
    /// The target of `path` if it is a link.
    target: PathBuf,
    /// `None` for files that can't be replaced by renaming, like a terminal or `/dev/null`.
    temp: Option<tempfile::NamedTempFile>,
    direct: Option<fs::File>,
}

impl<'a> PendingFile<'a> {
    /// Starts to write `path`.
    pub(crate) fn create(path: &'a Path) -> miette::Result<Self> {
        let name = shown(path);
        let what = || format!("{name} can't be written");
        let old = fs::metadata(path).ok();
        if let Some(old) = &old {
            if old.is_dir() {
                miette::bail!(help = "name a file", "{}: it is a directory", what());
            }
            if old.permissions().readonly() {
                miette::bail!(
                    help = format!("`chmod u+w {name}` makes it writable; or name another file"),
                    "{}: it is read-only",
                    what()
                );
            }
            if !old.is_file() {
                let direct = fs::OpenOptions::new().write(true).open(path);
                let direct = direct.map_err(|e| miette::miette!("{}: {}", what(), reason(&e)))?;
                return Ok(Self { path, target: path.to_owned(), temp: None, direct: Some(direct) });
            }
        }
        if old.is_none() && fs::symlink_metadata(path).is_ok_and(|m| m.is_symlink()) {
            miette::bail!(
                help = "remove the link, or name another file",
                "{}: it is a link that leads nowhere",
                what()
            );
        }
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let dir = target.parent().filter(|d| !d.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if !dir.is_dir() {
            let dir = shown(dir);
            miette::bail!(
                help = format!("`mkdir -p {dir}` creates it"),
                "{}: there is no directory {dir}",
                what()
            );
        }
        let mut builder = tempfile::Builder::new();
        let prefix = temporary::file_prefix(dir);
        builder.prefix(&prefix);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // The permissions of the existing file, or those of a newly created one; the process's umask applies.
            builder.permissions(old.map_or_else(|| fs::Permissions::from_mode(0o666), |m| m.permissions()));
        }
        let temp = builder.tempfile_in(dir).map_err(|e| {
            // The error also names the temporary file.
            let why = reason(&e);
            let why = why.split(" at path ").next().unwrap_or_default();
            miette::miette!(
                help = "name a file in a directory that you may write to",
                "{}: no file can be created in {}: {why}",
                what(),
                shown(dir)
            )
        })?;
        pending(|all| all.push(temp.path().to_owned()));
        Ok(Self { path, target, temp: Some(temp), direct: None })
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

    /// Renames the file to its final name.
    pub(crate) fn finish(mut self) -> miette::Result<()> {
        let Some(temp) = self.temp.take() else { return Ok(()) };
        let name = temp.path().to_owned();
        let result = temp
            .as_file()
            .sync_data()
            .and_then(|()| temp.persist(&self.target).map(drop).map_err(|e| e.error));
        pending(|all| all.retain(|p| *p != name));
        result.into_diagnostic().wrap_err_with(|| format!("{} can't be written", self.path.display()))
    }
}

impl Drop for PendingFile<'_> {
    fn drop(&mut self) {
        if let Some(temp) = &self.temp {
            pending(|all| all.retain(|p| p != temp.path()));
        }
    }
}

/// Creates the directory `dir` if necessary, and fails unless files can be created in it; for a check before long work
/// starts.
pub(crate) fn make_directory(dir: &Path) -> miette::Result<()> {
    let name = shown(dir);
    if fs::metadata(dir).is_ok_and(|m| !m.is_dir()) {
        miette::bail!(
            help = "name a directory; it is created if there is none of that name",
            "{name} is a file, and a directory is expected"
        );
    }
    let help = "name a directory that you may write to";
    fs::create_dir_all(dir)
        .map_err(|e| miette::miette!(help = help, "the directory {name} can't be created: {}", reason(&e)))?;
    let made = tempfile::Builder::new().prefix(&temporary::file_prefix(dir)).tempfile_in(dir);
    made.map(drop).map_err(|e| {
        let why = reason(&e);
        // The error also names the temporary file.
        let why = why.split(" at path ").next().unwrap_or_default();
        miette::miette!(help = help, "no file can be created in the directory {name}: {why}")
    })
}

/// Writes `text` and a line end to standard error, ignoring failures. The numbers of system errors are left out, and
/// control characters are replaced, since names in modules and the output of commands may contain any; colours are kept
/// if messages have any.
pub(crate) fn to_stderr(text: &str) {
    let text = without_error_numbers(text);
    let is_plain = settings().colored() == Some(false);
    let text = if is_plain { visible_lines(&text) } else { visible_styled(&text) };
    // There is no place left to report a failure.
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Writes an announcement to standard error, unless the user wants results and errors only.
pub(crate) fn note(text: &str) {
    if !settings().quiet {
        to_stderr(text);
    }
}
