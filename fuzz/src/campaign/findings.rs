//! Where findings are kept: `DIR/<bucket>/<hash>.ll`, which holds what is left of the program, and `<hash>.json` beside it,
//! with all that is known of it. Both are created, never written over: several campaigns may share the directory.

use super::task::Finding;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
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
    /// The files of `bucket` that say what is known, in order.
    fn of(&self, bucket: &str) -> Vec<PathBuf> {
        let Ok(entries) = fs::read_dir(self.dir.join(bucket)) else { return Vec::new() };
        let mut files: Vec<PathBuf> = entries
            .flatten()
            .map(|e| e.path())
            .filter(|p| p.extension().is_some_and(|e| e == "json"))
            .collect();
        files.sort();
        files
    }

    /// Keeps `finding`, unless there is one in its bucket.
    ///
    /// # Errors
    ///
    /// If it can't be written.
    pub fn keep(&self, finding: &Finding) -> io::Result<Kept> {
        let folder = self.dir.join(&finding.bucket);
        let hash = blake3::hash(finding.text.as_bytes()).to_hex();
        let stem = folder.join(&hash[..16]);
        let code = stem.with_extension("ll");
        if self.knows(&finding.bucket) {
            return Ok(Kept::Known);
        }
        fs::create_dir_all(&folder)?;
        // The data come last: a finding without them is none yet, and is completed here.
        let text = format!("{}{}", header(finding), finding.text);
        if !create(&code, &text)? && fs::read_to_string(&code)? != text {
            return Ok(Kept::Known);
        }
        let data = Finding { text: String::new(), ..finding.clone() };
        let json = serde_json::to_string_pretty(&data).map_err(io::Error::other)? + "\n";
        Ok(if create(&stem.with_extension("json"), &json)? { Kept::New(code) } else { Kept::Known })
    }
}

/// The finding that a file of data holds, with the code beside it.
///
/// # Errors
///
/// If one of the files can't be read or is not understood.
pub fn read(path: &Path) -> io::Result<Finding> {
    let mut finding: Finding =
        serde_json::from_slice(&fs::read(path.with_extension("json"))?).map_err(io::Error::other)?;
    finding.text = fs::read_to_string(path.with_extension("ll"))?;
    Ok(finding)
}

/// Creates `path` with `text`, whole; false if it is there.
fn create(path: &Path, text: &str) -> io::Result<bool> {
    // Under a name of its own first, so that what is there is whole; the link is what fails if the name is taken.
    let temp = path.with_extension(format!("{}.tmp", std::process::id()));
    let written = OpenOptions::new().write(true).create_new(true).open(&temp).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_data()
    });
    let created = written.and_then(|()| match fs::hard_link(&temp, path) {
        Ok(()) => Ok(true),
        Err(e) if e.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(e) => Err(e),
    });
    // It is of no use to anybody.
    let _ = fs::remove_file(&temp);
    created
}

/// What stands above the code.
fn header(finding: &Finding) -> String {
    use super::task::System;
    let mut text = format!("; {}\n", one_line(&finding.message));
    match &finding.reduced_system {
        System::Passes(passes) => text.push_str(&format!("; backedge gate FILE --passes '{passes}'\n")),
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
