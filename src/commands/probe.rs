//! What a command has to take to be put to the test at all: common to `fuzz`, `reduce` and `bisect`. One that refuses whatever
//! it is given, for a typo in its flags, has no fault that a program could show.

use crate::optimizer::{COPY, Failure, Optimizer};
use crate::problem::visible;
use std::fmt;

/// Something that a command does not take.
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

/// That `command` refuses a function that does nothing, if it does.
pub(crate) fn refuses_everything(command: &Optimizer, stop: &dyn Fn() -> bool) -> Option<Refusal> {
    refuses(command, "a function that does nothing", "define void @f() {\n  ret void\n}\n", stop)
}

/// That `command` refuses a function that is given a pointer, if it does.
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
