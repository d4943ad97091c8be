//! A time limit for each program when a process examines several.
//!
//! Passes that run in this process can only be stopped by ending the process. The campaign process then finds the
//! program by sending each one separately.

use backedge_validate::worker::load::{Clock, waited};
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Interval between checks of the clock: a hang is noticed so much later.
const LOOK: Duration = Duration::from_millis(50);

/// When the current program started, and its time limit.
type Running = Arc<Mutex<Option<(Instant, Clock)>>>;

/// A thread that checks the time.
pub(super) struct Watchdog {
    limit: Duration,
    running: Running,
}

impl Watchdog {
    /// Starts the thread.
    pub(super) fn start(limit: Duration) -> io::Result<Self> {
        let running = Running::default();
        let watched = running.clone();
        thread::Builder::new().name("watchdog".into()).spawn(move || {
            loop {
                thread::sleep(LOOK);
                let mut running = watched.lock().unwrap_or_else(PoisonError::into_inner);
                let over = |(began, clock): &mut (Instant, Clock)| {
                    clock.is_over(began.elapsed(), [std::process::id()])
                };
                if running.as_mut().is_some_and(over) {
                    eprintln!("a program took longer than {} s", limit.as_secs());
                    std::process::exit(1);
                }
            }
        })?;
        Ok(Self { limit, running })
    }

    /// Runs `act`; the process ends if that exceeds the limit.
    pub(super) fn watch<T>(&self, act: impl FnOnce() -> T) -> T {
        let set = |running| *self.running.lock().unwrap_or_else(PoisonError::into_inner) = running;
        set(Some((Instant::now(), Clock::new(self.limit, waited(std::process::id())))));
        let done = act();
        set(None);
        done
    }
}
