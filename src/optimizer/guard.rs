//! Ends the commands of a process that was killed, and could not end them itself: another process of this program, which is told
//! which groups run. It is started with the first command, and ends when nobody tells it anything any more.

use super::group::kill;
use backedge_validate::worker::this_executable;
use std::collections::BTreeSet;
use std::io::{self, BufRead, Write};
use std::os::unix::process::CommandExt;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Who is told; nobody if no such process can be started, and then commands outlive a process that is killed.
static GUARD: OnceLock<Option<Mutex<ChildStdin>>> = OnceLock::new();

/// The argument upon which this program calls [`serve`].
const NAME: &str = "guard";

/// Tells that `group` runs, or that it does not any more.
pub(super) fn tell(group: i32, runs: bool) {
    let Some(guard) = GUARD.get_or_init(|| start().ok().map(Mutex::new)) else { return };
    let line = if runs { format!("+{group}\n") } else { format!("-{group}\n") };
    // It fails where that process has been killed.
    let _ = guard.lock().unwrap_or_else(PoisonError::into_inner).write_all(line.as_bytes());
}

fn start() -> io::Result<ChildStdin> {
    let mut command = Command::new(this_executable()?);
    // What ends this process and its group is not to end that one.
    command.arg(NAME).process_group(0).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn()?.stdin.take().ok_or_else(|| io::Error::other("a pipe is missing"))
}

/// Listens until nobody is left who could tell anything, and ends what runs still.
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
