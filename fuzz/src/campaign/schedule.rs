//! Distributes the tasks of a campaign and processes the replies in order.

use super::examine;
use super::findings::{FindingError, Findings, Kept};
use super::state::{Met, State, StateError, StateFile};
use super::task::{Counts, Finding, Raw, Reply, Task};
use super::workers::{Loss, Workers};
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Settings of a campaign run.
#[derive(Debug)]
pub struct Plan<'a> {
    /// The first seed.
    pub first: u64,
    /// One past the last seed; `u64::MAX` for no limit but time.
    pub end: u64,
    /// Seeds per task. Batch boundaries are multiples of this number.
    pub batch: u64,
    /// Number of systems under test; each seed selects one.
    pub systems: usize,
    /// Number of concurrent workers.
    pub jobs: usize,
    /// How long new programs are examined.
    pub time: Option<Duration>,
    /// The campaign ends after this many new buckets.
    pub max_new: u64,
    /// The first findings of a group are all worked up, up to this number; after it ever fewer are.
    pub work_ups: u64,
    /// Ends the campaign when set.
    pub stop: &'a AtomicBool,
}

/// An event of a campaign.
#[derive(Debug)]
pub enum Event<'a> {
    /// Total work done, earlier parts of the campaign included.
    Done(&'a Counts),
    /// A finding, and whether it is new.
    Found(&'a Finding, &'a Kept),
    /// A finding that could not be reproduced, with the reason.
    Lost(&'a Raw, &'a str),
}

/// Result of a campaign run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Outcome {
    /// The state at the end.
    pub state: State,
    /// The work of this run.
    pub counts: Counts,
    /// Findings of an earlier run that still waited to be worked up.
    pub waiting: u64,
    /// Buckets of this run's findings, each with whether it is new.
    pub met: BTreeMap<String, bool>,
    /// Findings of this run that were not worked up because others of their group were, by group.
    pub alike: BTreeMap<String, u64>,
    /// Number of findings that could not be reproduced.
    pub lost: u64,
    /// Whether the campaign was stopped by the user.
    pub interrupted: bool,
}

/// Why a campaign ended early.
#[derive(Debug, thiserror::Error)]
pub enum Stopped {
    /// The system under test can't be run.
    #[error("{0}")]
    System(String),
    /// A finding can't be stored.
    #[error(transparent)]
    Findings(#[from] FindingError),
    /// The state can't be written.
    #[error(transparent)]
    State(#[from] StateError),
}

/// Interval between writes of the state: the work since the last write is repeated after an interruption.
const SAVE: Duration = Duration::from_secs(2);
/// Maximum number of tasks in flight per worker: replies are processed in order, so one long task holds back the later
/// ones.
const AHEAD: u64 = 8;

/// Runs `plan`, starting from `state`.
///
/// # Errors
///
/// If the system under test can't be run, or results can't be written. Completed work is kept.
pub fn run(
    plan: &Plan<'_>,
    workers: &dyn Workers,
    (file, state): (&StateFile, State),
    findings: &Findings,
    watch: &mut (dyn FnMut(Event<'_>) + Send),
) -> Result<Outcome, Stopped> {
    let mut desk = Desk {
        plan,
        findings,
        file,
        watch,
        start: Instant::now(),
        saved: Instant::now(),
        seeds: plan.first,
        batches: BTreeMap::new(),
        handed_out: 0,
        taken: 0,
        waiting: VecDeque::new(),
        worked_up: BTreeMap::new(),
        works: 0,
        works_taken: 0,
        busy: 0,
        outcome: Outcome { waiting: state.pending.len() as u64, state, ..Outcome::default() },
        new: 0,
        error: None,
    };
    for raw in desk.outcome.state.pending.clone() {
        desk.queue(raw);
    }
    let office = Office { desk: Mutex::new(desk), news: Condvar::new() };
    std::thread::scope(|scope| {
        for thread in 0..plan.jobs.max(1) {
            let (office, work) = (&office, std::thread::Builder::new());
            // The result does not depend on the number of threads.
            match work.spawn_scoped(scope, move || office.serve(thread, workers)) {
                Err(e) if thread == 0 => {
                    let why = format!("no thread can be started: {e}");
                    office.desk().error.get_or_insert(Stopped::System(why));
                }
                Ok(_) | Err(_) => {}
            }
        }
    });
    let mut desk = office.desk.into_inner().unwrap_or_else(PoisonError::into_inner);
    file.save(&desk.outcome.state)?;
    (desk.watch)(Event::Done(&desk.outcome.state.counts));
    match desk.error {
        Some(error) => Err(error),
        None => {
            desk.outcome.interrupted = plan.stop.load(Ordering::SeqCst);
            Ok(desk.outcome)
        }
    }
}

/// State shared between the worker threads.
struct Office<'a> {
    desk: Mutex<Desk<'a>>,
    news: Condvar,
}

/// A task with its position in the order; a batch also has its first seed and its size.
enum Order {
    Batch(u64, u64, u64),
    WorkUp(u64, Raw),
}

struct Desk<'a> {
    plan: &'a Plan<'a>,
    findings: &'a Findings,
    file: &'a StateFile,
    watch: &'a mut (dyn FnMut(Event<'_>) + Send),
    start: Instant,
    saved: Instant,
    /// The next seed to distribute.
    seeds: u64,
    /// Results of batches that wait for earlier batches.
    batches: BTreeMap<u64, Batch>,
    handed_out: u64,
    taken: u64,
    /// Findings to be worked up, each with its number.
    waiting: VecDeque<(u64, Raw)>,
    worked_up: BTreeMap<u64, Result<Box<Finding>, (Raw, String)>>,
    works: u64,
    works_taken: u64,
    /// Number of tasks in progress.
    busy: usize,
    outcome: Outcome,
    new: u64,
    error: Option<Stopped>,
}

