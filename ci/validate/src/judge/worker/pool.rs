//! Distributes pairs to workers, and converts workers' deaths to verdicts.

use super::process::{Launch, Outcome, Process};
use super::protocol::{Answer, Request};
use crate::pair::extracted::Extracted;
use crate::stages;
use crate::stages::{Checked, Proof, Stage, Told, wants_proof};
use crate::verdict::{InternalError, Options, Reason, Report, Verdict};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Workers that are started on demand and kept for the next pair.
#[derive(Debug)]
pub struct Pool {
    launch: Launch,
    idle: Mutex<Vec<Process>>,
    /// Maximum number of concurrent stages, unless callers request more.
    jobs: usize,
    /// Number of running stages.
    busy: AtomicUsize,
}

/// Extra time that stages within their limits may take.
const GRACE: Duration = Duration::from_secs(5);
/// Memory of a worker besides the solver's.
const REST_MB: u64 = 512;
/// A worker that holds more memory than this after a pair is not reused.
const BLOATED_MB: u64 = 512;
/// Maximum number of workers used for one stage.
const ATTEMPTS: usize = 2;
/// Time before a proof is started in parallel to the bounded check: most pairs are decided by then.
const PATIENCE: Duration = Duration::from_millis(100);

/// The wall-clock limit for a stage of one pair. Each stage enforces [`Options::timeout`] itself; lower bounds of the
/// bounded check share the same amount again.
pub fn wall(options: &Options) -> Duration {
    options.timeout.saturating_mul(2).saturating_add(GRACE)
}

/// Memory limit of a worker in megabytes: the solver's and the rest.
pub fn memory_mb(options: &Options) -> u64 {
    u64::from(options.memory_mb) + REST_MB
}

/// Why a stage has no result.
#[derive(Clone, PartialEq, Debug)]
enum Loss {
    /// A limit was reached.
    Limit(Reason),
    /// The stage cannot be run.
    Failed(Verdict),
    /// The result is no longer needed.
    Stopped,
}

impl Loss {
    fn into_verdict(self) -> Verdict {
        match self {
            Self::Limit(reason) => Verdict::Inconclusive { reason },
            Self::Failed(verdict) => verdict,
            Self::Stopped => {
                let what = "its result was no longer needed".to_owned();
                Verdict::Inconclusive { reason: Reason::Worker { what } }
            }
        }
    }
}

/// A running stage; counted until it is dropped.
#[derive(Debug)]
struct Busy<'a>(&'a AtomicUsize);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Pool {
    /// An empty pool for `jobs` concurrent stages; 0 means the number of processors.
    pub fn new(launch: Launch, jobs: usize) -> Self {
        let processors = || std::thread::available_parallelism().map_or(1, usize::from);
        let jobs = if jobs == 0 { processors() } else { jobs };
        Self { launch, idle: Mutex::new(Vec::new()), jobs, busy: AtomicUsize::new(0) }
    }

    /// The result of [`crate::judge::check::by_solver`], computed by workers. May be called from many threads concurrently;
    /// each call has its own workers.
    pub(crate) fn judge(&self, pair: &Extracted, options: &Options, suspected: bool) -> Report {
        self.busy.fetch_add(1, Ordering::SeqCst);
        let _busy = Busy(&self.busy);
        let closed = &AtomicBool::new(false);
        let (done, waits) = mpsc::channel::<()>();
        let early = move || {
            // The bounded check runs as long as the sender lives; nothing is sent.
            let RecvTimeoutError::Timeout = waits.recv_timeout(PATIENCE).err()? else { return None };
            let _busy = self.spare()?;
            Some(self.ask(pair, options, Stage::Proof, &|| closed.load(Ordering::SeqCst)))
        };
        std::thread::scope(|scope| {
            let early = (self.jobs > 1 && options.induction && pair.has_cycle())
                .then(|| std::thread::Builder::new().spawn_scoped(scope, early).ok())
                .flatten();
            // A proof may succeed although the bounded check failed.
            let checked = self.checked(pair, options, Stage::Bounded);
            let checked = checked.unwrap_or_else(|loss| Checked::new(loss.into_verdict(), 0));
            closed.store(!wants_proof(&checked.verdict, options), Ordering::SeqCst);
            drop(done);
            let begun = || early.and_then(|thread| thread.join().ok().flatten());
            let proof = || match begun().unwrap_or_else(|| self.ask(pair, options, Stage::Proof, &|| false)) {
                Ok(Told::Proof(proof)) => Ok(proof),
                Ok(Told::Checked(_)) => Err(invalid_answer(pair)),
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

    /// Reserves a slot for one more stage, if callers leave one free.
    fn spare(&self) -> Option<Busy<'_>> {
        let more = |busy: usize| (busy < self.jobs).then_some(busy + 1);
        let got = self.busy.fetch_update(Ordering::SeqCst, Ordering::SeqCst, more);
        got.is_ok().then(|| Busy(&self.busy))
    }

    fn checked(&self, pair: &Extracted, options: &Options, stage: Stage) -> Result<Checked, Loss> {
        match self.ask(pair, options, stage, &|| false)? {
            Told::Checked(checked) => Ok(checked),
            Told::Proof(_) => Err(Loss::Failed(invalid_answer(pair))),
        }
    }

    /// Runs a stage in a worker, until `stop` reports that the result is no longer needed.
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

/// The verdict for a worker whose answer does not match the request.
fn invalid_answer(pair: &Extracted) -> Verdict {
    death(pair, "it gave an invalid answer", "")
}

/// The verdict for workers that died on a pair. Memory shortage and externally killed processes are no bugs; all other
/// deaths are.
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
