//! Processes of both sides with limits: how they ended, and how long they took.

use anyhow::{Context, Result, bail, ensure};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;
use std::io::{Read, Seek};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

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
    let (Some(status), _) = wait(command, limit)? else { return Ok((Ended::Time, String::new())) };
    if let Some(signal) = status.signal() {
        return Ok((Ended::Crashed(signal), String::new()));
    }
    let mut said = Vec::new();
    errors.rewind()?;
    errors.take(WRITTEN).read_to_end(&mut said)?;
    let said = String::from_utf8_lossy(&said).into_owned();
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
    let (status, _) = wait(command, limit)?;
    let cpu = children()?.saturating_sub(before);
    let mut said = Vec::new();
    output.rewind()?;
    output.take(WRITTEN).read_to_end(&mut said)?;
    let output = String::from_utf8_lossy(&said).into_owned();
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
            let (status, time) = wait(command, limit)?;
            if !status.is_some_and(|s| s.success()) {
                return Ok(None);
            }
            *best = time.min(*best);
        }
    }
    Ok(Some(best))
}

/// Waits until `command` has ended, or stops it after `limit`; also returns the elapsed time.
fn wait(command: &mut Command, limit: Duration) -> Result<(Option<ExitStatus>, Duration)> {
    let began = Instant::now();
    let mut child =
        command.spawn().with_context(|| format!("{} can't be run", command.get_program().display()))?;
    // There is no system call to wait with a timeout; polling with these intervals is precise enough.
    let mut pause = Duration::from_micros(50);
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if began.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            break None;
        }
        std::thread::sleep(pause);
        pause = (began.elapsed() / 50).clamp(Duration::from_micros(50), Duration::from_millis(20));
    };
    Ok((status, began.elapsed()))
}
