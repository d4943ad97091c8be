//! A process that checks the claims on one file, within limits of time and memory.

use anyhow::{Context, Result};
use backedge_process::{Limit, Limits, run, written};
use serde::Deserialize;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

/// The result for one claim, as `backedge scev check` writes it.
#[derive(Clone, Deserialize, Debug)]
pub(crate) struct Record {
    pub(crate) function: String,
    pub(crate) claim: String,
    pub(crate) property: String,
    pub(crate) status: String,
    pub(crate) reason: Option<String>,
    pub(crate) by: Option<String>,
    pub(crate) detail: String,
    pub(crate) args: Option<String>,
    pub(crate) environment: Option<Vec<String>>,
    pub(crate) evidence: Option<String>,
}

/// How a process ended.
#[derive(Clone, Debug)]
pub(crate) struct Ended {
    pub(crate) how: How,
    pub(crate) took: Duration,
    pub(crate) records: Vec<Record>,
    /// The lines of the records.
    lines: Vec<String>,
}

/// Kinds of process termination.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum How {
    /// It ended normally, with a verdict.
    Checked,
    /// It rejected the file, with this message.
    BadInput(String),
    /// It crashed; the last line of its standard error.
    Crashed(String),
    /// It exceeded a limit.
    Limit(Limit),
}

/// Checks the claims on `file`.
pub(crate) fn check(backedge: &Path, arguments: &[String], file: &Path, limits: Limits) -> Result<Ended> {
    let dir = tempfile::tempdir()?;
    let json = dir.path().join("claims");
    let mut errors = tempfile::tempfile()?;
    let mut command = Command::new(backedge);
    command.args(["scev", "check"]).arg(file).arg("--json").arg(&json).args(arguments);
    // One thread per process: the pool runs as many processes as requested.
    command.env("RAYON_NUM_THREADS", "1");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(errors.try_clone()?);
    let ended =
        run(&mut command, limits, &[]).with_context(|| format!("{} can't be run", backedge.display()))?;
    let how = match ended.how {
        Err(limit) => How::Limit(limit),
        Ok(status) => of_status(status, written(&mut errors, 1 << 16)?.trim()),
    };
    let (mut records, mut lines) = (Vec::new(), Vec::new());
    if how == How::Checked {
        for line in BufReader::new(File::open(&json).context("no records were written")?).lines() {
            let line = line?;
            records.push(serde_json::from_str(&line).with_context(|| format!("not a record: {line}"))?);
            lines.push(line);
        }
    }
    Ok(Ended { how, took: ended.took, records, lines })
}

fn of_status(status: ExitStatus, said: &str) -> How {
    match status.code() {
        Some(0 | 1 | 3) => How::Checked,
        Some(2) => How::BadInput(said.lines().next().unwrap_or_default().to_owned()),
        _ => How::Crashed(format!("{status}: {}", said.lines().next_back().unwrap_or_default())),
    }
}

impl Ended {
    /// The records as JSON lines, with file name and time added.
    pub(crate) fn json(&self, file: &Path) -> Result<String> {
        let mut text = String::new();
        for line in &self.lines {
            let mut record: serde_json::Value = serde_json::from_str(line)?;
            record["file"] = file.display().to_string().into();
            record["milliseconds"] = u64::try_from(self.took.as_millis()).unwrap_or(u64::MAX).into();
            text.push_str(&record.to_string());
            text.push('\n');
        }
        Ok(text)
    }
}
