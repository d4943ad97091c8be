//! Runs a command in its own process group, within limits on time, memory (of all its processes, where the system
//! reports it) and output.
//!
//! A group that exceeds a limit is killed as a whole. Time that it waits for a processor does not count ([`Clock`]).
//! Running groups are registered ([`end_all`]), so that none outlives an interrupt; and none outlives this process if
//! it is killed ([`guard`]).

use super::guard::kill;
use super::{Failure, Limits, guard};
use backedge_process::{poll, resident_kilobytes};
use backedge_validate::record::Limit;
use backedge_validate::worker::load::Clock;
use nix::unistd::Pid;
use std::collections::BTreeSet;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use std::{fs, io};

/// Interval between memory checks: each reads the state of all processes of the group.
const LOOK: Duration = Duration::from_millis(50);

/// The running groups.
static RUNNING: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

fn running<T>(act: impl FnOnce(&mut BTreeSet<i32>) -> T) -> T {
    act(&mut RUNNING.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Kills all running commands, before this process ends.
pub(crate) fn end_all() {
    running(|groups| groups.iter().for_each(|group| kill(*group)));
}

/// A running command with all its child processes.
pub(super) struct Group {
    child: Child,
    id: i32,
}

impl Group {
    pub(super) fn start(command: &mut Command) -> io::Result<Self> {
        // The lock is held during the start, so that `end_all` misses no group.
        running(|groups| {
            let child = command.spawn()?;
            let id = i32::try_from(child.id()).map_err(io::Error::other)?;
            groups.insert(id);
            guard::tell(id, true);
            Ok(Self { child, id })
        })
    }

    /// Waits for the command to end, and kills the child processes that outlive it.
    pub(super) fn wait(
        mut self,
        limits: Limits,
        size: &dyn Fn() -> u64,
        stop: &dyn Fn() -> bool,
    ) -> Result<ExitStatus, Failure> {
        let mut look = LOOK;
        let mut clock = Clock::new(limits.time, Duration::ZERO);
        let id = self.id;
        // Under the lock, so that no other thread kills a group whose id has been reused.
        let ended = || {
            running(|groups| {
                // The id belongs to the group until the status of its first process is collected.
                if has_ended(id) {
                    kill(id);
                }
                let ended = self.child.try_wait();
                if !matches!(ended, Ok(None)) {
                    groups.remove(&id);
                    guard::tell(id, false);
                }
                ended
            })
        };
        let exceeded = |passed: Duration| {
            if stop() {
                return Some(Failure::Interrupted);
            }
            if clock.left(passed).is_zero() && clock.is_over(passed, processes(id).into_iter().flatten()) {
                return Some(limits.passed(Limit::Time));
            }
            if size() >> 20 >= limits.output_megabytes {
                return Some(limits.passed(Limit::Output));
            }
            if passed > look {
                look = passed + LOOK;
                if megabytes(id).is_some_and(|mb| mb >= limits.megabytes) {
                    return Some(limits.passed(Limit::Memory));
                }
            }
            None
        };
        poll(ended, exceeded).unwrap_or_else(|e| Err(Failure::System(e.to_string())))
    }
}

/// Whether the process has ended and its status is not yet collected. If the system can't tell, child processes are
/// left alone.
fn has_ended(process: i32) -> bool {
    #[cfg(target_os = "linux")]
    {
        use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
        let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
        let status = waitid(Id::Pid(Pid::from_raw(process)), flags);
        status.is_ok_and(|status| !matches!(status, WaitStatus::StillAlive))
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = process;
        false
    }
}

/// Kills a group that has not ended by itself.
impl Drop for Group {
    fn drop(&mut self) {
        let killed = running(|groups| {
            let runs = groups.remove(&self.id);
            if runs {
                kill(self.id);
                guard::tell(self.id, false);
            }
            runs
        });
        if killed {
            // The wait is short after a kill.
            let _ = self.child.wait();
        }
    }
}

/// The processes of a group, where the system reports them.
fn processes(group: i32) -> Option<Vec<u32>> {
    let mut all = Vec::new();
    for entry in fs::read_dir("/proc").ok()?.flatten() {
        let Some(process) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        // The fields after the name, which may contain any characters: state, parent, group.
        let Ok(stat) = fs::read_to_string(entry.path().join("stat")) else { continue };
        let of_group = stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(2)?.parse().ok());
        if of_group == Some(group) {
            all.push(process);
        }
    }
    Some(all)
}

/// Resident memory in megabytes of the processes of a group, where the system reports it.
fn megabytes(group: i32) -> Option<u64> {
    let kilobytes: u64 = processes(group)?.into_iter().filter_map(resident_kilobytes).sum();
    Some(kilobytes >> 10)
}
