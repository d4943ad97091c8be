//! What is said of memory in a source, or of functions that it reaches, and that their code is not seen to keep. A run that
//! breaks it is undefined, although the engines give it a meaning, and refutes nothing.
//!
//! Most of it is broken by single instructions: a run that executes none of them keeps it. Of the rest nobody can tell.

use super::attributes;
use super::breaches::Breach;
use super::callees;
use super::kept::{Called, Kept};
use crate::refinement::FunctionRef;
use backedge_ir::attr::FlagAttr;
use backedge_ir::entity::{FuncId, Inst};
use std::sync::Arc;

/// A promise that a function may break.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Open {
    /// The promise, and where it is made.
    pub promise: Arc<str>,
    /// What it is about.
    pub about: About,
    /// The instructions one of which is executed where it is broken; `None` if it may be broken otherwise.
    pub suspects: Option<Vec<Suspect>>,
}

/// What a promise is about.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum About {
    /// What the whole function does to memory.
    Memory,
    /// What is done with a pointer. A call of a function without code keeps it where that function does nothing, as far
    /// as nobody compares what the function sees.
    Pointer,
    /// That calls within the function return, although these do not say so. It counts where the order of events does.
    Return,
    /// That calls within the function do not unwind, although these do not say so. It counts where calls are compared by what
    /// they see: memory that `noalias` keeps from them is seen after they unwind.
    Unwind,
}

/// An instruction that may break a promise.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Suspect {
    /// The function that has it.
    pub func: FuncId,
    /// The instruction.
    pub inst: Inst,
    /// Whether it calls a function without code.
    pub is_foreign: bool,
}

impl Open {
    /// A promise that a body may break by these instructions.
    pub(super) fn new(kept: &Kept<'_>, about: About, promise: String, breaches: Option<Vec<Breach>>) -> Self {
        let code = kept.code();
        let suspect = |breach: Breach| {
            let called = code.and_then(|(_, calls)| Some((calls, calls.of(breach.inst)?)));
            let is_foreign = called.is_some_and(|(calls, called)| calls.is_foreign(called));
            Suspect { func: kept.func(), inst: breach.inst, is_foreign }
        };
        let suspects = breaches.map(|list| list.into_iter().map(suspect).collect());
        Self { promise: promise.trim_end().into(), about, suspects }
    }
    /// A promise of which no run shows whether it is kept.
    pub(super) fn never_shown(promise: String) -> Self {
        Self { promise: promise.into(), about: About::Memory, suspects: None }
    }
    /// What `nounwind` and `willreturn` in `said` say of the calls of a body that these do not say of themselves.
    pub(super) fn of_returning(kept: &Kept<'_>, said: [bool; 2], place: &str) -> Vec<Self> {
        let words = match said {
            [true, true] => "`nounwind` and `willreturn`",
            [true, false] => "`nounwind`",
            [false, true] => "`willreturn`",
            [false, false] => return Vec::new(),
        };
        let own = |called: &Called| {
            let has = |flag| kept.code().is_some_and(|(_, calls)| calls.has(called, flag));
            [FlagAttr::NoUnwind, FlagAttr::WillReturn].map(has)
        };
        let about = |called: &Called| {
            let own = own(called);
            let both = [0, 1].map(|i| own[i] || said[i]) == [true; 2];
            match (both && own != [true; 2], said[0] && !own[0]) {
                (true, _) => Some(About::Return),
                (false, true) => Some(About::Unwind),
                (false, false) => None,
            }
        };
        let of = |wanted: About| {
            let calls = kept.code().map_or(&[][..], |(_, calls)| &calls.list);
            let open = calls.iter().filter(|called| !called.plain && about(called) == Some(wanted));
            let breaches: Vec<Breach> = open.map(|called| Breach::possible(called.inst)).collect();
            let promise = format!("{words}{place}");
            (!breaches.is_empty()).then(|| Self::new(kept, wanted, promise, Some(breaches)))
        };
        [About::Return, About::Unwind].into_iter().filter_map(of).collect()
    }
}

/// All such promises: of `source` itself, of `callees` by their definitions and by calls of them, and by calls in `source`.
pub fn open(source: FunctionRef<'_>, callees: &[FuncId]) -> Vec<Open> {
    let kept = Kept::new(None, source);
    let mut found = attributes::open(source, &kept);
    found.extend(callees::open(source, callees));
    found
}
