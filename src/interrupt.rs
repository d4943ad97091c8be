//! Ctrl-C and termination signals as a flag, which long-running commands check between tasks.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the user has asked to stop.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interrupt {
    asked: Arc<AtomicBool>,
}

impl Interrupt {
    /// Installs the handler: the first signal sets the flag; the second one ends the process immediately with exit
    /// code 75.
    pub(crate) fn install() -> Self {
        let interrupt = Self::default();
        let asked = interrupt.asked.clone();
        let installed = ctrlc::set_handler(move || {
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

    /// The flag.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.asked
    }

    /// The flag, shared with other threads.
    pub(crate) fn shared(&self) -> Arc<AtomicBool> {
        self.asked.clone()
    }
}
