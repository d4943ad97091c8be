//! Where findings are kept: `DIR/<bucket>/<hash>.ll`, which holds what is left of the program, and `<hash>.json` beside it,
//! with all that is known of it. Both are created, never written over: several campaigns may share the directory.

use super::task::Finding;
use super::whole::{self, by_temp};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The directory.
#[derive(Clone, Debug)]
pub struct Findings {
    dir: PathBuf,
}

/// What became of a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kept {
    /// It is the first of its bucket, and stands in that file.
    New(PathBuf),
    /// Its bucket is known.
    Known,
}

impl Findings {
    /// The directory `dir`, which is made when the first finding comes.
    pub fn new(dir: PathBuf) -> Self {
        Self { dir }
    }
    /// The directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }
    /// Whether there is a finding in `bucket`.
    pub fn knows(&self, bucket: &str) -> bool {
        !self.of(bucket).is_empty()
    }
    /// The program of `bucket`, if there is one.
    pub fn example(&self, bucket: &str) -> Option<PathBuf> {
        self.of(bucket).first().map(|path| path.with_extension("ll"))
    }
    /// The files of `bucket` that say what is known, in order. What has no program beside it is no finding.
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

    /// Keeps `finding`, unless there is one in its bucket. What somebody began to write of it and did not finish is written
    /// again.
    ///
    /// # Errors
    ///
    /// If it can't be written.
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
        // The data come last: a program without them is half a finding, and so are data without a program.
        let data_alone = data_path.exists() && !code.exists();
        let is_there = !create(&code, &text).map_err(at(&code))?;
        if is_there && !data_path.exists() && whole::read(&code).is_ok_and(|old| old != text.as_bytes()) {
            replace(&code, &text).map_err(at(&code))?;
        }
        let is_new = create(&data_path, &json).map_err(at(&data_path))? || data_alone;
        Ok(if is_new { Kept::New(code) } else { Kept::Known })
    }
}

/// A finding can't be written.
#[derive(Debug, thiserror::Error)]
#[error("{0} can't be written: {1}")]
pub struct FindingError(PathBuf, io::Error);

/// The code of a finding.
///
/// # Errors
///
/// If it can't be read.
pub fn text(path: &Path) -> io::Result<String> {
    String::from_utf8(whole::read(path)?).map_err(io::Error::other)
}

/// The finding that a file of data holds, with the code beside it.
///
/// # Errors
///
/// If one of the files can't be read or is not understood.
pub fn read(path: &Path) -> io::Result<Finding> {
    let mut finding: Finding =
        serde_json::from_slice(&whole::read(&path.with_extension("json"))?).map_err(io::Error::other)?;
    finding.text = text(&path.with_extension("ll"))?;
    Ok(finding)
}

/// Creates `path` with `text`, whole; false if it is there.
fn create(path: &Path, text: &str) -> io::Result<bool> {
    // The link is what fails if the name is taken.
    by_temp(&temp_of(path), text.as_bytes(), |temp| match fs::hard_link(temp, path) {
        Ok(()) => Ok(true),
        Err(e) if e.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(e) => Err(e),
    })
}

/// Puts `text` in the place of what `path` holds.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    by_temp(&temp_of(path), text.as_bytes(), |temp| fs::rename(temp, path))
}

/// A name beside `path` that is this process' own.
fn temp_of(path: &Path) -> PathBuf {
    path.with_extension(format!("{}.tmp", std::process::id()))
}

/// What stands above the code.
fn header(finding: &Finding) -> String {
    use super::task::System;
    let mut text = format!("; {}\n", one_line(&finding.message));
    match &finding.reduced_system {
        System::Passes(passes) => {
            let machine = finding.machine.iter().map(|name| format!(" --machine {name}")).collect::<String>();
            text.push_str(&format!("; backedge gate FILE --passes '{passes}'{machine}\n"));
        }
        System::Command(command) => text.push_str(&format!("; command: {}\n", one_line(command))),
        System::Nothing => {}
    }
    if let Some(case) = &finding.case {
        text.push_str(&format!("; input: {}\n", one_line(&case.input)));
    }
    text + "\n"
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(300).collect()
}
