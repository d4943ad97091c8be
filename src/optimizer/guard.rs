//! Guard process: kills the process groups of commands whose parent was killed before it could do so. It is another
//! process of this program that is informed of the running groups. It starts with the first command and ends when its
//! standard input is closed.

use backedge_validate::worker::this_executable;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use std::collections::BTreeSet;
use std::io::{self, BufRead, Write};
use std::os::unix::process::CommandExt;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};

/// The pipe to the guard; `None` if no guard can be started, in which case commands outlive a killed process.
static GUARD: OnceLock<Option<Mutex<ChildStdin>>> = OnceLock::new();

/// The argument that makes this program call [`serve`].
const NAME: &str = "guard";

/// Informs the guard that `group` runs, or no longer runs.
pub(super) fn tell(group: i32, runs: bool) {
    let Some(guard) = GUARD.get_or_init(|| start().ok().map(Mutex::new)) else { return };
    let line = if runs { format!("+{group}\n") } else { format!("-{group}\n") };
    // It fails if the guard has been killed.
    let _ = guard.lock().unwrap_or_else(PoisonError::into_inner).write_all(line.as_bytes());
}

fn start() -> io::Result<ChildStdin> {
    let mut command = Command::new(this_executable()?);
    // A process group of its own protects the guard from signals to this group.
    command.arg(NAME).process_group(0).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn()?.stdin.take().ok_or_else(|| io::Error::other("a pipe is missing"))
}

/// Reads messages until the pipe is closed, and kills the remaining groups.
pub(crate) fn serve() {
    let mut groups = BTreeSet::new();
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        match line.split_at_checked(1).map(|(sign, group)| (sign, group.parse::<i32>())) {
            Some(("+", Ok(group))) => _ = groups.insert(group),
            Some(("-", Ok(group))) => _ = groups.remove(&group),
            _ => {}
        }
    }
    groups.into_iter().for_each(kill);
}

pub(super) fn kill(group: i32) {
    // It fails if all processes have ended.
    let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
}
