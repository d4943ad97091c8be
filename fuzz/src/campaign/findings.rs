//! The directory of findings. `DIR/<bucket>/<hash>.ll` holds the reduced program, and `<hash>.json` next to it holds
//! all data about the finding. Files are created and never overwritten, because several campaigns may share the
//! directory; the exception is a damaged file of an unfinished write.

use super::task::{Finding, System};
use super::whole::{self, by_temp};
use backedge_ir::parse::read_module;
use backedge_process::owner;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The directory of findings.
#[derive(Clone, Debug)]
pub struct Findings {
    dir: PathBuf,
}

/// Result of storing a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kept {
    /// The finding is the first of its bucket, stored in this file.
    New(PathBuf),
    /// The bucket already has a finding.
    Known,
}

impl Findings {
    /// Uses the directory `dir`, which is created with the first finding.
    pub fn new(dir: PathBuf) -> Self {
        Self { dir }
    }
    /// The directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }
    /// Removes the temporary files of writers that were killed.
    pub fn remove_leftovers(&self) {
        let entries =
            |dir: &Path| fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path());
        for path in entries(&self.dir).filter(|path| path.is_dir()).flat_map(|folder| entries(&folder)) {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let mark = name.strip_suffix(".tmp").and_then(|rest| rest.rsplit('.').next());
            if mark.is_some_and(owner::is_stale) {
                // A file that remains does no harm.
                let _ = fs::remove_file(path);
            }
        }
    }
    /// Whether `bucket` has a readable finding.
    pub fn knows(&self, bucket: &str) -> bool {
        self.of(bucket).iter().any(|path| is_whole(path))
    }
    /// The program of the first finding in `bucket`, if there is one.
    pub fn example(&self, bucket: &str) -> Option<PathBuf> {
        self.of(bucket).first().map(|path| path.with_extension("ll"))
    }
    /// The data files of `bucket`, sorted. A data file without a program is not a finding.
    fn of(&self, bucket: &str) -> Vec<PathBuf> {
        let Ok(entries) = fs::read_dir(self.dir.join(bucket)) else { return Vec::new() };
        let mut files: Vec<PathBuf> = entries
            .flatten()
            .map(|e| e.path())
            .filter(|p| p.extension().is_some_and(|e| e == "json") && p.with_extension("ll").is_file())
            .collect();
        files.sort();
        files
    }

    /// Stores `finding`, unless its bucket already has one. Files of an unfinished write are written again.
    ///
    /// # Errors
    ///
    /// If a file can't be written.
    pub fn keep(&self, finding: &Finding) -> Result<Kept, FindingError> {
        let folder = self.dir.join(&finding.bucket);
        let hash = blake3::hash(finding.text.as_bytes()).to_hex();
        let stem = folder.join(&hash[..16]);
        let code = stem.with_extension("ll");
        if self.knows(&finding.bucket) {
            return Ok(Kept::Known);
        }
        let at = |path: &Path| {
            let path = path.to_owned();
            move |e| FindingError(path, e)
        };
        fs::create_dir_all(&folder).map_err(at(&folder))?;
        let text = format!("{}{}", header(finding), finding.text);
        let data = Finding { text: String::new(), ..finding.clone() };
        let data_path = stem.with_extension("json");
        let json =
            serde_json::to_string_pretty(&data).map_err(io::Error::other).map_err(at(&data_path))? + "\n";
        // The data file is written last: a program without data, or data without a program, is an incomplete finding.
        let data_alone = data_path.exists() && !code.exists();
        let put = |path: &Path, contents: &str| {
            let is_there = || whole::read(path).is_ok_and(|old| old == contents.as_bytes());
            let is_new = create(path, contents)?;
            // The writer was killed, or the file was truncated.
            let is_damaged = !is_new && !is_there() && !is_whole(&code);
            if is_damaged {
                replace(path, contents)?;
            }
            Ok(is_new || is_damaged)
        };
        put(&code, &text).map_err(at(&code))?;
        let is_new = put(&data_path, &json).map_err(at(&data_path))? || data_alone;
        Ok(if is_new { Kept::New(code) } else { Kept::Known })
    }
}

/// A finding can't be written.
#[derive(Debug, thiserror::Error)]
#[error("{0} can't be written: {1}")]
pub struct FindingError(PathBuf, io::Error);

/// Reads the code of a finding.
///
/// # Errors
///
/// If the file can't be read.
pub fn text(path: &Path) -> io::Result<String> {
    String::from_utf8(whole::read(path)?).map_err(io::Error::other)
}

