//! Pairs to workers, and workers' deaths to verdicts.

use super::process::{Launch, Outcome, Process};
use super::protocol::{Answer, Request};
use crate::check::{Options, Report};
use crate::extracted::Extracted;
use crate::verdict::{InternalError, Reason, Verdict};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Workers that are started when they are needed and kept for the next pair.
#[derive(Debug)]
pub struct Pool {
    launch: Launch,
    idle: Mutex<Vec<Process>>,
}

/// What stages that keep to their limits may take beyond them.
const GRACE: Duration = Duration::from_secs(5);
/// What a worker may hold besides the solver's memory.
const REST_MB: u64 = 512;
/// A worker that holds more after a pair is not used for another one.
const BLOATED_MB: u64 = 512;
/// Workers that a pair may cost.
const ATTEMPTS: usize = 2;

/// The wall clock of all of the solver's stages of one pair together. Each of them keeps to
/// [`Options::timeout`] by itself, lower bounds share as much again, and what follows on them too.
pub fn wall(options: &Options) -> Duration {
    options.timeout.saturating_mul(3).saturating_add(GRACE)
}

/// Megabytes that a worker may hold: the solver's and the rest.
pub fn memory_mb(options: &Options) -> u64 {
    u64::from(options.memory_mb) + REST_MB
}

impl Pool {
    /// A pool without workers yet.
    pub fn new(launch: Launch) -> Self {
        Self { launch, idle: Mutex::new(Vec::new()) }
    }

    /// What [`crate::check::by_solver`] says, found by a worker. Can be called from many threads at a time; each has a
    /// worker of its own.
    pub(crate) fn judge(&self, pair: &Extracted, options: &Options, runs: u64) -> Report {
        let request = Request::new(pair, options, runs);
        let mut last = (String::new(), String::new());
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        for _ in 0..ATTEMPTS {
            let mut process = match idle.take().map_or_else(|| Process::start(&self.launch), Ok) {
                Ok(process) => process,
                Err(e) => {
                    last = (format!("it can't be started: {e}"), String::new());
                    continue;
                }
            };
            let verdict =
                match process.ask::<_, Answer>(&request, (wall(options), memory_mb(options)), &|| false) {
                    Outcome::Answer(answer) => {
                        if process.resident_mb().is_none_or(|mb| mb <= BLOATED_MB) {
                            self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(process);
                        }
                        return answer.into_report();
                    }
                    Outcome::Time | Outcome::Stopped => {
                        let limit_ms = u64::try_from(wall(options).as_millis()).unwrap_or(u64::MAX);
                        Reason::Time { limit_ms }
                    }
                    Outcome::Memory => {
                        let limit_mb = u32::try_from(memory_mb(options)).unwrap_or(u32::MAX);
                        Reason::Memory { limit_mb }
                    }
                    Outcome::Died { how, words } => {
                        last = (how, words);
                        continue;
                    }
                };
            return Report { runs, ..Report::new(Verdict::Inconclusive { reason: verdict }) };
        }
        let (how, words) = last;
        Report { runs, ..Report::new(death(pair, &how, &words)) }
    }
}

/// The verdict where workers died of a pair. That memory is short, or that somebody kills processes, is no fault of ours;
/// the rest is.
fn death(pair: &Extracted, how: &str, words: &str) -> Verdict {
    let starved = ["memory allocation of", "std::bad_alloc", "out of memory"];
    let what = if starved.iter().any(|s| words.contains(s)) {
        format!("the system gave it no more memory, {how}")
    } else if how.contains("SIGKILL") || how.contains("can't be started") {
        how.to_owned()
    } else {
        let what = format!("a worker process crashed: {how}");
        let words = (!words.is_empty()).then(|| words.to_owned());
        let (source, target) = pair.sides();
        return Verdict::InternalError(Box::new(InternalError::new(what, words, source, target)));
    };
    Verdict::Inconclusive { reason: Reason::Worker { what } }
}
