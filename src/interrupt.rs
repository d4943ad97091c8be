//! Ctrl-C and termination signals as a flag, which long-running commands check between tasks.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether work is to stop: the user has asked for it, or the command needs no further results.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interrupt {
    /// Whether a signal has arrived.
    asked: Arc<AtomicBool>,
    /// Whether to begin nothing more.
    stop: Arc<AtomicBool>,
}

impl Interrupt {
    /// Installs the handler: the first signal sets the flag; the second one ends the process immediately with exit
    /// code 75.
    pub(crate) fn install() -> Self {
        let interrupt = Self::default();
        let (asked, stop) = (interrupt.asked.clone(), interrupt.stop.clone());
        let installed = ctrlc::set_handler(move || {
            stop.store(true, Ordering::SeqCst);
            if asked.swap(true, Ordering::SeqCst) {
                crate::output::discard_pending();
                crate::optimizer::end_all();
                std::process::exit(i32::from(crate::exit::Exit::Interrupted.code()));
            }
        });
        if let Err(e) = installed {
            eprintln!("warning: signals can't be handled, an interrupt will lose the report: {e}");
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
