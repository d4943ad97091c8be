//! One worker, seen from the process that it works for.

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

/// How a worker is started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Launch {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// Where it, and what it starts, puts files for a while; the system's directory for that where none is named.
    pub temporary: Option<PathBuf>,
}

impl Launch {
    /// This program with the one argument `worker`, upon which it must call [`super::serve`].
    ///
    /// # Errors
    ///
    /// Where the system does not say which program this is.
    pub fn this_program() -> io::Result<Self> {
        Self::this_program_with(vec!["worker".into()])
    }
    /// This program with those arguments, upon which it must call [`super::serve_with`].
    ///
    /// # Errors
    ///
    /// Where the system does not say which program this is.
    pub fn this_program_with(arguments: Vec<OsString>) -> io::Result<Self> {
        Ok(Self { program: this_executable()?, arguments, temporary: None })
    }
}

/// The file that this program is. Its name may stand for another one by the time that it is started again: a new build.
///
/// # Errors
///
/// Where the system does not say which program this is.
pub fn this_executable() -> io::Result<PathBuf> {
    if cfg!(target_os = "linux") { Ok(PathBuf::from("/proc/self/exe")) } else { std::env::current_exe() }
}

/// Time between two checks of a worker's memory.
const POLL: Duration = Duration::from_millis(50);
/// Least time between two checks of a worker's clock.
const LEAST: Duration = Duration::from_millis(10);
/// Bytes that are kept of the end of a worker's standard error: they tell how it died.
const LAST_WORDS: usize = 2000;

/// What tells the C library to keep memory that is given back, for processes that take and give back the same amounts over
/// and over: the solver does with each question, and most of the time that a small one took went into clearing pages. Other
/// systems do not know these names.
const ALLOCATOR: [(&str, &str); 4] = [
    // A thread that begins would not find what another one has given back.
    ("MALLOC_ARENA_MAX", "1"),
    ("MALLOC_TRIM_THRESHOLD_", "1073741824"),
    ("MALLOC_MMAP_THRESHOLD_", "1073741824"),
    ("MALLOC_TOP_PAD_", "67108864"),
];

/// A running worker, which has nothing to do or is at one pair.
#[derive(Debug)]
pub struct Process {
    child: Child,
    /// Until it is let go.
    input: Option<ChildStdin>,
    /// Lines of its standard output.
    lines: Receiver<Vec<u8>>,
    last_words: Arc<Mutex<VecDeque<u8>>>,
    requests: u64,
}

/// What came of a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome<A> {
    /// An answer. The worker is ready for more.
    Answer(A),
    /// The wall clock decided.
    Time,
    /// The memory limit was reached.
    Memory,
    /// Nobody waits for it any more.
    Stopped,
    /// The worker died.
    Died {
        /// How.
        how: String,
        /// The end of what it said.
        words: String,
    },
}

impl Process {
    /// Starts one.
    ///
    /// # Errors
    ///
    /// If it can't be started.
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
            // An interrupt from the terminal is for the process that reports; its end ends the workers.
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

    /// Has `request` answered within `wall`, in which waiting for a processor does not count ([`load`]), and `memory_mb`
    /// megabytes, or until `stop` says so. After anything but an answer the worker is of no use any more.
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
                        return Outcome::Died {
                            how: "it gave an answer of no sense".to_owned(),
                            words: line,
                        };
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

    /// Asks nothing more of it, so that it ends what it has started itself, and ends it if it does not end by itself.
    pub fn let_go(mut self) {
        self.input = None;
        self.wait_a_moment();
    }

    /// Memory that the worker has in megabytes, where the system tells.
    pub fn resident_mb(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|l| l.strip_prefix("VmRSS:"))?;
        let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(kilobytes / 1024)
    }

    /// Its pipes are closed, so it is dead or as good as that.
    fn death<A>(&mut self) -> Outcome<A> {
        // What closes its pipes and runs on is ended here; for what is dead this does nothing.
        let ended = self.wait_a_moment();
        let _ = self.child.kill();
        let how = match ended.map_or_else(|| self.child.wait(), Ok) {
            Ok(status) => format!("it ended with {status}"),
            Err(e) => format!("it ended, nobody knows how: {e}"),
        };
        // The pipe is read up to its end, which the worker's death is.
        std::thread::sleep(Duration::from_millis(10));
        let words = self.last_words.lock().unwrap_or_else(PoisonError::into_inner);
        let words: Vec<u8> = words.iter().copied().collect();
        Outcome::Died { how, words: String::from_utf8_lossy(&words).trim().to_owned() }
    }

    fn wait_a_moment(&mut self) -> Option<std::process::ExitStatus> {
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

/// A worker that nobody needs any more is ended, whatever it does.
impl Drop for Process {
    fn drop(&mut self) {
        // Both fail only where it has been ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn forward(output: impl Read, sender: &Sender<Vec<u8>>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        match output.read_until(b'\n', &mut line) {
            // A line without its end is what a dying worker leaves.
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