/// The system under test, from the comment lines at the top of a finding's code.
pub fn system_above(text: &str) -> Option<System> {
    let mut above = text.lines().take_while(|line| line.starts_with(';'));
    above.find_map(|line| {
        let spelled = |quoted: &str| serde_json::from_str(quoted).ok().map(System::Command);
        let plain = || line.strip_prefix(COMMAND).map(|command| System::Command(command.to_owned()));
        let command = line.strip_prefix(QUOTED).map_or_else(plain, spelled);
        let passes =
            || line.strip_prefix(PASSES)?.split_once('\'').map(|(p, _)| System::Passes(p.to_owned()));
        command.or_else(passes)
    })
}

/// Reads the finding from a data file and the code next to it.
///
/// # Errors
///
/// If one of the files can't be read or parsed.
pub fn read(path: &Path) -> io::Result<Finding> {
    let mut finding: Finding =
        serde_json::from_slice(&whole::read(&path.with_extension("json"))?).map_err(io::Error::other)?;
    finding.text = text(&path.with_extension("ll"))?;
    Ok(finding)
}

/// Whether the files of a finding are complete: the data parse, and the code is a module, with function bodies if the
/// reduced program had instructions. This check can't detect other truncations.
fn is_whole(path: &Path) -> bool {
    let has_code =
        |text: &str| read_module(text.as_bytes()).is_ok_and(|parsed| parsed.module.bodies().next().is_some());
    read(path).is_ok_and(|finding| finding.reduced_instructions == 0 || has_code(&finding.text))
}

/// Creates `path` with `text`, atomically; returns false if the file exists.
fn create(path: &Path, text: &str) -> io::Result<bool> {
    // The link fails if the name is taken.
    by_temp(&temp_of(path), text.as_bytes(), |temp| match fs::hard_link(temp, path) {
        Ok(()) => Ok(true),
        Err(e) if e.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(e) => Err(e),
    })
}

/// Replaces the contents of `path` with `text`, atomically.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    by_temp(&temp_of(path), text.as_bytes(), |temp| fs::rename(temp, path))
}

/// A file name next to `path` that is unique to this process.
fn temp_of(path: &Path) -> PathBuf {
    path.with_extension(format!("{}.tmp", owner::mark()))
}

/// Prefixes of the comment lines that name this project's passes or a command.
const PASSES: &str = "; backedge gate FILE --passes '";
const COMMAND: &str = "; command: ";
/// Prefix for a command that does not fit on one line verbatim; a JSON string follows.
const QUOTED: &str = "; command, as JSON: ";

/// The comment lines at the top of the code.
fn header(finding: &Finding) -> String {
    let mut text = format!("; {}\n", one_line(&finding.message));
    match &finding.reduced_system {
        System::Passes(passes) => {
            let machine = finding.machine.iter().map(|name| format!(" --machine {name}")).collect::<String>();
            text.push_str(&format!("{PASSES}{passes}'{machine}\n"));
        }
        System::Command(command) if !command.contains(char::is_control) && command.trim() == command => {
            text.push_str(&format!("{COMMAND}{command}\n"));
        }
        System::Command(command) => text.push_str(&format!("{QUOTED}{}\n", serde_json::json!(command))),
        System::Nothing => {}
    }
    if let Some(case) = &finding.case {
        text.push_str(&format!("; input: {}\n", case.input.replace(char::is_control, " ")));
    }
    text + "\n"
}

fn one_line(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    // A command may print escape sequences, which must not reach the terminal of whoever reads the file.
    words.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).take(300).collect()
}

#[cfg(test)]
mod tests {
    use super::{COMMAND, QUOTED, System, one_line, system_above};

    #[test]
    fn a_message_is_one_line_without_escape_sequences() {
        assert_eq!(one_line("a\r\n b\x1b[31m\tc"), "a b\u{fffd}[31m c");
        assert_eq!(one_line(&"x".repeat(1000)).len(), 300);
    }

    #[test]
    fn a_command_is_read_as_it_was() {
        let long = format!("./opt '-passes=a  b' {}", "x ".repeat(400) + "y");
        let read =
            |head: &str, command: &str| system_above(&format!("; crash\n{head}{command}\n\ndefine void"));
        assert_eq!(read(COMMAND, &long), Some(System::Command(long.clone())));
        let odd = "./opt 'a\nb\t'";
        assert_eq!(read(QUOTED, &serde_json::json!(odd).to_string()), Some(System::Command(odd.to_owned())));
    }
}
