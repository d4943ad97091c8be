//! Events: calls and other accesses that the environment sees and answers.

use crate::encode::value::Sym;
use crate::encode::world::{Side, World};
use crate::term::Term;
use backedge_ir::entity::Inst;
use std::sync::Arc;

/// An external call, or another access that the environment sees.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) side: Side,
    pub(crate) inst: Inst,
    /// The condition under which the event happens.
    pub(crate) happens: Term,
    /// The trace before the event.
    pub(crate) before: Term,
    /// Name of the callee, which must be equal in matching events; for an indirect call, a fixed name.
    pub(crate) callee: Arc<str>,
    /// The promises of the call, where they distinguish calls of the same function; they must be equal in matching
    /// events.
    pub(crate) promises: Vec<String>,
    /// The arguments; for an indirect call, the pointer is the first one.
    pub(crate) args: Vec<Sym>,
    /// The memory that the event sees; `None` if it reads no memory.
    pub(crate) memory: Option<Term>,
    /// The bytes of a volatile access, which sees no other memory and leaves other bytes unchanged.
    pub(crate) touched: Option<Touched>,
    /// The trace after the event, if it is observable.
    pub(crate) after: Option<Term>,
    /// The result.
    pub(crate) result: Option<Sym>,
    /// Whether the event returns.
    pub(crate) returns: Term,
    /// Whether the event unwinds, if it does not return.
    pub(crate) throws: Term,
    /// Whether the answer depends on the history although the event is not observable.
    pub(crate) by_history: bool,
    /// The memory before the event, whether the event reads it or not; `None` if the event writes no memory.
    pub(crate) found: Option<Term>,
    /// The memory after the event; `None` if the event writes no memory.
    pub(crate) leaves: Option<Term>,
    /// Whether the callee has no UB of its own, for any arguments.
    pub(crate) speculatable: bool,
    /// The escaped allocas that the event may know, by block number, with their liveness; empty if the event sees no
    /// memory.
    pub(crate) allocas: Vec<(u32, Term)>,
}

/// The bytes of a volatile access.
#[derive(Clone, Debug)]
pub(crate) struct Touched {
    /// Whether there is memory at the address.
    pub(crate) inside: Term,
    /// The address.
    pub(crate) pointer: Term,
    /// The bytes before the access; zeros where there is no memory.
    pub(crate) found: Vec<Term>,
    /// The bytes after the access if nobody else changes them.
    pub(crate) usual: Vec<Term>,
}

/// The relation between the arguments of two calls.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Likeness {
    /// The second arguments refine the first.
    Refined,
    /// The arguments are identical, including poison and undef bits.
    Identical,
}

impl World {
    /// Whether the bytes found by two volatile accesses agree, or the source's bytes are refined by the target's.
    pub(super) fn touches_the_same(&mut self, source: &Event, target: &Event, likeness: Likeness) -> Term {
        let (Some(s), Some(t)) = (&source.touched, &target.touched) else { return self.terms.bool(true) };
        let differ = self.terms.xor(s.inside, t.inside);
        let mut equal = self.terms.not(differ);
        for (a, b) in s.found.iter().zip(&t.found) {
            let fine = match likeness {
                Likeness::Refined => self.byte_refines(*a, *b),
                Likeness::Identical => self.terms.eq(*a, *b),
            };
            equal = self.terms.and(equal, fine);
        }
        equal
    }
}
