//! `backedge`: the command line. Reads arguments, runs one command, answers with the exit codes of [`exit::Exit`].
//!
//! The work is done on a thread with a stack of a known size, whatever the shell's limits are.

mod cli;
mod commands;
mod dialect;
mod exit;
mod flags;
mod input;
mod interrupt;
mod optimizer;
mod output;
mod problem;
mod progress;
mod remarks;

use nix::sys::signal::{SigSet, Signal};
use std::process::ExitCode;

/// Stack of the main thread, and of threads that work for it, in bytes. Nothing recurses deeply on purpose; this is what the
/// solver is content with.
const STACK: usize = 64 << 20;

fn main() -> ExitCode {
    keep_file_limit_from_killing();
    let worker = std::thread::Builder::new().name("main".into()).stack_size(STACK).spawn(cli::run);
    match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(exit)) => exit.into(),
        // The panic's message has been printed; 101 is what Rust programs answer then.
        Ok(Err(_)) => ExitCode::from(101),
        Err(e) => {
            output::to_stderr(&format!("error: no thread can be started: {e}"));
            exit::Exit::BadInput.into()
        }
    }
}

/// Where a limit on the size of files is passed, writing fails then, which is told like any other failure. Threads have this
/// from here; processes that are started do not, since the standard library gives them no blocked signals.
fn keep_file_limit_from_killing() {
    let mut signals = SigSet::empty();
    signals.add(Signal::SIGXFSZ);
    // It fails for no set.
    let _ = signals.thread_block();
}
