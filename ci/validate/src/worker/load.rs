//! Time that a process waits for a processor while others have it. On a busy machine it is most of the time that passes, and
//! says nothing of the process: where a limit on time decides whether something comes to an end, it does not count.

use std::fs;
use std::time::Duration;

/// The time limit is extended by at most this factor, whatever the load.
const PATIENCE: u32 = 30;

/// A thread as the system tells of it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Thread {
    id: String,
    /// Nanoseconds on a processor, and of waiting for one up to the last time that it got one.
    ran: u64,
    waited: u64,
    /// Whether it would run if it could.
    is_ready: bool,
}

/// The threads of `process`; none where the system does not tell.
fn threads(process: u32) -> Vec<Thread> {
    let entries = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let of_entry = |entry: fs::DirEntry| -> Option<Thread> {
        let times = fs::read_to_string(entry.path().join("schedstat")).ok()?;
        let mut times = times.split_whitespace().map_while(|number| number.parse().ok());
        let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
        // The state stands behind the name, which may hold anything.
        let is_ready = stat.rsplit(')').next()?.trim_start().starts_with('R');
        let id = entry.path().display().to_string();
        Some(Thread { id, ran: times.next()?, waited: times.next()?, is_ready })
    };
    entries.filter_map(of_entry).collect()
}

/// The longest time that one of the threads of `process` has been ready to run and did not, since it began. Zero where the
/// system does not tell.
pub fn waited(process: u32) -> Duration {
    longest(&threads(process))
}

fn longest(threads: &[Thread]) -> Duration {
    Duration::from_nanos(threads.iter().map(|thread| thread.waited).max().unwrap_or(0))
}

/// A limit on the time of processes.
#[derive(Clone, Debug)]
pub struct Clock {
    limit: Duration,
    /// What they had waited before it began.
    before: Duration,
    /// When it is passed, as far as is known.
    end: Duration,
    /// What was seen last, once the limit was passed.
    last: Option<Vec<Thread>>,
}

impl Clock {
    /// A limit for processes that have waited for so long `before`.
    pub fn new(limit: Duration, before: Duration) -> Self {
        Self { limit, before, end: limit, last: None }
    }
    /// What is left of it when so much time has passed.
    pub fn left(&self, passed: Duration) -> Duration {
        self.end.saturating_sub(passed)
    }
    /// Whether it is over when so much time has passed. To be asked again and again, with some time between, of all processes
    /// that it is about.
    pub fn is_over(&mut self, passed: Duration, processes: impl IntoIterator<Item = u32>) -> bool {
        if passed < self.end {
            return false;
        }
        if passed >= self.limit.saturating_mul(PATIENCE) {
            return true;
        }
        let now: Vec<Thread> = processes.into_iter().flat_map(threads).collect();
        self.end = self.limit.saturating_add(longest(&now).saturating_sub(self.before));
        // What is ready and has done nothing since the last look waits now; how long it does is told when it runs again.
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
        // Nobody is there who could have waited.
        assert!(clock.is_over(seconds(10), []));
    }

    /// Three that want one processor wait for most of the time, and one that sleeps does not.
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
        // How long it takes until they have waited for so long is the machine's affair: one that is busy, or stands still
        // itself, tells late.
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
