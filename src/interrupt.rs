//! Ctrl-C and termination signals as a flag, which long-running commands check between tasks.

use crate::output;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Signals within this time after the first one repeat it: `timeout` sends its signal to the process and then to the
/// group of the process.
const REPEATED: Duration = Duration::from_millis(500);

/// Whether work is to stop: the user has asked for it, or the command needs no further results.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interrupt {
    /// Whether a signal has arrived.
    asked: Arc<AtomicBool>,
    /// Whether to begin nothing more.
    stop: Arc<AtomicBool>,
}

impl Interrupt {
    /// Installs the handler: the first signal sets the flag; a later one ends the process immediately with exit code 75.
    pub(crate) fn install() -> Self {
        let interrupt = Self::default();
        let (asked, stop) = (interrupt.asked.clone(), interrupt.stop.clone());
        let mut first: Option<Instant> = None;
        let installed = ctrlc::set_handler(move || {
            stop.store(true, Ordering::SeqCst);
            asked.store(true, Ordering::SeqCst);
            let now = Instant::now();
            if now.duration_since(*first.get_or_insert(now)) >= REPEATED {
                crate::clean_up();
                std::process::exit(i32::from(crate::exit::Exit::Interrupted.code()));
            }
        });
        if let Err(e) = installed {
            let what = "signals can't be handled, an interrupt will lose the report";
            output::to_stderr(&format!("warning: {what}: {e}"));
        }
        interrupt
    }

    /// Whether a signal has arrived.
    pub(crate) fn asked(&self) -> bool {
        self.asked.load(Ordering::SeqCst)
    }

    /// Begins nothing more, as after a signal, but without one.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::SeqCst);
    }

    /// Whether work is to stop, for this or for another reason.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// [`Interrupt::flag`], shared with other threads.
    pub(crate) fn shared(&self) -> Arc<AtomicBool> {
        self.stop.clone()
    }
}
