//! A run of one side's pipeline on one file.

use super::functions;
use super::remarks::{self, Remark};
use crate::process::{self, Ended};
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The optimizer of Backedge or LLVM.
#[derive(Clone, Debug)]
pub(crate) struct Optimizer {
    pub(crate) name: &'static str,
    /// The command and its fixed arguments.
    program: PathBuf,
    always: &'static [&'static str],
    limit: Duration,
}

/// The result of a run on a file.
pub(crate) struct Made {
    pub(crate) text: Vec<u8>,
    pub(crate) codes: BTreeMap<String, String>,
    /// Remarks on applied transforms.
    pub(crate) remarks: Vec<Remark>,
    /// Remarks on missed transforms.
    pub(crate) missed: Vec<Remark>,
}

impl Optimizer {
    pub(crate) fn ours(program: PathBuf, limit: Duration) -> Self {
        Self { name: "ours", program, always: &["opt"], limit }
    }
    pub(crate) fn llvm(program: PathBuf, limit: Duration) -> Self {
        Self { name: "LLVM", program, always: &[], limit }
    }
    /// The command that runs `pipeline` over `file`.
    pub(crate) fn command(&self, pipeline: &str, options: &[&str], file: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.args(self.always).arg(format!("-passes={pipeline}")).args(options).arg(file);
        command
    }
    /// Runs `pipeline` on `file`. The error says how it failed.
    pub(crate) fn run(&self, pipeline: &str, options: &[&str], file: &Path) -> Result<Made> {
        let dir = tempfile::tempdir()?;
        let (code, yaml) = (dir.path().join("code"), dir.path().join("remarks"));
        let mut command = self.command(pipeline, options, file);
        command.arg("-S").arg("-o").arg(&code);
        // LLVM's option has one dash, Backedge's has two.
        let dashes = if self.always.is_empty() { "-" } else { "--" };
        command.arg(format!("{dashes}pass-remarks-output={}", yaml.display()));
        match process::run(&mut command, self.limit)? {
            Ended::Done => {}
            Ended::Failed(said) => bail!("{} refuses it: {said}", self.name),
            Ended::Crashed(signal) => bail!("{} is ended by signal {signal}", self.name),
            Ended::Time => bail!("{} takes more than {} s", self.name, self.limit.as_secs()),
        }
        let text = fs::read(&code).with_context(|| format!("{} writes nothing", self.name))?;
        let said = fs::read(&yaml).with_context(|| format!("{} writes no remarks", self.name))?;
        let (remarks, mut missed): (Vec<_>, Vec<_>) = remarks::read(&String::from_utf8_lossy(&said))
            .with_context(|| format!("the remarks of {}", self.name))?
            .into_iter()
            .partition(|r| r.kind == "Passed");
        missed.retain(|r| r.kind == "Missed");
        let codes = functions::codes(&String::from_utf8_lossy(&text));
        Ok(Made { text, codes, remarks, missed })
    }
}
