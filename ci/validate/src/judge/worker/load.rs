//! Measures the time that a process waits for a processor. On a busy machine this is most of the elapsed time and says
//! nothing about the process, so it does not count against time limits.

use std::fs;
use std::time::Duration;

/// Maximum elapsed time as a multiple of the limit, whatever the load.
const PATIENCE: u32 = 30;

/// A thread's scheduling data from the system.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Thread {
    id: String,
    /// Nanoseconds on a processor, and of waiting for one up to the last time that it got one.
    ran: u64,
    waited: u64,
    /// Whether it is runnable.
    is_ready: bool,
}

/// The threads of `process`; empty if the system has no such data.
fn threads(process: u32) -> Vec<Thread> {
    let entries = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let of_entry = |entry: fs::DirEntry| -> Option<Thread> {
        let times = fs::read_to_string(entry.path().join("schedstat")).ok()?;
        let mut times = times.split_whitespace().map_while(|number| number.parse().ok());
        let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
        // The state follows the name, which may contain any characters.
        let is_ready = stat.rsplit(')').next()?.trim_start().starts_with('R');
        let id = entry.path().display().to_string();
        Some(Thread { id, ran: times.next()?, waited: times.next()?, is_ready })
    };
    entries.filter_map(of_entry).collect()
}

/// The longest time that one thread of `process` has been runnable without running, since the thread started. Zero if
/// the system has no such data.
pub fn waited(process: u32) -> Duration {
    longest(&threads(process))
}

fn longest(threads: &[Thread]) -> Duration {
    Duration::from_nanos(threads.iter().map(|thread| thread.waited).max().unwrap_or(0))
}

/// A limit on the running time of processes.
#[derive(Clone, Debug)]
pub struct Clock {
    limit: Duration,
    /// Waiting time of the processes before the limit started.
    before: Duration,
    /// Elapsed time at which the limit expires, as far as known.
    end: Duration,
    /// The threads at the last check after the limit had passed.
    last: Option<Vec<Thread>>,
}

impl Clock {
    /// A limit for processes that have already waited for `before`.
    pub fn new(limit: Duration, before: Duration) -> Self {
        Self { limit, before, end: limit, last: None }
    }
    /// Remaining time after `passed` has elapsed.
    pub fn left(&self, passed: Duration) -> Duration {
        self.end.saturating_sub(passed)
    }
    /// Whether the limit has expired after `passed` has elapsed. Call this repeatedly, with some time in between, for
    /// all processes that the limit applies to.
    pub fn is_over(&mut self, passed: Duration, processes: impl IntoIterator<Item = u32>) -> bool {
        if passed < self.end {
            return false;
        }
        if passed >= self.limit.saturating_mul(PATIENCE) {
            return true;
        }
        let now: Vec<Thread> = processes.into_iter().flat_map(threads).collect();
        self.end = self.limit.saturating_add(longest(&now).saturating_sub(self.before));
        // A runnable thread without progress since the last check is waiting now; the waiting time is only known when
        // the thread runs again.
        let waits = match &self.last {
            Some(last) => now.iter().any(|thread| thread.is_ready && last.contains(thread)),
            None => now.iter().any(|thread| thread.is_ready),
        };
        self.last = Some(now);
        passed >= self.end && !waits
    }
}

#[cfg(test)]
mod tests {
    use super::{Clock, waited};
    use std::process::{Child, Command};
    use std::time::{Duration, Instant};

    #[test]
    fn waiting_does_not_count_for_ever() {
        let seconds = Duration::from_secs;
        let mut clock = Clock::new(seconds(10), seconds(0));
        assert!(!clock.is_over(seconds(9), [std::process::id()]));
        assert_eq!((clock.left(seconds(4)), clock.left(seconds(11))), (seconds(6), seconds(0)));
        assert!(clock.is_over(seconds(300), [std::process::id()]));
        // There is no process that could have waited.
        assert!(clock.is_over(seconds(10), []));
    }

    /// Three threads that compete for one processor wait most of the time; a sleeping one does not wait.
    #[cfg(target_os = "linux")]
    #[test]
    fn who_wants_a_processor_waits_for_it() {
        let start = |words: [&str; 4]| {
            let taskset = Command::new("taskset").args(["-c", "0"]).args(words).spawn();
            taskset.expect("taskset, of util-linux")
        };
        let mut spin: Vec<Child> =
            (0..3).map(|_| start(["sh", "-c", "while :; do :; done", "spin"])).collect();
        let mut sleeper = start(["sh", "-c", "exec sleep 60", "sleep"]);
        let some = Duration::from_millis(400);
        // How long it takes until they have waited this long depends on the machine: a busy or stopped machine reports
        // late.
        let patience = Instant::now();
        let times = loop {
            std::thread::sleep(Duration::from_millis(200));
            let times: Vec<Duration> = spin.iter().map(|child| waited(child.id())).collect();
            if times.iter().all(|time| *time > some) || patience.elapsed() > Duration::from_secs(120) {
                break times;
            }
        };
        let asleep = waited(sleeper.id());
        for child in spin.iter_mut().chain([&mut sleeper]) {
            child.kill().expect("it runs");
            child.wait().expect("it ends");
        }
        assert!(times.iter().all(|time| *time > some), "{times:?}");
        assert!(times.iter().all(|time| asleep < *time), "{asleep:?}, {times:?}");
        assert_eq!(waited(u32::MAX), Duration::ZERO);
    }
}
