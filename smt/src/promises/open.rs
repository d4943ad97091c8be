//! What is said of memory in a source, or of functions that it reaches, and that their code is not seen to keep. A run that
//! breaks it is undefined, although the engines give it a meaning, and refutes nothing.
//!
//! Most of it is broken by single instructions: a run that executes none of them keeps it. Of the rest nobody can tell.

use super::attributes;
use super::breaches::Breach;
use super::callees;
use super::kept::Kept;
use crate::refinement::FunctionRef;
use backedge_ir::entity::{FuncId, Inst};
use std::sync::Arc;

/// A promise that a function may break.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Open {
    /// The promise, and where it is made.
    pub promise: Arc<str>,
    /// The instructions one of which is executed where it is broken; `None` if it may be broken otherwise.
    pub suspects: Option<Vec<Suspect>>,
}

/// An instruction that may break a promise.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Suspect {
    /// The function that has it.
    pub func: FuncId,
    /// The instruction.
    pub inst: Inst,
    /// Whether it calls a function without code, so that it breaks nothing where that function does nothing.
    pub is_foreign: bool,
}

impl Open {
    /// A promise that a body may break by these instructions.
    pub(super) fn new(kept: &Kept<'_>, promise: String, breaches: Option<Vec<Breach>>) -> Self {
        let suspect = |breach: Breach| {
            let is_foreign = kept
                .code()
                .is_some_and(|(_, calls)| calls.of(breach.inst).is_some_and(|c| calls.is_foreign(c)));
            Suspect { func: kept.func(), inst: breach.inst, is_foreign }
        };
        let suspects = breaches.map(|list| list.into_iter().map(suspect).collect());
        Self { promise: promise.trim_end().into(), suspects }
    }
}

/// All such promises: of `source` itself, of `callees` by their definitions and by calls of them, and by calls in `source`.
pub fn open(source: FunctionRef<'_>, callees: &[FuncId]) -> Vec<Open> {
    let kept = Kept::new(None, source);
    let mut found = attributes::open(source, &kept);
    found.extend(callees::open(source, callees));
    found
}
