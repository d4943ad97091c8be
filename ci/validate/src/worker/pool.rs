//! Pairs to workers, and workers' deaths to verdicts.

use super::process::{Launch, Outcome, Process};
use super::protocol::{Answer, Request};
use crate::check::{Options, Report};
use crate::extracted::Extracted;
use crate::stages::{self, Checked, Proof, Stage, Told, wants_proof};
use crate::verdict::{InternalError, Reason, Verdict};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Workers that are started when they are needed and kept for the next pair.
#[derive(Debug)]
pub struct Pool {
    launch: Launch,
    idle: Mutex<Vec<Process>>,
    /// Stages that may be at work at a time where callers do not want more.
    jobs: usize,
    /// Stages that are.
    busy: AtomicUsize,
}

/// Time that a stage may take beyond its own limits, which it checks between steps.
const GRACE: Duration = Duration::from_secs(5);
/// Megabytes that a worker may hold in addition to the solver's memory: formulas and modules.
const REST_MB: u64 = 512;
/// Megabytes beyond which an idle worker is not used again: memory that the solver keeps would count for the next pair.
const BLOATED_MB: u64 = 512;
/// Workers that a stage may cost: a first death may have nothing to do with the pair.
const ATTEMPTS: usize = 2;
/// How long the bounded check is waited for before a proof is begun beside it: most pairs are decided by then.
const PATIENCE: Duration = Duration::from_millis(100);

/// The wall clock of a stage of one pair. Each keeps to [`Options::timeout`] by itself; lower bounds of the bounded check
/// share as much again.
pub fn wall(options: &Options) -> Duration {
    options.timeout.saturating_mul(2).saturating_add(GRACE)
}

/// Megabytes that a worker may hold: the solver's and the rest.
pub fn memory_mb(options: &Options) -> u64 {
    u64::from(options.memory_mb) + REST_MB
}

/// Why a stage has come to nothing.
#[derive(Clone, PartialEq, Debug)]
enum Loss {
    /// A limit decided.
    Limit(Reason),
    /// It can't be done.
    Failed(Verdict),
    /// Nobody waits for it any more.
    Stopped,
}

impl Loss {
    fn into_verdict(self) -> Verdict {
        match self {
            Self::Limit(reason) => Verdict::Inconclusive { reason },
            Self::Failed(verdict) => verdict,
            Self::Stopped => {
                let what = "nobody waited for it".to_owned();
                Verdict::Inconclusive { reason: Reason::Worker { what } }
            }
        }
    }
}

/// A stage at work, counted until it is dropped.
#[derive(Debug)]
struct Busy<'a>(&'a AtomicUsize);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Pool {
    /// A pool without workers yet, for as many stages at a time: as many as there are processors if `jobs` is 0.
    pub fn new(launch: Launch, jobs: usize) -> Self {
        let processors = || std::thread::available_parallelism().map_or(1, usize::from);
        let jobs = if jobs == 0 { processors() } else { jobs };
        Self { launch, idle: Mutex::new(Vec::new()), jobs, busy: AtomicUsize::new(0) }
    }

    /// What [`crate::check::by_solver`] says, found by workers. Can be called from many threads at a time; each has workers
    /// of its own.
    pub(crate) fn judge(&self, pair: &Extracted, options: &Options, suspected: bool) -> Report {
        self.busy.fetch_add(1, Ordering::SeqCst);
        let _busy = Busy(&self.busy);
        let closed = &AtomicBool::new(false);
        let (done, waits) = mpsc::channel::<()>();
        let early = move || {
            // As long as the sender lives the bounded check is at work; nothing is sent.
            let RecvTimeoutError::Timeout = waits.recv_timeout(PATIENCE).err()? else { return None };
            let _busy = self.spare()?;
            Some(self.ask(pair, options, Stage::Proof, &|| closed.load(Ordering::SeqCst)))
        };
        std::thread::scope(|scope| {
            let early = (self.jobs > 1 && options.induction && pair.has_cycle())
                .then(|| std::thread::Builder::new().spawn_scoped(scope, early).ok())
                .flatten();
            // A proof need not be out of reach where the bounded check is.
            let checked = self.checked(pair, options, Stage::Bounded);
            let checked = checked.unwrap_or_else(|loss| Checked::new(loss.into_verdict(), 0));
            closed.store(!wants_proof(&checked.verdict, options), Ordering::SeqCst);
            drop(done);
            let begun = || early.and_then(|thread| thread.join().ok().flatten());
            let proof = || match begun().unwrap_or_else(|| self.ask(pair, options, Stage::Proof, &|| false)) {
                Ok(Told::Proof(proof)) => Ok(proof),
                Ok(Told::Checked(_)) => Err(no_sense(pair)),
                Err(Loss::Limit(reason)) => Ok(Proof { proved: Err(reason.to_string()), units: 0 }),
                Err(loss) => Err(loss.into_verdict()),
            };
            let deeper = |verdict: Verdict, spent: u64| match self.checked(
                pair,
                options,
                Stage::Deeper { verdict: verdict.clone(), spent, suspected },
            ) {
                Err(Loss::Limit(_)) => Ok(Checked::new(verdict, 0)),
                checked => checked.map_err(Loss::into_verdict),
            };
            stages::together(options, checked, proof, deeper).unwrap_or_else(Report::new)
        })
    }

    /// A place for one more stage, where callers leave one.
    fn spare(&self) -> Option<Busy<'_>> {
        let more = |busy: usize| (busy < self.jobs).then_some(busy + 1);
        let got = self.busy.fetch_update(Ordering::SeqCst, Ordering::SeqCst, more);
        got.is_ok().then(|| Busy(&self.busy))
    }

    fn checked(&self, pair: &Extracted, options: &Options, stage: Stage) -> Result<Checked, Loss> {
        match self.ask(pair, options, stage, &|| false)? {
            Told::Checked(checked) => Ok(checked),
            Told::Proof(_) => Err(Loss::Failed(no_sense(pair))),
        }
    }

    /// Has a stage done, until `stop` says that nobody waits for it.
    fn ask(
        &self,
        pair: &Extracted,
        options: &Options,
        stage: Stage,
        stop: &dyn Fn() -> bool,
    ) -> Result<Told, Loss> {
        let request = Request::new(pair, options, stage);
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
            match process.ask::<_, Answer>(&request, (wall(options), memory_mb(options)), stop) {
                Outcome::Answer(answer) => {
                    if process.resident_mb().is_none_or(|mb| mb <= BLOATED_MB) {
                        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(process);
                    }
                    return match answer {
                        Answer::Told(told) => Ok(told),
                        Answer::Failed(verdict) => Err(Loss::Failed(verdict)),
                    };
                }
                Outcome::Stopped => return Err(Loss::Stopped),
                Outcome::Time => {
                    let limit_ms = u64::try_from(wall(options).as_millis()).unwrap_or(u64::MAX);
                    return Err(Loss::Limit(Reason::Time { limit_ms }));
                }
                Outcome::Memory => {
                    let limit_mb = u32::try_from(memory_mb(options)).unwrap_or(u32::MAX);
                    return Err(Loss::Limit(Reason::Memory { limit_mb }));
                }
                Outcome::Died { how, words } => last = (how, words),
            }
        }
        let (how, words) = last;
        Err(Loss::Failed(death(pair, &how, &words)))
    }
}

/// The verdict where a worker answers what it was not asked.
fn no_sense(pair: &Extracted) -> Verdict {
    death(pair, "it gave an answer of no sense", "")
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
