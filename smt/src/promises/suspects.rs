//! Promises that a function may break, and the instructions that may break them.

use super::breach::Breach;
use super::called::Called;
use super::kept::Kept;
use backedge_ir::attr::FlagAttr;
use backedge_ir::entity::{FuncId, Inst};
use std::sync::Arc;

/// A promise that a function may break.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Open {
    /// The promise and its place.
    pub promise: Arc<str>,
    /// The subject of the promise.
    pub about: About,
    /// A violating run executes one of these instructions; `None` if the promise may be violated otherwise.
    pub suspects: Option<Vec<Suspect>>,
}

/// The subject of a promise.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum About {
    /// The memory effects of the whole function.
    Memory,
    /// The uses of a pointer. A call of a function without a body keeps the promise if that function does nothing,
    /// unless the function's observations are compared.
    Pointer,
    /// Calls within the function return, although the calls do not say so. This matters where the order of events does.
    Return,
    /// Calls within the function do not unwind, although the calls do not say so. This matters where calls are compared
    /// by the memory they see: memory that `noalias` hides from them is visible after they unwind.
    Unwind,
}

/// An instruction that may violate a promise.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Suspect {
    /// The function that contains the instruction.
    pub func: FuncId,
    /// The instruction.
    pub inst: Inst,
    /// Whether the instruction calls a function without a body.
    pub is_foreign: bool,
}

impl Open {
    /// A promise that a body may violate by these instructions.
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
    /// A promise for which runs do not decide whether it is kept.
    pub(super) fn never_shown(promise: String) -> Self {
        Self { promise: promise.into(), about: About::Memory, suspects: None }
    }
    /// The promises that `nounwind` and `willreturn` in `said` make about the calls of a body beyond the calls' own
    /// attributes.
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
