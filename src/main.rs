//! `backedge`: the command line. Parses arguments, runs one command, and returns an exit code of [`exit::Exit`].
//!
//! The work runs on a thread with a fixed stack size, independent of the shell's limits.

mod advice;
mod cli;
mod commands;
mod config;
mod dialect;
mod exit;
mod flags;
mod foreign;
mod input;
mod interrupt;
mod optimizer;
mod output;
mod problem;
mod progress;
mod remarks;
mod report;
mod settings;
mod shown;
mod statistics;
mod target;
mod temporary;

use nix::sys::signal::{SigSet, Signal, raise};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

/// Stack size in bytes of the main thread and its worker threads. This project's code avoids deep recursion; the
/// solver needs this size.
const STACK: usize = 64 << 20;

/// Stack size in bytes of the thread that waits for a signal.
const SMALL_STACK: usize = 256 << 10;

fn main() -> ExitCode {
    block_sigxfsz();
    handle_sigquit();
    let worker = std::thread::Builder::new().name("main".into()).stack_size(STACK).spawn(cli::run);
    let ended = worker.map(std::thread::JoinHandle::join);
    // Other threads may still be at work, after an interrupt.
    clean_up();
    while QUITS.load(Ordering::SeqCst) {
        // The thread that waits for SIGQUIT ends this process.
        std::thread::park();
    }
    match ended {
        Ok(Ok(exit)) => exit.into(),
        // The panic's message has been printed; Rust programs exit with 101 after a panic.
        Ok(Err(_)) => ExitCode::from(101),
        Err(e) => {
            output::to_stderr(&format!("error: no thread can be started: {e}"));
            exit::Exit::BadInput.into()
        }
    }
}

/// Whether SIGQUIT has arrived.
static QUITS: AtomicBool = AtomicBool::new(false);

/// Ends all commands and removes all temporary files, before this process ends.
fn clean_up() {
    output::discard_pending();
    optimizer::end_all();
    temporary::discard();
}

/// Lets a thread wait for SIGQUIT, which removes all temporary files and then ends this process as by default. Other
/// threads inherit the mask.
fn handle_sigquit() {
    let mut signals = SigSet::empty();
    signals.add(Signal::SIGQUIT);
    if signals.thread_block().is_err() {
        return;
    }
    let wait = move || {
        if signals.wait().is_ok() {
            QUITS.store(true, Ordering::SeqCst);
            clean_up();
            let _ = signals.thread_unblock();
            let _ = raise(Signal::SIGQUIT);
            // The parent has this process ignore the signal: the exit code is that of a shell for the signal.
            std::process::exit(128 + Signal::SIGQUIT as i32);
        }
    };
    if std::thread::Builder::new().name("quit".into()).stack_size(SMALL_STACK).spawn(wait).is_err() {
        // Without the thread the signal ends the process at once.
        let _ = signals.thread_unblock();
    }
}

/// Blocks SIGXFSZ, so that exceeding the file size limit makes the write fail like any other error. Threads inherit
/// the mask; child processes do not, since the standard library resets their signal mask.
fn block_sigxfsz() {
    let mut signals = SigSet::empty();
    signals.add(Signal::SIGXFSZ);
    // It fails only for an invalid argument.
    let _ = signals.thread_block();
}
