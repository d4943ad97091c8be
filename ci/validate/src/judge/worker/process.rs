//! A worker process, from its parent's side.

use super::load::{self, Clock};
use super::protocol::Numbered;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How to start a worker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Launch {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// Directory for temporary files of the worker and its children; `None` means the system's directory.
    pub temporary: Option<PathBuf>,
}

impl Launch {
    /// This program with the single argument `worker`, for which it must call [`super::serve`].
    ///
    /// # Errors
    ///
    /// If the system does not report the path of this program.
    pub fn this_program() -> io::Result<Self> {
        Self::this_program_with(vec!["worker".into()])
    }
    /// This program with those arguments, for which it must call [`super::serve_with`].
    ///
    /// # Errors
    ///
    /// If the system does not report the path of this program.
    pub fn this_program_with(arguments: Vec<OsString>) -> io::Result<Self> {
        Ok(Self { program: this_executable()?, arguments, temporary: None })
    }
}

/// The executable of this program. Its path may refer to another file when the program is restarted: a new build.
///
/// # Errors
///
/// If the system does not report the path of this program.
pub fn this_executable() -> io::Result<PathBuf> {
    if cfg!(target_os = "linux") { Ok(PathBuf::from("/proc/self/exe")) } else { std::env::current_exe() }
}

/// Time between two checks of a worker's memory.
const POLL: Duration = Duration::from_millis(50);
/// Minimum time between two checks of a worker's time limit.
const LEAST: Duration = Duration::from_millis(10);
/// Number of bytes kept from the end of a worker's standard error.
const LAST_WORDS: usize = 2000;

/// Environment variables that tell the C library to keep freed memory, for processes that repeatedly allocate and free
/// the same amounts: the solver does so with each query, and small queries spent most of their time on clearing pages.
/// Other systems ignore these variables.
const ALLOCATOR: [(&str, &str); 4] = [
    // A new thread would not reuse memory that another one has freed.
    ("MALLOC_ARENA_MAX", "1"),
    ("MALLOC_TRIM_THRESHOLD_", "1073741824"),
    ("MALLOC_MMAP_THRESHOLD_", "1073741824"),
    ("MALLOC_TOP_PAD_", "67108864"),
];

/// A running worker, idle or working on one request.
#[derive(Debug)]
pub struct Process {
    child: Child,
    /// `None` after [`Process::let_go`].
    input: Option<ChildStdin>,
    /// Lines of its standard output.
    lines: Receiver<Vec<u8>>,
    last_words: Arc<Mutex<VecDeque<u8>>>,
    requests: u64,
}

/// Result of a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome<A> {
    /// An answer. The worker is ready for more.
    Answer(A),
    /// The wall-clock limit was reached.
    Time,
    /// The memory limit was reached.
    Memory,
    /// The result is no longer needed.
    Stopped,
    /// The worker died.
    Died {
        /// How it ended.
        how: String,
        /// The end of its standard error.
        words: String,
    },
}

/// The signals that end a process on someone else's request; a fault of the process itself raises others.
const FROM_OUTSIDE: [&str; 7] = ["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGXCPU", "SIGALRM"];

/// Whether a worker that ended like this, in the words of [`Outcome::Died`], was killed by a person or the system.
pub fn is_from_outside(how: &str) -> bool {
    FROM_OUTSIDE.iter().any(|name| how.contains(&format!("({name})")))
}

