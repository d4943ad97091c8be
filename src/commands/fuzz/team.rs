//! The worker processes of a campaign: this program with the same arguments. A worker that exceeds its time or memory
//! is killed, so that passes that hang or exhaust memory are a finding and do not end the campaign.

use super::setup::Setup;
use super::work::unreduced;
use crate::interrupt::Interrupt;
use crate::temporary::Folder;
use backedge_fuzz::campaign::task::{Reply, Task};
use backedge_fuzz::campaign::{Loss, Workers};
use backedge_validate::worker::{Launch, Outcome, Process, is_from_outside};
use miette::{IntoDiagnostic, WrapErr};
use std::io;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Time limit for a worker that works up a finding. Reductions have a limit on tries; this one ends workers that hang.
const WORK_UP: Duration = Duration::from_secs(900);

/// The worker processes, by the threads that use them.
pub(super) struct Team<'a> {
    setup: &'a Setup,
    interrupt: Interrupt,
    launch: Launch,
    processes: Vec<Mutex<Option<Process>>>,
    /// Directory for the workers' temporary files, since a killed worker does not delete them.
    _temporary: Folder,
}

impl<'a> Team<'a> {
    /// A team of `jobs` workers, none of them started.
    pub(super) fn new(setup: &'a Setup, jobs: usize, interrupt: Interrupt) -> miette::Result<Self> {
        let mut arguments: Vec<_> = std::env::args_os().skip(1).collect();
        arguments.extend(["--work".into(), "--programs".into(), setup.source().into()]);
        let temporary = Folder::new().into_diagnostic().wrap_err("no temporary folder can be created")?;
        let mut launch = Launch::this_program_with(arguments).into_diagnostic()?;
        launch.temporary = Some(temporary.path().to_owned());
        let processes = (0..jobs).map(|_| Mutex::new(None)).collect();
        Ok(Self { setup, interrupt, launch, processes, _temporary: temporary })
    }
    /// Releases all workers.
    pub(super) fn end(&self) {
        for process in &self.processes {
            if let Some(process) = process.lock().unwrap_or_else(PoisonError::into_inner).take() {
                process.let_go();
            }
        }
    }
}

/// How often a task is given to a new worker after one was killed from outside.
const RETRIES: usize = 1;

impl Team<'_> {
    /// The reply of one worker, started if necessary.
    fn ask(&self, thread: usize, task: &Task, wall: Duration) -> Result<Reply, Lost> {
        let mut slot = self.processes[thread].lock().unwrap_or_else(PoisonError::into_inner);
        let start = || Process::start(&self.launch).map_err(Lost::NotStarted);
        let mut process = slot.take().map_or_else(start, Ok)?;
        let loss = |kind, words| Lost::Loss(Loss { kind, words });
        let lost =
            match process.ask::<Task, Reply>(task, (wall, self.setup.memory), &|| self.interrupt.asked()) {
                Outcome::Answer(reply) => {
                    *slot = Some(process);
                    return Ok(reply);
                }
                Outcome::Time => loss("hang", format!("it took longer than {} s", wall.as_secs())),
                Outcome::Memory => {
                    loss("memory", format!("it took more than {} MB of memory", self.setup.memory))
                }
                Outcome::Stopped => loss("interrupt", "interrupted".to_owned()),
                Outcome::Died { how, .. } if is_from_outside(&how) => Lost::Killed(how),
                Outcome::Died { how, words } => loss("crash", format!("{how}: {words}")),
            };
        // The worker may still be running the command, which it ends when its input is closed.
        process.let_go();
        Err(lost)
    }
}

/// Why a worker gave no reply.
enum Lost {
    NotStarted(io::Error),
    /// A person or the system killed it.
    Killed(String),
    Loss(Loss),
}

impl Workers for Team<'_> {
    fn work(&self, thread: usize, task: &Task) -> Result<Reply, Loss> {
        let wall = match task {
            Task::Examine { count, .. } => self.setup.wall(*count),
            Task::WorkUp { .. } => WORK_UP,
            Task::Recheck { .. } => self.setup.wall(1),
        };
        let mut retries = 0;
        let loss = loop {
            if self.interrupt.asked() {
                return Err(Loss { kind: "interrupt", words: "interrupted".to_owned() });
            }
            match self.ask(thread, task, wall) {
                Ok(reply) => return Ok(reply),
                Err(Lost::NotStarted(e)) => {
                    return Ok(Reply::Failed { why: format!("no process can be started: {e}") });
                }
                Err(Lost::Killed(_)) if retries < RETRIES => retries += 1,
                Err(Lost::Killed(how)) => break Loss { kind: "crash", words: format!("{how}, twice") },
                Err(Lost::Loss(loss)) => break loss,
            }
        };
        if let Task::WorkUp { raw } = task
            && !self.interrupt.asked()
        {
            let finding = Box::new(unreduced(self.setup, raw, &loss.words));
            return Ok(Reply::WorkedUp { finding: Ok(finding) });
        }
        Err(loss)
    }
}
