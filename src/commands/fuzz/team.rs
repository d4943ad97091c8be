//! The worker processes of a campaign: this program with the same arguments. A worker that exceeds its time or memory
//! is killed, so that passes that hang or exhaust memory are a finding and do not end the campaign.

use super::setup::Setup;
use super::work::unreduced;
use crate::interrupt::Interrupt;
use backedge_fuzz::campaign::task::{Reply, Task};
use backedge_fuzz::campaign::{Loss, Workers};
use backedge_validate::worker::{Launch, Outcome, Process};
use miette::IntoDiagnostic;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tempfile::TempDir;

/// Time limit for a worker that works up a finding. Reductions have a limit on tries; this one ends workers that hang.
const WORK_UP: Duration = Duration::from_secs(900);

/// The worker processes, by the threads that use them.
pub(super) struct Team<'a> {
    setup: &'a Setup,
    interrupt: Interrupt,
    launch: Launch,
    processes: Vec<Mutex<Option<Process>>>,
    /// Directory for the workers' temporary files, since a killed worker does not delete them.
    _temporary: TempDir,
}

impl<'a> Team<'a> {
    /// A team of `jobs` workers, none of them started.
    pub(super) fn new(setup: &'a Setup, jobs: usize, interrupt: Interrupt) -> miette::Result<Self> {
        let mut arguments: Vec<_> = std::env::args_os().skip(1).collect();
        arguments.extend(["--work".into(), "--programs".into(), setup.source().into()]);
        let temporary = tempfile::Builder::new().prefix("backedge-fuzz-").tempdir().into_diagnostic()?;
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

impl Workers for Team<'_> {
    fn work(&self, thread: usize, task: &Task) -> Result<Reply, Loss> {
        if self.interrupt.asked() {
            return Err(Loss { kind: "interrupt", words: "interrupted".to_owned() });
        }
        let mut slot = self.processes[thread].lock().unwrap_or_else(PoisonError::into_inner);
        let mut process = match slot.take().map_or_else(|| Process::start(&self.launch), Ok) {
            Ok(process) => process,
            Err(e) => return Ok(Reply::Failed { why: format!("no process can be started: {e}") }),
        };
        let wall = match task {
            Task::Examine { count, .. } => self.setup.wall(*count),
            Task::WorkUp { .. } => WORK_UP,
            Task::Recheck { .. } => self.setup.wall(1),
        };
        let loss =
            match process.ask::<Task, Reply>(task, (wall, self.setup.memory), &|| self.interrupt.asked()) {
                Outcome::Answer(reply) => {
                    *slot = Some(process);
                    return Ok(reply);
                }
                Outcome::Time => {
                    Loss { kind: "hang", words: format!("it took longer than {} s", wall.as_secs()) }
                }
                Outcome::Memory => Loss {
                    kind: "memory",
                    words: format!("it took more than {} MB of memory", self.setup.memory),
                },
                Outcome::Stopped => Loss { kind: "interrupt", words: "interrupted".to_owned() },
                Outcome::Died { how, words } => Loss { kind: "crash", words: format!("{how}: {words}") },
            };
        // The worker may still be running the command, which it ends when its input is closed.
        process.let_go();
        if let Task::WorkUp { raw } = task
            && !self.interrupt.asked()
        {
            let finding = Box::new(unreduced(self.setup, raw, &loss.words));
            return Ok(Reply::WorkedUp { finding: Ok(finding) });
        }
        Err(loss)
    }
}
