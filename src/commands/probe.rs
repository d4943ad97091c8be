//! Checks that a command is usable at all, for `fuzz`, `reduce` and `bisect`. If it refuses every input, for example
//! because of a typo in its flags, no program can show a fault.

use crate::optimizer::{COPY, Failure, Optimizer};
use crate::shown::visible;
use std::fmt;

/// An input that a command refuses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Refusal {
    what: &'static str,
    why: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the command does not take {}: {}", self.what, visible(&self.why))
    }
}

/// Whether `command` refuses an empty function; the refusal if it does.
pub(crate) fn refuses_everything(command: &Optimizer, stop: &dyn Fn() -> bool) -> Option<Refusal> {
    refuses(command, "a function that does nothing", "define void @f() {\n  ret void\n}\n", stop)
}

/// Whether `command` refuses a function with a pointer argument; the refusal if it does.
pub(crate) fn refuses_pointers(command: &Optimizer, stop: &dyn Fn() -> bool) -> Option<Refusal> {
    let what = "pointers without a type (LLVM 13 and 14 do with -opaque-pointers)";
    refuses(command, what, "define void @f(ptr %p) {\n  ret void\n}\n", stop)
}

fn refuses(command: &Optimizer, what: &'static str, text: &str, stop: &dyn Fn() -> bool) -> Option<Refusal> {
    match command.run_on(text.as_bytes(), COPY, stop) {
        Err(Failure::Refused(why)) => Some(Refusal { what, why }),
        Ok(_) | Err(_) => None,
    }
}
