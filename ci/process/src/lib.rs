//! Child processes with limits on time, memory and output.
//!
//! [`run`] starts a command, waits for it, and kills it when it exceeds a limit. The command writes to files, not to
//! pipes, so that neither side can block on the other, and nothing waits for processes that outlive the command;
//! [`written`] reads such a file. Only the process itself is limited and killed, not its children: [`poll`] is the
//! loop for callers that kill whole process groups or have other limits.
//!
//! No system call waits for a child with a timeout, so the loop polls. Memory is limited only where the system reports
//! it in `/proc`.
//!
//! [`owner`] marks temporary files with the process that they belong to.

pub mod owner;

use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::process::{Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

/// The shortest and the longest pause between two polls.
const PAUSE: [Duration; 2] = [Duration::from_micros(50), Duration::from_millis(20)];
/// A pause is this fraction of the elapsed time, which bounds the relative error of a measured time.
const PART: u32 = 50;

/// The limits of a process.
#[derive(Copy, Clone, Debug)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Duration,
    /// Resident memory in megabytes.
    pub megabytes: Option<u64>,
    /// The total length in bytes of the files that it writes.
    pub output: Option<u64>,
}

impl Limits {
    /// A limit on time only.
    pub fn of_time(time: Duration) -> Self {
        Self { time, megabytes: None, output: None }
    }
}

/// An exceeded limit.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Limit {
    /// The process took too long.
    Time,
    /// It used too much memory.
    Memory,
    /// It wrote too much.
    Output,
}

/// The end of a process.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Ended {
    /// Its exit status, or the limit that it exceeded.
    pub how: Result<ExitStatus, Limit>,
    /// The time from its start to its end.
    pub took: Duration,
}

impl Ended {
    /// The exit status; `None` if the process exceeded a limit.
    pub fn status(&self) -> Option<ExitStatus> {
        self.how.ok()
    }
}

/// Runs `command` within `limits`. `output` are the files that it writes.
///
/// # Errors
///
/// If the command can't be started, or the system does not report its end.
pub fn run(command: &mut Command, limits: Limits, output: &[&File]) -> io::Result<Ended> {
    let start = Instant::now();
    let mut child = command.spawn()?;
    let process = child.id();
    let exceeded = |passed: Duration| {
        let is_over = |limit: Option<u64>, now: &dyn Fn() -> u64| limit.is_some_and(|limit| now() > limit);
        if passed > limits.time {
            Some(Limit::Time)
        } else if is_over(limits.output, &|| output.iter().map(|f| f.metadata().map_or(0, |m| m.len())).sum())
        {
            Some(Limit::Output)
        } else if is_over(limits.megabytes, &|| resident_kilobytes(process).unwrap_or(0) >> 10) {
            Some(Limit::Memory)
        } else {
            None
        }
    };
    let how = poll(|| child.try_wait(), exceeded);
    if !matches!(how, Ok(Ok(_))) {
        // Both fail only if the process has ended by itself.
        let _ = child.kill();
        let _ = child.wait();
    }
    Ok(Ended { how: how?, took: start.elapsed() })
}

/// Polls `ended` with growing pauses until it returns an end or fails, or until `exceeded` returns the reason to stop
/// waiting. The argument of `exceeded` is the elapsed time.
///
/// # Errors
///
/// The error of `ended`.
pub fn poll<T, E>(
    mut ended: impl FnMut() -> io::Result<Option<T>>,
    mut exceeded: impl FnMut(Duration) -> Option<E>,
) -> io::Result<Result<T, E>> {
    let start = Instant::now();
    loop {
        if let Some(end) = ended()? {
            return Ok(Ok(end));
        }
        let passed = start.elapsed();
        if let Some(reason) = exceeded(passed) {
            return Ok(Err(reason));
        }
        let [shortest, longest] = PAUSE;
        thread::sleep((passed / PART).clamp(shortest, longest));
    }
}

/// The resident memory of a process in kilobytes, where the system reports it.
pub fn resident_kilobytes(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let resident = status.lines().find_map(|l| l.strip_prefix("VmRSS:"))?;
    resident.split_whitespace().next()?.parse().ok()
}

/// The first `limit` bytes of a file, read from its start. Invalid UTF-8 is replaced.
///
/// # Errors
///
/// If the file can't be read.
pub fn written(file: &mut File, limit: u64) -> io::Result<String> {
    Ok(String::from_utf8_lossy(&written_bytes(file, limit)?).into_owned())
}

/// The first `limit` bytes of a file, read from its start.
///
/// # Errors
///
/// If the file can't be read.
pub fn written_bytes(file: &mut File, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::process::Stdio;

    const HOUR: Duration = Duration::from_secs(3600);

    fn sh(script: &str, limits: Limits) -> (Ended, String) {
        let mut file = tempfile::tempfile().expect("a file");
        let mut command = Command::new("sh");
        command.args(["-c", script]).stdin(Stdio::null()).stdout(file.try_clone().expect("a handle"));
        let ended = run(&mut command, limits, &[&file]).expect("a shell");
        (ended, written(&mut file, 4).expect("a file"))
    }

    #[test]
    fn status_and_output() {
        let (ended, text) = sh("echo abcdef; exit 3", Limits::of_time(HOUR));
        assert_eq!((ended.status().and_then(|s| s.code()), &*text), (Some(3), "abcd"));
        assert!(run(&mut Command::new("/no/such/program"), Limits::of_time(HOUR), &[]).is_err());
    }

    #[test]
    fn limits_end_a_process() {
        let short = Limits::of_time(Duration::from_millis(100));
        let (ended, _) = sh("exec sleep 1000", short);
        assert_eq!(ended.how, Err(Limit::Time));
        assert!(ended.took >= short.time, "{ended:?}");
        let limits = Limits { output: Some(1 << 16), ..Limits::of_time(HOUR) };
        assert_eq!(sh("while :; do echo abcdef; done", limits).0.how, Err(Limit::Output));
        if resident_kilobytes(std::process::id()).is_some() {
            let limits = Limits { megabytes: Some(0), ..Limits::of_time(HOUR) };
            assert_eq!(sh("exec sleep 1000", limits).0.how, Err(Limit::Memory));
        }
    }
}