impl<'a> Office<'a> {
    fn desk(&self) -> MutexGuard<'_, Desk<'a>> {
        // The data are consistent even if the watcher panicked, because it is called after all updates.
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Executes tasks until there are none.
    fn serve(&self, thread: usize, workers: &dyn Workers) {
        let systems = self.desk().plan.systems;
        while let Some(order) = self.next() {
            let done = match order {
                Order::Batch(number, first, count) => {
                    let done = examined((workers, thread), systems, first, count);
                    done.map(|(counts, found)| Done::Batch(number, ((first, first + count), counts, found)))
                }
                Order::WorkUp(number, raw) => {
                    worked_up(workers, thread, raw).map(|finding| Done::WorkUp(number, finding))
                }
            };
            let mut desk = self.desk();
            desk.busy -= 1;
            let taken = match done {
                // An interrupted task is repeated when the campaign continues.
                _ if desk.plan.stop.load(Ordering::SeqCst) => Ok(()),
                Ok(done) => desk.take(done),
                Err(why) => Err(Stopped::System(why)),
            };
            if let Err(stopped) = taken {
                desk.error.get_or_insert(stopped);
            }
            drop(desk);
            self.news.notify_all();
        }
        self.news.notify_all();
    }

    fn next(&self) -> Option<Order> {
        let mut desk = self.desk();
        loop {
            if desk.is_over() {
                return None;
            }
            if let Some(order) = desk.order() {
                desk.busy += 1;
                return Some(order);
            }
            if desk.busy == 0 {
                return None;
            }
            // The time limit ends a wait too, not only news.
            let waited = self.news.wait_timeout(desk, Duration::from_millis(200));
            desk = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// The result of a batch: first seed and one past the last, counters, and findings.
type Batch = ((u64, u64), Counts, Vec<Raw>);

/// A completed task.
enum Done {
    Batch(u64, Batch),
    WorkUp(u64, Result<Box<Finding>, (Raw, String)>),
}

/// Has a batch of programs examined. If a worker is lost, each program is examined by itself. A loss that no program
/// explains, or that does not recur, is counted.
fn examined(
    (workers, thread): (&dyn Workers, usize),
    systems: usize,
    first: u64,
    count: u64,
) -> Result<(Counts, Vec<Raw>), String> {
    let ask = |first, count| match workers.work(thread, &Task::Examine { first, count }) {
        Ok(Reply::Examined { counts, found }) => Ok(Ok((counts, found))),
        Ok(Reply::Failed { why }) => Err(why),
        Ok(Reply::WorkedUp { .. } | Reply::Rechecked { .. }) => {
            Err("a worker answered what it was not asked".to_owned())
        }
        Err(loss) => Ok(Err(loss)),
    };
    let mut unexplained = 0;
    if count > 1 {
        match ask(first, count)? {
            Ok(done) => return Ok(done),
            Err(_) => unexplained = 1,
        }
    }
    let (mut all, mut raws) = (Counts::default(), Vec::new());
    for seed in first..first + count {
        let mut answer = ask(seed, 1)?;
        // The lost worker may have had nothing to do with the program.
        if answer.is_err() {
            answer = ask(seed, 1)?;
            all.unconfirmed += u64::from(answer.is_ok());
            unexplained = 0;
        }
        match answer {
            Ok((counts, found)) => {
                all.add(&counts);
                raws.extend(found);
            }
            Err(Loss { kind, words }) => {
                all.programs += 1;
                all.findings += 1;
                all.timeouts += u64::from(kind == "hang");
                raws.push(Raw {
                    seed,
                    system: examine::pick(seed, systems),
                    oracle: "process".to_owned(),
                    kind: kind.to_owned(),
                    words: String::new(),
                    pass: None,
                    function: String::new(),
                    message: words,
                    case: None,
                });
            }
        }
    }
    all.unconfirmed += unexplained;
    Ok((all, raws))
}

/// Has a finding worked up.
fn worked_up(
    workers: &dyn Workers,
    thread: usize,
    raw: Raw,
) -> Result<Result<Box<Finding>, (Raw, String)>, String> {
    let task = Task::WorkUp { raw: Box::new(raw.clone()) };
    match workers.work(thread, &task) {
        Ok(Reply::WorkedUp { finding }) => Ok(finding.map_err(|why| (raw, why))),
        Ok(Reply::Failed { why }) => Err(why),
        Ok(Reply::Examined { .. } | Reply::Rechecked { .. }) => {
            Err("a worker answered what it was not asked".to_owned())
        }
        Err(loss) => Ok(Err((raw, format!("the worker was lost that was to make it small: {}", loss.words)))),
    }
}

/// Whether the `n`th finding of a group is worked up; the first `all` findings always are.
fn is_worked_up(n: u64, all: u64) -> bool {
    n <= all || n.is_power_of_two() || n.is_multiple_of(3) && (n / 3).is_power_of_two()
}

impl Desk<'_> {
    fn is_over(&self) -> bool {
        self.error.is_some() || self.new >= self.plan.max_new || self.plan.stop.load(Ordering::SeqCst)
    }

    /// The next task, if one is available now.
    fn order(&mut self) -> Option<Order> {
        if let Some((number, raw)) = self.waiting.pop_front() {
            return Some(Order::WorkUp(number, raw));
        }
        let Plan { end, batch, jobs, time, .. } = *self.plan;
        if time.is_some_and(|time| self.start.elapsed() >= time)
            || self.handed_out - self.taken >= AHEAD * jobs as u64
        {
            return None;
        }
        let first = self.outcome.state.next(self.seeds);
        if first >= end {
            return None;
        }
        let batch = batch.max(1);
        let limit = (first / batch).saturating_add(1).saturating_mul(batch);
        let last = limit.min(end).min(self.outcome.state.gap_end(first));
        self.seeds = last;
        self.handed_out += 1;
        Some(Order::Batch(self.handed_out - 1, first, last - first))
    }

    /// Queues `raw` to be worked up.
    fn queue(&mut self, raw: Raw) {
        self.waiting.push_back((self.works, raw));
        self.works += 1;
    }

    /// Records a result, and processes all results whose predecessors are processed.
    fn take(&mut self, done: Done) -> Result<(), Stopped> {
        match done {
            Done::Batch(number, batch) => {
                self.batches.insert(number, batch);
            }
            Done::WorkUp(number, finding) => {
                self.worked_up.insert(number, finding);
            }
        }
        while let Some((seeds, counts, found)) = self.batches.remove(&self.taken) {
            self.taken += 1;
            self.batch(seeds, &counts, found);
        }
        while !self.is_over()
            && let Some(finding) = self.worked_up.remove(&self.works_taken)
        {
            self.works_taken += 1;
            self.finding(finding)?;
        }
        if self.saved.elapsed() >= SAVE {
            self.file.save(&self.outcome.state)?;
            self.saved = Instant::now();
        }
        (self.watch)(Event::Done(&self.outcome.state.counts));
        Ok(())
    }

    fn batch(&mut self, (first, end): (u64, u64), counts: &Counts, found: Vec<Raw>) {
        self.outcome.counts.add(counts);
        self.outcome.state.counts.add(counts);
        self.outcome.state.finish(first, end);
        for raw in found {
            let met: &mut Met = self.outcome.state.groups.entry(raw.group()).or_default();
            met.met += 1;
            let is_next =
                if raw.is_reported() { met.met == 1 } else { is_worked_up(met.met, self.plan.work_ups) };
            if is_next {
                met.worked_up += 1;
                self.outcome.state.pending.push(raw.clone());
                self.queue(raw);
            } else {
                *self.outcome.alike.entry(raw.group()).or_default() += 1;
            }
        }
    }

    fn finding(&mut self, finding: Result<Box<Finding>, (Raw, String)>) -> Result<(), Stopped> {
        match finding {
            Ok(finding) => {
                let kept = self.findings.keep(&finding)?;
                let is_new = kept != Kept::Known;
                self.new += u64::from(is_new);
                *self.outcome.state.buckets.entry(finding.bucket.clone()).or_default() += 1;
                *self.outcome.met.entry(finding.bucket.clone()).or_default() |= is_new;
                (self.watch)(Event::Found(&finding, &kept));
            }
            Err((raw, why)) => {
                self.outcome.lost += 1;
                self.outcome.state.groups.entry(raw.group()).or_default().lost += 1;
                (self.watch)(Event::Lost(&raw, &why));
            }
        }
        // Findings are worked up in order, so the first pending one is done.
        self.outcome.state.pending.remove(0);
        Ok(())
    }
}
