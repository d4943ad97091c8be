//! A process that checks the claims on one file, within limits of time and memory.

use anyhow::{Context, Result};
use serde::Deserialize;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The limits of one process.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Limits {
    pub(crate) time: Duration,
    pub(crate) megabytes: u64,
}

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
    /// It exceeded the time limit.
    Time,
    /// It exceeded the memory limit.
    Memory,
}

/// Checks the claims on `file`.
pub(crate) fn check(backedge: &Path, arguments: &[String], file: &Path, limits: Limits) -> Result<Ended> {
    let dir = tempfile::tempdir()?;
    let json = dir.path().join("claims");
    let mut errors = tempfile::tempfile()?;
    let start = Instant::now();
    let mut command = Command::new(backedge);
    command.args(["scev", "check"]).arg(file).arg("--json").arg(&json).args(arguments);
    // One thread per process: the pool runs as many processes as requested.
    command.env("RAYON_NUM_THREADS", "1");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(errors.try_clone()?);
    let child = command.spawn().with_context(|| format!("{} can't be run", backedge.display()))?;
    let how = match wait(child, start, limits)? {
        Err(how) => how,
        Ok(status) => {
            let mut said = Vec::new();
            errors.rewind()?;
            errors.take(1 << 16).read_to_end(&mut said)?;
            of_status(status, String::from_utf8_lossy(&said).trim())
        }
    };
    let took = start.elapsed();
    let (mut records, mut lines) = (Vec::new(), Vec::new());
    if how == How::Checked {
        for line in BufReader::new(File::open(&json).context("no records were written")?).lines() {
            let line = line?;
            records.push(serde_json::from_str(&line).with_context(|| format!("not a record: {line}"))?);
            lines.push(line);
        }
    }
    Ok(Ended { how, took, records, lines })
}

fn of_status(status: ExitStatus, said: &str) -> How {
    match status.code() {
        Some(0 | 1 | 3) => How::Checked,
        Some(2) => How::BadInput(said.lines().next().unwrap_or_default().to_owned()),
        _ => How::Crashed(format!("{status}: {}", said.lines().next_back().unwrap_or_default())),
    }
}

/// Waits for `child`, and kills it when it exceeds a limit.
fn wait(mut child: Child, start: Instant, limits: Limits) -> io::Result<Result<ExitStatus, How>> {
    let mut pause = Duration::from_millis(2);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Ok(status));
        }
        let passed = if start.elapsed() > limits.time {
            Some(How::Time)
        } else {
            megabytes(&child).filter(|m| *m > limits.megabytes).map(|_| How::Memory)
        };
        if let Some(how) = passed {
            child.kill()?;
            child.wait()?;
            return Ok(Err(how));
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

/// The current resident memory of `child` in megabytes, if the system reports it.
fn megabytes(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let resident = status.lines().find_map(|l| l.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = resident.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes >> 10)
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