impl Process {
    /// Starts a worker.
    ///
    /// # Errors
    ///
    /// If the worker cannot be started.
    pub fn start(launch: &Launch) -> io::Result<Self> {
        let mut command = Command::new(&launch.program);
        command.args(&launch.arguments);
        for (name, value) in ALLOCATOR {
            if std::env::var_os(name).is_none() {
                command.env(name, value);
            }
        }
        if let Some(temporary) = &launch.temporary {
            command.env(if cfg!(windows) { "TMP" } else { "TMPDIR" }, temporary);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        {
            // An interrupt from the terminal is for the reporting process; its end ends the workers.
            use std::os::unix::process::CommandExt;
            command.process_group(0);
        }
        let mut child = command.spawn()?;
        let (Some(input), Some(output), Some(errors)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(io::Error::other("a pipe is missing"));
        };
        let (sender, lines) = mpsc::channel();
        let last_words = Arc::new(Mutex::new(VecDeque::new()));
        let kept = last_words.clone();
        let process = Self { child, input: Some(input), lines, last_words, requests: 0 };
        std::thread::Builder::new().name("answers".into()).spawn(move || forward(output, &sender))?;
        std::thread::Builder::new().name("errors".into()).spawn(move || keep_end(errors, &kept))?;
        Ok(process)
    }

    /// Sends `request` and waits for the answer, within `wall` (time spent waiting for a processor does not count, see
    /// [`load`]) and `memory_mb` megabytes, or until `stop` returns true. After any outcome other than an answer the
    /// worker is unusable.
    pub fn ask<Q: Serialize, A: DeserializeOwned>(
        &mut self,
        request: &Q,
        (wall, memory_mb): (Duration, u64),
        stop: &dyn Fn() -> bool,
    ) -> Outcome<A> {
        let start = Instant::now();
        let mut clock = Clock::new(wall, load::waited(self.child.id()));
        self.requests += 1;
        let request = Numbered { number: self.requests, what: request };
        let sent = serde_json::to_vec(&request).map_err(io::Error::other).and_then(|mut line| {
            line.push(b'\n');
            self.input.as_mut().map_or(Ok(()), |input| input.write_all(&line))
        });
        if sent.is_err() {
            return self.death();
        }
        loop {
            let left = clock.left(start.elapsed()).max(LEAST);
            match self.lines.recv_timeout(POLL.min(left)) {
                Ok(line) => match serde_json::from_slice::<Numbered<A>>(&line) {
                    Ok(answer) if answer.number == self.requests => return Outcome::Answer(answer.what),
                    Ok(_) | Err(_) => {
                        let line = String::from_utf8_lossy(&line[..line.len().min(LAST_WORDS)]).into_owned();
                        return Outcome::Died { how: "it gave an invalid answer".to_owned(), words: line };
                    }
                },
                Err(RecvTimeoutError::Disconnected) => return self.death(),
                Err(RecvTimeoutError::Timeout) if stop() => return Outcome::Stopped,
                Err(RecvTimeoutError::Timeout) if clock.is_over(start.elapsed(), [self.child.id()]) => {
                    return Outcome::Time;
                }
                Err(RecvTimeoutError::Timeout) => {
                    if self.resident_mb().is_some_and(|mb| mb > memory_mb) {
                        return Outcome::Memory;
                    }
                }
            }
        }
    }

    /// Closes the worker's input so that it can end its own children, and kills it if it does not exit.
    pub fn let_go(mut self) {
        self.input = None;
        self.wait_for_exit();
    }

    /// Resident memory of the worker in megabytes, if the system reports it.
    pub fn resident_mb(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|l| l.strip_prefix("VmRSS:"))?;
        let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(kilobytes / 1024)
    }

    /// The outcome for a worker whose pipes are closed: it is dead or unusable.
    fn death<A>(&mut self) -> Outcome<A> {
        // Kill a worker that closed its pipes but still runs; a no-op for a dead one.
        let ended = self.wait_for_exit();
        let _ = self.child.kill();
        let how = match ended.map_or_else(|| self.child.wait(), Ok) {
            Ok(status) => format!("it ended with {status}"),
            Err(e) => format!("it ended for an unknown reason: {e}"),
        };
        // The reader reaches the end of the pipe after the worker's death.
        std::thread::sleep(Duration::from_millis(10));
        let words = self.last_words.lock().unwrap_or_else(PoisonError::into_inner);
        let words: Vec<u8> = words.iter().copied().collect();
        Outcome::Died { how, words: String::from_utf8_lossy(&words).trim().to_owned() }
    }

    fn wait_for_exit(&mut self) -> Option<std::process::ExitStatus> {
        let start = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if start.elapsed() < Duration::from_secs(2) => {
                    std::thread::sleep(Duration::from_millis(5));
                }
                Ok(None) | Err(_) => return None,
            }
        }
    }
}

/// Kills the worker, whatever it does.
impl Drop for Process {
    fn drop(&mut self) {
        // Both fail only if the worker has already exited.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn forward(output: impl Read, sender: &Sender<Vec<u8>>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        match output.read_until(b'\n', &mut line) {
            // A dying worker leaves an incomplete line.
            Ok(_) if line.ends_with(b"\n") => {}
            Ok(_) | Err(_) => return,
        }
        if sender.send(line).is_err() {
            return;
        }
    }
}

fn keep_end(mut errors: impl Read, kept: &Mutex<VecDeque<u8>>) {
    let mut buffer = [0; 1024];
    while let Ok(n) = errors.read(&mut buffer) {
        if n == 0 {
            return;
        }
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(&buffer[..n]);
        let surplus = kept.len().saturating_sub(LAST_WORDS);
        kept.drain(..surplus);
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::is_from_outside;
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;

    #[test]
    fn a_signal_of_a_person_is_told_from_a_fault() {
        let ended = |status: i32| format!("it ended with {}", ExitStatus::from_raw(status));
        for (status, outside) in
            [(9, true), (15, true), (2, true), (1, true), (11, false), (6, false), (256, false)]
        {
            assert_eq!(is_from_outside(&ended(status)), outside, "{}", ended(status));
        }
    }
}
