//! The exits of a function: returns, calls that do not return, UB, and edges past the bound, each with its path.

use crate::encode::function::Encoder;
use crate::encode::value::Sym;
use crate::term::Term;
use backedge_ir::entity::{Block, Inst};

/// A return.
#[derive(Clone, Debug)]
pub(crate) struct Return {
    pub(crate) path: Term,
    pub(crate) value: Option<Sym>,
    pub(crate) shared: Term,
    pub(crate) trace: Term,
}

/// An event that did not return, with the trace of calls up to it; or UB, with the trace up to the last earlier call
/// that might not have returned. (UB that is certain to happen may happen earlier, but not before an event that may
/// prevent it.)
#[derive(Clone, Copy, Debug)]
pub(crate) struct End {
    pub(crate) path: Term,
    pub(crate) trace: Term,
}

/// A CFG edge that one of its copies takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TakenEdge {
    pub(crate) from: Block,
    pub(crate) to: Block,
    pub(crate) path: Term,
}

/// All exits of the function.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ends {
    pub(crate) returns: Vec<Return>,
    /// Calls that did not return.
    pub(crate) stops: Vec<End>,
    /// Points of UB.
    pub(crate) ub: Vec<End>,
    /// Edges past the bound.
    pub(crate) cut: Vec<Cut>,
    /// Writes to memory that the function does not own, except writes by calls.
    pub(crate) writes: Vec<Write>,
    /// For each block, the conditions under which its copies are reached.
    pub(crate) reached: Vec<(Block, Term)>,
    /// For each edge, the conditions under which its copies are taken.
    pub(crate) taken: Vec<TakenEdge>,
    /// The bound in effect.
    pub(crate) bound: u32,
}

/// A write of some bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Write {
    pub(crate) inst: Inst,
    /// The condition under which the write is executed.
    pub(crate) path: Term,
    pub(crate) pointer: Term,
    pub(crate) bytes: Term,
}

/// A point at which a run exceeds the bound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    pub(crate) path: Term,
    /// The trace up to this point.
    pub(crate) trace: Term,
    /// The condition under which the run entered the loop through its header, and the trace before the entry.
    pub(crate) entry: Option<(Term, Term)>,
    /// The header of the loop; `None` within a library function.
    pub(crate) header: Option<Block>,
}

impl Encoder<'_, '_> {
    /// Records UB under `cond` and narrows the path to the rest.
    pub(crate) fn ub(&mut self, cond: Term) {
        let terms = &mut self.w.terms;
        if terms.as_bool(cond) == Some(false) {
            return;
        }
        let here = terms.and(self.path, cond);
        let fine = terms.not(cond);
        self.path = terms.and(self.path, fine);
        let trace = self.memory.firm;
        match self.ends.ub.last_mut() {
            Some(last) if last.trace == trace => last.path = terms.or(last.path, here),
            _ => self.ends.ub.push(End { path: here, trace }),
        }
    }
    /// Narrows the path to `cond`; the other runs stop here.
    pub(crate) fn stop_unless(&mut self, cond: Term, trace: Term) {
        let stops = self.w.terms.not(cond);
        let here = self.w.terms.and(self.path, stops);
        if self.w.terms.as_bool(here) != Some(false) {
            self.ends.stops.push(End { path: here, trace });
        }
        self.path = self.w.terms.and(self.path, cond);
    }
}
