//! A limit on the time of one program of several that a process is asked about.
//!
//! Nothing ends passes that run in the process but its own end. Whoever has asked finds out which program it was by asking for
//! each by itself.

use backedge_validate::worker::load::{Clock, waited};
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often it is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// When the program began that is looked at, and what it may take.
type Running = Arc<Mutex<Option<(Instant, Clock)>>>;

/// Who looks at the clock.
pub(super) struct Watchdog {
    limit: Duration,
    running: Running,
}

impl Watchdog {
    /// Looks at the clock from now on.
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

    /// What `act` gives; the process ends if that takes longer than the limit.
    pub(super) fn watch<T>(&self, act: impl FnOnce() -> T) -> T {
        let set = |running| *self.running.lock().unwrap_or_else(PoisonError::into_inner) = running;
        set(Some((Instant::now(), Clock::new(self.limit, waited(std::process::id())))));
        let done = act();
        set(None);
        done
    }
}
