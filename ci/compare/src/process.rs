//! Processes of both sides with limits: how they ended, and how long they took.

use anyhow::{Context, Result, bail, ensure};
use backedge_process::{self as process, Limits, written};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// The maximum number of output bytes of a process that are read: bounds the memory for a process that prints without
/// end.
const WRITTEN: u64 = 1 << 24;

/// The end of a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Ended {
    /// Successfully.
    Done,
    /// With a failure; contains the last line of its error output.
    Failed(String),
    /// By a signal.
    Crashed(i32),
    /// Stopped after the time limit.
    Time,
}

impl Ended {
    /// Converts the end of an LLVM command to a result.
    pub(crate) fn of_llvm(self, limit: Duration) -> Result<()> {
        match self {
            Self::Done => Ok(()),
            Self::Failed(said) => bail!("LLVM refuses it: {said}"),
            Self::Crashed(signal) => bail!("LLVM is ended by signal {signal}"),
            Self::Time => bail!("LLVM takes more than {} s", limit.as_secs()),
        }
    }
}

/// Fails if `command` cannot be run at all, which does not depend on a file.
pub(crate) fn is_there(command: &Path, limit: Duration) -> Result<()> {
    run(Command::new(command).arg("--version"), limit).map(drop)
}

/// Backedge's command: `given`, or the one beside this program.
pub(crate) fn backedge(given: Option<&Path>) -> Result<PathBuf> {
    let ours = match given {
        Some(path) => path.to_path_buf(),
        None => std::env::current_exe()?.with_file_name("backedge"),
    };
    ensure!(ours.is_file(), "{} is missing: build it with the same profile", ours.display());
    Ok(ours)
}

/// Runs `command` without output for at most `limit`.
pub(crate) fn run(command: &mut Command, limit: Duration) -> Result<Ended> {
    Ok(run_with_stderr(command, limit)?.0)
}

/// The same; also returns its standard error, truncated to a maximum length.
pub(crate) fn run_with_stderr(command: &mut Command, limit: Duration) -> Result<(Ended, String)> {
    let mut errors = tempfile::tempfile()?;
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(errors.try_clone()?);
    let Some(status) = ended(command, limit)?.status() else { return Ok((Ended::Time, String::new())) };
    if let Some(signal) = status.signal() {
        return Ok((Ended::Crashed(signal), String::new()));
    }
    let said = written(&mut errors, WRITTEN)?;
    if status.success() {
        return Ok((Ended::Done, said));
    }
    let line = said.lines().find(|l| l.contains("error")).or(said.lines().next());
    Ok((Ended::Failed(line.unwrap_or("it says nothing").trim().to_owned()), said))
}

/// The output and processor time of a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Measured {
    /// Its exit code; `None` if it was stopped or crashed.
    pub(crate) code: Option<i32>,
    /// Its standard output, truncated to a maximum length.
    pub(crate) output: String,
    /// User and system time, including the processes that it has started and waited for.
    pub(crate) cpu: Duration,
}

/// Runs `command` for at most `limit`. No other child process may end in the meantime, because its time would be
/// counted.
pub(crate) fn measured(command: &mut Command, limit: Duration) -> Result<Measured> {
    let mut output = tempfile::tempfile()?;
    command.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(Stdio::null());
    let before = children()?;
    let status = ended(command, limit)?.status();
    let cpu = children()?.saturating_sub(before);
    let output = written(&mut output, WRITTEN)?;
    Ok(Measured { code: status.and_then(|s| s.code()), output, cpu })
}

/// The processor time of all ended child processes and their descendants.
fn children() -> Result<Duration> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let time = |t: TimeVal| {
        let micros = i128::from(t.tv_sec()) * 1_000_000 + i128::from(t.tv_usec());
        Duration::from_micros(u64::try_from(micros).unwrap_or_default())
    };
    Ok(time(usage.user_time()) + time(usage.system_time()))
}

/// The shortest time of each command over several rounds; `None` if one of them fails or exceeds the limit.
pub(crate) fn best<const N: usize>(
    commands: &mut [Command; N],
    repeats: u32,
    limit: Duration,
) -> Result<Option<[Duration; N]>> {
    let mut best = [Duration::MAX; N];
    for _ in 0..repeats {
        for (command, best) in commands.iter_mut().zip(&mut best) {
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            let ended = ended(command, limit)?;
            if !ended.status().is_some_and(|s| s.success()) {
                return Ok(None);
            }
            *best = ended.took.min(*best);
        }
    }
    Ok(Some(best))
}

/// Runs `command` for at most `limit`.
fn ended(command: &mut Command, limit: Duration) -> Result<process::Ended> {
    process::run(command, Limits::of_time(limit), &[])
        .with_context(|| format!("{} can't be run", command.get_program().display()))
}
