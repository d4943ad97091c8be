//! Runs a command with a given standard input and a time limit.

use backedge_process::{Limits, written};
use std::io::{Seek, Write};
use std::process::Command;
use std::time::Duration;

/// The result of running a command.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Exit code; `None` if a signal or the time limit ended it.
    pub code: Option<i32>,
    /// Whether the time limit ended it.
    pub timed_out: bool,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// The time that it took.
    pub time: Duration,
}

impl Answer {
    /// Whether it exited with code 0.
    pub fn ok(&self) -> bool {
        self.code == Some(0)
    }
}

/// Runs `command` with `stdin`, for at most `limit`.
///
/// # Panics
///
/// If it can't be started.
pub fn run(command: &mut Command, stdin: &[u8], limit: Duration) -> Answer {
    let file = || tempfile::tempfile().expect("a temporary file");
    let (mut input, mut out, mut err) = (file(), file(), file());
    input.write_all(stdin).and_then(|()| input.rewind()).expect("a write to a temporary file");
    let [stdout, stderr] = [&out, &err].map(|file| file.try_clone().expect("a handle"));
    command.stdin(input).stdout(stdout).stderr(stderr);
    let ended = backedge_process::run(command, Limits::of_time(limit), &[])
        .unwrap_or_else(|e| panic!("{}: {e}", command.get_program().display()));
    let [stdout, stderr] =
        [&mut out, &mut err].map(|file| written(file, u64::MAX).expect("to read a temporary file"));
    let code = ended.status().and_then(|status| status.code());
    Answer { code, timed_out: ended.how.is_err(), stdout, stderr, time: ended.took }
}
