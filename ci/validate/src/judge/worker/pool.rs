//! Distributes pairs to workers, and converts workers' deaths to verdicts.

use super::process::{Launch, Outcome, Process, is_from_outside};
use super::protocol::{Answer, Request};
use crate::judge::portfolio::{Asker, Listed, in_order};
use crate::pair::Sides;
use crate::pair::extracted::Extracted;
use crate::stages::{Earlier, SoFar, Step};
use crate::verdict::{InternalError, Options, Reason, Report, Verdict};
use serde_json::value::RawValue;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Scope, ScopedJoinHandle};
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

    /// The stages that ask the solver, run by workers. May be called from many threads concurrently; each call has its
    /// own workers.
    pub(crate) fn judge(&self, pair: &Extracted, options: &Options, so_far: SoFar) -> Step {
        self.busy.fetch_add(1, Ordering::SeqCst);
        let _busy = Busy(&self.busy);
        std::thread::scope(|scope| {
            let mut session = Session { pool: self, pair, options, scope, early: None };
            in_order(&mut session, true, so_far)
        })
    }

    /// Reserves a slot for one more stage, if callers leave one free.
    fn spare(&self) -> Option<Busy<'_>> {
        let more = |busy: usize| (busy < self.jobs).then_some(busy + 1);
        let got = self.busy.fetch_update(Ordering::SeqCst, Ordering::SeqCst, more);
        got.is_ok().then(|| Busy(&self.busy))
    }

    /// Runs a stage in a worker, until `stop` reports that the result is no longer needed.
    fn ask(
        &self,
        pair: &Extracted,
        options: &Options,
        (stage, earlier): (Listed, &Earlier),
        stop: &dyn Fn() -> bool,
    ) -> Result<Box<RawValue>, Loss> {
        let request = Request::new(pair, options, stage.name(), earlier);
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
                        Answer::Told(answer) => Ok(answer),
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

/// The stages of one pair, run by workers.
struct Session<'scope, 'env> {
    pool: &'env Pool,
    pair: &'env Extracted,
    options: &'env Options,
    scope: &'scope Scope<'scope, 'env>,
    /// The stage that began while the one before it was running.
    early: Option<Early<'scope>>,
}

/// A stage that begins before its turn.
struct Early<'scope> {
    stage: Listed,
    /// Set when the answer is no longer needed.
    closed: Arc<AtomicBool>,
    /// `None` if it has not begun.
    answer: ScopedJoinHandle<'scope, Option<Result<Box<RawValue>, Loss>>>,
}

impl Asker for Session<'_, '_> {
    fn options(&self) -> &Options {
        self.options
    }

    fn ask(&mut self, stage: Listed, next: Option<Listed>, so_far: SoFar) -> Step {
        let early = self.early.take().filter(|early| early.stage.name() == stage.name());
        if let Some(answer) = early.and_then(|early| early.answer.join().ok().flatten()) {
            return self.fold(stage, so_far, answer);
        }
        let early = next.and_then(|next| self.begin_early(next, so_far.earlier()));
        let answer = self.pool.ask(self.pair, self.options, (stage, so_far.earlier()), &|| false);
        let step = self.fold(stage, so_far, answer);
        if let Some((ahead, early)) = early {
            let is_wanted =
                matches!(&step, Step::Continue(so_far) if early.stage.wanted(so_far, self.options));
            early.closed.store(!is_wanted, Ordering::SeqCst);
            drop(ahead);
            self.early = is_wanted.then_some(early);
        }
        step
    }
}

impl<'scope> Session<'scope, '_> {
    /// What follows from a worker's answer.
    fn fold(&self, stage: Listed, so_far: SoFar, answer: Result<Box<RawValue>, Loss>) -> Step {
        match answer {
            Ok(answer) => stage
                .fold_answer(so_far, &answer)
                .unwrap_or_else(|_| Step::Break(Report::new(invalid_answer(self.pair)))),
            Err(Loss::Limit(reason)) => stage.at_limit(so_far, reason),
            Err(loss) => Step::Break(Report::new(loss.into_verdict())),
        }
    }

    /// Lets a spare worker run the stage `next` if the stage before it takes long: if it still runs, and therefore
    /// holds the sender, after [`PATIENCE`]. Nothing is sent.
    fn begin_early(&self, next: Listed, earlier: &Earlier) -> Option<(Sender<()>, Early<'scope>)> {
        let Self { pool, pair, options, .. } = *self;
        let Sides { source, target } = pair.sides();
        if pool.jobs <= 1 || !next.may_begin_early(Sides { source, target }, options) {
            return None;
        }
        let (ahead, waits) = mpsc::channel::<()>();
        let closed = Arc::new(AtomicBool::new(false));
        let (is_closed, earlier) = (closed.clone(), earlier.clone());
        let work = move || {
            let RecvTimeoutError::Timeout = waits.recv_timeout(PATIENCE).err()? else { return None };
            let _busy = pool.spare()?;
            Some(pool.ask(pair, options, (next, &earlier), &|| is_closed.load(Ordering::SeqCst)))
        };
        let answer = std::thread::Builder::new().spawn_scoped(self.scope, work).ok()?;
        Some((ahead, Early { stage: next, closed, answer }))
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
    } else if is_from_outside(how) || how.contains("can't be started") {
        how.to_owned()
    } else {
        let what = format!("a worker process crashed: {how}");
        let words = (!words.is_empty()).then(|| words.to_owned());
        let Sides { source, target } = pair.sides();
        return Verdict::InternalError(Box::new(InternalError::new(what, words, source, target)));
    };
    Verdict::Inconclusive { reason: Reason::Worker { what } }
}
